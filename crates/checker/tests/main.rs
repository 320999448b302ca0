//! All tests of this crate are one program: it is linked once, and they share the cores.

#![allow(unreachable_pub, reason = "visibility is not restricted here yet")]

mod allocations;
mod asymmetric;
mod branching;
mod compiled;
mod corpus;
mod counters;
mod evidence;
mod facts;
mod frontend;
mod graph;
mod identity;
mod many_names;
mod plan;
mod plugged;
mod possible;
mod probabilities;
#[path = "../../../conformance/src/promises.rs"]
#[allow(dead_code)]
mod promises;
mod rules;
mod sizes;
mod statics;
mod symbolic;
mod symmetry;
#[path = "../../encoding/tests/common/rules.rs"]
mod systems;
mod unreached;
mod wide;
