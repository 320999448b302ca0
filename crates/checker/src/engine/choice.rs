//! The registry of engines.

use mandala_adaptive::{AdaptiveEngine, VirtualEngine};
use mandala_counting::CountingEngine;
use mandala_engine::{Choice, Decision, Engine, Question};
use mandala_explicit::ExplicitEngine;
use mandala_probabilistic::ProbabilisticEngine;
use mandala_reference::ReferenceEngine;
use mandala_symbolic::SymbolicEngine;
use std::fmt;

/// An engine, chosen by its name.
#[derive(Clone, Copy)]
pub struct EngineChoice(&'static dyn Engine);

impl EngineChoice {
    /// One stored state at a time.
    pub const EXPLICIT: EngineChoice = EngineChoice(&ExplicitEngine);

    /// Sets of states as decision diagrams.
    pub const SYMBOLIC: EngineChoice = EngineChoice(&SymbolicEngine);

    /// The reference interpreter.
    pub const REFERENCE: EngineChoice = EngineChoice(&ReferenceEngine);

    /// Probabilities and expected rewards. Questions about these go to it whatever engine is chosen for the others, so it is not among the choices.
    pub const PROBABILISTIC: EngineChoice = EngineChoice(&ProbabilisticEngine);

    /// Adaptive symmetry reduction. It is chosen by `--symmetry adaptive`, and so is not listed.
    pub const ADAPTIVE: EngineChoice = EngineChoice(&AdaptiveEngine);

    /// The quotient of a virtually symmetric model. It is chosen by `--symmetry virtual`, and so is not listed.
    pub const VIRTUAL: EngineChoice = EngineChoice(&VirtualEngine);

    /// Counter programs, state by state. It is chosen by `--symmetry counters`, and so is not listed.
    pub const COUNTERS: EngineChoice = EngineChoice(&CountingEngine);

    /// Any engine, whether it is listed or not.
    pub const fn of(engine: &'static dyn Engine) -> Self {
        EngineChoice(engine)
    }

    /// The engine that answers a question if this one is chosen: itself, if the question is none about probabilities or it can answer those.
    #[must_use]
    pub fn answering(self, question: &Question) -> Self {
        match question.decision {
            Decision::Value if !self.0.capabilities().chance => EngineChoice::PROBABILISTIC,
            _ => self,
        }
    }

    /// The option that asks for it.
    pub fn option(self) -> String {
        let name = self.0.name();
        let by_symmetry = [
            EngineChoice::ADAPTIVE,
            EngineChoice::VIRTUAL,
            EngineChoice::COUNTERS,
        ];
        match by_symmetry.contains(&self) {
            true => format!("--symmetry {name}"),
            false => format!("--engine {name}"),
        }
    }

    /// The engine.
    pub fn engine(self) -> &'static dyn Engine {
        self.0
    }
}

impl Choice for EngineChoice {
    const ALL: &'static [Self] = &[
        EngineChoice::EXPLICIT,
        EngineChoice::SYMBOLIC,
        EngineChoice::REFERENCE,
    ];

    fn name(self) -> &'static str {
        self.0.name()
    }

    fn help(self) -> Option<&'static str> {
        Some(self.0.help())
    }
}

impl Default for EngineChoice {
    fn default() -> Self {
        EngineChoice::EXPLICIT
    }
}

/// Engines are known by their names.
impl PartialEq for EngineChoice {
    fn eq(&self, other: &Self) -> bool {
        Choice::name(*self) == Choice::name(*other)
    }
}

impl Eq for EngineChoice {}

impl fmt::Debug for EngineChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Choice::name(*self))
    }
}
