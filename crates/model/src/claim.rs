//! Making claims from automata: a location for each state, an edge for each transition.

use crate::expr::Expr;
use crate::ids::LocationId;
use crate::source::Span;
use crate::template::{Control, Edge, Effect, Location, Step, Template};

/// A condition, and how it is written.
#[derive(Clone, Debug)]
pub struct WrittenCondition {
    /// The condition.
    pub condition: Expr,
    /// How it is written.
    pub text: String,
}

/// The locations and edges of a claim while they are made. All of them stand at one place in the source.
#[derive(Debug)]
pub struct ClaimBuilder {
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
    pub fn new(span: Span) -> Self {
        ClaimBuilder {
            span,
            rows: Vec::new(),
        }
    }

    /// Adds a location. The first one is where the claim starts.
    pub fn location(&mut self, labels: Vec<String>, accept: bool) -> LocationId {
        self.rows.push(Row {
            labels,
            accept,
            edges: Vec::new(),
        });
        LocationId::from(self.rows.len() - 1)
    }

    /// Adds a location where the claim has come to its end.
    pub fn end(&mut self) -> LocationId {
        self.location(vec!["end".into()], false)
    }

    /// Adds a step that is possible where the condition holds.
    pub fn edge(&mut self, from: LocationId, to: LocationId, guard: WrittenCondition) {
        self.guarded(from, to, guard, Control::Release);
    }

    /// Adds two steps, of which the second fails, where the condition holds.
    pub fn assertion(&mut self, from: LocationId, guard: WrittenCondition) {
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

    fn guarded(
        &mut self,
        from: LocationId,
        to: LocationId,
        guard: WrittenCondition,
        control: Control,
    ) {
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
        });
    }

    /// Makes that the body of a template.
    pub fn install(self, template: &mut Template) {
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
