//! What views say of models with a family of every size.

mod conditions;
mod random;
mod support;
