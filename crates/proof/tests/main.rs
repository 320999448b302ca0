//! All tests of this crate are one program. What the checker accepts and rejects is tested with the models of `mandala-symmetry`.

mod documents;
mod size;
