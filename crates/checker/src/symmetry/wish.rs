//! The user's options about symmetry, made fit for the model and the engine, or refused.

use crate::options::{CheckOptions, EngineChoice, SymmetryChoice};
use crate::plan::PlanError;
use mandala_engine::{Expansion, Firing, SymmetrySupport, SymmetryUse};
use mandala_model::Model;
use mandala_model::template::Role;
use mandala_model::types::Type;
use mandala_reduce::{Guarantee, Strategy};
use std::collections::BTreeSet;

/// The strategies that sort by a main array.
pub const WITH_MAIN_ARRAY: [Strategy; 2] = [Strategy::Sorted, Strategy::Segmented];

/// What `options` mean for that model.
pub fn wish(model: &Model, options: &CheckOptions) -> Result<SymmetryUse, PlanError> {
    let strategy = match options.symmetry {
        SymmetryChoice::Off => None,
        SymmetryChoice::OnSets(manner) if support(options.engine) == SymmetrySupport::Sets => {
            return require_nothing(options).map(|()| SymmetryUse::OnSets(manner));
        }
        SymmetryChoice::OnSets(_) => {
            return Err(PlanError::SymmetryOfEngine(
                options.symmetry,
                options.engine,
            ));
        }
        SymmetryChoice::Partial(kind) if options.engine == EngineChoice::EXPLICIT => {
            return require_nothing(options).map(|()| SymmetryUse::Partial(kind));
        }
        SymmetryChoice::Partial(_) => {
            return Err(PlanError::SymmetryOfEngine(
                options.symmetry,
                options.engine,
            ));
        }
        SymmetryChoice::Counters
            if [EngineChoice::EXPLICIT, EngineChoice::SYMBOLIC].contains(&options.engine) =>
        {
            return require_nothing(options).map(|()| SymmetryUse::Counters);
        }
        SymmetryChoice::Counters => {
            return Err(PlanError::SymmetryOfEngine(
                options.symmetry,
                options.engine,
            ));
        }
        SymmetryChoice::Use(strategy) => available(strategy, options.engine)?,
    };
    let Some(strategy) = strategy else {
        return require_nothing(options).map(|()| SymmetryUse::Off);
    };
    let main_array = match &options.main_array {
        Some(_) if !WITH_MAIN_ARRAY.contains(&strategy) => {
            return Err(PlanError::MainArray(options.symmetry));
        }
        Some(name) => Some(main_array(model, name)?),
        None => None,
    };
    Ok(SymmetryUse::Use {
        strategy,
        main_array,
        expand: options.expand.unwrap_or_default(),
        firing: firing(strategy, options)?,
    })
}

/// How often moves are made: once where somebody else does not wish, if representatives are expanded and there is one of each orbit.
fn firing(strategy: Strategy, options: &CheckOptions) -> Result<Firing, PlanError> {
    let obstacle = match strategy.guarantee() {
        _ if options.expand == Some(Expansion::Originals) => Some("--expand originals".to_string()),
        Guarantee::Canonical if strategy != Strategy::Flood => None,
        _ => Some(format!("--symmetry {strategy}")),
    };
    match (options.firing, obstacle) {
        (Some(Firing::All), _) | (None, Some(_)) => Ok(Firing::All),
        (Some(Firing::Once) | None, None) => Ok(Firing::Once),
        (Some(Firing::Once), Some(obstacle)) => Err(PlanError::FireOnce(obstacle)),
    }
}

/// The strategy, if the engine has it. The default asks for the best that there is, which is nothing
/// for an engine that cannot reduce.
fn available(strategy: Strategy, engine: EngineChoice) -> Result<Option<Strategy>, PlanError> {
    match (support(engine), strategy) {
        (SymmetrySupport::Representatives, strategy) => Ok(Some(strategy)),
        (SymmetrySupport::Sets | SymmetrySupport::None, Strategy::Auto) => Ok(None),
        (SymmetrySupport::Sets, strategy) => Err(PlanError::SymmetryOfEngine(
            SymmetryChoice::Use(strategy),
            engine,
        )),
        (SymmetrySupport::None, strategy) => Err(PlanError::Symmetry(strategy, engine)),
    }
}

fn support(engine: EngineChoice) -> SymmetrySupport {
    engine.engine().capabilities().symmetry
}

/// Details of a reduction make no sense without one.
fn require_nothing(options: &CheckOptions) -> Result<(), PlanError> {
    if options.main_array.is_some() {
        return Err(PlanError::MainArray(options.symmetry));
    }
    let details = [
        ("--expand", options.expand.is_some()),
        ("--fire", options.firing.is_some()),
    ];
    match details.into_iter().find(|(_, wished)| *wished) {
        None => Ok(()),
        Some((option, _)) => Err(PlanError::Detail(option, options.symmetry, options.engine)),
    }
}

fn main_array(model: &Model, name: &str) -> Result<String, PlanError> {
    let known = arrays(model);
    match known.contains(name) {
        true => Ok(name.to_string()),
        false => Err(PlanError::NoSuchArray {
            name: name.to_string(),
            known: known.into_iter().map(String::from).collect(),
        }),
    }
}

/// Everything that might be sorted by: global arrays, and the variables of processes, as each process has one.
fn arrays(model: &Model) -> BTreeSet<&str> {
    let globals = model.globals.iter();
    let globals = globals.filter(|v| matches!(v.ty, Type::Array { .. }));
    let templates = model.templates.iter();
    let templates = templates.filter(|t| t.role == Role::Process);
    let locals = templates.flat_map(|t| &t.locals);
    globals.chain(locals).map(|v| v.name.as_str()).collect()
}
