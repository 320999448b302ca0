//! The strategies of SymmSpin and TopSPIN that work on the view of a state alone, one a file.
//!
//! They are here to be compared with: the [`Canonicaliser`](crate::Canonicaliser) is exact like `full` and `segmented`, at a
//! cost near that of `sorted`. Images are compared lexicographically: rows, references, shared references, relations.
//!
//! | strategy | least image over | exact |
//! |---|---|---|
//! | [`Sorted`] | one permutation that sorts the rows | no |
//! | [`Segmented`] | all permutations that sort the rows | yes |
//! | [`Full`] | all permutations | yes |
//! | [`LocalSearch`] | what exchanges of two points reach downhill | no |

mod full;
mod least_image;
mod local_search;
mod segmented;
mod sorted;

pub use full::Full;
pub use local_search::LocalSearch;
pub use segmented::Segmented;
pub use sorted::Sorted;
