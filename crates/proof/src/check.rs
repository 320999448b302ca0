//! The checker: it accepts or rejects a proof that renamings preserve what a model does.
//!
//! # The judgement
//!
//! A [case](crate::proof::Case) of a proof is about one renaming `g`, or about all exchanges of two neighbours in some domains. The judgement is about a text and its *image*, a text of the same
//! [form](uses), mostly the same one: the first is evaluated in a state `s` by a process `p`, the second in the state `g s` by the process `g p`. A [type](types) says how the two values are
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
mod uses;
mod variables;

use crate::proof::{Body, Case, Moves, Proof, Temporary};
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

    fn channels(span: Span) -> Self {
        let message = "a channel is kept where channels of other messages are, or no channels";
        Reject::at(span, message)
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
        let mut note = |body, found| report(number, body, found);
        examine(model, observers, proof, case, &mut note)?;
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
        let each = judge.counted(routine, *head);
        let part = each.and_then(|each| judge.root(&each.variable.root));
        part.is_some_and(|part| !matches!(part.shape, Shape::Cell(Sort::Plain, _)))
    };
    let heads = (1..routine.nodes.len()).map(NodeId::from);
    heads.filter(counts).collect()
}

/// Goes over all parts of a case.
pub(crate) fn examine(
    model: &Model,
    observers: Observers,
    proof: &Proof,
    case: &Case,
    note: &mut Note<'_>,
) -> Checked<()> {
    let mover = Mover::of(proof, &case.moves);
    let mover = &mover.ok_or(Reject::whole("a renaming does not keep to the domains"))?;
    let missing = None;
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

/// An edge with its number.
type Numbered<'p> = (u32, &'p Edge);

impl<'p> Examined<'p> {
    fn judge(&self, body: Body) -> Judge<'p> {
        let notes = self.proof.bodies.get(&body);
        let mut judge = Judge::new(self.model, self.proof, self.mover, notes);
        judge.missing = self.missing;
        judge
    }

    fn judge_of(&self, body: Body, template: TemplateId, who: Who, early: bool) -> Judge<'p> {
        let mut judge = self.judge(body);
        (judge.template, judge.who, judge.early) = (Some(template), who, early);
        judge
    }

    pub(crate) fn run(&self, note: &mut Note<'_>) -> Checked<()> {
        let (model, observers) = (self.model, self.observers);
        let settled = Settled::of(model, self.proof, self.mover)?;
        self.state()?;
        let populated = settled::populated(model);
        for (id, template) in (0..).map(TemplateId).zip(&model.templates) {
            match template.role {
                Role::Process if populated.contains(&id) => self.template(id, &settled, note)?,
                Role::Claim if observers.claim == Some(Claim::Template(id)) => {
                    self.edges(id, &settled, note)?
                }
                _ => {}
            }
        }
        note(Body::Globals, self.globals())?;
        note(Body::Start, self.start())?;
        let is_of_runs = observers.claim.is_some() || observers.asked.is_some();
        if let Some(monitors) = model.monitor_template().filter(|_| !is_of_runs) {
            self.edges(monitors, &settled, note)?;
        }
        for id in (0..model.functions.len()).map(FunctionId::from) {
            note(Body::Function(id), self.function(id))?;
        }
        match (observers.claim, &self.case.moves) {
            (Some(claim @ Claim::Automaton(_)), Moves::One(_)) => {
                self.edges(model.runnable(claim), &settled, note)?
            }
            (Some(Claim::Automaton(property)), Moves::All(_)) => {
                note(Body::Conditions, self.conditions(property))?
            }
            _ => {}
        }
        match observers.asked {
            Some(property) => note(Body::Conditions, self.conditions(property)),
            None => Ok(()),
        }
    }

    fn template(&self, id: TemplateId, settled: &Settled<'_>, note: &mut Note<'_>) -> Checked<()> {
        if let Some(provided) = &self.model.template(id).provided {
            let found = self.actors(id).into_iter().try_for_each(|who| {
                let mut judge = self.judge_of(Body::Provided(id), id, who, false);
                judge.truth(provided).map(drop)
            });
            note(Body::Provided(id), found)?;
        }
        note(Body::Births(id), self.births(id, settled))?;
        self.edges(id, settled, note)
    }

    /// Who is looked at: each member of a family by itself, and everybody else; or all at once.
    pub(crate) fn actors(&self, id: TemplateId) -> Vec<Who> {
        let renaming = match &self.case.moves {
            Moves::One(renaming) if self.case.each.contains(&id) => renaming,
            _ => return vec![Who::Any],
        };
        let members = self
            .proof
            .domains
            .iter()
            .flat_map(|domain| match &domain.kind {
                DomainKind::Processes { template, numbers } if *template == id => &numbers[..],
                _ => &[],
            });
        let known: BTreeSet<u32> = members.copied().collect();
        let mut residents = self
            .mover
            .touched(self.proof)
            .flat_map(|domain| &domain.residents);
        let alone = residents.any(|(template, all)| *template == id && all.is_subset(&known));
        let mut start = (0..).zip(&self.model.start);
        let all_known = start.all(|(number, one)| one.template != id || known.contains(&number));
        let made = settled::spawned(self.model).contains(&id);
        let others = (!alone && (made || !all_known)).then_some(Who::Stays);
        let image = |number: u32| Who::Known(number, renaming.processes().image(number));
        known.into_iter().map(image).chain(others).collect()
    }

    fn births(&self, id: TemplateId, settled: &Settled<'_>) -> Checked<()> {
        let declared = self.model.template(id);
        let shapes = &self.proof.sorts.classes.locals[id.index()];
        let shapes = shapes.iter().zip(&self.proof.values.locals[id.index()]);
        let parts = shapes.map(|(shape, values)| {
            let values = Some(values);
            Part { shape, values }
        });
        let mut locals = declared
            .locals
            .iter()
            .zip(parts)
            .skip(declared.parameters as usize);
        let actors = self.actors(id);
        locals.try_for_each(|(variable, part)| {
            let makes = makes_channels(self.model, variable);
            if variable.storage == Storage::Scratch {
                let message = "no rule is about channels of no state";
                return (!makes)
                    .then_some(())
                    .ok_or(Reject::at(variable.span, message));
            }
            actors.iter().try_for_each(|who| {
                let mut judge = self.judge_of(Body::Births(id), id, *who, !settled.is_made(id));
                if makes {
                    judge.in_order(part.shape, variable.span)?;
                }
                judge.first(part, variable)
            })
        })
    }

    /// The first state need not be symmetric, so that only channels and known values matter.
    fn globals(&self) -> Checked<()> {
        let shapes = self
            .proof
            .sorts
            .classes
            .globals
            .iter()
            .zip(&self.proof.values.globals);
        let mut judge = self.judge(Body::Globals);
        judge.early = true;
        let mut globals = self.model.globals.iter().zip(shapes);
        globals.try_for_each(|(variable, (shape, values))| {
            let values = Some(values);
            judge.first(Part { shape, values }, variable)
        })
    }

    fn start(&self) -> Checked<()> {
        self.model.start.iter().try_for_each(|start| {
            let mut judge = self.judge_of(Body::Start, start.template, Who::Stays, true);
            let span = self.model.template(start.template).span;
            judge.arguments(start.template, &start.arguments, span)
        })
    }

    fn edges(&self, id: TemplateId, settled: &Settled<'_>, note: &mut Note<'_>) -> Checked<()> {
        let template = self.model.template(id);
        let is_process = template.role == Role::Process;
        let actors = if is_process {
            self.actors(id)
        } else {
            vec![Who::Any]
        };
        for location in (0..template.locations.len()).map(LocationId::from) {
            let early = is_process && !settled.is_reached(id, location);
            let edges: Vec<Numbered<'p>> = template.edges_from(location).collect();
            let mut found = vec![Ok(()); edges.len()];
            for who in &actors {
                let images = self.images(id, location, *who, &edges, early)?;
                for ((found, edge), image) in found.iter_mut().zip(&edges).zip(images) {
                    if found.is_ok() {
                        *found = self.edge(id, (*edge, edges[image]), *who, early);
                    }
                }
            }
            for (found, (index, edge)) in found.into_iter().zip(&edges) {
                let message = "a process is made whose template has to be settled";
                let spawns_late = !early && settled.forbids(&edge.step);
                let late = spawns_late.then(|| Err(Reject::at(edge.span, message)));
                note(Body::Edge(id, *index), late.unwrap_or(found))?;
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
        edges: &[Numbered<'_>],
        early: bool,
    ) -> Checked<Vec<usize>> {
        let number = match who {
            Who::Known(number, _) => Some(number),
            Who::Any | Who::Stays => None,
        };
        let own: Vec<usize> = (0..edges.len()).collect();
        let known = self
            .case
            .edges
            .get(&(id, location, number))
            .filter(|_| !early);
        let of = |known: &Vec<u32>| known.iter().map(|image| *image as usize).collect();
        let images: Vec<usize> = known.map_or_else(|| own.clone(), of);
        let mut sorted = images.clone();
        sorted.sort_unstable();
        let has_escapes = edges.iter().any(|(_, edge)| edge.escape > 0);
        let ordered = |place: usize| {
            images[place] == place && images[..place].iter().all(|before| *before < place)
        };
        let keeps =
            |place: &usize| !(has_escapes || edges[*place].1.step == Step::Else) || ordered(*place);
        let message = "edges become others in an order that matters, or not each a different one";
        match sorted == own && own.iter().all(keeps) {
            true => Ok(images),
            false => Err(Reject::whole(message)),
        }
    }

    pub(crate) fn edge(
        &self,
        id: TemplateId,
        ((index, edge), (number, image)): (Numbered<'p>, Numbered<'p>),
        who: Who,
        early: bool,
    ) -> Checked<()> {
        // Another edge does the same, but for the positions of elements without order.
        if edge.twin && image.twin {
            return Ok(());
        }
        let parameters = |edge: &'p Edge| edge.parameters.iter().map(|p| (p.local, &p.values));
        let of = |edge: &Edge| (edge.target, edge.control, edge.escape, edge.twin);
        if of(edge) != of(image)
            || !parameters(edge).eq(parameters(image))
            || !self.same_monitor(id, index, number)
        {
            return Err(Reject::at(
                edge.span,
                "its image leads elsewhere, or is for others",
            ));
        }
        let mut judge = self.judge_of(Body::Edge(id, index), id, who, early);
        let template = id;
        let code = self.model.code_of(EdgeId { template, index });
        judge.pair(&edge.step, &image.step, Some(code), edge.span)?;
        for parameter in &edge.parameters {
            let sort = match judge.notes.locals.get(&parameter.local.0) {
                Some(Shape::Cell(sort, _)) => *sort,
                Some(_) => return Err(Reject::at(parameter.span, "a parameter is no cell")),
                None => Sort::Plain,
            };
            judge.closed(sort, &parameter.values, parameter.span)?;
        }
        let is_given = |variable: Temporary| {
            let mut parameters = edge.parameters.iter();
            parameters.any(|parameter| variable == Temporary::Local(parameter.local.0))
        };
        let is_dead = |variable: Temporary| match &edge.step {
            Step::Routine(_) => liveness::is_dead(judge.notes, variable, &[], NodeId(0)),
            step => liveness::is_dead_before(step, variable),
        };
        if let Step::Routine(routine) = &edge.step {
            liveness::check(judge.notes, routine, None)?;
        }
        let locals = &self.model.template(id).locals;
        self.temporaries(&judge, locals, |variable| {
            is_given(variable) || is_dead(variable)
        })
    }

    /// A monitor becomes one of the same properties.
    fn same_monitor(&self, id: TemplateId, a: u32, b: u32) -> bool {
        let names = |number: u32| {
            let monitors = |of: &'p mandala_model::property::Property| of.kind.monitors();
            let properties = self.model.properties.iter();
            properties.map(move |p| monitors(p).iter().any(|m| m.index() == number as usize))
        };
        a == b || Some(id) != self.model.monitor_template() || names(a).eq(names(b))
    }

    /// Temporaries have room for all that is moved or for none of it, and hold nothing that is moved when a step begins, or nothing that matters.
    fn temporaries(
        &self,
        judge: &Judge<'_>,
        locals: &[Variable],
        hides: impl Fn(Temporary) -> bool,
    ) -> Checked<()> {
        let notes = judge.notes;
        let own = notes.locals.iter();
        let own = own.map(|(id, shape)| (Temporary::Local(*id), &locals[*id as usize], shape));
        let globals = notes.globals.iter();
        let globals =
            globals.map(|(id, shape)| (Temporary::Global(id.0), self.model.global(*id), shape));
        own.chain(globals)
            .try_for_each(|(temporary, variable, shape)| {
                judge.room(shape, variable.span)?;
                match hides(temporary) {
                    true => Ok(()),
                    false => self.first_value(judge, variable, shape),
                }
            })
    }

    /// A function has one type, whoever calls it.
    fn function(&self, id: FunctionId) -> Checked<()> {
        let function = self.model.function(id);
        let mut judge = self.judge(Body::Function(id));
        if judge.notes.locals.len() != function.locals.len() {
            return Err(Reject::at(function.span, "nothing is said of it"));
        }
        judge.routine(
            &function.body,
            &function.body,
            Some(id.into()),
            function.span,
        )?;
        liveness::check(judge.notes, &function.body, function.result)?;
        let is_given = |local| matches!(local, Temporary::Local(id) if id < function.parameters);
        self.temporaries(&judge, &function.locals, |local| {
            is_given(local) || liveness::is_dead(judge.notes, local, &[], NodeId(0))
        })
    }

    /// The conditions that a property asks of states.
    fn conditions(&self, property: PropertyId) -> Checked<()> {
        let property = &self.model.properties[property.index()];
        if !property.kind.indices().is_empty() {
            let message = "no rule is about what its automaton chooses";
            return Err(Reject::at(property.span, message));
        }
        let mut judge = self.judge(Body::Conditions);
        property
            .kind
            .conditions()
            .into_iter()
            .try_for_each(|id| judge.truth(&self.model.condition(id).condition).map(drop))
    }
}
