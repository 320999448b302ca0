//! Mandala as a library: load a model, check it, read the trace.
//!
//! A [`Model`] is read from a file or made of a text; a [`Check`] says what is asked and how far it may go; a [`Report`] has the verdict, and the run to a violation
//! if there is one. All that `mandala check` does, this does, in the process that calls it.
//!
//! # A violation and its trace
//!
//! ```
//! use mandala::{Model, Verdict};
//!
//! let lock = "
//!     bool taken; byte inside;
//!     active [2] proctype Worker() {
//!         do
//!         :: !taken -> taken = true; inside++; assert(inside == 1); inside--; taken = false
//!         od
//!     }";
//! let report = Model::parse("lock.pml", lock)?.check().run()?;
//!
//! assert_eq!(report.verdict(), Verdict::Violated);
//! let violation = report.violation().expect("it is violated");
//! assert_eq!(violation.message, "an assertion failed");
//! assert_eq!(violation.values[0].value, "2", "so many are inside");
//!
//! let trace = report.trace().expect("a violation has a trace");
//! assert!(trace.shortest);
//! let looked: Vec<&str> = trace.steps.iter().take(2).map(|step| step.process.as_str()).collect();
//! assert_eq!(trace.steps.len(), 7);
//! assert_eq!(looked, ["Worker", "Worker"], "both look before either takes");
//! # Ok::<(), mandala::Error>(())
//! ```
//!
//! # Constants, formulas and limits
//!
//! ```
//! use mandala::{ModelReader, Verdict};
//! use std::time::Duration;
//!
//! let counter = "
//!     byte x;
//!     active proctype P() { do :: x < N -> x++ :: x == N -> x = 0 od }";
//! let model = ModelReader::new()
//!     .define("N", 3)
//!     .ltl("returns", "[] (x == 3 -> <> (x == 0))")
//!     .ltl("stays", "<> [] (x == 3)")
//!     .parse("counter.pml", counter)?;
//!
//! let report = model.check().keep_going().time(Duration::from_secs(60)).run()?;
//! let verdict = |name: &str| report.property(name).map(|property| property.verdict);
//! assert_eq!(verdict("returns"), Some(Verdict::Holds));
//! assert_eq!(verdict("stays"), Some(Verdict::Violated));
//!
//! // A limit that is reached is no error: the verdict is unknown, and the report says why.
//! let report = model.check().property("safety").property("returns").property("stays").states(2).run()?;
//! assert_eq!(report.verdict(), Verdict::Unknown);
//! assert!(!report.is_complete());
//! # Ok::<(), mandala::Error>(())
//! ```
//!
//! # Symmetry, and what is wrong with a model
//!
//! ```
//! use mandala::{Error, Model};
//!
//! let model = Model::parse(
//!     "three.pml",
//!     "byte turns; active [3] proctype P() { byte mine; mine++; turns++; mine = 0 }",
//! )?;
//! let reduced = model.check().run()?;
//! let full = model.check().without_symmetry().run()?;
//! assert_eq!(reduced.document().symmetry.order.to_string(), "6");
//! assert!(reduced.states() < full.states());
//! assert_eq!(reduced.verdict(), full.verdict());
//!
//! match Model::parse("wrong.pml", "active proctype P() { x = 1 }") {
//!     Err(Error::Model(text)) => assert!(text.contains("wrong.pml:1:23")),
//!     other => panic!("{other:?}"),
//! }
//! # Ok::<(), mandala::Error>(())
//! ```
//!
//! # What else there is
//!
//! [`Check::options`] reaches every option of the command line ([`options`]), [`Report::document`] every field of the JSON document ([`document`]).

mod check;
mod error;
mod model;
mod stack;

pub use check::{Check, Report};
pub use error::Error;
pub use mandala_checker::options;
pub use mandala_checker::watch::Progress;
pub use mandala_report::document;
pub use mandala_report::document::Verdict;
pub use model::{Model, ModelReader};
