//! The checker.

mod counted;
mod judge;
mod liveness;
mod loops;
mod moves;
mod rows;
mod settled;
mod steps;
mod types;

use crate::proof::{Body, Case, Moves, Notes, Proof, Temporary};
use judge::{FARTHEST, Judge, Part};
pub(crate) use judge::{Missing, Who};
pub(crate) use liveness::dead_nodes;
use mandala_model::Model;
use mandala_model::claim::Claim;
use mandala_model::ids::{
    ChannelKindId, EdgeId, FunctionId, LocationId, NodeId, PropertyId, TemplateId,
};
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::step::Observers;
use mandala_model::template::{Edge, Role, Routine, Step};
use mandala_model::types::{Initial, Storage, Type, Variable};
use mandala_symmetry::DomainKind;
use mandala_symmetry::sorts::{Classes, Shape, Sort};
pub(crate) use moves::Mover;
use moves::{members, set_of};
pub(crate) use settled::Settled;
use std::collections::BTreeSet;

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
    whole(model, observers, proof)?;
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

/// That a proof is about this model: its types have the shapes of the variables, and its domains are sets of small values that do not overlap.
fn structure(model: &Model, proof: &Proof) -> Checked<()> {
    let malformed = |holds: bool, what: &str| match holds {
        true => Ok(()),
        false => Err(Reject::whole(what)),
    };
    let fits = has_shape(model, &proof.sorts.classes) && has_shape(model, &proof.values);
    malformed(fits, "its types are those of another model")?;
    malformed(
        proof.full.len() == proof.domains.len(),
        "its domains are not all full or not",
    )?;
    let mut seen = BTreeSet::new();
    let mut names = proof.sorts.names.iter();
    for (number, domain) in proof.domains.iter().enumerate() {
        let small = |name: &Value| name.abs() <= FARTHEST;
        let id = set_of(proof, number);
        let known = members(proof, number).is_some_and(|all| {
            all.iter()
                .all(|name| small(name) && seen.insert((id, *name)))
        });
        let known = known
            && match &domain.kind {
                DomainKind::Processes { template, .. } => model
                    .templates
                    .get(template.index())
                    .is_some_and(|t| t.role == Role::Process),
                DomainKind::Names { first, size, .. } => names
                    .next()
                    .is_some_and(|n| (n.first, n.size) == (*first, *size)),
            };
        malformed(known, "its domains are no sets of small values")?;
    }
    malformed(names.next().is_none(), "its types speak of other domains")?;
    let scratch = |variable: &Variable, shape: &Shape<Sort>| {
        let is_scratch = variable.storage == Storage::Scratch && !makes_channels(model, variable);
        let mut plain = true;
        shape.map(&mut |sort| plain &= *sort == Sort::Plain);
        !is_scratch || plain
    };
    let classes = &proof.sorts.classes;
    let mut globals = model.globals.iter().zip(&classes.globals);
    let mut locals = model
        .runnables()
        .zip(&classes.locals)
        .flat_map(|((_, t), shapes)| t.locals.iter().zip(shapes));
    let plain = globals.all(|(v, s)| scratch(v, s)) && locals.all(|(v, s)| scratch(v, s));
    malformed(plain, "what is no part of the state has a type in states")?;
    let kinds = (0..proof.sorts.kinds.len()).all(|class| carries(model, proof, class));
    malformed(kinds, "channels of one class have other messages")?;
    notes_fit(model, proof)
        .ok_or_else(|| Reject::whole("it speaks of variables that are not there"))
}

/// Whether what is said of bodies has the shapes of their variables.
fn notes_fit(model: &Model, proof: &Proof) -> Option<()> {
    let same = |variable: Option<&Variable>, shape: &Shape<Sort>| {
        let variable =
            variable.filter(|v| v.storage == Storage::Scratch && !makes_channels(model, v))?;
        is_of(model, &variable.ty, shape).then_some(())
    };
    let no_functions = model.functions.is_empty();
    for (global, shape) in &proof.scratch {
        same(model.globals.get(global.index()), shape)?;
    }
    for (body, notes) in &proof.bodies {
        let locals: &[Variable] = match body {
            Body::Edge(template, index) => {
                let template = (template.index() < model.runnable_count())
                    .then(|| model.template(*template))?;
                template.edges.get(*index as usize)?;
                &template.locals
            }
            Body::Function(id) => {
                let function = model.functions.get(id.index())?;
                (notes.references.len() == function.references.len()).then_some(())?;
                (notes.locals.len() == function.locals.len()).then_some(())?;
                let mut references = function.references.iter().zip(&notes.references);
                references
                    .all(|(v, shape)| is_of(model, &v.ty, shape))
                    .then_some(())?;
                for (variable, shape) in function.locals.iter().zip(notes.locals.values()) {
                    is_of(model, &variable.ty, shape).then_some(())?;
                }
                continue;
            }
            _ => &[],
        };
        (notes.globals.is_empty() || no_functions).then_some(())?;
        for (local, shape) in &notes.locals {
            same(locals.get(*local as usize), shape)?;
        }
        for (global, shape) in &notes.globals {
            same(model.globals.get(global.index()), shape)?;
        }
    }
    Some(())
}

/// Whether the messages of all kinds of a class have one type.
fn carries(model: &Model, proof: &Proof, class: usize) -> bool {
    let Some(messages) = proof.sorts.messages.get(class) else {
        return false;
    };
    let of = |kind: &ChannelKindId| {
        let known = kind.index() < model.channel_kinds.len();
        known && messages.starts_with(&proof.sorts.classes.fields[kind.index()])
    };
    proof.sorts.kinds[class].iter().all(of)
}

fn has_shape<S>(model: &Model, classes: &Classes<S>) -> bool {
    let all = |variables: &[Variable], shapes: &[Shape<S>]| {
        variables.len() == shapes.len()
            && variables
                .iter()
                .zip(shapes)
                .all(|(v, s)| is_of(model, &v.ty, s))
    };
    let locals = classes.locals.len() == model.runnable_count();
    let kinds = classes.fields.len() == model.channel_kinds.len();
    let mut fields = classes.fields.iter().zip(&model.channel_kinds);
    all(&model.globals, &classes.globals)
        && locals
        && model
            .runnables()
            .zip(&classes.locals)
            .all(|((_, t), shapes)| all(&t.locals, shapes))
        && kinds
        && fields.all(|(fields, kind)| fields.len() == kind.fields.len())
}

fn is_of<S>(model: &Model, ty: &Type, shape: &Shape<S>) -> bool {
    match (ty, shape) {
        (Type::Scalar(a), Shape::Cell(_, b)) => a == b,
        (Type::Record(id), Shape::Record(fields)) => {
            let declared = &model.record(*id).fields;
            declared.len() == fields.len()
                && declared
                    .iter()
                    .zip(fields)
                    .all(|(v, s)| is_of(model, &v.ty, s))
        }
        (
            Type::Array {
                element: ty,
                length: a,
            },
            Shape::Array {
                element, length: b, ..
            },
        ) => a == b && is_of(model, ty, element),
        _ => false,
    }
}

/// What must be so of the model as a whole: no priorities, no observers of messages; nobody ends who made channels.
fn whole(model: &Model, observers: Observers, _proof: &Proof) -> Checked<()> {
    if model.prioritised {
        return Err(Reject::whole("there are priorities"));
    }
    if let Some(events) = observers.events {
        return Err(Reject::at(
            model.template(events).span,
            "no rule is about observers of messages",
        ));
    }
    for template in model.templates.iter().filter(|t| t.role == Role::Process) {
        if template.locals.iter().any(|v| makes_channels(model, v))
            && let Some(end) = settled::end(template)
        {
            return Err(Reject::at(end, "a process that made channels may end here"));
        }
    }
    Ok(())
}

/// That everything that is claimed has a case.
fn covers(model: &Model, proof: &Proof) -> Checked<()> {
    let is_all = |domain: usize| {
        proof
            .cases
            .iter()
            .any(|case| matches!(&case.moves, Moves::All(all) if all.contains(&domain)))
    };
    let is_one = |wanted: &mandala_symmetry::Renaming| {
        proof
            .cases
            .iter()
            .any(|case| matches!(&case.moves, Moves::One(one) if one == wanted))
    };
    for (domain, full) in proof.full.iter().enumerate() {
        let claimed = *full && !is_unordered(model, proof, domain);
        let exchanged = || proof.exchanges(domain).iter().all(is_one);
        if claimed && !is_all(domain) && !exchanged() {
            return Err(Reject::whole("nothing is said of a domain that is claimed"));
        }
    }
    match proof.renamings.iter().all(is_one) {
        true => Ok(()),
        false => Err(Reject::whole(
            "nothing is said of a renaming that is claimed",
        )),
    }
}

/// Whether the language has no order among the names of a domain: then there is nothing to prove.
pub(crate) fn is_unordered(model: &Model, proof: &Proof, domain: usize) -> bool {
    let mut sets = model.scalarsets.iter().filter(|set| set.unordered);
    match &proof.domains[domain].kind {
        DomainKind::Names { label, first, size } => sets.any(|set| {
            let Some(Some(number)) = set_of(proof, domain) else {
                return false;
            };
            let classes = &proof.sorts.classes;
            let mut found = 0;
            classes.map(&mut |sort| found += usize::from(is_name_of(*sort, number)));
            // All that speaks of them are the arrays that the language says.
            let uses = set
                .uses
                .iter()
                .flat_map(|used| classes.used(model, &used.kind));
            let uses: BTreeSet<*const Sort> = uses
                .filter(|sort| is_name_of(**sort, number))
                .map(std::ptr::from_ref)
                .collect();
            (&set.name, set.first, set.size) == (label, *first, *size) && found == uses.len()
        }),
        DomainKind::Processes { .. } => false,
    }
}

fn is_name_of(sort: Sort, set: u32) -> bool {
    matches!(sort, Sort::Name(own, _) if own == set)
}

/// Whether channels are made for a variable or a part of it.
fn makes_channels(model: &Model, variable: &Variable) -> bool {
    let mut ty = &variable.ty;
    while let Type::Array { element, .. } = ty {
        ty = element;
    }
    match (&variable.initial, ty) {
        (Initial::NewChannel(_), _) => true,
        (_, Type::Record(id)) => model
            .record(*id)
            .fields
            .iter()
            .any(|f| makes_channels(model, f)),
        _ => false,
    }
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

    /// There is room for all that is moved or for none of it, what is known of values is so of their images, and no process ends that is moved.
    fn state(&self) -> Checked<()> {
        let (model, proof) = (self.model, self.proof);
        let judge = self.judge(Body::Globals);
        rows::check(model, &proof.sorts.rows, self.mover)?;
        let classes = &proof.sorts.classes;
        let locals = model
            .runnables()
            .zip(classes.locals.iter().zip(&proof.values.locals));
        let locals = locals
            .flat_map(|((_, t), (shapes, values))| t.locals.iter().zip(shapes.iter().zip(values)));
        let globals = model
            .globals
            .iter()
            .zip(classes.globals.iter().zip(&proof.values.globals));
        for (variable, (shape, values)) in globals.chain(locals) {
            judge.room(shape, variable.span)?;
            self.values_closed(shape, values)?;
        }
        let fields = classes
            .fields
            .iter()
            .zip(&proof.values.fields)
            .zip(&model.channel_kinds);
        for ((sorts, values), kind) in fields {
            for ((sort, values), scalar) in sorts.iter().zip(values).zip(&kind.fields) {
                let cell = Shape::Cell(*sort, *scalar);
                judge.room(&cell, kind.span)?;
                self.values_closed(&cell, &Shape::Cell(values.clone(), *scalar))?;
            }
        }
        for (global, shape) in &proof.scratch {
            let variable = model.global(*global);
            judge.room(shape, variable.span)?;
            self.first_value(&judge, variable, shape)?;
        }
        for (number, domain) in proof.domains.iter().enumerate() {
            if let DomainKind::Processes { template, .. } = &domain.kind
                && (self.mover.touches(proof, number) || !domain.residents.is_empty())
                && let Some(end) = settled::end(model.template(*template))
            {
                return Err(Reject::at(end, "a process that is moved may end here"));
            }
        }
        Ok(())
    }

    fn values_closed(
        &self,
        shape: &Shape<Sort>,
        values: &Shape<Option<BTreeSet<Value>>>,
    ) -> Checked<()> {
        match (shape, values) {
            (Shape::Cell(sort, _), Shape::Cell(Some(values), _)) => {
                let mut pairs = self.mover.pairs(self.mover.sort(*sort));
                let closed = pairs.all(|(a, b)| values.contains(&a) == values.contains(&b));
                closed.then_some(()).ok_or_else(|| {
                    Reject::whole("what is known of values is not so of their images")
                })
            }
            (Shape::Record(shapes), Shape::Record(values)) => shapes
                .iter()
                .zip(values)
                .try_for_each(|(shape, values)| self.values_closed(shape, values)),
            (
                Shape::Array { element, .. },
                Shape::Array {
                    element: values, ..
                },
            ) => self.values_closed(element, values),
            _ => Ok(()),
        }
    }

    /// What holds a value when a step begins holds none that is moved.
    fn first_value(
        &self,
        judge: &Judge<'_>,
        variable: &Variable,
        shape: &Shape<Sort>,
    ) -> Checked<()> {
        let mut kept = Ok(());
        let is_default = matches!(variable.initial, Initial::Default);
        shape_cells(shape, &mut |sort| {
            let ty = types::Ty::of(self.mover, sort, None);
            let fine = match is_default {
                true => judge.keeps_zero(&ty, variable.span),
                false => judge.meet(&ty, &types::Ty::plain(), variable.span, "is there at first"),
            };
            if kept.is_ok() {
                kept = fine;
            }
        });
        kept
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
        let mut strangers = true;
        for domain in &self.proof.domains {
            if let DomainKind::Processes { template, numbers } = &domain.kind
                && *template == id
            {
                known.extend(numbers.iter().copied());
                strangers &= !domain.residents.iter().any(|(t, _)| *t == id);
            }
        }
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

/// The sorts of the cells of a variable.
fn shape_cells(shape: &Shape<Sort>, visit: &mut impl FnMut(Sort)) {
    match shape {
        Shape::Cell(sort, _) => visit(*sort),
        Shape::Record(fields) => fields.iter().for_each(|f| shape_cells(f, visit)),
        Shape::Array { element, .. } => shape_cells(element, visit),
    }
}
