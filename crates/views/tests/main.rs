//! What views say of models with a family of every size.

#![allow(unreachable_pub, reason = "visibility is not restricted here yet")]

mod checked;
mod conditions;
mod counted;
mod dice;
mod processes;
mod questions;
mod random;
mod rejected;
mod rich;
mod support;
mod systems;
