//! Relations over counters: how many members are in each local state, as numbers of bits.
//!
//! A state is the number of its shared part and a counter for each local state ([`mandala_counters`]). A member that moves from one local state to another takes one from a counter and adds one to
//! another, whoever it is: no relation between the images of a state is needed, and no state is sorted. Steps with the same two counters are one relation.
//!
//! Which steps there are is found on the way: those of each local state with each shared part that it is met with. If more of them are met than there are bits for, the search
//! begins again with more.

use crate::diagrams::{Bdd, Diagrams, Made, meet_forgetting, renamed, without};
use crate::outcome::{
    AfterViolation, Extent, Limit, Options, Progress, SearchOrder, SymbolicEvidence,
    SymbolicOutcome, Unsupported, whole,
};
use crate::stop::Stop;
use mandala_counters::{
    Counted, Family, LocalId, MOST_STEPS, Mover, NoProgram, Program, Refused, SharedId, Step,
};
use mandala_engine::ViolationCounts;
use mandala_model::Model;
use mandala_model::model::Deadlock;
use mandala_model::step::{Attribution, Observers, Violation};
use mandala_prepare::Prepared;
use oxidd::{BooleanFunction, Function};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// How many shared parts and local states there is room for at first.
const FIRST: usize = 8;

/// Searches all states of a model by counting members.
pub(crate) fn search(
    prepared: &Prepared,
    observers: Observers,
    options: &Options<'_>,
    observer: &mut dyn FnMut(&Progress),
) -> Result<SymbolicOutcome, Unsupported> {
    let started = Instant::now();
    let model: &Model = &prepared.searched;
    let mut program = match Program::new(prepared, observers) {
        Ok(program) => program,
        Err(NoProgram::Fault(fault)) => return Ok(crate::wrong_at_start(model, options, fault)),
        Err(NoProgram::Refused(refused)) => return Err(unsupported(refused)),
    };
    if let Some(monitor) = model.monitors.first() {
        let what = "an invariant is asked of every state";
        return Err(unsupported_at(what.into(), Some(monitor.span)));
    }
    if let Some(why) = program.is_spread() {
        return Err(unsupported(why.clone()));
    }
    let mut store: crate::Store = Diagrams::small;
    loop {
        let cells = Cells::of(&program);
        let searched = store(cells.bits, options.memory).and_then(|diagrams| {
            let until = options.time.map(|time| started + time);
            let d = &diagrams.ending(until, Arc::clone(&options.cancel));
            let mut search = Search::new(&mut program, &cells, d, options)?;
            let extent = search.run(observer)?;
            search.outcome(extent)
        });
        let limit = match searched {
            Ok(outcome) => return Ok(outcome),
            Err(Stop::Outgrown) => {
                store = Diagrams::new;
                continue;
            }
            Err(Stop::Unsupported(unsupported)) => return Err(unsupported),
            Err(Stop::Nodes) => Limit::Memory,
            Err(Stop::Limit(limit)) => limit,
            // There is more room for what is known by now.
            Err(Stop::Narrow(_)) => continue,
        };
        return Ok(SymbolicOutcome::nothing(model, Extent::Limited(limit)));
    }
}

fn unsupported(refused: Refused) -> Unsupported {
    unsupported_at(refused.what, refused.span)
}

fn unsupported_at(what: String, span: Option<mandala_model::source::Span>) -> Unsupported {
    Unsupported {
        construct: format!("this model by `--symmetry counters`: {what}"),
        span,
    }
}

/// Which bits are whose.
struct Cells {
    /// Those of the number of the shared part, the lowest first.
    shared: Vec<usize>,
    /// Those of the counter of each local state.
    counters: Vec<Vec<usize>>,
    bits: usize,
}

impl Cells {
    /// Room for what has been met, and for as much again.
    fn of(program: &Program<'_>) -> Self {
        let mut bits = 0;
        let mut take = |most: usize| {
            let own = bits..bits + bits_of(most);
            bits = own.end;
            own.rev().collect::<Vec<usize>>()
        };
        let shared = take(2 * program.shared_count().max(FIRST) - 1);
        let families = program.parts().families();
        let largest = families.iter().map(Family::size).max().unwrap_or(0);
        let counters = (0..2 * program.local_count().max(FIRST)).map(|local| {
            let is_known = local < program.local_count();
            take(match is_known {
                true => families[program.local(local as LocalId).0].size(),
                false => largest,
            })
        });
        let counters = counters.collect();
        Cells {
            shared,
            counters,
            bits,
        }
    }

    /// Whether there is room for all that has been met.
    fn fit(&self, program: &Program<'_>) -> bool {
        let shared = bits_of(program.shared_count().saturating_sub(1));
        shared <= self.shared.len() && program.local_count() <= self.counters.len()
    }

    /// The bits of a state.
    fn encode(&self, state: &Counted) -> Vec<(usize, bool)> {
        let mut values = assigned(&self.shared, state.shared as usize);
        for (local, counter) in self.counters.iter().enumerate() {
            let mut entries = state.entries.iter();
            let entry = entries.find(|(other, _)| *other as usize == local);
            let count = entry.map_or(0, |(_, count)| *count as usize);
            values.extend(assigned(counter, count));
        }
        values
    }

    fn decode(&self, values: &[bool]) -> Counted {
        let number = |bits: &[usize]| {
            let bits = bits.iter().enumerate();
            bits.map(|(place, bit)| u32::from(values[*bit]) << place)
                .sum::<u32>()
        };
        let counters = (0..).zip(&self.counters);
        let entries = counters.map(|(local, bits)| (local, number(bits)));
        Counted {
            shared: number(&self.shared),
            entries: entries.filter(|(_, count)| *count > 0).collect(),
        }
    }
}

/// How many bits it takes to write numbers up to that one.
fn bits_of(most: usize) -> usize {
    (usize::BITS - most.leading_zeros()) as usize
}

fn assigned(bits: &[usize], number: usize) -> Vec<(usize, bool)> {
    let bits = bits.iter().enumerate();
    bits.map(|(place, bit)| (*bit, number >> place & 1 == 1))
        .collect()
}

/// The local states that a member leaves and comes to, if one moves.
type Counters = Option<(LocalId, LocalId)>;

/// Steps with the same counters.
struct Relation {
    steps: Bdd,
    /// The bits that they change.
    touched: Vec<usize>,
    now: Bdd,
    then: Bdd,
}

/// Something that goes wrong.
struct Trouble {
    /// The states in which it does, or from which a step does.
    condition: Bdd,
    violation: Violation,
    /// Whose counter says how often.
    mover: Mover,
}

/// A step of somebody that was met.
struct Met {
    mover: Mover,
    from: SharedId,
    step: Rc<Step>,
}

struct Search<'s, 'm> {
    program: &'s mut Program<'m>,
    cells: &'s Cells,
    d: &'s Diagrams,
    options: &'s Options<'s>,
    met: Vec<Met>,
    /// The shared parts with which steps of each mover are known.
    known: BTreeMap<Mover, Bdd>,
    relations: BTreeMap<Counters, Relation>,
    troubles: Vec<Trouble>,
    /// The states from which something can happen that counts.
    moves: Bdd,
    /// What was found, in order.
    rings: Vec<Bdd>,
    reached: Bdd,
    rounds: u64,
    evidence: Option<SymbolicEvidence>,
}

impl<'s, 'm> Search<'s, 'm> {
    fn new(
        program: &'s mut Program<'m>,
        cells: &'s Cells,
        d: &'s Diagrams,
        options: &'s Options<'s>,
    ) -> Made<Self> {
        let mut search = Search {
            program,
            cells,
            d,
            options,
            met: Vec::new(),
            known: BTreeMap::new(),
            relations: BTreeMap::new(),
            troubles: Vec::new(),
            moves: d.no.clone(),
            rings: Vec::new(),
            reached: d.no.clone(),
            rounds: 0,
            evidence: None,
        };
        let mut starts = d.no.clone();
        for start in search.program.starts().to_vec() {
            let counted = search.program.counted(&start);
            search.require_fit()?;
            if let Some(counted) = counted {
                starts = starts.or(&d.cube(&cells.encode(&counted))?)?;
            }
        }
        search.keep(&starts)?;
        Ok(search)
    }

    fn require_fit(&self) -> Made<()> {
        match self.cells.fit(self.program) {
            true => Ok(()),
            false => Err(Stop::Narrow(Vec::new())),
        }
    }

    /// Finds the steps from some states that are not known.
    fn learn(&mut self, states: &Bdd) -> Made<()> {
        let members = (0..self.program.local_count() as LocalId).map(Mover::Member);
        let movers: Vec<Mover> = std::iter::once(Mover::Single).chain(members).collect();
        let others = self.cells.counters.concat();
        let others = self.d.product_now(&others)?;
        let mut new = Vec::new();
        for mover in movers {
            let met = meet_forgetting(states, &self.can_move(mover)?, &others)?;
            let known = self.known.get(&mover).unwrap_or(&self.d.no).clone();
            let mut open = without(&met, &known)?;
            self.known.insert(mover, known.or(&met)?);
            while let Some(values) = self.d.pick(&open) {
                let from = self.cells.decode(&values).shared;
                open = without(&open, &self.with_shared([from])?)?;
                let steps = self.program.steps(mover, from).map_err(|_| {
                    Stop::Limit(Limit::AtomicSteps {
                        most: MOST_STEPS as u64,
                    })
                })?;
                new.extend(steps.iter().map(|step| Met {
                    mover,
                    from,
                    step: Rc::clone(step),
                }));
            }
        }
        self.require_fit()?;
        self.add(new)
    }

    fn add(&mut self, new: Vec<Met>) -> Made<()> {
        let mut groups: BTreeMap<Counters, Vec<(SharedId, SharedId)>> = BTreeMap::new();
        let mut moves: BTreeMap<Mover, Vec<SharedId>> = BTreeMap::new();
        for met in &new {
            if let Some((shared, local)) = met.step.to {
                let counters = match met.mover {
                    Mover::Single => None,
                    Mover::Member(from) => Some((from, local)),
                };
                groups.entry(counters).or_default().push((met.from, shared));
            }
            if self.counts(met) {
                moves.entry(met.mover).or_default().push(met.from);
            }
            for violation in &met.step.violations {
                if (self.options.concerns)(violation) {
                    let from = self.with_shared([met.from])?;
                    self.troubles.push(Trouble {
                        condition: from.and(&self.can_move(met.mover)?)?,
                        violation: violation.clone(),
                        mover: met.mover,
                    });
                }
            }
        }
        for (counters, moves) in groups {
            let more = self.relation(counters, &moves)?;
            match self.relations.get_mut(&counters) {
                Some(relation) => relation.steps = relation.steps.or(&more.steps)?,
                None => drop(self.relations.insert(counters, more)),
            }
        }
        for (mover, shared) in moves {
            let shared = self.with_shared(shared)?;
            self.moves = self.moves.or(&shared.and(&self.can_move(mover)?)?)?;
        }
        self.met.extend(new);
        Ok(())
    }

    /// Whether a step is one that counts, where there must be one.
    fn counts(&self, met: &Met) -> bool {
        let stays = met.step.to.is_some_and(|(shared, local)| {
            let is_there = match met.mover {
                Mover::Single => true,
                Mover::Member(from) => from == local,
            };
            shared == met.from && is_there
        });
        match self.program.model().deadlock {
            Deadlock::NoMove => true,
            Deadlock::NoChange => !stays,
        }
    }

    /// The states with one of these shared parts.
    fn with_shared(&self, shared: impl IntoIterator<Item = SharedId>) -> Made<Bdd> {
        let cubes = shared
            .into_iter()
            .map(|s| self.d.cube(&assigned(&self.cells.shared, s as usize)));
        united(self.d, cubes.collect::<Made<Vec<Bdd>>>()?)
    }

    /// The states in which somebody is in a local state.
    fn somebody(&self, local: LocalId) -> Made<Bdd> {
        let bits = self.cells.counters[local as usize].iter();
        united(self.d, bits.map(|bit| self.d.now(*bit).clone()).collect())
    }

    /// The states in which somebody can move like that, as far as it is a matter of who moves.
    fn can_move(&self, mover: Mover) -> Made<Bdd> {
        match mover {
            Mover::Single => Ok(self.d.yes.clone()),
            Mover::Member(local) => self.somebody(local),
        }
    }

    fn relation(&self, counters: Counters, moves: &[(SharedId, SharedId)]) -> Made<Relation> {
        let d = self.d;
        let mut shared = Vec::new();
        for (from, to) in moves {
            let before = d.cube(&assigned(&self.cells.shared, *from as usize))?;
            let after = d.cube(&assigned(&self.cells.shared, *to as usize))?;
            let after = renamed(&after, &d.forth(&self.cells.shared))?;
            shared.push(before.and(&after)?);
        }
        let mut steps = united(d, shared)?;
        let mut touched = self.cells.shared.clone();
        match counters {
            Some((from, to)) if from != to => {
                let (from, to) = (from as usize, to as usize);
                let counters = [&self.cells.counters[from], &self.cells.counters[to]];
                steps = steps.and(&self.one_more(counters[0], true)?)?;
                steps = steps.and(&self.one_more(counters[1], false)?)?;
                touched.extend(counters.into_iter().flatten());
            }
            Some((from, _)) => steps = steps.and(&self.somebody(from)?)?,
            None => {}
        }
        Ok(Relation {
            steps,
            now: d.product_now(&touched)?,
            then: d.product_then(&touched)?,
            touched,
        })
    }

    /// That a counter has one more after the step than before it, or before it than after it.
    fn one_more(&self, bits: &[usize], before: bool) -> Made<Bdd> {
        let d = self.d;
        let (mut carries, mut equal) = (d.yes.clone(), d.yes.clone());
        for bit in bits {
            let (less, more) = match before {
                true => (d.then(*bit), d.now(*bit)),
                false => (d.now(*bit), d.then(*bit)),
            };
            let flips = less.xor(more)?;
            equal = equal.and(&carries.equiv(&flips)?)?;
            carries = carries.and(less)?;
        }
        // The largest number has none that is one more.
        without(&equal, &carries)
    }

    /// Those of some states in which nothing can happen any more, and somebody is where it must not stay.
    fn deadlocks(&self, states: &Bdd) -> Made<Bdd> {
        let mut stuck = without(states, &self.moves)?;
        if !stuck.satisfiable() {
            return Ok(stuck);
        }
        let program = &*self.program;
        let all = (0..program.shared_count() as SharedId).filter(|s| program.has_ended(*s));
        let mut ended = self.with_shared(all)?;
        for local in 0..program.local_count() as LocalId {
            if !program.is_at_end(local) {
                ended = without(&ended, &self.somebody(local)?)?;
            }
        }
        stuck = without(&stuck, &ended)?;
        Ok(stuck)
    }

    fn run(&mut self, observer: &mut dyn FnMut(&Progress)) -> Made<Extent> {
        let mut frontier = self.reached.clone();
        while frontier.satisfiable() {
            observer(&Progress {
                rounds: self.rounds,
                nodes: self.d.nodes() as u64,
            });
            self.learn(&frontier)?;
            if self.judge(&frontier)? {
                return Ok(Extent::FirstViolation);
            }
            if let Some(limit) = self.limit()? {
                return Ok(Extent::Limited(limit));
            }
            frontier = match self.options.order {
                SearchOrder::BreadthFirst => self.level(&frontier)?,
                SearchOrder::DepthFirst => self.chain(&frontier)?,
            };
            self.rounds += u64::from(frontier.satisfiable());
        }
        Ok(Extent::Complete)
    }

    fn limit(&self) -> Made<Option<Limit>> {
        let is_full = |limit: u64| self.count(&self.reached) >= u128::from(limit);
        if self.options.states.is_some_and(is_full) {
            return Ok(Some(Limit::States));
        }
        let is_deep = self.options.depth.is_some_and(|limit| self.rounds >= limit);
        Ok(is_deep.then_some(Limit::Depth))
    }

    fn level(&mut self, frontier: &Bdd) -> Made<Bdd> {
        let mut after = self.d.no.clone();
        for relation in self.relations.values() {
            after = after.or(&self.image(relation, frontier)?)?;
        }
        self.keep(&after)
    }

    /// One round in which each relation starts where all before it have led.
    fn chain(&mut self, frontier: &Bdd) -> Made<Bdd> {
        let (mut new, mut from) = (self.d.no.clone(), frontier.clone());
        let all: Vec<Counters> = self.relations.keys().copied().collect();
        for counters in all {
            let found = self.image(&self.relations[&counters], &from)?;
            let found = self.keep(&found)?;
            from = from.or(&found)?;
            new = new.or(&found)?;
        }
        Ok(new)
    }

    fn image(&self, relation: &Relation, from: &Bdd) -> Made<Bdd> {
        self.d.pause()?;
        self.d.retry(|| {
            let after = meet_forgetting(from, &relation.steps, &relation.now)?;
            renamed(&after, &self.d.back(&relation.touched))
        })
    }

    /// Keeps those of some states that are new.
    fn keep(&mut self, states: &Bdd) -> Made<Bdd> {
        let new = without(states, &self.reached)?;
        if new.satisfiable() {
            self.reached = self.reached.or(&new)?;
            self.rings.push(new.clone());
        }
        Ok(new)
    }

    /// Looks whether something is wrong with new states, and whether that is enough.
    fn judge(&mut self, new: &Bdd) -> Made<bool> {
        if self.evidence.is_none() {
            self.evidence = self.first_trouble(new, &|_| true)?;
        }
        Ok(self.evidence.is_some() && self.options.on_violation == AfterViolation::Stop)
    }

    fn first_trouble(
        &mut self,
        states: &Bdd,
        wanted: &dyn Fn(&Violation) -> bool,
    ) -> Made<Option<SymbolicEvidence>> {
        let troubles = self.troubles.iter().filter(|t| wanted(&t.violation));
        for trouble in troubles {
            let bad = states.and(&trouble.condition)?;
            if bad.satisfiable() {
                let violation = trouble.violation.clone();
                return self.evidence_of(&bad, violation).map(Some);
            }
        }
        let deadlock = Violation::Deadlock;
        if (self.options.concerns)(&deadlock) && wanted(&deadlock) {
            let bad = self.deadlocks(states)?;
            if bad.satisfiable() {
                return self.evidence_of(&bad, deadlock).map(Some);
            }
        }
        Ok(None)
    }

    fn evidence_of(&mut self, bad: &Bdd, violation: Violation) -> Made<SymbolicEvidence> {
        let way = self.way(bad)?;
        let path = self.program.run_along(&way);
        let path = path.map_err(|_| {
            let what =
                "this model by `--symmetry counters`: no run was found along a path of counters";
            Stop::unsupported(what, None)
        })?;
        Ok(SymbolicEvidence { path, violation })
    }

    /// The states on a way to one of those.
    fn way(&self, bad: &Bdd) -> Made<Vec<Counted>> {
        let Some((mut ring, mut set)) = self.earliest(self.rings.len(), bad)? else {
            return Ok(Vec::new());
        };
        let mut way = Vec::new();
        while let Some(values) = self.d.pick(&set) {
            let state = self.cells.decode(&values);
            let before = self.before(&state)?;
            way.push(state);
            match self.earliest(ring, &before)? {
                Some((earlier, states)) => (ring, set) = (earlier, states),
                None => break,
            }
        }
        way.reverse();
        Ok(way)
    }

    /// The first of so many sets that has some of those states, and which.
    fn earliest(&self, rings: usize, states: &Bdd) -> Made<Option<(usize, Bdd)>> {
        for (number, ring) in self.rings[..rings].iter().enumerate() {
            let both = ring.and(states)?;
            if both.satisfiable() {
                return Ok(Some((number, both)));
            }
        }
        Ok(None)
    }

    /// The states from which a step leads to that one.
    fn before(&self, state: &Counted) -> Made<Bdd> {
        let cube = self.d.cube(&self.cells.encode(state))?;
        let mut before = self.d.no.clone();
        for relation in self.relations.values() {
            let after = renamed(&cube, &self.d.forth(&relation.touched))?;
            before = before.or(&meet_forgetting(&after, &relation.steps, &relation.then)?)?;
        }
        Ok(before)
    }

    fn count(&self, states: &Bdd) -> u128 {
        self.d.count(states)
    }

    /// How many there are of something in those states, if there are as many as a counter says in each.
    fn weighed(&self, states: &Bdd, mover: Mover) -> Made<u128> {
        let Mover::Member(local) = mover else {
            return Ok(self.count(states));
        };
        let mut sum = 0u128;
        for (place, bit) in self.cells.counters[local as usize].iter().enumerate() {
            let count = self.count(&states.and(self.d.now(*bit))?);
            sum = sum.saturating_add(count.saturating_mul(1 << place));
        }
        Ok(sum)
    }

    fn outcome(&mut self, extent: Extent) -> Made<SymbolicOutcome> {
        let further = self.further()?;
        let model = self.program.model();
        let mut outcome = SymbolicOutcome {
            states: self.count(&self.reached),
            rounds: self.rounds,
            nodes: (self.d.nodes() as u64, self.reached.node_count() as u64),
            bits: self.cells.bits as u64,
            violations: self.violations()?,
            evidence: self.evidence.take(),
            further,
            ..SymbolicOutcome::nothing(model, extent)
        };
        for start in self.program.starts() {
            for process in &start.processes {
                outcome.locations[process.template.index()][process.location.index()] = true;
            }
        }
        for met in &self.met {
            let from = self.with_shared([met.from])?;
            let from = self.reached.and(&from)?.and(&self.can_move(met.mover)?)?;
            let often = self.weighed(&from, met.mover)?;
            let step = &met.step;
            if step.to.is_some() || step.violations.is_empty() {
                outcome.transitions = outcome.transitions.saturating_add(often);
            }
            for (template, location) in &step.locations {
                outcome.locations[template.index()][location.index()] = true;
            }
            for label in &step.labels {
                let edges = &mut outcome.edges[label.edge.template.index()];
                let count = &mut edges[label.edge.index as usize];
                *count = count.saturating_add(often);
            }
            if !model.is_system_of_rules() {
                outcome.executed.extend(step.nodes.iter().copied());
            }
        }
        Ok(outcome)
    }

    fn violations(&self) -> Made<ViolationCounts> {
        let mut counts = ViolationCounts::default();
        for trouble in &self.troubles {
            let bad = self.reached.and(&trouble.condition)?;
            let often = whole(self.weighed(&bad, trouble.mover)?);
            counts.note(trouble.violation.attribution(), often);
        }
        if (self.options.concerns)(&Violation::Deadlock) {
            let often = whole(self.count(&self.deadlocks(&self.reached)?));
            counts.note(Violation::Deadlock.attribution(), often);
        }
        Ok(counts)
    }

    /// A violation of each property that the first one found is not of, if the search looks at everything.
    fn further(&mut self) -> Made<Vec<SymbolicEvidence>> {
        let (Some(first), AfterViolation::GoOn) = (&self.evidence, self.options.on_violation)
        else {
            return Ok(Vec::new());
        };
        let mut owners = vec![first.violation.attribution()];
        let mut further = Vec::new();
        let all: Vec<Attribution> = self
            .troubles
            .iter()
            .map(|t| t.violation.attribution())
            .collect();
        for owner in all.into_iter().chain([Violation::Deadlock.attribution()]) {
            if !owners.contains(&owner) {
                owners.push(owner);
                let reached = self.reached.clone();
                let is_own = |violation: &Violation| violation.attribution() == owner;
                further.extend(self.first_trouble(&reached, &is_own)?);
            }
        }
        Ok(further)
    }
}

/// All of some sets together, two and two.
fn united(d: &Diagrams, mut sets: Vec<Bdd>) -> Made<Bdd> {
    while sets.len() > 1 {
        let pairs = sets.chunks(2).map(|pair| match pair {
            [one, other] => Ok(one.or(other)?),
            rest => Ok(rest[0].clone()),
        });
        sets = pairs.collect::<Made<Vec<Bdd>>>()?;
    }
    Ok(sets.pop().unwrap_or_else(|| d.no.clone()))
}
