//! Closed sets of steps ([`crate::independence`]): the one with the fewest moves.
//!
//! Each step that can be made is taken as the start of a set, and what it needs is added until nothing is missing. Where a step that
//! cannot be made needs one of several things, the one that adds the fewest steps that can be made is taken. That is
//! greedy: there may be a smaller set. A set is given up as soon as it has as many moves as the best one so far.

use super::collect::Move;
use super::{Stepper, Viewer};
use crate::independence::{Bits, Port, StepRow, Table};
use mandala_model::expr::ReceiveOrder;

/// What is kept while sets are closed.
#[derive(Debug, Default)]
pub(super) struct Closing {
    /// How many moves begin with each step.
    moves: Vec<u32>,
    /// The steps that take part in some move.
    active: Bits,
    /// The answers to conditions, as far as they are known.
    answers: Vec<Option<bool>>,
    /// The set that is being closed, and its steps that have not been looked at yet.
    set: Bits,
    waiting: Vec<u32>,
    /// How many moves it has.
    size: u32,
    /// The best set so far.
    best: Bits,
}

impl Closing {
    fn begin(&mut self, table: &Table) {
        self.moves.clear();
        self.moves.resize(table.steps(), 0);
        self.active.reset(table.steps());
        self.answers.clear();
        self.answers.resize(table.conditions(), None);
    }

    fn begin_set(&mut self, table: &Table, start: usize) {
        self.set.reset(table.steps());
        self.set.insert(start);
        self.waiting.clear();
        self.waiting.push(start as u32);
        self.size = self.moves[start];
    }

    fn add(&mut self, steps: &Bits) {
        let Closing {
            set,
            waiting,
            size,
            moves,
            ..
        } = self;
        set.add_new(steps, |step| {
            waiting.push(step as u32);
            *size += moves[step];
        });
    }

    /// How much worse the set gets by some steps: first by those that can be made, then by all.
    fn cost(&self, steps: &Bits) -> (u32, u32) {
        let (all, active) = self.set.lacks(steps, &self.active);
        (active, all)
    }

    /// The set that was chosen.
    pub fn chosen(&self) -> &Bits {
        &self.best
    }
}

impl Move {
    /// The step that it begins.
    pub(super) fn in_table(&self, table: &Table) -> usize {
        table.step(self.process, self.edge, self.choice)
    }

    /// The step that its partner at a rendezvous begins. A receive there has no parameters.
    pub(super) fn partner_in_table(&self, table: &Table) -> Option<usize> {
        let (process, edge) = self.partner?;
        Some(table.step(process, edge, 0))
    }
}

impl Stepper<'_> {
    /// Chooses the closed set with the fewest moves among those that are `accepted`. Says how many moves it has, if it leaves any out.
    pub(super) fn close(
        &mut self,
        table: &Table,
        closing: &mut Closing,
        accepted: impl Fn(&Self, &Bits) -> bool,
    ) -> Option<u32> {
        self.note_moves(table, closing);
        let all = self.expansion.moves.len() as u32;
        let mut least = all;
        for at in (0..self.expansion.moves.len()).rev() {
            let step = self.expansion.moves[at];
            let start = step.in_table(table);
            closing.begin_set(table, start);
            if self.close_set(table, closing, least) && accepted(self, &closing.set) {
                least = closing.size;
                std::mem::swap(&mut closing.best, &mut closing.set);
            }
            if least == 1 {
                break;
            }
        }
        (least < all).then_some(least)
    }

    fn note_moves(&self, table: &Table, closing: &mut Closing) {
        closing.begin(table);
        for step in &self.expansion.moves {
            let first = step.in_table(table);
            closing.moves[first] += 1;
            closing.active.insert(first);
            if let Some(partner) = step.partner_in_table(table) {
                closing.active.insert(partner);
            }
        }
    }

    /// Closes a set. False if it has too many moves.
    fn close_set(&mut self, table: &Table, closing: &mut Closing, most: u32) -> bool {
        while let Some(step) = closing.waiting.pop() {
            self.add_needed(table, closing, step as usize);
            if closing.size >= most {
                return false;
            }
        }
        closing.size < most
    }

    /// Adds what a step of the set needs.
    fn add_needed(&mut self, table: &Table, closing: &mut Closing, step: usize) {
        let row = table.row(step);
        if row.is_monitor {
            // It can always be made.
            return closing.add(table.set(row.conflicts));
        }
        let here = |(process, location): (u32, u32)| {
            let base = self.shape.processes[process as usize].base;
            self.cells[base as usize] == i64::from(location)
        };
        let Some((process, _)) = row.begin.filter(|begin| here(*begin)) else {
            return closing.add(table.set(row.openers));
        };
        let active = closing.active.contains(step);
        if active || row.talk.meets {
            closing.add(table.set(row.conflicts));
        }
        if active && closing.moves[step] > 0 {
            return;
        }
        match self.least_false(table, closing, row, process) {
            Some(writers) => closing.add(table.set(writers)),
            None => self.add_enabling(table, closing, row),
        }
    }

    /// Of the conditions of a step that are false, those that may make one true: the fewest.
    fn least_false(
        &mut self,
        table: &Table,
        closing: &mut Closing,
        row: &StepRow,
        process: u32,
    ) -> Option<u32> {
        let viewer = self.viewer(process as usize);
        let edge = &self.template(process as usize).edges[row.edge as usize];
        let changes = self.log.len();
        self.choose_parameters(edge, row.choice, viewer);
        let mut least = None;
        for number in row.conditions.clone() {
            if !self.is_false(table, closing, number, viewer) {
                continue;
            }
            let writers = table.condition(number).writers;
            let cost = closing.cost(table.set(writers));
            if least.is_none_or(|(other, _)| cost < other) {
                least = Some((cost, writers));
            }
        }
        self.undo(changes);
        least.map(|(_, writers)| writers)
    }

    /// Whether a condition is known to be false. One that cannot be answered is not.
    fn is_false(
        &mut self,
        table: &Table,
        closing: &mut Closing,
        number: u32,
        viewer: Viewer,
    ) -> bool {
        let known = &mut closing.answers[number as usize];
        let holds = known.get_or_insert_with(|| {
            self.timeout = false;
            let entry = table.condition(number).entry;
            let holds = self.run(entry, viewer).unwrap_or(true);
            self.fault = None;
            holds
        });
        !*holds
    }

    /// Adds whoever may make a step possible whose conditions do not say what it waits for.
    fn add_enabling(&self, table: &Table, closing: &mut Closing, row: &StepRow) {
        let (takes, puts) = self.waits_for(row.talk.port);
        if takes {
            closing.add(table.set(row.takers));
        }
        if puts {
            closing.add(table.set(row.putters));
        }
        // What the process is provided with, the only condition of a receive, may fail.
        if !self.is_empty(row.talk.port) || !row.conditions.is_empty() {
            closing.add(table.set(row.enabling));
        }
    }

    /// Whether an edge that cannot be taken waits for messages to be taken, and for messages to be put.
    fn waits_for(&self, port: Port) -> (bool, bool) {
        match port {
            Port::None => (false, false),
            Port::Send => (true, false),
            Port::Receive(_, None) => (true, true),
            Port::Receive(ReceiveOrder::AnyMatching, Some(_)) => (false, true),
            Port::Receive(ReceiveOrder::First, Some(_)) => {
                let empty = self.is_empty(port);
                (!empty, empty)
            }
        }
    }

    /// Whether it is known that there is nothing to be received: whatever is wanted, nothing is possible before something is put there.
    fn is_empty(&self, port: Port) -> bool {
        match port {
            Port::Receive(_, Some(channel)) => self.waiting(channel as usize) == 0,
            Port::Receive(_, None) | Port::Send | Port::None => false,
        }
    }
}
