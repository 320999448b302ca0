//! The raw values of the members of enums and scalarsets.
//!
//! A value has the same raw value wherever it is: as a member of its own type and as a member of every union.
//! So the members of a union have ranges of raw values that do not overlap, and to make a value of a union of a
//! member's value nothing has to be done. A type that is in no union begins at 1. Types that meet in unions, directly or
//! through others, share out the values from 1 on: truth values come first, because they are everywhere, then scalarsets,
//! the largest first, so that the arrays over it stay small, then enums.

use crate::typed::{Number, TypeId, TypeKind, Types};
use std::collections::{BTreeMap, HashMap};

/// Some values of a simple type that have raw values one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The enum, scalarset or other type that is no union.
    pub(super) ty: TypeId,
    /// The raw value of the first one.
    pub(super) first: Number,
    pub(super) count: Number,
}

impl Part {
    /// The last raw value.
    pub(super) fn last(&self) -> Number {
        self.first.saturating_add(self.count - 1)
    }
}

/// The raw values of all types.
#[derive(Debug)]
pub(super) struct Numbering {
    /// How many raw values are before those of the type.
    bases: HashMap<TypeId, Number>,
}

impl Numbering {
    pub(super) fn new(types: &Types) -> Numbering {
        let mut sharing = Sharing::new(types);
        let mut bases = HashMap::new();
        for mut members in sharing.groups() {
            members.sort_by_key(|id| (order(types, *id), *id));
            let mut base: Number = 0;
            for id in members {
                bases.insert(id, base);
                base = base.saturating_add(types.values(id).unwrap_or(0));
            }
        }
        for (id, _) in types.all() {
            if let Some(base) = bases.get(&sharing.key(id)).copied() {
                bases.insert(id, base);
            }
        }
        Numbering { bases }
    }

    /// How many raw values, 0 not counted, are before those of the type.
    pub(super) fn base(&self, id: TypeId) -> Number {
        self.bases.get(&id).copied().unwrap_or(0)
    }

    /// The values of a simple type, in the order in which one goes through them.
    pub(super) fn parts(&self, types: &Types, id: TypeId) -> Vec<Part> {
        let part = |ty: TypeId| Part {
            ty,
            first: self.base(ty).saturating_add(1),
            count: types.values(ty).unwrap_or(0),
        };
        let mut parts = match types.kind(id) {
            TypeKind::Union(members) => members.iter().map(|member| part(*member)).collect(),
            _ => vec![part(id)],
        };
        parts.sort_by_key(|part| part.first);
        parts
    }

    /// The largest raw value of a type; 0 if it has no values.
    pub(super) fn last(&self, types: &Types, id: TypeId) -> Number {
        let parts = self.parts(types, id).into_iter();
        let last = parts.filter(|part| part.count > 0).map(|part| part.last());
        last.max().unwrap_or(0)
    }

    /// The part and the number in it, from 0 on, of a value that is given by its number in the type.
    pub(super) fn part_of(&self, types: &Types, id: TypeId, value: Number) -> (Part, Number) {
        let parts = self.parts(types, id);
        let mut rest = value;
        for part in &parts {
            if rest < part.count {
                return (*part, rest);
            }
            rest -= part.count;
        }
        let whole = Part {
            ty: id,
            first: 1,
            count: 0,
        };
        (parts.last().copied().unwrap_or(whole), rest)
    }

    /// True if some value of the first type is no value of the second.
    pub(super) fn narrows(&self, types: &Types, from: TypeId, to: TypeId) -> bool {
        let wanted = self.parts(types, to);
        let mut found = self.parts(types, from).into_iter();
        !found.all(|part| wanted.iter().any(|other| other.first == part.first))
    }
}

/// Where the members of a type come among those that it shares raw values with.
fn order(types: &Types, id: TypeId) -> (u8, Number) {
    let kind = match types.kind(id) {
        TypeKind::Boolean => 0,
        TypeKind::Scalarset(_) => 1,
        _ => 2,
    };
    (kind, -types.values(id).unwrap_or(0))
}

/// Which types meet in unions.
struct Sharing {
    /// Another type of the same group, or the type itself.
    next: HashMap<TypeId, TypeId>,
    /// The type that stands for each scalarset: those whose values are mixed are one.
    sets: HashMap<TypeId, TypeId>,
}

impl Sharing {
    fn new(types: &Types) -> Sharing {
        let mut sharing = Sharing {
            next: HashMap::new(),
            sets: one_for_each_set(types),
        };
        for (_, ty) in types.all() {
            if let TypeKind::Union(members) = &ty.kind {
                sharing.meet(members);
            }
        }
        sharing
    }

    /// The type that raw values are given to in place of this one.
    fn key(&self, id: TypeId) -> TypeId {
        self.sets.get(&id).copied().unwrap_or(id)
    }

    fn meet(&mut self, members: &[TypeId]) {
        for pair in members.windows(2) {
            let (a, b) = (self.key(pair[0]), self.key(pair[1]));
            let (a, b) = (self.leader(a), self.leader(b));
            self.next.insert(a, a);
            self.next.insert(b, a);
        }
    }

    /// The type that stands for the whole group. The way to it is made shorter.
    fn leader(&mut self, id: TypeId) -> TypeId {
        let mut at = id;
        while let Some(next) = self.next.get(&at).copied().filter(|next| *next != at) {
            let further = self.next.get(&next).copied().unwrap_or(next);
            self.next.insert(at, further);
            at = further;
        }
        at
    }

    fn groups(&mut self) -> Vec<Vec<TypeId>> {
        let members: Vec<TypeId> = self.next.keys().copied().collect();
        let mut groups: BTreeMap<TypeId, Vec<TypeId>> = BTreeMap::new();
        for id in members {
            groups.entry(self.leader(id)).or_default().push(id);
        }
        groups.into_values().collect()
    }
}

/// For the type of each scalarset, the first one whose set has the same representative.
fn one_for_each_set(types: &Types) -> HashMap<TypeId, TypeId> {
    let mut first = HashMap::new();
    let mut found = HashMap::new();
    for (id, ty) in types.all() {
        if let TypeKind::Scalarset(set) = ty.kind {
            let representative = types.scalarset(set).representative;
            found.insert(id, *first.entry(representative).or_insert(id));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_model::source::Span;

    const SPAN: Span = Span::START;

    #[test]
    fn members_of_unions_do_not_overlap() {
        let mut types = Types::new();
        let small = types.new_scalarset(2, SPAN);
        let large = types.new_scalarset(5, SPAN);
        let alone = types.new_scalarset(9, SPAN);
        let names = types.intern(TypeKind::Enum(vec!["A".into(), "B".into(), "C".into()]));
        let one = types.intern(TypeKind::Union(vec![names, small]));
        let other = types.intern(TypeKind::Union(vec![small, large]));
        let numbering = Numbering::new(&types);
        let bases = [large, small, names, alone].map(|id| numbering.base(id));
        assert_eq!(bases, [0, 5, 7, 0]);
        assert_eq!(numbering.last(&types, one), 10);
        assert_eq!(numbering.last(&types, other), 7);
        let (part, rest) = numbering.part_of(&types, one, 2);
        assert_eq!((part.ty, part.first, rest), (names, 8, 0));
        assert!(numbering.narrows(&types, one, small) && !numbering.narrows(&types, small, one));
        assert!(numbering.narrows(&types, one, other));
    }

    #[test]
    fn sets_that_are_mixed_have_the_same_members() {
        let mut types = Types::new();
        let sets = [3, 3, 4].map(|size| types.new_scalarset(size, SPAN));
        types.intern(TypeKind::Union(vec![sets[1], sets[2]]));
        types.tie(sets[0], sets[1]);
        let numbering = Numbering::new(&types);
        assert_eq!(sets.map(|id| numbering.base(id)), [4, 4, 0]);
    }

    #[test]
    fn truth_values_stay_where_they_are() {
        let mut types = Types::new();
        let set = types.new_scalarset(7, SPAN);
        types.intern(TypeKind::Union(vec![set, Types::BOOLEAN]));
        let numbering = Numbering::new(&types);
        assert_eq!(
            (numbering.base(Types::BOOLEAN), numbering.base(set)),
            (0, 2)
        );
    }
}
