//! The propositions that hold in a state, as its expansion shows them.

use crate::expander::Expander;
use crate::options::Proposition;
use mandala_encoding::Stepper;
use mandala_model::ids::MonitorId;
use mandala_model::step::Fault;
use mandala_reduce::Reducer;

/// What was seen of a state while it was expanded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// Whether the claim is at an accepting location.
    pub accepting: bool,
    /// Whether a run goes on from here.
    pub goes_on: bool,
    /// Whether something can happen.
    pub moves: bool,
}

/// Looks at the states that are expanded.
#[derive(Clone, Debug)]
pub(crate) struct Watch<'a> {
    propositions: &'a [Proposition],
    /// How often the monitors of each proposition had held before the state was expanded.
    before: Vec<u64>,
    /// What is demanded of states, one monitor after the other.
    demanded: Vec<(MonitorId, u32)>,
    /// Whether conditions are asked of states.
    asks_conditions: bool,
    seen: Seen,
    holding: Vec<u32>,
}

/// What conditions and monitors say of the state that was expanded last.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// The conditions that hold, in the order of their numbers.
    conditions: Vec<u32>,
    /// Whether each of the monitors holds that is demanded.
    demanded: Vec<bool>,
}

impl Seen {
    fn has(&self, condition: usize) -> bool {
        let number = condition as u32;
        self.conditions.binary_search(&number).is_ok()
    }
}

impl<'a> Watch<'a> {
    pub(super) fn new(propositions: &'a [Proposition]) -> Self {
        Watch {
            propositions,
            before: vec![0; propositions.len()],
            demanded: demanded(propositions),
            asks_conditions: propositions.iter().any(is_condition),
            seen: Seen::default(),
            holding: Vec::new(),
        }
    }

    /// How many propositions there are.
    pub(super) fn propositions(&self) -> usize {
        self.propositions.len()
    }

    /// A state is about to be expanded.
    pub(super) fn begin(&mut self, stepper: &Stepper<'_>) {
        for (before, proposition) in self.before.iter_mut().zip(self.propositions) {
            *before = taken(proposition, stepper);
        }
    }

    /// The propositions that hold in the state that was expanded last.
    pub(super) fn holding<R: Reducer>(
        &mut self,
        expander: &mut Expander<'_, R>,
        look: Look,
    ) -> Result<&[u32], Fault> {
        self.see(expander)?;
        self.holding.clear();
        let mut demanded = self.seen.demanded.iter();
        for (number, proposition) in (0..).zip(self.propositions) {
            let holds = match proposition {
                Proposition::Observed(_) => {
                    taken(proposition, expander.stepper()) > self.before[number as usize]
                }
                Proposition::Demanded(monitors) => {
                    let own = demanded.by_ref().take(monitors.len());
                    own.fold(false, |any, holds| any | holds)
                }
                Proposition::Condition(number) => self.seen.has(*number),
                Proposition::Meanwhile(number) => look.moves && self.seen.has(*number),
                Proposition::Unasked => false,
                Proposition::Accepting => look.accepting,
                Proposition::GoesOn => look.goes_on,
            };
            self.holding.extend(holds.then_some(number));
        }
        Ok(&self.holding)
    }

    /// Evaluates conditions and monitors in the state that was expanded last.
    fn see<R: Reducer>(&mut self, expander: &mut Expander<'_, R>) -> Result<(), Fault> {
        let seen = &mut self.seen;
        seen.conditions.clear();
        seen.demanded.clear();
        if self.asks_conditions {
            expander.conditions(&mut seen.conditions)?;
        }
        if !self.demanded.is_empty() {
            expander.monitors_hold(&self.demanded, &mut seen.demanded);
        }
        Ok(())
    }
}

/// What is demanded of states, one proposition after the other.
fn demanded(propositions: &[Proposition]) -> Vec<(MonitorId, u32)> {
    let demanded = propositions
        .iter()
        .filter_map(|proposition| match proposition {
            Proposition::Demanded(monitors) => Some(monitors),
            _ => None,
        });
    demanded.flatten().copied().collect()
}

fn is_condition(proposition: &Proposition) -> bool {
    matches!(
        proposition,
        Proposition::Condition(_) | Proposition::Meanwhile(_)
    )
}

/// How often the monitors of a proposition have held.
fn taken(proposition: &Proposition, stepper: &Stepper<'_>) -> u64 {
    let Proposition::Observed(monitors) = proposition else {
        return 0;
    };
    let (coverage, program) = (stepper.coverage(), stepper.program());
    let held = monitors.iter().map(|id| coverage.monitor(program, *id));
    held.sum()
}
