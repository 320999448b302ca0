//! Lowering: from the syntax tree to the intermediate representation.
//!
//! Units are taken in two passes. The first makes types, constants, global variables and the
//! parameters of the proctypes; the second makes the bodies, in source order, because statements are
//! numbered through the model. Formulas and references to labels come last, when all automata are
//! there.

mod actions;
mod automaton;
mod body;
mod branching;
mod claims;
mod compound;
mod decls;
mod exprs;
mod finished;
mod graph;
mod indexed;
mod loops;
mod names;
mod places;
mod routine;
mod sizes;
mod spelling;
mod starts;
mod stated;
mod stmts;
mod symmetry;
mod usage;
mod written;

use crate::ast::{Program, Unit};
use finished::{Finished, FrameKind};
use mandala_model::Diagnostic;
use mandala_model::diagnostic::has_errors;
use mandala_model::expr::{Expr, ExprKind};
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::model::{Arithmetic, Language, UncheckedModel};
use mandala_model::source::Span;
use mandala_model::template::Effect;
use mandala_model::types::Type;
use mandala_model::verify::MAX_START;
use names::{Globals, Scopes};
use std::collections::BTreeMap;

/// Lowers a syntax tree. There is a model unless one of the diagnostics is an error.
pub fn lower(program: &Program) -> (Option<UncheckedModel>, Vec<Diagnostic>) {
    let mut lowering = Lowering::new();
    lowering.declare_units(program);
    lowering.lower_bodies(program);
    lowering.lower_formulas(program);
    lowering.lower_stated(program);
    lowering.build_automata();
    lowering.resolve_labels();
    lowering.require_processes(program);
    lowering.check_start_count();
    lowering.check_totals();
    symmetry::declare(&mut lowering, program);
    usage::finish(&mut lowering);
    let model = (!has_errors(&lowering.diagnostics)).then_some(lowering.model);
    (model, lowering.diagnostics)
}

/// A result whose error is boxed, because a diagnostic is large and rare.
type Lowered<T> = Result<T, Box<Diagnostic>>;

/// A reference to a label of a template, to be resolved when all automata are there.
#[derive(Debug)]
struct LabelReference {
    template: TemplateId,
    label: String,
    span: Span,
}

/// The body that is being lowered.
#[derive(Debug)]
struct Frame {
    template: TemplateId,
    scopes: Scopes,
    kind: FrameKind,
}

struct Lowering {
    model: UncheckedModel,
    diagnostics: Vec<Diagnostic>,
    globals: Globals,
    /// The unit that is being lowered, to tell what is declared before it.
    unit: usize,
    frame: Option<Frame>,
    next_statement: u32,
    references: Vec<LabelReference>,
    /// Bodies that wait to become automata.
    bodies: Vec<Finished>,
    /// For each template: the locations that its labels name. Some name none: see [`Lowering::resolve`].
    locations: BTreeMap<TemplateId, BTreeMap<String, Option<LocationId>>>,
    hidden: Vec<mandala_model::ids::GlobalId>,
    /// For each kind of channel the types of its fields as declared.
    messages: Vec<Vec<Type>>,
    /// The type of the elements of arrays of truth values, if there are such arrays.
    truth: Option<mandala_model::ids::EnumId>,
    /// The processes that the value of the assignment being lowered makes; nothing elsewhere.
    spawns: Option<Vec<Effect>>,
}

impl Lowering {
    fn new() -> Self {
        Lowering {
            model: UncheckedModel::new(Language::Promela, Arithmetic::Wrapping32),
            diagnostics: Vec::new(),
            globals: Globals::default(),
            unit: 0,
            frame: None,
            next_statement: 0,
            references: Vec::new(),
            bodies: Vec::new(),
            locations: BTreeMap::new(),
            hidden: Vec::new(),
            messages: Vec::new(),
            truth: None,
            spawns: None,
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports an error and goes on with a substitute.
    fn recover<T>(&mut self, result: Lowered<T>, substitute: impl FnOnce() -> T) -> T {
        result.unwrap_or_else(|diagnostic| {
            self.report(*diagnostic);
            substitute()
        })
    }

    fn lower_bodies(&mut self, program: &Program) {
        for (index, unit) in program.units.iter().enumerate() {
            self.unit = index;
            match unit {
                Unit::Proctype(p) => self.lower_proctype(p),
                Unit::Init(i) => self.lower_init(i),
                Unit::Never(n) => self.lower_never(n),
                Unit::Trace(t) => self.lower_trace(t),
                _ => {}
            }
        }
    }

    fn require_processes(&mut self, program: &Program) {
        if self.model.start.is_empty() && !has_errors(&self.diagnostics) {
            let span = program.units.first().map_or(no_span(), Unit::span);
            let error = Diagnostic::error(span, "this model has no process to start with");
            self.report(
                error.with_help("add an `init { .. }`, or write `active` before a `proctype`"),
            );
        }
    }

    /// More processes than there can be would fail before the first step.
    fn check_start_count(&mut self) {
        let count = self.model.start.len();
        if count > MAX_START {
            let template = self.model.start[MAX_START].template;
            let span = self.model.template(template).span;
            let message =
                format!("{count} processes at the start; there can be {MAX_START} at a time");
            self.report(Diagnostic::error(span, message));
        }
    }

    /// Replaces the placeholders in references to labels by locations.
    fn resolve_labels(&mut self) {
        let references = std::mem::take(&mut self.references);
        let found: Vec<Option<LocationId>> = references.iter().map(|r| self.resolve(r)).collect();
        self.model.each_expr_mut(&mut |expr: &mut Expr| {
            let ExprKind::At { location, .. } = &mut expr.kind else {
                return;
            };
            match found[location.index()] {
                Some(there) => *location = there,
                None => *expr = Expr::constant(0, expr.span),
            }
        });
    }

    /// The location that a label names; `None` if no process can be there.
    fn resolve(&mut self, reference: &LabelReference) -> Option<LocationId> {
        let labels = self.locations.get(&reference.template);
        let known = labels.and_then(|l| l.get(&reference.label)).copied();
        let (process, label) = (
            &self.model.template(reference.template).name,
            &reference.label,
        );
        let diagnostic = match known {
            Some(Some(location)) => return Some(location),
            Some(None) => {
                let message = format!("`{process}` is never at `{label}`: this is always false");
                Diagnostic::warning(reference.span, message).with_help(
                    "nobody sees a process inside `d_step`, or at the guard of an option",
                )
            }
            None => {
                let message = format!("`{process}` has no label `{label}`");
                Diagnostic::error(reference.span, message)
            }
        };
        self.report(diagnostic);
        None
    }
}

/// A place to point at when a model is empty.
fn no_span() -> Span {
    Span::new(mandala_model::FileId(0), 0, 0)
}

/// An error as a result.
fn fail<T>(span: Span, message: impl Into<String>) -> Lowered<T> {
    Err(Box::new(Diagnostic::error(span, message)))
}

/// An error with advice as a result.
fn fail_with<T>(span: Span, message: impl Into<String>, help: impl Into<String>) -> Lowered<T> {
    Err(Box::new(Diagnostic::error(span, message).with_help(help)))
}
