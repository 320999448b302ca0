//! Expansions by an ample set of steps: which ones are left out, and when.
//!
//! Of the steps that can be made, each is taken as the start of a closed set ([`crate::independence`]); of those sets that are accepted, the one with the
//! fewest moves is expanded. If runs are kept, those with a visible step are not accepted. All moves are collected first, as for a full expansion: what is saved is what comes after them.

use super::closed::Closing;
use super::{Incomplete, Sink, Stepper};
use crate::independence::{Bits, Independence, Table, TableKey};
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

/// What a stepper keeps to leave steps out.
#[derive(Debug, Default)]
pub(super) struct Selection {
    /// Those that are for states with what is fixed in them alone.
    tables: HashMap<TableKey, Arc<Table>>,
    fixed: Vec<i64>,
    closing: Closing,
}

impl Stepper<'_> {
    /// Tells some states that follow a remembered one, and what goes wrong on the way to them: enough of them for a search that
    /// is to find every deadlock, and every step that can fail if it makes sure that no process is postponed forever. If the program keeps runs
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
    pub fn expand_ample(
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
        self.enter_with_all_moves(turn, sink);
        let left_out = self.leave_out(independence);
        self.merge_orbits();
        self.take_all(sink);
        if left_out == 0 {
            self.check_end_late(turn, sink);
        }
        self.verdict_on_expansion()?;
        Ok(match left_out {
            0 => Expanded::Fully,
            left_out => Expanded::Partly {
                left_out,
                safe: independence.marks_cycles(),
            },
        })
    }

    /// Leaves out what can be left out of the moves of the state, and says how many those are.
    fn leave_out(&mut self, independence: &Independence) -> u32 {
        let moves = &self.expansion.moves;
        let all = moves.len() as u32;
        let nothing_else = moves.first().is_none_or(|step| step.timeout);
        if all < 2 || nothing_else {
            return 0;
        }
        let mut selection = std::mem::take(&mut self.selection);
        let table = selection.table(self, independence);
        let left = match table.is_known() {
            true => self.choose_steps(independence, &table, &mut selection.closing),
            false => None,
        };
        if left.is_some() {
            let chosen = selection.closing.chosen();
            let moves = &mut self.expansion.moves;
            moves.retain(|step| chosen.contains(step.in_table(&table)));
        }
        self.selection = selection;
        left.map_or(0, |left| all - left)
    }

    /// Chooses the steps that are made, and says how many moves those are if any are left out.
    fn choose_steps(
        &mut self,
        independence: &Independence,
        table: &Table,
        closing: &mut Closing,
    ) -> Option<u32> {
        self.close(table, closing, |stepper, set| {
            let leads_on = || stepper.leads_on(table, set, independence);
            !stepper.is_seen(table, set) && (!independence.marks_cycles() || leads_on())
        })
    }

    /// Whether some move of a set begins a step that is visible.
    fn is_seen(&self, table: &Table, set: &Bits) -> bool {
        let mut moves = self.expansion.moves.iter();
        moves.any(|step| {
            let partner = step.partner_in_table(table);
            let own = step.in_table(table);
            let mut taking_part = partner.into_iter().chain([own]);
            set.contains(own) && taking_part.any(|step| table.row(step).visible)
        })
    }

    /// Whether some move of a set is no part of a marked step.
    fn leads_on(&self, table: &Table, set: &Bits, independence: &Independence) -> bool {
        let marked = |process: u32, edge: u32| {
            let template = self.shape.processes[process as usize].template;
            independence.is_marked(template, edge)
        };
        let mut moves = self.expansion.moves.iter();
        moves.any(|step| {
            let partner = step.partner.is_some_and(|(p, edge)| marked(p, edge));
            set.contains(step.in_table(table)) && !marked(step.process, step.edge) && !partner
        })
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
}
