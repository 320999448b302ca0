//! From a model to a [`Program`]: lays out the states and compiles every template.

mod conditions;
mod effects;
mod expressions;
mod observer;
mod parameters;
mod places;
mod quantifiers;
mod rules;
mod steps;
mod templates;

use crate::code::{Array, Code, Entry, Op, Register, Site};
use crate::layout::{Layout, Variables};
use crate::program::{EventObserver, Program};
use crate::shape::Shapes;
use crate::twins::Roles;
use mandala_model::Model;
use mandala_model::expr::Expr;
use mandala_model::ids::TemplateId;
use mandala_model::source::Span;
use mandala_model::step::Observers;
use mandala_model::symmetry::Bag;
use mandala_resolved::Resolver;
use std::fmt;

/// A model that this encoding cannot carry, though it means something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// What is too much, as a sentence without a full stop.
    pub message: String,
    /// Where.
    pub span: Option<Span>,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Unsupported {}

/// Whose locals an expression means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// Nobody's: there are none.
    Nobody,
    /// Those of a process, which runs the code.
    Process(TemplateId),
    /// Those of the claim or of the monitors, whose frame starts at that cell.
    Observer(TemplateId, u32),
}

/// What a pass over a model has made so far.
struct Compiler<'m> {
    model: &'m Model,
    layout: &'m Layout,
    code: Code,
    scope: Scope,
    routines: Vec<crate::code::CompiledRoutine>,
    /// How many nodes the routines so far have.
    nodes: u32,
    /// The registers that hold the values of the variables of the quantifiers around, the outermost first.
    bound: Vec<Register>,
}

/// Compiles a model.
pub(crate) fn compile(model: &Model, observers: Observers) -> Result<Program, Unsupported> {
    if let Some(function) = model.functions.first() {
        return Err(Unsupported {
            message: "calls of functions are not written out".to_string(),
            span: Some(function.span),
        });
    }
    let layout = Layout::new(model, observers);
    let shapes = Shapes::new(&layout).map_err(|_| Unsupported {
        message: "the global variables and channels are too large".to_string(),
        span: None,
    })?;
    let mut compiler = Compiler {
        model,
        layout: &layout,
        code: Code::default(),
        scope: Scope::Nobody,
        routines: Vec::new(),
        nodes: 0,
        bound: Vec::new(),
    };
    let parts = compiler.parts(observers)?;
    let rules = rules::rules(model, &compiler.code)?;
    let base = |bag: &Bag| compiler.layout.globals.offsets[bag.array.index()] as usize;
    let bags = model.bags().into_iter().map(|bag| (bag, base(&bag)));
    let bags = bags.collect();
    let Compiler {
        code,
        routines,
        nodes,
        ..
    } = compiler;
    Ok(Program {
        observers,
        arithmetic: model.arithmetic,
        prioritised: model.prioritised,
        rules,
        invariants: model.invariants_of_monitors(),
        bags,
        code,
        routines,
        nodes,
        parts,
        conditions: Vec::new(),
        shapes,
        layout,
        native: Default::default(),
        independence: None,
        roles: Roles::default(),
    })
}

/// Adds code that asks conditions of states, as somebody sees them who is no process.
pub(crate) fn add_conditions(
    program: &mut Program,
    model: &Model,
    conditions: &[Expr],
) -> Result<(), Unsupported> {
    let mut compiler = Compiler {
        model,
        layout: &program.layout,
        code: std::mem::take(&mut program.code),
        scope: Scope::Nobody,
        routines: Vec::new(),
        nodes: 0,
        bound: Vec::new(),
    };
    let resolver = compiler.resolver();
    let guards = conditions.iter().map(|condition| resolver.expr(condition));
    let guards = guards.map(|condition| compiler.guard(&condition));
    let guards: Vec<Option<Entry>> = guards.collect::<Result<_, _>>()?;
    // What the conditions ask may not go together with the rules.
    rules::rules(model, &compiler.code)?;
    program.code = compiler.code;
    program.conditions.extend(guards);
    Ok(())
}

/// Adds code that asks conditions in a process of a template. Nothing for those that always hold.
pub(crate) fn compile_conditions(
    model: &Model,
    layout: &Layout,
    code: &mut Code,
    template: TemplateId,
    conditions: &[&Expr],
) -> Vec<Option<Entry>> {
    let mut compiler = Compiler {
        model,
        layout,
        code: std::mem::take(code),
        scope: Scope::Process(template),
        routines: Vec::new(),
        nodes: 0,
        bound: Vec::new(),
    };
    // They are parts of guards that have been compiled, so there is nothing that cannot be.
    let resolver = compiler.resolver();
    let guards = conditions.iter().map(|condition| resolver.expr(condition));
    let guards = guards.map(|condition| compiler.guard(&condition).ok().flatten());
    let entries = guards.collect();
    *code = compiler.code;
    entries
}

/// What a program has for each part of the model.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub templates: Vec<crate::code::CompiledTemplate>,
    pub kinds: Vec<crate::code::CompiledKind>,
    /// Gives the globals their first values.
    pub globals: Entry,
    /// Gives the claim's locals their first values.
    pub claim: Option<Entry>,
    /// Each process of the start: code that leaves the arguments in the registers, and what it makes.
    pub start: Vec<(Entry, u32)>,
    /// Behind the code that makes the first state.
    pub after_start: Entry,
    /// The observer of messages.
    pub events: Option<EventObserver>,
}

impl<'m> Compiler<'m> {
    /// Resolves what stands where the code is made for.
    fn resolver(&self) -> Resolver<'m> {
        match self.scope {
            Scope::Nobody => Resolver::outside(self.model),
            Scope::Process(template) | Scope::Observer(template, _) => {
                Resolver::in_template(self.model, template)
            }
        }
    }

    fn emit(&mut self, op: Op) -> usize {
        self.code.ops.push(op);
        self.code.ops.len() - 1
    }

    /// Where the next operation will be.
    fn here(&self) -> Entry {
        self.code.ops.len() as Entry
    }

    /// Makes each of the jumps at these places go to the next operation.
    fn land(&mut self, jumps: Vec<usize>) {
        let here = self.here();
        for at in jumps {
            match &mut self.code.ops[at] {
                Op::Jump { target }
                | Op::JumpIf { target, .. }
                | Op::JumpCompare { target, .. }
                | Op::JumpCompareConst { target, .. }
                | Op::JumpGlobalConst { target, .. }
                | Op::JumpLocalConst { target, .. } => *target = here,
                other => unreachable!("{other:?} is no jump"),
            }
        }
    }

    fn site(&mut self, span: Span) -> Site {
        if self.code.spans.last() != Some(&span) {
            self.code.spans.push(span);
        }
        self.code.spans.len() as Site - 1
    }

    fn array(&mut self, base: u32, length: u32) -> u32 {
        self.code.arrays.push(Array { base, length });
        self.code.arrays.len() as u32 - 1
    }

    /// The layout of the locals in scope, and where their frame starts if that is fixed.
    fn locals(&self) -> Option<(&Variables, TemplateId, Option<u32>)> {
        let (template, base) = match self.scope {
            Scope::Nobody => return None,
            Scope::Process(template) => (template, None),
            Scope::Observer(template, base) => (template, Some(base)),
        };
        let variables = &self.layout.templates[template.index()].variables;
        Some((variables, template, base))
    }
}

/// The register after `register`.
fn after(register: Register, span: Span) -> Result<Register, Unsupported> {
    // The last register is never handed out, so that an operation may name it as its second.
    match register.checked_add(1) {
        Some(next) if next < Register::MAX => Ok(next),
        _ => Err(Unsupported {
            message: "the expression nests too deeply".to_string(),
            span: Some(span),
        }),
    }
}
