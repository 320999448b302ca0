//! Makes a model smaller before it is searched: dead variables, merged steps, constants ([`mandala_simplify`]).
//!
//! # Symmetry
//!
//! First the symmetry of the user's model is found. From what is proven it is known which variables hold names. These are not replaced by
//! numbers, and where one of them is dead it gets a value that is nobody's name. Then the rewritten model
//! has to prove its symmetry itself. If it turns out to have less, it is given up for one in which less is
//! rewritten, in the end for the user's own. Merging comes last: it does not change what is proven, for reasons
//! that stand with it.

use crate::frontend::LoadedModel;
use crate::options::StaticReductions;
use crate::symmetry::detect::again;
use crate::symmetry::{Aim, DetectedSymmetry};
use mandala_model::Model;
use mandala_model::expr::{Place, Root};
use mandala_model::state::Value;
use mandala_model::step::Observers;
use mandala_model::symmetry::VariableRef;
use mandala_model::types::{Scalar, Type};
use mandala_report::style::counted;
use mandala_simplify::{DeadCell, RewriteDefect, merge_local_steps, replace_constants, reset_dead};
use mandala_symmetry::sorts::{Point, Sort, Sorts};
use mandala_symmetry::{Certificate, DomainKind, Patience, unordered};
use std::collections::BTreeSet;
use std::fmt;

/// How a model was made smaller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statics {
    /// Variables that were replaced by numbers.
    pub constants: BTreeSet<String>,
    /// How many statements turned out to be out of reach.
    pub idle_edges: usize,
    /// Variables that get a fixed value where nobody will read them any more.
    pub dead: BTreeSet<String>,
    /// How many locations are passed through, and the model in which they are; it is what is searched.
    pub merged: Option<(usize, Model)>,
}

impl fmt::Display for Statics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let merged = self.merged.as_ref().map_or(0, |(locations, _)| *locations);
        let parts = [
            (self.dead.len(), "dead variable"),
            (merged, "merged location"),
            (self.constants.len(), "constant"),
            (self.idle_edges, "idle statement"),
        ];
        let parts = parts.iter().filter(|(number, _)| *number > 0);
        let parts: Vec<String> = parts
            .map(|(number, what)| counted(*number as u64, what))
            .collect();
        match parts.is_empty() {
            true => f.write_str("nothing"),
            false => f.write_str(&parts.join(", ")),
        }
    }
}

impl DetectedSymmetry {
    /// What is proven to be symmetric: the model, or what is taken in its place.
    pub fn certified<'a>(&'a self, model: &'a Model) -> &'a Model {
        self.rewritten.as_ref().unwrap_or(model)
    }

    /// What is searched: the model, or what is taken in its place.
    pub fn searched<'a>(&'a self, model: &'a Model) -> &'a Model {
        match &self.statics.merged {
            Some((_, merged)) => merged,
            None => self.certified(model),
        }
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
    loaded: &LoadedModel,
    aim: Aim,
    wanted: StaticReductions,
    detected: DetectedSymmetry,
    patience: impl Fn() -> Patience,
) -> Result<DetectedSymmetry, RewriteDefect> {
    let mut reduced = rewrite(loaded, aim, wanted, detected, patience)?;
    if wanted.merge {
        let merged = merge_local_steps(reduced.certified(&loaded.model), aim.observers)?;
        reduced.statics.merged = merged.map(|merged| (merged.locations, merged.model));
    }
    Ok(reduced)
}

fn rewrite(
    loaded: &LoadedModel,
    aim: Aim,
    wanted: StaticReductions,
    detected: DetectedSymmetry,
    patience: impl Fn() -> Patience,
) -> Result<DetectedSymmetry, RewriteDefect> {
    let model = detected.certified(&loaded.model);
    let names = detected.certificate.as_ref();
    let mut last = None;
    for extent in [Extent::All, Extent::NoNames, Extent::NoResets] {
        let rewritten = rewritten(model, aim.observers, wanted, names, extent)?;
        let Some((rewritten, statics)) = rewritten else {
            continue;
        };
        let accepted = match &detected.certificate {
            _ if last.as_ref() == Some(&rewritten) => None,
            // Nothing was looked for, and what has no order by the language has none now.
            _ if detected.effort.is_none() => Some(DetectedSymmetry {
                certificate: unordered(&rewritten),
                rewritten: Some(rewritten.clone()),
                ..detected.clone()
            }),
            None => Some(DetectedSymmetry {
                rewritten: Some(rewritten.clone()),
                ..detected.clone()
            }),
            Some(_) => again(loaded, &rewritten, aim, patience(), &detected),
        };
        if let Some(accepted) = accepted {
            return Ok(DetectedSymmetry {
                statics,
                ..accepted
            });
        }
        last = Some(rewritten);
    }
    Ok(detected)
}

/// The model with constants and resets, if that is another one.
fn rewritten(
    model: &Model,
    observers: Observers,
    wanted: StaticReductions,
    names: Option<&Certificate>,
    extent: Extent,
) -> Result<Option<(Model, Statics)>, RewriteDefect> {
    let mut statics = Statics::default();
    let mut now = None;
    if wanted.constants {
        let sorts = names.map(Certificate::sorts);
        let may_replace = |variable| is_plain(model, sorts, variable);
        if let Some(simplified) = replace_constants(model, &may_replace)? {
            statics.constants = simplified.constants;
            statics.idle_edges = simplified.idle_edges;
            now = Some(simplified.model);
        }
    }
    if wanted.dead && extent != Extent::NoResets {
        let mut fixed = |cell: &DeadCell| fixed_value(names, extent, cell);
        let resets = reset_dead(now.as_ref().unwrap_or(model), observers, &mut fixed)?;
        if let Some(resets) = resets {
            statics.dead = resets.variables;
            now = Some(resets.model);
        }
    }
    Ok(now.map(|model| (model, statics)))
}

/// Whether a scalar variable holds no names.
fn is_plain(model: &Model, sorts: Option<&Sorts>, variable: VariableRef) -> bool {
    let (template, root, declared) = match variable {
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
        VariableRef::Local(..) => false,
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

fn greatest(scalar: Scalar) -> Option<Value> {
    match scalar {
        Scalar::Int { bits, signed } => Some((1 << (bits - u8::from(signed))) - 1),
        Scalar::Bool => Some(1),
        Scalar::Range { max, .. } => Some(max),
        Scalar::Coded { max, .. } => Some(max),
        Scalar::Enum(_) | Scalar::Process | Scalar::Channel => Some(255),
        Scalar::Id(_) => None,
    }
}
