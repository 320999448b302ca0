//! All tests of this crate are one program: it is linked once, and they share the cores.

#![allow(unreachable_pub, reason = "visibility is not restricted here yet")]

mod bad_input;
mod bugs;
mod check;
mod checkpoints;
mod claims;
mod common;
mod declared;
mod dialects;
mod docs;
mod every;
mod exports;
mod formulas;
mod help;
mod indexed;
mod ir;
mod limits;
mod murphi;
mod outputs;
mod proofs;
mod readable;
mod red;
mod replay;
mod schemas;
mod search;
mod simulate;
mod stated;
mod statics;
mod suite;
mod symmetry;
mod temporal;
mod threads;
