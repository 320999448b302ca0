//! Parameters of edges and monitors, and the parts of guards that can be asked before all of them are known.
//!
//! A guard is a conjunction. Its parts are asked in order, and each as soon as all parameters are known that it or a part before it reads: if one is false for some
//! values, it is so for all values of the parameters behind them, and these need not be gone through. If one fails, it fails
//! for all of these, too, and whoever goes through choices has to look at each of them.

use super::{Compiler, Unsupported};
use crate::code::{Entry, Op};
use crate::values::{CompiledParameter, Parameters};
use mandala_model::parameters::Parameter;
use mandala_model::template::Edge;
use mandala_resolved::{Base, Junction, ResolvedExpr, ResolvedKind, ResolvedStep};

impl Compiler<'_> {
    /// The parameters of an edge or of a monitor, which makes that step.
    pub fn edge_parameters(
        &mut self,
        edge: &Edge,
        step: &ResolvedStep,
    ) -> Result<Parameters, Unsupported> {
        if edge.parameters.is_empty() {
            return Ok(Parameters::default());
        }
        let parts = necessary(step).map(conjuncts).unwrap_or_default();
        let offsets = edge.parameters.iter().map(|p| self.offset_of(p));
        let levels = levels(&parts, &offsets.collect::<Vec<u32>>());
        let early = self.all_of(&parts, &levels, 0)?;
        let is_guarded = matches!(step, ResolvedStep::Guarded { .. });
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

    /// How far a parameter is behind the first local variable.
    fn offset_of(&self, parameter: &Parameter) -> u32 {
        let (variables, _, _) = self.locals().expect("who has parameters has variables");
        variables.offsets[parameter.local.index()] - variables.start
    }

    /// A condition that asks the parts of a level; nothing if there are none.
    fn all_of(
        &mut self,
        parts: &[&ResolvedExpr],
        levels: &[usize],
        level: usize,
    ) -> Result<Option<Entry>, Unsupported> {
        let own = parts.iter().zip(levels);
        let own = own.filter(|(_, of)| **of == level).map(|(part, _)| *part);
        let own: Vec<&ResolvedExpr> = own.collect();
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
fn necessary(step: &ResolvedStep) -> Option<&ResolvedExpr> {
    match step {
        ResolvedStep::Guarded { guard, .. } => Some(guard),
        ResolvedStep::Routine(routine) => match &routine.nodes.first()?.choices[..] {
            [only] => necessary(&only.step),
            _ => None,
        },
        _ => None,
    }
}

/// The parts of a conjunction, in the order of their evaluation.
fn conjuncts(guard: &ResolvedExpr) -> Vec<&ResolvedExpr> {
    match &guard.kind {
        ResolvedKind::Junction(Junction {
            decisive: false,
            parts,
        }) => parts.iter().collect(),
        _ => vec![guard],
    }
}

/// For each part, how many parameters have to be known before it is asked. A parameter is known by its offset.
fn levels(parts: &[&ResolvedExpr], parameters: &[u32]) -> Vec<usize> {
    let mut level = 0;
    let levels = parts.iter().map(|part| {
        level = level.max(needed(part, parameters));
        level
    });
    levels.collect()
}

/// How many parameters are known when the last one is that an expression reads.
fn needed(part: &ResolvedExpr, parameters: &[u32]) -> usize {
    let mut needed = 0;
    part.walk(&mut |inner| {
        if let ResolvedKind::Read(place) = &inner.kind
            && place.base == Base::Local
        {
            let number = parameters.iter().rposition(|p| *p == place.offset);
            needed = needed.max(number.map_or(0, |number| number + 1));
        }
    });
    needed
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_model::source::Span;
    use mandala_resolved::{ResolvedPlace, Store};

    const SPAN: Span = Span::START;

    fn read(offset: u32) -> ResolvedExpr {
        let place = ResolvedPlace {
            base: Base::Local,
            offset,
            indices: Vec::new(),
            store: Store::Bits {
                bits: 8,
                signed: false,
            },
            span: SPAN,
        };
        ResolvedExpr::new(ResolvedKind::Read(place), SPAN)
    }

    /// What is asked early must not be asked before what comes before it, which may fail.
    #[test]
    fn parts_are_asked_in_order() {
        let junction = Junction {
            decisive: false,
            parts: [5, 0, 1, 0, 2].map(read).to_vec(),
        };
        let guard = ResolvedExpr::new(ResolvedKind::Junction(junction), SPAN);
        let parts = conjuncts(&guard);
        assert_eq!(levels(&parts, &[0, 1, 2]), [0, 1, 2, 2, 3]);
    }
}
