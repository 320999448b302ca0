//! All tests of this crate are one program: it is linked once, and they share the cores.

mod channels;
mod claims;
mod common;
mod events;
mod faults;
mod people;
mod processes;
mod rules;
mod steps;
mod values;
