//! Whether counts take fewer bits than states with members one by one.

use crate::parts::Parts;
use crate::program::{NoProgram, Program};
use mandala_model::Model;
use mandala_model::step::Observers;
use mandala_model::types::{Scalar, Storage, Variable};
use mandala_prepare::Prepared;

/// Whether the states of what is searched can be counted, steps concern one member at most, and the entries of a state never take more bits than the members do: as many entries as there are members or
/// local states, whichever are fewer, each with a local state and a count.
pub fn is_smaller(prepared: &Prepared, observers: Observers) -> bool {
    if prepared.certificate.is_none() || !prepared.searched.monitors.is_empty() {
        return false;
    }
    let program = match Program::new(prepared, observers) {
        Ok(program) if program.is_spread().is_none() => program,
        Ok(_) | Err(NoProgram::Refused(_) | NoProgram::Fault(_)) => return false,
    };
    let sizes = sizes(program.parts(), program.model());
    let members: u64 = sizes.iter().map(|(size, bits)| size * bits).sum();
    let entries = sizes.iter().map(|(size, bits)| {
        let count = u64::from(u64::BITS - size.leading_zeros());
        let locals = 1u64.checked_shl(*bits as u32).unwrap_or(u64::MAX);
        (*size).min(locals) * (bits + count)
    });
    entries.sum::<u64>() < members
}

/// How many members each family has, and how many bits each of them takes.
fn sizes(parts: &Parts, model: &Model) -> Vec<(u64, u64)> {
    let families = parts.families().iter();
    let sizes = families.map(|family| {
        let globals = family.cells_of_globals(0).iter();
        let all = bits(model, &model.globals);
        let globals: u64 = globals.map(|cell| all[*cell]).sum();
        let own = family.template.map_or(0, |template| {
            let template = model.template(template);
            let locations = template.locations.len().saturating_sub(1) as u64;
            let locals: u64 = bits(model, &template.locals).iter().sum();
            locals + u64::from(u64::BITS - locations.leading_zeros())
        });
        (family.size() as u64, globals + own)
    });
    sizes.collect()
}

/// How many bits each cell of some variables takes.
fn bits(model: &Model, variables: &[Variable]) -> Vec<u64> {
    let of = |scalar: Scalar| {
        let size = |domain: mandala_model::ids::DomainId| model.domains[domain.index()].size;
        u64::from(scalar.width(size).0)
    };
    let mut all = Vec::new();
    for variable in variables {
        let scalars = model.scalars(&variable.ty).into_iter();
        let is_kept = variable.storage == Storage::State;
        all.extend(scalars.map(|scalar| if is_kept { of(scalar) } else { 0 }));
    }
    all
}
