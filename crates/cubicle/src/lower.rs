//! A system with a number of processes as a model: a rule for each transition, whose parameters are processes.
//!
//! Processes are the members 1, 2, .. of a scalarset, and the values of other types are numbered from 1 on, too: 0 is what a variable holds that
//! has no value yet. Variables without an initial value get one after the other at the start, each any value of its type, before what runs start in is a state.
//! The updates of a transition are simultaneous: what reads something that changes is calculated before anything does.

mod start;
mod update;

use crate::check::PROCESS;
use crate::typed::{Bad, Formula, FormulaKind, Kind, Process, System, Term, TermKind, Transition};
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, Projection, Root};
use mandala_model::ids::{BinderId, CodingId, GlobalId, LocalId, LocationId, TemplateId};
use mandala_model::model::{Arithmetic, Language, StartProcess, UncheckedModel};
use mandala_model::monitor::Monitor;
use mandala_model::parameters::{Parameter, Progression, Values};
use mandala_model::property::{Property, PropertyKind};
use mandala_model::quantified::{BoundVariable, Evaluation, Quantified, Quantifier};
use mandala_model::source::Span;
use mandala_model::symmetry::{Scalarset, ScalarsetUse, UseKind, VariableRef};
use mandala_model::template::{Control, Edge, Effect, Location, Role, Step, Template};
use mandala_model::types::{
    ArrayIndex, Coding, CodingKind, Initial, Scalar, Storage, Type, Variable,
};

const PROCESSES: CodingId = CodingId(0);

/// The model with that many processes. The text is that of the system.
pub(crate) fn lower(system: &System, processes: u32) -> UncheckedModel {
    let mut lowering = Lowering::new(system, processes);
    lowering.starts();
    for transition in &system.transitions {
        lowering.transition(transition);
    }
    for bad in &system.bad {
        lowering.bad(bad);
    }
    lowering.finish()
}

struct Lowering<'s> {
    system: &'s System,
    processes: u32,
    model: UncheckedModel,
    template: Template,
    /// The edges of each location.
    edges: Vec<Vec<Edge>>,
}

/// What the names of processes stand for at a place.
struct Scope {
    /// The scratch variables of the parameters.
    parameters: Vec<LocalId>,
    /// The process that something is said of each of.
    each: Each,
    /// Scratch variables that hold what terms were before something changed.
    noted: Vec<(TermKind, LocalId)>,
}

impl Scope {
    /// The names of parameters, outside of loops.
    fn of(parameters: Vec<LocalId>) -> Self {
        Scope {
            parameters,
            each: Each::Bound,
            noted: Vec::new(),
        }
    }

    fn noted(&self, term: TermKind) -> Option<LocalId> {
        let mut noted = self.noted.iter();
        noted.find(|(known, _)| *known == term).map(|(_, old)| *old)
    }
}

#[derive(Clone, Copy)]
enum Each {
    /// The variable of a quantifier.
    Bound,
    /// The variable of a loop.
    Local(LocalId),
}

impl<'s> Lowering<'s> {
    fn new(system: &'s System, processes: u32) -> Self {
        let mut model = UncheckedModel::new(Language::Cubicle, Arithmetic::Checked64);
        model.codings.push(Coding {
            name: PROCESS.into(),
            kind: CodingKind::Members,
        });
        model
            .codings
            .extend(system.types.iter().map(|named| Coding {
                name: named.name.to_string(),
                kind: CodingKind::Names(named.values.iter().map(ToString::to_string).collect()),
            }));
        let template = Template::empty("system", Role::Process, system.init_span);
        let mut lowering = Lowering {
            system,
            processes,
            model,
            template,
            edges: Vec::new(),
        };
        let globals = system
            .variables
            .iter()
            .map(|v| lowering.global(v))
            .collect();
        lowering.model.globals = globals;
        lowering
    }

    fn global(&self, variable: &crate::typed::Variable) -> Variable {
        let scalar = Type::Scalar(self.scalar(variable.kind));
        let (ty, indices) = match variable.is_array {
            false => (scalar, Vec::new()),
            true => {
                let index = ArrayIndex {
                    coding: PROCESSES,
                    before: 0,
                };
                let ty = Type::Array {
                    element: Box::new(scalar),
                    length: self.processes + 1,
                };
                (ty, vec![index])
            }
        };
        Variable {
            name: variable.name.to_string(),
            ty,
            indices,
            initial: Initial::Default,
            storage: Storage::State,
            span: variable.span,
        }
    }

    /// What holds a value of a type.
    fn scalar(&self, kind: Kind) -> Scalar {
        let (coding, count) = match kind {
            Kind::Process => (PROCESSES, self.processes as usize),
            Kind::Named(number) => {
                let named = &self.system.types[number];
                (CodingId::from(number + 1), named.values.len())
            }
        };
        Scalar::Coded {
            coding,
            max: count as i64,
        }
    }

    /// All values of a type.
    fn values(&self, kind: Kind) -> Values {
        let count = match kind {
            Kind::Process => self.processes,
            Kind::Named(number) => self.system.types[number].values.len() as u32,
        };
        Values(vec![Progression::range(1, count)])
    }

    /// A variable that holds nothing between steps.
    fn scratch(&mut self, name: &str, kind: Kind, span: Span) -> LocalId {
        let variable = self.scratch_variable(name, self.scalar(kind), span);
        self.template.locals.push(variable);
        LocalId::from(self.template.locals.len() - 1)
    }

    fn scratch_variable(&self, name: &str, scalar: Scalar, span: Span) -> Variable {
        Variable {
            name: name.into(),
            ty: Type::Scalar(scalar),
            indices: Vec::new(),
            initial: Initial::Default,
            storage: Storage::Scratch,
            span,
        }
    }

    fn parameter(&self, name: &str, local: LocalId, kind: Kind, span: Span) -> Parameter {
        Parameter {
            name: name.into(),
            local,
            values: self.values(kind),
            positions_of: None,
            span,
        }
    }

    fn location(&mut self, name: &str, span: Span) -> LocationId {
        self.template.locations.push(Location {
            number: self.edges.len() as u32,
            labels: vec![name.into()],
            // Processes that wait for each other are no error.
            end: true,
            progress: false,
            accept: false,
            silent: true,
            edges: 0..0,
            span,
        });
        self.edges.push(Vec::new());
        LocationId::from(self.edges.len() - 1)
    }

    fn add(&mut self, edge: Edge) {
        self.edges[edge.source.index()].push(edge);
    }

    fn transition(&mut self, transition: &Transition) {
        let run = LocationId::from(self.edges.len() - 1);
        let mut parameters = Vec::new();
        for (name, span) in &transition.parameters {
            let local = self.scratch(name, Kind::Process, *span);
            parameters.push(self.parameter(name, local, Kind::Process, *span));
        }
        let scope = Scope::of(parameters.iter().map(|p| p.local).collect());
        let mut conditions = different(&scope.parameters, transition.span);
        let guard = transition.guard.as_ref();
        conditions.extend(guard.map(|guard| self.formula(guard, &scope)));
        let guard = all(conditions, transition.span);
        let step = self.updates(transition, guard, scope, &mut parameters);
        self.add(Edge {
            source: run,
            target: run,
            step,
            control: Control::Release,
            escape: 0,
            text: transition.name.to_string(),
            statement: 0,
            span: transition.span,
            twin: false,
            parameters,
            outcome: None,
        });
    }

    /// An invariant: what must not be reached never is.
    fn bad(&mut self, bad: &Bad) {
        let mut parameters = Vec::new();
        for (name, span) in &bad.parameters {
            let variable = self.scratch_variable(name, self.scalar(Kind::Process), *span);
            self.model.monitor_scratch.push(variable);
            let local = LocalId::from(self.model.monitor_scratch.len() - 1);
            parameters.push(self.parameter(name, local, Kind::Process, *span));
        }
        let scope = Scope::of(parameters.iter().map(|p| p.local).collect());
        let mut conditions = different(&scope.parameters, bad.span);
        conditions.push(self.formula(&bad.formula, &scope));
        let message = format!("`{}` is reached", bad.name);
        let monitor = self.model.add_monitor(Monitor {
            parameters,
            step: guarded(all(conditions, bad.span), vec![Effect::Fail { message }]),
            text: bad.name.clone(),
            statement: 0,
            span: bad.span,
            twin: false,
        });
        self.model.properties.push(Property {
            name: bad.name.clone(),
            kind: PropertyKind::Invariant {
                monitors: vec![monitor],
            },
            span: bad.span,
        });
    }

    fn formula(&self, formula: &Formula, scope: &Scope) -> Expr {
        let span = formula.span;
        let joined = |op, parts: &[Formula]| {
            let parts = parts.iter().map(|part| self.formula(part, scope));
            parts.reduce(|left, right| Expr::binary(op, left, right))
        };
        match &formula.kind {
            FormulaKind::Compare(equal, left, right) => {
                let op = match equal {
                    true => BinaryOp::Equal,
                    false => BinaryOp::NotEqual,
                };
                Expr::binary(op, self.term(*left, scope), self.term(*right, scope))
            }
            FormulaKind::And(parts) => {
                joined(BinaryOp::And, parts).unwrap_or_else(|| Expr::constant(1, span))
            }
            FormulaKind::Or(parts) => {
                joined(BinaryOp::Or, parts).unwrap_or_else(|| Expr::constant(0, span))
            }
            FormulaKind::Not(part) => self.formula(part, scope).negated(),
            FormulaKind::ForallOther(body) => {
                let inside = Scope::of(scope.parameters.clone());
                let is_parameter = scope.parameters.iter().map(|parameter| {
                    Expr::binary(BinaryOp::Equal, bound(span), local(*parameter, span))
                });
                let body = is_parameter
                    .chain([self.formula(body, &inside)])
                    .reduce(|left, right| Expr::binary(BinaryOp::Or, left, right));
                let body = body.unwrap_or_else(|| Expr::constant(1, span));
                self.for_all(body, span)
            }
        }
    }

    /// Whether something holds for every process, which is [`bound`] inside.
    fn for_all(&self, body: Expr, span: Span) -> Expr {
        let quantified = Quantified {
            quantifier: Quantifier::ForAll,
            evaluation: Evaluation::Strict,
            variable: BoundVariable {
                id: BinderId(0),
                name: PROCESS.into(),
                scalar: self.scalar(Kind::Process),
                span,
            },
            values: self.values(Kind::Process),
            body,
        };
        Expr::new(ExprKind::Quantified(Box::new(quantified)), span)
    }

    fn term(&self, term: Term, scope: &Scope) -> Expr {
        let span = term.span;
        if let Some(old) = scope.noted(term.kind) {
            return local(old, span);
        }
        match term.kind {
            TermKind::Value(_, value) => constant(value, span),
            TermKind::Shared(variable) => read(shared(variable, span)),
            TermKind::Element(array, process) => {
                read(element(array, self.process(process, scope, span)))
            }
            TermKind::Process(process) => self.process(process, scope, span),
        }
    }

    fn process(&self, process: Process, scope: &Scope, span: Span) -> Expr {
        match (process, scope.each) {
            (Process::Parameter(number), _) => local(scope.parameters[number], span),
            (Process::Each, Each::Bound) => bound(span),
            (Process::Each, Each::Local(variable)) => local(variable, span),
        }
    }

    fn finish(mut self) -> UncheckedModel {
        for (number, edges) in self.edges.into_iter().enumerate() {
            let first = self.template.edges.len() as u32;
            self.template.edges.extend(edges);
            let end = self.template.edges.len() as u32;
            self.template.locations[number].edges = first..end;
        }
        for (edge, number) in self.template.edges.iter_mut().zip(0..) {
            edge.statement = number;
        }
        self.model.start = vec![StartProcess {
            template: TemplateId(0),
            arguments: Vec::new(),
            priority: 1,
        }];
        self.model
            .scalarsets
            .push(self.system.set(&self.template, self.processes));
        self.model.templates = vec![self.template];
        self.model
    }
}

impl System {
    /// The declaration that processes are interchangeable.
    fn set(&self, template: &Template, processes: u32) -> Scalarset {
        let span = self.init_span;
        let global = |number: usize| VariableRef::Global(GlobalId::from(number));
        let variables = self.variables.iter().enumerate();
        let uses = variables.flat_map(|(number, variable)| {
            let variable_ref = global(number);
            let holds = (variable.kind == Kind::Process).then_some(UseKind::Holds {
                variable: variable_ref,
                path: Vec::new(),
            });
            let indexes = variable.is_array.then_some(UseKind::Indexes {
                variable: variable_ref,
                path: Vec::new(),
                dimension: 0,
            });
            holds.into_iter().chain(indexes)
        });
        let is_process = |variable: &Variable| match variable.ty {
            Type::Scalar(Scalar::Coded { coding, .. }) => coding == PROCESSES,
            _ => false,
        };
        let locals = template.locals.iter().enumerate();
        let locals = locals.filter(|(_, local)| is_process(local));
        let held = locals.map(|(number, _)| UseKind::Holds {
            variable: VariableRef::Local(TemplateId(0), LocalId::from(number)),
            path: Vec::new(),
        });
        Scalarset {
            name: PROCESS.into(),
            span,
            first: 1,
            size: processes,
            uses: uses
                .chain(held)
                .map(|kind| ScalarsetUse { kind, span })
                .collect(),
            unordered: false,
        }
    }
}

/// That parameters are different processes.
fn different(parameters: &[LocalId], span: Span) -> Vec<Expr> {
    let mut conditions = Vec::new();
    for (number, second) in parameters.iter().enumerate() {
        conditions.extend(parameters[..number].iter().map(|first| {
            Expr::binary(
                BinaryOp::NotEqual,
                local(*first, span),
                local(*second, span),
            )
        }));
    }
    conditions
}

/// The value of that number.
fn constant(value: usize, span: Span) -> Expr {
    Expr::constant(value as i64 + 1, span)
}

fn guarded(guard: Expr, effects: Vec<Effect>) -> Step {
    Step::Guarded { guard, effects }
}

/// The process of a quantifier.
fn bound(span: Span) -> Expr {
    Expr::new(ExprKind::Bound(BinderId(0)), span)
}

/// The value of a scratch variable.
fn local(local: LocalId, span: Span) -> Expr {
    read(Place::variable(Root::Local(local), span))
}

fn shared(variable: usize, span: Span) -> Place {
    Place::variable(Root::Global(GlobalId::from(variable)), span)
}

/// The element of an array that belongs to a process.
fn element(array: usize, process: Expr) -> Place {
    let mut place = shared(array, process.span);
    place.path.push(Projection::Index(process));
    place
}

fn read(place: Place) -> Expr {
    let span = place.span;
    Expr::new(ExprKind::Read(place), span)
}

fn assign(place: Place, value: Expr) -> Effect {
    Effect::Assign { place, value }
}

/// All conditions; true if there are none.
fn all(conditions: Vec<Expr>, span: Span) -> Expr {
    let joined = conditions
        .into_iter()
        .reduce(|left, right| Expr::binary(BinaryOp::And, left, right));
    joined.unwrap_or_else(|| Expr::constant(1, span))
}
