//! Random formulas of linear temporal logic over what can be seen of a program.

use crate::program::{Declaration, Process, Program, Statement};
use crate::random::RandomSource;
use std::fmt::{self, Display, Formatter};

/// A formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// An expression of the language, with its parentheses.
    Atom(String),
    /// An operator before its operand.
    Unary(&'static str, Box<Formula>),
    /// An operator between its operands.
    Binary(&'static str, Box<Formula>, Box<Formula>),
}

impl Display for Formula {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Formula::Atom(text) => f.write_str(text),
            Formula::Unary(operator, operand) => write!(f, "({operator} {operand})"),
            Formula::Binary(operator, left, right) => write!(f, "({left} {operator} {right})"),
        }
    }
}

impl Formula {
    fn unary(operator: &'static str, operand: Formula) -> Formula {
        Formula::Unary(operator, Box::new(operand))
    }

    fn binary(operator: &'static str, left: Formula, right: Formula) -> Formula {
        Formula::Binary(operator, Box::new(left), Box::new(right))
    }

    /// Formulas with one part taken out.
    pub fn simpler(&self) -> Vec<Formula> {
        match self {
            Formula::Atom(_) => Vec::new(),
            Formula::Unary(operator, operand) => {
                let inner = operand.simpler().into_iter();
                let inner = inner.map(|smaller| Formula::unary(operator, smaller));
                std::iter::once((**operand).clone()).chain(inner).collect()
            }
            Formula::Binary(operator, left, right) => {
                let mut simpler = vec![(**left).clone(), (**right).clone()];
                let lefts = left.simpler().into_iter();
                simpler.extend(lefts.map(|l| Formula::binary(operator, l, (**right).clone())));
                let rights = right.simpler().into_iter();
                simpler.extend(rights.map(|r| Formula::binary(operator, (**left).clone(), r)));
                simpler
            }
        }
    }

    /// Whether it speaks of the next state.
    pub fn has_next(&self) -> bool {
        match self {
            Formula::Atom(_) => false,
            Formula::Unary(operator, operand) => *operator == "X" || operand.has_next(),
            Formula::Binary(_, left, right) => left.has_next() || right.has_next(),
        }
    }

    /// The declaration of a formula in a program.
    pub fn declared(&self, name: &str) -> String {
        format!("ltl {name} {{ {self} }}")
    }
}

/// Whether a formula may speak of the next state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// It may. Spin as it is distributed does not know it.
    Allowed,
    /// It may not.
    Excluded,
}

/// A random formula over some of the atoms, which must not be empty.
pub fn random(dice: &mut RandomSource, atoms: &[String], next: Next) -> Formula {
    match dice.chance(55) {
        true => usual(dice, atoms),
        false => grown(dice, atoms, next, 3),
    }
}

fn atom(dice: &mut RandomSource, atoms: &[String]) -> Formula {
    let atom = Formula::Atom(dice.pick(atoms));
    match dice.chance(25) {
        true => Formula::unary("!", atom),
        false => atom,
    }
}

/// What people write.
fn usual(dice: &mut RandomSource, atoms: &[String]) -> Formula {
    let mut fresh = || atom(dice, atoms);
    let (a, b) = (fresh(), fresh());
    let always = |f| Formula::unary("[]", f);
    let eventually = |f| Formula::unary("<>", f);
    match dice.below(9) {
        0 => eventually(a),
        1 => always(a),
        2 | 3 => always(eventually(a)),
        4 => eventually(always(a)),
        5 | 6 => always(Formula::binary("->", a, eventually(b))),
        7 => Formula::binary("U", a, b),
        _ => Formula::binary("->", always(eventually(a)), always(eventually(b))),
    }
}

/// Anything of that depth at most.
fn grown(dice: &mut RandomSource, atoms: &[String], next: Next, depth: usize) -> Formula {
    if depth == 0 || dice.chance(15) {
        return atom(dice, atoms);
    }
    let unary = [
        (4, "[]"),
        (4, "<>"),
        (2 * usize::from(next == Next::Allowed), "X"),
        (1, "!"),
    ];
    let binary = [
        (2, "&&"),
        (2, "||"),
        (1, "->"),
        (3, "U"),
        (1, "W"),
        (1, "V"),
    ];
    match dice.chance(55) {
        true => Formula::unary(dice.weighted(&unary), grown(dice, atoms, next, depth - 1)),
        false => {
            let operator = dice.weighted(&binary);
            let left = grown(dice, atoms, next, depth - 1);
            Formula::binary(operator, left, grown(dice, atoms, next, depth - 1))
        }
    }
}

/// What can be seen of a program from outside: variables, channels and, if no process is started on the way, locations.
pub fn atoms(program: &Program) -> Vec<String> {
    let mut atoms: Vec<String> = program.globals.iter().flat_map(of_global).collect();
    if program.init.is_none() {
        atoms.extend(locations(&program.processes));
    }
    atoms
}

fn of_global(global: &Declaration) -> Vec<String> {
    let name = global.name.split(" :").next().unwrap_or_default();
    // Of an array the second element.
    let name = match name.split_once('[') {
        Some((array, _)) => format!("{array}[1]"),
        None => name.to_string(),
    };
    match global.kind.as_str() {
        "chan" => vec![format!("(len({name}) == 0)"), format!("(len({name}) > 1)")],
        "bit" | "bool" => vec![format!("({name})"), format!("({name} == 1)")],
        "mtype" => vec![format!("({name} == red)"), format!("({name} != blue)")],
        "byte" | "short" | "int" | "unsigned" | "pid" => {
            (0..3).map(|value| format!("({name} == {value})")).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a process that is there from the start is at a label of its body.
fn locations(processes: &[Process]) -> Vec<String> {
    let mut number = 0;
    let mut locations = Vec::new();
    for process in processes {
        let mut labels = process.body.iter().filter_map(Statement::label);
        if let Some(label) = labels.next_back().filter(|_| process.active > 0) {
            locations.push(format!("({}[{number}]@{label})", process.name));
        }
        number += process.active;
    }
    locations
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_get_smaller_until_an_atom_is_left() {
        let mut formula = random(
            &mut RandomSource::new(4),
            &["(x == 1)".into()],
            Next::Allowed,
        );
        while let Some(smaller) = formula.simpler().into_iter().next() {
            assert!(smaller.to_string().len() < formula.to_string().len());
            formula = smaller;
        }
        assert_eq!(formula.to_string(), "(x == 1)");
    }

    #[test]
    fn arrays_are_seen_by_a_member() {
        let array = Declaration::plain("byte", "a[2]");
        assert_eq!(of_global(&array)[0], "(a[1] == 0)");
        assert_eq!(
            of_global(&Declaration::plain("unsigned", "u : 3"))[0],
            "(u == 0)"
        );
    }
}
