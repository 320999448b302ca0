//! Making a program smaller while something stays true of it.
//!
//! Passes over the program take something out, one thing at a time, large things first. What still
//! has the property is kept. A candidate need not be a valid program: whoever tests it will find
//! that the property is gone.

use crate::program::{Expr, Program, Statement};

/// Makes the candidate of that number, or nothing if there are fewer.
type Pass = fn(&Program, usize) -> Option<Program>;

const PASSES: [Pass; 9] = [
    without_declaration,
    without_chunk::<8>,
    without_chunk::<4>,
    without_chunk::<2>,
    without_chunk::<1>,
    without_branch,
    unwrapped,
    with_simpler_expression,
    with_plainer_process,
];

/// The smallest program that is found and still has the property. The program itself must have it.
pub fn shrink(program: Program, has_property: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut best = program;
    loop {
        let before = best.clone();
        for pass in PASSES {
            best = exhaust(pass, best, has_property);
        }
        if best == before {
            return best;
        }
    }
}

fn exhaust(
    pass: Pass,
    mut best: Program,
    has_property: &mut dyn FnMut(&Program) -> bool,
) -> Program {
    let mut number = 0;
    while let Some(candidate) = pass(&best, number) {
        // After a success the same number is the next thing to try.
        if candidate != best && divides_safely(&candidate) && has_property(&candidate) {
            best = candidate;
        } else {
            number += 1;
        }
    }
    best
}

/// Whether no division can be by zero: such a program would crash Spin.
fn divides_safely(program: &Program) -> bool {
    let mut safe = true;
    program.clone().each_expression(&mut |expr| {
        if let Expr::Binary("/" | "%", _, right) = expr {
            safe &= match right.as_ref() {
                Expr::Number(n) => *n != 0,
                Expr::Binary("|", _, one) => **one == Expr::Number(1),
                _ => false,
            };
        }
    });
    safe
}

/// Counts down through the parts of a program to the one of a number.
struct Countdown(usize);

impl Countdown {
    /// Passes `count` parts: the position among them, if the number falls there.
    fn pass(&mut self, count: usize) -> Option<usize> {
        if self.0 == usize::MAX {
            return None;
        }
        if self.0 < count {
            let position = self.0;
            self.0 = usize::MAX;
            return Some(position);
        }
        self.0 -= count;
        None
    }

    fn is_done(&self) -> bool {
        self.0 == usize::MAX
    }
}

fn without_declaration(program: &Program, number: usize) -> Option<Program> {
    let mut smaller = program.clone();
    let mut left = Countdown(number);
    if left.pass(usize::from(smaller.never.is_some())).is_some() {
        smaller.never = None;
    }
    if left.pass(usize::from(smaller.events.is_some())).is_some() {
        smaller.events = None;
    }
    if left.pass(usize::from(smaller.init.is_some())).is_some() {
        smaller.init = None;
    }
    remove_at(&mut smaller.processes, &mut left);
    remove_at(&mut smaller.globals, &mut left);
    remove_at(&mut smaller.inlines, &mut left);
    remove_at(&mut smaller.macros, &mut left);
    remove_at(&mut smaller.notes, &mut left);
    remove_at(&mut smaller.formulas, &mut left);
    remove_at(&mut smaller.records, &mut left);
    remove_at(&mut smaller.words, &mut left);
    left.is_done().then_some(smaller)
}

fn remove_at<T>(items: &mut Vec<T>, left: &mut Countdown) {
    if let Some(position) = left.pass(items.len()) {
        items.remove(position);
    }
}

fn without_chunk<const SIZE: usize>(program: &Program, number: usize) -> Option<Program> {
    let mut smaller = program.clone();
    let mut left = Countdown(number);
    smaller.each_sequence(&mut |sequence| {
        let chunks = sequence.len() / SIZE;
        if let Some(chunk) = left.pass(chunks) {
            sequence.drain(chunk * SIZE..(chunk + 1) * SIZE);
        }
    });
    left.is_done().then_some(smaller)
}

fn without_branch(program: &Program, number: usize) -> Option<Program> {
    let mut smaller = program.clone();
    let mut left = Countdown(number);
    smaller.each_selection(&mut |branches| {
        if branches.len() > 1 {
            remove_at(branches, &mut left);
        }
    });
    left.is_done().then_some(smaller)
}

/// Puts in place of a statement what it is made of.
fn unwrapped(program: &Program, number: usize) -> Option<Program> {
    let mut smaller = program.clone();
    let mut left = Countdown(number);
    smaller.each_sequence(&mut |sequence| {
        for position in 0..sequence.len() {
            let mut contents = contents(&sequence[position]);
            if let Some(chosen) = left.pass(contents.len()) {
                sequence.splice(position..=position, contents.swap_remove(chosen));
                return;
            }
        }
    });
    left.is_done().then_some(smaller)
}

fn contents(statement: &Statement) -> Vec<Vec<Statement>> {
    match statement {
        Statement::Labelled(_, inner) => vec![vec![inner.as_ref().clone()]],
        other => crate::program::parts(&mut other.clone())
            .into_iter()
            .map(std::mem::take)
            .collect(),
    }
}

fn with_simpler_expression(program: &Program, number: usize) -> Option<Program> {
    let mut smaller = program.clone();
    let mut left = Countdown(number);
    smaller.each_expression(&mut |expr| {
        if left.is_done() {
            return;
        }
        let mut simpler = simpler(expr);
        if let Some(chosen) = left.pass(simpler.len()) {
            *expr = simpler.swap_remove(chosen);
        }
    });
    left.is_done().then_some(smaller)
}

/// What an expression could be instead. Each step of this kind makes it smaller by some measure,
/// so it ends.
fn simpler(expr: &Expr) -> Vec<Expr> {
    let mut simpler = vec![Expr::Number(0), Expr::Number(1)];
    match expr {
        Expr::Number(0 | 1) | Expr::Channel(_) => return Vec::new(),
        Expr::Unary(_, operand) => simpler.push(operand.as_ref().clone()),
        Expr::Binary(_, left, right) => simpler.extend([left, right].map(|e| e.as_ref().clone())),
        Expr::Conditional(condition, yes, no) => {
            simpler.extend([condition, yes, no].map(|e| e.as_ref().clone()));
        }
        Expr::Call(_, arguments) => simpler.extend(arguments.iter().cloned()),
        _ => {}
    }
    simpler
}

fn with_plainer_process(program: &Program, number: usize) -> Option<Program> {
    let mut smaller = program.clone();
    let mut left = Countdown(number);
    for process in &mut smaller.processes {
        if process.active > 1 && left.pass(1).is_some() {
            process.active = 1;
        }
        if process.priority.is_some() && left.pass(1).is_some() {
            process.priority = None;
        }
        if process.provided.is_some() && left.pass(1).is_some() {
            process.provided = None;
        }
        if process.active > 0 && !process.parameters.is_empty() && left.pass(1).is_some() {
            process.parameters.clear();
        }
    }
    left.is_done().then_some(smaller)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    /// A program of a seed whose text has the word.
    fn with(word: &str) -> Program {
        let has = |p: &Program| p.to_string().contains(word);
        (0..)
            .map(generate::program)
            .find(has)
            .expect("the generator makes everything")
    }

    #[test]
    fn only_what_matters_remains() {
        let mut tried = 0;
        let smallest = shrink(with("++"), &mut |p| {
            tried += 1;
            p.to_string().contains("++")
        });
        let text = smallest.to_string();
        assert!(text.contains("++") && text.lines().count() <= 3, "{text}");
        assert!(tried > 10);
    }

    #[test]
    fn an_inner_statement_is_dug_out() {
        let smallest = shrink(with("d_step"), &mut |p| p.to_string().contains("d_step"));
        assert!(smallest.to_string().lines().count() <= 5, "{smallest}");
    }

    #[test]
    fn a_program_of_which_nothing_can_go_stays() {
        let program = with("atomic");
        let same = shrink(program.clone(), &mut |_| false);
        assert_eq!(same, program);
    }

    #[test]
    fn no_division_by_zero_comes_up() {
        let smallest = shrink(with(" / "), &mut |p| p.to_string().contains(" / "));
        assert!(divides_safely(&smallest), "{smallest}");
    }

    #[test]
    fn expressions_get_smaller() {
        let expr = Expr::binary("+", Expr::Number(7), Expr::word("_pid"));
        assert!(simpler(&expr).contains(&Expr::word("_pid")));
        assert!(simpler(&Expr::Number(1)).is_empty());
    }
}
