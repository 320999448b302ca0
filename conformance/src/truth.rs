//! The explicit state graph as the judge of what detection finds.
//!
//! Detection looks at the text of a model; here all states are visited, and two questions are asked.
//!
//! - *Is it true?* Every generator, in every state that can be reached and in which it may be used, must map the steps of
//!   the state to those of its image, whether that can be reached or not: [`Judge::obedience`].
//! - *Is it all?* The true group consists of all automorphisms of the explicit state graph that permute processes, elements of
//!   arrays, variables, channels and values (`picture`). What is found must lie in it, and [`Judge::measure`] says how
//!   many times larger it is. [`Judge::brute_force`] asks the same in another way, with every permutation of what
//!   detection has put into domains.
//!
//! Groups are compared by what they do to states, as a permutation of names that never occur is no gain.
//!
//! The true group is that of the states which can be reached, and of their images under what was found. So it also has
//! symmetries by chance: of statements that are never executed, of values that are never compared. No text shows
//! those. And it lacks those of which nothing was found and that lead to states which cannot be reached.

pub mod bundled;
mod cells;
mod explored;
mod picture;

pub use explored::{Explored, Images, Step};

use crate::quotient::renamings;
use crate::reduced::Case;
use crate::spin::Claim;
use mandala_graphs::{Budget, automorphisms};
use mandala_groups::{BigUint, Group, Permutation};
use mandala_model::step::Observers;
use mandala_prepare::Prepared;
use mandala_symmetry::Certificate;
use picture::picture;
use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

/// A model with what was detected in it.
#[derive(Debug)]
pub struct Judge {
    observers: Observers,
    detected: Rc<Prepared>,
}

/// How much of the true group was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// How many states were looked at: those in which everything found may be used, and their images.
    pub states: usize,
    /// The order of the certified group.
    pub certified: BigUint,
    /// The order of what it does to the states.
    pub detected: BigUint,
    /// The order of what all symmetries do to the states.
    pub truth: BigUint,
    /// What generates them, in words.
    pub generators: Vec<String>,
}

impl Measured {
    /// Nothing was found.
    fn nothing() -> Self {
        let one = || BigUint::from(1u32);
        Measured {
            states: 0,
            certified: one(),
            detected: one(),
            truth: one(),
            generators: Vec::new(),
        }
    }

    /// The same with the true group of some states.
    fn with_truth(
        mut self,
        explored: &mut Explored<'_>,
        states: &[u32],
    ) -> Result<Measured, Unmeasured> {
        let (all, generators) = symmetries(explored, states, false)?;
        // Those that do nothing to states are a normal subgroup: the quotient is what acts on them.
        let (still, _) = symmetries(explored, states, true)?;
        self.truth = all / still;
        self.generators = generators;
        self.states = states.len();
        // The order of a subgroup divides that of the group.
        match &self.truth % &self.detected == BigUint::ZERO {
            true => Ok(self),
            false => Err(Unmeasured::Untrue),
        }
    }

    /// How many times larger the true group is.
    pub fn missed(&self) -> BigUint {
        &self.truth / &self.detected
    }
}

/// Why nothing could be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmeasured {
    /// There are too many states, or images of them.
    TooLarge,
    /// There is no time from which on everything found may be used.
    NeverSettled,
    /// The automorphisms of the graph take too long.
    TooHard,
    /// What was found is no symmetry. (That should have been asked first.)
    Untrue,
}

/// What all states say about generators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Obeyed {
    /// How many states there are.
    pub states: usize,
    /// How many generators.
    pub generators: usize,
    /// How often a generator was compared with the steps of a state.
    pub compared: usize,
    /// How many generators were never compared: there was no state for them.
    pub idle: usize,
}

/// How many refinements the automorphisms of a state graph may take.
const REFINEMENTS: u64 = 200_000;

impl Judge {
    /// Has the symmetry of a model detected.
    ///
    /// # Errors
    ///
    /// If the model declares a symmetry that it does not have.
    pub fn of(case: &Case) -> Result<Self, String> {
        Ok(Judge {
            observers: case.observers().unwrap_or_default(),
            detected: case.symmetry()?,
        })
    }

    /// What was detected.
    pub fn detected(&self) -> &Prepared {
        &self.detected
    }

    fn certificate(&self) -> Option<&Certificate> {
        self.detected.certificate.as_ref()
    }

    /// Visits all states of what would be searched; `None` if there are more than that.
    pub fn explore(&self, limit: usize) -> Option<Explored<'_>> {
        Explored::of(&self.detected.certified, self.observers, limit)
    }

    /// Compares every generator with the steps of every state.
    ///
    /// # Errors
    ///
    /// A state and a generator that its steps do not respect.
    pub fn obedience(&self, explored: &mut Explored<'_>) -> Result<Obeyed, String> {
        let mut obeyed = Obeyed {
            states: explored.reached(),
            ..Obeyed::default()
        };
        let Some(certificate) = self.certificate() else {
            return Ok(obeyed);
        };
        let mut images = Images::of(explored.model(), certificate);
        obeyed.generators = images.generators().len();
        for generator in 0..obeyed.generators {
            let before = obeyed.compared;
            for at in 0..explored.reached() as u32 {
                if let Some(why) = images.breach(explored, generator, at) {
                    let renaming = &images.generators()[generator];
                    return Err(format!("{why} by {renaming:?} in {:?}", explored.state(at)));
                }
                let used = images.image(explored, generator, at).is_some();
                obeyed.compared += usize::from(used);
            }
            obeyed.idle += usize::from(obeyed.compared == before);
        }
        Ok(obeyed)
    }

    /// Compares what was found with the true group.
    ///
    /// # Errors
    ///
    /// Why that is not possible, with so many states and images at most.
    pub fn measure(
        &self,
        explored: &mut Explored<'_>,
        limit: usize,
    ) -> Result<Measured, Unmeasured> {
        if explored.reached() > limit {
            return Err(Unmeasured::TooLarge);
        }
        let mut measured = Measured::nothing();
        let Some(certificate) = self.certificate() else {
            let states = all_there(explored);
            return measured.with_truth(explored, &states);
        };
        let mut images = Images::of(explored.model(), certificate);
        let states = settled(explored, &mut images, limit)?;
        measured.certified = certificate.order();
        measured.detected = order_on(explored, &mut images, &states)?;
        measured.with_truth(explored, &states)
    }

    /// How many products of permutations of the domains, certified or not, are symmetries; `None` if there are more than
    /// `limit` to try, or nothing was found that could be permuted.
    pub fn brute_force(&self, explored: &mut Explored<'_>, limit: usize) -> Option<usize> {
        let certificate = self.certificate()?;
        let reached = 0..explored.reached() as u32;
        let mut images = Images::of(explored.model(), certificate);
        let started = reached
            .clone()
            .find(|at| usable(explored, &mut images, *at))?;
        let all = renamings(certificate, &explored.state(started).state, limit)?;
        let mut images = Images::under(explored.model(), certificate, all);
        let candidates = 0..images.generators().len();
        let obeyed = candidates.filter(|renaming| {
            let breach = |at| images.breach(explored, *renaming, at);
            reached.clone().find_map(breach).is_none()
        });
        Some(obeyed.count())
    }
}

/// Judges a text: with its first claim, if it has one, every generator must respect the steps of every state, and all must
/// be of use; then what was found is measured.
///
/// # Errors
///
/// What is wrong, or why it cannot be said.
pub fn measure_text(text: &str, limit: usize) -> Result<Measured, String> {
    let case = Case::load(Path::new("text.pml"), text, &[], Claim::Product)?;
    let judge = Judge::of(&case)?;
    let mut explored = judge.explore(limit).ok_or("there are too many states")?;
    let obeyed = judge.obedience(&mut explored)?;
    if obeyed.idle > 0 {
        return Err(format!("generators without a state: {obeyed:?}"));
    }
    let measured = judge.measure(&mut explored, limit);
    measured.map_err(|e| format!("{e:?}"))
}

/// Whether all generators may be used in a state.
fn usable(explored: &mut Explored<'_>, images: &mut Images<'_>, at: u32) -> bool {
    let generators = 0..images.generators().len();
    generators
        .map(|g| images.image(explored, g, at))
        .all(|i| i.is_some())
}

/// The reachable states in which all generators may be used, and all states that images and steps lead to from there.
fn settled(
    explored: &mut Explored<'_>,
    images: &mut Images<'_>,
    limit: usize,
) -> Result<Vec<u32>, Unmeasured> {
    let reached = 0..explored.reached() as u32;
    let first: Vec<u32> = reached.filter(|at| usable(explored, images, *at)).collect();
    let mut known: BTreeSet<u32> = first.iter().copied().collect();
    let mut open = first;
    while let Some(at) = open.pop() {
        let generators = 0..images.generators().len();
        let moved: Option<Vec<u32>> = generators.map(|g| images.image(explored, g, at)).collect();
        let next = explored.steps(at).iter().filter_map(|s| s.next);
        let next: Vec<u32> = next.chain(moved.ok_or(Unmeasured::NeverSettled)?).collect();
        open.extend(next.into_iter().filter(|n| known.insert(*n)));
        if known.len() > limit {
            return Err(Unmeasured::TooLarge);
        }
    }
    match known.is_empty() {
        true => Err(Unmeasured::NeverSettled),
        false => Ok(known.into_iter().collect()),
    }
}

/// The states from which on all processes are there, or all states if that does not last.
fn all_there(explored: &mut Explored<'_>) -> Vec<u32> {
    let all: Vec<u32> = (0..explored.reached() as u32).collect();
    let count = |at: &u32| explored.state(*at).state.processes.len();
    let most = all.iter().map(count).max().unwrap_or(0);
    let there: BTreeSet<u32> = all.iter().copied().filter(|at| count(at) == most).collect();
    let lasts = there.iter().all(|at| {
        let mut next = explored.steps(*at).iter().filter_map(|s| s.next);
        next.all(|next| there.contains(&next))
    });
    match lasts {
        true => there.into_iter().collect(),
        false => all,
    }
}

/// The order of the group of all symmetries of some states, and its generators in words; if the states are told apart,
/// of those that do nothing to them.
fn symmetries(
    explored: &mut Explored<'_>,
    states: &[u32],
    told_apart: bool,
) -> Result<(BigUint, Vec<String>), Unmeasured> {
    let picture = picture(explored, states, told_apart).ok_or(Unmeasured::NeverSettled)?;
    let found = automorphisms(&picture.graph, &Budget::of_nodes(REFINEMENTS));
    let generators = found.generators.iter().map(|g| picture.tell(g)).collect();
    match found.complete {
        true => Ok((found.order, generators)),
        false => Err(Unmeasured::TooHard),
    }
}

/// The order of what generators generate, as it acts on states that they permute.
fn order_on(
    explored: &mut Explored<'_>,
    images: &mut Images<'_>,
    states: &[u32],
) -> Result<BigUint, Unmeasured> {
    let place = |state: Option<u32>| {
        let place = states.binary_search(&state?).ok()?;
        u32::try_from(place).ok()
    };
    let generators = 0..images.generators().len();
    let tables = generators.map(|generator| {
        let mut table = Vec::with_capacity(states.len());
        for at in states {
            if images.breach(explored, generator, *at).is_some() {
                return None;
            }
            table.push(place(images.image(explored, generator, *at))?);
        }
        Permutation::from_images(table).ok()
    });
    let tables: Option<Vec<Permutation>> = tables.collect();
    let tables = tables.ok_or(Unmeasured::Untrue)?;
    let group = Group::new(states.len(), tables).map_err(|_| Unmeasured::Untrue)?;
    Ok(group.order())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_symmetry::{Permutation as Numbers, Renaming};

    const RING: &str = "#define N 4
        bool fork[N];
        active [N] proctype P() {
            do
            :: atomic { !fork[_pid] -> fork[_pid] = true };
               atomic { !fork[(_pid + 1) % N] -> fork[(_pid + 1) % N] = true };
               atomic { fork[_pid] = false; fork[(_pid + 1) % N] = false }
            od
        }";

    const FREE: &str = "active [3] proctype P() {
            byte x;
            do
            :: d_step { x < 2 -> x++ }
            :: d_step { x == 2 && _pid == 1 -> x = 1 }
            od
        }";

    fn case(text: &str) -> Case {
        Case::load(Path::new("m.pml"), text, &[], Claim::None).expect("a model")
    }

    #[test]
    fn the_true_group_of_a_ring_is_known_without_detection() {
        let case = case(RING);
        let mut explored = Explored::of(case.model(), Observers::default(), 1_000).expect("small");
        let states = all_there(&mut explored);
        let measured = Measured::nothing().with_truth(&mut explored, &states);
        assert_eq!(measured.map(|m| m.truth), Ok(4u32.into()));
    }

    #[test]
    fn what_is_no_symmetry_is_found_out() {
        let case = case(FREE);
        let judge = Judge::of(&case).expect("a symmetry");
        let mut explored = judge.explore(1_000).expect("small");
        let certificate = judge.certificate().expect("two processes are alike");
        let swap = |a, b| Renaming::of_processes(Numbers::swap(a, b));
        let renamings = vec![swap(0, 2), swap(0, 1)];
        let mut images = Images::under(explored.model(), certificate, renamings);
        let states = 0..explored.reached() as u32;
        let breaches = |images: &mut Images<'_>, explored: &mut Explored<'_>, renaming| {
            let breach = |at| images.breach(explored, renaming, at);
            states.clone().filter_map(breach).count()
        };
        assert_eq!(breaches(&mut images, &mut explored, 0), 0);
        assert!(breaches(&mut images, &mut explored, 1) > 0);
    }

    #[test]
    fn brute_force_finds_the_rotations_among_all_permutations() {
        let case = case(RING);
        let judge = Judge::of(&case).expect("a symmetry");
        let mut explored = judge.explore(1_000).expect("small");
        assert_eq!(judge.brute_force(&mut explored, 50_000), Some(4));
        assert_eq!(judge.brute_force(&mut explored, 23), None);
    }

    #[test]
    fn start_up_does_not_count_where_nothing_is_found() {
        let text = "byte x; proctype P() { do :: x < 2 -> x++ od }
            proctype Q() { do :: x > 0 -> x-- od }
            init { run P(); run Q() }";
        let case = case(text);
        let mut explored = Explored::of(case.model(), Observers::default(), 1_000).expect("small");
        let there = all_there(&mut explored);
        assert!(!there.is_empty() && there.len() < explored.reached());
    }
}
