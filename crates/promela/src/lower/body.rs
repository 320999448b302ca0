//! Bodies: proctypes, `init`, `never`, `trace`.

use super::automaton::{self, Automaton, EndOfBody};
use super::finished::{Finished, FrameKind};
use super::graph::{Graph, Kind, LoopId, Pending};
use super::{Lowered, Lowering, fail};
use crate::ast::{Active, Ident, Init, Never, Priority, Proctype, Sequence, Trace, VarRef};
use crate::suggest::closest;
use mandala_model::Diagnostic;
use mandala_model::ids::TemplateId;
use mandala_model::model::StartProcess;
use mandala_model::property::{Property, PropertyKind};
use mandala_model::source::Span;
use mandala_model::template::{EventSense, Role};
use std::collections::BTreeMap;

/// A body while its statements are collected.
pub(super) struct Body {
    pub graph: Graph,
    /// The loops around the statement, innermost last.
    pub loops: Vec<LoopId>,
    /// Where the results of the inlines around the statement go, innermost last.
    pub results: Vec<Option<VarRef>>,
    /// No statement so far: declarations give initial values.
    pub accepts_initials: bool,
    /// The labels that are jumped to.
    pub jumps: Vec<Ident>,
}

impl Lowering {
    pub(super) fn lower_proctype(&mut self, proctype: &Proctype) {
        let Some(&id) = self.globals.templates.get(&*proctype.name.name) else {
            return;
        };
        let provided = proctype.provided.as_ref().map(|e| {
            self.enter_body(id, FrameKind::Process);
            let result = self.expr(e);
            self.recover(result, || mandala_model::expr::Expr::constant(1, e.span))
        });
        self.model.templates[id.index()].provided = provided;
        self.model.templates[id.index()].deterministic = proctype.deterministic;
        self.lower_body(id, FrameKind::Process, &proctype.body);
        let result = self
            .instances(&proctype.active)
            .and_then(|n| Ok((n, self.priority(proctype.priority)?)));
        let (count, priority) = self.recover(result, || (0, 1));
        if count > 0 && !proctype.params.is_empty() {
            self.start_with_zeroes(id, count, priority);
        } else {
            self.start(id, count, priority);
        }
    }

    /// Parameters of active proctypes are zero.
    fn start_with_zeroes(&mut self, id: TemplateId, count: u32, priority: u8) {
        let template = self.model.template(id);
        let parameters = &template.locals[..template.parameters as usize];
        let cells: usize = parameters.iter().map(|p| self.model.cells(&p.ty)).sum();
        let span = template.span;
        if cells as u64 * u64::from(count) > super::sizes::MOST_CELLS {
            self.report(Diagnostic::error(
                span,
                "these processes have too many parameters",
            ));
            return;
        }
        for _ in 0..count {
            let arguments = vec![self.number(0, span); cells];
            self.model.start.push(StartProcess {
                template: id,
                arguments,
                priority,
            });
        }
    }

    fn start(&mut self, template: TemplateId, count: u32, priority: u8) {
        for _ in 0..count {
            self.model.start.push(StartProcess {
                template,
                arguments: Vec::new(),
                priority,
            });
        }
    }

    fn instances(&mut self, active: &Active) -> Lowered<u32> {
        let Active::Count(e) = active else {
            return Ok(u32::from(*active == Active::One));
        };
        let count = self.bound(e)?;
        if !(0..=255).contains(&count) {
            return fail(
                e.span,
                format!("there can be 0 to 255 processes, not {count}"),
            );
        }
        Ok(count as u32)
    }

    /// A priority that is given switches the rule of priorities on.
    pub(super) fn priority(&mut self, priority: Option<Priority>) -> Lowered<u8> {
        let Some(priority) = priority else {
            return Ok(1);
        };
        if !(1..=255).contains(&priority.value) {
            return fail(
                priority.span,
                format!("a priority is 1 to 255, not {}", priority.value),
            );
        }
        self.model.prioritised = true;
        Ok(priority.value as u8)
    }

    pub(super) fn lower_init(&mut self, init: &Init) {
        if self.globals.templates.contains_key("init") {
            self.report(Diagnostic::error(init.keyword, "a second `init`"));
            return;
        }
        let id = self.new_template("init", Role::Process, init.keyword);
        self.globals.templates.insert("init".into(), id);
        self.lower_body(id, FrameKind::Process, &init.body);
        let result = self.priority(init.priority);
        let priority = self.recover(result, || 1);
        self.start(id, 1, priority);
    }

    pub(super) fn lower_never(&mut self, never: &Never) {
        let made_up = format!("never_{}", self.claim_count());
        let name = never.name.as_ref().map_or(made_up, |n| n.name.to_string());
        if self.model.properties.iter().any(|p| p.name == name) {
            self.report(Diagnostic::error(
                never.keyword,
                format!("a second claim `{name}`"),
            ));
        }
        let claim = self.new_template(&name, Role::Claim, never.keyword);
        self.lower_body(claim, FrameKind::Claim, &never.body);
        let kind = PropertyKind::Never { claim };
        self.model.properties.push(Property {
            name,
            kind,
            span: never.keyword,
        });
    }

    fn claim_count(&self) -> usize {
        self.model
            .templates
            .iter()
            .filter(|t| t.role == Role::Claim)
            .count()
    }

    pub(super) fn lower_trace(&mut self, trace: &Trace) {
        let events = |p: &Property| matches!(p.kind, PropertyKind::Events { .. });
        if self.model.properties.iter().any(events) {
            self.report(Diagnostic::error(
                trace.keyword,
                "a second `trace` or `notrace`",
            ));
        }
        let (name, sense) = if trace.negated {
            ("notrace", EventSense::Forbidden)
        } else {
            ("trace", EventSense::Required)
        };
        let observer = self.new_template(name, Role::Events(sense), trace.keyword);
        self.lower_body(observer, FrameKind::Events, &trace.body);
        let kind = PropertyKind::Events { observer };
        self.model.properties.push(Property {
            name: name.into(),
            kind,
            span: trace.keyword,
        });
    }

    fn lower_body(&mut self, template: TemplateId, kind: FrameKind, sequence: &Sequence) {
        self.enter_body(template, kind);
        let mut body = Body {
            graph: Graph::new(self.next_statement),
            loops: Vec::new(),
            results: Vec::new(),
            accepts_initials: true,
            jumps: Vec::new(),
        };
        body.graph.open();
        self.statements(&mut body, sequence);
        body.graph
            .add(Pending::new(Kind::Stop, "-end-", end_of(sequence.span)));
        let whole = body.graph.close().expect("the end was added");
        self.next_statement = body.graph.next_statement();
        self.frame = None;
        if self.labels_are_right(&body) {
            self.bodies.push(Finished {
                template,
                kind,
                graph: body.graph,
                whole,
            });
        }
    }

    /// Turns the bodies into automata, when it is known which labels others refer to.
    pub(super) fn build_automata(&mut self) {
        for mut body in std::mem::take(&mut self.bodies) {
            for reference in self
                .references
                .iter()
                .filter(|r| r.template == body.template)
            {
                body.graph.keep_place_of(&reference.label);
            }
            let end = if body.kind == FrameKind::Process {
                EndOfBody::Exit
            } else {
                EndOfBody::Final
            };
            match automaton::build(&mut body.graph, body.whole, end) {
                Ok(automaton) => self.install(body.template, &body.graph, automaton),
                Err(diagnostic) => self.report(diagnostic),
            }
        }
    }

    fn labels_are_right(&mut self, body: &Body) -> bool {
        let before = self.diagnostics.len();
        let labels = &body.graph.labels;
        for (i, label) in labels.iter().enumerate() {
            let same = |l: &&super::graph::Label| l.name == label.name && l.scope == label.scope;
            if let Some(first) = labels[..i].iter().find(same) {
                let error = Diagnostic::error(
                    label.span,
                    format!("the label `{}` is used twice", label.name),
                );
                self.diagnostics
                    .push(error.with_related(first.span, "first used here"));
            }
        }
        for jump in &body.jumps {
            if !labels.iter().any(|l| l.name == *jump.name) {
                let mut error = Diagnostic::error(
                    jump.span,
                    format!("there is no label `{}` in this body", jump.name),
                );
                if let Some(similar) = closest(&jump.name, labels.iter().map(|l| l.name.as_str())) {
                    error = error.with_help(format!("is `{similar}` meant?"));
                }
                self.diagnostics.push(error);
            }
        }
        self.diagnostics.len() == before
    }

    fn install(&mut self, template: TemplateId, graph: &Graph, automaton: Automaton) {
        let mut labels = BTreeMap::new();
        for label in &graph.labels {
            let number = graph.element(label.element).number;
            let location = automaton.by_number.get(&number).copied();
            let known = labels.entry(label.name.clone()).or_insert(location);
            *known = location.or(*known);
        }
        self.locations.insert(template, labels);
        let target = &mut self.model.templates[template.index()];
        target.locations = automaton.locations;
        target.edges = automaton.edges;
        target.entry = automaton.entry;
    }
}

/// The closing brace of a body.
fn end_of(span: Span) -> Span {
    Span {
        start: span.end.saturating_sub(1),
        ..span
    }
}
