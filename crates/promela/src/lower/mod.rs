//! Lowering: from the syntax tree to the intermediate representation.
//!
//! Units are taken in two passes. The first makes types, constants, global variables and the
//! parameters of the proctypes; the second makes the bodies, in source order, because statements are
//! numbered through the model. Formulas and references to labels come last, when all automata are
//! there.

mod actions;
mod automaton;
mod body;
mod claims;
mod compound;
mod decls;
mod exprs;
mod graph;
mod loops;
mod names;
mod places;
mod routine;
mod spelling;
mod stmts;
mod usage;

use crate::ast::{Program, Unit};
use mandala_model::Diagnostic;
use mandala_model::diagnostic::has_errors;
use mandala_model::expr::{Expr, ExprKind};
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::model::{Arithmetic, Language, UncheckedModel};
use mandala_model::source::Span;
use names::{Globals, Scopes};
use std::collections::BTreeMap;

/// Lowers a syntax tree. There is a model unless one of the diagnostics is an error.
pub fn lower(program: &Program) -> (Option<UncheckedModel>, Vec<Diagnostic>) {
    let mut lowering = Lowering::new();
    lowering.declare_units(program);
    lowering.lower_bodies(program);
    lowering.lower_formulas(program);
    lowering.build_automata();
    lowering.resolve_labels();
    lowering.require_processes(program);
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

/// What the body that is being lowered is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FrameKind {
    Process,
    Claim,
    Events,
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
    bodies: Vec<body::Finished>,
    /// For each template: the locations that its labels name.
    locations: BTreeMap<TemplateId, BTreeMap<String, LocationId>>,
    hidden: Vec<mandala_model::ids::GlobalId>,
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

    /// Replaces the placeholders in references to labels by locations.
    fn resolve_labels(&mut self) {
        let mut found = Vec::new();
        for reference in std::mem::take(&mut self.references) {
            let labels = &self.locations.get(&reference.template);
            let location = labels.and_then(|l| l.get(&reference.label)).copied();
            if location.is_none() {
                let process = &self.model.template(reference.template).name;
                let message = format!("`{process}` has no label `{}`", reference.label);
                self.diagnostics
                    .push(Diagnostic::error(reference.span, message));
            }
            found.push(location.unwrap_or(LocationId(0)));
        }
        self.model.each_expr_mut(&mut |expr: &mut Expr| {
            if let ExprKind::At { location, .. } = &mut expr.kind {
                *location = found[location.index()];
            }
        });
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
