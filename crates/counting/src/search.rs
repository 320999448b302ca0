//! The search.

use crate::seen::{Full, Seen};
use mandala_counters::{Counted, Firing, MOST_STEPS, Program, TooWide};
use mandala_engine::{
    AfterViolation, Evidence, Extent, Limit, Outcome, Progress, ProgressObserver, Reached,
    SearchOrder, Statistics, Task, ViolationCounts, Wish, resident_bytes,
};
use mandala_interpreter::Configuration;
use mandala_model::State;
use mandala_model::step::{Turn, Violation};
use std::collections::VecDeque;
use std::mem::discriminant;
use std::time::Instant;

/// How often the observer is asked, in states.
const PERIOD: u64 = 256;

/// Why a search ends before everything has been seen.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// A limit.
    Limit(Limit),
    /// Mandala contradicts itself.
    Defect(&'static str),
}

impl From<TooWide> for Stop {
    fn from(_: TooWide) -> Self {
        Stop::Limit(Limit::AtomicSteps {
            most: MOST_STEPS as u64,
        })
    }
}

impl From<Full> for Stop {
    fn from(full: Full) -> Self {
        Stop::Limit(match full {
            Full::Memory => Limit::Memory,
            Full::Numbers => Limit::StateNumbers,
            Full::Size => Limit::StateSize,
        })
    }
}

/// A search of a counter program.
pub(crate) struct Search<'t, 'm> {
    task: &'t Task<'m>,
    program: Program<'m>,
    seen: Seen,
    frontier: VecDeque<usize>,
    reached: Reached,
    levels: Vec<u64>,
    transitions: u64,
    fired: u64,
    expanded: u64,
    depth: u64,
    violations: ViolationCounts,
    evidence: Option<Evidence>,
    /// The first violation of each attribution that the first of all is not of.
    further: Vec<Evidence>,
    cut: Option<Limit>,
    started: Instant,
}

impl<'t, 'm> Search<'t, 'm> {
    pub(crate) fn new(task: &'t Task<'m>, program: Program<'m>) -> Self {
        let memory = task.limits.memory.map(usize::try_from);
        Search {
            task,
            program,
            seen: Seen::within(memory.and_then(Result::ok).unwrap_or(usize::MAX)),
            frontier: VecDeque::new(),
            reached: Reached::nothing(task.model()),
            levels: Vec::new(),
            transitions: 0,
            fired: 0,
            expanded: 0,
            depth: 0,
            violations: ViolationCounts::default(),
            evidence: None,
            further: Vec::new(),
            cut: None,
            started: Instant::now(),
        }
    }

    /// Searches, and says what was found.
    pub(crate) fn run(mut self, observer: &mut dyn ProgressObserver) -> Result<Outcome, Stop> {
        let extent = match self.search(observer) {
            Ok(()) if self.is_satisfied() => Extent::FirstViolation,
            Ok(()) => self.cut.map_or(Extent::Complete, Extent::Limited),
            Err(Stop::Limit(limit)) => Extent::Limited(limit),
            Err(defect @ Stop::Defect(_)) => return Err(defect),
        };
        Ok(self.outcome(extent))
    }

    fn search(&mut self, observer: &mut dyn ProgressObserver) -> Result<(), Stop> {
        self.start()?;
        while let Some(number) = self.next() {
            if self.is_satisfied() {
                return Ok(());
            }
            if self.expanded.is_multiple_of(PERIOD) {
                self.pause(observer)?;
            }
            self.expand(number)?;
        }
        Ok(())
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

    /// Looks after limits.
    fn pause(&self, observer: &mut dyn ProgressObserver) -> Result<(), Stop> {
        let limits = self.task.limits;
        if limits
            .time
            .is_some_and(|limit| self.started.elapsed() >= limit)
        {
            return Err(Stop::Limit(Limit::Time));
        }
        let held = resident_bytes().unwrap_or(0).max(self.seen.bytes());
        if limits.memory.is_some_and(|limit| held as u64 > limit) {
            return Err(Stop::Limit(Limit::Memory));
        }
        match observer.update(&self.progress()) {
            Wish::Stop => Err(Stop::Limit(Limit::Cancelled)),
            Wish::GoOn => Ok(()),
        }
    }

    fn progress(&self) -> Progress {
        Progress {
            states: self.seen.len() as u64,
            transitions: self.transitions,
            depth: self.depth,
            frontier: self.frontier.len() as u64,
            bytes: self.seen.bytes() as u64,
            total: None,
        }
    }

    /// Meets the states that runs start in.
    fn start(&mut self) -> Result<(), Stop> {
        for start in self.program.starts().to_vec() {
            for process in &start.processes {
                self.reached.locations[process.template.index()][process.location.index()] = true;
            }
            let counted = self.counted(&start)?;
            self.meet(&counted, None)?;
        }
        let held = self.task.model().start_held;
        self.transitions = u64::from(!held);
        self.fired = self.transitions;
        Ok(())
    }

    fn counted(&mut self, state: &State) -> Result<Counted, Stop> {
        let counted = self.program.counted(state);
        counted.ok_or(Stop::Defect("a state has other processes than the start"))
    }

    fn meet(&mut self, state: &Counted, parent: Option<usize>) -> Result<(), Stop> {
        let Some(new) = self.seen.insert(state, parent)? else {
            return Ok(());
        };
        let limits = self.task.limits;
        if limits.states.is_some_and(|limit| new as u64 >= limit) {
            self.seen.forget_last();
            return Err(Stop::Limit(Limit::States));
        }
        let depth = self.seen.depth(new);
        self.depth = self.depth.max(depth);
        if self.task.order == SearchOrder::BreadthFirst {
            match self.levels.get_mut(depth as usize) {
                Some(level) => *level += 1,
                None => self.levels.push(1),
            }
        }
        match limits.depth.filter(|&limit| depth >= limit) {
            Some(_) => self.cut = Some(Limit::Depth),
            None => self.frontier.push_back(new),
        }
        Ok(())
    }

    fn expand(&mut self, number: usize) -> Result<(), Stop> {
        self.expanded += 1;
        let state = self.seen.get(number);
        let firings = self.program.firings(&state)?;
        if self.program.may_be_wrong(firings.len()) {
            self.judge(number, &state)?;
        }
        for firing in firings {
            self.follow(number, &firing)?;
        }
        Ok(())
    }

    /// Finds out what is wrong with a state itself.
    fn judge(&mut self, number: usize, state: &Counted) -> Result<(), Stop> {
        let here = free(self.program.spread_out(state));
        let interpreter = *self.program.interpreter();
        for violation in interpreter.verdicts_here(&here) {
            self.violated(number, &violation, 1)?;
        }
        for seen in interpreter.observations(&here) {
            if seen.holds {
                self.reached.observe(interpreter.model(), seen.monitor);
            }
        }
        Ok(())
    }

    fn follow(&mut self, from: usize, firing: &Firing) -> Result<(), Stop> {
        let step = &firing.step;
        for (template, location) in &step.locations {
            self.reached.locations[template.index()][location.index()] = true;
        }
        for (edge, node) in &step.nodes {
            self.reached.execute(self.program.model(), *edge, *node);
        }
        self.fired += 1;
        for violation in &step.violations {
            self.violated(from, violation, firing.weight)?;
        }
        match &firing.to {
            Some(next) => {
                self.transitions += firing.weight;
                self.meet(next, Some(from))?;
            }
            // A step without a state after it, and nothing is wrong with that.
            None if step.violations.is_empty() => self.transitions += firing.weight,
            None => {}
        }
        Ok(())
    }

    /// Notes a violation that is met from a state, so often.
    fn violated(&mut self, at: usize, violation: &Violation, often: u64) -> Result<(), Stop> {
        if self.is_satisfied() || !self.task.question.concerns(violation) {
            return Ok(());
        }
        let owner = violation.attribution();
        self.violations.note(owner, often);
        let mut known = self.evidence.iter().chain(&self.further);
        if known.any(|known| known.violation.attribution() == owner) {
            return Ok(());
        }
        let path = self.program.run_along(&self.seen.way(at));
        let path = path.map_err(|_| LOST)?;
        let there = path.last().map(|last| self.violations_in(last));
        let there = there.transpose()?.unwrap_or_default();
        let same = |other: &Violation| {
            (other.attribution(), discriminant(other)) == (owner, discriminant(violation))
        };
        let found = Evidence {
            violation: there.into_iter().find(same).ok_or(LOST)?,
            path,
            cycle: Vec::new(),
        };
        match self.evidence {
            None => self.evidence = Some(found),
            Some(_) => self.further.push(found),
        }
        Ok(())
    }

    /// What is wrong with a state, or goes wrong on steps from it.
    fn violations_in(&self, state: &State) -> Result<Vec<Violation>, Stop> {
        let here = free(state.clone());
        let interpreter = *self.program.interpreter();
        let mut found = interpreter.verdicts_here(&here);
        let mut chains = interpreter.chains(&here).within(MOST_STEPS);
        while let Some(end) = chains.next_end() {
            found.extend(chains.last_step(end).violations.iter().cloned());
        }
        require_whole(chains.is_cut())?;
        found.retain(|violation| self.task.question.concerns(violation));
        Ok(found)
    }

    fn outcome(self, extent: Extent) -> Outcome {
        let states = self.seen.len() as u64;
        let bytes = self.seen.bytes();
        Outcome {
            statistics: Statistics {
                states,
                transitions: self.transitions,
                fired: self.fired,
                expanded: self.expanded,
                depth: self.depth,
                time: self.started.elapsed(),
                workers: 1,
                peak_bytes: bytes as u64,
                bytes_per_state: bytes as f64 / states.max(1) as f64,
                ..Statistics::default()
            },
            levels: self.levels,
            evidence: self.evidence,
            further: self.further,
            violations: self.violations,
            ..Outcome::nothing(extent, self.reached)
        }
    }
}

const LOST: Stop = Stop::Defect("a run through counted states is none of the model");

fn require_whole(is_cut: bool) -> Result<(), Stop> {
    match is_cut {
        true => Err(TooWide.into()),
        false => Ok(()),
    }
}

fn free(state: State) -> Configuration {
    Configuration {
        state,
        turn: Turn::Free,
    }
}
