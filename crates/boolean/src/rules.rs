//! Threads as a system of rules: a cell of each column for each thread, and rules whose first parameter is the thread that moves.
//!
//! The threads are a scalarset, so that whoever looks for symmetry need not guess. The column that says where threads are has the value
//! [`ABSENT`] for those that have not started, and [`at`] for the places of the others.

use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, Projection, Root};
use mandala_model::ids::{BinderId, CodingId, GlobalId, LocalId, LocationId, NodeId, TemplateId};
use mandala_model::loops::Loop;
use mandala_model::model::{Arithmetic, Language, StartProcess, UncheckedModel};
use mandala_model::parameters::{Parameter, Progression, Values};
use mandala_model::quantified::{BoundVariable, Evaluation, Quantified, Quantifier};
use mandala_model::source::Span;
use mandala_model::symmetry::{Scalarset, ScalarsetUse, UseKind, VariableRef};
use mandala_model::template::{
    Choice, Control, Edge, Effect, Location, Node, Role, Routine, Step, Template,
};
use mandala_model::types::{
    ArrayIndex, Coding, CodingKind, Initial, Scalar, Storage, Type, Variable,
};

const THREADS: CodingId = CodingId(0);

/// Where a thread is that has not started.
pub(crate) const ABSENT: i64 = 1;

/// Where a thread is that is at a place with that number.
pub(crate) fn at(place: usize) -> i64 {
    place as i64 + ABSENT + 1
}

/// The thread that moves, and one that it makes: parameters of rules.
pub(crate) const MOVER: LocalId = LocalId(0);
pub(crate) const MADE: LocalId = LocalId(1);

/// The thread that a loop is at, and how many it has passed.
pub(crate) const OTHER: LocalId = LocalId(2);
const PASSED: LocalId = LocalId(3);

/// Where rules are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    Start = 0,
    Run = 1,
    /// Threads of the start come one by one.
    Joining = 2,
    /// In the middle of a step: nothing else can happen.
    Between = 3,
}

/// A rule without its place.
pub(crate) struct Rule {
    pub(crate) from: Phase,
    pub(crate) to: Phase,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) step: Step,
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// A model that is made rule by rule.
pub(crate) struct Rules {
    pub(crate) model: UncheckedModel,
    threads: u32,
    scratch: Vec<Variable>,
    rules: Vec<Rule>,
    columns: Vec<GlobalId>,
    /// The scratch variables that hold threads.
    named_threads: Vec<LocalId>,
    span: Span,
}

impl Rules {
    pub(crate) fn new(language: Language, threads: u32, span: Span) -> Self {
        let mut model = UncheckedModel::new(language, Arithmetic::Checked64);
        model.codings.push(Coding {
            name: "thread".into(),
            kind: CodingKind::Members,
        });
        let mut rules = Rules {
            model,
            threads,
            scratch: Vec::new(),
            rules: Vec::new(),
            columns: Vec::new(),
            named_threads: vec![MOVER, MADE, OTHER],
            span,
        };
        for name in ["thread", "made", "other"] {
            rules.scratch(name, rules.thread());
        }
        let max = i64::from(threads);
        rules.scratch("passed", Scalar::Range { min: 0, max });
        rules
    }

    /// What holds the number of a thread.
    fn thread(&self) -> Scalar {
        Scalar::Coded {
            coding: THREADS,
            max: i64::from(self.threads),
        }
    }

    /// The column that says where threads are. At first none has started.
    pub(crate) fn places(&mut self, name: &str, names: impl Iterator<Item = String>) -> GlobalId {
        let names: Vec<String> = std::iter::once("not started".into()).chain(names).collect();
        let max = names.len() as i64;
        self.model.codings.push(Coding {
            name: name.into(),
            kind: CodingKind::Names(names),
        });
        let scalar = Scalar::Coded {
            coding: CodingId::from(self.model.codings.len() - 1),
            max,
        };
        let column = self.column(name, scalar, self.span);
        let absent = constant(ABSENT, self.span);
        self.model.globals[column.index()].initial = Initial::Fill(absent);
        column
    }

    /// A variable that holds nothing between steps.
    pub(crate) fn scratch(&mut self, name: &str, scalar: Scalar) -> LocalId {
        self.scratch.push(scratch(name, scalar, self.span));
        LocalId::from(self.scratch.len() - 1)
    }

    /// One more parameter that is a thread.
    pub(crate) fn another_thread(&mut self) -> LocalId {
        let name = format!("thread{}", self.named_threads.len() + 1);
        let thread = self.scratch(&name, self.thread());
        self.named_threads.push(thread);
        thread
    }

    /// A global variable.
    pub(crate) fn global(&mut self, name: &str, scalar: Scalar, span: Span) -> GlobalId {
        self.variable(name, Type::Scalar(scalar), Vec::new(), span)
    }

    /// A variable of each thread.
    pub(crate) fn column(&mut self, name: &str, scalar: Scalar, span: Span) -> GlobalId {
        let ty = Type::Array {
            element: Box::new(Type::Scalar(scalar)),
            length: self.threads + 1,
        };
        let index = ArrayIndex {
            coding: THREADS,
            before: 0,
        };
        let column = self.variable(name, ty, vec![index], span);
        self.columns.push(column);
        column
    }

    fn variable(&mut self, name: &str, ty: Type, indices: Vec<ArrayIndex>, span: Span) -> GlobalId {
        self.model.globals.push(Variable {
            name: name.into(),
            ty,
            indices,
            initial: Initial::Default,
            storage: Storage::State,
            span,
        });
        GlobalId::from(self.model.globals.len() - 1)
    }

    /// The parameter that is the thread that moves, or one that it makes.
    pub(crate) fn parameter(&self, local: LocalId) -> Parameter {
        Parameter {
            name: self.scratch[local.index()].name.clone(),
            local,
            values: self.all_threads(),
            positions_of: None,
            span: self.span,
        }
    }

    fn all_threads(&self) -> Values {
        Values(vec![Progression::range(1, self.threads)])
    }

    pub(crate) fn add(&mut self, rule: Rule) {
        self.rules.push(rule);
    }

    /// Whether something holds for every thread, which is [`bound`] inside.
    pub(crate) fn quantified(&self, quantifier: Quantifier, body: Expr, span: Span) -> Expr {
        let quantified = Quantified {
            quantifier,
            evaluation: Evaluation::Strict,
            variable: BoundVariable {
                id: BinderId(0),
                name: "thread".into(),
                scalar: self.thread(),
                span,
            },
            values: self.all_threads(),
            body,
        };
        Expr::new(ExprKind::Quantified(Box::new(quantified)), span)
    }

    /// A step that does something first, and then one of the choices, if it is possible, for each thread, which is [`OTHER`] there.
    pub(crate) fn for_each(
        &self,
        guard: Expr,
        mut first: Vec<Effect>,
        each: Vec<Step>,
        text: &str,
        span: Span,
    ) -> Step {
        let head = Loop {
            head: NodeId(1),
            variable: OTHER,
            position: PASSED,
            values: self.all_threads(),
            span,
        };
        let choice = |step, next| Choice {
            step,
            next,
            text: text.into(),
            span,
        };
        let node = |choices| Node {
            choices,
            quiet: false,
            number: 0,
            span,
        };
        first.push(head.begins());
        let next = Step::Guarded {
            guard: head.goes_on(),
            effects: head.takes_next().to_vec(),
        };
        let nothing = || guarded(constant(1, span), Vec::new());
        let mut inside: Vec<Choice> = each
            .into_iter()
            .map(|step| choice(step, Some(NodeId(1))))
            .collect();
        inside.push(choice(nothing(), Some(NodeId(1))));
        Step::Routine(Routine {
            nodes: vec![
                node(vec![choice(guarded(guard, first), Some(NodeId(1)))]),
                node(vec![choice(next, Some(NodeId(2))), choice(nothing(), None)]),
                node(inside),
            ],
            loops: vec![head],
        })
    }

    /// The model.
    pub(crate) fn finish(mut self) -> UncheckedModel {
        let mut template = Template::empty("threads", Role::Process, self.span);
        template.locals = std::mem::take(&mut self.scratch);
        self.rules.sort_by_key(|rule| rule.from);
        let phases = [
            (Phase::Start, "start"),
            (Phase::Run, "run"),
            (Phase::Joining, "joining"),
            (Phase::Between, "between"),
        ];
        for (phase, name) in phases {
            let first = template.edges.len() as u32;
            let here = self.rules.iter().filter(|rule| rule.from == phase);
            template.edges.extend(here.zip(first..).map(edge));
            let edges = first..template.edges.len() as u32;
            template
                .locations
                .push(location(phase, name, edges, self.span));
        }
        self.model.templates = vec![template];
        self.model.start = vec![StartProcess {
            template: TemplateId(0),
            arguments: Vec::new(),
            priority: 1,
        }];
        self.model.start_held = true;
        self.declare_threads();
        self.model
    }

    fn declare_threads(&mut self) {
        let span = self.span;
        let columns = self.columns.iter().map(|column| UseKind::Indexes {
            variable: VariableRef::Global(*column),
            path: Vec::new(),
            dimension: 0,
        });
        let held = self.named_threads.iter().map(|local| UseKind::Holds {
            variable: VariableRef::Local(TemplateId(0), *local),
            path: Vec::new(),
        });
        let uses = columns.chain(held);
        self.model.scalarsets.push(Scalarset {
            name: "thread".into(),
            span,
            first: 1,
            size: self.threads,
            uses: uses.map(|kind| ScalarsetUse { kind, span }).collect(),
            unordered: false,
        });
    }
}

fn edge((rule, number): (&Rule, u32)) -> Edge {
    Edge {
        source: LocationId(rule.from as u32),
        target: LocationId(rule.to as u32),
        step: rule.step.clone(),
        control: match rule.to {
            Phase::Joining | Phase::Between => Control::Hold,
            Phase::Start | Phase::Run => Control::Release,
        },
        escape: 0,
        text: rule.text.clone(),
        statement: number,
        span: rule.span,
        twin: false,
        parameters: rule.parameters.clone(),
        outcome: None,
    }
}

/// Threads that wait for each other are no error.
fn location(phase: Phase, name: &str, edges: std::ops::Range<u32>, span: Span) -> Location {
    Location {
        number: phase as u32,
        labels: vec![name.into()],
        end: true,
        progress: false,
        accept: false,
        silent: true,
        edges,
        span,
    }
}

/// A variable that holds nothing between steps.
fn scratch(name: &str, scalar: Scalar, span: Span) -> Variable {
    Variable {
        name: name.into(),
        ty: Type::Scalar(scalar),
        indices: Vec::new(),
        initial: Initial::Default,
        storage: Storage::Scratch,
        span,
    }
}

pub(crate) fn constant(value: i64, span: Span) -> Expr {
    Expr::constant(value, span)
}

pub(crate) fn guarded(guard: Expr, effects: Vec<Effect>) -> Step {
    Step::Guarded { guard, effects }
}

/// The value of a scratch variable.
pub(crate) fn local(local: LocalId, span: Span) -> Expr {
    read(Place::variable(Root::Local(local), span))
}

/// The thread of a quantifier.
pub(crate) fn bound(span: Span) -> Expr {
    Expr::new(ExprKind::Bound(BinderId(0)), span)
}

/// A variable of a thread.
pub(crate) fn of_thread(column: GlobalId, thread: Expr) -> Place {
    let span = thread.span;
    let mut place = Place::variable(Root::Global(column), span);
    place.path.push(Projection::Index(thread));
    place
}

/// A global variable.
pub(crate) fn shared(variable: GlobalId, span: Span) -> Place {
    Place::variable(Root::Global(variable), span)
}

pub(crate) fn read(place: Place) -> Expr {
    let span = place.span;
    Expr::new(ExprKind::Read(place), span)
}

pub(crate) fn assign(place: Place, value: Expr) -> Effect {
    Effect::Assign { place, value }
}

/// That a place holds a value.
pub(crate) fn holds(place: Place, value: i64) -> Expr {
    let span = place.span;
    Expr::binary(BinaryOp::Equal, read(place), constant(value, span))
}

/// All conditions; true if there are none.
pub(crate) fn all(conditions: Vec<Expr>, span: Span) -> Expr {
    let joined = conditions
        .into_iter()
        .reduce(|l, r| Expr::binary(BinaryOp::And, l, r));
    joined.unwrap_or_else(|| constant(1, span))
}
