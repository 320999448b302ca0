//! All tests of this crate are one program: it is linked once, and they share the cores.

mod common;
mod cycles;
mod deep;
mod limits;
mod logs;
mod partial_order;
mod product;
mod resume;
mod search;
mod workers;
