//! A search on the interpreter itself: slow, with every state written out in full, and so simple
//! that other engines are compared with it.
//!
//! What happens for ever is decided on a graph of its own ([`runs`], [`cycles`], [`branching`]), once everything has been seen.

mod branching;
mod cycles;
mod runs;

use branching::{Answer, Formula};
use mandala_engine::{
    AfterViolation, Branching, Capabilities, Decision, Demanded, Engine, EngineError, Evidence,
    Extent, Goal, Limit, Outcome, Possibility, Progress, ProgressObserver, Reached, SearchOrder,
    Statistics, SymmetrySupport, Task, ViolationCounts, Wish, Witness,
};
use mandala_interpreter::{Configuration, Interpreter, MacroStep, Move};
use mandala_model::State;
use mandala_model::ids::{MonitorId, PropertyId};
use mandala_model::step::{Actor, Violation};
use runs::Runs;
use std::collections::{HashMap, VecDeque};
use std::time::Instant;

/// How often the watcher is asked, in states.
const PERIOD: u64 = 256;

/// How many steps are looked at for the chains from one state: those that fit into some gigabytes.
const MOST: usize = 1 << 19;

/// A remembered state.
struct Known {
    configuration: Configuration,
    parent: Option<usize>,
    depth: u64,
}

struct Search<'a> {
    task: &'a Task<'a>,
    interpreter: Interpreter<'a>,
    known: Vec<Known>,
    index: HashMap<State, usize>,
    frontier: VecDeque<usize>,
    reached: Reached,
    /// The steps between remembered states, if something must stay possible.
    steps: Vec<(usize, usize)>,
    /// For each goal, the states in which it is met: for each instance, if it is several in one.
    met: Vec<Vec<Vec<usize>>>,
    transitions: u64,
    expanded: u64,
    depth: u64,
    violations: ViolationCounts,
    evidence: Option<Evidence>,
    /// The first violation of each attribution that the first of all is not of.
    further: Vec<Evidence>,
    branching: Option<Branching>,
    cut: Option<Limit>,
    started: Instant,
}

/// The engine that searches with the reference interpreter.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReferenceEngine;

impl Engine for ReferenceEngine {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn help(&self) -> &'static str {
        "the interpreter, slow: to compare others with"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            symmetry: SymmetrySupport::None,
            workers: false,
            lossy_stores: false,
            native_code: false,
            causes: false,
            checkpoints: false,
            partial_order: false,
            cycles: true,
            shortest_cycles: false,
            depth_first_depth: true,
            memory: false,
            statement_counts: false,
            multiset_elements: true,
            rules: true,
            chance: false,
        }
    }

    fn run(
        &self,
        task: &Task<'_>,
        observer: &mut dyn ProgressObserver,
    ) -> Result<Outcome, EngineError> {
        task.require_no_chance()?;
        Ok(search(task, observer))
    }
}

/// Searches.
fn search(task: &Task<'_>, observer: &mut dyn ProgressObserver) -> Outcome {
    let mut search = Search {
        task,
        interpreter: Interpreter::new(task.model(), task.question.observers),
        known: Vec::new(),
        index: HashMap::new(),
        frontier: VecDeque::new(),
        reached: Reached::nothing(task.model()),
        steps: Vec::new(),
        met: task.goals.iter().map(unmet).collect(),
        transitions: 0,
        expanded: 0,
        depth: 0,
        violations: ViolationCounts::default(),
        evidence: None,
        further: Vec::new(),
        branching: None,
        cut: None,
        started: Instant::now(),
    };
    let mut ending = search.run(observer);
    if ending == Extent::Complete {
        ending = match task.question.decision {
            Decision::Full | Decision::Value => ending,
            Decision::Cycles => search.look_for_cycle(),
            Decision::Branching => search.decide_formula(),
        };
    }
    search.finish(ending)
}

/// Nothing is met yet of a goal.
fn unmet(goal: &Goal) -> Vec<Vec<usize>> {
    match &goal.demanded {
        Demanded::One(_) => vec![Vec::new()],
        Demanded::Each(instances) => vec![Vec::new(); instances.len()],
    }
}

impl Search<'_> {
    fn run(&mut self, observer: &mut dyn ProgressObserver) -> Extent {
        match self.interpreter.start() {
            Ok(start) if self.task.model().start_held => self.leave_start(&start),
            Ok(start) => self.remember(start, None),
            Err(fault) => self.violated(None, Violation::Fault(fault)),
        }
        let mut visits = 0;
        while let Some(current) = self.next() {
            if self.is_satisfied() {
                return Extent::FirstViolation;
            }
            if self.is_out_of_time() {
                self.cut = Some(Limit::Time);
                break;
            }
            if visits % PERIOD == 0 && observer.update(&self.progress()) == Wish::Stop {
                return Extent::Limited(Limit::Cancelled);
            }
            visits += 1;
            self.expand(current);
        }
        match self.cut.take() {
            _ if self.is_satisfied() => Extent::FirstViolation,
            Some(limit) => Extent::Limited(limit),
            None => Extent::Complete,
        }
    }

    /// Remembers the states that runs start in, where the start is none. To get there is no step between states.
    fn leave_start(&mut self, start: &Configuration) {
        self.follow_all(start, None);
        self.transitions = 0;
    }

    fn next(&mut self) -> Option<usize> {
        match self.task.order {
            SearchOrder::BreadthFirst => self.frontier.pop_front(),
            SearchOrder::DepthFirst => self.frontier.pop_back(),
        }
    }

    fn is_satisfied(&self) -> bool {
        self.evidence.is_some() && self.task.after_violation == AfterViolation::Stop
    }

    fn is_out_of_time(&self) -> bool {
        let limit = self.task.limits.time;
        limit.is_some_and(|limit| self.started.elapsed() >= limit)
    }

    fn remember(&mut self, configuration: Configuration, parent: Option<usize>) {
        self.transitions += 1;
        // States that differ in the order of elements without order are one.
        let state = self.task.model().arranged(&configuration.state);
        if let Some(&known) = self.index.get(&state) {
            self.keep_step(parent, known);
            return;
        }
        let limit = self.task.limits.states;
        if limit.is_some_and(|limit| self.known.len() as u64 >= limit) {
            self.cut = Some(Limit::States);
            self.frontier.clear();
            return;
        }
        let depth = parent.map_or(0, |p| self.known[p].depth + 1);
        let new = self.known.len();
        self.index.insert(state, new);
        self.keep_step(parent, new);
        self.mark(&configuration.state);
        self.depth = self.depth.max(depth);
        self.known.push(Known {
            configuration,
            parent,
            depth,
        });
        match self.task.limits.depth.filter(|&limit| depth >= limit) {
            Some(_) => self.cut = Some(Limit::Depth),
            None => self.frontier.push_back(new),
        }
    }

    fn keep_step(&mut self, from: Option<usize>, to: usize) {
        if let (Some(from), false) = (from, self.task.goals.is_empty()) {
            self.steps.push((from, to));
        }
    }

    /// All runs, unless time is up.
    fn all_runs(&self) -> Option<Runs> {
        let per_action = self.task.fairness.is_per_action();
        runs::explore(&self.interpreter, per_action, &|| self.is_out_of_time())
    }

    /// Decides a formula of branching time. That it does not hold is shown by a state that runs start in.
    fn decide_formula(&mut self) -> Extent {
        let (formula, instances) = self.task.branching_formula();
        let Some(runs) = self.all_runs() else {
            return Extent::Limited(Limit::Time);
        };
        let mut found = Branching::Holds(None);
        for (instance, propositions) in (0..).zip(instances) {
            let asked = Formula {
                formula,
                propositions,
                fairness: self.task.fairness,
            };
            match branching::decide(&runs, &self.interpreter, &asked) {
                Answer::Fails(start) if found == Branching::Holds(None) => {
                    found = Branching::Fails(Witness {
                        path: runs.path(start),
                        cycle: None,
                        instance,
                    });
                }
                Answer::Holds | Answer::Fails(_) => {}
                Answer::NoValue => {
                    found = Branching::Unknown(Limit::NoValueOfFormula);
                    break;
                }
            }
        }
        self.branching = Some(found);
        Extent::Complete
    }

    /// Looks for a run that is accepting and fair for ever.
    fn look_for_cycle(&mut self) -> Extent {
        let fairness = self.task.fairness;
        let Some(runs) = self.all_runs() else {
            return Extent::Limited(Limit::Time);
        };
        // An end is no lack of progress.
        let runs = match self.task.is_about_progress() {
            true => runs.without_ends(),
            false => runs,
        };
        let Some(round) = cycles::fair_round(&runs, fairness) else {
            return Extent::Complete;
        };
        self.violations.note(Violation::Cycle.attribution(), 1);
        self.evidence.get_or_insert(Evidence {
            path: round.path,
            cycle: round.cycle,
            violation: Violation::Cycle,
        });
        match self.is_satisfied() {
            true => Extent::FirstViolation,
            false => Extent::Complete,
        }
    }

    /// What became of each goal, once everything is known.
    fn possible(&self, ending: &Extent) -> Vec<(PropertyId, Possibility)> {
        if *ending != Extent::Complete || !self.violations.is_empty() {
            return Vec::new();
        }
        let goals = self.task.goals.iter().zip(&self.met);
        goals
            .map(|(goal, met)| (goal.property, self.possibility(met)))
            .collect()
    }

    /// Whether each instance stays possible: the first state in which one is lost, if not.
    fn possibility(&self, instances: &[Vec<usize>]) -> Possibility {
        let lost = (0..).zip(instances).filter_map(|(instance, met)| {
            let state = self.lost(met)?;
            Some((self.known[state].depth, instance, state))
        });
        match lost.min() {
            Some((_, instance, state)) => Possibility::Lost {
                path: self.path(Some(state)),
                shortest: self.task.order == SearchOrder::BreadthFirst,
                instance,
            },
            None => Possibility::Stays,
        }
    }

    /// The first state that leads to none of those. Marks whatever leads to one of them, until there is nothing more to mark.
    fn lost(&self, met: &[usize]) -> Option<usize> {
        let mut leads = vec![false; self.known.len()];
        met.iter().for_each(|&state| leads[state] = true);
        let mut changed = true;
        while changed {
            changed = false;
            for &(from, to) in &self.steps {
                if leads[to] && !leads[from] {
                    (leads[from], changed) = (true, true);
                }
            }
        }
        let lost = (0..leads.len()).filter(|&state| !leads[state]);
        lost.min_by_key(|&state| self.known[state].depth)
    }

    fn expand(&mut self, current: usize) {
        self.expanded += 1;
        let from = self.known[current].configuration.clone();
        for violation in self.interpreter.verdicts_here(&from) {
            self.violated(Some(current), violation);
        }
        for seen in self.interpreter.observations(&from) {
            if seen.holds {
                self.reached.observe(self.task.model(), seen.monitor);
                self.meet(current, (seen.monitor, seen.choice));
            }
        }
        self.follow_all(&from, Some(current));
    }

    /// Follows all chains of steps from a configuration. If there are more than can be kept, or time is up, the search ends.
    fn follow_all(&mut self, configuration: &Configuration, from: Option<usize>) {
        let interpreter = self.interpreter;
        let mut chains = interpreter.chains(configuration).within(MOST);
        for chain in chains.by_ref() {
            self.follow(&chain, from);
            if self.is_out_of_time() {
                self.cut = Some(Limit::Time);
                return self.frontier.clear();
            }
        }
        if chains.is_cut() {
            self.cut = Some(Limit::AtomicSteps { most: MOST as u64 });
            self.frontier.clear();
        }
    }

    /// Notes the goals that a monitor is for which holds in a state, in a choice of its parameters.
    fn meet(&mut self, state: usize, seen: (MonitorId, u32)) {
        for (goal, met) in self.task.goals.iter().zip(&mut self.met) {
            match &goal.demanded {
                Demanded::One(monitors) if monitors.contains(&seen.0) => met[0].push(state),
                Demanded::One(_) => {}
                Demanded::Each(instances) => {
                    let own = instances.iter().zip(met);
                    let own = own.filter(|(demanded, _)| demanded.contains(&seen));
                    own.for_each(|(_, met)| met.push(state));
                }
            }
        }
    }

    /// Follows a chain of steps from a state, or from a start that is none.
    fn follow(&mut self, chain: &MacroStep, from: Option<usize>) {
        chain.steps.iter().for_each(|step| self.mark_step(step));
        let Some(last) = chain.steps.last() else {
            return;
        };
        let violations = last.violations.clone().into_iter();
        violations.for_each(|v| self.violated(from, v));
        match chain.successor() {
            Some(successor) => self.remember(successor.clone(), from),
            // A step without a state after it, and nothing is wrong with that.
            None if last.next.is_none() && last.violations.is_empty() => self.transitions += 1,
            None => {}
        }
    }

    fn violated(&mut self, at: Option<usize>, violation: Violation) {
        if self.is_satisfied() || !self.task.question.concerns(&violation) {
            return;
        }
        let owner = violation.attribution();
        self.violations.note(owner, 1);
        let mut known = self.evidence.iter().chain(&self.further);
        if known.any(|known| known.violation.attribution() == owner) {
            return;
        }
        let found = Evidence {
            path: self.path(at),
            cycle: Vec::new(),
            violation,
        };
        match self.evidence {
            None => self.evidence = Some(found),
            Some(_) => self.further.push(found),
        }
    }

    fn path(&self, to: Option<usize>) -> Vec<State> {
        let states = std::iter::successors(to, |&at| self.known[at].parent);
        let mut path: Vec<State> = states
            .map(|at| self.known[at].configuration.state.clone())
            .collect();
        path.reverse();
        path
    }

    fn mark(&mut self, state: &State) {
        for process in state.processes.iter().chain(&state.claim) {
            self.reached.locations[process.template.index()][process.location.index()] = true;
        }
    }

    /// Marks where a step leads, also if the process is gone afterwards.
    fn mark_step(&mut self, step: &Move) {
        if let Some(next) = &step.next {
            self.mark(&next.state);
        }
        for &node in &step.nodes {
            self.reached
                .execute(self.task.model(), step.label.edge, node);
        }
        if let Actor::Process(_) = step.label.actor {
            let template = self.task.model().template(step.label.edge.template);
            let target = template.edges[step.label.edge.index as usize].target;
            self.reached.locations[step.label.edge.template.index()][target.index()] = true;
        }
    }

    fn progress(&self) -> Progress {
        Progress {
            states: self.known.len() as u64,
            transitions: self.transitions,
            depth: self.depth,
            frontier: self.frontier.len() as u64,
            bytes: 0,
            total: None,
        }
    }

    fn finish(self, extent: Extent) -> Outcome {
        Outcome {
            possible: self.possible(&extent),
            evidence: self.evidence,
            further: self.further,
            violations: self.violations,
            statistics: Statistics {
                states: self.known.len() as u64,
                transitions: self.transitions,
                fired: self.transitions,
                expanded: self.expanded,
                depth: self.depth,
                time: self.started.elapsed(),
                workers: 1,
                ..Statistics::default()
            },
            branching: self.branching,
            ..Outcome::nothing(extent, self.reached)
        }
    }
}
