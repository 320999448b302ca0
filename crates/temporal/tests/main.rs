//! All tests of this crate are one program: it is linked once, and they share the cores.

mod common;
mod hoa;
mod lasso;
mod limits;
mod product;
mod recorded;
mod spin;
