//! Accepting and fair cycles, decided as plainly as possible.
//!
//! The places that a run meets again and again lie in one part of the graph in which every place leads to every other. In such a
//! part, somebody who never takes part in a step is passed over for ever.
//!
//! - *Weak*: if such a one could begin a step at every place, no run that stays in the part is fair. Otherwise a run that goes everywhere
//!   is: it meets a place where that one cannot move.
//! - *Strong*: if such a one could begin a step at some place, no fair run meets that place again and again. So these places
//!   are taken out, and what is left is looked at in the same way. If there is nobody of that kind, a run that goes everywhere is fair.

use super::runs::{Place, Runs, Step};
use mandala_engine::Fairness;
use mandala_evidence::lasso::Party;
use mandala_model::State;
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, VecDeque};

/// A run that goes round for ever: remembered states, up to where it begins to go round and from there once round.
pub(super) struct Round {
    pub path: Vec<State>,
    pub cycle: Vec<State>,
}

/// A set of places.
pub(super) type Part = Vec<bool>;

/// An accepting fair run, if there is one.
pub(super) fn fair_round(runs: &Runs, fairness: Fairness) -> Option<Round> {
    let everything = vec![true; runs.places.len()];
    let parts = fair_parts(runs, everything, fairness).into_iter();
    let part = parts
        .into_iter()
        .find(|part| is_met(runs, part, |p| p.accepting))?;
    let start = members(&part).find(|&place| runs.places[place].remembered)?;
    let walk = walk(runs, &part, start, fairness)?;
    let met = walk.iter().filter(|step| !step.stands).map(|step| step.to);
    let remembered = met.filter(|&place| runs.places[place].remembered);
    Some(Round {
        path: runs.path(start),
        cycle: remembered.map(|place| runs.state(place)).collect(),
    })
}

pub(super) fn members(part: &Part) -> impl Iterator<Item = usize> {
    (0..part.len()).filter(|&place| part[place])
}

/// The parts in which every place leads to every other and a run that goes everywhere is fair.
pub(super) fn fair_parts(runs: &Runs, within: Part, fairness: Fairness) -> Vec<Part> {
    let mut found = Vec::new();
    for part in components(runs, within) {
        if !is_met(runs, &part, |place| place.remembered) {
            continue;
        }
        let ignored = passed_over(runs, &part, fairness);
        if ignored.is_empty() {
            found.push(part);
        } else if is_strong(fairness) {
            found.extend(fair_parts(runs, without(runs, part, &ignored), fairness));
        }
    }
    found
}

/// Whether some place of a part is of that kind.
fn is_met(runs: &Runs, part: &Part, kind: impl Fn(&Place) -> bool) -> bool {
    members(part).any(|place| kind(&runs.places[place]))
}

fn is_strong(fairness: Fairness) -> bool {
    matches!(fairness, Fairness::Strong | Fairness::StrongAction)
}

/// A part without the places where one of those could begin a step.
fn without(runs: &Runs, mut part: Part, parties: &BTreeSet<Party>) -> Part {
    for (place, is_in) in runs.places.iter().zip(&mut part) {
        let able = place.able.as_ref();
        *is_in &= able.is_none_or(|able| able.is_disjoint(parties));
    }
    part
}

/// Who is passed over for ever by every run that goes everywhere in a part.
fn passed_over(runs: &Runs, part: &Part, fairness: Fairness) -> BTreeSet<Party> {
    let acting = acting(runs, part);
    let mut candidates = match fairness {
        Fairness::Off => BTreeSet::new(),
        _ => able_somewhere(runs, part),
    };
    candidates.retain(|party| {
        let is_able = is_strong(fairness) || place_without(runs, part, party).is_none();
        is_able && !acting.contains(party)
    });
    candidates
}

fn able_somewhere(runs: &Runs, part: &Part) -> BTreeSet<Party> {
    let able = members(part).filter_map(|place| runs.places[place].able.as_ref());
    able.flatten().copied().collect()
}

fn acting(runs: &Runs, part: &Part) -> BTreeSet<Party> {
    let steps = members(part).flat_map(|place| inner(runs, part, place));
    steps.flat_map(|step| step.acting.clone()).collect()
}

/// A place where somebody is asked and cannot begin a step.
fn place_without(runs: &Runs, part: &Part, party: &Party) -> Option<usize> {
    let is_unable = |place: &usize| {
        let able = runs.places[*place].able.as_ref();
        able.is_some_and(|able| !able.contains(party))
    };
    members(part).find(is_unable)
}

/// The steps from a place that stay in a part.
fn inner<'a>(runs: &'a Runs, part: &'a Part, place: usize) -> impl Iterator<Item = &'a Step> {
    let steps = runs.places[place].steps.iter();
    steps.filter(move |step| part[step.to])
}

/// The largest parts in which every place leads to every other by at least one step.
fn components(runs: &Runs, mut rest: Part) -> Vec<Part> {
    let mut found = Vec::new();
    let before = predecessors(runs);
    loop {
        trim(runs, &before, &mut rest);
        let Some(first) = members(&rest).next() else {
            return found;
        };
        let ahead = reached(first, &rest, |at| {
            inner(runs, &rest, at).map(|s| s.to).collect()
        });
        let behind = reached(first, &rest, |at| before[at].clone());
        let part: Part = ahead.iter().zip(&behind).map(|(a, b)| *a && *b).collect();
        for place in members(&part) {
            rest[place] = false;
        }
        if part[first] {
            found.push(part);
        }
        rest[first] = false;
    }
}

pub(super) fn predecessors(runs: &Runs) -> Vec<Vec<usize>> {
    let mut before = vec![Vec::new(); runs.places.len()];
    for (from, place) in runs.places.iter().enumerate() {
        place
            .steps
            .iter()
            .for_each(|step| before[step.to].push(from));
    }
    before
}

/// Takes out, again and again, what nothing leads to or what leads nowhere: it is on no cycle.
fn trim(runs: &Runs, before: &[Vec<usize>], rest: &mut Part) {
    let mut changed = true;
    while changed {
        changed = false;
        let upwards = 0..rest.len();
        for place in upwards.clone().chain(upwards.rev()) {
            let is_met = before[place].iter().any(|&from| rest[from]);
            let goes_on = inner(runs, rest, place).next().is_some();
            if rest[place] && !(is_met && goes_on) {
                (rest[place], changed) = (false, true);
            }
        }
    }
}

/// All places within a part that are reached from one by at least one step.
fn reached(from: usize, within: &Part, next: impl Fn(usize) -> Vec<usize>) -> Part {
    let mut reached = vec![false; within.len()];
    let mut waiting = vec![from];
    while let Some(current) = waiting.pop() {
        for to in next(current) {
            if within[to] && !reached[to] {
                reached[to] = true;
                waiting.push(to);
            }
        }
    }
    reached
}

/// What a walk has to come by.
enum Sight<'a> {
    Place(usize),
    Step(usize, &'a Step),
}

/// The steps of a walk from a place back to it that shows that it is accepting and fair.
fn walk<'a>(
    runs: &'a Runs,
    part: &'a Part,
    start: usize,
    fairness: Fairness,
) -> Option<Vec<&'a Step>> {
    let mut walk: Vec<&Step> = Vec::new();
    let mut current = start;
    for sight in sights(runs, part, fairness) {
        let (at, then) = match sight {
            Sight::Place(place) => (place, None),
            Sight::Step(place, step) => (place, Some(step)),
        };
        if at != current {
            walk.extend(way(runs, part, current, at)?);
        }
        walk.extend(then);
        current = then.map_or(at, |step| step.to);
    }
    if current != start || walk.is_empty() {
        walk.extend(way(runs, part, current, start)?);
    }
    Some(walk)
}

/// An accepting place, and for everybody a step of his or a place where he cannot move.
fn sights<'a>(runs: &'a Runs, part: &'a Part, fairness: Fairness) -> Vec<Sight<'a>> {
    let accepting = members(part).find(|&place| runs.places[place].accepting);
    let mut sights: Vec<Sight<'_>> = accepting.map(Sight::Place).into_iter().collect();
    if fairness == Fairness::Off {
        return sights;
    }
    for party in able_somewhere(runs, part) {
        let mut steps =
            members(part).flat_map(|from| inner(runs, part, from).map(move |step| (from, step)));
        let step = steps.find(|(_, step)| step.acting.contains(&party));
        let step = step.map(|(from, step)| Sight::Step(from, step));
        let unable = || place_without(runs, part, &party).map(Sight::Place);
        sights.extend(step.or_else(unable));
    }
    sights
}

/// A shortest way of at least one step.
fn way<'a>(runs: &'a Runs, part: &'a Part, from: usize, to: usize) -> Option<Vec<&'a Step>> {
    let mut arrivals: HashMap<usize, (usize, &Step)> = HashMap::new();
    let mut waiting = VecDeque::from([from]);
    while let Some(current) = waiting.pop_front() {
        for step in inner(runs, part, current) {
            if let Entry::Vacant(new) = arrivals.entry(step.to) {
                new.insert((current, step));
                waiting.push_back(step.to);
            }
        }
    }
    let (mut at, last) = *arrivals.get(&to)?;
    let mut way = vec![last];
    while at != from {
        let (before, step) = *arrivals.get(&at)?;
        way.push(step);
        at = before;
    }
    way.reverse();
    Some(way)
}
