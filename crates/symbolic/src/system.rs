//! All steps of a model as relations between states, and all that can go wrong as conditions on states.

use crate::attempt::{Attempt, Context, Path, Trouble};
use crate::diagrams::{Bdd, Made, without};
use crate::multisets;
use crate::number::Number;
use crate::reachable_locations;
use crate::relation::{Relation, forgetting};
use crate::stop::CellId;
use crate::stop::Misfit;
use mandala_model::ids::{EdgeId, LocalId, LocationId, MonitorId, NodeId, PropertyId};
use mandala_model::model::Deadlock;
use mandala_model::source::Span;
use mandala_model::step::Violation;
use mandala_model::template::{Control, Edge, Step, Template};
use oxidd::BooleanFunction;
use std::collections::BTreeMap;

/// All steps, and all that can go wrong.
pub(crate) struct System {
    pub steps: Vec<SystemStep>,
    pub troubles: Vec<Trouble>,
    /// The monitors, and where they hold: in each choice of their parameters if each is demanded, otherwise in some.
    pub observations: Vec<Observation>,
    /// The nodes of routines, and from where they are executed. Nobody asks for those of rules.
    pub nodes: Vec<(EdgeId, NodeId, Bdd)>,
    /// The states that nobody holds.
    pub free: Bdd,
    /// Where a step needs room that there is not. There it is no step of the system.
    pub misfits: Vec<(Misfit, Bdd)>,
    /// Where processes end, and the edges by which they do.
    pub endings: Vec<(Span, Bdd)>,
    /// Where it is not known whether nothing can happen any more, and the step that leaves it open.
    pub doubtful: Vec<(Span, Bdd)>,
}

/// Where a monitor holds.
pub(crate) struct Observation {
    pub monitor: MonitorId,
    /// In that choice of its parameters; in any, if there is none.
    pub choice: Option<u32>,
    pub holds: Bdd,
}

/// One edge, taken by one process, or two by two at a rendezvous.
pub(crate) struct SystemStep {
    pub edge: EdgeId,
    /// The edge of the receiver at a rendezvous.
    pub partner: Option<EdgeId>,
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
    /// All edges that are taken in it.
    pub(crate) fn edges(&self) -> impl Iterator<Item = EdgeId> {
        [Some(self.edge), self.partner].into_iter().flatten()
    }

    /// Where it leads from a set of states.
    pub(crate) fn image(&self, context: Context<'_>, states: &Bdd) -> Made<Bdd> {
        let after = self.relation.image(context.d, states)?;
        let Some(hold) = &self.hold else {
            return Ok(after);
        };
        let held = after.and(&hold.can_go_on)?;
        let held = forgetting(context.d, &held, &hold.holder_bits)?.and(&hold.held)?;
        Ok(held.or(&without(&after, &hold.can_go_on)?)?)
    }

    /// From where it leads into a set of states.
    pub(crate) fn preimage(&self, context: Context<'_>, states: &Bdd) -> Made<Bdd> {
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
pub(crate) struct Tried {
    pub edge: EdgeId,
    pub partner: Option<EdgeId>,
    /// Who keeps control if somebody does, and whether somebody does.
    pub holder: usize,
    pub control: Control,
    /// When it can be taken, apart from what it says itself.
    pub turn: Bdd,
    pub taken: Bdd,
    pub failed: Bdd,
    pub done: Path,
}

/// What the edges of a location tried so far mean for those after them.
pub(crate) struct Before {
    moved: Bdd,
    /// Where an escape has closed what comes after.
    pub closed: Bdd,
    /// Where the last edge that was taken is of that class, for classes other than 0.
    escapes: BTreeMap<u32, Bdd>,
}

/// Builds a system.
pub(crate) struct Builder<'a> {
    pub context: Context<'a>,
    pub system: System,
    /// Where something can happen that counts.
    goes_on: Bdd,
    /// A path on which nothing was done.
    pub start: Path,
    /// Whether steps are tried that somebody can take only because nobody can take another one.
    pub timeout: bool,
    /// Whether somebody has asked for that.
    pub asked_timeout: bool,
    /// What was tried so far.
    pub tried: Vec<Tried>,
}

impl System {
    pub(crate) fn of(context: Context<'_>) -> Made<Self> {
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
                nodes: Vec::new(),
                free: held_by(context, 0)?,
                misfits: Vec::new(),
                endings: Vec::new(),
                doubtful: Vec::new(),
            },
            goes_on: d.no.clone(),
            start,
            timeout: false,
            asked_timeout: false,
            tried: Vec::new(),
        };
        let can_move = builder.all_processes(&d.yes)?;
        if builder.asked_timeout {
            builder.timeouts(&can_move)?;
        }
        builder.monitors()?;
        for tried in std::mem::take(&mut builder.tried) {
            builder.finish(tried, &can_move)?;
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
    pub(crate) fn template(&self, process: usize) -> &'a Template {
        let id = self.context.layout.processes[process].template();
        self.context.model.template(id)
    }

    /// Tries the edges of all processes, and says where each of them can move.
    fn all_processes(&mut self, among: &Bdd) -> Made<Vec<Bdd>> {
        let processes = 0..self.context.layout.processes.len();
        processes.map(|p| self.process(p, among)).collect()
    }

    /// Tries all edges once more where nobody can move: a time-out comes true there.
    fn timeouts(&mut self, can_move: &[Bdd]) -> Made<()> {
        let mut stuck = self.system.free.clone();
        for moving in can_move {
            stuck = without(&stuck, moving)?;
        }
        self.timeout = true;
        self.all_processes(&stuck)?;
        Ok(())
    }

    /// An attempt of a process.
    pub(crate) fn trying(&self, process: usize) -> Attempt<'a> {
        Attempt::new(self.context, process).with_timeout(self.timeout)
    }

    /// Tries all edges of a process among those states, and says where one can be taken.
    fn process(&mut self, process: usize, among: &Bdd) -> Made<Bdd> {
        let turn = match self.context.layout.holder {
            Some(_) => self.system.free.or(&self.held(process)?)?,
            None => self.context.d.yes.clone(),
        };
        let turn = turn.and(among)?;
        let mut can_move = self.context.d.no.clone();
        for location in reachable_locations::locations(self.template(process)) {
            let moved = self.location(process, location, among, &turn)?;
            can_move = can_move.or(&moved)?;
            self.context.d.pause()?;
        }
        if self.context.model.deadlock == Deadlock::NoMove {
            self.goes_on = self.goes_on.or(&can_move)?;
        }
        Ok(can_move)
    }

    /// The states that a process holds.
    fn held(&self, process: usize) -> Made<Bdd> {
        let number = self.context.layout.processes[process].number();
        held_by(self.context, number as usize + 1)
    }

    /// Tries the edges of a location in their order, and says where one can be taken.
    fn location(
        &mut self,
        process: usize,
        location: LocationId,
        among: &Bdd,
        turn: &Bdd,
    ) -> Made<Bdd> {
        let template = self.template(process);
        let mut asking = self.trying(process);
        let here = asking.is_at(&self.start, process, location)?;
        let here = here.and(among)?;
        let may_move = asking.may_move(&self.start, here, template, location)?;
        let mut before = Before::nothing(self.context, asking.halted.clone());
        self.note(asking, None, turn)?;
        for (index, edge) in template.edges_from(location) {
            let id = self.edge_id(process, index);
            self.edge(process, id, edge, &may_move, &mut before, turn)?;
        }
        Ok(before.moved)
    }

    pub(crate) fn edge_id(&self, process: usize, index: u32) -> EdgeId {
        EdgeId {
            template: self.context.layout.processes[process].template(),
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
    ) -> Made<()> {
        before.close(edge)?;
        let mut open = without(may_move, &before.closed)?;
        if edge.step == Step::Else {
            open = without(&open, &before.moved)?;
        }
        if !open.satisfiable() {
            return Ok(());
        }
        for choice in 0..edge.choices() {
            let path = self.chosen(process, open.clone(), edge, choice);
            let tried = self.attempt(process, path, id, edge, turn)?;
            before.take(edge, &tried.taken)?;
            if tried.taken.satisfiable() {
                self.tried.push(tried);
            }
            self.context.d.pause()?;
        }
        let offered = self.offer(process, &open, id, edge, turn)?;
        before.forget_escapes(&without(&offered.somewhere, &offered.taken)?)?;
        before.take(edge, &offered.taken)
    }

    /// Where an edge begins for a choice of its parameters, wherever it is open.
    fn chosen(&self, process: usize, open: Bdd, edge: &Edge, choice: u32) -> Path {
        let Context { model, layout, .. } = self.context;
        let own = &layout.processes[process];
        let mut path = Path {
            condition: open,
            cells: BTreeMap::new(),
        };
        self.place(&mut path, process, edge.source);
        let cell = |local| layout.local(process, model.first_cell_of_local(own.template(), local));
        self.choose(&mut path, edge, choice, cell);
        path
    }

    /// Gives the variables of the parameters of an edge or a monitor their values in that choice.
    fn choose(&self, path: &mut Path, edge: &Edge, choice: u32, cell: impl Fn(LocalId) -> CellId) {
        for (parameter, value) in edge.parameters.iter().zip(edge.chosen(choice)) {
            let value = Number::constant(self.context.d, value);
            path.cells.insert(cell(parameter.local), value);
        }
    }

    /// Takes an edge along a path that begins there.
    fn attempt(
        &mut self,
        process: usize,
        path: Path,
        id: EdgeId,
        edge: &Edge,
        turn: &Bdd,
    ) -> Made<Tried> {
        let mut attempt = self.trying(process);
        let performed = attempt.perform(path, self.context.code.step(id), edge.span)?;
        let mut done = performed.taken;
        self.arrive(&mut done, process, edge);
        let (halted, failed) = (attempt.halted.clone(), attempt.failed.clone());
        self.note_nodes(id, &attempt, &without(turn, &performed.blocked)?)?;
        self.note(attempt, Some(&performed.blocked), turn)?;
        Ok(Tried {
            edge: id,
            partner: None,
            holder: process,
            control: edge.control,
            turn: turn.clone(),
            taken: done.condition.or(&halted)?,
            failed,
            done,
        })
    }

    /// Lets a process go along an edge whose step has been performed.
    pub(crate) fn arrive(&self, path: &mut Path, process: usize, edge: &Edge) {
        let Context { d, layout, .. } = self.context;
        let own = &layout.processes[process];
        if let Some(cell) = layout.last_mover {
            let mover = Number::constant(d, own.number().into());
            path.cells.insert(cell, mover);
        }
        if edge.step != Step::Exit {
            let target = Number::constant(d, edge.target.0.into());
            path.cells.insert(own.location, target);
        }
    }

    /// Notes from where the nodes of a routine are executed.
    fn note_nodes(&mut self, edge: EdgeId, attempt: &Attempt<'_>, when: &Bdd) -> Made<()> {
        if self.context.model.is_system_of_rules() {
            return Ok(());
        }
        for (&node, condition) in &attempt.nodes {
            let here = condition.and(when)?;
            if here.satisfiable() {
                self.system.nodes.push((edge, NodeId::from(node), here));
            }
        }
        Ok(())
    }

    /// Notes what an attempt has met, but where it turned out that the step cannot be taken.
    pub(crate) fn note(
        &mut self,
        attempt: Attempt<'_>,
        blocked: Option<&Bdd>,
        turn: &Bdd,
    ) -> Made<()> {
        self.asked_timeout |= attempt.asked_timeout;
        let when = match blocked {
            Some(blocked) => without(turn, blocked)?,
            None => turn.clone(),
        };
        for (misfit, condition) in attempt.misfits {
            let condition = condition.and(&when)?;
            if condition.satisfiable() {
                self.system.misfits.push((misfit, condition));
            }
        }
        for trouble in attempt.troubles {
            self.trouble(&trouble.condition.and(&when)?, trouble.violation);
        }
        Ok(())
    }

    fn trouble(&mut self, condition: &Bdd, violation: Violation) {
        if condition.satisfiable() {
            let condition = condition.clone();
            self.system.troubles.push(Trouble {
                condition,
                violation,
            });
        }
    }

    /// Makes the relation of a step, now that it is known where its process can go on.
    fn finish(&mut self, tried: Tried, can_move: &[Bdd]) -> Made<()> {
        let turn = &tried.turn;
        let mut done = tried.done;
        if self.context.model.deadlock == Deadlock::NoChange {
            let ended = without(&tried.taken, &done.condition)?;
            let changes = multisets::changes(self.context, &done)?;
            self.goes_on = self.goes_on.or(&changes.certain.or(&ended)?)?;
            if changes.doubtful.satisfiable() {
                let span = self.edge_of(tried.edge).span;
                self.system.doubtful.push((span, changes.doubtful));
            }
        }
        done.condition = done.condition.and(turn)?;
        let edge = self.edge_of(tried.edge);
        if edge.step == Step::Exit {
            let ending = (edge.span, done.condition.clone());
            self.system.endings.push(ending);
        }
        self.leave_out_misfits(&mut done)?;
        if let Some(holder) = self.context.layout.holder {
            let nobody = Number::constant(self.context.d, 0);
            done.cells.insert(holder, nobody);
        }
        let hold = match (tried.control, self.context.layout.holder) {
            (Control::Hold, Some(holder)) => Some(Hold {
                can_go_on: can_move[tried.holder].clone(),
                held: self.held(tried.holder)?,
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
            partner: tried.partner,
            counted,
            relation,
            hold,
        });
        Ok(())
    }

    fn edge_of(&self, id: EdgeId) -> &'a Edge {
        &self.context.model.template(id.template).edges[id.index as usize]
    }

    /// Leaves out where a number would not fit, and notes it.
    fn leave_out_misfits(&mut self, done: &mut Path) -> Made<()> {
        let Context { d, layout, .. } = self.context;
        for (&cell, number) in &done.cells {
            let misfits = layout.misfits(d, cell, number)?.and(&done.condition)?;
            if misfits.satisfiable() {
                done.condition = without(&done.condition, &misfits)?;
                let narrow = Misfit::Number(cell);
                self.system.misfits.push((narrow, misfits));
            }
        }
        Ok(())
    }

    /// Evaluates the monitors in all states that nobody holds. There are no time-outs for them.
    fn monitors(&mut self) -> Made<()> {
        self.timeout = false;
        let model = self.context.model;
        let invariants = model.invariants_of_monitors();
        for (monitor, invariant) in model.monitor_ids().zip(invariants) {
            let before = self.system.troubles.len();
            self.monitor(monitor)?;
            self.attribute(invariant, before);
        }
        Ok(())
    }

    /// Notes where a monitor holds, for each choice of its parameters or for some.
    fn monitor(&mut self, monitor: MonitorId) -> Made<()> {
        let Context {
            model,
            code,
            layout,
            d,
        } = self.context;
        let id = model.edge_of_monitor(monitor);
        let (edge, step) = (self.edge_of(id), code.step(id));
        let cell = |local| layout.monitor_local(model.first_cell_of_local(id.template, local));
        let each = model.demands_each(monitor);
        let mut anywhere = d.no.clone();
        for choice in 0..edge.choices() {
            let mut attempt = Attempt::observing(self.context);
            let mut path = Path {
                condition: self.system.free.clone(),
                cells: BTreeMap::new(),
            };
            self.choose(&mut path, edge, choice, cell);
            let performed = attempt.perform(path, step, edge.span)?;
            self.note(attempt, Some(&performed.blocked), &d.yes)?;
            let holds = performed.taken.condition;
            d.pause()?;
            match each {
                true => self.observe(monitor, Some(choice), holds),
                false => anywhere = anywhere.or(&holds)?,
            }
        }
        if !each {
            self.observe(monitor, None, anywhere);
        }
        Ok(())
    }

    fn observe(&mut self, monitor: MonitorId, choice: Option<u32>, holds: Bdd) {
        self.system.observations.push(Observation {
            monitor,
            choice,
            holds,
        });
    }

    /// What goes wrong in a monitor of an invariant is a violation of that invariant; so many troubles were there before.
    fn attribute(&mut self, invariant: Option<PropertyId>, before: usize) {
        for trouble in &mut self.system.troubles[before..] {
            trouble.violation = trouble.violation.clone().monitoring(invariant);
        }
    }

    /// Where nothing can happen any more and some process is not at a place where it may stay.
    fn deadlock(&mut self) -> Made<()> {
        let asking = Attempt::new(self.context, 0);
        let unfinished = asking.somebody(&self.start, |location| !location.end)?;
        let stuck = without(&unfinished.and(&self.system.free)?, &self.goes_on)?;
        let mut sure = stuck.clone();
        for (_, doubtful) in &mut self.system.doubtful {
            *doubtful = doubtful.and(&stuck)?;
            sure = without(&sure, doubtful)?;
        }
        self.trouble(&sure, Violation::Deadlock);
        Ok(())
    }
}

impl Before {
    /// Nothing was tried, but somebody has moved in those states.
    pub(crate) fn nothing(context: Context<'_>, moved: Bdd) -> Self {
        Before {
            moved,
            closed: context.d.no.clone(),
            escapes: BTreeMap::new(),
        }
    }

    /// Once an escape was taken, what is not part of it is out of reach.
    pub(crate) fn close(&mut self, edge: &Edge) -> Made<()> {
        for (&class, taken) in &self.escapes {
            if class != edge.escape {
                self.closed = self.closed.or(taken)?;
            }
        }
        Ok(())
    }

    pub(crate) fn take(&mut self, edge: &Edge, taken: &Bdd) -> Made<()> {
        self.moved = self.moved.or(taken)?;
        self.forget_escapes(taken)?;
        if edge.escape > 0 {
            let last = self.escapes.entry(edge.escape);
            let last = last.or_insert_with(|| taken.clone());
            *last = last.or(taken)?;
        }
        Ok(())
    }

    /// A send at a rendezvous that nobody accepts leads back to the ordinary edges, as if no escape had been taken before it.
    fn forget_escapes(&mut self, among: &Bdd) -> Made<()> {
        for last in self.escapes.values_mut() {
            *last = without(last, among)?;
        }
        Ok(())
    }
}
