//! Random Murphi models, and what everybody thinks of them.
//!
//! A seed means one model. The models are small in their text and their states, right for Rumur, and free of what
//! Rumur leaves to the C compiler: a function that changes something is called alone in its statement. Most reads are
//! of variables that have a value and most numbers stay in their ranges, so that most models say more than "error".
//!
//! | file | what it does |
//! |---|---|
//! | `scope` | types, and what can be named at a point of the model |
//! | `expressions` | values and conditions |
//! | `statements` | statements |
//! | `parts` | functions, start states, rules, properties |
//! | `shrink` | makes a model smaller while something stays true of it |
//! | `compare` | asks Rumur and our own engines |

pub mod compare;
mod expressions;
mod parts;
mod scope;
mod shrink;
mod statements;

pub use shrink::shrink;

use crate::random::RandomSource;
use scope::{Name, TypeDef};
use std::fmt::{self, Display, Formatter};

/// A model as a tree that can be printed and taken apart.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Model {
    /// Declarations of types and variables, one each.
    pub declarations: Vec<String>,
    /// Functions, start states and rules, in order.
    pub parts: Vec<Part>,
    /// Invariants and other properties.
    pub properties: Vec<String>,
}

/// A function, start state or rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What comes before the local variables.
    pub head: String,
    /// Local variables, as `name: type`.
    pub locals: Vec<String>,
    /// What it does.
    pub body: Vec<Statement>,
    /// What closes it.
    pub tail: String,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// One without statements in it.
    Simple(String),
    /// One with statements behind each of its heads, and an end.
    Compound(Vec<(String, Vec<Statement>)>, &'static str),
}

impl Display for Model {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.declarations
            .iter()
            .try_for_each(|d| writeln!(f, "{d}"))?;
        self.parts.iter().try_for_each(|part| write!(f, "{part}"))?;
        self.properties.iter().try_for_each(|p| writeln!(f, "{p}"))
    }
}

impl Display for Part {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.head)?;
        for local in &self.locals {
            writeln!(f, "  var {local};")?;
        }
        writeln!(f, "begin")?;
        self.body.iter().try_for_each(|s| s.print(1, f))?;
        writeln!(f, "{}", self.tail)
    }
}

impl Statement {
    fn print(&self, depth: usize, f: &mut Formatter<'_>) -> fmt::Result {
        let indent = "  ".repeat(depth);
        match self {
            Statement::Simple(text) => writeln!(f, "{indent}{text};"),
            Statement::Compound(branches, end) => {
                for (head, body) in branches {
                    writeln!(f, "{indent}{head}")?;
                    body.iter().try_for_each(|s| s.print(depth + 1, f))?;
                }
                writeln!(f, "{indent}{end};")
            }
        }
    }
}

/// The model of that seed.
pub fn model(seed: u64) -> Model {
    let mut generator = Generator::new(seed);
    generator.types();
    generator.globals();
    generator.functions();
    generator.start_states();
    generator.rules();
    generator.properties();
    generator.model
}

/// What is known while a model grows.
struct Generator {
    dice: RandomSource,
    model: Model,
    types: Vec<TypeDef>,
    /// What can be named, the outermost first.
    names: Vec<Name>,
    functions: Vec<parts::Signature>,
    /// A variable that only goes to and fro.
    toggle: Option<String>,
    /// How many names have been made up.
    fresh: usize,
    /// How careless the model is, in percent: reads of what may be undefined, numbers that may leave their range.
    careless: usize,
}

impl Generator {
    fn new(seed: u64) -> Self {
        let mut dice = RandomSource::new(seed);
        let careless = dice.weighted(&[(7, 0), (2, 2), (1, 10)]);
        Generator {
            dice,
            model: Model::default(),
            types: Vec::new(),
            names: Vec::new(),
            functions: Vec::new(),
            toggle: None,
            fresh: 0,
            careless,
        }
    }

    /// A name that nobody has.
    fn fresh(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_means_the_same_model() {
        assert_eq!(model(5), model(5));
        assert_ne!(model(5), model(6));
    }

    #[test]
    fn models_are_right() {
        for seed in 0..60 {
            let text = model(seed).to_string();
            let answer = compare::outline(&text);
            assert!(answer.is_ok(), "seed {seed}: {answer:?}\n{text}");
        }
    }
}
