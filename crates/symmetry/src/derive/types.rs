//! Types of expressions: what a renaming does to their values.

use mandala_model::ids::ChannelKindId;
use mandala_model::state::Value;
use std::collections::BTreeSet;

/// The type of an expression, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameType {
    /// A number that no renaming changes.
    Plain,
    /// A value `v` is the name `v + offset` of the set with that number, or no name of it.
    Name(u32, Value),
    /// The number of a process that no renaming moves. It fits where numbers are plain, and where they are those of processes.
    Outsider,
    /// A reference to a channel of that kind or of one that shares its messages' types, or 0.
    Channel(ChannelKindId),
    /// A number that stands in the model. It fits every type for which it is no name.
    Constant(Value),
    /// A value `v` is the value `v + offset` of a cell, parameter or bound variable whose type follows from its uses.
    Open(Slot, Value),
}

/// A cell, parameter or bound variable whose type follows from its uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Slot(usize);

impl Slot {
    /// The type of what the slot stands for.
    pub(super) fn ty(self) -> NameType {
        NameType::Open(self, 0)
    }
}

impl NameType {
    /// The type of values that are greater by a number.
    pub(super) fn plus(self, by: Value) -> NameType {
        match self {
            NameType::Name(set, offset) => NameType::Name(set, offset - by),
            NameType::Open(slot, offset) => NameType::Open(slot, offset - by),
            NameType::Constant(value) => NameType::Constant(value + by),
            // Whoever computes with these has numbers.
            NameType::Channel(_) if by == 0 => self,
            NameType::Channel(_) | NameType::Outsider | NameType::Plain => NameType::Plain,
        }
    }
}

/// All that is known of slots: classes of slots of equal type up to an offset (union-find), the type of each class, and the kinds of channels whose
/// messages have equal types.
#[derive(Debug, Default)]
pub(super) struct Slots {
    /// For each slot another one of its class, and by how much its values are less than those of the other.
    parents: Vec<(usize, Value)>,
    known: Vec<Option<NameType>>,
    /// For each class, numbers that stand in the model and meet its values.
    constants: Vec<BTreeSet<Value>>,
    /// For each kind of channels another one of its class.
    kinds: Vec<usize>,
    /// For each kind of channels, the fields of its messages.
    fields: Vec<Vec<Slot>>,
    /// How often something was learnt.
    changes: usize,
}

impl Slots {
    /// A slot of which nothing is known.
    pub(super) fn fresh(&mut self) -> Slot {
        self.parents.push((self.parents.len(), 0));
        self.known.push(None);
        self.constants.push(BTreeSet::new());
        Slot(self.parents.len() - 1)
    }

    /// Notes which slots the fields of messages have.
    pub(super) fn set_fields(&mut self, fields: &[Vec<Slot>]) {
        self.kinds = (0..fields.len()).collect();
        self.fields = fields.to_vec();
    }

    /// How often something was learnt so far.
    pub(super) fn changes(&self) -> usize {
        self.changes
    }

    /// The root of the class of a slot, and by how much values of the slot are less than those of the root.
    pub(super) fn root(&mut self, slot: Slot) -> (Slot, Value) {
        let (mut at, mut offset) = (slot.0, 0);
        while self.parents[at].0 != at {
            let (parent, by) = self.parents[at];
            let (next, more) = self.parents[parent];
            self.parents[at] = (next, by + more);
            let (parent, by) = self.parents[at];
            offset += by;
            at = parent;
        }
        (Slot(at), offset)
    }

    /// The type of a slot; its root if nothing is known of it.
    pub(super) fn resolve(&mut self, ty: NameType) -> NameType {
        let NameType::Open(slot, offset) = ty else {
            return match ty {
                NameType::Channel(kind) => NameType::Channel(self.kind(kind)),
                other => other,
            };
        };
        let (root, by) = self.root(slot);
        let offset = offset + by;
        match self.known[root.0] {
            Some(NameType::Channel(kind)) => NameType::Channel(self.kind(kind)).plus(-offset),
            Some(known) => known.plus(-offset),
            None => NameType::Open(root, offset),
        }
    }

    /// Notes that a value of a slot, less an offset, has a type. The first type that is noted stays: where another one is meant, the check will say so.
    pub(super) fn learn(&mut self, slot: Slot, offset: Value, ty: NameType) {
        let (root, by) = self.root(slot);
        let offset = offset + by;
        match ty {
            NameType::Outsider => {}
            NameType::Constant(value) => {
                self.changes += usize::from(self.constants[root.0].insert(value + offset));
            }
            NameType::Open(other, more) => self.join((root, offset), (other, more)),
            NameType::Channel(kind) => self.learn_channel(root, offset, kind),
            NameType::Plain | NameType::Name(..) => self.note(root, ty.plus(offset)),
        }
    }

    fn learn_channel(&mut self, root: Slot, offset: Value, kind: ChannelKindId) {
        match self.known[root.0] {
            Some(NameType::Channel(other)) => self.join_kinds(kind, other),
            _ => self.note(root, NameType::Channel(kind).plus(offset)),
        }
    }

    fn note(&mut self, root: Slot, ty: NameType) {
        if self.known[root.0].is_none() {
            self.known[root.0] = Some(ty);
            self.changes += 1;
        }
    }

    /// Notes that a value of one slot, less an offset, and a value of another one, less an offset, are of one type.
    fn join(&mut self, a: (Slot, Value), b: (Slot, Value)) {
        let ((root, by_a), (other, by_b)) = (self.root(a.0), self.root(b.0));
        let (more_a, more_b) = (by_a + a.1, by_b + b.1);
        let (a, b) = (root, other);
        if a == b {
            // Something is a name and the next one at once: it is computed with.
            if more_a != more_b {
                self.note(a, NameType::Plain);
            }
            return;
        }
        let by = more_a - more_b;
        self.parents[b.0] = (a.0, by);
        self.changes += 1;
        let shifted = self.constants[b.0].iter().map(|value| value + by);
        let shifted: Vec<Value> = shifted.collect();
        self.constants[a.0].extend(shifted);
        match self.known[b.0] {
            Some(NameType::Channel(kind)) if by == 0 => self.learn_channel(a, 0, kind),
            Some(known) => self.note(a, known.plus(by)),
            None => {}
        }
    }

    /// The kind that stands for all whose messages have the same types.
    pub(super) fn kind(&self, kind: ChannelKindId) -> ChannelKindId {
        let mut at = kind.index();
        while self.kinds[at] != at {
            at = self.kinds[at];
        }
        ChannelKindId::from(at)
    }

    /// Notes that messages of two kinds of channels have the same types.
    pub(super) fn join_kinds(&mut self, a: ChannelKindId, b: ChannelKindId) {
        let (a, b) = (self.kind(a), self.kind(b));
        if a == b {
            return;
        }
        self.kinds[b.index()] = a.index();
        self.changes += 1;
        let pairs = self.fields[a.index()].clone().into_iter();
        let pairs: Vec<_> = pairs.zip(self.fields[b.index()].clone()).collect();
        for (a, b) in pairs {
            self.learn(a, 0, b.ty());
        }
    }

    /// The fields of messages of a kind of channels.
    pub(super) fn fields(&self, kind: ChannelKindId) -> &[Slot] {
        &self.fields[kind.index()]
    }

    /// All kinds of channels of the class of one.
    pub(super) fn class_of(&self, kind: ChannelKindId) -> Vec<ChannelKindId> {
        let all = (0..self.kinds.len()).map(ChannelKindId::from);
        all.filter(|k| self.kind(*k) == self.kind(kind)).collect()
    }

    /// The numbers that stand in the model and meet values of the class of a root.
    pub(super) fn constants(&self, root: Slot) -> &BTreeSet<Value> {
        &self.constants[root.0]
    }

    /// Decides that everything of which nothing is known is a plain number.
    pub(super) fn close(&mut self) {
        for known in &mut self.known {
            known.get_or_insert(NameType::Plain);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots<const N: usize>() -> (Slots, [Slot; N]) {
        let mut slots = Slots::default();
        let all = std::array::from_fn(|_| slots.fresh());
        (slots, all)
    }

    #[test]
    fn slots_that_are_joined_have_one_type() {
        let (mut slots, [a, b, c]) = slots();
        slots.learn(a, 0, b.ty());
        slots.learn(b, 0, NameType::Constant(0));
        assert!(matches!(slots.resolve(a.ty()), NameType::Open(..)));
        slots.learn(b, 0, NameType::Name(1, 0));
        slots.learn(a, 0, NameType::Plain);
        assert_eq!(slots.resolve(a.ty()), NameType::Name(1, 0));
        slots.close();
        assert_eq!(slots.resolve(c.ty()), NameType::Plain);
    }

    #[test]
    fn offsets_add_up_along_a_class() {
        let (mut slots, [a, b, c]) = slots();
        // a - 1 is a value of b, and b + 2 one of c.
        slots.learn(b, 0, a.ty().plus(-1));
        slots.learn(c, 0, b.ty().plus(2));
        slots.learn(c, 0, NameType::Constant(9));
        slots.learn(b, 0, NameType::Name(0, 1));
        assert_eq!(slots.resolve(a.ty()), NameType::Name(0, 0));
        assert_eq!(slots.resolve(b.ty()), NameType::Name(0, 1));
        assert_eq!(slots.resolve(c.ty()), NameType::Name(0, -1));
        let (root, by) = slots.root(c);
        assert!(slots.constants(root).contains(&(9 + by)));
    }

    #[test]
    fn who_is_the_next_one_of_himself_is_a_number() {
        let (mut slots, [a]) = slots();
        slots.learn(a, 0, a.ty().plus(1));
        assert_eq!(slots.resolve(a.ty()), NameType::Plain);
    }
}
