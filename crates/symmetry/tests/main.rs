//! All tests of this crate are one program: it is linked once, and they share the cores.

#![allow(unreachable_pub, reason = "visibility is not restricted here yet")]

mod action;
mod bundled;
mod checked;
mod common;
mod condensed;
mod derived;
mod derived_processes;
mod detected;
mod late;
mod mutants;
mod mutants_of_names;
mod mutants_of_rings;
mod names;
mod neighbours;
mod random;
mod random_data;
mod refusals;
mod rings;
mod scalarsets;
mod statements;
mod watched;
