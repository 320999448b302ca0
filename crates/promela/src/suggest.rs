//! Guesses at what a misspelt name was meant to be: shared by all front ends.

pub(crate) use mandala_model::suggest::closest;
