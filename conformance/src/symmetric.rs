//! Random Promela programs that are symmetric, and the same programs with one thing in them that is not.
//!
//! A seed means one program: one or two families of processes that differ in nothing but their names, and
//! sometimes others that serve them. The names are process numbers or plain values, are handed out by
//! `active [n]`, by `run P()` or by `run P(i)`, sit in variables, records, arrays and messages, index
//! arrays and channels, are looped over, chosen and compared. Everything is written so that exchanging
//! names changes nothing that matters; what a certifier makes of it is another question.
//!
//! The generator passes many *sites* at which one might slip: an id is used, a condition asked, a loop
//! bounded, a variable given its first value. [`mutant`] makes the program of the seed with one slip, at
//! one site: an order comparison, arithmetic, one name written out, a question about one process. Most
//! slips break the symmetry. Some do not, and nothing depends on which is which.
//!
//! In the programs of [`arranged`], not all permutations of the processes are symmetries: those form rings, cubes, trees.
//!
//! | file | what it makes |
//! |---|---|
//! | `world` | domains of names, families of processes, what can be named where |
//! | `tamper` | sites and slips |
//! | `values` | ids, numbers, conditions |
//! | `messages` | sends and receives |
//! | `statements` | everything else without a loop |
//! | `loops` | statements that do something for each name |
//! | `globals` | variables and channels that all share |
//! | `processes` | bodies |
//! | `spawns` | `init`, and what processes are told |
//! | `observers` | claims and formulas |
//! | `declare` | declarations of the symmetry |

pub mod arranged;
mod declare;
mod globals;
mod loops;
mod messages;
mod observers;
mod processes;
mod spawns;
mod statements;
mod tamper;
mod values;
mod world;

use crate::program::Program;
use crate::random::RandomSource;
use tamper::Tamper;
use world::{Scope, World};

/// A random program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specimen {
    /// The program.
    pub program: Program,
    /// The order of the group that it has by construction, but for a slip, if that is known. It may have more.
    pub order: Option<u64>,
    /// What was slipped into it, if anything.
    pub slip: Option<String>,
}

/// The symmetric program of that seed.
pub fn specimen(seed: u64) -> Specimen {
    Generator::new(seed, Tamper::never()).specimen()
}

/// The symmetric program of that seed without assertions and claims, and conditions that treat all names alike.
pub fn observed(seed: u64) -> (Program, Vec<String>) {
    let mut generator = Generator::new(seed, Tamper::never());
    let program = generator.specimen().program;
    let conditions = (0..OBSERVATIONS).map(|_| format!("({})", generator.observation()));
    let conditions = conditions.collect();
    let program = Program {
        never: None,
        ..program.without_assertions()
    };
    (program, conditions)
}

/// How many conditions a program is looked at with.
const OBSERVATIONS: usize = 4;

/// The program of that seed with one slip; the second seed says where and which.
pub fn mutant(seed: u64, slip: u64) -> Specimen {
    let mut dice = RandomSource::new(slip);
    for _ in 0..ATTEMPTS {
        let mut generator = Generator::new(seed, Tamper::never());
        generator.specimen();
        let site = dice.below(generator.tamper.passed().max(1));
        let specimen = Generator::new(seed, Tamper::at(site, &mut dice)).specimen();
        if specimen.slip.is_some() {
            return specimen;
        }
    }
    specimen(seed)
}

/// How often another site is tried where there was nothing to slip on.
const ATTEMPTS: usize = 20;

/// What is known while a program grows.
struct Generator {
    dice: RandomSource,
    tamper: Tamper,
    world: World,
    scope: Scope,
    program: Program,
    /// What must be true for the statement that is being made: ids that index something name somebody.
    needs: Vec<String>,
    /// Local variables that hold names: `P.l0`, and of which domain.
    local_ids: Vec<(String, usize)>,
}

/// Where a statement stands.
#[derive(Clone, Copy, Debug)]
struct Around {
    /// Within `d_step`: nothing may block after the first statement.
    step: bool,
    /// How many statements are around it.
    depth: usize,
}

impl Around {
    const BODY: Around = Around {
        step: false,
        depth: 0,
    };

    fn deeper(self) -> Around {
        Around {
            depth: self.depth + 1,
            ..self
        }
    }

    fn in_step(self) -> Around {
        Around {
            step: true,
            ..self.deeper()
        }
    }
}

impl Generator {
    fn new(seed: u64, tamper: Tamper) -> Self {
        let mut dice = RandomSource::new(seed ^ 0x5359_4d4d);
        let world = World::random(&mut dice);
        Generator {
            dice,
            tamper,
            world,
            scope: Scope::default(),
            program: Program::default(),
            needs: Vec::new(),
            local_ids: Vec::new(),
        }
    }

    fn specimen(&mut self) -> Specimen {
        self.globals();
        self.links();
        self.processes();
        self.observers();
        self.declare();
        Specimen {
            program: std::mem::take(&mut self.program),
            order: None,
            slip: self.tamper.done(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_means_one_program() {
        assert_eq!(specimen(7), specimen(7));
        assert_eq!(mutant(7, 3), mutant(7, 3));
        assert_ne!(specimen(7), specimen(8));
    }

    #[test]
    fn mutants_differ_from_the_program_and_say_how() {
        let differ = (0..50).filter(|seed| {
            let mutant = mutant(*seed, 1);
            mutant.slip.is_some() && mutant.program != specimen(*seed).program
        });
        assert!(differ.count() > 40);
    }
}
