//! Questions about probabilities and expected rewards: PCTL*, CSL and rewards (Hansson and Jonsson 1994; Baier, Haverkort, Hermanns and Katoen 2003).
//!
//! A [`StateFormula`] holds in a state or does not, a [`PathFormula`] is true of a run or not, and a [`Measure`] has a value in each state. What states satisfy is known by
//! the numbers of propositions, as in the other formulas of this crate; numbers are exact.

use crate::formula::Proposition;
use dashu_ratio::RBig;

/// Something that has a value in each state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The probability of the runs of which a formula is true (`P=? [ .. ]`).
    Probability {
        /// Over all ways of resolving what is not left to chance, the least or the greatest; none where everything is.
        optimum: Option<Optimum>,
        /// What runs must satisfy.
        path: PathFormula,
    },
    /// An expected reward (`R{"name"}=? [ .. ]`).
    Reward {
        /// Which structure of rewards of the model, by number.
        structure: usize,
        /// As in [`Measure::Probability`].
        optimum: Option<Optimum>,
        /// What is added up.
        what: Accumulation,
    },
    /// The share of time in the long run in which a formula holds (`S=? [ .. ]`).
    LongRun(StateFormula),
}

/// Which of the possible values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Optimum {
    /// The least.
    Least,
    /// The greatest.
    Greatest,
}

/// Which rewards count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Accumulation {
    /// All until a state is reached in which the formula holds; without an upper bound if it may not be reached (`F`).
    Until(StateFormula),
    /// All until that time (`C<=t`).
    UpTo(RBig),
    /// All for ever (`C`).
    Total,
    /// That of the state at that time (`I=t`).
    At(RBig),
    /// The average over time in the long run (`S`).
    LongRun,
}

/// A formula that a state satisfies or does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateFormula {
    /// Holds in all states, or in none.
    Constant(bool),
    /// Holds where the proposition does.
    Proposition(Proposition),
    /// Holds in the states that runs start in (`"init"`).
    Initial,
    /// Holds in states that nothing leads out of (`"deadlock"`).
    Deadlock,
    /// Not.
    Not(Box<StateFormula>),
    /// Both.
    And(Box<StateFormula>, Box<StateFormula>),
    /// Either.
    Or(Box<StateFormula>, Box<StateFormula>),
    /// The left implies the right.
    Implies(Box<StateFormula>, Box<StateFormula>),
    /// Both or neither.
    Iff(Box<StateFormula>, Box<StateFormula>),
    /// The value there is on that side of a number (`P>=0.5 [ .. ]`).
    Compare {
        /// What has the value. Where the model has choices, an optimum that is not said is the one that the comparison is about: the least for `>` and `>=`.
        measure: Box<Measure>,
        /// How it is compared.
        comparison: Comparison,
        /// With what.
        threshold: RBig,
    },
}

/// How a value is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
    /// `>`
    More,
}

/// A formula that is true of a run or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathFormula {
    /// The first state satisfies it.
    State(StateFormula),
    /// Not.
    Not(Box<PathFormula>),
    /// Both.
    And(Box<PathFormula>, Box<PathFormula>),
    /// Either.
    Or(Box<PathFormula>, Box<PathFormula>),
    /// In the next state (`X`).
    Next(Box<PathFormula>),
    /// The left until the right, which comes within the time (`U`). `F f` is `true U f`, and `G f` is `!(true U !f)`, also with a time.
    Until {
        /// What holds before.
        left: Box<PathFormula>,
        /// What has to come.
        right: Box<PathFormula>,
        /// When.
        within: Interval,
    },
}

/// A span of time: steps of a chain or process with discrete time, and otherwise time itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// From when on.
    pub from: RBig,
    /// Until when, if ever.
    pub to: Option<RBig>,
}

/// What is asked of the values of the states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// Whether a formula holds in all states that runs start in.
    Holds(StateFormula),
    /// The value in the states that runs start in: the least and the greatest of them.
    Value(Measure),
    /// A filter over the values of states (`filter(max, P=? [ .. ], states)`).
    Filter {
        /// What is made of the values.
        operation: FilterOperation,
        /// What has them.
        subject: FilterSubject,
        /// The states.
        states: StateFormula,
    },
}

/// What a filter is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilterSubject {
    /// Values.
    Measure(Measure),
    /// Whether a formula holds.
    Formula(StateFormula),
}

/// What a filter makes of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FilterOperation {
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// The average.
    Average,
    /// The sum.
    Sum,
    /// How many satisfy the formula.
    Count,
    /// Both the least and the greatest.
    Range,
    /// Whether all satisfy it.
    ForAll,
    /// Whether some state does.
    Exists,
    /// The value in the only state.
    State,
}

impl Query {
    /// Calls `visit` on every proposition of the query.
    pub fn each_proposition(&self, visit: &mut impl FnMut(Proposition)) {
        match self {
            Query::Holds(formula) => formula.each_proposition(visit),
            Query::Value(measure) => measure.each_proposition(visit),
            Query::Filter {
                subject, states, ..
            } => {
                match subject {
                    FilterSubject::Measure(measure) => measure.each_proposition(visit),
                    FilterSubject::Formula(formula) => formula.each_proposition(visit),
                }
                states.each_proposition(visit);
            }
        }
    }

    /// Calls `visit` on every measure of the query, also on those inside of others.
    pub fn each_measure<'q>(&'q self, visit: &mut impl FnMut(&'q Measure)) {
        match self {
            Query::Holds(formula) => formula.each_measure(visit),
            Query::Value(measure) => measure.each_measure(visit),
            Query::Filter {
                subject, states, ..
            } => {
                match subject {
                    FilterSubject::Measure(measure) => measure.each_measure(visit),
                    FilterSubject::Formula(formula) => formula.each_measure(visit),
                }
                states.each_measure(visit);
            }
        }
    }
}

impl Measure {
    /// Calls `visit` on every proposition of the measure.
    pub fn each_proposition(&self, visit: &mut impl FnMut(Proposition)) {
        match self {
            Measure::Probability { path, .. } => path.each_formula(&mut |formula| {
                formula.each_proposition(visit);
            }),
            Measure::Reward {
                what: Accumulation::Until(formula),
                ..
            }
            | Measure::LongRun(formula) => formula.each_proposition(visit),
            Measure::Reward { .. } => {}
        }
    }

    /// Calls `visit` on this measure and on those inside of it.
    pub fn each_measure<'q>(&'q self, visit: &mut impl FnMut(&'q Measure)) {
        visit(self);
        match self {
            Measure::Probability { path, .. } => {
                path.each_formula(&mut |formula| formula.each_measure(visit));
            }
            Measure::Reward {
                what: Accumulation::Until(formula),
                ..
            }
            | Measure::LongRun(formula) => formula.each_measure(visit),
            Measure::Reward { .. } => {}
        }
    }
}

impl StateFormula {
    /// Calls `visit` on every proposition of the formula.
    pub fn each_proposition(&self, mut visit: &mut dyn FnMut(Proposition)) {
        match self {
            StateFormula::Constant(_) | StateFormula::Initial | StateFormula::Deadlock => {}
            StateFormula::Proposition(proposition) => visit(*proposition),
            StateFormula::Not(inner) => inner.each_proposition(visit),
            StateFormula::And(left, right)
            | StateFormula::Or(left, right)
            | StateFormula::Implies(left, right)
            | StateFormula::Iff(left, right) => {
                left.each_proposition(visit);
                right.each_proposition(visit);
            }
            StateFormula::Compare { measure, .. } => measure.each_proposition(&mut visit),
        }
    }

    /// Calls `visit` on every measure of the formula, also on those inside of others.
    pub fn each_measure<'q>(&'q self, mut visit: &mut dyn FnMut(&'q Measure)) {
        match self {
            StateFormula::Constant(_)
            | StateFormula::Initial
            | StateFormula::Deadlock
            | StateFormula::Proposition(_) => {}
            StateFormula::Not(inner) => inner.each_measure(visit),
            StateFormula::And(left, right)
            | StateFormula::Or(left, right)
            | StateFormula::Implies(left, right)
            | StateFormula::Iff(left, right) => {
                left.each_measure(visit);
                right.each_measure(visit);
            }
            StateFormula::Compare { measure, .. } => measure.each_measure(&mut visit),
        }
    }
}

impl PathFormula {
    /// Calls `visit` on every formula of states that it is made of.
    pub fn each_formula<'q>(&'q self, visit: &mut dyn FnMut(&'q StateFormula)) {
        match self {
            PathFormula::State(formula) => visit(formula),
            PathFormula::Not(inner) | PathFormula::Next(inner) => inner.each_formula(visit),
            PathFormula::And(left, right)
            | PathFormula::Or(left, right)
            | PathFormula::Until { left, right, .. } => {
                left.each_formula(visit);
                right.each_formula(visit);
            }
        }
    }
}
