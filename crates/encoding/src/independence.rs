//! Independence of steps, for partial-order reduction: independent steps need not be tried in every order.
//!
//! # Stubborn sets
//!
//! A *step* is an edge of a process, with all moves that follow it while the process holds control. In a state, a set of steps is
//! *closed* if it has a step that can be made, and for every step in it:
//!
//! - if it can be made: every step is in the set that does not commute with it in some state where both can be made;
//! - if it cannot: there is a reason why, and every step is in the set that may take that reason away. That its process is somewhere else is a
//!   reason, and the steps of that process that lead to where it begins take it away; that a part of its guard is false is one, and
//!   whoever writes what that part reads may take it away, unless a part before it may fail. Any reason will do, so the one is taken that adds the fewest steps;
//! - if it is half of a rendezvous, and its process is where it begins: every step is in the set that may be the other half, and every one that does
//!   not commute with this half, whether there is another half now or not.
//!
//! What the steps outside do meanwhile neither prevents nor changes a step of the set, nor does it make one possible. So whatever can
//! happen, can happen with a step of the set first (Valmari's strong stubborn sets, 1991; that one false part of a guard is enough is the
//! idea of Laarman, Pater, van de Pol and Weber, 2013). Two steps of a process from different locations are never possible at the same time, so nothing
//! is asked of them. A search that makes only the steps of such a set in each state comes to all
//! deadlocks. What it must not do is postpone a step forever while others repeat a cycle: then an assertion in it would
//! never be tried. Where that can be known from the cycles of the processes, it is seen to here (`cycles`); otherwise it is for the search.
//!
//! An assertion needs no rule of its own. It is part of a step, what it reads is read by the step, and a step that is put off is
//! made later with the same values.
//!
//! # What may happen later
//!
//! A step that begins where its process is not now is in the set as one that cannot be made. It brings with it those that lead to
//! where it begins, and so on back to steps that begin where the process is. If there is no way, none of these can be made, and nothing is lost. A process that does not exist yet has
//! one step that stands for all it may ever do, and it waits for the steps that make such a process.
//!
//! Whether a step commutes with another comes from what the two read and write. Each reads the location of its process, and writes it unless it leads
//! back to where it began. So steps of one process from one location do not commute, but for those that stay there.
//! Where it is wrong to have a choice at all, they never do.
//!
//! # Steps of several moves
//!
//! An atomic sequence is one step: it reads and writes what all its edges do that can be reached while the process holds control. If another
//! process may take part in it after the first move, nothing is taken to commute with it.
//!
//! # Channels
//!
//! A channel counts as two parts: the *head*, where messages are taken, and the *tail*, where they are put. A receive that
//! is possible stays so when somebody sends, and takes the same message; a send that is possible stays so when somebody receives.
//! So the two do not disturb each other. Who asks how many messages there are reads both parts, and so does a send or receive
//! in the middle of an atomic sequence, which may lose control there; a sorted send changes both. A receive that is not possible waits for a send if the
//! channel is empty, whatever it wants, and for a receive if the oldest message is not wanted.
//!
//! # Monitors
//!
//! A monitor counts as a step that can always be made, changes nothing and is made in every state anyway. If a step of the set changes what it reads,
//! all that do so are in the set. So it never sees less than it would with all steps: either what it reads does not change, or nobody is put off who changes it.
//!
//! # Systems of rules
//!
//! Whether a rule can be used may turn out only when it is tried. One that is tried in vain counts as one that can be used, with all that does not commute with it. Where nothing comes of
//! a set, the search expands the state fully, as there is no successor that leads on.
//! The same is done where all steps of a set lead back to the same state, so a state that nothing leads away from is found out.
//!
//! # `timeout`
//!
//! is true only where nothing else can happen. Such states are always expanded fully. In others a step of the set can be
//! taken until one of them is, so `timeout` is false all the while, it does not matter who reads it, and a step that waits for it waits for nobody.
//!
//! # Symmetry
//!
//! The set is chosen for the state that is expanded, and is right for that state. A renaming maps the steps of a state to those of its
//! image, so a set of the representative is as good as one of any other state of the orbit, and it does not matter whether
//! it is the image of the set that would have been chosen there.
//!
//! # Tables
//!
//! All of this is worked out once for the processes that there are ([`Table`], one for each shape and each choice of values that
//! are fixed at birth). For a state there are only bits to look up, and parts of guards to ask. Whoever makes steps of a program has the same tables, so what is left
//! out of a state does not depend on who looks, or when.
//!
//! # Whole runs
//!
//! Who looks for infinite runs asks for more: the runs that are left must be the same as all runs, as far as some
//! conditions tell them apart and but for how long they stay as they are. Four things together do that (Peled, and Clarke, Grumberg and Peled
//! 1999, chapter 10):
//!
//! 0. where something can happen, the set has a step with a state after it;
//! 1. the set is closed, as above;
//! 2. if steps are left out, no step of the set is visible (`visible`);
//! 3. on every cycle of states some state is expanded fully.
//!
//! Let a run go on from a state that is expanded in part. If it has a step of the set, the first one of them could be made at once, by 1, and the others
//! before it after it lead to the same state. If it has none, any step of the set could be made first and the run could go on as it was. Either way nobody sees the
//! step that has come forward, by 2. By 3 a run is put off so only finitely often before its next step is made. So there is a run of the states
//! that are left that looks the same.
//!
//! Here 1 and 2 are seen to. The search sees to 0 and 3, as only it knows the states. Marks on cycles are of no use for that: they make
//! sure that *some* step leads on.

mod bits;
mod conditions;
mod cycles;
mod objects;
mod obstacle;
mod pieces;
mod relations;
mod table;
mod templates;
mod traffic;
mod visible;

pub(crate) use bits::Bits;
pub use obstacle::Obstacle;
pub(crate) use table::{Port, StepRow, Table};

use crate::code::Code;
use crate::layout::Layout;
use crate::shape::Shape;
use mandala_model::Model;
use mandala_model::expr::Expr;
use mandala_model::footprint::Birth;
use mandala_model::ids::{LocalId, TemplateId};
use mandala_model::step::Observers;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use templates::TemplateFacts;
use visible::Sight;

/// For so many choices of values that are fixed at birth, and until they take that many bytes, there are tables of their own. Beyond, one
/// table does for all states of a shape.
const MOST_TABLES: usize = 512;
const MOST_BYTES: usize = 1 << 26;

/// The number of a shape, and what its processes hold that never changes.
pub(crate) type TableKey = (u32, Vec<i64>);

/// What is known of the steps of a model before it runs.
#[derive(Debug)]
pub(crate) struct Independence {
    model: Model,
    templates: Vec<TemplateFacts>,
    /// The steps without which no process completes a cycle, by template and first edge, if there is a mark on every cycle.
    marked: Option<Vec<Vec<bool>>>,
    /// What is looked at, if whole runs are to be kept.
    sight: Option<Sight>,
    /// The tables that were made. None is ever forgotten, and none is made any more once there are many, so it is always the same one
    /// that does for a state.
    tables: Mutex<Tables>,
}

/// Tables that were made.
#[derive(Debug, Default)]
struct Tables {
    by_key: HashMap<TableKey, Arc<Table>>,
    /// How much memory they take.
    bytes: usize,
}

impl Independence {
    /// For a model that there is nothing in the way of. If conditions are watched, even if none, runs are kept that differ in what holds
    /// when. Adds code to ask parts of guards.
    pub fn new(
        model: &Model,
        observers: Observers,
        watched: Option<&[Expr]>,
        layout: &Layout,
        code: &mut Code,
    ) -> Result<Self, Obstacle> {
        if let Some(obstacle) = Obstacle::of(model, observers) {
            return Err(obstacle);
        }
        let conditions = conditions::conditions(model, layout, code);
        let templates = templates::facts(model, conditions);
        let reach: Vec<_> = templates.iter().map(|t| t.reach.as_slice()).collect();
        let marked = || cycles::marked_steps(model, &reach);
        Ok(Independence {
            marked: watched.is_none().then(marked).flatten(),
            sight: watched.map(|conditions| Sight::of(model, conditions)),
            templates,
            model: model.clone(),
            tables: Mutex::default(),
        })
    }

    /// Whether infinite runs are kept.
    pub fn keeps_runs(&self) -> bool {
        self.sight.is_some()
    }

    /// Whether every cycle of a process has a marked step, so that no state may be expanded by marked steps alone.
    pub fn marks_cycles(&self) -> bool {
        self.marked.is_some()
    }

    /// The same without marks.
    pub fn without_marks(&self) -> Self {
        Independence {
            model: self.model.clone(),
            templates: self.templates.clone(),
            marked: None,
            sight: self.sight.clone(),
            tables: Mutex::default(),
        }
    }

    /// Whether a step that begins with that edge of a template is marked.
    #[inline]
    pub fn is_marked(&self, template: TemplateId, edge: u32) -> bool {
        let marked = self.marked.as_ref();
        marked.is_some_and(|marked| marked[template.index()][edge as usize])
    }

    /// What the processes of a state hold that never changes, one process after the other.
    pub fn fixed_values(&self, shape: &Shape, layout: &Layout, cells: &[i64], into: &mut Vec<i64>) {
        into.clear();
        for slot in &shape.processes {
            let offsets = &layout.templates[slot.template.index()].variables.offsets;
            for (local, cell) in &self.templates[slot.template.index()].fixed {
                let at = slot.base + offsets[local.index()] + cell;
                into.push(cells[at as usize]);
            }
        }
    }

    /// The table for states of a shape in which that is fixed, and whether it is for those alone.
    pub fn table(&self, shape: &Shape, layout: &Layout, key: &TableKey) -> (Arc<Table>, bool) {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = tables.by_key.get(key) {
            return (table.clone(), true);
        }
        let alone = tables.by_key.len() < MOST_TABLES && tables.bytes < MOST_BYTES;
        let (key, fixed) = match alone {
            true => (key.clone(), Some(key.1.as_slice())),
            // What is fixed is not a secret of the state only: no value at all is a key as well.
            false => ((key.0, vec![i64::MIN]), None),
        };
        let Tables { by_key, bytes } = &mut *tables;
        let make = || {
            let table = self.make_table(shape, layout, fixed);
            *bytes += table.bytes();
            Arc::new(table)
        };
        (by_key.entry(key).or_insert_with(make).clone(), alone)
    }

    /// The table for a shape, with what is fixed in all its processes if that is known.
    fn make_table(&self, shape: &Shape, layout: &Layout, fixed: Option<&[i64]>) -> Table {
        let mut values = fixed.into_iter().flatten();
        let mut birth = |(number, template): (u32, TemplateId)| Birth {
            number: Some(number),
            fixed: match fixed {
                Some(_) => self
                    .fixed_of(template)
                    .zip(values.by_ref().copied())
                    .collect(),
                None => Default::default(),
            },
        };
        let templates = shape.processes.iter().map(|slot| slot.template);
        let births: Vec<Birth> = (0..).zip(templates).map(&mut birth).collect();
        let sight = self.sight.as_ref();
        Table::new(&self.model, &self.templates, shape, layout, &births, sight)
    }

    fn fixed_of(&self, template: TemplateId) -> impl Iterator<Item = (LocalId, u32)> {
        self.templates[template.index()].fixed.iter().copied()
    }
}
