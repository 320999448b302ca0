//! All tests of this crate are one program: it is linked once, and they share the cores.

mod common;
mod ctl;
mod indexed;
mod on_the_way;
mod pitfalls;
mod symmetry;
