//! Markov chains and decision processes: probabilities and expected rewards, with bounds that are right.
//!
//! A [`Process`] has states, choices, branches with exact weights, propositions and rewards. [`answer`] answers questions ([`mandala_temporal::pctl`]) about it. A value is a lower and an upper [bound](Bounds), and the value
//! is between them for certain: every operation on floating-point numbers is rounded outwards, every method that is stopped says what it has left out, and what is 0, 1 or infinite is decided on the graph. Or it is an
//! [exact](Exact) rational number. Nothing here knows what a model is.
//!
//! ```
//! use mandala_markov::{Answer, Kind, ProcessBuilder, Settings, answer};
//! use mandala_temporal::Proposition;
//! use mandala_temporal::pctl::{Interval, Measure, PathFormula, Query, StateFormula};
//! # use dashu_ratio::RBig;
//!
//! // A coin is thrown until it shows heads (state 1) or stands on its edge (state 2).
//! let ratio = |n: u32, d: u32| RBig::from_parts(n.into(), d.into());
//! let mut builder = ProcessBuilder::new(Kind::DiscreteChain, 1, 0);
//! builder.start(0);
//! builder.branch(0, &ratio(49, 100))?;
//! builder.branch(1, &ratio(1, 2))?;
//! builder.branch(2, &ratio(1, 100))?;
//! builder.close_choice(&[])?;
//! builder.close_state(&[], &[])?;
//! builder.close_state(&[0], &[])?;
//! builder.close_state(&[], &[])?;
//! let process = builder.finish()?;
//!
//! let always = PathFormula::State(StateFormula::Constant(true));
//! let heads = PathFormula::State(StateFormula::Proposition(Proposition(0)));
//! let path = PathFormula::Until {
//!     left: Box::new(always),
//!     right: Box::new(heads),
//!     within: Interval { from: RBig::ZERO, to: None },
//! };
//! let query = Query::Value(Measure::Probability { optimum: None, path });
//! let Ok(Answer::Value(value)) = answer(&process, &query, &Settings::default()) else { panic!() };
//! assert!(value.bounds.contain(&ratio(50, 51)));
//! # Ok::<(), mandala_markov::ProcessError>(())
//! ```
//!
//! The modules, from the bottom up: `rounding` and `bounds` are numbers rounded outwards, `exact` exact ones, `number` what both have in common, `pool` a table of both. `process` is the input. `qualitative` and `end_components`
//! look at the graph alone, `system` writes equations down, `part` one component of them, `iteration`, `elimination` and `policy` are ways to solve it, `solve` chooses. `reach` asks for what happens at any time, `steps` within a number of steps,
//! `uniform` with `poisson` until some time, `long_run` in the long run. `path`, `evaluate` and `answer` take questions apart. Each algorithm is named at the head of its file, with where it was published.

mod answer;
mod bounds;
mod elimination;
mod end_components;
mod error;
mod evaluate;
mod exact;
mod iteration;
mod long_run;
mod number;
mod part;
mod path;
mod poisson;
mod policy;
mod pool;
mod process;
mod qualitative;
mod reach;
mod rounding;
mod solve;
mod steps;
mod system;
mod uniform;

pub use answer::{Answer, Numbers, Settings, Value, answer};
pub use bounds::Bounds;
pub use error::{MarkovError, ProcessError};
pub use exact::Exact;
pub use pool::Pool;
pub use process::{Branch, Kind, Process, ProcessBuilder};
