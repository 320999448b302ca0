//! The way from a formula to its automaton.

use std::collections::HashMap;

use crate::acceptance::{Acceptance, Level};
use crate::automaton::{Automaton, State, StateId, Transition};
use crate::draft::{Draft, DraftId, DraftState, DraftTransition, Target};
use crate::formula::{Formula, Names};
use crate::guard::Guard;
use crate::normalize::normalize;
use crate::rewrite::Rewriter;
use crate::tableau::{NodeName, Tableau};
use crate::terms::{Term, TermId};
use crate::too_complex::TooComplex;

const ACCEPT_ALL: &str = "accept_all";

/// A larger formula is not looked at.
pub(crate) const LARGEST_FORMULA: usize = 500;

/// The automaton that accepts exactly the words that satisfy the formula, as `spin -f` makes it.
///
/// # Errors
///
/// The automaton can be exponentially larger than the formula; [`TooComplex`] is returned before that hurts.
pub fn translate(formula: &Formula, names: &Names) -> Result<Automaton, TooComplex> {
    if !formula.is_no_larger_than(LARGEST_FORMULA) {
        return Err(TooComplex);
    }
    let mut rewriter = Rewriter::new(names);
    let term = normalize(&mut rewriter, formula)?;
    let tableau = Tableau::new(&mut rewriter, term)?;
    let acceptance = Acceptance::new(&mut rewriter, &tableau, term);
    let mut draft = Draft::new(&mut rewriter, &tableau, &acceptance)?;
    let remaining = draft.simplify(&mut rewriter);
    Ok(Delivery::new(&draft, &remaining).automaton(&mut rewriter))
}

/// Makes the final automaton of what remains of the draft.
struct Delivery<'a> {
    draft: &'a Draft,
    /// The remaining states, the initial state first.
    order: Vec<DraftId>,
    numbers: HashMap<DraftId, StateId>,
}

impl<'a> Delivery<'a> {
    fn new(draft: &'a Draft, remaining: &[DraftId]) -> Self {
        let initial = draft.initial();
        let others = remaining.iter().copied().filter(|&id| id != initial);
        let order: Vec<DraftId> = std::iter::once(initial).chain(others).collect();
        let numbered = order.iter().enumerate();
        Self {
            draft,
            numbers: numbered
                .map(|(number, &id)| (id, StateId(number)))
                .collect(),
            order,
        }
    }

    fn automaton(&self, rewriter: &mut Rewriter) -> Automaton {
        let mut states: Vec<State> = self
            .order
            .iter()
            .map(|&id| self.state(rewriter, id))
            .collect();
        let sink = StateId(states.len());
        let mut transitions = states.iter().flat_map(|state| &state.transitions);
        let accept_all = transitions
            .any(|transition| transition.asserts)
            .then_some(sink);
        states.extend(accept_all.map(accept_all_state));
        Automaton { states, accept_all }
    }

    fn state(&self, rewriter: &mut Rewriter, id: DraftId) -> State {
        let state = self.draft.state(id);
        let transitions = state.transitions.iter().rev();
        State {
            name: name(state),
            labels: self.labels(state),
            accepting: state.accepting,
            transitions: transitions
                .map(|transition| self.transition(rewriter, transition))
                .collect(),
        }
    }

    /// A state has its name for a label. The initial state, whose name does not tell, has one more if it accepts;
    /// where nothing is counted, the other states have another one to tell that they could be called `T0` as well.
    fn labels(&self, state: &DraftState) -> Vec<String> {
        match state.node {
            NodeName::Initial if state.accepting => vec!["accept_init".to_owned(), name(state)],
            NodeName::Numbered(_) if !self.draft.counts => {
                vec![name(state), format!("T0_{}", state.node)]
            }
            _ => vec![name(state)],
        }
    }

    fn transition(&self, rewriter: &mut Rewriter, transition: &DraftTransition) -> Transition {
        Transition {
            guard: transition
                .condition
                .map_or(Guard::True, |term| guard(rewriter, term)),
            asserts: transition.target == Target::Sink,
            target: match transition.target {
                Target::Sink => StateId(self.order.len()),
                Target::State(id) => self.numbers[&id],
            },
        }
    }
}

fn name(state: &DraftState) -> String {
    match state.level {
        Level::Accepting => format!("accept_{}", state.node),
        Level::Met(count) => format!("T{count}_{}", state.node),
    }
}

fn accept_all_state(id: StateId) -> State {
    State {
        name: ACCEPT_ALL.to_owned(),
        labels: vec![ACCEPT_ALL.to_owned()],
        accepting: true,
        transitions: vec![Transition {
            guard: Guard::True,
            asserts: false,
            target: id,
        }],
    }
}

/// The guard of a condition; conjuncts are put into order once more, one by one.
fn guard(rewriter: &mut Rewriter, term: TermId) -> Guard {
    let ordered = rewriter.rewrite(term);
    match rewriter.terms.get(ordered) {
        Term::And(left, right) => guard(rewriter, left).and(guard(rewriter, right)),
        _ => plain_guard(rewriter, ordered),
    }
}

fn plain_guard(rewriter: &Rewriter, term: TermId) -> Guard {
    match rewriter.terms.get(term) {
        Term::False => Guard::False,
        Term::Literal(literal) => Guard::Literal(literal),
        Term::And(left, right) => plain_guard(rewriter, left).and(plain_guard(rewriter, right)),
        Term::Or(left, right) => plain_guard(rewriter, left).or(plain_guard(rewriter, right)),
        // What is put off to the next moment is no condition of this one.
        Term::True | Term::Next(_) | Term::Until(..) | Term::Release(..) => Guard::True,
    }
}
