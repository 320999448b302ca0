//! Loops over values that are known before the model runs.
//!
//! The code of a loop is ordinary code of a routine, which every semantics carries out without knowing of loops. Its *head* is a node with two choices:
//!
//! ```text
//! head:  when position < count  do variable = value(position); position = position + 1; ..  -> body
//!        otherwise                                                                          -> behind the loop
//! ```
//!
//! Before the loop the position is set to 0, and the body leads back to the head, or out of the loop. A [`Loop`] in the table of the routine says that a node is such a
//! head, of which variable and which values; the verifier compares the code with what the table says. So whoever reasons about loops sees that a step does something
//! for each member of a set, and need not find out that counting comes to that.

use crate::expr::{BinaryOp, Expr, ExprKind, Place, Root};
use crate::ids::{LocalId, NodeId};
use crate::source::Span;
use crate::template::{Effect, Node, Step};
use crate::values::Progression;
use crate::values::Values;

/// A loop of a routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Its head.
    pub head: NodeId,
    /// The scratch variable that goes through the values. Nothing but the head assigns to it.
    pub variable: LocalId,
    /// The scratch variable that counts the values that were taken.
    pub position: LocalId,
    /// The values, in order.
    pub values: Values,
    /// Where the variable is declared.
    pub span: Span,
}

impl Loop {
    /// The condition of the first choice of the head: there is a value left.
    pub fn goes_on(&self) -> Expr {
        let count = Expr::constant(self.values.count() as i64, self.span);
        Expr::binary(BinaryOp::Less, self.read(self.position), count)
    }

    /// What the first choice of the head does first: it takes the next value.
    pub fn takes_next(&self) -> [Effect; 2] {
        let one = Expr::constant(1, self.span);
        let next = Expr::binary(BinaryOp::Add, self.read(self.position), one);
        [
            self.assign(self.variable, self.value()),
            self.assign(self.position, next),
        ]
    }

    /// What comes before the loop: no value is taken yet.
    pub fn begins(&self) -> Effect {
        self.assign(self.position, Expr::constant(0, self.span))
    }

    /// The value at the position.
    fn value(&self) -> Expr {
        let mut runs = self.values.0.iter().filter(|run| run.count > 0).rev();
        let mut before = self.values.count();
        let mut run_from = |run: &Progression| {
            before -= u64::from(run.count);
            (before, self.in_run(run, before))
        };
        let Some(last) = runs.next() else {
            return Expr::constant(0, self.span);
        };
        let (mut from, mut value) = run_from(last);
        for run in runs {
            let bound = Expr::constant(from as i64, self.span);
            let is_here = Expr::binary(BinaryOp::Less, self.read(self.position), bound);
            let (start, here) = run_from(run);
            from = start;
            let parts = [is_here, here, value].map(Box::new);
            let [condition, yes, no] = parts;
            value = Expr::new(ExprKind::Conditional(condition, yes, no), self.span);
        }
        value
    }

    /// The value at the position, if that is in a run that begins behind so many values.
    fn in_run(&self, run: &Progression, before: u64) -> Expr {
        // The distance to the next value means nothing if there is none.
        if run.count == 1 {
            return Expr::constant(run.first, self.span);
        }
        let position = self.read(self.position);
        let scaled = match run.step {
            1 => position,
            step => {
                let step = Expr::constant(step, self.span);
                Expr::binary(BinaryOp::Multiply, position, step)
            }
        };
        let first = run.first - run.step * before as i64;
        match first {
            0 => scaled,
            first => {
                let first = Expr::constant(first, self.span);
                Expr::binary(BinaryOp::Add, scaled, first)
            }
        }
    }

    fn read(&self, local: LocalId) -> Expr {
        Expr::new(ExprKind::Read(self.place(local)), self.span)
    }

    fn assign(&self, local: LocalId, value: Expr) -> Effect {
        Effect::Assign {
            place: self.place(local),
            value,
        }
    }

    fn place(&self, local: LocalId) -> Place {
        Place::variable(Root::Local(local), self.span)
    }

    /// Whether a node is the head of the loop: its choices are those that the loop asks for, and what they do begins with what the loop does.
    pub fn is_headed_by(&self, node: &Node) -> bool {
        let [on, out] = &node.choices[..] else {
            return false;
        };
        let (Step::Guarded { guard, effects }, Step::Guarded { guard: always, .. }) =
            (&on.step, &out.step)
        else {
            return false;
        };
        let certain = always.as_constant().is_some_and(|value| value != 0);
        certain && !node.quiet && alike(guard, &self.goes_on()) && self.begins_with_next(effects)
    }

    /// Whether some effects begin with those that take the next value.
    fn begins_with_next(&self, effects: &[Effect]) -> bool {
        let wanted = self.takes_next();
        let pairs = effects.iter().zip(&wanted);
        let same = |(found, wanted): (&Effect, &Effect)| match (found, wanted) {
            (
                Effect::Assign { place, value },
                Effect::Assign {
                    place: other,
                    value: wanted,
                },
            ) => is_same_variable(place, other) && alike(value, wanted),
            _ => false,
        };
        effects.len() >= wanted.len() && pairs.into_iter().all(same)
    }

    /// The node that the first choice of the head leads to; `None` if the body is nothing but the rest of that choice and ends the routine.
    pub fn body(&self, nodes: &[Node]) -> Option<NodeId> {
        nodes[self.head.index()].choices[0].next
    }
}

/// Whether two expressions of the kinds that heads have are the same, wherever they stand in the source.
fn alike(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Const(a), ExprKind::Const(b)) => a == b,
        (ExprKind::Read(a), ExprKind::Read(b)) => is_same_variable(a, b),
        (ExprKind::Binary(op, a, b), ExprKind::Binary(other, c, d)) => {
            op == other && alike(a, c) && alike(b, d)
        }
        (ExprKind::Conditional(a, b, c), ExprKind::Conditional(d, e, f)) => {
            alike(a, d) && alike(b, e) && alike(c, f)
        }
        _ => false,
    }
}

fn is_same_variable(a: &Place, b: &Place) -> bool {
    a.root == b.root && a.path.is_empty() && b.path.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::fold;

    fn of(runs: Vec<Progression>) -> Loop {
        Loop {
            head: NodeId(0),
            variable: LocalId(0),
            position: LocalId(1),
            values: Values(runs),
            span: Span::START,
        }
    }

    fn value_at(values: &Loop, position: i64) -> Option<i64> {
        let [Effect::Assign { mut value, .. }, _] = values.takes_next() else {
            return None;
        };
        value.each_mut(&mut |part| {
            if matches!(part.kind, ExprKind::Read(_)) {
                part.kind = ExprKind::Const(position);
            }
            fold(part);
            if let ExprKind::Conditional(condition, yes, no) = &part.kind
                && let Some(known) = condition.as_constant()
            {
                *part = Expr::clone(if known != 0 { yes } else { no });
            }
        });
        value.as_constant()
    }

    #[test]
    fn the_value_at_a_position_is_the_one_of_that_number() {
        let down = Progression {
            first: 9,
            step: -3,
            count: 3,
        };
        let runs = [
            vec![Progression::range(1, 4)],
            vec![down],
            vec![Progression::range(4, 2), down, Progression::range(-7, 3)],
            vec![Progression::range(4, 1), Progression { count: 1, ..down }],
        ];
        for values in runs.map(of) {
            for position in 0..values.values.count() {
                let expected = Some(values.values.get(position));
                assert_eq!(value_at(&values, position as i64), expected, "{values:?}");
            }
        }
    }
}
