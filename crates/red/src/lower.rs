//! A program as a model.
//!
//! Every process of the program is a process of the model, and its address is its number. Number 0, which as an address is NULL, is a
//! process of our own, `system`: it makes the states that runs start in, if there are several, and looks for the risk.
//!
//! A local variable is a *column*: a global array with an element for each process, at its address. (Others write to it
//! through pointers. The element 0 is never used.) So `prev->next` is `next[prev[self()]]`, and a pointer is an index as it is.
//! What follows NULL has no value: conditions ask for that before anything else, and are not true then; in an action it is a
//! run-time error.
//!
//! The condition of a mode is asked for at the end of each rule that may break it, for the mode that the process goes to and for
//! the modes that the others are in: where it does not hold, the rule cannot be taken.

mod claims;
mod expr;
mod system;

pub(crate) use claims::add as add_claim;

use crate::ast::{Ident, Quantifier, Scope};
use crate::initial::Cells;
use crate::typed::{Condition, Kind, ModeId, Process, Program, Rule, Value, Variable, VariableId};
use expr::{Binders, Trust, constant, join};
use mandala_model::expr::{BinaryOp, Expr};
use mandala_model::ids::{CodingId, LocationId, NodeId, TemplateId};
use mandala_model::model::{Arithmetic, Language, StartProcess, UncheckedModel};
use mandala_model::source::Span;
use mandala_model::template::{
    Choice, Control, Edge, Effect, Location, Node, Role, Routine, Step, Template,
};
use mandala_model::types::{self, ArrayIndex, Coding, CodingKind, Initial, Scalar, Storage, Type};
use std::collections::BTreeSet;

const SYSTEM: TemplateId = TemplateId(0);
const PROCESS: TemplateId = TemplateId(1);
const POINTERS: CodingId = CodingId(0);

/// The model of a program that starts in these states. The text is that of the program.
pub(crate) fn lower(program: &Program, states: &[Cells], text: &str) -> UncheckedModel {
    let lowering = Lowering { program, text };
    let mut model = UncheckedModel::new(Language::Red, Arithmetic::Checked64);
    model.codings.push(Coding {
        name: "pointer".into(),
        kind: CodingKind::Pointers,
    });
    let variables = (0..).map(VariableId).zip(&program.variables);
    model.globals = variables
        .map(|(id, variable)| lowering.variable(id, variable, states))
        .collect();
    model.templates = vec![lowering.system(states), lowering.process()];
    lowering.goals(&mut model);
    model.start_held = states.len() > 1;
    let all = std::iter::once(SYSTEM).chain((0..program.processes).map(|_| PROCESS));
    model.start = all.map(started).collect();
    model
}

fn started(template: TemplateId) -> StartProcess {
    StartProcess {
        template,
        arguments: Vec::new(),
        priority: 1,
    }
}

struct Lowering<'p> {
    program: &'p Program,
    text: &'p str,
}

impl Lowering<'_> {
    /// A variable, with what it holds at first if there is one state to start in.
    fn variable(&self, id: VariableId, variable: &Variable, states: &[Cells]) -> types::Variable {
        let scalar = match variable.kind {
            Kind::Pointer => pointer(self.program),
            Kind::Discrete { min, max } => Scalar::Range { min, max },
        };
        let scalar = Type::Scalar(scalar);
        let (ty, indices) = match variable.scope {
            Scope::Global => (scalar, Vec::new()),
            Scope::Local => (self.column(scalar), vec![addresses()]),
        };
        let initial = match states {
            [state] => initially(variable, state.of(id)),
            _ => initially(variable, &[variable.rest()]),
        };
        types::Variable {
            name: variable.name.to_string(),
            ty,
            indices,
            initial,
            storage: Storage::State,
            span: variable.span,
        }
    }

    fn column(&self, element: Type) -> Type {
        Type::Array {
            element: Box::new(element),
            length: self.program.processes + 1,
        }
    }

    fn process(&self) -> Template {
        let span = self.program.span;
        let mut template = Template::empty("process", Role::Process, span);
        let mut statement = 0;
        for (id, mode) in self.program.modes.iter().enumerate() {
            let first = template.edges.len() as u32;
            for rule in mode.rules.iter().filter(|rule| !rule.guard.is_never()) {
                statement += 1;
                let edge = self.edge(ModeId(id), rule, statement);
                template.edges.push(edge);
            }
            let edges = first..template.edges.len() as u32;
            template
                .locations
                .push(location(id as u32, &mode.name, edges, mode.span));
        }
        template
    }

    fn edge(&self, source: ModeId, rule: &Rule, statement: u32) -> Edge {
        let none = Binders::none(self.program);
        let effects = rule.assignments.iter().map(|a| none.assign(a)).collect();
        let step = guarded(none.truth(&rule.guard, rule.span), effects);
        Edge {
            source: LocationId::from(source.0),
            target: LocationId::from(rule.target.0),
            step: self.kept(source, rule, step),
            control: Control::Release,
            escape: 0,
            text: self.quoted(rule.span),
            statement,
            span: rule.span,
            twin: false,
            parameters: Vec::new(),
            outcome: None,
        }
    }

    /// The text at a place, in one line.
    fn quoted(&self, span: Span) -> String {
        let text = self.text.get(span.start as usize..span.end as usize);
        let words = text.unwrap_or_default().split_whitespace();
        words.collect::<Vec<_>>().join(" ")
    }

    /// The step, with a look at the conditions of modes behind it if it may break one.
    fn kept(&self, source: ModeId, rule: &Rule, step: Step) -> Step {
        let conditions = self.conditions_after(source, rule);
        if conditions.is_empty() {
            return step;
        }
        let kept = guarded(join(BinaryOp::And, conditions, rule.span), Vec::new());
        let node = |step, next, quiet| Node {
            choices: vec![Choice {
                step,
                next,
                text: self.quoted(rule.span),
                span: rule.span,
            }],
            quiet,
            number: source.0 as u32,
            span: rule.span,
        };
        Step::Routine(Routine::new(vec![
            node(step, Some(NodeId(1)), false),
            node(kept, None, true),
        ]))
    }

    /// What has to hold behind a rule because of modes, as the process says it that takes the rule.
    fn conditions_after(&self, source: ModeId, rule: &Rule) -> Vec<Expr> {
        let places = rule.assignments.iter().map(|a| a.place.variable);
        let written: BTreeSet<VariableId> = places.collect();
        let always = Condition::Constant(true);
        let mut conditions = Vec::new();
        let entered = &self.program.modes[rule.target.0].invariant;
        if *entered != always && (source != rule.target || reads(entered, &written)) {
            conditions.push(Binders::none(self.program).truth(entered, rule.span));
        }
        for (mode, invariant) in self.program.modes.iter().map(|m| &m.invariant).enumerate() {
            if *invariant != always && reads(invariant, &written) {
                conditions.push(self.spared(ModeId(mode), invariant, rule.span));
            }
        }
        conditions
    }

    /// That the mode's condition holds for every process that is another one and in that mode.
    fn spared(&self, mode: ModeId, invariant: &Condition, span: Span) -> Expr {
        let binders = Binders::none(self.program);
        let inside = binders.inside();
        let [me, other] =
            [Value::Me, Value::Bound(0)].map(|v| inside.value(&v, span, Trust::Checked));
        let itself = Expr::binary(BinaryOp::Equal, me, other);
        let elsewhere = Condition::In(Process::of(Value::Bound(0)), mode).negated();
        let elsewhere = inside.truth(&elsewhere, span);
        let holds = inside.truth(&invariant.said_by_each(), span);
        let body = join(BinaryOp::Or, vec![itself, elsewhere, holds], span);
        let name = Ident {
            name: "other".into(),
            span,
        };
        binders.quantified(Quantifier::All, &name, body, span)
    }
}

/// What holds the address of a process.
fn pointer(program: &Program) -> Scalar {
    Scalar::Coded {
        coding: POINTERS,
        max: i64::from(program.processes),
    }
}

fn reads(condition: &Condition, variables: &BTreeSet<VariableId>) -> bool {
    let mut found = false;
    condition.operands(&mut |operand| found |= variables.contains(&operand.variable));
    found
}

/// Elements of columns are shown by the addresses of processes.
fn addresses() -> ArrayIndex {
    ArrayIndex {
        coding: POINTERS,
        before: 0,
    }
}

/// What the cells of a variable hold at first.
fn initially(variable: &Variable, cells: &[i64]) -> Initial {
    let same = cells.windows(2).all(|pair| pair[0] == pair[1]);
    match cells {
        [0, ..] if same => Initial::Default,
        [value, ..] if same => Initial::Fill(constant(*value, variable.span)),
        cells => {
            let all = std::iter::once(variable.rest()).chain(cells.iter().copied());
            Initial::List(all.map(|value| constant(value, variable.span)).collect())
        }
    }
}

/// A place where a process may stay for ever: there is no deadlock.
fn location(number: u32, label: &str, edges: std::ops::Range<u32>, span: Span) -> Location {
    Location {
        number,
        labels: vec![label.to_string()],
        end: true,
        progress: false,
        accept: false,
        silent: false,
        edges,
        span,
    }
}

/// A step that is possible where the guard is true.
fn guarded(guard: Expr, effects: Vec<Effect>) -> Step {
    Step::Guarded { guard, effects }
}
