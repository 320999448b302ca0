//! Makes a model smaller before it is searched: dead variables, merged steps, constants ([`mandala_simplify`]).
//!
//! # Symmetry
//!
//! First the symmetry of the user's model is found. From what is proven it is known which variables hold names. These are not replaced by
//! numbers, and where one of them is dead it gets a value that is nobody's name. Then the rewritten model
//! has to prove its symmetry itself. If it turns out to have less, it is given up for one in which less is
//! rewritten, in the end for the user's own. Merging comes last: it does not change what is proven, for reasons
//! that stand with it.

use crate::compiled::CompiledModel;
use crate::detect::again;
use crate::found::Aim;
use crate::prepared::{Prepared, ProofKind, Rewrites};
use crate::restate::greatest;
use mandala_model::Model;
use mandala_model::expr::{Place, Root};
use mandala_model::state::Value;
use mandala_model::step::Observers;
use mandala_model::symmetry::VariableRef;
use mandala_model::types::Type;
use mandala_simplify::{DeadCell, RewriteDefect, merge_local_steps, replace_constants, reset_dead};
use mandala_symmetry::sorts::{Point, Sort, Sorts};
use mandala_symmetry::{Certificate, DomainKind, ProofBudget, unordered};
use std::sync::Arc;

/// Which simplifications of the model are made beforehand. What is searched then has fewer states, and the same
/// verdicts; without any of them the states are counted as Spin does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StaticReductions {
    /// Variables that nobody will read again get a fixed value.
    pub dead: bool,
    /// States in which a process has only steps of its own to make are passed through.
    pub merge: bool,
    /// Variables that never change become numbers, and what can never happen is taken out.
    pub constants: bool,
}

impl Default for StaticReductions {
    fn default() -> Self {
        StaticReductions::ALL
    }
}

impl StaticReductions {
    /// All of them.
    pub const ALL: Self = StaticReductions {
        dead: true,
        merge: true,
        constants: true,
    };

    /// None of them.
    pub const NONE: Self = StaticReductions {
        dead: false,
        merge: false,
        constants: false,
    };

    /// `on`, `off`, or the names of some of them with commas between.
    ///
    /// # Errors
    ///
    /// What is wrong with the text.
    pub fn named(text: &str) -> Result<Self, String> {
        match text {
            "on" => return Ok(StaticReductions::ALL),
            "off" => return Ok(StaticReductions::NONE),
            _ => {}
        }
        let mut some = StaticReductions::NONE;
        for name in text.split(',') {
            match name {
                "dead" => some.dead = true,
                "merge" => some.merge = true,
                "constants" => some.constants = true,
                _ => {
                    return Err(format!(
                        "`{name}` is none of `dead`, `merge` and `constants`; `on` is all of them, `off` none"
                    ));
                }
            }
        }
        Ok(some)
    }
}

/// How far a rewriting goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// Everything.
    All,
    /// Without touching variables that hold names.
    NoNames,
    /// Dead variables stay as they are.
    NoResets,
}

/// Makes the model smaller in the ways that are wanted, and keeps its symmetry.
pub(crate) fn reduce(
    prepared: Prepared,
    aim: Aim,
    wanted: StaticReductions,
    budget: impl Fn() -> ProofBudget,
) -> Result<Prepared, RewriteDefect> {
    let mut reduced = rewrite(prepared, aim, wanted, budget)?;
    if wanted.merge
        && let Some(merged) = merge_local_steps(&reduced.certified, aim.observers)?
    {
        reduced.rewrites.merged = Some(merged.locations);
        reduced.searched = Arc::new(CompiledModel::new(Arc::new(merged.model)));
    }
    Ok(reduced)
}

fn rewrite(
    prepared: Prepared,
    aim: Aim,
    wanted: StaticReductions,
    budget: impl Fn() -> ProofBudget,
) -> Result<Prepared, RewriteDefect> {
    let mut last: Option<Arc<CompiledModel>> = None;
    let extents: &[Extent] = match (prepared.proof, &prepared.certificate) {
        (ProofKind::ByTypes, Some(_)) => &[Extent::NoResets],
        _ => &[Extent::All, Extent::NoNames, Extent::NoResets],
    };
    for extent in extents.iter().copied() {
        let Some((rewritten, rewrites)) = rewritten(&prepared, aim.observers, wanted, extent)?
        else {
            continue;
        };
        let accepted = match &prepared.certificate {
            _ if last.as_ref().map(|last| last.model()) == Some(rewritten.model()) => None,
            // Nothing was looked for, and what has no order by the language has none now.
            _ if prepared.account.effort.is_none() => Some(Prepared {
                certificate: unordered(&rewritten),
                ..prepared.on(Arc::clone(&rewritten))
            }),
            None => Some(prepared.on(Arc::clone(&rewritten))),
            // Only plain variables were replaced that nothing assigns to, and what they rule out was taken out. A renaming changes
            // no plain variable, so it preserves the steps that are left.
            Some(_) if prepared.proof == ProofKind::ByTypes => {
                Some(prepared.on(Arc::clone(&rewritten)))
            }
            Some(_) => again(&rewritten, aim, &budget(), &prepared),
        };
        if let Some(accepted) = accepted {
            return Ok(Prepared {
                rewrites,
                ..accepted
            });
        }
        last = Some(rewritten);
    }
    Ok(prepared)
}

/// The model with constants and resets, if that is another one.
fn rewritten(
    prepared: &Prepared,
    observers: Observers,
    wanted: StaticReductions,
    extent: Extent,
) -> Result<Option<(Arc<CompiledModel>, Rewrites)>, RewriteDefect> {
    let model: &Model = &prepared.certified;
    let names = prepared.certificate.as_ref();
    let mut rewrites = prepared.rewrites.clone();
    let mut now = None;
    if wanted.constants {
        let sorts = names.map(Certificate::sorts);
        let may_replace = |variable| is_plain(model, sorts, variable);
        if let Some(simplified) = replace_constants(model, &may_replace)? {
            rewrites.constants = simplified.constants;
            rewrites.idle_edges = simplified.idle_edges;
            now = Some(simplified.model);
        }
    }
    if wanted.dead && extent != Extent::NoResets {
        let mut fixed = |cell: &DeadCell| fixed_value(names, extent, cell);
        let resets = reset_dead(now.as_ref().unwrap_or(model), observers, &mut fixed)?;
        if let Some(resets) = resets {
            rewrites.dead = resets.variables;
            rewrites.origins = rewrites.origins.followed_by(&resets.origins);
            now = Some(resets.model);
        }
    }
    Ok(now.map(|model| (Arc::new(CompiledModel::new(Arc::new(model))), rewrites)))
}

/// Whether a scalar variable holds no names.
fn is_plain(model: &Model, sorts: Option<&Sorts>, variable: VariableRef) -> bool {
    let (template, root, declared) = match variable {
        VariableRef::Monitor(_) => return false,
        VariableRef::Global(id) => (None, Root::Global(id), model.global(id)),
        VariableRef::Local(template, id) => {
            let declared = &model.template(template).locals[id.index()];
            (Some(template), Root::Local(id), declared)
        }
    };
    let place = Place::variable(root, declared.span);
    let is_scalar = matches!(declared.ty, Type::Scalar(_));
    let in_row = |sorts: &Sorts| match variable {
        VariableRef::Global(id) => sorts.rows.iter().any(|row| row.variables.contains(&id)),
        VariableRef::Local(..) | VariableRef::Monitor(_) => false,
    };
    is_scalar
        && sorts.is_none_or(|sorts| {
            sorts.of_place(template, &place) == Some(Sort::Plain) && !in_row(sorts)
        })
}

/// A value for a dead cell that is nobody's name: the one that it has at first, if possible.
fn fixed_value(names: Option<&Certificate>, extent: Extent, cell: &DeadCell) -> Option<Value> {
    let sort = match names {
        Some(certificate) => certificate
            .sorts()
            .of_place(Some(cell.template), &cell.place)?,
        None => Sort::Plain,
    };
    if matches!(sort, Sort::Process(_) | Sort::Name(..)) && extent == Extent::NoNames {
        return None;
    }
    let candidates = cell.initial.into_iter().chain([0]);
    let mut candidates = candidates.chain(greatest(cell.scalar));
    candidates.find(|value| names.is_none_or(|c| !is_name(c, sort, *value)))
}

/// Whether the value may be the name of somebody who is interchangeable with others.
fn is_name(certificate: &Certificate, sort: Sort, value: Value) -> bool {
    let point = certificate.sorts().point(sort, value);
    point.is_some_and(|point| match point {
        Point::Process(number) => is_member(certificate, number),
        Point::Name(..) => true,
    })
}

fn is_member(certificate: &Certificate, process: u32) -> bool {
    let mut domains = certificate.domains().iter();
    domains.any(|domain| match &domain.kind {
        DomainKind::Processes { numbers, .. } => numbers.contains(&process),
        DomainKind::Names { .. } => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn static_reductions_are_read_from_a_list() {
        let dead_and_merge = StaticReductions {
            constants: false,
            ..StaticReductions::ALL
        };
        let named = StaticReductions::named;
        assert_eq!(named("on"), Ok(StaticReductions::ALL));
        assert_eq!(named("off"), Ok(StaticReductions::NONE));
        assert_eq!(named("merge,dead"), Ok(dead_and_merge));
        assert!(named("").is_err());
        assert!(named("dead,off").is_err_and(|e| e.contains("`off` is none of")));
    }
}
