//! All tests of this crate are one program: it is linked once, and they share the cores.
