//! All tests of this crate are one program: it is linked once, and they share the cores.

mod attack;
mod browser;
mod gallery;
mod support;
