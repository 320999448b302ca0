//! Adaptive symmetry reduction: a search of pairs of a partition and a state.

use crate::families::Families;
use crate::nodes::{Arrival, Met, Nodes, Origin, Part};
use crate::orbit::Member;
use crate::space::{Space, Stop, Subject};
use crate::steps::{Arrived, Steps, Told, mover};
use mandala_engine::{
    AfterViolation, EngineError, Evidence, Extent, Limit, Limits, Outcome, Progress,
    ProgressObserver, Question, Reached, ReductionStatistics, SearchOrder, Statistics,
    ViolationCounts, Wish,
};
use mandala_interpreter::{Configuration, Interpreter, Move};
use mandala_model::State;
use mandala_model::step::{Turn, Violation};
use mandala_prepare::asymmetry_of;
use mandala_symmetry::{Partition, Renaming};
use std::cell::Cell;
use std::collections::{BTreeSet, VecDeque};
use std::time::Instant;

/// How often the observer is asked, in nodes.
const PERIOD: u64 = 64;

/// How many images are looked at to find out whether the start states are closed under some exchanges.
const MOST_STARTS: usize = 5_000;

/// How a search is to be made.
pub(crate) struct Manner<'t> {
    pub question: &'t Question,
    pub order: SearchOrder,
    pub limits: Limits,
    pub after_violation: AfterViolation,
}

/// A pair: all images of a state under the permutations that keep the cells of a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abstract {
    /// The partition.
    pub partition: Partition,
    /// One of the states.
    pub state: State,
}

pub(crate) struct Search<'t, 'a> {
    manner: &'t Manner<'t>,
    interpreter: Interpreter<'a>,
    families: Families<'a>,
    pub space: Space<'a>,
    pub found: Found<'t>,
    frontier: VecDeque<usize>,
    started: Instant,
}

/// What has been found.
pub(crate) struct Found<'t> {
    manner: &'t Manner<'t>,
    pub nodes: Nodes,
    reached: Reached,
    transitions: u64,
    fired: u64,
    expanded: u64,
    violations: ViolationCounts,
    evidence: Option<Evidence>,
    further: Vec<Evidence>,
    cut: Option<Limit>,
    /// The nodes that are new and not in the frontier yet.
    new: Vec<usize>,
    /// What the steps from the node that is being expanded lead to, where statements in the middle of an atomic sequence have refined a partition: each with the partition after
    /// the first statement.
    refined: Vec<(Partition, Part)>,
}

impl<'t, 'a> Search<'t, 'a> {
    pub(crate) fn new(subject: &'a Subject, manner: &'t Manner<'t>) -> Self {
        let model = subject.model();
        Search {
            manner,
            interpreter: subject.interpreter(),
            families: Families::new(model, &subject.symmetry),
            space: subject.space(),
            found: Found {
                manner,
                nodes: Nodes::default(),
                reached: Reached {
                    // A statement inside of a routine may be one for each member.
                    nodes: None,
                    ..Reached::nothing(model)
                },
                transitions: 0,
                fired: 0,
                expanded: 0,
                violations: ViolationCounts::default(),
                evidence: None,
                further: Vec::new(),
                cut: None,
                new: Vec::new(),
                refined: Vec::new(),
            },
            frontier: VecDeque::new(),
            started: Instant::now(),
        }
    }

    /// Searches.
    pub(crate) fn run(
        &mut self,
        observer: &mut dyn ProgressObserver,
    ) -> Result<Extent, EngineError> {
        let extent = match self.search(observer) {
            Ok(()) if self.found.is_satisfied() => Extent::FirstViolation,
            Ok(()) => self.found.cut.map_or(Extent::Complete, Extent::Limited),
            Err(Stop::Limit(limit)) => Extent::Limited(limit),
            Err(Stop::Defect(what)) => return Err(EngineError::Defect(what)),
        };
        if extent == Extent::Complete {
            self.sweep()
                .map_err(|stop| EngineError::Defect(format!("{stop:?}")))?;
        }
        Ok(extent)
    }

    fn search(&mut self, observer: &mut dyn ProgressObserver) -> Result<(), Stop> {
        self.start()?;
        let mut visits = 0;
        while let Some(node) = self.next() {
            if self.found.is_satisfied() {
                return Ok(());
            }
            self.require_time()?;
            if visits % PERIOD == 0 && observer.update(&self.progress()) == Wish::Stop {
                return Err(Stop::Limit(Limit::Cancelled));
            }
            visits += 1;
            let depth = self.found.nodes.all[node].depth;
            // What is met later must not take the place of a shorter way.
            if !self
                .found
                .nodes
                .drop_if_subsumed(&mut self.space, node, depth)?
            {
                self.expand(node)?;
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Option<usize> {
        self.frontier.extend(self.found.new.drain(..));
        match self.manner.order {
            SearchOrder::BreadthFirst => self.frontier.pop_front(),
            SearchOrder::DepthFirst => self.frontier.pop_back(),
        }
    }

    fn require_time(&self) -> Result<(), Stop> {
        require_time(self.manner, self.started)
    }

    /// Meets the states that runs start in.
    fn start(&mut self) -> Result<(), Stop> {
        let start = match self.interpreter.start() {
            Ok(start) => start,
            Err(fault) => {
                self.found.violated_at_start(Violation::Fault(fault));
                return Ok(());
            }
        };
        let held = self.interpreter.model().start_held;
        let starts = match held {
            true => self.leave(&start)?,
            false => vec![start.state],
        };
        let all: BTreeSet<Vec<u8>> = starts
            .iter()
            .map(|s| self.space.packed(s))
            .collect::<Result<_, _>>()?;
        for start in starts {
            let partition = self.first_partition(&start, &all)?;
            self.found
                .meet(&mut self.space, &partition, &start, 0, |_| None)?;
        }
        self.found.transitions = u64::from(!held);
        self.found.fired = self.found.transitions;
        Ok(())
    }

    /// The states that runs start in, where the start is none.
    fn leave(&mut self, start: &Configuration) -> Result<Vec<State>, Stop> {
        let mut starts = Vec::new();
        let mut chains = self.interpreter.chains(start).within(MOST_STARTS * 100);
        for chain in chains.by_ref() {
            chain.steps.iter().for_each(|made| self.found.mark(made));
            let last = chain.steps.last();
            for violation in last.iter().flat_map(|last| &last.violations) {
                self.found.violated_at_start(violation.clone());
            }
            starts.extend(chain.successor().map(|next| next.state.clone()));
        }
        match chains.is_cut() {
            true => Err(Stop::Limit(Limit::AtomicSteps {
                most: MOST_STARTS as u64 * 100,
            })),
            false => Ok(starts),
        }
    }

    /// A coarse partition with whose group a start state has only start states as images: that of what can be exchanged without changing it, with as
    /// many cells joined as possible, one after the other.
    fn first_partition(
        &mut self,
        start: &State,
        all: &BTreeSet<Vec<u8>>,
    ) -> Result<Partition, Stop> {
        let mut partition = self.space.twins(start);
        if all.len() < 2 {
            return Ok(partition);
        }
        let kinds = self.space.symmetry().kinds().clone();
        for (a, b) in kinds.neighbours() {
            let joined = partition.joined(a, b);
            if joined != partition && self.has_only(start, &joined, all)? {
                partition = joined;
            }
        }
        Ok(partition)
    }

    fn has_only(
        &mut self,
        start: &State,
        partition: &Partition,
        all: &BTreeSet<Vec<u8>>,
    ) -> Result<bool, Stop> {
        let discrete = Partition::discrete(partition.points());
        let exceeded = Stop::Limit(Limit::States);
        let looked = Cell::new(0);
        let goes_on = || {
            looked.set(looked.get() + 1);
            match looked.get() > MOST_STARTS {
                true => Err(exceeded.clone()),
                false => Ok(()),
            }
        };
        let members = self
            .space
            .members((partition, &discrete), start, None, &goes_on);
        let Ok(members) = members else {
            return Ok(false);
        };
        for member in members {
            if !all.contains(&self.space.packed(&member.state)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn expand(&mut self, node: usize) -> Result<(), Stop> {
        self.found.expanded += 1;
        let partition = self.found.nodes.partition(node).clone();
        let from = Configuration {
            state: self.found.nodes.all[node].state.clone(),
            turn: Turn::Free,
        };
        self.observe(node, &partition, &from.state)?;
        let (manner, started) = (self.manner, self.started);
        let mut steps = Steps {
            interpreter: self.interpreter,
            families: &mut self.families,
            space: &mut self.space,
            goes_on: &|| require_time(manner, started),
        };
        let found = &mut self.found;
        let goes_on = steps.from(&partition, &from, &mut |space, told| {
            found.note(space, node, told)
        })?;
        self.gather(node)?;
        match goes_on {
            true => Ok(()),
            false => self.look_for_deadlock(node, &partition, &from.state),
        }
    }

    /// Meets the states that steps from a node lead to where statements in the middle of an atomic sequence have refined a partition. If the steps lead to all images of a state under the
    /// group that the partition after the first statement has, then they are met together, with that one.
    fn gather(&mut self, node: usize) -> Result<(), Stop> {
        let refined = std::mem::take(&mut self.found.refined);
        let mut known = BTreeSet::new();
        for (first, part) in &refined {
            let least = self.space.least(&part.partition, &part.state)?;
            known.insert((first.clone(), part.partition.clone(), least.packed));
        }
        let mut whole = BTreeSet::new();
        for (first, part) in &refined {
            let all = self.space.least(first, &part.state)?;
            if whole.contains(&(first.clone(), all.packed.clone())) {
                continue;
            }
            let members = self.members(first, &part.partition, &part.state)?;
            let mut parts = Vec::new();
            for member in members {
                let least = self.space.least(&part.partition, &member.state)?;
                parts.push((first.clone(), part.partition.clone(), least.packed));
            }
            match parts.iter().all(|one| known.contains(one)) {
                true => {
                    whole.insert((first.clone(), all.packed));
                    let own = refined
                        .iter()
                        .filter(|(f, p)| f == first && p.partition == part.partition);
                    let own: Vec<Part> = own.map(|(_, part)| part.clone()).collect();
                    self.found
                        .meet_parts(&mut self.space, node, first, own, &part.state)?;
                }
                false => {
                    let by = (&part.before, &part.partition);
                    self.found.reach(&mut self.space, node, by, &part.state)?;
                }
            }
        }
        Ok(())
    }

    /// Asks the monitors of a state for each orbit of what they keep.
    fn observe(&mut self, node: usize, partition: &Partition, state: &State) -> Result<(), Stop> {
        if self.interpreter.model().monitor_template().is_none() {
            return Ok(());
        }
        let kept = &self.space.subject.symmetry.monitors().partition;
        for member in self.members(partition, &partition.meet(kept), state)? {
            let here = here(&member);
            for seen in self.interpreter.observations(&here) {
                if seen.holds {
                    self.found
                        .reached
                        .observe(self.interpreter.model(), seen.monitor);
                }
                for violation in seen.violations {
                    self.found
                        .violated(&mut self.space, node, &member.renaming, violation)?;
                }
            }
        }
        Ok(())
    }

    /// Looks for states in which nothing happens any more, where it is not clear that there are none: that depends on all statements.
    fn look_for_deadlock(
        &mut self,
        node: usize,
        partition: &Partition,
        state: &State,
    ) -> Result<(), Stop> {
        if !self.manner.question.concerns(&Violation::Deadlock) {
            return Ok(());
        }
        let kept = self.space.subject.symmetry.whole();
        for member in self.members(partition, &partition.meet(kept), state)? {
            let here = self.interpreter.verdicts_here(&here(&member));
            if here.contains(&Violation::Deadlock) {
                let renaming = &member.renaming;
                self.found
                    .violated(&mut self.space, node, renaming, Violation::Deadlock)?;
            }
        }
        Ok(())
    }

    fn members(
        &mut self,
        within: &Partition,
        under: &Partition,
        state: &State,
    ) -> Result<Vec<Member>, Stop> {
        let (manner, started) = (self.manner, self.started);
        let goes_on = || require_time(manner, started);
        self.space.members((within, under), state, None, &goes_on)
    }

    /// Drops what others stand for that were met later.
    fn sweep(&mut self) -> Result<(), Stop> {
        for node in 0..self.found.nodes.all.len() {
            self.found
                .nodes
                .drop_if_subsumed(&mut self.space, node, u64::MAX)?;
        }
        Ok(())
    }

    fn progress(&self) -> Progress {
        Progress {
            states: self.found.nodes.all.len() as u64,
            transitions: self.found.transitions,
            depth: self.found.depth(),
            frontier: self.frontier.len() as u64,
            bytes: 0,
            total: None,
        }
    }

    /// What was found, once the search has ended like that.
    pub(crate) fn outcome(self, extent: Extent) -> Outcome {
        let subject = self.space.subject;
        let asymmetry = asymmetry_of(subject.model(), &subject.symmetry);
        let found = self.found;
        let states = found.nodes.kept().count() as u64;
        let bytes = mandala_engine::resident_bytes().unwrap_or(0) as u64;
        Outcome {
            statistics: Statistics {
                states,
                transitions: found.transitions,
                fired: found.fired,
                expanded: found.expanded,
                depth: found.depth(),
                time: self.started.elapsed(),
                workers: 1,
                peak_bytes: bytes,
                ..Statistics::default()
            },
            reduction: Some(ReductionStatistics {
                asymmetry: Some(asymmetry),
                ..ReductionStatistics::default()
            }),
            evidence: found.evidence,
            further: found.further,
            violations: found.violations,
            ..Outcome::nothing(extent, found.reached)
        }
    }
}

/// The limit on time, if it is reached.
pub(crate) fn require_time(manner: &Manner<'_>, started: Instant) -> Result<(), Stop> {
    let limit = manner.limits.time;
    match limit.is_some_and(|limit| started.elapsed() >= limit) {
        true => Err(Stop::Limit(Limit::Time)),
        false => Ok(()),
    }
}

/// A state in which no process holds control.
fn here(member: &Member) -> Configuration {
    Configuration {
        state: member.state.clone(),
        turn: Turn::Free,
    }
}

impl Found<'_> {
    fn is_satisfied(&self) -> bool {
        self.evidence.is_some() && self.manner.after_violation == AfterViolation::Stop
    }

    fn depth(&self) -> u64 {
        self.nodes
            .all
            .iter()
            .map(|node| node.depth)
            .max()
            .unwrap_or(0)
    }

    /// Notes what is told of the steps from a node.
    fn note(&mut self, space: &mut Space<'_>, node: usize, told: Told<'_>) -> Result<(), Stop> {
        match told {
            Told::Made(made) => self.mark(made),
            Told::Violated(renaming, violation) => {
                self.violated(space, node, renaming, violation)?;
            }
            Told::Vanished => self.count(),
            Told::Reached(before, Arrived { partition, first }, state) => {
                self.count();
                if first == partition {
                    return self.reach(space, node, (before, partition), &state);
                }
                let part = Part {
                    partition: partition.clone(),
                    before: before.clone(),
                    state,
                };
                self.refined.push((first.clone(), part));
            }
        }
        Ok(())
    }

    fn count(&mut self) {
        self.transitions += 1;
        self.fired += 1;
    }

    /// Meets a state that a step from a node leads to. Where there are more processes than before, exchanging those that are alike changes nothing, so they may be in one cell.
    fn reach(
        &mut self,
        space: &mut Space<'_>,
        parent: usize,
        (before, partition): (&Renaming, &Partition),
        state: &State,
    ) -> Result<(), Stop> {
        let (processes, depth) = {
            let from = &self.nodes.all[parent];
            (from.state.processes.len(), from.depth + 1)
        };
        let (partition, merged) = match state.processes.len() > processes {
            true => with_twins(space, partition, state),
            false => (partition.clone(), BTreeSet::new()),
        };
        let before = before.clone();
        self.meet(space, &partition, state, depth, |after| {
            Some(Origin::Step(Arrival {
                parent,
                before,
                after,
                merged,
            }))
        })
    }

    /// Meets a state with a partition, all of whose images are in parts that steps from a node lead to.
    fn meet_parts(
        &mut self,
        space: &mut Space<'_>,
        parent: usize,
        partition: &Partition,
        parts: Vec<Part>,
        state: &State,
    ) -> Result<(), Stop> {
        let depth = self.nodes.all[parent].depth + 1;
        let origin = |_| Some(Origin::Parts(parent, parts));
        self.meet(space, partition, state, depth, origin)
    }

    fn meet(
        &mut self,
        space: &mut Space<'_>,
        partition: &Partition,
        state: &State,
        depth: u64,
        origin: impl FnOnce(Renaming) -> Option<Origin>,
    ) -> Result<(), Stop> {
        let limits = self.manner.limits;
        if limits
            .states
            .is_some_and(|limit| self.nodes.all.len() as u64 >= limit)
        {
            return Err(Stop::Limit(Limit::States));
        }
        for process in &state.processes {
            self.reached.locations[process.template.index()][process.location.index()] = true;
        }
        if let Met::New(node) = self.nodes.add(space, partition, state, depth, origin)? {
            match limits.depth.filter(|limit| depth >= *limit) {
                Some(_) => self.cut = Some(Limit::Depth),
                None => self.new.push(node),
            }
        }
        Ok(())
    }

    /// Marks where a step leads, also if the process is gone afterwards.
    fn mark(&mut self, made: &Move) {
        if mover(made).is_none() {
            return;
        }
        let processes = made.next.iter().flat_map(|next| &next.state.processes);
        for process in processes {
            self.reached.locations[process.template.index()][process.location.index()] = true;
        }
    }

    fn violated_at_start(&mut self, violation: Violation) {
        if !self.is_satisfied() && self.manner.question.concerns(&violation) {
            self.keep(Vec::new(), violation);
        }
    }

    /// Notes a violation in the image of the state of a node under a renaming, or on a step from there.
    fn violated(
        &mut self,
        space: &mut Space<'_>,
        node: usize,
        renaming: &Renaming,
        violation: Violation,
    ) -> Result<(), Stop> {
        if self.is_satisfied() || !self.manner.question.concerns(&violation) {
            return Ok(());
        }
        let path = match self.is_known(&violation) {
            true => Vec::new(),
            false => self.nodes.run(space, node, renaming.clone())?,
        };
        self.keep(path, violation);
        Ok(())
    }

    /// Whether there is evidence already of a violation of the same attribution.
    fn is_known(&self, violation: &Violation) -> bool {
        let owner = violation.attribution();
        let mut known = self.evidence.iter().chain(&self.further);
        known.any(|known| known.violation.attribution() == owner)
    }

    fn keep(&mut self, path: Vec<State>, violation: Violation) {
        self.violations.note(violation.attribution(), 1);
        if self.is_known(&violation) {
            return;
        }
        let found = Evidence {
            path,
            cycle: Vec::new(),
            violation,
        };
        match self.evidence {
            None => self.evidence = Some(found),
            Some(_) => self.further.push(found),
        }
    }
}

/// A partition in which cells whose points can be exchanged without changing the state are one, and the points of these cells.
fn with_twins(
    space: &Space<'_>,
    partition: &Partition,
    state: &State,
) -> (Partition, BTreeSet<usize>) {
    let twins = space.twins(state);
    let mut joined = partition.clone();
    let mut merged = BTreeSet::new();
    let cells = partition.cells();
    let alike = cells
        .iter()
        .filter(|cell| cell.windows(2).all(|w| twins.joins(w[0], w[1])));
    let alike: Vec<&Vec<usize>> = alike.collect();
    for (place, cell) in alike.iter().enumerate() {
        let mut earlier = alike[..place].iter();
        if let Some(other) = earlier.find(|other| twins.joins(other[0], cell[0])) {
            joined = joined.joined(other[0], cell[0]);
            merged.extend(cell.iter().chain(other.iter()).copied());
        }
    }
    // A cell that took others in is one of them, whoever was found first.
    let all = |point: &usize| merged.iter().any(|m| joined.joins(*m, *point));
    let merged = (0..partition.points()).filter(all).collect();
    (joined, merged)
}

/// Watches nothing.
struct Unobserved;

impl ProgressObserver for Unobserved {
    fn update(&mut self, _: &Progress) -> Wish {
        Wish::GoOn
    }
}

/// All abstract states of a model: together they stand for the reachable states, and for nothing else.
///
/// # Errors
///
/// If Mandala contradicts itself.
pub fn cover(subject: &Subject, question: &Question) -> Result<Vec<Abstract>, EngineError> {
    let manner = Manner {
        question,
        order: SearchOrder::BreadthFirst,
        limits: Limits::default(),
        after_violation: AfterViolation::GoOn,
    };
    let mut search = Search::new(subject, &manner);
    search.run(&mut Unobserved)?;
    let nodes = &search.found.nodes;
    let pair = |node: usize| Abstract {
        partition: nodes.partition(node).clone(),
        state: nodes.all[node].state.clone(),
    };
    Ok(nodes.kept().map(pair).collect())
}
