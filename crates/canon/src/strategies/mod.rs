//! The strategies of SymmSpin, one a file.
//!
//! They are here to be compared with: the [`Canonicaliser`](crate::Canonicaliser) is exact like `full` and `segmented`, at a
//! cost near that of `sorted`. Images are compared in the order of [`compare`](crate::compare).
//!
//! | strategy | least image over | exact |
//! |---|---|---|
//! | [`Sorted`] | one permutation that sorts the main array | no |
//! | [`Segmented`] | all permutations that sort the main array | yes |
//! | [`Full`] | all permutations | yes |
//!
//! The main array is the whole row of each point, or some columns of it.

mod full;
mod least_image;
mod main_array;
mod segmented;
mod sorted;

pub use full::Full;
pub use segmented::Segmented;
pub use sorted::Sorted;
