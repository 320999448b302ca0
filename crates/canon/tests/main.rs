//! All tests of this crate are one program: it is linked once, and they share the cores.

mod brute_force;
mod counts;
mod hard_graphs;
mod relabelling;
mod strategies;
mod support;
