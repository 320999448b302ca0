//! Random programs whose processes stand in some arrangement, and whose values can be exchanged for each other in some
//! ways only.
//!
//! The processes of a family form a ring, a cube, blocks, teams or a tree, and get to each other by arithmetic on their
//! own number: `(_pid + 1) % 4`, `_pid ^ 2`, `_pid / 2`, `(me - 1) / 2`. So not all permutations of them are symmetries,
//! but rotations are, for instance. Values are flipped (`1 - x`), turned (`(c + 1) % 3`), or only compared for
//! equality, whatever the processes are.
//!
//! Some symmetries exchange the ways from a place to its neighbours: the reflection of a ring makes the next one the one before.
//! For those, every choice of a body is made once for each *twist* ([`places`]): the same choice with the ways
//! exchanged. To that end the dice are rolled again from the same point on.
//!
//! Each program knows the order of the group that it has by construction. It may have more: of a ring in which nobody looks
//! at anybody, all permutations are symmetries. As in the programs without an arrangement, [`mutant`] makes one slip.
//!
//! | file | what it makes |
//! |---|---|
//! | `places` | arrangements, and the ways from place to place |
//! | `colours` | values that can be exchanged |
//! | `actors` | how places are known to processes, and what can be named where |
//! | `globals` | variables and channels that all share |
//! | `terms` | places, values, numbers, indices |
//! | `conditions` | conditions |
//! | `statements` | statements |
//! | `messages` | sends and receives |
//! | `breaks` | what breaks the symmetry |
//! | `bodies` | processes, `init`, claims |

mod actors;
mod bodies;
mod breaks;
mod colours;
mod conditions;
mod globals;
mod messages;
mod places;
mod statements;
mod terms;

use super::Specimen;
use super::tamper::Tamper;
use crate::program::Program;
use crate::random::RandomSource;
use actors::{Cast, Scope};

/// The program of that seed.
pub fn specimen(seed: u64) -> Specimen {
    Generator::new(seed, Tamper::never()).specimen()
}

/// The program of that seed with one slip; the second seed says where and which.
pub fn mutant(seed: u64, slip: u64) -> Specimen {
    let mut honest = Generator::new(seed, Tamper::never());
    let program = honest.specimen();
    let sites = honest.tamper.passed().max(1);
    let mut dice = RandomSource::new(slip);
    for _ in 0..super::ATTEMPTS {
        let tamper = Tamper::at(dice.below(sites), &mut dice);
        let specimen = Generator::new(seed, tamper).specimen();
        if specimen.slip.is_some() && specimen.program != program.program {
            return specimen;
        }
    }
    program
}

/// What is known while a program grows.
struct Generator {
    dice: RandomSource,
    tamper: Tamper,
    cast: Cast,
    scope: Scope,
    program: Program,
    /// Which of the twists of the arrangement the current choice is made for.
    twist: usize,
    /// What must be true for the statement that is being made: what indexes something is a place.
    needs: Vec<String>,
}

impl Generator {
    fn new(seed: u64, tamper: Tamper) -> Self {
        let mut dice = RandomSource::new(seed ^ 0x4152_5247);
        let cast = Cast::random(&mut dice);
        Generator {
            dice,
            tamper,
            cast,
            scope: Scope::default(),
            program: Program::default(),
            twist: 0,
            needs: Vec::new(),
        }
    }

    fn specimen(&mut self) -> Specimen {
        self.globals();
        self.processes();
        self.observers();
        Specimen {
            program: std::mem::take(&mut self.program),
            order: Some(self.cast.order()),
            slip: self.tamper.done(),
        }
    }

    /// The same choice for each twist. Twists that come to the same are made once.
    fn twisted<T: PartialEq>(&mut self, mut choice: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let start = self.dice.clone();
        let mut made = Vec::new();
        for twist in 0..self.cast.arrangement.twists() {
            self.dice = start.clone();
            self.twist = twist;
            let next = choice(self);
            if !made.contains(&next) {
                made.push(next);
            }
        }
        self.twist = 0;
        made
    }
}

#[cfg(test)]
mod tests {
    use super::actors::Holds;
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

    #[test]
    fn every_way_to_compute_a_neighbour_comes_up() {
        let texts = (0..400).map(|seed| specimen(seed).program.to_string());
        let text = texts.collect::<String>();
        for way in [
            "% 3]", "% 4]", " ^ 1", "1 << ", " / 2", "- 1) / 2", "2 * ", "% 2)]", "1 - ", "!(v",
            "-> 0 :", "provided", "d_step", "atomic", "timeout", "[0] of", "never", "ltl", "next",
            "prev",
        ] {
            assert!(text.contains(way), "{way}");
        }
    }

    #[test]
    fn a_twist_rolls_the_dice_as_often_as_the_plain_choice() {
        for seed in 0..200 {
            let mut generator = Generator::new(seed, Tamper::never());
            generator.globals();
            generator.scope.own = Some(generator.cast.own().into());
            let mut ends = Vec::new();
            generator.twisted(|g| {
                g.branch();
                g.lively();
                g.stir(Holds::Place);
                ends.push(format!("{:?}", g.dice));
            });
            assert!(
                ends.windows(2).all(|pair| pair[0] == pair[1]),
                "seed {seed}"
            );
        }
    }
}
