//! The checker: it accepts or rejects a proof that renamings preserve what a model does.
//!
//! # The judgement
//!
//! A [case](crate::proof::Case) of a proof is about one renaming `g`, or about all exchanges of two neighbours in some domains. The judgement is about a *pair* of expressions or statements,
//! mostly one text twice: the first is evaluated in a state `s` by a process `p`, the second in the state `g s` by the process `g p`. A [type](types) says how the two values are
//! related: they are equal, the second is the image of the first, or they are one of some pairs of numbers (cases, which are evaluated one by one). Each construct has one rule,
//! which says how its value is related if those of its parts are. So every edge of a location does, in `g s`, what the edge that it becomes is said to do; and what holds for the exchanges
//! of neighbours holds for all permutations.
//!
//! # No search
//!
//! Everything that takes a search or a fixpoint is in the proof, and is only compared with the model here: the types of cells, temporaries and bound variables; which edges become which;
//! the values that cells of names ever have (each statement stores one of them); at which nodes of a routine a temporary holds nothing that is read later (each step from such a node leads to another one, or
//! writes it first); which loops count. The work is that of a few passes over the model for each case. (Reachable locations are found anew, and operands that come in another order are matched one by one.)
//!
//! # What is trusted
//!
//! This file and those below `check`; [`mandala_symmetry::Action`] with `sorts`, which say what a renaming does to a state; the front end, the verifier of models, and the rewrites before a proof
//! is made. A part of a proof that the rules here do not cover may be *trusted*: then the proof says so, with the reason, and so does everybody who checks it.
//!
//! The theorem is that of [`mandala_symmetry::certify`].

mod counted;
mod judge;
mod liveness;
mod loops;
mod moves;
mod places;
mod rows;
mod settled;
mod state;
mod steps;
mod structure;
mod types;
mod variables;

use crate::proof::{Body, Case, Moves, Notes, Proof, Temporary};
use judge::Judge;
pub(crate) use judge::{Missing, Who};
pub(crate) use liveness::dead_nodes;
use mandala_model::Model;
use mandala_model::claim::Claim;
use mandala_model::ids::{EdgeId, FunctionId, LocationId, NodeId, PropertyId, TemplateId};
use mandala_model::source::Span;
use mandala_model::step::Observers;
use mandala_model::template::{Edge, Role, Routine, Step};
use mandala_model::types::{Storage, Variable};
use mandala_symmetry::DomainKind;
use mandala_symmetry::sorts::{Shape, Sort};
pub(crate) use moves::Mover;
use places::Part;
pub(crate) use settled::Settled;
use std::collections::BTreeSet;
pub(crate) use structure::is_unordered;
use structure::{covers, makes_channels, structure, whole};

/// Why a proof is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reject {
    /// Where a rule is broken, if that is in the text of the model.
    pub span: Option<Span>,
    /// How.
    pub message: String,
}

impl std::fmt::Display for Reject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the proof of a symmetry is rejected: {}", self.message)
    }
}

/// Whether a rule holds.
pub(crate) type Checked<T> = Result<T, Reject>;

impl Reject {
    fn at(span: Span, message: &str) -> Self {
        Reject {
            span: Some(span),
            message: message.into(),
        }
    }

    /// It matters even where the symmetry has not begun.
    fn always(span: Span, message: &str) -> Self {
        Reject::at(span, message)
    }

    fn channels(span: Span) -> Self {
        Reject::at(
            span,
            "a channel is kept where channels of other messages are, or no channels",
        )
    }

    /// The proof as a whole is wrong.
    pub fn whole(message: &str) -> Self {
        Reject {
            span: None,
            message: message.into(),
        }
    }
}

/// What was accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    /// How many parts follow from the rules.
    pub parts: usize,
    /// The parts that the proof asks to trust, each with its case and the reason.
    pub trusted: Vec<(usize, Body, String)>,
}

/// Accepts or rejects a proof about a model under some observers.
///
/// # Errors
///
/// The first rule that is broken.
pub fn check(model: &Model, observers: Observers, proof: &Proof) -> Result<Accepted, Reject> {
    let mut accepted = Accepted::default();
    run(model, observers, proof, &mut |case, body, found| {
        let trusted = proof.cases[case].trusted.get(&body);
        match (trusted, found) {
            (Some(reason), _) => accepted.trusted.push((case, body, reason.clone())),
            (None, Ok(())) => accepted.parts += 1,
            (None, Err(reject)) => return Err(reject),
        }
        Ok(())
    })?;
    Ok(accepted)
}

/// What is done with the outcome of a part of a case.
pub(crate) type Report<'r> = dyn FnMut(usize, Body, Checked<()>) -> Checked<()> + 'r;

/// Goes over all parts of a proof.
pub(crate) fn run(
    model: &Model,
    observers: Observers,
    proof: &Proof,
    report: &mut Report<'_>,
) -> Checked<()> {
    structure(model, proof)?;
    whole(model, observers)?;
    covers(model, proof)?;
    for (number, case) in proof.cases.iter().enumerate() {
        examine(model, observers, proof, case, &mut |body, found| {
            report(number, body, found)
        })?;
    }
    Ok(())
}

/// The heads of the loops of a routine that count what may be moved.
pub(crate) fn counting_heads(
    model: &Model,
    proof: &Proof,
    body: Body,
    routine: &Routine,
) -> BTreeSet<NodeId> {
    let Some(mover) = Mover::of(proof, &Moves::All(Vec::new())) else {
        return BTreeSet::new();
    };
    let mut judge = Judge::new(model, proof, &mover, proof.bodies.get(&body));
    if let Body::Edge(template, _) = body {
        judge.template = Some(template);
    }
    let counts = |head: &NodeId| {
        let shape = judge
            .counted(routine, *head)
            .and_then(|each| judge.root(&each.variable.root));
        shape.is_some_and(|part| !matches!(part.shape, Shape::Cell(Sort::Plain, _)))
    };
    (1..routine.nodes.len())
        .map(NodeId::from)
        .filter(counts)
        .collect()
}

/// Goes over all parts of a case.
pub(crate) fn examine(
    model: &Model,
    observers: Observers,
    proof: &Proof,
    case: &Case,
    note: &mut Note<'_>,
) -> Checked<()> {
    let mover = Mover::of(proof, &case.moves)
        .ok_or_else(|| Reject::whole("a renaming does not keep to the domains"))?;
    let (mover, missing) = (&mover, None);
    Examined {
        model,
        observers,
        proof,
        case,
        mover,
        missing,
    }
    .run(note)
}

/// A case that is examined.
pub(crate) struct Examined<'p> {
    pub(crate) model: &'p Model,
    pub(crate) observers: Observers,
    pub(crate) proof: &'p Proof,
    pub(crate) case: &'p Case,
    pub(crate) mover: &'p Mover,
    pub(crate) missing: Option<&'p Missing>,
}

/// What is done with the outcome of a part.
pub(crate) type Note<'r> = dyn FnMut(Body, Checked<()>) -> Checked<()> + 'r;

impl<'p> Examined<'p> {
    fn judge(&self, body: Body) -> Judge<'p> {
        let mut judge = Judge::new(
            self.model,
            self.proof,
            self.mover,
            self.proof.bodies.get(&body),
        );
        judge.missing = self.missing;
        judge
    }

    pub(crate) fn run(&self, note: &mut Note<'_>) -> Checked<()> {
        let settled = Settled::of(self.model, self.proof, self.mover)?;
        self.state()?;
        let populated = settled::populated(self.model);
        for (id, template) in (0..).map(TemplateId).zip(&self.model.templates) {
            match template.role {
                Role::Process if populated.contains(&id) => self.template(id, &settled, note)?,
                Role::Claim if self.observers.claim == Some(Claim::Template(id)) => {
                    self.edges(id, &settled, note)?
                }
                _ => {}
            }
        }
        note(Body::Globals, self.globals())?;
        note(Body::Start, self.start())?;
        let is_of_runs = self.observers.claim.is_some() || self.observers.asked.is_some();
        if let Some(monitors) = self.model.monitor_template().filter(|_| !is_of_runs) {
            self.edges(monitors, &settled, note)?;
        }
        for id in (0..self.model.functions.len()).map(FunctionId::from) {
            note(Body::Function(id), self.function(id))?;
        }
        match (self.observers.claim, &self.case.moves) {
            (Some(claim @ Claim::Automaton(_)), Moves::One(_)) => {
                self.edges(self.model.runnable(claim), &settled, note)?
            }
            (Some(Claim::Automaton(property)), Moves::All(_)) => {
                note(Body::Conditions, self.conditions(property))?
            }
            _ => {}
        }
        match self.observers.asked {
            Some(property) => note(Body::Conditions, self.conditions(property)),
            None => Ok(()),
        }
    }

    fn template(&self, id: TemplateId, settled: &Settled<'_>, note: &mut Note<'_>) -> Checked<()> {
        if let Some(provided) = &self.model.template(id).provided {
            let found = self.actors(id).into_iter().try_for_each(|who| {
                let mut judge = self.judge(Body::Provided(id));
                (judge.template, judge.who) = (Some(id), who);
                judge.truth(provided, provided).map(drop)
            });
            note(Body::Provided(id), found)?;
        }
        note(Body::Births(id), self.births(id, settled))?;
        self.edges(id, settled, note)
    }

    /// Who is looked at: each member of a family by itself, and everybody else; or all at once.
    pub(crate) fn actors(&self, id: TemplateId) -> Vec<Who> {
        if !self.case.each.contains(&id) {
            return vec![Who::Any];
        }
        let Moves::One(renaming) = &self.case.moves else {
            return vec![Who::Any];
        };
        let mut known = BTreeSet::new();
        for domain in &self.proof.domains {
            if let DomainKind::Processes { template, numbers } = &domain.kind
                && *template == id
            {
                known.extend(numbers.iter().copied());
            }
        }
        let domains = self.proof.domains.iter().enumerate();
        let mut touched = domains.filter(|(number, _)| self.mover.touches(self.proof, *number));
        let alone = touched.any(|(_, domain)| {
            let own =
                |(t, numbers): &(TemplateId, BTreeSet<u32>)| *t == id && numbers.is_subset(&known);
            domain.residents.iter().any(own)
        });
        let strangers = !alone;
        let mut start = (0..)
            .zip(&self.model.start)
            .filter(|(_, start)| start.template == id);
        let first = start.all(|(number, _)| known.contains(&number));
        let made = settled::spawned(self.model).contains(&id);
        let image = |number: u32| Who::Known(number, renaming.processes().image(number));
        let others = (strangers && (made || !first)).then_some(Who::Stays);
        known
            .iter()
            .map(|number| image(*number))
            .chain(others)
            .collect()
    }

    fn births(&self, id: TemplateId, settled: &Settled<'_>) -> Checked<()> {
        let declared = self.model.template(id);
        let (shapes, values) = (
            &self.proof.sorts.classes.locals[id.index()],
            &self.proof.values.locals[id.index()],
        );
        for who in self.actors(id) {
            let mut judge = self.judge(Body::Births(id));
            (judge.template, judge.who) = (Some(id), who);
            judge.early = !settled.is_made(id);
            let locals = declared.locals.iter().zip(shapes).zip(values);
            for ((variable, shape), values) in locals.skip(declared.parameters as usize) {
                let makes = makes_channels(self.model, variable);
                if variable.storage == Storage::Scratch {
                    if makes {
                        return Err(Reject::always(
                            variable.span,
                            "no rule is about channels of no state",
                        ));
                    }
                    continue;
                }
                if makes {
                    judge.in_order(shape, variable.span)?;
                }
                judge.first(
                    Part {
                        shape,
                        values: Some(values),
                    },
                    variable,
                )?;
            }
        }
        Ok(())
    }

    /// The first state need not be symmetric, so that only channels and known values matter.
    fn globals(&self) -> Checked<()> {
        let classes = self
            .proof
            .sorts
            .classes
            .globals
            .iter()
            .zip(&self.proof.values.globals);
        let mut judge = self.judge(Body::Globals);
        judge.early = true;
        for (variable, (shape, values)) in self.model.globals.iter().zip(classes) {
            judge.first(
                Part {
                    shape,
                    values: Some(values),
                },
                variable,
            )?;
        }
        Ok(())
    }

    fn start(&self) -> Checked<()> {
        let mut judge = self.judge(Body::Start);
        judge.early = true;
        for start in &self.model.start {
            judge.template = Some(start.template);
            let span = self.model.template(start.template).span;
            judge.arguments(start.template, &start.arguments, &start.arguments, span)?;
        }
        Ok(())
    }

    fn edges(&self, id: TemplateId, settled: &Settled<'_>, note: &mut Note<'_>) -> Checked<()> {
        let template = self.model.template(id);
        let actors = match template.role {
            Role::Process => self.actors(id),
            _ => vec![Who::Any],
        };
        for location in (0..template.locations.len()).map(LocationId::from) {
            let early = template.role == Role::Process && !settled.is_reached(id, location);
            let edges: Vec<(u32, &Edge)> = template.edges_from(location).collect();
            let mut found = vec![Ok(()); edges.len()];
            for who in &actors {
                let images = self.images(id, location, *who, &edges, early)?;
                for (place, image) in images.into_iter().enumerate() {
                    let pair = (edges[place], edges[image].1);
                    if found[place].is_ok() {
                        found[place] = self.edge(id, pair, *who, early);
                    }
                }
            }
            for (found, (index, edge)) in found.into_iter().zip(&edges) {
                let spawns_late = !early && settled.forbids(&edge.step);
                let found = match spawns_late {
                    true => Err(Reject::always(
                        edge.span,
                        "a process is made whose template has to be settled",
                    )),
                    false => found,
                };
                note(Body::Edge(id, *index), found)?;
            }
        }
        Ok(())
    }

    /// Which edge of a location each one becomes: where their order matters, it is kept.
    fn images(
        &self,
        id: TemplateId,
        location: LocationId,
        who: Who,
        edges: &[(u32, &Edge)],
        early: bool,
    ) -> Checked<Vec<usize>> {
        let number = match who {
            Who::Known(number, _) => Some(number),
            Who::Any | Who::Stays => None,
        };
        let known = self
            .case
            .edges
            .get(&(id, location, number))
            .filter(|_| !early);
        let images: Vec<usize> = match known {
            Some(images) => images.iter().map(|image| *image as usize).collect(),
            None => (0..edges.len()).collect(),
        };
        let all: BTreeSet<usize> = images.iter().copied().collect();
        let fits = images.len() == edges.len()
            && all.len() == edges.len()
            && all.iter().all(|image| *image < edges.len());
        let ordered = |place: usize| {
            images[place] == place && images[..place].iter().all(|before| *before < place)
        };
        let keeps = |(place, (_, edge)): (usize, &(u32, &Edge))| {
            let matters = edge.step == Step::Else || edges.iter().any(|(_, e)| e.escape > 0);
            !matters || ordered(place)
        };
        let fits = fits && edges.iter().enumerate().all(keeps);
        fits.then_some(images).ok_or_else(|| {
            Reject::whole(
                "edges become others in an order that matters, or not each a different one",
            )
        })
    }

    pub(crate) fn edge(
        &self,
        id: TemplateId,
        ((index, edge), image): ((u32, &'p Edge), &'p Edge),
        who: Who,
        early: bool,
    ) -> Checked<()> {
        // Another edge does the same, but for the positions of elements without order.
        if edge.twin && image.twin {
            return Ok(());
        }
        let of = |edge: &Edge| (edge.target, edge.control, edge.escape, edge.twin);
        if of(edge) != of(image)
            || edge.parameters.len() != image.parameters.len()
            || !self.same_monitor(id, edge, image)
        {
            return Err(Reject::always(edge.span, "its image leads elsewhere"));
        }
        let mut judge = self.judge(Body::Edge(id, index));
        (judge.template, judge.who, judge.early) = (Some(id), who, early);
        let code = self.model.code_of(EdgeId {
            template: id,
            index,
        });
        judge.step(&edge.step, &image.step, Some(code), edge.span)?;
        for (parameter, other) in edge.parameters.iter().zip(&image.parameters) {
            let cell = match judge.notes.locals.get(&parameter.local.0) {
                Some(Shape::Cell(sort, _)) => *sort,
                Some(_) => return Err(Reject::always(parameter.span, "a parameter is no cell")),
                None => Sort::Plain,
            };
            if (parameter.local, &parameter.values) != (other.local, &other.values) {
                return Err(Reject::always(
                    parameter.span,
                    "its image has other parameters",
                ));
            }
            judge.closed(cell, &parameter.values, parameter.span)?;
        }
        let given = |variable: Temporary| {
            edge.parameters
                .iter()
                .any(|p| variable == Temporary::Local(p.local.0))
        };
        self.temporaries(&judge, &edge.step, &self.model.template(id).locals, given)
    }

    /// A monitor becomes one of the same properties.
    fn same_monitor(&self, id: TemplateId, edge: &Edge, image: &Edge) -> bool {
        if Some(id) != self.model.monitor_template() || std::ptr::eq(edge, image) {
            return true;
        }
        let number = |edge: &Edge| {
            self.model
                .template(id)
                .edges
                .iter()
                .position(|e| std::ptr::eq(e, edge))
        };
        let Some((a, b)) = number(edge).zip(number(image)) else {
            return false;
        };
        let names = |property: &mandala_model::property::Property, number: usize| {
            property
                .kind
                .monitors()
                .iter()
                .any(|monitor| monitor.index() == number)
        };
        self.model
            .properties
            .iter()
            .all(|property| names(property, a) == names(property, b))
    }

    /// Temporaries have room for all that is moved or for none of it, and hold nothing that is moved when a step begins, or are written before they are read.
    fn temporaries(
        &self,
        judge: &Judge<'_>,
        step: &Step,
        locals: &[Variable],
        given: impl Fn(Temporary) -> bool,
    ) -> Checked<()> {
        let notes: &Notes = judge.notes;
        if let Step::Routine(routine) = step {
            liveness::check(notes, routine, None)?;
        }
        let own = notes
            .locals
            .iter()
            .map(|(id, shape)| (Temporary::Local(*id), &locals[*id as usize], shape));
        let globals = notes
            .globals
            .iter()
            .map(|(id, shape)| (Temporary::Global(id.0), self.model.global(*id), shape));
        for (temporary, variable, shape) in own.chain(globals) {
            judge.room(shape, variable.span)?;
            let is_dead = match step {
                Step::Routine(_) => liveness::is_dead(notes, temporary, &[], NodeId(0)),
                step => liveness::is_dead_before(step, temporary),
            };
            if !is_dead && !given(temporary) {
                self.first_value(judge, variable, shape)?;
            }
        }
        Ok(())
    }

    /// A function has one type, whoever calls it.
    fn function(&self, id: FunctionId) -> Checked<()> {
        let function = self.model.function(id);
        let mut judge = self.judge(Body::Function(id));
        if judge.notes.locals.len() != function.locals.len() {
            return Err(Reject::always(function.span, "nothing is said of it"));
        }
        let step = Step::Routine(function.body.clone());
        judge.step(&step, &step, Some(id.into()), function.span)?;
        liveness::check(judge.notes, &function.body, function.result)?;
        for (local, variable) in (0..).zip(&function.locals) {
            let shape = &judge.notes.locals[&local];
            judge.room(shape, variable.span)?;
            let dead = liveness::is_dead(judge.notes, Temporary::Local(local), &[], NodeId(0));
            if local >= function.parameters && !dead {
                self.first_value(&judge, variable, shape)?;
            }
        }
        Ok(())
    }

    /// The conditions that a property asks of states.
    fn conditions(&self, property: PropertyId) -> Checked<()> {
        let property = &self.model.properties[property.index()];
        if !property.kind.indices().is_empty() {
            return Err(Reject::at(
                property.span,
                "no rule is about what its automaton chooses",
            ));
        }
        let mut judge = self.judge(Body::Conditions);
        for id in property.kind.conditions() {
            let condition = &self.model.condition(id).condition;
            judge.truth(condition, condition)?;
        }
        Ok(())
    }
}
