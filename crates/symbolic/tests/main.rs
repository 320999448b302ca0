//! All tests of this crate are one program: it is linked once, and they share the cores.

mod births;
mod bundled;
mod common;
mod meetings;
mod murphi;
mod promela;
mod symmetry;
