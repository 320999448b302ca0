//! Types of expressions: what a renaming does to their values.

use mandala_model::state::Value;

/// The type of an expression, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameType {
    /// A number that no renaming changes.
    Plain,
    /// A name of the set with that number, or a value that is no name of it.
    Name(u32),
    /// A number that stands in the model. It fits every type for which it is no name.
    Constant(Value),
    /// The type of a temporary, a parameter or a bound variable, which follows from its uses.
    Open(Slot),
}

/// A temporary, parameter or bound variable whose type follows from its uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(usize);

/// What is known of all slots: classes of slots of equal type (union-find), and the type of each class.
#[derive(Debug, Default)]
pub(super) struct Slots {
    parents: Vec<usize>,
    known: Vec<Option<NameType>>,
}

impl Slots {
    /// A slot of which nothing is known.
    pub(super) fn fresh(&mut self) -> Slot {
        self.parents.push(self.parents.len());
        self.known.push(None);
        Slot(self.parents.len() - 1)
    }

    fn root(&mut self, slot: Slot) -> usize {
        let mut at = slot.0;
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }

    /// The type of a slot; itself if nothing is known of it.
    pub(super) fn resolve(&mut self, ty: NameType) -> NameType {
        match ty {
            NameType::Open(slot) => {
                let root = self.root(slot);
                self.known[root].unwrap_or(NameType::Open(Slot(root)))
            }
            other => other,
        }
    }

    /// Notes that a slot has a type. The first type that is noted stays: where another one is meant, the check will say so.
    pub(super) fn learn(&mut self, slot: Slot, ty: NameType) {
        match ty {
            NameType::Constant(_) => {}
            NameType::Open(other) => self.join(slot, other),
            NameType::Plain | NameType::Name(_) => {
                let root = self.root(slot);
                self.known[root].get_or_insert(ty);
            }
        }
    }

    fn join(&mut self, a: Slot, b: Slot) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parents[b] = a;
            self.known[a] = self.known[a].or(self.known[b]);
        }
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

    #[test]
    fn slots_that_are_joined_have_one_type() {
        let mut slots = Slots::default();
        let [a, b, c] = [slots.fresh(), slots.fresh(), slots.fresh()];
        slots.learn(a, NameType::Open(b));
        slots.learn(b, NameType::Constant(0));
        assert!(matches!(
            slots.resolve(NameType::Open(a)),
            NameType::Open(_)
        ));
        slots.learn(b, NameType::Name(1));
        slots.learn(a, NameType::Plain);
        assert_eq!(slots.resolve(NameType::Open(a)), NameType::Name(1));
        slots.close();
        assert_eq!(slots.resolve(NameType::Open(c)), NameType::Plain);
    }
}
