//! Which propositions hold in a state, as its expansion shows.

use crate::expander::Expander;
use crate::options::Proposition;
use mandala_encoding::Stepper;
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
    holding: Vec<u32>,
}

impl<'a> Watch<'a> {
    pub fn new(propositions: &'a [Proposition]) -> Self {
        Watch {
            propositions,
            before: vec![0; propositions.len()],
            holding: Vec::new(),
        }
    }

    /// How many propositions there are.
    pub fn propositions(&self) -> usize {
        self.propositions.len()
    }

    /// A state is about to be expanded.
    pub fn begin(&mut self, stepper: &Stepper<'_>) {
        for (before, proposition) in self.before.iter_mut().zip(self.propositions) {
            *before = taken(proposition, stepper);
        }
    }

    /// The propositions that hold in the state that was expanded last.
    pub fn holding<R: Reducer>(
        &mut self,
        expander: &mut Expander<'_, R>,
        look: Look,
    ) -> Result<&[u32], Fault> {
        self.holding.clear();
        for (number, proposition) in (0..).zip(self.propositions) {
            let holds = match proposition {
                Proposition::Observed(_) => {
                    taken(proposition, expander.stepper()) > self.before[number as usize]
                }
                Proposition::Condition(number) => expander.condition(*number)?,
                Proposition::Meanwhile(number) => look.moves && expander.condition(*number)?,
                Proposition::Unasked => false,
                Proposition::Accepting => look.accepting,
                Proposition::GoesOn => look.goes_on,
            };
            self.holding.extend(holds.then_some(number));
        }
        Ok(&self.holding)
    }
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
