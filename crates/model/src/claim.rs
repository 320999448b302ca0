//! Claims: what is checked to follow no run.
//!
//! A claim is a template that the user has written, or the automaton of a property. Both have locations, and moves that a guard allows, and may
//! have variables of their own. So whoever makes steps runs both alike: an automaton is looked at as a template, with a location for each of its
//! states and an edge for each transition ([`as_template`]). That is a view of the property and no part of the model: it stands in no table that
//! a front end fills, nobody rewrites it, and it changes with the conditions that it is made of.

use crate::expr::{Expr, Place, Root};
use crate::ids::{ConditionId, LocalId, LocationId, PropertyId, TemplateId};
use crate::model::UncheckedModel;
use crate::property::{Condition, Indices, Property, RunQuestion};
use crate::source::Span;
use crate::template::{Control, Edge, Effect, Location, Role, Step, Template};
use mandala_temporal::{Guard, StateId};

/// A claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Claim {
    /// A template of role claim, which the user has written.
    Template(TemplateId),
    /// The automaton of that property; or of a formula of branching time with indices what asks its conditions, which never runs.
    Automaton(PropertyId),
}

/// The automaton of a property as a template. It follows exactly the runs that the automaton accepts, and the variables whose values the automaton
/// chooses are its locals.
pub(crate) fn as_template(
    model: &UncheckedModel,
    property: &Property,
    question: &RunQuestion,
) -> Template {
    let mut template = Template::empty(&property.name, Role::Claim, property.span);
    template.locals.clone_from(&question.indices.variables);
    follower(model, question, property.span).install(&mut template);
    choose_first(&mut template, &question.indices);
    template
}

/// The formula of a property as a template, for those who prove something of its indices: no run is followed by it. It chooses values for the indices, asks one of the conditions
/// or none, and begins again. From every location each other one can be reached, whatever conditions hold: nothing is left out of a proof because it is over, or out of reach.
pub(crate) fn asking_template(
    model: &UncheckedModel,
    property: &Property,
    indices: &Indices,
) -> Template {
    let mut template = Template::empty(&property.name, Role::Claim, property.span);
    template.locals.clone_from(&indices.variables);
    let mut claim = ClaimBuilder::new(property.span);
    let always = || constant(true, property.span);
    let mut location = || claim.location(Vec::new(), false);
    let (begin, chosen, met) = (location(), location(), location());
    claim.edge(begin, chosen, always());
    claim.edge(chosen, begin, always());
    claim.edge(met, begin, always());
    for id in property.kind.conditions() {
        let asking = claim.location(Vec::new(), false);
        claim.edge(chosen, asking, always());
        claim.edge(asking, met, model.condition(id).clone());
        claim.edge(asking, begin, always());
    }
    claim.install(&mut template);
    choose_first(&mut template, indices);
    let choosing = template.entry;
    for edge in template.edges.iter_mut().filter(|e| e.target == begin) {
        edge.target = choosing;
    }
    template
}

/// The claim that an automaton is. An asserting transition is two steps that hold control, the second of which fails.
fn follower(model: &UncheckedModel, question: &RunQuestion, span: Span) -> ClaimBuilder {
    let automaton = &question.automaton;
    let mut claim = ClaimBuilder::new(span);
    for state in &automaton.states {
        claim.location(state.labels.clone(), state.accepting);
    }
    for (number, state) in automaton.states.iter().enumerate() {
        let from = LocationId::from(number);
        if automaton.accept_all == Some(StateId(number)) {
            let end = claim.end();
            claim.edge(from, end, constant(true, span));
            continue;
        }
        for transition in &state.transitions {
            let guard = condition(model, &transition.guard, span);
            match transition.asserts {
                true => claim.assertion(from, guard),
                false => claim.edge(from, transition.target.0.into(), guard),
            }
        }
    }
    claim
}

/// The guard of a transition as one condition.
fn condition(model: &UncheckedModel, guard: &Guard, span: Span) -> Condition {
    let of = |guard| condition(model, guard, span);
    match guard {
        Guard::True => constant(true, span),
        Guard::False => constant(false, span),
        Guard::Literal(literal) => {
            let known = model.condition(ConditionId::from(literal.proposition.0));
            match literal.positive {
                true => known.clone(),
                false => known.negated(),
            }
        }
        Guard::And(left, right) => of(left).and(of(right)),
        Guard::Or(left, right) => of(left).or(of(right)),
    }
}

fn constant(value: bool, span: Span) -> Condition {
    Condition {
        condition: Expr::constant(i64::from(value), span),
        text: if value { "1" } else { "false" }.to_owned(),
    }
}

/// The locations and edges of a claim while they are made. All of them stand at one place in the source.
#[derive(Debug)]
struct ClaimBuilder {
    span: Span,
    rows: Vec<Row>,
}

#[derive(Debug, Default)]
struct Row {
    labels: Vec<String>,
    accept: bool,
    edges: Vec<Edge>,
}

impl ClaimBuilder {
    /// A claim without locations.
    fn new(span: Span) -> Self {
        ClaimBuilder {
            span,
            rows: Vec::new(),
        }
    }

    /// Adds a location. The first one is where the claim starts.
    fn location(&mut self, labels: Vec<String>, accept: bool) -> LocationId {
        self.rows.push(Row {
            labels,
            accept,
            edges: Vec::new(),
        });
        LocationId::from(self.rows.len() - 1)
    }

    /// Adds a location where the claim has come to its end.
    fn end(&mut self) -> LocationId {
        self.location(vec!["end".into()], false)
    }

    /// Adds a step that is possible where the condition holds.
    fn edge(&mut self, from: LocationId, to: LocationId, guard: Condition) {
        self.guarded(from, to, guard, Control::Release);
    }

    /// Adds two steps, of which the second fails, where the condition holds.
    fn assertion(&mut self, from: LocationId, guard: Condition) {
        let middle = self.location(Vec::new(), false);
        self.guarded(from, middle, guard.clone(), Control::Hold);
        let text = format!("assert(!({}))", guard.text);
        let step = Step::Guarded {
            guard: Expr::constant(1, self.span),
            effects: vec![Effect::Assert {
                condition: guard.condition.negated(),
            }],
        };
        self.push(middle, from, (step, text), Control::Release);
    }

    fn guarded(&mut self, from: LocationId, to: LocationId, guard: Condition, control: Control) {
        let step = Step::Guarded {
            guard: guard.condition,
            effects: Vec::new(),
        };
        self.push(from, to, (step, guard.text), control);
    }

    fn push(
        &mut self,
        source: LocationId,
        target: LocationId,
        (step, text): (Step, String),
        control: Control,
    ) {
        self.rows[source.index()].edges.push(Edge {
            source,
            target,
            step,
            control,
            escape: 0,
            text,
            statement: 0,
            span: self.span,
            twin: false,
            parameters: Vec::new(),
            outcome: None,
        });
    }

    /// Makes that the body of a template.
    fn install(self, template: &mut Template) {
        let mut locations = Vec::new();
        let mut edges = Vec::new();
        for (number, row) in self.rows.into_iter().enumerate() {
            let first = edges.len() as u32;
            edges.extend(row.edges);
            locations.push(Location {
                number: number as u32 + 1,
                end: row.labels.iter().any(|l| l.starts_with("end")),
                labels: row.labels,
                progress: false,
                accept: row.accept,
                silent: true,
                edges: first..edges.len() as u32,
                span: self.span,
            });
        }
        template.locations = locations;
        template.edges = edges;
        template.entry = LocationId(0);
    }
}

/// Lets the claim choose values for its variables with its first step, which reads the first state like that of any other claim. It
/// keeps them forever.
fn choose_first(claim: &mut Template, indices: &Indices) {
    if indices.is_empty() {
        return;
    }
    let first: Vec<Edge> = claim
        .edges_from(claim.entry)
        .map(|(_, e)| e.clone())
        .collect();
    let entry = LocationId::from(claim.locations.len());
    let begin = claim.edges.len() as u32;
    for chosen in (0..indices.count()).map(|number| indices.chosen(number)) {
        let edges = first.iter();
        let edges = edges.map(|edge| choosing(edge, entry, indices, &chosen));
        claim.edges.extend(edges);
    }
    claim.locations.push(Location {
        number: claim.locations.len() as u32 + 1,
        labels: Vec::new(),
        end: false,
        progress: false,
        accept: false,
        silent: true,
        edges: begin..claim.edges.len() as u32,
        span: claim.span,
    });
    claim.entry = entry;
}

/// The step that makes choices and is otherwise another one after them.
fn choosing(edge: &Edge, source: LocationId, indices: &Indices, chosen: &[i64]) -> Edge {
    let mut edge = Edge {
        source,
        ..edge.clone()
    };
    if let Step::Guarded { guard, effects } = &mut edge.step {
        *guard = indices.put_in(chosen, guard);
        for (index, number) in (0..).map(LocalId).zip(chosen) {
            let place = Place::variable(Root::Local(index), guard.span);
            let value = Expr::constant(*number, guard.span);
            effects.insert(0, Effect::Assign { place, value });
        }
    }
    edge
}
