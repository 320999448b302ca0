//! All tests of this crate are one program: it is linked once, and they share the cores.

mod common;
mod constants;
mod dead;
mod defined;
mod endings;
mod gather;
mod merge;
mod reverified;
mod rules;
mod unread;
