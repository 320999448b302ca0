//! What is asked for about symmetry, made fit for the model and the engine, or refused.

use crate::options::{CheckOptions, Engine, Expansion, SymmetryChoice};
use crate::plan::PlanError;
use mandala_model::Model;
use mandala_model::template::Role;
use mandala_model::types::Type;
use mandala_reduce::{Guarantee, Strategy};
use mandala_symbolic::Manner;
use std::collections::BTreeSet;

/// How symmetry is used, if there turns out to be any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SymmetryWish {
    /// Not at all.
    Off,
    /// By a strategy.
    Use {
        /// Which one.
        strategy: Strategy,
        /// What it sorts by, if somebody has said that.
        main_array: Option<String>,
        /// Which states are expanded.
        expand: Expansion,
    },
    /// For whole sets of states.
    OnSets(Manner),
}

impl SymmetryWish {
    /// What the strategy promises, if there is one.
    pub fn guarantee(&self) -> Option<Guarantee> {
        match self {
            SymmetryWish::Off => None,
            SymmetryWish::Use { strategy, .. } => Some(strategy.guarantee()),
            SymmetryWish::OnSets(manner) => Some(guarantee_on_sets(*manner)),
        }
    }

    /// Whether the strategy stores all states that a representative stands for.
    pub fn keeps_all_images(&self) -> bool {
        let strategy = match self {
            SymmetryWish::Off | SymmetryWish::OnSets(_) => None,
            SymmetryWish::Use { strategy, .. } => Some(*strategy),
        };
        strategy == Some(Strategy::Flood)
    }
}

/// What is promised for whole sets of states.
pub fn guarantee_on_sets(manner: Manner) -> Guarantee {
    match manner.is_canonical() {
        true => Guarantee::Canonical,
        false => Guarantee::Sound,
    }
}

/// The strategies that sort by a main array.
pub const WITH_MAIN_ARRAY: [Strategy; 2] = [Strategy::Sorted, Strategy::Segmented];

/// What `options` mean for that model.
pub fn wish(model: &Model, options: &CheckOptions) -> Result<SymmetryWish, PlanError> {
    let strategy = match options.symmetry {
        SymmetryChoice::Off => None,
        SymmetryChoice::OnSets(manner) if options.engine == Engine::Symbolic => {
            return require_nothing(options).map(|()| SymmetryWish::OnSets(manner));
        }
        SymmetryChoice::OnSets(_) => {
            return Err(PlanError::SymmetryOfEngine(
                options.symmetry,
                options.engine,
            ));
        }
        SymmetryChoice::Use(strategy) => available(strategy, options.engine)?,
    };
    let Some(strategy) = strategy else {
        return require_nothing(options).map(|()| SymmetryWish::Off);
    };
    let main_array = match &options.main_array {
        Some(_) if !WITH_MAIN_ARRAY.contains(&strategy) => {
            return Err(PlanError::MainArray(options.symmetry));
        }
        Some(name) => Some(main_array(model, name)?),
        None => None,
    };
    Ok(SymmetryWish::Use {
        strategy,
        main_array,
        expand: options.expand.unwrap_or_default(),
    })
}

/// The strategy, if the engine has it. The default asks for the best that there is, which is nothing
/// for an engine that cannot reduce.
fn available(strategy: Strategy, engine: Engine) -> Result<Option<Strategy>, PlanError> {
    match (engine, strategy) {
        (Engine::Explicit, strategy) => Ok(Some(strategy)),
        (Engine::Symbolic | Engine::Reference, Strategy::Auto) => Ok(None),
        (Engine::Symbolic, strategy) => Err(PlanError::SymmetryOfEngine(
            SymmetryChoice::Use(strategy),
            engine,
        )),
        (Engine::Reference, strategy) => Err(PlanError::Symmetry(strategy, engine)),
    }
}

/// Details of a reduction make no sense without one.
fn require_nothing(options: &CheckOptions) -> Result<(), PlanError> {
    if options.main_array.is_some() {
        return Err(PlanError::MainArray(options.symmetry));
    }
    match (options.expand, options.engine) {
        (None, _) => Ok(()),
        (Some(_), engine) => Err(PlanError::Expand(options.symmetry, engine)),
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
