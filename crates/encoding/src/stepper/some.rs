//! Expansions that leave steps out: which ones, and when.
//!
//! Of the processes that can move, each is taken as the start of a closed set ([`crate::independence`]); the set with the
//! fewest moves is expanded, of those without a visible step if runs are kept. All moves are collected first, as for a full expansion: what is saved is what comes after them. (To
//! collect only those of the processes that come into the set would save little, as a set that is not small grows until it has
//! everybody.)

use super::{Incomplete, Sink, Stepper};
use crate::independence::{Independence, Kind, Port, Table, TableKey};
use mandala_model::expr::ReceiveOrder;
use mandala_model::step::Turn;
use std::collections::HashMap;
use std::sync::Arc;

/// How much of a state has been expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expanded {
    /// Every step has been made.
    Fully,
    /// Some steps have been left out.
    Partly {
        /// How many first moves of steps.
        left_out: u32,
        /// Whether it is certain that they will be made up for. If not, that is for the search to see to.
        safe: bool,
    },
}

/// More processes than this are not looked at.
const MOST_PROCESSES: usize = 128;

/// What a stepper keeps to leave steps out.
#[derive(Debug, Default)]
pub(super) struct Selection {
    /// Those that are for states with what is fixed in them alone.
    tables: HashMap<TableKey, Arc<Table>>,
    fixed: Vec<i64>,
    /// The processes that a process needs in a set.
    needs: Vec<u128>,
    /// How many moves a process has.
    moves: Vec<u32>,
}

impl Stepper<'_> {
    /// Tells some states that follow a remembered one, and what goes wrong on the way to them: enough of them for a search that
    /// is to find every deadlock, and every step that can fail if it makes sure that no process is put off for ever. If the program keeps runs
    /// ([`crate::Program::leaving_out_unseen_steps`]), enough for those. Tells all if the program does not know which
    /// steps are independent.
    ///
    /// # Errors
    ///
    /// If a successor is too large, or the sink did not want to go on.
    ///
    /// # Panics
    ///
    /// If the bytes are no state of this program.
    pub fn expand_some(
        &mut self,
        packed: &[u8],
        turn: Turn,
        sink: &mut impl Sink,
    ) -> Result<Expanded, Incomplete> {
        let Some(independence) = self.program.independence.as_deref() else {
            return self.expand(packed, turn, sink).map(|()| Expanded::Fully);
        };
        self.load(packed);
        self.forget_machine_code();
        self.expansion.forget();
        self.begin_progress();
        self.enter(turn, 0, sink);
        let left_out = self.leave_out(independence);
        self.take_all(sink);
        self.verdict_on_expansion()?;
        Ok(match left_out {
            0 => Expanded::Fully,
            left_out => Expanded::Partly {
                left_out,
                safe: independence.marks_circles(),
            },
        })
    }

    /// Leaves out what can be left out of the moves of the state, and says how many those are.
    fn leave_out(&mut self, independence: &Independence) -> u32 {
        let moves = &self.expansion.moves;
        let all = moves.len() as u32;
        let nothing_else = moves.first().is_none_or(|step| step.timeout);
        if all < 2 || nothing_else || self.shape.processes.len() > MOST_PROCESSES {
            return 0;
        }
        let mut selection = std::mem::take(&mut self.selection);
        let table = selection.table(self, independence);
        let chosen = match table.is_known() {
            true => self.closed_set(&table, &mut selection),
            false => u128::MAX,
        };
        self.selection = selection;
        if independence.marks_circles() && !self.leads_on(chosen, independence) {
            return 0;
        }
        let moves = &mut self.expansion.moves;
        moves.retain(|step| chosen >> step.process & 1 == 1);
        all - moves.len() as u32
    }

    /// Whether some move of a set is no part of a marked step.
    fn leads_on(&self, set: u128, independence: &Independence) -> bool {
        let marked = |process: u32, edge: u32| {
            let template = self.shape.processes[process as usize].template;
            independence.is_marked(template, edge)
        };
        let mut moves = self.expansion.moves.iter();
        moves.any(|step| {
            let partner = step.partner.is_some_and(|(p, edge)| marked(p, edge));
            set >> step.process & 1 == 1 && !marked(step.process, step.edge) && !partner
        })
    }

    /// The closed set with the fewest moves of which none is visible.
    fn closed_set(&self, table: &Table, selection: &mut Selection) -> u128 {
        let processes = self.shape.processes.len();
        selection.moves.clear();
        selection.moves.resize(processes, 0);
        for step in &self.expansion.moves {
            selection.moves[step.process as usize] += 1;
        }
        selection.needs.clear();
        let needs = (0..processes).map(|process| self.needs(table, process));
        selection.needs.extend(needs);
        let starts = (0..processes).filter(|process| selection.moves[*process] > 0);
        let sets = starts.map(|start| selection.closure(start));
        let sets = sets.filter(|set| !self.is_seen(table, *set));
        let least = sets.min_by_key(|set| (selection.moves_of(*set), set.count_ones()));
        least.unwrap_or(u128::MAX)
    }

    /// Whether some move of a set begins a step that is visible.
    fn is_seen(&self, table: &Table, set: u128) -> bool {
        let seen = |process: u32, edge: u32| table.is_visible(process as usize, edge);
        let mut moves = self.expansion.moves.iter();
        moves.any(|step| {
            let partner = step.partner.is_some_and(|(p, edge)| seen(p, edge));
            set >> step.process & 1 == 1 && (partner || seen(step.process, step.edge))
        })
    }

    /// The processes that must be in a set with that one.
    fn needs(&self, table: &Table, process: usize) -> u128 {
        let mut needed = 0;
        for edge in self.location(process).edges.clone() {
            let mut ask = |kind: Kind| needed |= self.answer(table, process, edge, kind);
            let talk = table.talk(process, edge);
            let possible = self.is_move(process, edge);
            if possible || talk.meets {
                ask(Kind::Disturbs);
            }
            if !possible {
                ask(Kind::Enables);
                let (takes, puts) = self.waits_for(talk.port);
                if takes {
                    ask(Kind::Takes);
                }
                if puts {
                    ask(Kind::Puts);
                }
            }
        }
        needed
    }

    /// Whether the process may be the first to move along the edge.
    fn is_move(&self, process: usize, edge: u32) -> bool {
        let mut moves = self.expansion.moves.iter();
        moves.any(|step| step.process as usize == process && step.edge == edge)
    }

    /// Whether an edge that cannot be taken waits for messages to be taken, and for messages to be put.
    fn waits_for(&self, port: Port) -> (bool, bool) {
        match port {
            Port::None => (false, false),
            Port::Send => (true, false),
            Port::Receive(_, None) => (true, true),
            Port::Receive(ReceiveOrder::AnyMatching, Some(_)) => (false, true),
            Port::Receive(ReceiveOrder::First, Some(channel)) => {
                let empty = self.waiting(channel as usize) == 0;
                (!empty, empty)
            }
        }
    }

    /// The processes of which the answer to a question is yes.
    fn answer(&self, table: &Table, process: usize, edge: u32, kind: Kind) -> u128 {
        let question = table.question(process, edge, kind);
        let mut yes = 0;
        for (other, slot) in self.shape.processes.iter().enumerate() {
            let location = self.cells[slot.base as usize] as usize;
            if other != process && table.answers(other, location).contains(question) {
                yes |= 1 << other;
            }
        }
        yes
    }
}

impl Selection {
    /// The table for the working state.
    fn table(&mut self, stepper: &Stepper<'_>, independence: &Independence) -> Arc<Table> {
        let (shape, layout) = (&stepper.shape, &stepper.program.layout);
        independence.fixed_values(shape, layout, &stepper.cells, &mut self.fixed);
        let key = (shape.id, std::mem::take(&mut self.fixed));
        let table = match self.tables.get(&key) {
            Some(table) => table.clone(),
            None => {
                let (table, alone) = independence.table(shape, layout, &key);
                if alone {
                    self.tables.insert(key.clone(), table.clone());
                }
                table
            }
        };
        self.fixed = key.1;
        table
    }

    /// The least closed set with a process.
    fn closure(&self, start: usize) -> u128 {
        let mut set = 1u128 << start;
        let mut waiting = set;
        while waiting != 0 {
            let process = waiting.trailing_zeros() as usize;
            waiting &= waiting - 1;
            let new = self.needs[process] & !set;
            set |= new;
            waiting |= new;
        }
        set
    }

    fn moves_of(&self, set: u128) -> u32 {
        let members = self.moves.iter().enumerate();
        let members = members.filter(|(process, _)| set >> process & 1 == 1);
        members.map(|(_, moves)| moves).sum()
    }
}
