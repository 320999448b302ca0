//! Statements with statements in them, and sequences of statements.

use super::scope::{Leaf, Type};
use super::{Around, Generator};
use crate::program::{Bracket, Declaration, Expr, Place, Statement};

/// The statements of this file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compound {
    If,
    Do,
    CountedDo,
    Atomic,
    DStep,
    For,
    ForIn,
    Select,
    Unless,
    Scope,
    Guarded,
}

impl Generator {
    /// Up to `length` statements, at least one.
    pub(super) fn sequence(&mut self, around: Around, length: usize) -> Vec<Statement> {
        let mut statements = Vec::new();
        for position in 0..length.max(1).min(self.budget) {
            let statement = self.statement(around);
            if is_step(&statement) && statements.last().is_some_and(may_end_in_loop) {
                statements.push(Statement::word("skip"));
            }
            let labels = around.jumps && (position > 0 || around.depth == 0);
            statements.push(if labels {
                self.maybe_labelled(statement)
            } else {
                statement
            });
            self.budget = self.budget.saturating_sub(1);
        }
        if statements.is_empty() {
            statements.push(self.simple(around));
        }
        statements
    }

    fn statement(&mut self, around: Around) -> Statement {
        if around.depth < 3 && self.dice.chance(40) {
            self.compound(around)
        } else {
            self.simple(around)
        }
    }

    /// A jump to the label of a `d_step` would be a jump into it, which is not allowed, and a jump
    /// to a jump may go round for ever, which is not allowed either.
    fn maybe_labelled(&mut self, statement: Statement) -> Statement {
        let bare = is_step(&statement) || matches!(statement, Statement::Word(_));
        let label = self
            .dice
            .pick(&["L0", "L1", "end0", "end1", "end2"])
            .to_string();
        let free = !bare && !self.labels.placed.contains(&label);
        if !free || !self.dice.chance(15) {
            return statement;
        }
        self.labels.placed.push(label.clone());
        Statement::Labelled(label, Box::new(statement))
    }

    fn compound(&mut self, around: Around) -> Statement {
        let counters = usize::from(!self.scope.counters.is_empty());
        let waits = usize::from(!around.step);
        let choice = self.dice.weighted(&[
            (4, Compound::If),
            (3 * waits * usize::from(!around.atomic), Compound::Do),
            (4 * counters, Compound::CountedDo),
            (3 * waits, Compound::Atomic),
            (3 * waits, Compound::DStep),
            (counters, Compound::For),
            (counters, Compound::ForIn),
            (counters, Compound::Select),
            (3 * waits, Compound::Unless),
            (1, Compound::Scope),
            (1, Compound::Guarded),
        ]);
        self.chosen_compound(choice, around)
    }

    fn chosen_compound(&mut self, choice: Compound, around: Around) -> Statement {
        match choice {
            Compound::If => self.selection(around),
            Compound::Do => self.repetition(around),
            Compound::CountedDo => self.counted_repetition(around),
            Compound::Atomic => {
                let inner = Around {
                    atomic: true,
                    ..around.deeper()
                };
                Statement::Block(Bracket::Atomic, self.opened(inner))
            }
            Compound::DStep => {
                let opening = Around {
                    step: true,
                    atomic: true,
                    jumps: false,
                    starts: false,
                    ..around
                };
                let inner = Around {
                    in_loop: false,
                    ..opening.deeper()
                };
                Statement::Block(Bracket::DStep, self.opened(inner))
            }
            Compound::For => self.counting(around),
            Compound::ForIn => self.counting_array(around),
            Compound::Select => self.select(),
            Compound::Unless => self.unless(around),
            Compound::Scope => self.block(around),
            Compound::Guarded => self.guarded_receive(around),
        }
    }

    /// A sequence that sometimes has to wait before it starts.
    fn opened(&mut self, inner: Around) -> Vec<Statement> {
        let mut body = Vec::new();
        if self.dice.chance(50) {
            body.push(self.waiting(inner));
        } else if inner.step {
            // Spin starts a `d_step` in the middle of a rendezvous if the first statement is `assert`,
            // `printf` or `select`, which is a mistake of its own.
            body.push(Statement::word("skip"));
        }
        body.extend(self.sequence(inner, 3));
        body
    }

    fn selection(&mut self, around: Around) -> Statement {
        let count = self.dice.between(1, 3);
        let inner = around.deeper();
        let mut branches: Vec<_> = (0..count).map(|_| self.branch(inner)).collect();
        if around.step || self.dice.chance(40) {
            branches.push(self.otherwise(inner));
        }
        Statement::If(branches)
    }

    /// A branch opens with something that may not be possible.
    fn branch(&mut self, inner: Around) -> Vec<Statement> {
        let guard = match inner.step {
            true => Statement::Guard(self.test(1)),
            false => self.waiting(inner),
        };
        let mut branch = vec![guard];
        if self.dice.chance(70) {
            branch.extend(self.sequence(inner, 2));
        }
        if inner.in_loop && self.dice.chance(15) {
            branch.push(Statement::word("break"));
        }
        branch
    }

    fn otherwise(&mut self, inner: Around) -> Vec<Statement> {
        let mut branch = vec![Statement::word("else")];
        if self.dice.chance(50) {
            branch.extend(self.sequence(inner, 1));
        }
        branch
    }

    /// A loop without a bound; one branch leaves it.
    fn repetition(&mut self, around: Around) -> Statement {
        let inner = Around {
            in_loop: true,
            repeats: true,
            starts: false,
            ..around.deeper()
        };
        let count = self.dice.between(1, 3);
        let mut branches: Vec<_> = (0..count).map(|_| self.branch(inner)).collect();
        let mut leaving = match self.dice.below(3) {
            0 => vec![Statement::word("else")],
            1 => vec![Statement::Guard(self.test(1))],
            _ => Vec::new(),
        };
        leaving.push(Statement::word("break"));
        branches.push(leaving);
        Statement::Do(branches)
    }

    /// A loop that counts its rounds.
    fn counted_repetition(&mut self, around: Around) -> Statement {
        let counter = self.take_counter();
        let rounds = Expr::Number(self.dice.between(1, 3));
        let place = Place::named(&counter);
        let below = Expr::binary("<", Expr::Place(place.clone()), rounds.clone());
        let mut round = vec![
            Statement::Guard(below),
            Statement::Count(place.clone(), "++"),
        ];
        let inner = Around {
            in_loop: true,
            repeats: true,
            starts: false,
            ..around.deeper()
        };
        round.extend(self.sequence(inner, 2));
        let enough = match self.dice.chance(50) {
            true => Statement::word("else"),
            false => Statement::Guard(Expr::binary(">=", Expr::Place(place.clone()), rounds)),
        };
        let mut leaving = vec![enough];
        if self.dice.chance(50) {
            leaving.push(Statement::Assign(place, Expr::Number(0)));
        }
        leaving.push(Statement::word("break"));
        self.scope.counters.push(counter);
        Statement::Do(vec![round, leaving])
    }

    /// Takes a counter out of use by others. Only asked when there is one.
    fn take_counter(&mut self) -> String {
        self.scope.counters.pop().unwrap_or_else(|| "n0".into())
    }

    fn counting(&mut self, around: Around) -> Statement {
        let counter = self.take_counter();
        let inner = Around {
            in_loop: true,
            repeats: true,
            starts: false,
            ..around.deeper()
        };
        let body = self.sequence(inner, 2);
        self.scope.counters.push(counter.clone());
        let to = self.dice.between(0, 2);
        Statement::For(
            Place::named(counter),
            Expr::Number(0),
            Expr::Number(to),
            body,
        )
    }

    fn counting_array(&mut self, around: Around) -> Statement {
        let arrays: Vec<String> = self
            .scope
            .leaves
            .iter()
            .filter(is_array)
            .map(name)
            .collect();
        if arrays.is_empty() {
            return self.counting(around);
        }
        let array = self.dice.pick(&arrays);
        let counter = self.take_counter();
        let inner = Around {
            in_loop: true,
            repeats: true,
            starts: false,
            ..around.deeper()
        };
        let body = self.sequence(inner, 1);
        self.scope.counters.push(counter.clone());
        Statement::ForIn(Place::named(counter), array, body)
    }

    fn select(&mut self) -> Statement {
        let counter = self.take_counter();
        self.scope.counters.push(counter.clone());
        let to = self.dice.between(1, 3);
        Statement::Select(Place::named(counter), Expr::Number(0), Expr::Number(to))
    }

    fn unless(&mut self, around: Around) -> Statement {
        let inner = around.deeper();
        let main = self.sequence(inner, 3);
        let mut escape = vec![self.waiting(inner)];
        if self.dice.chance(60) {
            escape.extend(self.sequence(inner, 2));
        }
        Statement::Unless(main, escape)
    }

    /// A block with a variable of its own. Blocks side by side use the same name.
    fn block(&mut self, around: Around) -> Statement {
        let outer = self.scope.clone();
        let name = format!("b{}", around.depth);
        let mut body = vec![Statement::Declare(self.block_variable(&name, around))];
        body.extend(self.sequence(around.deeper(), 3));
        self.scope = outer;
        Statement::Block(Bracket::Plain, body)
    }

    fn block_variable(&mut self, name: &str, around: Around) -> Declaration {
        let ty = self
            .dice
            .pick(&[Type::Bit, Type::Byte, Type::Short, Type::Int]);
        let first = match self.dice.below(3) {
            0 => None,
            1 => Some(Expr::Number(self.dice.between(0, 3))),
            _ if around.repeats => None,
            _ => Some(self.value(1)),
        };
        self.scope.leaves.push(Leaf::plain(name, ty));
        Declaration {
            kind: ty.to_string(),
            name: name.into(),
            first,
            channel: None,
        }
    }

    /// A receive that cannot block, so that it may stand within `d_step`.
    fn guarded_receive(&mut self, around: Around) -> Statement {
        let Some((receive, ready)) = self.sure_receive() else {
            return self.simple(around);
        };
        let taken = vec![Statement::Guard(ready), receive];
        Statement::If(vec![taken, vec![Statement::word("else")]])
    }
}

fn is_array(leaf: &&Leaf) -> bool {
    leaf.length.is_some() && leaf.after.is_empty()
}

fn name(leaf: &Leaf) -> String {
    leaf.before.clone()
}

/// Whether it begins with a `d_step`.
fn is_step(statement: &Statement) -> bool {
    match statement {
        Statement::Block(Bracket::DStep, _) => true,
        Statement::Block(_, body) | Statement::Unless(body, _) => body.first().is_some_and(is_step),
        _ => false,
    }
}

/// Whether what follows may be jumped to by a `break`.
fn may_end_in_loop(statement: &Statement) -> bool {
    !matches!(
        statement,
        Statement::Word(_) | Statement::Assign(..) | Statement::Guard(_) | Statement::Count(..)
    )
}
