//! Normal forms against plain evaluation, in every state of a few small cells.

use super::*;
use crate::term::{Cell, Home, Part, Tag};
use mandala_model::expr::UnaryOp;
use mandala_model::ids::{GlobalId, LocalId, TemplateId};
use mandala_model::model::Arithmetic;
use mandala_model::types::Scalar;
use proptest::prelude::*;
use std::rc::Rc;

/// Two bits.
const SMALL: Scalar = Scalar::Int {
    bits: 2,
    signed: false,
};

/// A type that does not take every value.
const TIGHT: Scalar = Scalar::Range { min: 1, max: 3 };

/// What expressions are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    X,
    Y,
    Bit,
    Tight,
    /// The element of an array of two, at a place that may be none.
    Element,
    /// Of a process that may not be there.
    Remote,
}

use Place::{Bit, Element, Remote, Tight, X, Y};

const PLACES: [Place; 6] = [X, Y, Bit, Tight, Element, Remote];

/// An expression as somebody writes it.
#[derive(Clone, Debug)]
enum Raw {
    Const(i64),
    Read(Place),
    Unary(UnaryOp, Rc<Raw>),
    Binary(BinaryOp, Rc<Raw>, Rc<Raw>),
    Choose(Rc<Raw>, Rc<Raw>, Rc<Raw>),
    Stored(Scalar, Rc<Raw>),
}

use Raw::{Binary, Const, Read};

fn binary(op: BinaryOp, a: Raw, b: Raw) -> Raw {
    Binary(op, Rc::new(a), Rc::new(b))
}

/// What the cells hold.
#[derive(Clone, Copy, Debug)]
struct State {
    x: i64,
    y: i64,
    bit: i64,
    tight: i64,
    index: i64,
    elements: (i64, i64),
    remote: Option<i64>,
}

fn states() -> Vec<State> {
    let mut all = Vec::new();
    for number in 0..1024 {
        let digit = |at: u32, sides: i64| (number >> at) % sides;
        all.push(State {
            x: digit(0, 4),
            y: digit(2, 4),
            bit: digit(4, 2),
            tight: 1 + digit(5, 3),
            index: digit(6, 4),
            elements: (digit(0, 4), digit(8, 4)),
            remote: (digit(3, 4) > 0).then_some(digit(3, 4)),
        });
    }
    all
}

/// A value, or the failure to find one.
type Value = Option<i64>;

/// Why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Failure {
    /// What the normal form has to tell.
    Fault,
    /// What is asked for before: the value is undefined, or does not fit. What the normal form makes of it is of no interest.
    Risk,
}

impl State {
    fn read(&self, place: Place) -> Value {
        match place {
            X => Some(self.x),
            Y => Some(self.y),
            Bit => Some(self.bit),
            Tight => Some(self.tight),
            Remote => Some(self.remote.unwrap_or(0)),
            Element => match self.index {
                0 => Some(self.elements.0),
                1 => Some(self.elements.1),
                _ => None,
            },
        }
    }

    /// The value of an expression, by the rules of the language.
    fn evaluate(&self, raw: &Raw) -> Result<i64, Failure> {
        let wrapping = Arithmetic::Wrapping32;
        match raw {
            Const(value) => Ok(*value),
            Read(place) => self.read(*place).ok_or(Failure::Fault),
            Raw::Unary(op, a) => {
                let failure = match op {
                    UnaryOp::Defined => Failure::Risk,
                    _ => Failure::Fault,
                };
                wrapping.unary(*op, self.evaluate(a)?).map_err(|_| failure)
            }
            Binary(BinaryOp::And, a, _) if self.evaluate(a)? == 0 => Ok(0),
            Binary(BinaryOp::Or, a, _) if self.evaluate(a)? != 0 => Ok(1),
            Binary(op, a, b) => {
                let value = wrapping.binary(*op, self.evaluate(a)?, self.evaluate(b)?);
                value.map_err(|_| Failure::Fault)
            }
            Raw::Choose(a, b, c) => match self.evaluate(a)? {
                0 => self.evaluate(c),
                _ => self.evaluate(b),
            },
            Raw::Stored(scalar, a) => scalar.store(self.evaluate(a)?).ok_or(Failure::Risk),
        }
    }

    /// The value of a term, as its documentation says.
    fn value(&self, term: &Term) -> Value {
        let all = |list: &[Term], end: bool| {
            for term in list {
                if (self.value(term)? != 0) == end {
                    return Some(i64::from(end));
                }
            }
            Some(i64::from(!end))
        };
        match term {
            Term::Read(cell) => self.read(place_of(cell)),
            Term::Unary(op, a) if op.0 == UnaryOp::Defined => match self.value(a)? {
                0 => Some(1),
                value => Some(value),
            },
            Term::Unary(op, a) => Arithmetic::Wrapping32.unary(op.0, self.value(a)?).ok(),
            Term::Binary(op, a, b) => Arithmetic::Wrapping32
                .binary(op.0, self.value(a)?, self.value(b)?)
                .ok(),
            Term::Sum(list) => {
                let sum = |sum: i64, t| Some(i64::from(sum.wrapping_add(self.value(t)?) as i32));
                list.iter().try_fold(0, sum)
            }
            Term::All(list) => all(list, false),
            Term::Any(list) => all(list, true),
            Term::Choose(a, b, c) => match self.value(a)? {
                0 => self.value(c),
                _ => self.value(b),
            },
            Term::Stored(scalar, a) => {
                let value = self.value(a)?;
                scalar.0.store(value).or(scalar.0.limits().map(|l| l.0))
            }
            other => other.known(),
        }
    }
}

fn algebra() -> Algebra {
    Algebra {
        arithmetic: Arithmetic::Wrapping32,
        last_process: 2,
    }
}

fn cell(place: Place) -> Cell {
    let global = |number, scalar| Cell {
        home: Home::Global(GlobalId(number)),
        path: Vec::new(),
        scalar: Tag(scalar),
        lasting: false,
    };
    match place {
        X => global(0, SMALL),
        Y => global(1, SMALL),
        Bit => global(2, Scalar::Bool),
        Tight => global(3, TIGHT),
        Element => Cell {
            path: vec![Part::Index(Term::Read(global(5, SMALL)), 2)],
            ..global(4, SMALL)
        },
        Remote => {
            let home = Home::Remote(TemplateId(0), Rc::new(Term::Const(7)), LocalId(0));
            Cell {
                home,
                ..global(0, TIGHT)
            }
        }
    }
}

fn place_of(wanted: &Cell) -> Place {
    let mut places = PLACES.into_iter();
    places.find(|p| cell(*p) == *wanted).expect("one of them")
}

/// The normal form of an expression.
fn term(raw: &Raw) -> Term {
    let algebra = algebra();
    match raw {
        Const(value) => Term::Const(*value),
        Read(place) => Term::Read(cell(*place)),
        Raw::Unary(op, a) => algebra.unary(*op, term(a)),
        Binary(op, a, b) => algebra.binary(*op, term(a), term(b)),
        Raw::Choose(a, b, c) => algebra.choose(term(a), term(b), term(c)),
        Raw::Stored(scalar, a) => algebra.store(*scalar, term(a)),
    }
}

/// The expression with a place for its hole, which is `X`.
fn filled(raw: &Raw, place: Place) -> Raw {
    let inner = |r: &Rc<Raw>| Rc::new(filled(r, place));
    match raw {
        Read(X) => Read(place),
        Raw::Unary(op, a) => Raw::Unary(*op, inner(a)),
        Binary(op, a, b) => Binary(*op, inner(a), inner(b)),
        Raw::Choose(a, b, c) => Raw::Choose(inner(a), inner(b), inner(c)),
        Raw::Stored(scalar, a) => Raw::Stored(*scalar, inner(a)),
        other => other.clone(),
    }
}

fn operators() -> impl Strategy<Value = BinaryOp> {
    use BinaryOp::*;
    prop::sample::select(vec![
        Add,
        Subtract,
        Multiply,
        Divide,
        Modulo,
        BitAnd,
        BitOr,
        BitXor,
        ShiftLeft,
        ShiftRight,
        Equal,
        NotEqual,
        Less,
        LessEqual,
        Greater,
        GreaterEqual,
        And,
        Or,
        Add,
        Subtract,
        BitXor,
    ])
}

fn scalars() -> impl Strategy<Value = Scalar> {
    let byte = Scalar::Int {
        bits: 8,
        signed: false,
    };
    prop::sample::select(vec![SMALL, TIGHT, Scalar::Bool, byte])
}

/// Expressions over some places.
fn raws(places: Vec<Place>) -> impl Strategy<Value = Raw> {
    let leaf = prop_oneof![
        1 => (-2i64..5).prop_map(Const),
        2 => prop::sample::select(places).prop_map(Read),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let boxed = || inner.clone().prop_map(Rc::new);
        let unary = [
            UnaryOp::Not,
            UnaryOp::Negate,
            UnaryOp::BitNot,
            UnaryOp::Defined,
        ];
        let unary = prop::sample::select(unary.to_vec());
        prop_oneof![
            4 => (operators(), boxed(), boxed()).prop_map(|(op, a, b)| Binary(op, a, b)),
            1 => (unary, boxed()).prop_map(|(op, a)| Raw::Unary(op, a)),
            1 => (scalars(), boxed()).prop_map(|(scalar, a)| Raw::Stored(scalar, a)),
            1 => (boxed(), boxed(), boxed()).prop_map(|(a, b, c)| Raw::Choose(a, b, c)),
        ]
    })
}

/// The normal form means what the expression means, in every state in which one comes to evaluate it.
fn check_meaning(raw: &Raw) -> Result<(), TestCaseError> {
    let normal = term(raw);
    for state in states() {
        let wanted = state.evaluate(raw);
        if wanted == Err(Failure::Risk) {
            continue;
        }
        prop_assert_eq!(
            wanted.ok(),
            state.value(&normal),
            "{:?} became {:?} in {:?}",
            raw,
            normal,
            state
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn normal_forms_mean_the_same(raw in raws(PLACES.to_vec())) {
        check_meaning(&raw)?;
    }

    #[test]
    fn two_that_are_treated_alike_are_compared_rightly(
        raw in raws(vec![X]),
        a in prop::sample::select(PLACES.to_vec()),
        b in prop::sample::select(PLACES.to_vec()),
        op in prop::sample::select(vec![BinaryOp::Equal, BinaryOp::NotEqual]),
    ) {
        check_meaning(&binary(op, filled(&raw, a), filled(&raw, b)))?;
    }

    #[test]
    fn what_is_treated_and_compared_with_a_constant_is_compared_rightly(
        raw in raws(vec![X]),
        a in prop::sample::select(PLACES.to_vec()),
        constant in -3i64..6,
    ) {
        check_meaning(&binary(BinaryOp::Equal, filled(&raw, a), Const(constant)))?;
    }

    #[test]
    fn values_are_what_replacing_comes_to(
        raw in raws(vec![X]),
        at in -2i64..6,
        checked in any::<bool>(),
    ) {
        let algebra = Algebra {
            arithmetic: if checked { Arithmetic::Checked64 } else { Arithmetic::Wrapping32 },
            ..algebra()
        };
        let normal = term(&raw);
        if let Some(leaf) = normal.only_leaf() {
            let replaced = algebra.replaced(&normal, leaf, &Term::Const(at));
            // What is undefined or does not fit on the way is no value, even if others decide without it.
            match algebra.value_at(&normal, at) {
                Err(Gap::Unasked) => {}
                value => prop_assert_eq!(value.ok(), replaced.known(), "{:?}", normal),
            }
        }
    }

    #[test]
    fn the_only_risk_is_the_only_one(
        raw in raws(vec![X]),
        place in prop::sample::select(vec![Element, Remote, Tight]),
    ) {
        let raw = filled(&raw, place);
        let normal = term(&raw);
        if let Some(risk) = algebra().only_risk(&normal) {
            for state in states() {
                let (whole, part) = (state.value(&normal), state.value(&risk));
                prop_assert_eq!(whole.is_some(), part.is_some(), "{:?} in {:?}", normal, state);
            }
        }
    }
}

fn of(op: BinaryOp, a: Raw, b: Raw) -> Raw {
    binary(op, a, b)
}

fn equal(f: impl Fn(Raw) -> Raw, a: Place, b: Place) -> Term {
    term(&binary(BinaryOp::Equal, f(Read(a)), f(Read(b))))
}

fn simply_equal(a: Place, b: Place) -> Term {
    equal(|r| r, a, b)
}

#[test]
fn what_can_be_undone_is() {
    let other = |r| of(BinaryOp::Subtract, Const(3), r);
    let next = |r| of(BinaryOp::Modulo, of(BinaryOp::Add, r, Const(1)), Const(4));
    let flipped = |r| of(BinaryOp::BitXor, r, Const(2));
    for wanted in [equal(other, X, Y), equal(next, X, Y), equal(flipped, X, Y)] {
        assert_eq!(wanted, simply_equal(X, Y));
    }
    // The element may not be there, and then both fail.
    assert_eq!(equal(other, X, Element), simply_equal(X, Element));
    // Without 0 there is no division by it.
    let share = |r| of(BinaryOp::Divide, Const(6), r);
    assert_eq!(equal(share, Tight, Tight), simply_equal(Tight, Tight));
}

#[test]
fn what_tells_less_than_the_cell_is_not_undone() {
    let odd = |r| of(BinaryOp::Modulo, r, Const(2));
    let share = |r| of(BinaryOp::Divide, Const(6), r);
    let cut = |r| Raw::Stored(SMALL, Rc::new(of(BinaryOp::Multiply, r, Const(2))));
    let known = |_| Const(1);
    for (f, what) in [
        (&odd as &dyn Fn(Raw) -> Raw, "two values have one result"),
        (&share, "it fails for 0"),
        (&cut, "the cell wraps"),
    ] {
        assert_ne!(equal(f, X, Y), simply_equal(X, Y), "{what}");
    }
    assert_eq!(equal(known, X, Y), Term::Const(1));
    // A value that is possible in one of them only may come to what is possible in the other.
    let other = |r| of(BinaryOp::Subtract, Const(1), r);
    assert_ne!(equal(other, Bit, X), simply_equal(Bit, X));
    // The cell of a process that is not there reads as 0, which its type does not have.
    assert_ne!(equal(share, Remote, Tight), simply_equal(Remote, Tight));
    assert_ne!(equal(share, Remote, Remote), simply_equal(Remote, Remote));
}

#[test]
fn what_may_fail_by_itself_is_its_own_risk() {
    let whole = |f: &dyn Fn(Raw) -> Raw| algebra().only_risk(&term(&f(Read(Element))));
    let element = Some(Term::Read(cell(Element)));
    assert_eq!(whole(&|r| of(BinaryOp::Subtract, Const(1), r)), element);
    assert_eq!(whole(&|r| of(BinaryOp::Divide, r, Const(2))), element);
    assert_eq!(whole(&|r| of(BinaryOp::Divide, Const(2), r)), None);
    let tight = |r| Raw::Stored(TIGHT, Rc::new(r));
    assert_eq!(whole(&tight), element, "whether 0 is kept is asked before");
    // The element is looked at in one of the cases only.
    let unread = Raw::Choose(Rc::new(Const(0)), Rc::new(Read(Element)), Rc::new(Const(1)));
    assert_eq!(algebra().only_risk(&term(&unread)), None);
}
