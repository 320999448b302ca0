//! Asks strategies about single states, and compares the answers with brute force.

use super::Case;
use mandala_encoding::{Arrival, Sink};
use mandala_model::step::{Turn, Violation};
use mandala_reduce::Reducer;
use mandala_reduce::{Guarantee, Settings, Strategy, reducer};
use mandala_symmetry::{Action, Renaming};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Asks a reducer for the representatives of all states that it is shown.
struct Asking<'a> {
    reducer: &'a mut dyn Reducer,
    answers: HashMap<Vec<u8>, Answer>,
    waiting: Vec<(Vec<u8>, Turn)>,
}

struct Answer {
    representative: Vec<u8>,
    canonical: bool,
    witness: Option<Renaming>,
}

impl Sink for Asking<'_> {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, turn: Turn) {
        let state = arrival.packed().to_vec();
        if self.answers.contains_key(&state) {
            return;
        }
        let found = self.reducer.representative(arrival).expect("room enough");
        let (representative, canonical) = (found.packed.to_vec(), found.canonical);
        assert_eq!(arrival.packed(), state, "the state itself stays as it is");
        let witness = self.reducer.witness(arrival);
        let again = self.reducer.representative(arrival).expect("room enough");
        assert_eq!(again.packed, representative, "the answer does not change");
        self.waiting.push((state.clone(), turn));
        self.answers.insert(
            state,
            Answer {
                representative,
                canonical,
                witness,
            },
        );
    }

    fn violation(&mut self, _: Violation) {}
}

/// How many states of a system each strategy is asked about.
const ENOUGH: usize = 1_500;

/// What a strategy says of the first states that can be reached.
fn ask(case: &Case, strategy: Strategy) -> HashMap<Vec<u8>, Answer> {
    let settings = Settings::default();
    let mut reducer =
        reducer(&case.model, &case.certificate, strategy, &settings).expect("supported");
    let mut asking = Asking {
        reducer: &mut *reducer,
        answers: HashMap::new(),
        waiting: Vec::new(),
    };
    let mut stepper = case.program.stepper();
    stepper.start(&mut asking).expect("a start");
    while let Some((state, turn)) = asking.waiting.pop() {
        if asking.answers.len() > ENOUGH {
            break;
        }
        stepper.expand(&state, turn, &mut asking).expect("steps");
        // Images of states, among them such that cannot be reached, are asked for as well.
        for image in case.neighbours(&state) {
            stepper.expand(&image, turn, &mut asking).expect("steps");
        }
    }
    asking.answers
}

fn check_witness(case: &Case, state: &[u8], answer: &Answer) {
    let Some(witness) = &answer.witness else {
        assert_ne!(
            answer.representative, state,
            "a state knows that it is its own"
        );
        return;
    };
    let action = Action::new(&case.model, case.certificate.sorts());
    let image = action
        .apply(witness, &case.decode(state))
        .expect("a renaming");
    let image = case.program.encode(&image).expect("a state");
    assert_eq!(image, answer.representative);
}

/// The orbits of states, by brute force, found once for all strategies.
pub struct Oracle<'a> {
    name: &'a str,
    case: &'a Case,
    orbits: HashMap<Vec<u8>, Rc<HashSet<Vec<u8>>>>,
}

impl<'a> Oracle<'a> {
    pub fn new(name: &'a str, case: &'a Case) -> Self {
        Oracle {
            name,
            case,
            orbits: HashMap::new(),
        }
    }

    fn orbit(&mut self, state: &[u8]) -> Rc<HashSet<Vec<u8>>> {
        if let Some(orbit) = self.orbits.get(state) {
            return Rc::clone(orbit);
        }
        let orbit = Rc::new(self.case.orbit(state));
        for other in orbit.iter() {
            self.orbits.insert(other.clone(), Rc::clone(&orbit));
        }
        orbit
    }

    /// Checks what a strategy promises, state by state.
    pub fn check(&mut self, strategy: Strategy) {
        let answers = ask(self.case, strategy);
        let mut seen = HashSet::new();
        for (state, answer) in &answers {
            check_witness(self.case, state, answer);
            if !seen.contains(state) {
                let orbit = self.orbit(state);
                check_orbit(self.name, self.case, strategy, &answers, &orbit);
                seen.extend(orbit.iter().cloned());
            }
        }
    }
}

fn check_orbit(
    name: &str,
    case: &Case,
    strategy: Strategy,
    answers: &HashMap<Vec<u8>, Answer>,
    orbit: &HashSet<Vec<u8>>,
) {
    let known = || orbit.iter().filter_map(|state| answers.get(state));
    let representatives: HashSet<_> = known().map(|a| &a.representative).collect();
    let guarantee = case.guarantee(strategy);
    if guarantee != Guarantee::MayMiss {
        let inside = representatives.iter().all(|r| orbit.contains(*r));
        assert!(
            inside,
            "{name}, {strategy}: a representative of another orbit"
        );
    }
    let exact = guarantee == Guarantee::Canonical || known().all(|answer| answer.canonical);
    if exact && case.uses_all(strategy) {
        assert_eq!(
            representatives.len(),
            1,
            "{name}, {strategy}: one for each orbit"
        );
    }
    if guarantee == Guarantee::Canonical {
        assert!(
            known().all(|answer| answer.canonical),
            "{name}, {strategy}: says so"
        );
    }
}
