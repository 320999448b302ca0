//! Locations that are alike but for a number become one location and a variable.
//!
//! ```text
//! if :: len(q[0]) <= len(q[1]) -> q[0] ! m :: len(q[1]) <= len(q[0]) -> q[1] ! m fi
//! ```
//!
//! Whoever has taken the first branch is at another location than who has taken the second one, so where he is says which queue is meant. A renaming of queues cannot
//! rename that: it keeps locations. Here both locations become one, and a new local variable, the *branch*, says which it is. What it holds is a name like any other.
//!
//! # Why verdicts carry over
//!
//! Some locations become one; the branch has another value for each of them, and at all other locations it has one value that is none of these. So a state of the one model
//! belongs to exactly one of the other. An edge from one of the locations asks first whether the branch has its value, and all edges into it put that value into the
//! branch; so the same steps are possible. Which locations these are does not matter for that, except where somebody could tell:
//!
//! - nobody asks whether a process is at one of them, or for the number of a location, and the locations have the same marks and no labels;
//! - no edge at one of them is an `else` or an escape, which depend on other edges there, or can be a rendezvous, which cannot ask first;
//! - there is no observer of messages, which would meet the step of a routine in the place of a send.
//!
//! Behind that question, the branch stands in the place of the number that it has there, so that it shows what kind of a name it holds.
//!
//! A send or a receive at one of the locations becomes a routine that asks first; it cannot be taken where the send or receive cannot be. An edge that has no effects of its own and
//! enters or leaves the locations does so by way of a location of its own, which the process passes while it keeps control (as in `dead`).
//!
//! What is found is a matter of symmetry alone: branches that start at one location, do the same but for numbers, and go on in this way.

use crate::alike::{Group, each_number, groups};
use crate::dead::is_apart;
use crate::reverify::{RewriteDefect, reverify};
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, Root};
use mandala_model::footprint::Footprints;
use mandala_model::ids::{EdgeId, LocalId, LocationId, NodeId, TemplateId};
use mandala_model::origins::{Origin, Origins};
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::step::Observers;
use mandala_model::template::{
    Choice, Control, Edge, Effect, Location, Node, Role, Routine, Step, Template,
};
use mandala_model::types::{Initial, Scalar, Storage, Type, Variable};
use mandala_model::{Model, UncheckedModel};
use std::collections::{BTreeMap, BTreeSet};

/// A model in which some locations became one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gathered {
    /// The model.
    pub model: Model,
    /// How many locations became one with others.
    pub locations: usize,
    /// The edge that each edge stands for; a step that only puts a value into a branch stands for none.
    pub origins: Origins,
}

/// The value of a branch where it has no meaning.
const NOWHERE: Value = 255;

/// The model in which locations that are alike but for a number are one location, or nothing if there are none.
///
/// # Errors
///
/// If the verifier refuses the result.
pub fn gather_alike(
    model: &Model,
    observers: Observers,
) -> Result<Option<Gathered>, RewriteDefect> {
    let asked = Asked::of(model);
    if observers.events.is_some() || model.prioritised || asked.numbers {
        return Ok(None);
    }
    let footprints = Footprints::of(model);
    let mut rewritten = UncheckedModel::clone(model);
    let mut origins = Vec::new();
    let mut added = Vec::new();
    let mut locations = 0;
    for (id, template) in (0..).map(TemplateId).zip(&model.templates) {
        let own = |index: usize| {
            Origin::from(EdgeId {
                template: id,
                index: index as u32,
            })
        };
        let fit = is_fit(model, id, template);
        let found = match fit {
            true => groups(
                template,
                |location| asked.is_free(id, template, location),
                |index| {
                    footprints
                        .taking(EdgeId {
                            template: id,
                            index,
                        })
                        .meets
                },
            ),
            false => Vec::new(),
        };
        if found.is_empty() {
            origins.push((0..template.edges.len()).map(own).collect());
            continue;
        }
        locations += found.iter().map(Group::len).sum::<usize>();
        let mut gatherer = Gatherer::new(&found, &mut rewritten.templates[id.index()]);
        let order = gatherer.gather();
        added.extend(vec![id; gatherer.landings]);
        origins.push(order.into_iter().map(own).collect());
    }
    if locations == 0 {
        return Ok(None);
    }
    let monitors = model.monitor_template().map(|monitors| {
        let edges = 0..model.template(monitors).edges.len() as u32;
        edges
            .map(|index| {
                EdgeId {
                    template: monitors,
                    index,
                }
                .into()
            })
            .collect()
    });
    let mut origins = Origins::made_of(origins, monitors.unwrap_or_default(), model);
    added.into_iter().for_each(|template| origins.add(template));
    let model = reverify("the gathering of locations", rewritten)?;
    Ok(Some(Gathered {
        model,
        locations,
        origins,
    }))
}

/// Whether locations of the template may become one.
fn is_fit(model: &Model, id: TemplateId, template: &Template) -> bool {
    let plain = template.provided.is_none() && !template.deterministic;
    template.role == Role::Process && plain && !is_apart(model, id)
}

/// Where somebody asks whether a process is.
#[derive(Default)]
struct Asked {
    at: BTreeSet<(TemplateId, LocationId)>,
    /// Whether the number of a location is asked for.
    numbers: bool,
}

impl Asked {
    fn of(model: &Model) -> Self {
        let mut asked = Asked::default();
        let mut copy = UncheckedModel::clone(model);
        copy.each_expr_mut(&mut |expr| match &expr.kind {
            ExprKind::At {
                template, location, ..
            } => drop(asked.at.insert((*template, *location))),
            ExprKind::LocationNumber(_) => asked.numbers = true,
            _ => {}
        });
        asked
    }

    /// Whether nobody can tell that a process is at a location.
    fn is_free(&self, id: TemplateId, template: &Template, location: LocationId) -> bool {
        let named = !template.locations[location.index()].labels.is_empty();
        location != template.entry && !named && !self.at.contains(&(id, location))
    }
}

/// Lets locations of one template become one.
struct Gatherer<'t> {
    template: &'t mut Template,
    /// For each group, its branch.
    branches: Vec<LocalId>,
    /// For each location of a group, the group, the location that stands for it, and the value of the branch.
    places: BTreeMap<LocationId, (usize, LocationId, Value)>,
    /// Which numbers of an edge are the value of the branch.
    own: BTreeMap<u32, BTreeSet<usize>>,
    /// How many edges were added.
    landings: usize,
}

impl<'t> Gatherer<'t> {
    fn new(groups: &[Group], template: &'t mut Template) -> Self {
        let mut places = BTreeMap::new();
        let mut branches = Vec::new();
        for (number, group) in groups.iter().enumerate() {
            branches.push(LocalId::from(template.locals.len()));
            template.locals.push(branch(template.span));
            for members in &group.rows {
                for (member, value) in members.iter().zip(&group.values) {
                    places.insert(*member, (number, members[0], *value));
                }
            }
        }
        Gatherer {
            template,
            branches,
            places,
            own: groups.iter().flat_map(|group| group.own.clone()).collect(),
            landings: 0,
        }
    }

    /// Rewrites the edges; gives the old numbers of those that were there, in their new order.
    fn gather(&mut self) -> Vec<usize> {
        let edges = std::mem::take(&mut self.template.edges);
        let mut edges: Vec<(usize, Edge)> = edges.into_iter().enumerate().collect();
        let mut landings = Vec::new();
        for (index, edge) in &mut edges {
            landings.extend(self.edge(*index as u32, edge));
            self.landings = landings.len();
        }
        edges.sort_by_key(|(index, edge)| (edge.source, *index));
        let order: Vec<usize> = edges.iter().map(|(index, _)| *index).collect();
        self.template.edges = edges.into_iter().map(|(_, edge)| edge).collect();
        for (mut edge, location) in landings {
            edge.source = LocationId::from(self.template.locations.len());
            self.template.edges.push(edge);
            self.template.locations.push(location);
        }
        self.number_edges();
        order
    }

    /// Says of each location which edges start there.
    fn number_edges(&mut self) {
        let mut next = 0u32;
        for (number, location) in self.template.locations.iter_mut().enumerate() {
            let source = LocationId::from(number);
            let own = self.template.edges[next as usize..].iter();
            let own = own.take_while(|edge| edge.source == source).count() as u32;
            location.edges = next..next + own;
            next += own;
        }
    }

    /// Rewrites an edge; perhaps it needs a landing.
    fn edge(&self, index: u32, edge: &mut Edge) -> Option<(Edge, Location)> {
        let from = self.places.get(&edge.source).copied();
        let to = self.places.get(&edge.target).copied();
        let effects = self.crossing(from, to, edge.span);
        if let Some((group, standing, value)) = from {
            edge.source = standing;
            self.name(index, &mut edge.step, self.branches[group]);
            let is_here = equals(self.branches[group], value, edge.span);
            ask_first(&mut edge.step, is_here, edge.span);
        }
        if let Some((_, standing, _)) = to {
            edge.target = standing;
        }
        if effects.is_empty() {
            return None;
        }
        match &mut edge.step {
            Step::Guarded { effects: own, .. } => own.extend(effects),
            Step::Routine(routine) => go_on(routine, effects, edge.span),
            _ => return Some(self.land(edge, effects)),
        }
        None
    }

    /// Puts the branch in the place of its value.
    fn name(&self, index: u32, step: &mut Step, branch: LocalId) {
        let own = self.own.get(&index);
        let mut place = 0..;
        each_number(step, &mut |expr, _| {
            let is_own = place
                .next()
                .is_some_and(|p| own.is_some_and(|own| own.contains(&p)));
            if is_own {
                *expr = read(branch, expr.span);
            }
        });
    }

    /// What becomes of the branches on the way from one place to another.
    fn crossing(
        &self,
        from: Option<(usize, LocationId, Value)>,
        to: Option<(usize, LocationId, Value)>,
        span: Span,
    ) -> Vec<Effect> {
        let (left, entered) = (from.map(|f| (f.0, f.2)), to.map(|t| (t.0, t.2)));
        let mut effects = Vec::new();
        if left == entered {
            return effects;
        }
        if let Some((group, _)) = left.filter(|l| entered.is_none_or(|e| e.0 != l.0)) {
            effects.push(assign(self.branches[group], NOWHERE, span));
        }
        if let Some((group, value)) = entered {
            effects.push(assign(self.branches[group], value, span));
        }
        effects
    }

    /// Lets an edge go to its target by way of a location of its own, where the effects happen.
    fn land(&self, edge: &mut Edge, effects: Vec<Effect>) -> (Edge, Location) {
        let landing = Edge {
            source: edge.source,
            target: edge.target,
            step: Step::Guarded {
                guard: Expr::constant(1, edge.span),
                effects,
            },
            control: edge.control,
            escape: 0,
            text: "branch".into(),
            statement: 0,
            span: edge.span,
            twin: false,
            parameters: Vec::new(),
            outcome: None,
        };
        let location = Location {
            number: self.template.locations[edge.target.index()].number,
            labels: Vec::new(),
            end: false,
            progress: false,
            accept: false,
            silent: true,
            edges: 0..0,
            span: edge.span,
        };
        edge.target = LocationId::from(self.template.locations.len() + self.landings);
        edge.control = Control::Hold;
        (landing, location)
    }
}

/// The variable that says which of several locations is meant.
fn branch(span: Span) -> Variable {
    Variable {
        name: "branch".into(),
        ty: Type::Scalar(Scalar::unsigned(8)),
        indices: Vec::new(),
        initial: Initial::Fill(Expr::constant(NOWHERE, span)),
        storage: Storage::State,
        span,
    }
}

fn read(local: LocalId, span: Span) -> Expr {
    let place = Place::variable(Root::Local(local), span);
    Expr::new(ExprKind::Read(place), span)
}

fn equals(local: LocalId, value: Value, span: Span) -> Expr {
    let value = Expr::constant(value, span);
    Expr::binary(BinaryOp::Equal, read(local, span), value)
}

fn assign(local: LocalId, value: Value, span: Span) -> Effect {
    Effect::Assign {
        place: Place::variable(Root::Local(local), span),
        value: Expr::constant(value, span),
    }
}

/// Lets a step be possible only where a condition holds.
fn ask_first(step: &mut Step, condition: Expr, span: Span) {
    if let Step::Guarded { guard, .. } = step {
        let own = std::mem::replace(guard, Expr::constant(1, span));
        *guard = match own.as_constant() {
            Some(value) if value != 0 => condition,
            _ => Expr::binary(BinaryOp::And, condition, own),
        };
        return;
    }
    let own = std::mem::replace(step, Step::Else);
    let first = Step::Guarded {
        guard: condition,
        effects: Vec::new(),
    };
    let mut nodes = vec![node(first, Some(NodeId(1)), false, span)];
    let mut loops = Vec::new();
    match own {
        Step::Routine(routine) => {
            nodes.extend(routine.nodes.into_iter().map(shifted));
            nodes[1].quiet = true;
            loops = routine.loops;
            for each in &mut loops {
                each.head = NodeId(each.head.0 + 1);
            }
        }
        step => nodes.push(node(step, None, true, span)),
    }
    *step = Step::Routine(Routine { nodes, loops });
}

fn shifted(mut node: Node) -> Node {
    for choice in &mut node.choices {
        choice.next = choice.next.map(|next| NodeId(next.0 + 1));
    }
    node
}

/// Lets a routine do something behind all else.
fn go_on(routine: &mut Routine, effects: Vec<Effect>, span: Span) {
    let last = NodeId::from(routine.nodes.len());
    for choice in routine.nodes.iter_mut().flat_map(|node| &mut node.choices) {
        choice.next = Some(choice.next.unwrap_or(last));
    }
    let step = Step::Guarded {
        guard: Expr::constant(1, span),
        effects,
    };
    routine.nodes.push(node(step, None, false, span));
}

fn node(step: Step, next: Option<NodeId>, quiet: bool, span: Span) -> Node {
    Node {
        choices: vec![Choice {
            step,
            next,
            text: "branch".into(),
            span,
        }],
        quiet,
        number: 0,
        span,
    }
}
