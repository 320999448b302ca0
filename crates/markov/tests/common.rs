//! Small processes and questions, written shortly.

use dashu_ratio::RBig;
use mandala_markov::{Answer, Kind, Numbers, Process, ProcessBuilder, Settings, Value, answer};
use mandala_temporal::Proposition;
use mandala_temporal::pctl::{
    Accumulation, Comparison, Interval, Measure, Optimum, PathFormula, Query, StateFormula,
};

/// A choice: what it earns, and its branches.
pub(crate) type Choice = (u32, Vec<(u32, RBig)>);

/// A process as lists.
#[derive(Clone, Debug)]
pub(crate) struct Lists {
    pub kind: Kind,
    /// For each state its choices.
    pub choices: Vec<Vec<Choice>>,
    /// What states earn.
    pub earned: Vec<u32>,
    /// The states in which each proposition holds.
    pub labels: Vec<Vec<u32>>,
}

impl Lists {
    pub(crate) fn new(kind: Kind, states: usize) -> Lists {
        Lists {
            kind,
            choices: vec![Vec::new(); states],
            earned: vec![0; states],
            labels: Vec::new(),
        }
    }

    /// Adds a choice that earns nothing.
    pub(crate) fn choice(&mut self, state: usize, branches: &[(u32, RBig)]) {
        self.choices[state].push((0, branches.to_vec()));
    }

    /// The process, with runs that start in that state.
    pub(crate) fn process(&self, start: u32) -> Process {
        let mut builder = ProcessBuilder::new(self.kind, self.labels.len(), 1);
        builder.start(start);
        for (state, choices) in self.choices.iter().enumerate() {
            for (reward, branches) in choices {
                for (target, weight) in branches {
                    builder.branch(*target, weight).unwrap();
                }
                builder.close_choice(&[RBig::from(*reward)]).unwrap();
            }
            let labels = 0..self.labels.len();
            let holding: Vec<usize> = labels
                .filter(|&it| self.labels[it].contains(&(state as u32)))
                .collect();
            let earned = RBig::from(self.earned[state]);
            builder.close_state(&holding, &[earned]).unwrap();
        }
        builder.finish().unwrap()
    }
}

pub(crate) fn ratio(numerator: u64, denominator: u64) -> RBig {
    RBig::from_parts(numerator.into(), denominator.into())
}

pub(crate) fn proposition(number: usize) -> StateFormula {
    StateFormula::Proposition(Proposition(number))
}

fn path(formula: StateFormula) -> Box<PathFormula> {
    Box::new(PathFormula::State(formula))
}

/// `left U right`, between two times.
pub(crate) fn until_within(
    left: StateFormula,
    right: StateFormula,
    from: RBig,
    to: Option<RBig>,
) -> PathFormula {
    PathFormula::Until {
        left: path(left),
        right: path(right),
        within: Interval { from, to },
    }
}

/// `left U right`.
pub(crate) fn until(left: StateFormula, right: StateFormula) -> PathFormula {
    until_within(left, right, RBig::ZERO, None)
}

/// `F right`.
pub(crate) fn finally(right: StateFormula) -> PathFormula {
    until(StateFormula::Constant(true), right)
}

/// `F<=t right`.
pub(crate) fn finally_within(right: StateFormula, to: RBig) -> PathFormula {
    until_within(StateFormula::Constant(true), right, RBig::ZERO, Some(to))
}

pub(crate) fn probability(optimum: Option<Optimum>, path: PathFormula) -> Measure {
    Measure::Probability { optimum, path }
}

pub(crate) fn reward(optimum: Option<Optimum>, what: Accumulation) -> Measure {
    Measure::Reward {
        structure: 0,
        optimum,
        what,
    }
}

pub(crate) fn compare(measure: Measure, comparison: Comparison, threshold: RBig) -> StateFormula {
    StateFormula::Compare {
        measure: Box::new(measure),
        comparison,
        threshold,
    }
}

/// The value of a measure where runs start, with those numbers.
pub(crate) fn value(process: &Process, measure: &Measure, numbers: Numbers) -> Value {
    let settings = Settings {
        numbers,
        ..Settings::default()
    };
    match answer(process, &Query::Value(measure.clone()), &settings) {
        Ok(Answer::Value(value)) => value,
        other => panic!("{other:?}"),
    }
}

/// The exact value. The bounds are found, too, and are right and close.
pub(crate) fn exact(process: &Process, measure: &Measure) -> RBig {
    let exact = value(process, measure, Numbers::Exact).exact;
    let exact = exact.and_then(|it| it.finite().cloned());
    let exact = exact.expect("a finite value");
    let bounds = value(process, measure, Numbers::Bounds).bounds;
    assert!(bounds.contain(&exact), "{bounds:?} {exact}");
    assert!(bounds.is_within(1e-6), "{bounds:?} {exact}");
    exact
}

/// Numbers that look as if they were drawn, the same in each run.
pub(crate) struct RandomSource(pub u64);

impl RandomSource {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}
