//! The automata mean what the formulas mean, on words of the form `stem loop loop loop ...`.

use std::collections::HashSet;

use crate::common::{FORMULAS, Next, Random, letters, parse};
use mandala_temporal::{Automaton, Formula, Hoa, Proposition, StateId, never_claim, translate};

const PROPOSITIONS: usize = 4;

/// An infinite word: a stem and a loop, each letter being the set of propositions that hold.
#[derive(Debug)]
struct Lasso {
    letters: Vec<u32>,
    /// Where the word goes on after its last letter.
    back_to: usize,
}

impl Lasso {
    fn random(random: &mut Random) -> Self {
        let length = 1 + random.below(6);
        let mut letter = || u32::try_from(random.below(1 << PROPOSITIONS)).expect("small");
        Self {
            letters: (0..length).map(|_| letter()).collect(),
            back_to: random.below(length),
        }
    }

    fn holds(&self, position: usize, Proposition(number): Proposition) -> bool {
        self.letters[position] >> number & 1 == 1
    }

    fn after(&self, position: usize) -> usize {
        if position + 1 < self.letters.len() {
            position + 1
        } else {
            self.back_to
        }
    }

    /// At which positions a formula holds: the semantics of the logic, word for word.
    fn evaluate(&self, formula: &Formula) -> Vec<bool> {
        let positions = 0..self.letters.len();
        let values: Vec<Vec<bool>> = formula.operands().map(|f| self.evaluate(f)).collect();
        let each = |value: &dyn Fn(usize) -> bool| positions.clone().map(value).collect();
        let (f, g) = (values.first(), values.last());
        let f = |i: usize| f.is_some_and(|f| f[i]);
        let g = |i: usize| g.is_some_and(|g| g[i]);
        match formula {
            Formula::True => each(&|_| true),
            Formula::False => each(&|_| false),
            Formula::Proposition(p) => each(&|i| self.holds(i, *p)),
            Formula::Not(_) => each(&|i| !f(i)),
            Formula::And(..) => each(&|i| f(i) && g(i)),
            Formula::Or(..) => each(&|i| f(i) || g(i)),
            Formula::Implies(..) => each(&|i| !f(i) || g(i)),
            Formula::Equiv(..) => each(&|i| f(i) == g(i)),
            Formula::Next(_) => each(&|i| f(self.after(i))),
            Formula::Always(_) => each(&|i| self.from(i).all(f)),
            Formula::Eventually(_) => each(&|i| self.from(i).any(f)),
            Formula::Until(..) => each(&|i| self.until(i, &f, &g)),
            Formula::Release(..) => each(&|i| !self.until(i, &|j| !f(j), &|j| !g(j))),
            Formula::WeakUntil(..) => each(&|i| self.from(i).all(f) || self.until(i, &f, &g)),
        }
    }

    /// All positions from one on, as often as it takes to see everything that there is to see.
    fn from(&self, position: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(position), |&i| Some(self.after(i))).take(2 * self.letters.len())
    }

    fn until(&self, position: usize, f: &dyn Fn(usize) -> bool, g: &dyn Fn(usize) -> bool) -> bool {
        self.from(position).find(|&i| g(i) || !f(i)).is_some_and(g)
    }

    /// Whether an automaton accepts the word: there is a way to an accepting state and from there back to it.
    fn is_accepted_by(&self, automaton: &Automaton) -> bool {
        let start = (Automaton::INITIAL, 0);
        let reached = self.reachable(automaton, vec![start]);
        reached.iter().any(|&place| {
            let (state, _) = place;
            automaton.state(state).accepting
                && self
                    .reachable(automaton, self.steps(automaton, place))
                    .contains(&place)
        })
    }

    fn steps(&self, automaton: &Automaton, (state, i): (StateId, usize)) -> Vec<(StateId, usize)> {
        let transitions = automaton.state(state).transitions.iter();
        transitions
            .filter(|transition| transition.guard.holds(&|p| self.holds(i, p)))
            .map(|transition| (transition.target, self.after(i)))
            .collect()
    }

    fn reachable(
        &self,
        automaton: &Automaton,
        mut unvisited: Vec<(StateId, usize)>,
    ) -> HashSet<(StateId, usize)> {
        let mut reached: HashSet<(StateId, usize)> = unvisited.iter().copied().collect();
        while let Some(place) = unvisited.pop() {
            for next in self.steps(automaton, place) {
                if reached.insert(next) {
                    unvisited.push(next);
                }
            }
        }
        reached
    }
}

/// An automaton that was written to a file and read again.
fn reread(automaton: &Automaton) -> Automaton {
    let text = automaton.to_hoa(&letters());
    let read = Hoa::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    read.automaton
}

/// Compares automaton and claim with the formula on so many words.
fn check(formula: &Formula, random: &mut Random, words: usize) {
    let names = letters();
    let automaton = translate(formula, &names).expect("not too complex");
    let claim = never_claim(formula, &names).expect("not too complex");
    let reread = reread(&automaton);
    for _ in 0..words {
        let word = Lasso::random(random);
        let holds = word.evaluate(formula)[0];
        let text = formula.named(&names);
        assert_eq!(
            word.is_accepted_by(&automaton),
            holds,
            "{text} on {word:?}\n{}",
            automaton.named(&names)
        );
        assert_eq!(
            word.is_accepted_by(&reread),
            holds,
            "{text} on {word:?} from a file"
        );
        let violated = word.is_accepted_by(&claim.automaton);
        assert_eq!(
            violated,
            !holds,
            "claim of {text} on {word:?}\n{}",
            claim.automaton.named(&names)
        );
    }
}

#[test]
fn the_evaluator_knows_the_operators() {
    // a holds at 0 and 1, b at 2, both again at 4; 3, 4 repeat.
    let word = Lasso {
        letters: vec![1, 1, 2, 0, 3],
        back_to: 3,
    };
    let at_start = |text: &str| word.evaluate(&parse(text))[0];
    let holding = [
        "a U b",
        "X a",
        "X X b",
        "[]<>b",
        "<>(a && b)",
        "a W b",
        "b V (a || b)",
    ];
    let failing = [
        "b U (a && b)",
        "[]a",
        "<>[]b",
        "X X a",
        "b V a",
        "<>c",
        "a U c",
        "a <-> b",
    ];
    for text in holding {
        assert!(at_start(text), "{text}");
    }
    for text in failing {
        assert!(!at_start(text), "{text}");
    }
}

#[test]
fn listed_formulas() {
    let mut random = Random::new(7);
    for text in FORMULAS {
        check(&parse(text), &mut random, 40);
    }
}

#[test]
fn random_formulas() {
    let mut random = Random::new(11);
    for _ in 0..400 {
        let size = 1 + random.below(8);
        let formula = random.formula(size, PROPOSITIONS);
        check(&formula, &mut random, 20);
    }
}

#[test]
fn random_formulas_with_next() {
    let mut random = Random::new(13);
    for _ in 0..400 {
        let size = 2 + random.below(7);
        let formula = random.formula_with(size, PROPOSITIONS, Next::Present);
        check(&formula, &mut random, 20);
    }
}

/// A file means what a formula means, on many words.
fn check_file(body: &str, formula: &str) {
    let text = format!("HOA: v1\nAP: 4 \"a\" \"b\" \"c\" \"d\"\n{body}");
    let read = Hoa::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let formula = parse(formula);
    let mut random = Random::new(17);
    for _ in 0..400 {
        let word = Lasso::random(&mut random);
        let holds = word.evaluate(&formula)[0];
        assert_eq!(
            word.is_accepted_by(&read.automaton),
            holds,
            "{word:?} {text}"
        );
    }
}

#[test]
fn files_with_acceptance_of_every_kind() {
    // Sets on states, and on transitions.
    check_file(
        "States: 2 Start: 0 Acceptance: 1 Inf(0) --BODY--
         State: 0 [!0] 0 [0] 1 State: 1 {0} [0] 1 [!0] 0 --END--",
        "[] <> a",
    );
    check_file(
        "States: 1 Start: 0 Acceptance: 1 Inf(0) --BODY-- State: 0 [!0] 0 [0] 0 {0} --END--",
        "[] <> a",
    );
    // Two and three sets, on transitions and mixed.
    check_file(
        "States: 1 Start: 0 Acceptance: 2 Inf(0)&Inf(1) --BODY-- State: 0
         [0 & 1] 0 {0 1} [0 & !1] 0 {0} [!0 & 1] 0 {1} [!0 & !1] 0 --END--",
        "([] <> a) && ([] <> b)",
    );
    check_file(
        "States: 2 Start: 0 Acceptance: 3 (Inf(2)&Inf(0))&Inf(1) --BODY-- State: 0
         [!2 & !0] 0 [2 & !0] 0 {2} [!2 & 0] 0 {1} [2 & 0] 1 {2 1} State: 1 {0} [t] 0 --END--",
        "[] <> (a && c && X (true U (a && c)))",
    );
    // No set at all: every run is accepted.
    check_file(
        "States: 1 Start: 0 Acceptance: 0 t --BODY-- State: 0 [0 | 1] 0 --END--",
        "[] (a || b)",
    );
}

#[test]
fn files_with_labels_of_every_kind() {
    check_file(
        "States: 1 Start: 0 Alias: @x 0 & !1 Alias: @y @x | (2 & 3) Acceptance: 0 t --BODY--
         State: 0 [@y & t | f] 0 --END--",
        "[] ((a && !b) || (c && d))",
    );
    check_file(
        "States: 2 Start: 0 Acceptance: 1 Inf(0) --BODY-- State: [0] 0 0 1 State: [!0] 1 {0} 1 --END--",
        "a && ((a U ([] !a)) && X true)",
    );
    let choices: String = (0..16)
        .map(|n| if n & 5 == 5 { " 1" } else { " 0" })
        .collect();
    check_file(
        &format!(
            "States: 2 Start: 0 Acceptance: 1 Inf(0) --BODY-- State: 0 {choices} State: 1 {{0}} [t] 1 --END--"
        ),
        "<> (a && c)",
    );
}

#[test]
fn files_with_several_starts_or_none() {
    check_file(
        "States: 2 Start: 0 Start: 1 Acceptance: 1 Inf(0) --BODY--
         State: 0 {0} [0] 0 State: 1 {0} [1] 1 --END--",
        "([] a) || ([] b)",
    );
    check_file("States: 0 Acceptance: 1 Inf(0) --BODY-- --END--", "false");
}
