//! Chains of steps between configurations that a search remembers.

use crate::{Configuration, Interpreter, Move};
use mandala_model::ids::EdgeId;
use mandala_model::step::{Actor, StepLabel, Ways};
use std::collections::{BTreeSet, HashSet};

/// How many steps are looked at in search of the chains from one configuration, and how many there may be in all
/// chains together.
pub const CHAIN_LIMIT: usize = 1 << 19;

/// A chain of steps from a remembered configuration to where a search would look next: the next
/// remembered configuration, or a step on which something went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroStep {
    /// The steps, at least one.
    pub steps: Vec<Move>,
}

impl MacroStep {
    /// The configuration that a search remembers, if the chain leads to one.
    pub fn successor(&self) -> Option<&Configuration> {
        let last = self.steps.last()?;
        last.next.as_ref().filter(|_| last.remembered)
    }
}

/// A step and the one before it in the chain, by their positions in the list of all.
struct Link {
    before: Option<usize>,
    step: Move,
    /// Who has taken part up to here.
    company: Company,
}

/// Somebody who takes part in a step, with the edge if that matters.
type Member = (u32, Option<EdgeId>);

/// Those who take part in a chain, as far as that tells chains apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Company {
    first: Option<Member>,
    all: BTreeSet<Member>,
}

impl Company {
    /// The same after one more step.
    fn joined_by(&self, label: &StepLabel, ways: Ways) -> Company {
        let mut company = self.clone();
        let actor = match label.actor {
            Actor::Process(process) => Some((process, label.edge)),
            Actor::Claim => None,
        };
        for (process, edge) in actor.into_iter().chain(label.partner) {
            let member = match ways {
                Ways::Alike => continue,
                Ways::ByProcess => (process, None),
                Ways::ByEdge => (process, Some(edge)),
            };
            company.first.get_or_insert(member);
            company.all.insert(member);
        }
        company
    }
}

impl Interpreter<'_> {
    /// All chains from a remembered configuration, the shorter before the longer. A step on which
    /// something went wrong ends a chain of its own, also if the run goes on after it. What is
    /// passed through is passed through once, by a shortest way: an atomic sequence may go in circles.
    ///
    /// An atomic sequence may also go on for ever without one, so the search ends after [`CHAIN_LIMIT`] steps;
    /// longer chains are left out.
    pub fn macro_steps(&self, from: &Configuration) -> Vec<MacroStep> {
        self.macro_steps_by(from, Ways::Alike)
    }

    /// The same, but what is passed through is passed through once for each of the ways that are told apart.
    pub fn macro_steps_by(&self, from: &Configuration, ways: Ways) -> Vec<MacroStep> {
        let mut links = Vec::new();
        let mut seen = HashSet::new();
        let mut chains = Vec::new();
        add(&mut links, None, self.moves(from), ways);
        let mut current = 0;
        let mut told = 0;
        while current < links.len().min(CHAIN_LIMIT) && told < CHAIN_LIMIT {
            let Link { step, company, .. } = &links[current];
            if step.next.is_none() || step.remembered || !step.violations.is_empty() {
                let found = chain(&links, current);
                told += found.steps.len();
                chains.push(found);
            }
            if let Some(next) = step.next.clone().filter(|_| !step.remembered)
                && seen.insert((next.clone(), company.clone()))
            {
                add(&mut links, Some(current), self.moves(&next), ways);
            }
            current += 1;
        }
        chains
    }
}

fn add(links: &mut Vec<Link>, before: Option<usize>, moves: Vec<Move>, ways: Ways) {
    let company = before.map_or_else(Company::default, |link| links[link].company.clone());
    links.extend(moves.into_iter().map(|step| Link {
        before,
        company: company.joined_by(&step.label, ways),
        step,
    }));
}

fn chain(links: &[Link], last: usize) -> MacroStep {
    let before = |position: &usize| links[*position].before;
    let positions = std::iter::successors(Some(last), before);
    let mut steps: Vec<Move> = positions.map(|p| links[p].step.clone()).collect();
    steps.reverse();
    MacroStep { steps }
}
