//! Formulas in negation normal form, shared and numbered.
//!
//! The translation works on a smaller language than the user's: negation stands before propositions only, and the
//! temporal operators are until, release and next. Equal terms have equal numbers, so comparing two is free, and
//! subterms are shared.

use std::cmp::Ordering;
use std::rc::Rc;

use crate::formula::{Literal, Names};
use crate::hashing::NumberMap;

/// The number of a term in its [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TermId(u32);

/// A formula in negation normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Term {
    True,
    False,
    Literal(Literal),
    And(TermId, TermId),
    Or(TermId, TermId),
    Until(TermId, TermId),
    Release(TermId, TermId),
    Next(TermId),
}

/// The number of a class of terms that are made of the same things: conjunctions or disjunctions of the same members,
/// however ordered, nested and repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ClassId(u32);

/// What the terms of a class have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Shape {
    Leaf(Term),
    Members(Junction, Vec<ClassId>),
    Until(ClassId, ClassId),
    Release(ClassId, ClassId),
    Next(ClassId),
}

/// Conjunction or disjunction, where the two are treated alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Junction {
    And,
    Or,
}

impl Junction {
    pub(crate) fn of(term: Term) -> Option<Self> {
        match term {
            Term::And(..) => Some(Self::And),
            Term::Or(..) => Some(Self::Or),
            _ => None,
        }
    }

    pub(crate) fn dual(self) -> Self {
        match self {
            Self::And => Self::Or,
            Self::Or => Self::And,
        }
    }

    pub(crate) fn join(self, left: TermId, right: TermId) -> Term {
        match self {
            Self::And => Term::And(left, right),
            Self::Or => Term::Or(left, right),
        }
    }

    /// The operands, if the term is this junction.
    pub(crate) fn split(self, term: Term) -> Option<(TermId, TermId)> {
        match (self, term) {
            (Self::And, Term::And(left, right)) | (Self::Or, Term::Or(left, right)) => {
                Some((left, right))
            }
            _ => None,
        }
    }

    /// The operand that may be left out.
    pub(crate) fn neutral(self) -> Term {
        match self {
            Self::And => Term::True,
            Self::Or => Term::False,
        }
    }

    /// The operand that decides the whole.
    pub(crate) fn absorbing(self) -> Term {
        self.dual().neutral()
    }
}

/// All terms of one translation.
#[derive(Debug, Default)]
pub(crate) struct Terms {
    names: Names,
    terms: Vec<Term>,
    numbers: NumberMap<Term, TermId>,
    weights: Vec<u64>,
    classes: Vec<ClassId>,
    shapes: Vec<Shape>,
    class_numbers: NumberMap<Shape, ClassId>,
    keys: NumberMap<TermId, Rc<str>>,
    pub(crate) known_equal: NumberMap<(TermId, TermId), bool>,
}

impl Terms {
    pub(crate) fn new(names: &Names) -> Self {
        Self {
            names: names.clone(),
            ..Self::default()
        }
    }

    pub(crate) fn get(&self, id: TermId) -> Term {
        self.terms[id.0 as usize]
    }

    pub(crate) fn make(&mut self, term: Term) -> TermId {
        if let Some(&id) = self.numbers.get(&term) {
            return id;
        }
        let id = TermId(next_number(&self.terms));
        self.weights.push(self.weight_of(term));
        let class = self.class_of(term);
        self.classes.push(class);
        self.terms.push(term);
        self.numbers.insert(term, id);
        id
    }

    /// How long the term is when written out; sharing can hide an exponential length.
    pub(crate) fn weight(&self, id: TermId) -> u64 {
        self.weights[id.0 as usize]
    }

    fn weight_of(&self, term: Term) -> u64 {
        let (left, right) = operands(term);
        let weight = |id: Option<TermId>| id.map_or(0, |id| self.weight(id));
        weight(left).saturating_add(weight(right)).saturating_add(1)
    }

    /// The class of a term. Terms that are [equal](Terms::equal) are of one class; the converse need not hold.
    pub(crate) fn class(&self, id: TermId) -> ClassId {
        self.classes[id.0 as usize]
    }

    fn class_of(&mut self, term: Term) -> ClassId {
        let shape = match term {
            Term::True | Term::False | Term::Literal(_) => Shape::Leaf(term),
            Term::Next(f) => Shape::Next(self.class(f)),
            Term::Until(f, g) => Shape::Until(self.class(f), self.class(g)),
            Term::Release(f, g) => Shape::Release(self.class(f), self.class(g)),
            Term::And(f, g) => self.members(Junction::And, f, g),
            Term::Or(f, g) => self.members(Junction::Or, f, g),
        };
        if let Some(&class) = self.class_numbers.get(&shape) {
            return class;
        }
        let class = ClassId(next_number(&self.shapes));
        self.shapes.push(shape.clone());
        self.class_numbers.insert(shape, class);
        class
    }

    fn members(&self, junction: Junction, left: TermId, right: TermId) -> Shape {
        let mut members = Vec::new();
        for class in [self.class(left), self.class(right)] {
            match &self.shapes[class.0 as usize] {
                Shape::Members(same, inner) if *same == junction => members.extend(inner),
                _ => members.push(class),
            }
        }
        members.sort_unstable();
        members.dedup();
        Shape::Members(junction, members)
    }

    /// The order by spelling: operator first, then the right operand, then the left.
    ///
    /// Only a term itself ranks equal to it, also where two different terms happen to be spelled alike.
    pub(crate) fn rank(&mut self, a: TermId, b: TermId) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        self.key(a).cmp(&self.key(b)).then(Ordering::Greater)
    }

    fn key(&mut self, id: TermId) -> Rc<str> {
        if let Some(key) = self.keys.get(&id) {
            return Rc::clone(key);
        }
        let (left, right) = operands(self.get(id));
        let mut text = self.sign(id);
        for operand in right.into_iter().chain(left) {
            text.push_str(&self.key(operand));
        }
        let key: Rc<str> = text.into();
        self.keys.insert(id, Rc::clone(&key));
        key
    }

    fn sign(&self, id: TermId) -> String {
        let sign = match self.get(id) {
            Term::True => "T",
            Term::False => "F",
            Term::And(..) => "&",
            Term::Or(..) => "|",
            Term::Until(..) => "U",
            Term::Release(..) => "V",
            Term::Next(_) => "X",
            Term::Literal(literal) => {
                let bang = if literal.positive { "" } else { "!" };
                return format!("{bang}{}", self.names.get(literal.proposition));
            }
        };
        sign.to_owned()
    }
}

fn next_number<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).expect("memory ends before 2^32 terms")
}

/// The left and the right operand, as far as there are any.
fn operands(term: Term) -> (Option<TermId>, Option<TermId>) {
    match term {
        Term::True | Term::False | Term::Literal(_) => (None, None),
        Term::Next(operand) => (Some(operand), None),
        Term::And(left, right)
        | Term::Or(left, right)
        | Term::Until(left, right)
        | Term::Release(left, right) => (Some(left), Some(right)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Proposition;

    fn literal(terms: &mut Terms, number: usize) -> TermId {
        terms.make(Term::Literal(Literal {
            proposition: Proposition(number),
            positive: true,
        }))
    }

    #[test]
    fn equal_terms_share_a_number() {
        let mut terms = Terms::default();
        let (p, q) = (literal(&mut terms, 0), literal(&mut terms, 1));
        let first = terms.make(Term::Until(p, q));
        assert_eq!(first, terms.make(Term::Until(p, q)));
        assert_ne!(first, terms.make(Term::Until(q, p)));
    }

    #[test]
    fn the_right_operand_decides_before_the_left() {
        let mut terms = Terms::default();
        let (p, q) = (literal(&mut terms, 0), literal(&mut terms, 1));
        let (pq, qp) = (terms.make(Term::Until(p, q)), terms.make(Term::Until(q, p)));
        assert_eq!(terms.rank(qp, pq), Ordering::Less);
        assert_eq!(terms.rank(pq, qp), Ordering::Greater);
    }

    #[test]
    fn terms_spelled_alike_stay_apart() {
        let mut terms = Terms::new(&["a", "ab", "c", "ca", "b"].into_iter().collect());
        let [_, ab, c, ca, b] = [0, 1, 2, 3, 4].map(|number| literal(&mut terms, number));
        let (first, second) = (
            terms.make(Term::Until(ab, c)),
            terms.make(Term::Until(b, ca)),
        );
        assert_eq!(terms.key(first), terms.key(second));
        assert_ne!(terms.rank(first, second), Ordering::Equal);
    }
}
