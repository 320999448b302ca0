//! What views say of models with a family of every size.

mod conditions;
mod dice;
mod processes;
mod random;
mod rich;
mod support;
mod systems;
