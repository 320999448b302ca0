//! A program as a thread transition system: a shared state for the values of the global variables, a local state for a place and the values of
//! the variables of a thread.
//!
//! Only states are made that are possible if numbers of threads are forgotten: those that a transition leads to, and for each of these the local
//! states that others may be in meanwhile.

use crate::cond::Var;
use crate::flow::{Action, Edge, Flow, Lock, NodeId};
use crate::limits;
use mandala_coverability::{Local, Shared, Start, Target, ThreadSystem, Transition};
use mandala_model::findings::{Fallible, error_help};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The global variables, a bit each, and whether a thread holds the lock.
type Globals = (u64, bool);

/// A place, and the variables that are read later, a bit each.
type Own = (NodeId, u64);

/// The local state of a thread that has made an error.
const WRONG: Local = 0;

/// The system of a program. It is wrong to cover its target.
pub(crate) fn unfold(flow: &Flow) -> Fallible<ThreadSystem> {
    let slots = flow.slots;
    if flow.globals.len() > 64 || slots > 64 {
        return Err(refused(flow, "has more than 64 variables of a kind"));
    }
    let mut from: Vec<Vec<&Edge>> = vec![Vec::new(); flow.nodes.len()];
    flow.edges
        .iter()
        .for_each(|edge| from[edge.source].push(edge));
    let mut unfolding = Unfolding {
        flow,
        from,
        shared: Numbers::default(),
        locals: Numbers::default(),
        present: Vec::new(),
        moves: Vec::new(),
        open: Vec::new(),
        transitions: HashSet::new(),
    };
    // The number 0 is nobody's state.
    unfolding.locals.number((usize::MAX, 0));
    let first = unfolding.arrive((0, false), (flow.entry, 0));
    while let Some((shared, local)) = unfolding.open.pop() {
        unfolding.expand(shared, local)?;
    }
    let mut transitions: Vec<Transition> = unfolding.transitions.into_iter().collect();
    transitions.sort_unstable();
    Ok(ThreadSystem {
        shared: unfolding.shared.values.len() as Shared,
        locals: unfolding.locals.values.len() as Local,
        transitions,
        starts: vec![Start {
            shared: first.0,
            ones: vec![first.1],
            any: None,
        }],
        targets: vec![Target {
            shared: None,
            locals: vec![WRONG],
        }],
    })
}

fn refused(flow: &Flow, why: &str) -> Box<mandala_model::Diagnostic> {
    let message = format!("not for every number of threads: the program {why}");
    let help = "check it with a number of threads: `--max-threads N`";
    error_help(flow.span, message, help)
}

/// Values and their numbers.
struct Numbers<T> {
    numbers: HashMap<T, u32>,
    values: Vec<T>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Numbers {
            numbers: HashMap::new(),
            values: Vec::new(),
        }
    }
}

impl<T: Copy + Eq + std::hash::Hash> Numbers<T> {
    fn number(&mut self, value: T) -> u32 {
        let next = self.values.len() as u32;
        let number = *self.numbers.entry(value).or_insert(next);
        if number == next {
            self.values.push(value);
        }
        number
    }
}

struct Unfolding<'f> {
    flow: &'f Flow,
    from: Vec<Vec<&'f Edge>>,
    shared: Numbers<Globals>,
    locals: Numbers<Own>,
    /// The local states that some thread may have in each shared state.
    present: Vec<BTreeSet<Local>>,
    /// Where each shared state leads.
    moves: Vec<BTreeSet<Shared>>,
    open: Vec<(Shared, Local)>,
    transitions: HashSet<Transition>,
}

impl Unfolding<'_> {
    fn arrive(&mut self, globals: Globals, own: Own) -> (Shared, Local) {
        let shared = self.shared.number(globals);
        let local = self.locals.number(own);
        self.add(shared, local);
        (shared, local)
    }

    fn add(&mut self, shared: Shared, local: Local) {
        if self.present.len() <= shared as usize {
            self.present.resize_with(shared as usize + 1, BTreeSet::new);
            self.moves.resize_with(shared as usize + 1, BTreeSet::new);
        }
        if self.present[shared as usize].insert(local) {
            self.open.push((shared, local));
        }
    }

    fn expand(&mut self, shared: Shared, local: Local) -> Fallible<()> {
        for to in self.moves[shared as usize].clone() {
            self.add(to, local);
        }
        if local == WRONG {
            return Ok(());
        }
        let globals = self.shared.values[shared as usize];
        let own = self.locals.values[local as usize];
        for edge in self.from[own.0].clone() {
            self.fire((shared, local), (globals, own), edge)?;
        }
        if self.transitions.len() > limits::TRANSITIONS {
            let why = format!("has more than {} transitions", limits::TRANSITIONS);
            return Err(refused(self.flow, &why));
        }
        Ok(())
    }

    fn fire(
        &mut self,
        (shared, local): (Shared, Local),
        (globals, own): (Globals, Own),
        edge: &Edge,
    ) -> Fallible<()> {
        if globals.1 && self.flow.waits(edge) {
            return Ok(());
        }
        // Who is inside has the lock. A thread that is not takes part in the forgetting of numbers only.
        if !globals.1 && self.flow.nodes[own.0].lock == Lock::Inside {
            return Ok(());
        }
        if edge.choices.len() > limits::CHOICES {
            let why = format!(
                "gives any value to more than {} variables at once",
                limits::CHOICES
            );
            return Err(refused(self.flow, &why));
        }
        let value = |variable: Var| match variable {
            Var::Global(number) => globals.0 >> number & 1 == 1,
            Var::Slot(slot) => own.1 >> slot & 1 == 1,
        };
        let possible = edge.possible();
        for chosen in 0..1_u64 << edge.choices.len() {
            if edge.guard.value(&value, chosen) && possible.value(&value, chosen) {
                self.make((shared, local), (globals, own), edge, (&value, chosen));
            }
        }
        Ok(())
    }

    /// Makes the transition of a step with its choices.
    fn make(
        &mut self,
        before: (Shared, Local),
        (globals, own): (Globals, Own),
        edge: &Edge,
        (value, chosen): (&impl Fn(Var) -> bool, u64),
    ) {
        let fails = match &edge.action {
            Action::Fail(_) => true,
            Action::Assert(condition) => !condition.value(value, chosen),
            Action::Step | Action::Spawn(_) => false,
        };
        if fails {
            self.add(before.0, WRONG);
            self.transitions
                .insert(Transition::step(before, (before.0, WRONG)));
            return;
        }
        let (mut bits, mut slots) = (globals.0, own.1);
        for (variable, cond) in &edge.assigned {
            let (word, place) = match variable {
                Var::Global(number) => (&mut bits, *number),
                Var::Slot(slot) => (&mut slots, *slot),
            };
            set(word, place, cond.value(value, chosen));
        }
        let lock = self.flow.locks(edge).unwrap_or(globals.1);
        let (to, after) = self.arrive((bits, lock), (edge.target, slots));
        let mut transition = Transition::step(before, (to, after));
        if let Action::Spawn(spawn) = &edge.action {
            let mut given = 0;
            for (slot, cond) in &spawn.given {
                set(&mut given, *slot, cond.value(value, chosen));
            }
            transition.spawned = Some(self.arrive((bits, lock), (spawn.node, given)).1);
        }
        self.transitions.insert(transition);
        if self.moves[before.0 as usize].insert(to) {
            for beside in self.present[before.0 as usize].clone() {
                self.add(to, beside);
            }
        }
    }
}

fn set(word: &mut u64, place: u32, value: bool) {
    *word = *word & !(1 << place) | u64::from(value) << place;
}
