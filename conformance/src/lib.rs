//! Comparisons of Mandala with Spin, with Rumur and with itself. For development only.
//!
//! Kinds of evidence, each a test of this crate:
//!
//! - `oracle`: models of other projects, with what Spin has said of them ([`oracle`]);
//! - `models`: the bundled models, with what their headers promise ([`promises`]);
//! - `corpus`: small programs about one rule each;
//! - `random`: random programs ([`generate`]), compared with Spin where it is installed
//!   and with the reference interpreter always ([`compare`]). What disagrees is shrunk ([`shrink`]);
//! - `symmetry_models`: known numbers of orbits, and every strategy on every model ([`strategies`]);
//! - `symmetry_random`: random symmetric programs and their mutants ([`symmetric`]), every strategy against the
//!   search without symmetry and against brute force over all permutations ([`quotient`]);
//! - `detected_groups`, `detection_mutants`, `look_alikes`: what is detected in the bundled models, in almost symmetric
//!   mutants and in models that look like something else, judged by the explicit state graph ([`truth`]);
//! - `asymmetric`: random programs that are symmetric but for few statements ([`asymmetric`]): abstract states against all reachable states, orbits of virtually symmetric programs against searches without symmetry;
//! - `counters`: members counted ([`countable`]), against searches of all states, all permutations, and Spin on counter programs;
//! - `static_models`, `static_random`: bundled and random models with and without static reductions ([`statics`]);
//! - `partial_order`: bundled and random models with and without partial-order reduction ([`partial_order`]; both by [`with_and_without`]);
//! - `murphi`, `murphi_suite`: models in Murphi, with what Rumur and CMurphi have said of them, and Rumur's own tests ([`suite`]);
//! - `murphi_random`: random models in Murphi ([`mod@murphi`]), compared with Rumur where it is installed;
//! - `red`: pointer automata, bundled and random ([`red`]), every strategy and every static reduction;
//! - `infinite_runs`: what Spin says of runs that go on for ever ([`infinite`]);
//! - `temporal_random`: random formulas on random programs ([`reactive`], [`formula`]), with and without symmetry and fairness, compared with
//!   Spin and with the reference engine ([`temporal`]); `temporal_symmetric`: fair runs of random symmetric programs; `temporal_bundled`: those of the
//!   bundled models; `temporal_corpus`: small models with their verdicts; `temporal_models`: claims in models of other projects ([`forever`]);
//! - `branching_random`: random formulas of branching time ([`branching`]) on random symmetric programs, with and without symmetry and fairness,
//!   compared with the reference engine; on decision diagrams on programs of their own ([`identical_processes`]);
//! - `indexed_random`: what is asked of each of several members of random systems ([`indexed`]), with and without symmetry and fairness, compared with the reference
//!   engine and decision diagrams;
//! - `symbolic`: decision diagrams against single states on every model ([`engines`]);
//! - `native`: machine code against the interpreter of the compiled form, state by state ([`native`]);
//! - `workspace`: the hierarchy of crates, and the licences of others ([`mod@workspace`]).
//!
//! [`spin`], [`rumur`] and [`ours`] ask the sides the same question.

pub mod asymmetric;
pub mod branching;
pub mod compare;
pub mod countable;
pub mod dose;
pub mod engines;
pub mod forever;
pub mod formula;
pub mod generate;
pub mod identical_processes;
pub mod indexed;
pub mod infinite;
pub mod modules;
pub mod murphi;
pub mod native;
pub mod oracle;
pub mod ours;
pub mod partial_order;
pub mod program;
pub mod promises;
pub mod quotient;
pub mod random;
pub mod reactive;
pub mod red;
pub mod reduced;
pub mod rulesets;
pub mod rumur;
pub mod shrink;
pub mod spin;
pub mod statics;
pub mod strategies;
pub mod suite;
pub mod symmetric;
pub mod temporal;
pub mod truth;
pub mod with_and_without;
pub mod workspace;

mod command;
