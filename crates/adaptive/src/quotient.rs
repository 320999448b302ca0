//! Virtual symmetry: the quotient of a model by all permutations of what is interchangeable, once it is known to be bisimilar.
//!
//! # Why it may be used
//!
//! The states of an orbit are related to each other. This is a bisimulation iff steps from all of them lead to the same orbits, the same goes wrong on these steps,
//! and what is asked of states has the same answers in all of them. Each orbit that is met is looked at, in all its states but for those that what all statements keep makes of
//! others, whether or not they can be reached. So what is left out are states that no run comes to, not even from a state that is an image of a reachable one. Safety and formulas of branching
//! time are then decided on the orbits.
//!
//! Until all interchangeable processes have been made, each state is an orbit by itself.
//!
//! A run through orbits is lifted from its start: from each state on it some step leads to the next orbit.

use crate::kinds::{VirtualKind, of_orbit};
use crate::orbit::Member;
use crate::search::{Manner, require_time};
use crate::space::{Space, Stop, Subject};
use mandala_engine::{
    AfterViolation, EngineError, Evidence, Extent, Limit, Progress, ProgressObserver, Reached,
    ViolationCounts, Wish,
};
use mandala_interpreter::{Configuration, Interpreter};
use mandala_model::expr::Expr;
use mandala_model::ids::ConditionId;
use mandala_model::step::{Attribution, Turn, Violation};
use mandala_model::{Model, State};
use mandala_symmetry::{DomainKind, Partition};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::mem::{Discriminant, discriminant};
use std::time::Instant;

/// How many steps are looked at for the chains from one state.
const MOST: usize = 1 << 19;

/// How often the observer is asked, in orbits.
const PERIOD: u64 = 16;

/// An orbit.
pub(crate) struct Orbit {
    pub state: State,
    parent: Option<usize>,
    pub depth: u64,
    /// What steps lead to.
    pub next: BTreeSet<usize>,
    /// The conditions that hold.
    pub holding: Vec<ConditionId>,
    /// Whether a step is made that counts.
    pub moves: bool,
}

/// Why there is no quotient.
pub(crate) enum Failure {
    Stop(Stop),
    /// Two states of one orbit differ.
    Different(String),
    /// A condition has no value in some state.
    NoValue,
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Failure::Stop(stop)
    }
}

/// Whose a violation is, and of what kind.
type ViolationKey = (Attribution, Discriminant<Violation>);

/// What is so of a state.
#[derive(PartialEq, Eq)]
struct Told {
    next: HashSet<Vec<u8>>,
    violations: HashSet<ViolationKey>,
    holding: Vec<ConditionId>,
    moves: bool,
}

/// The quotient.
pub(crate) struct Quotient<'t, 'a> {
    manner: &'t Manner<'t>,
    pub interpreter: Interpreter<'a>,
    pub space: Space<'a>,
    /// The conditions that are asked of states.
    conditions: Vec<(ConditionId, Expr)>,
    /// What is interchangeable.
    group: Partition,
    /// The same as far as all statements and questions keep it.
    kept: Partition,
    pub orbits: Vec<Orbit>,
    pub starts: BTreeSet<usize>,
    index: HashMap<Vec<u8>, usize>,
    frontier: VecDeque<usize>,
    pub kind: VirtualKind,
    pub transitions: u64,
    pub reached: Reached,
    pub violations: ViolationCounts,
    pub evidence: Option<Evidence>,
    pub further: Vec<Evidence>,
    /// Whether an atomic sequence was met that need not end.
    pub endless: bool,
    cut: Option<Limit>,
    started: Instant,
}

impl<'t, 'a> Quotient<'t, 'a> {
    /// The quotient by what can be exchanged in the state in which everything has started.
    pub(crate) fn new(
        subject: &'a Subject,
        manner: &'t Manner<'t>,
        conditions: Vec<(ConditionId, Expr)>,
        everything: &State,
    ) -> Self {
        let (model, space) = (subject.model(), subject.space());
        let group = meant(model, &space, &space.twins(everything));
        let symmetry = space.symmetry();
        let kept = [
            symmetry.whole(),
            &symmetry.monitors().partition,
            &symmetry.conditions().partition,
        ];
        Quotient {
            manner,
            interpreter: subject.interpreter(),
            kept: kept
                .into_iter()
                .fold(group.clone(), |all, kept| all.meet(kept)),
            space,
            conditions,
            group,
            orbits: Vec::new(),
            starts: BTreeSet::new(),
            index: HashMap::new(),
            frontier: VecDeque::new(),
            kind: VirtualKind::Symmetric,
            transitions: 0,
            reached: Reached {
                nodes: None,
                ..Reached::nothing(model)
            },
            violations: ViolationCounts::default(),
            evidence: None,
            further: Vec::new(),
            endless: false,
            cut: None,
            started: Instant::now(),
        }
    }

    /// Makes the quotient.
    pub(crate) fn run(&mut self, observer: &mut dyn ProgressObserver) -> Result<Extent, Failure> {
        self.start()?;
        let mut visits = 0;
        while let Some(orbit) = self.frontier.pop_front() {
            if self.is_satisfied() {
                return Ok(Extent::FirstViolation);
            }
            require_time(self.manner, self.started)?;
            if visits % PERIOD == 0 && observer.update(&self.progress()) == Wish::Stop {
                return Ok(Extent::Limited(Limit::Cancelled));
            }
            visits += 1;
            self.expand(orbit)?;
        }
        Ok(match self.cut {
            _ if self.is_satisfied() => Extent::FirstViolation,
            Some(limit) => Extent::Limited(limit),
            None => Extent::Complete,
        })
    }

    fn is_satisfied(&self) -> bool {
        self.evidence.is_some() && self.manner.after_violation == AfterViolation::Stop
    }

    fn start(&mut self) -> Result<(), Stop> {
        let start = match self.interpreter.start() {
            Ok(start) => start,
            Err(fault) => {
                self.note(None, &Violation::Fault(fault))?;
                return Ok(());
            }
        };
        if !self.interpreter.model().start_held {
            self.transitions = 1;
            let first = self.meet(&start.state, None)?;
            self.starts.extend(first);
            return Ok(());
        }
        let mut chains = self.interpreter.chains(&start).within(MOST);
        let found: Vec<_> = chains.by_ref().collect();
        require_whole(chains.is_cut())?;
        for chain in found {
            for violation in chain.steps.last().iter().flat_map(|last| &last.violations) {
                self.note(None, violation)?;
            }
            if let Some(next) = chain.successor() {
                let first = self.meet(&next.state, None)?;
                self.starts.extend(first);
            }
        }
        Ok(())
    }

    /// What is interchangeable in a state: nothing before all that is interchangeable is there.
    fn group_in(&self, state: &State) -> Partition {
        let mut exchanges = self.group.neighbours().into_iter();
        let is_there = |(a, b)| {
            let exchange = self.space.symmetry().exchange(a, b);
            self.space.image(&exchange, state).is_some()
        };
        match exchanges.all(is_there) {
            true => self.group.clone(),
            false => Partition::discrete(self.group.points()),
        }
    }

    /// The orbit of a state, which is a new one if it has not been met; nothing if there may be no more.
    fn meet(&mut self, state: &State, parent: Option<usize>) -> Result<Option<usize>, Stop> {
        let group = self.group_in(state);
        let least = self.space.least(&group, state)?;
        if let Some(known) = self.index.get(&least.packed) {
            return Ok(Some(*known));
        }
        let limits = self.manner.limits;
        let new = self.orbits.len();
        if limits.states.is_some_and(|limit| new as u64 >= limit) {
            return Err(Stop::Limit(Limit::States));
        }
        let depth = parent.map_or(0, |parent| self.orbits[parent].depth + 1);
        self.index.insert(least.packed, new);
        for process in &state.processes {
            self.reached.locations[process.template.index()][process.location.index()] = true;
        }
        self.orbits.push(Orbit {
            state: least.state,
            parent,
            depth,
            next: BTreeSet::new(),
            holding: Vec::new(),
            moves: false,
        });
        match limits.depth.filter(|limit| depth >= *limit) {
            Some(_) => self.cut = Some(Limit::Depth),
            None => self.frontier.push_back(new),
        }
        Ok(Some(new))
    }

    /// Looks at all states of an orbit, and goes on with what they lead to if they all agree.
    fn expand(&mut self, orbit: usize) -> Result<(), Failure> {
        let state = self.orbits[orbit].state.clone();
        let group = self.group_in(&state);
        let under = group.meet(&self.kept);
        let (manner, started) = (self.manner, self.started);
        let goes_on = || require_time(manner, started);
        let members = self
            .space
            .members((&group, &under), &state, None, &goes_on)?;
        let mut seen: Vec<(Member, Vec<State>)> = Vec::new();
        let mut first: Option<Told> = None;
        for member in members {
            goes_on()?;
            let (told, next) = self.told(&member.state)?;
            match &first {
                None => first = Some(told),
                Some(first) if *first == told => {}
                Some(first) => {
                    let states = (&state, &member.state);
                    return Err(Failure::Different(self.difference(states, first, &told)));
                }
            }
            seen.push((member, next));
        }
        self.kind = self.kind.max(of_orbit(&mut self.space, &group, &seen)?);
        let Some(told) = first else {
            return Ok(());
        };
        for (_, violation) in self.violations_in(&state)? {
            self.note(Some(orbit), &violation)?;
        }
        for (member, _) in &seen {
            self.observe(&member.state);
        }
        for state in seen.iter().flat_map(|(_, next)| next) {
            self.transitions += 1;
            let next = self.meet(state, Some(orbit))?;
            self.orbits[orbit].next.extend(next);
        }
        self.orbits[orbit].holding = told.holding;
        self.orbits[orbit].moves = told.moves;
        Ok(())
    }

    /// What is so of a state, and what steps from it lead to.
    fn told(&mut self, state: &State) -> Result<(Told, Vec<State>), Failure> {
        let here = free(state);
        let mut holding = Vec::new();
        for (id, condition) in &self.conditions {
            let value = self.interpreter.evaluate(state, None, condition);
            if value.map_err(|_| Failure::NoValue)? != 0 {
                holding.push(*id);
            }
        }
        let violations = self.violations_in(state)?;
        let mut chains = self.interpreter.chains(&here).within(MOST);
        let (mut next, mut packed, mut moves) = (Vec::new(), HashSet::new(), false);
        let mut successors = Vec::new();
        while let Some(end) = chains.next_end() {
            let last = chains.last_step(end);
            moves |= last.counts();
            successors.extend(last.remembered_next().map(|next| next.state.clone()));
        }
        require_whole(chains.is_cut())?;
        self.endless |= self.has_cycle(&here);
        for state in successors {
            let group = self.group_in(&state);
            packed.insert(self.space.least(&group, &state)?.packed);
            next.push(state);
        }
        let told = Told {
            next: packed,
            violations: violations.iter().map(|(key, _)| *key).collect(),
            holding,
            moves,
        };
        Ok((told, next))
    }

    /// What is wrong with a state, or goes wrong on steps from it, as far as it is asked about.
    fn violations_in(&self, state: &State) -> Result<Vec<(ViolationKey, Violation)>, Stop> {
        let here = free(state);
        let mut found = self.interpreter.verdicts_here(&here);
        let mut chains = self.interpreter.chains(&here).within(MOST);
        while let Some(end) = chains.next_end() {
            found.extend(chains.last_step(end).violations.iter().cloned());
        }
        require_whole(chains.is_cut())?;
        found.retain(|violation| self.manner.question.concerns(violation));
        let key = |v: &Violation| (v.attribution(), discriminant(v));
        Ok(found.into_iter().map(|v| (key(&v), v)).collect())
    }

    /// Whether an atomic sequence from there need not end.
    fn has_cycle(&self, from: &Configuration) -> bool {
        let mut places = HashMap::from([(from.clone(), 0)]);
        let mut order = vec![from.clone()];
        let mut edges: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut current = 0;
        while current < order.len() && order.len() < MOST {
            for made in self.interpreter.moves(&order[current].clone()) {
                let Some(next) = made.passed_next() else {
                    continue;
                };
                let new = order.len();
                let to = *places.entry(next.clone()).or_insert(new);
                if to == new {
                    order.push(next.clone());
                }
                edges.entry(current).or_default().push(to);
            }
            current += 1;
        }
        let mut entering = vec![0; order.len()];
        edges.values().flatten().for_each(|to| entering[*to] += 1);
        let mut open: Vec<usize> = (0..order.len()).filter(|n| entering[*n] == 0).collect();
        let mut sorted = 0;
        while let Some(place) = open.pop() {
            sorted += 1;
            for to in edges.get(&place).into_iter().flatten() {
                entering[*to] -= 1;
                if entering[*to] == 0 {
                    open.push(*to);
                }
            }
        }
        sorted < order.len()
    }

    fn observe(&mut self, state: &State) {
        for seen in self.interpreter.observations(&free(state)) {
            if seen.holds {
                self.reached.observe(self.interpreter.model(), seen.monitor);
            }
        }
    }

    /// How two states of an orbit differ, for a person.
    fn difference(&self, (one, other): (&State, &State), first: &Told, second: &Told) -> String {
        let what = if first.holding != second.holding {
            "a condition of the property holds in only one of them"
        } else if first.violations != second.violations {
            "a violation is met from only one of them"
        } else {
            "they lead to states that are not all images of each other"
        };
        let changes = self.interpreter.changes(one, other).into_iter();
        let changes = changes.map(|change| {
            let text = |value: Option<String>| value.unwrap_or_else(|| "nothing".into());
            format!(
                "{} = {} and {}",
                change.name,
                text(change.old),
                text(change.new)
            )
        });
        let changes: Vec<String> = changes.collect();
        let places = (0u32..).zip(one.processes.iter().zip(&other.processes));
        let moved = places.filter(|(_, (a, b))| a.location != b.location);
        let moved = moved.map(|(number, (a, b))| {
            let name = self.interpreter.process_name(one, number);
            format!("{name} {} and {}", self.place(a), self.place(b))
        });
        let all: Vec<String> = changes.into_iter().chain(moved).collect();
        let values = self.interpreter.values(one).into_iter();
        let values: Vec<String> = values
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        format!(
            "`--symmetry virtual` is not possible: two states are images of each other, but {what}; they differ in: {}; the first is: {}. `--symmetry adaptive` makes no such condition",
            all.join(", "),
            values.join(", ")
        )
    }

    fn place(&self, process: &mandala_model::state::ProcessState) -> String {
        let template = self.interpreter.model().template(process.template);
        format!(
            "at location {}",
            template.locations[process.location.index()].number
        )
    }

    /// Notes a violation that is met from an orbit, or before there is one.
    fn note(&mut self, orbit: Option<usize>, violation: &Violation) -> Result<(), Stop> {
        if self.is_satisfied() || !self.manner.question.concerns(violation) {
            return Ok(());
        }
        let owner = violation.attribution();
        self.violations.note(owner, 1);
        let mut known = self.evidence.iter().chain(&self.further);
        if known.any(|known| known.violation.attribution() == owner) {
            return Ok(());
        }
        let (path, violation) = match orbit {
            None => (Vec::new(), violation.clone()),
            Some(orbit) => {
                let path = self.lifted(&self.way(orbit))?;
                let last = path.last().cloned();
                let there = last.map(|state| self.violations_in(&state)).transpose()?;
                let same = |v: &&Violation| {
                    (v.attribution(), discriminant(*v)) == (owner, discriminant(violation))
                };
                let there = there.into_iter().flatten().map(|(_, violation)| violation);
                let all: Vec<Violation> = there.collect();
                let found = all.iter().find(same).cloned();
                (path, found.ok_or_else(|| Stop::Defect(LOST.into()))?)
            }
        };
        let found = Evidence {
            path,
            cycle: Vec::new(),
            violation,
        };
        match self.evidence {
            None => self.evidence = Some(found),
            Some(_) => self.further.push(found),
        }
        Ok(())
    }

    /// The orbits on the way to one.
    pub(crate) fn way(&self, orbit: usize) -> Vec<usize> {
        let way = std::iter::successors(Some(orbit), |&at| self.orbits[at].parent);
        let mut way: Vec<usize> = way.collect();
        way.reverse();
        way
    }

    /// The states of a run through some orbits, the first of which runs start in.
    pub(crate) fn lifted(&mut self, orbits: &[usize]) -> Result<Vec<State>, Stop> {
        let start = self.interpreter.start();
        let start = start.map_err(|_| Stop::Defect(LOST.into()))?;
        let held = self.interpreter.model().start_held;
        let mut states: Vec<State> = Vec::new();
        let mut at = start;
        for (place, orbit) in orbits.iter().enumerate() {
            let next = match place == 0 && !held {
                true => at.clone(),
                false => self.step_into(&at, *orbit)?,
            };
            states.push(next.state.clone());
            at = next;
        }
        Ok(states)
    }

    /// What some step from there leads to that is in that orbit.
    fn step_into(&mut self, at: &Configuration, orbit: usize) -> Result<Configuration, Stop> {
        let interpreter = self.interpreter;
        let mut chains = interpreter.chains(at).within(MOST);
        while let Some(end) = chains.next_end() {
            if let Some(next) = chains.last_step(end).remembered_next() {
                let group = self.group_in(&next.state);
                let packed = self.space.least(&group, &next.state)?.packed;
                if self.index.get(&packed) == Some(&orbit) {
                    return Ok(next.clone());
                }
            }
        }
        Err(Stop::Defect(LOST.into()))
    }

    fn progress(&self) -> Progress {
        Progress {
            states: self.orbits.len() as u64,
            transitions: self.transitions,
            depth: self.depth(),
            frontier: self.frontier.len() as u64,
            bytes: 0,
            total: None,
        }
    }

    pub(crate) fn depth(&self) -> u64 {
        self.orbits
            .iter()
            .map(|orbit| orbit.depth)
            .max()
            .unwrap_or(0)
    }

    /// How long it has taken so far.
    pub(crate) fn time(&self) -> std::time::Duration {
        self.started.elapsed()
    }
}

const LOST: &str = "a run through orbits is none of the model";

fn free(state: &State) -> Configuration {
    Configuration {
        state: state.clone(),
        turn: Turn::Free,
    }
}

fn require_whole(is_cut: bool) -> Result<(), Stop> {
    match is_cut {
        true => Err(Stop::Limit(Limit::AtomicSteps { most: MOST as u64 })),
        false => Ok(()),
    }
}

/// What of a partition is meant: processes, and names that the model declares. Whatever else may be interchangeable is a guess.
fn meant(model: &Model, space: &Space<'_>, partition: &Partition) -> Partition {
    let symmetry = space.symmetry();
    let is_meant = |point: usize| {
        let mut members = symmetry.members(point).iter();
        members.any(|(domain, _)| match &symmetry.domains()[*domain] {
            DomainKind::Processes { .. } => true,
            DomainKind::Names { label, .. } => model.scalarsets.iter().any(|s| s.name == *label),
        })
    };
    let keys: Vec<(usize, Option<usize>)> = (0..partition.points())
        .map(|point| match is_meant(point) {
            true => {
                let first = (0..point).find(|other| partition.joins(*other, point));
                (first.unwrap_or(point), None)
            }
            false => (point, Some(point)),
        })
        .collect();
    Partition::by_key(&keys)
}

/// Why there is no outcome.
pub(crate) fn refused(failure: Failure) -> Result<Extent, EngineError> {
    match failure {
        Failure::Stop(Stop::Limit(limit)) => Ok(Extent::Limited(limit)),
        Failure::Stop(Stop::Defect(what)) => Err(EngineError::Defect(what)),
        Failure::NoValue => Ok(Extent::Limited(Limit::NoValueOfFormula)),
        Failure::Different(what) => Err(EngineError::NotTaken { what, span: None }),
    }
}
