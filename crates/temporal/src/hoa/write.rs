//! Automata as files of the format.

use std::fmt::Write;

use crate::automaton::{Automaton, State};
use crate::formula::{Literal, Names, Proposition};
use crate::guard::Guard;

impl Automaton {
    /// The automaton in the Hanoi Omega-Automata format, with the given names of propositions.
    #[must_use]
    pub fn to_hoa(&self, names: &Names) -> String {
        let mut text = String::from("HOA: v1\n");
        let count = self.propositions();
        let names = (0..count).map(|number| quoted(&names.get(Proposition(number))));
        let names: String = names.map(|name| format!(" {name}")).collect();
        let states: String = (self.states.iter().enumerate())
            .map(|(number, state)| state_text(number, state))
            .collect();
        let _ = write!(
            text,
            "States: {}\nStart: {}\nAP: {count}{names}\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n\
             properties: trans-labels explicit-labels state-acc\n--BODY--\n{states}--END--\n",
            self.states.len(),
            Automaton::INITIAL.0,
        );
        text
    }

    /// How many propositions have to be named so that every one in a guard is.
    fn propositions(&self) -> usize {
        let mut count = 0;
        let mut see = |literal: Literal| count = count.max(literal.proposition.0 + 1);
        self.transitions()
            .for_each(|transition| transition.guard.each_literal(&mut see));
        count
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

fn state_text(number: usize, state: &State) -> String {
    let sets = if state.accepting { " {0}" } else { "" };
    let mut text = format!("State: {number} {}{sets}\n", quoted(&state.name));
    for transition in &state.transitions {
        let _ = writeln!(
            text,
            "[{}] {}",
            label(&transition.guard),
            transition.target.0
        );
    }
    text
}

fn label(guard: &Guard) -> String {
    match guard {
        Guard::True => "t".into(),
        Guard::False => "f".into(),
        Guard::Literal(literal) => {
            let sign = if literal.positive { "" } else { "!" };
            format!("{sign}{}", literal.proposition.0)
        }
        Guard::And(left, right) => format!("({} & {})", label(left), label(right)),
        Guard::Or(left, right) => format!("({} | {})", label(left), label(right)),
    }
}
