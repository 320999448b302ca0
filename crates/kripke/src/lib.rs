//! Infinite runs of a finite graph, up to symmetry: automata, fairness, formulas of branching time.
//!
//! A [`Structure`] is a graph: its nodes have propositions, and its infinite walks are the runs of some system. Nothing here knows what the system is. Two
//! questions are answered about it: [`find_lasso`] finds a run that a Büchi [automaton](mandala_temporal::Automaton) accepts, and [`check_ctl`] says whether a formula of
//! computation tree logic holds. Both can be asked about [fair](Fairness) runs alone, and both give runs as evidence.
//!
//! A node may stand for an orbit of states, which are the same but for the names of their actors. Then each edge says how the
//! names change along it ([`Label`]), and the answers are those about the graph of all states. The propositions must not tell the
//! states of an orbit apart.
//!
//! ```
//! use mandala_kripke::{
//!     Acceptor, Fairness, Label, Length, StructureBuilder, check_ctl, find_lasso,
//! };
//! use mandala_temporal::{Ctl, Guard, Proposition};
//!
//! // Two actors take turns as they like. States that differ by a swap are one node: whoever moved last is called 0.
//! let mut builder = StructureBuilder::new(1, 2)?;
//! let again = builder.label(Label::new(&[0], &[0, 1]))?;
//! let other = builder.label(Label::new(&[1], &[0, 1]).renamed(&[1, 0]))?;
//! builder.edge(0, again)?;
//! builder.edge(0, other)?;
//! let node = builder.close(&[0])?;
//! builder.start(node);
//! let structure = builder.finish()?;
//!
//! let visits = Acceptor::always(Guard::True).where_marked(Proposition(0));
//! let lasso = find_lasso(&structure, &visits, Fairness::None, Length::Short)?.unwrap();
//! assert_eq!(lasso.cycle.len(), 1);
//! // A fair run needs both.
//! let lasso = find_lasso(&structure, &visits, Fairness::Weak, Length::Short)?.unwrap();
//! assert_eq!(lasso.cycle.len(), 2);
//!
//! let verdict = check_ctl(&structure, &Ctl::proposition(0).always_possible(), Fairness::None)?;
//! assert!(verdict.holds);
//! # Ok::<(), mandala_kripke::KripkeError>(())
//! ```
//!
//! The modules, from the bottom up: `structure` (with `label`) and `acceptor` are the input, `product` (with `pairs`) puts them together step by step,
//! `components` finds strongly connected components, `fairness` (with `origins`) judges them, `hunt` does that for all, `round` and `lasso` make runs, `shortest`
//! the shortest ones, `indexed` the graph for questions about each of some indices, `growing` and `on_the_way` find out whether there is a run at all while the graph is written down, `labelling` and `evidence` are for formulas. Everything is iterative, in the size of the graph, and
//! takes time in proportion to the number of edges, times the number of actors where fairness is asked for.

mod acceptor;
mod bits;
mod components;
mod error;
mod evidence;
mod fairness;
mod growing;
mod hunt;
mod indexed;
mod label;
mod labelling;
mod lasso;
mod on_the_way;
mod origins;
mod pairs;
mod product;
mod round;
mod shortest;
mod shortest_paths;
mod structure;

pub use acceptor::Acceptor;
pub use bits::Bits;
pub use components::{Components, Successors};
pub use error::KripkeError;
pub use evidence::{CtlVerdict, Evidence, Fact, check_ctl};
pub use fairness::Fairness;
pub use growing::{Acts, Growing, MOST_ACTORS};
pub use indexed::Indexing;
pub use label::{Actor, Label};
pub use labelling::CtlChecker;
pub use lasso::{Lasso, Length, Move, find_lasso, find_lasso_within};
pub use on_the_way::{Unfold, has_run};
pub use structure::{Structure, StructureBuilder};
