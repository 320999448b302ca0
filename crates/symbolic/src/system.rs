//! All steps of a model as relations between states, and all that can go wrong as conditions on states.

use crate::attempt::{Attempt, Context, Path, Trouble};
use crate::cells::CellId;
use crate::diagrams::{Bdd, Made, without};
use crate::relation::{Relation, changes_something, forgetting};
use crate::ways;
use mandala_model::ids::{EdgeId, LocationId};
use mandala_model::model::Deadlock;
use mandala_model::step::Violation;
use mandala_model::template::{Control, Edge, Step, Template};
use oxidd::BooleanFunction;
use std::collections::BTreeMap;

/// All steps, and all that can go wrong.
pub(crate) struct System {
    pub steps: Vec<SystemStep>,
    pub troubles: Vec<Trouble>,
    /// The edges that only look at states, and where they can be taken to their end.
    pub observations: Vec<(EdgeId, Bdd)>,
    /// The states that nobody holds.
    pub free: Bdd,
    /// Where a step would put a number into a cell that does not fit. There it is no step of the system.
    pub misfits: Vec<(CellId, Bdd)>,
}

/// One edge, taken by one process.
pub(crate) struct SystemStep {
    pub edge: EdgeId,
    /// Where it can be taken without something that goes wrong, also if there is no state after it.
    pub counted: Bdd,
    relation: Relation,
    /// Where the process keeps control after it, if it may.
    hold: Option<Hold>,
}

/// A process that keeps control where it can go on.
#[derive(Clone)]
struct Hold {
    can_go_on: Bdd,
    /// The states that it holds.
    held: Bdd,
    free: Bdd,
    holder_bits: Vec<usize>,
}

impl SystemStep {
    /// Where it leads from a set of states.
    pub fn image(&self, context: Context<'_>, states: &Bdd) -> Made<Bdd> {
        let after = self.relation.image(context.d, states)?;
        let Some(hold) = &self.hold else {
            return Ok(after);
        };
        let held = after.and(&hold.can_go_on)?;
        let held = forgetting(context.d, &held, &hold.holder_bits)?.and(&hold.held)?;
        Ok(held.or(&without(&after, &hold.can_go_on)?)?)
    }

    /// From where it leads into a set of states.
    pub fn preimage(&self, context: Context<'_>, states: &Bdd) -> Made<Bdd> {
        let Some(hold) = &self.hold else {
            return self.relation.preimage(context.d, states);
        };
        let held = states.and(&hold.held)?.and(&hold.can_go_on)?;
        let held = forgetting(context.d, &held, &hold.holder_bits)?.and(&hold.free)?;
        let lost = without(&states.and(&hold.free)?, &hold.can_go_on)?;
        self.relation.preimage(context.d, &held.or(&lost)?)
    }
}

/// An edge that was tried, before it is known where its process can go on.
struct Tried {
    edge: EdgeId,
    control: Control,
    taken: Bdd,
    failed: Bdd,
    done: Path,
}

/// What the edges of a location tried so far mean for those after them.
struct Before {
    moved: Bdd,
    /// Where an escape has closed what comes after.
    closed: Bdd,
    /// Where the last edge that was taken is of that class, for classes other than 0.
    escapes: BTreeMap<u32, Bdd>,
}

/// Builds a system.
struct Builder<'a> {
    context: Context<'a>,
    system: System,
    /// Where something can happen that counts.
    goes_on: Bdd,
    /// A path on which nothing was done.
    start: Path,
}

impl System {
    pub fn of(context: Context<'_>) -> Made<Self> {
        let d = context.d;
        let start = Path {
            condition: d.yes.clone(),
            cells: BTreeMap::new(),
        };
        let mut builder = Builder {
            context,
            system: System {
                steps: Vec::new(),
                troubles: Vec::new(),
                observations: Vec::new(),
                free: held_by(context, 0)?,
                misfits: Vec::new(),
            },
            goes_on: d.no.clone(),
            start,
        };
        for process in 0..context.layout.processes.len() {
            builder.process(process)?;
        }
        builder.deadlock()?;
        Ok(builder.system)
    }
}

/// The states that are held by the process before that number; by nobody for 0.
pub(crate) fn held_by(context: Context<'_>, number: usize) -> Made<Bdd> {
    match context.layout.holder {
        Some(cell) => context
            .layout
            .value(context.d, cell)
            .is(context.d, number as i64),
        None => Ok(context.d.yes.clone()),
    }
}

impl<'a> Builder<'a> {
    fn template(&self, process: usize) -> &'a Template {
        let id = self.context.layout.processes[process].template;
        self.context.model.template(id)
    }

    fn process(&mut self, process: usize) -> Made<()> {
        let held = held_by(self.context, process + 1)?;
        let turn = match self.context.layout.holder {
            Some(_) => self.system.free.or(&held)?,
            None => self.context.d.yes.clone(),
        };
        let mut tried = Vec::new();
        let mut can_move = self.context.d.no.clone();
        for location in ways::locations(self.template(process)) {
            let moved = self.location(process, location, &turn, &mut tried)?;
            can_move = can_move.or(&moved)?;
            self.looks(process, location)?;
            self.context.d.pause()?;
        }
        if self.context.model.deadlock == Deadlock::NoMove {
            self.goes_on = self.goes_on.or(&can_move)?;
        }
        for step in tried {
            self.finish(step, &turn, &can_move, &held)?;
        }
        Ok(())
    }

    /// Tries the edges of a location in their order, and says where one can be taken.
    fn location(
        &mut self,
        process: usize,
        location: LocationId,
        turn: &Bdd,
        tried: &mut Vec<Tried>,
    ) -> Made<Bdd> {
        let template = self.template(process);
        let mut asking = Attempt::new(self.context, process);
        let here = asking.is_at(&self.start, process, location)?;
        let may_move = match &template.provided {
            Some(condition) if !template.locations[location.index()].edges.is_empty() => {
                asking.holds(&self.start, &here, condition)?.and(&here)?
            }
            _ => here,
        };
        let may_move = without(&may_move, &asking.halted)?;
        self.note(asking.troubles, turn)?;
        let mut before = Before {
            moved: asking.halted,
            closed: self.context.d.no.clone(),
            escapes: BTreeMap::new(),
        };
        for (index, edge) in template.edges_from(location) {
            if !edge.observes() {
                let id = self.edge_id(process, index);
                let step = self.edge(process, id, edge, &may_move, &mut before, turn)?;
                tried.extend(step);
            }
        }
        Ok(before.moved)
    }

    fn edge_id(&self, process: usize, index: u32) -> EdgeId {
        EdgeId {
            template: self.context.layout.processes[process].template,
            index,
        }
    }

    fn edge(
        &mut self,
        process: usize,
        id: EdgeId,
        edge: &Edge,
        may_move: &Bdd,
        before: &mut Before,
        turn: &Bdd,
    ) -> Made<Option<Tried>> {
        before.close(edge)?;
        let mut open = without(may_move, &before.closed)?;
        if edge.step == Step::Else {
            open = without(&open, &before.moved)?;
        }
        let tried = self.attempt(process, open, id, edge, turn)?;
        if let Some(tried) = &tried {
            before.take(edge, &tried.taken)?;
        }
        Ok(tried)
    }

    /// Takes an edge wherever it is open.
    fn attempt(
        &mut self,
        process: usize,
        open: Bdd,
        id: EdgeId,
        edge: &Edge,
        turn: &Bdd,
    ) -> Made<Option<Tried>> {
        if !open.satisfiable() {
            return Ok(None);
        }
        let mut attempt = Attempt::new(self.context, process);
        let location = self.context.layout.processes[process].location;
        let source = attempt.constant(edge.source.0.into());
        let path = Path {
            condition: open.clone(),
            cells: BTreeMap::from([(location, source)]),
        };
        let performed = attempt.perform(path, &edge.step, edge.span)?;
        let mut done = performed.taken;
        if edge.step != Step::Exit {
            let target = attempt.constant(edge.target.0.into());
            done.cells.insert(location, target);
        }
        let blocked = &performed.blocked;
        let troubles = attempt.troubles.into_iter().map(|trouble| {
            Ok(Trouble {
                condition: without(&trouble.condition, blocked)?,
                ..trouble
            })
        });
        let troubles = troubles.collect::<Made<Vec<Trouble>>>()?;
        self.note(troubles, turn)?;
        Ok(Some(Tried {
            edge: id,
            control: edge.control,
            taken: done.condition.or(&attempt.halted)?,
            failed: attempt.failed,
            done,
        }))
    }

    fn note(&mut self, troubles: Vec<Trouble>, turn: &Bdd) -> Made<()> {
        for trouble in troubles {
            let condition = trouble.condition.and(turn)?;
            if condition.satisfiable() {
                self.system.troubles.push(Trouble {
                    condition,
                    ..trouble
                });
            }
        }
        Ok(())
    }

    /// Makes the relation of a step, now that it is known where its process can go on.
    fn finish(&mut self, tried: Tried, turn: &Bdd, can_move: &Bdd, held: &Bdd) -> Made<()> {
        let mut done = tried.done;
        if self.context.model.deadlock == Deadlock::NoChange {
            let ended = without(&tried.taken, &done.condition)?;
            let counts = changes_something(self.context, &done)?.or(&ended)?;
            self.goes_on = self.goes_on.or(&counts)?;
        }
        done.condition = done.condition.and(turn)?;
        self.leave_out_misfits(&mut done)?;
        if let Some(holder) = self.context.layout.holder {
            let nobody = crate::number::Number::constant(self.context.d, 0);
            done.cells.insert(holder, nobody);
        }
        let hold = match (tried.control, self.context.layout.holder) {
            (Control::Hold, Some(holder)) => Some(Hold {
                can_go_on: can_move.clone(),
                held: held.clone(),
                free: self.system.free.clone(),
                holder_bits: self.context.layout.bits_of(holder).to_vec(),
            }),
            _ => None,
        };
        let counted = without(&tried.taken.and(turn)?, &tried.failed)?;
        let relation = Relation::of(self.context, &done)?;
        self.context.d.pause()?;
        self.system.steps.push(SystemStep {
            edge: tried.edge,
            counted,
            relation,
            hold,
        });
        Ok(())
    }

    /// Leaves out where a number would not fit, and notes it.
    fn leave_out_misfits(&mut self, done: &mut Path) -> Made<()> {
        let Context { d, layout, .. } = self.context;
        for (&cell, number) in &done.cells {
            let misfits = layout.misfits(d, cell, number)?.and(&done.condition)?;
            if misfits.satisfiable() {
                done.condition = without(&done.condition, &misfits)?;
                self.system.misfits.push((cell, misfits));
            }
        }
        Ok(())
    }

    /// Tries the edges of a location that only look at states.
    fn looks(&mut self, process: usize, location: LocationId) -> Made<()> {
        let asking = Attempt::new(self.context, process);
        let here = asking.is_at(&self.start, process, location)?;
        let here = here.and(&self.system.free)?;
        let template = self.template(process);
        for (index, edge) in template.edges_from(location) {
            if edge.observes() {
                let id = self.edge_id(process, index);
                let always = self.context.d.yes.clone();
                let seen = self.attempt(process, here.clone(), id, edge, &always)?;
                let seen = seen.map(|seen| (id, seen.done.condition));
                self.system.observations.extend(seen);
            }
        }
        Ok(())
    }

    /// Where nothing can happen any more and some process is not at a place where it may stay.
    fn deadlock(&mut self) -> Made<()> {
        let asking = Attempt::new(self.context, 0);
        let unfinished = asking.somebody(&self.start, |location| !location.end)?;
        let stuck = without(&unfinished.and(&self.system.free)?, &self.goes_on)?;
        let trouble = Trouble {
            condition: stuck,
            violation: Violation::Deadlock,
        };
        let always = self.context.d.yes.clone();
        self.note(vec![trouble], &always)
    }
}

impl Before {
    /// Once an escape was taken, what is not part of it is out of reach.
    fn close(&mut self, edge: &Edge) -> Made<()> {
        for (&class, taken) in &self.escapes {
            if class != edge.escape {
                self.closed = self.closed.or(taken)?;
            }
        }
        Ok(())
    }

    fn take(&mut self, edge: &Edge, taken: &Bdd) -> Made<()> {
        self.moved = self.moved.or(taken)?;
        for last in self.escapes.values_mut() {
            *last = without(last, taken)?;
        }
        if edge.escape > 0 {
            let last = self.escapes.entry(edge.escape);
            let last = last.or_insert_with(|| taken.clone());
            *last = last.or(taken)?;
        }
        Ok(())
    }
}
