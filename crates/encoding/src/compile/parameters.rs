//! Parameters of edges and monitors, and the parts of guards that can be asked before all of them are known.
//!
//! A guard is a conjunction. Its parts are asked in order, and each as soon as all parameters are known that it or a part before it reads: if one is false for some
//! values, it is so for all values of the parameters behind them, and these need not be gone through. If one fails, it fails
//! for all of these, too, and whoever goes through choices has to look at each of them.

use super::{Compiler, Unsupported};
use crate::code::{Entry, Op};
use crate::values::{CompiledParameter, Parameters};
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Root};
use mandala_model::ids::LocalId;
use mandala_model::parameters::Parameter;
use mandala_model::template::{Edge, Routine, Step};

impl Compiler<'_> {
    /// The parameters of an edge or of a monitor.
    pub fn edge_parameters(&mut self, edge: &Edge) -> Result<Parameters, Unsupported> {
        if edge.parameters.is_empty() {
            return Ok(Parameters::default());
        }
        let parts = necessary(&edge.step).map(conjuncts).unwrap_or_default();
        let levels = levels(&parts, &edge.parameters);
        let early = self.all_of(&parts, &levels, 0)?;
        let is_guarded = matches!(edge.step, Step::Guarded { .. });
        let mut rows = Vec::new();
        let mut rest = edge.choices();
        for (number, parameter) in edge.parameters.iter().enumerate() {
            let count = u32::try_from(parameter.values.count()).unwrap_or(u32::MAX);
            rest = rest.checked_div(count).unwrap_or(0);
            let is_last = number + 1 == edge.parameters.len();
            rows.push(CompiledParameter {
                cell: self.cell_of(parameter),
                values: parameter.values.clone(),
                count,
                rest,
                early: match is_last && !is_guarded {
                    // The first node of a routine asks its condition itself.
                    true => None,
                    false => self.all_of(&parts, &levels, number + 1)?,
                },
            });
        }
        let first = self.code.parameters.len() as u32;
        let count = rows.len() as u32;
        self.code.parameters.extend(rows);
        Ok(Parameters {
            first,
            count,
            early,
            choices: edge.choices(),
            ask_all: is_guarded,
        })
    }

    fn cell_of(&self, parameter: &Parameter) -> u32 {
        let (variables, _, base) = self.locals().expect("who has parameters has variables");
        base.unwrap_or(0) + variables.offsets[parameter.local.index()]
    }

    /// A condition that asks the parts of a level; nothing if there are none.
    fn all_of(
        &mut self,
        parts: &[&Expr],
        levels: &[usize],
        level: usize,
    ) -> Result<Option<Entry>, Unsupported> {
        let own = parts.iter().zip(levels);
        let own = own.filter(|(_, of)| **of == level).map(|(part, _)| *part);
        let own: Vec<&Expr> = own.collect();
        if own.is_empty() {
            return Ok(None);
        }
        let entry = self.here();
        let mut fails = Vec::new();
        for part in own {
            fails.extend(self.jumps(part, 0, false)?);
        }
        self.emit(Op::Done);
        self.land(fails);
        self.emit(Op::Reject);
        Ok(Some(entry))
    }
}

/// A condition without which a step cannot be taken, and which is evaluated before anything else.
fn necessary(step: &Step) -> Option<&Expr> {
    match step {
        Step::Guarded { guard, .. } => Some(guard),
        Step::Routine(Routine { nodes, .. }) => match &nodes.first()?.choices[..] {
            [only] => necessary(&only.step),
            _ => None,
        },
        _ => None,
    }
}

/// The parts of a conjunction, in the order of their evaluation.
fn conjuncts(guard: &Expr) -> Vec<&Expr> {
    let mut parts = Vec::new();
    let mut waiting = vec![guard];
    while let Some(part) = waiting.pop() {
        match &part.kind {
            ExprKind::Binary(BinaryOp::And, left, right) => waiting.extend([&**right, &**left]),
            _ => parts.push(part),
        }
    }
    parts
}

/// For each part, how many parameters have to be known before it is asked.
fn levels(parts: &[&Expr], parameters: &[Parameter]) -> Vec<usize> {
    let mut level = 0;
    let levels = parts.iter().map(|part| {
        level = level.max(needed(part, parameters));
        level
    });
    levels.collect()
}

/// How many parameters are known when the last one is that an expression reads.
fn needed(part: &Expr, parameters: &[Parameter]) -> usize {
    let mut needed = 0;
    let mut read = |local: LocalId| {
        let number = parameters.iter().rposition(|p| p.local == local);
        needed = needed.max(number.map_or(0, |number| number + 1));
    };
    part.walk(&mut |inner| {
        if let ExprKind::Read(place) = &inner.kind
            && let Root::Local(local) = place.root
        {
            read(local);
        }
    });
    needed
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_model::expr::Place;
    use mandala_model::parameters::{Progression, Values};
    use mandala_model::source::{FileId, Span};

    const SPAN: Span = Span {
        file: FileId(0),
        start: 0,
        end: 0,
    };

    fn parameter(local: u32) -> Parameter {
        Parameter {
            name: format!("p{local}"),
            local: LocalId(local),
            values: Values(vec![Progression::range(1, 3)]),
            positions_of: None,
            span: SPAN,
        }
    }

    fn read(local: u32) -> Expr {
        let place = Place::variable(Root::Local(LocalId(local)), SPAN);
        Expr::new(ExprKind::Read(place), SPAN)
    }

    /// What is asked early must not be asked before what comes before it, which may fail.
    #[test]
    fn parts_are_asked_in_order() {
        let and = |a, b| Expr::binary(BinaryOp::And, a, b);
        let guard = and(and(read(5), read(0)), and(read(1), and(read(0), read(2))));
        let parts = conjuncts(&guard);
        let parameters = [parameter(0), parameter(1), parameter(2)];
        assert_eq!(levels(&parts, &parameters), [0, 1, 2, 2, 3]);
    }
}
