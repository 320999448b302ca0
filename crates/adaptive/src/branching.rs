//! Formulas of branching time, decided on orbits.

use crate::quotient::Quotient;
use crate::space::Stop;
use mandala_engine::{Branching, EngineError, Limit, Witness};
use mandala_kripke::{
    Evidence, Fairness, KripkeError, Label, Structure, StructureBuilder, check_ctl,
};
use mandala_model::property::Ctl;

/// Decides a formula on a quotient that is complete.
pub(crate) fn decide(
    quotient: &mut Quotient<'_, '_>,
    formula: &Ctl,
    conditions: usize,
) -> Result<Branching, EngineError> {
    // What an assumption rules out has no state after it, and is no end of a run either.
    if quotient
        .orbits
        .iter()
        .any(|orbit| orbit.moves && orbit.next.is_empty())
    {
        return Ok(Branching::Unknown(Limit::InfiniteRuns));
    }
    let structure = structure(quotient, conditions).map_err(too_large)?;
    let verdict = check_ctl(&structure, formula, Fairness::None).map_err(too_large)?;
    if verdict.holds {
        return Ok(Branching::Holds(None));
    }
    let orbits = match verdict.evidence {
        Some(Evidence::Path { moves, end, .. }) => {
            let nodes = moves.iter().map(|made| made.node);
            nodes.chain([end]).map(|node| node as usize).collect()
        }
        Some(Evidence::Lasso(lasso)) => {
            let mut moves = lasso.prefix.iter().chain(&lasso.cycle);
            moves
                .next()
                .map(|made| vec![made.node as usize])
                .unwrap_or_default()
        }
        None => Vec::new(),
    };
    match quotient.lifted(&orbits) {
        Ok(path) => Ok(Branching::Fails(Witness {
            path,
            cycle: None,
            instance: 0,
        })),
        Err(Stop::Limit(limit)) => Ok(Branching::Unknown(limit)),
        Err(Stop::Defect(what)) => Err(EngineError::Defect(what)),
    }
}

fn structure(quotient: &Quotient<'_, '_>, conditions: usize) -> Result<Structure, KripkeError> {
    let mut builder = StructureBuilder::new(conditions, 0)?;
    let label = builder.label(Label::new(&[], &[]))?;
    for orbit in &quotient.orbits {
        for next in &orbit.next {
            builder.edge(*next as u32, label)?;
        }
        let holding: Vec<u32> = orbit.holding.iter().map(|id| id.0).collect();
        builder.close(&holding)?;
    }
    for start in &quotient.starts {
        builder.start(*start as u32);
    }
    builder.finish()
}

fn too_large(error: KripkeError) -> EngineError {
    EngineError::Defect(error.to_string())
}
