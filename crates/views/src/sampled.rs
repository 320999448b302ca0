//! The states that one number of members reaches, up to renaming: they show whether something grows with the number.

use crate::abstraction::{Reach, Wish};
use crate::conditions::Needs;
use crate::family::{Family, SizedModel};
use crate::resized::Outside;
use crate::space::{Configuration, Failed, Pool, Sized, Steps};
use std::collections::{HashSet, VecDeque};

/// What is reached with one number of members.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// How many members there are.
    pub members: usize,
    /// How many states are reached, up to renaming.
    pub orbits: u64,
    /// For each shared cell, the greatest number that it holds. A cell that holds a member counts as 0 or 1.
    pub greatest: Vec<i64>,
}

/// Explores the model with so many members; nothing if it was told to stop.
///
/// # Errors
///
/// If the model needs more than the encoding has.
pub fn sample(
    base: SizedModel<'_>,
    family: &Family,
    needs: &Needs,
    members: usize,
    watch: &mut dyn FnMut(&Reach) -> Wish,
) -> Result<Option<Sample>, Failed> {
    let sized = Sized::new(base, family, members, Outside::Never)?;
    let mut steps = Steps::new(&sized);
    let mut pool = Pool::default();
    let mut known: HashSet<Configuration> = HashSet::new();
    let mut waiting = VecDeque::new();
    let mut next = steps.start()?.successors;
    let mut reach = Reach::default();
    loop {
        for split in next {
            let state = pool.configuration(split);
            if known.insert(state.clone()) {
                waiting.push_back(state);
            }
        }
        reach.configurations = known.len() as u64;
        if reach.configurations.is_multiple_of(64) && watch(&reach) == Wish::Stop {
            return Ok(None);
        }
        let Some(state) = waiting.pop_front() else {
            break;
        };
        next = steps.follow(&pool, &state, needs)?.successors;
    }
    Ok(Some(summary(&pool, &known, members)))
}

fn summary(pool: &Pool, known: &HashSet<Configuration>, members: usize) -> Sample {
    let mut greatest: Vec<i64> = Vec::new();
    for state in known {
        let shared = pool.shared(state);
        greatest.resize(shared.len(), i64::MIN);
        for (most, value) in greatest.iter_mut().zip(shared) {
            *most = (*most).max(*value);
        }
    }
    Sample {
        members,
        orbits: known.len() as u64,
        greatest,
    }
}
