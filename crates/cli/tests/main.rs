//! All tests of this crate are one program: it is linked once, and they share the cores.

mod bad_input;
mod check;
mod checkpoints;
mod claims;
mod common;
mod declared;
mod dialects;
mod formulas;
mod indexed;
mod ir;
mod limits;
mod murphi;
mod outputs;
mod proofs;
mod readable;
mod red;
mod replay;
mod search;
mod simulate;
mod stated;
mod statics;
mod suite;
mod symmetry;
mod temporal;
mod threads;
