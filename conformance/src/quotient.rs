//! The quotient of a state space by brute force.
//!
//! Everything here is done the slow way, by other means than the reducing engine's: the interpreter visits all
//! states, and every product of permutations of the certified domains, all n! of each, is applied to them by
//! [`Action`], the reference. Where a certificate has a smaller group, its renamings are applied again and again until nothing
//! new comes up. That answers two questions about a certificate:
//!
//! - Is it true? Where an exchange of two names or another certified renaming maps a state to another one, it must map the steps of the
//!   one to those of the other ([`StateSpace::asymmetry`]).
//! - How many states must a canonical strategy keep? As many as there are orbits ([`StateSpace::orbits`]).

use mandala_interpreter::{Configuration, Interpreter, MacroStep};
use mandala_model::step::{Observers, Violation};
use mandala_model::{Model, State};
use mandala_symmetry::{Action, Certificate, Domain, DomainKind, Permutation, Renaming};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

/// All states that can be reached.
#[derive(Clone, Debug)]
pub struct StateSpace<'m> {
    interpreter: Interpreter<'m>,
    reached: Vec<Configuration>,
}

/// A step as it counts: where it leads, and what goes wrong, places left out.
pub(crate) type Outcome = (Option<Configuration>, Vec<String>);

impl<'m> StateSpace<'m> {
    /// Visits everything; `None` if there are more states than that, or none at all.
    pub fn of(model: &'m Model, observers: Observers, limit: usize) -> Option<Self> {
        let interpreter = Interpreter::new(model, observers);
        let start = interpreter.start().ok()?;
        let mut known = HashSet::from([start.state.clone()]);
        let mut open = VecDeque::from([start]);
        let mut reached = Vec::new();
        while let Some(at) = open.pop_front() {
            for chain in interpreter.macro_steps(&at) {
                if let Some(next) = chain.successor()
                    && known.insert(next.state.clone())
                {
                    open.push_back(next.clone());
                }
            }
            if known.len() > limit {
                return None;
            }
            reached.push(at);
        }
        if model.start_held {
            // What is before the states that runs start in is none.
            reached.remove(0);
        }
        Some(StateSpace {
            interpreter,
            reached,
        })
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.reached.len()
    }

    /// The number of orbits under all that is certified; `None` if more than `limit` images would have to be looked at.
    pub fn orbits(&self, certificate: &Certificate, limit: usize) -> Option<usize> {
        let action = Action::new(self.interpreter.model(), certificate.sorts());
        let mut seen: HashSet<State> = HashSet::new();
        let mut left = limit;
        let mut orbits = 0;
        for at in &self.reached {
            if !seen.contains(&at.state) {
                orbits += 1;
                seen.extend(images(&action, certificate, &at.state, &mut left)?);
            }
        }
        Some(orbits)
    }

    /// A state and a certified renaming that the steps from there do not respect, in words, if there is one.
    /// Of more states than `limit`, as many are looked at, from all parts of the state space.
    pub fn asymmetry(&self, certificate: &Certificate, limit: usize) -> Option<String> {
        let action = Action::new(self.interpreter.model(), certificate.sorts());
        let mut steps = Steps {
            interpreter: &self.interpreter,
            known: HashMap::new(),
        };
        let stride = self.reached.len().div_ceil(limit.max(1)).max(1);
        for at in self.reached.iter().step_by(stride) {
            for renaming in generators(certificate, &at.state) {
                if let Some(why) = self.broken(&action, &renaming, at, &mut steps) {
                    return Some(format!("{why} by {renaming:?} in {at:?}"));
                }
            }
            steps.known.clear();
        }
        None
    }

    fn broken(
        &self,
        action: &Action<'_>,
        renaming: &Renaming,
        at: &Configuration,
        steps: &mut Steps<'_, 'm>,
    ) -> Option<&'static str> {
        let Some(image) = moved(action, renaming, at) else {
            return Some("not applicable");
        };
        let mut ours = HashSet::new();
        for (next, wrong) in steps.from(at) {
            let next = match next {
                Some(next) => match moved(action, renaming, &next) {
                    Some(image) => Some(image),
                    None => return Some("not applicable after a step"),
                },
                None => None,
            };
            ours.insert((next, wrong));
        }
        let theirs: HashSet<Outcome> = steps.from(&image).into_iter().collect();
        if ours != theirs {
            return Some("steps are told apart");
        }
        let verdict = |at| {
            self.interpreter
                .verdict_here(at)
                .as_ref()
                .map(violation_kind)
        };
        (verdict(at) != verdict(&image)).then_some("verdicts are told apart")
    }
}

/// The steps of configurations, each worked out once.
struct Steps<'i, 'm> {
    interpreter: &'i Interpreter<'m>,
    known: HashMap<Configuration, Vec<Outcome>>,
}

impl Steps<'_, '_> {
    fn from(&mut self, at: &Configuration) -> Vec<Outcome> {
        if let Some(outcomes) = self.known.get(at) {
            return outcomes.clone();
        }
        let chains = self.interpreter.macro_steps(at);
        let outcomes: Vec<Outcome> = chains.iter().filter_map(outcome).collect();
        self.known.insert(at.clone(), outcomes.clone());
        outcomes
    }
}

pub(crate) fn outcome(chain: &MacroStep) -> Option<Outcome> {
    let violations = chain.steps.last()?.violations.iter();
    let wrong: BTreeSet<String> = violations.map(violation_kind).collect();
    Some((chain.successor().cloned(), wrong.into_iter().collect()))
}

/// A violation without its place.
pub(crate) fn violation_kind(violation: &Violation) -> String {
    let text = match violation {
        Violation::Fault(fault) => format!("{:?}", fault.kind),
        other => format!("{other:?}"),
    };
    text.split(' ').next().unwrap_or_default().to_string()
}

pub(crate) fn moved(
    action: &Action<'_>,
    renaming: &Renaming,
    at: &Configuration,
) -> Option<Configuration> {
    Some(Configuration {
        state: action.apply(renaming, &at.state)?,
        turn: Action::turn(renaming, at.turn),
    })
}

/// What may be permuted in a state of one domain: the numbers, and which domain of names it is.
struct Active {
    domain: usize,
    set: Option<u32>,
    numbers: Vec<u32>,
}

/// What may be permuted in a state.
fn active(certificate: &Certificate, state: &State) -> Vec<Active> {
    let mut active = Vec::new();
    for (index, domain) in certificate.domains().iter().enumerate() {
        let (set, numbers) = match &domain.kind {
            DomainKind::Processes { template, numbers } => {
                let lives = |n: &&u32| {
                    let process = state.processes.get(**n as usize);
                    process.is_some_and(|p| p.template == *template)
                };
                (None, numbers.iter().filter(lives).copied().collect())
            }
            DomainKind::Names {
                size, set, start, ..
            } => (Some(*set), (*start..start + size).collect()),
        };
        if Domain::is_settled(domain, state) {
            active.push(Active {
                domain: index,
                set,
                numbers,
            });
        }
    }
    active
}

/// What generates all that is certified in a state: the exchanges of two neighbours of full domains, and all other
/// renamings that touch active domains only and move processes that live.
fn generators(certificate: &Certificate, state: &State) -> Vec<Renaming> {
    let active = active(certificate, state);
    let mut generators = Vec::new();
    for domain in active.iter().filter(|a| certificate.is_full(a.domain)) {
        for pair in domain.numbers.windows(2) {
            generators.push(renaming(domain.set, Permutation::swap(pair[0], pair[1])));
        }
    }
    let usable = |r: &&Renaming| is_usable(certificate, r, &active);
    generators.extend(certificate.renamings().iter().filter(usable).cloned());
    generators
}

fn is_usable(certificate: &Certificate, renaming: &Renaming, active: &[Active]) -> bool {
    let is_active = |domain: usize| active.iter().any(|a| a.domain == domain);
    let mut domains = 0..certificate.domains().len();
    let lives = |number: u32| {
        let mut families = active.iter().filter(|a| a.set.is_none());
        families.any(|a| a.numbers.contains(&number))
    };
    domains.all(|d| !certificate.touches(renaming, d) || is_active(d))
        && renaming.processes().moved().all(lives)
}

fn renaming(set: Option<u32>, permutation: Permutation) -> Renaming {
    match set {
        None => Renaming::of_processes(permutation),
        Some(set) => Renaming::of_names(set, permutation),
    }
}

/// How many products of permutations are applied to a state one by one. The images under more than that, and under groups that
/// are no such product, are found by applying generators again and again.
const PRODUCTS: usize = 1_500;

/// All images of a state; `None` if that takes more applications of a renaming than are left.
fn images(
    action: &Action<'_>,
    certificate: &Certificate,
    state: &State,
    left: &mut usize,
) -> Option<Vec<State>> {
    let all_full = (0..certificate.domains().len()).all(|d| certificate.is_full(d));
    let products = all_full.then(|| renamings(certificate, state, PRODUCTS));
    let Some(renamings) = products.flatten() else {
        return connected(action, certificate, state, left);
    };
    *left = left.checked_sub(renamings.len())?;
    let images = renamings.iter().filter_map(|r| action.apply(r, state));
    Some(images.collect())
}

/// All states that generators lead to.
fn connected(
    action: &Action<'_>,
    certificate: &Certificate,
    state: &State,
    left: &mut usize,
) -> Option<Vec<State>> {
    let mut known = HashSet::from([state.clone()]);
    let mut all = vec![state.clone()];
    let mut next = 0;
    while let Some(state) = all.get(next).cloned() {
        next += 1;
        for generator in generators(certificate, &state) {
            *left = left.checked_sub(1)?;
            let image = action.apply(&generator, &state);
            all.extend(image.filter(|image| known.insert(image.clone())));
        }
    }
    Some(all)
}

/// All products of permutations of the domains that are possible in a state, certified or not, unless there are more than
/// that.
pub(crate) fn renamings(
    certificate: &Certificate,
    state: &State,
    limit: usize,
) -> Option<Vec<Renaming>> {
    let mut all = vec![Renaming::identity()];
    for Active { set, numbers, .. } in active(certificate, state) {
        let count = (1..=numbers.len()).fold(1, usize::saturating_mul);
        if all.len().saturating_mul(count) > limit {
            return None;
        }
        let permutations = permutations(&numbers);
        let next = all.iter().flat_map(|so_far| {
            let then = |p: &Permutation| so_far.then(&renaming(set, p.clone()));
            permutations.iter().map(then)
        });
        all = next.collect();
    }
    Some(all)
}

/// All permutations of these numbers.
fn permutations(numbers: &[u32]) -> Vec<Permutation> {
    let mut orders = vec![Vec::new()];
    for number in numbers {
        let longer = orders.iter().flat_map(|order: &Vec<u32>| {
            (0..=order.len()).map(|place| {
                let mut order = order.clone();
                order.insert(place, *number);
                order
            })
        });
        orders = longer.collect();
    }
    let end = numbers.iter().max().map_or(0, |n| n + 1);
    let permutation = |order: Vec<u32>| {
        let mut images: Vec<u32> = (0..end).collect();
        for (from, to) in numbers.iter().zip(order) {
            images[*from as usize] = to;
        }
        Permutation::from_images(images)
    };
    orders.into_iter().filter_map(permutation).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_permutations_are_there() {
        for (numbers, count) in [(&[][..], 1), (&[3], 1), (&[1, 4], 2), (&[0, 2, 3, 5], 24)] {
            let all: HashSet<Permutation> = permutations(numbers).into_iter().collect();
            assert_eq!(all.len(), count);
            let stays = |p: &Permutation| p.moved().all(|n| numbers.contains(&n));
            assert!(all.iter().all(stays));
        }
    }
}
