//! All tests of this crate are one program: it is linked once, and they share the cores.

#![allow(unreachable_pub, reason = "visibility is not restricted here yet")]

mod any_group;
mod common;
mod counts;
mod groups;
mod settings;
mod strangers;
mod strategies;
mod workers;
