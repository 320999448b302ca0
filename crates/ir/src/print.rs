//! The printer: [`Text`].

pub(crate) mod chance;
mod expressions;
mod names;
mod properties;
mod steps;
mod symmetry;
mod types;

use crate::spans::each_span;
use crate::{HEAD, VERSION};
use mandala_model::expr::Expr;
use mandala_model::function::Function;
use mandala_model::ids::{ConditionId, FunctionId, MonitorId, TemplateId};
use mandala_model::model::{Arithmetic, Deadlock, Model, StartProcess};
use mandala_model::source::{FileId, Sources, Span};
use mandala_model::template::{EventSense, Location, Role, Template};
use mandala_model::types::{Scalar, Variable};
use names::Names;
use std::collections::BTreeSet;
use std::fmt;

pub(crate) use names::asking;

/// A model to be printed.
pub struct Text<'a> {
    model: &'a Model,
    names: Names,
    detail: Detail<'a>,
}

/// How much of the source is printed.
#[derive(Clone, Copy)]
enum Detail<'a> {
    /// Nothing.
    Model,
    /// Lines, as comments.
    Lines(&'a Sources),
    /// The files, the place of every part, and the texts of statements.
    Full(&'a Sources),
}

impl<'a> Text<'a> {
    /// The text of a model, without places in the source.
    pub fn new(model: &'a Model) -> Self {
        Text {
            model,
            names: Names::of(model),
            detail: Detail::Model,
        }
    }

    /// Adds the lines of the source, as comments.
    pub fn with_sources(mut self, sources: &'a Sources) -> Self {
        self.detail = Detail::Lines(sources);
        self
    }

    /// Adds everything that only reports need: the files, the place of every part in them, and the texts of
    /// statements. Reading it back gives the same model, where each span is one of the same text.
    pub fn full(mut self, sources: &'a Sources) -> Self {
        self.detail = Detail::Full(sources);
        self
    }

    /// An expression as it stands in the given template, or outside of all templates.
    pub fn of_expression(&self, expression: &Expr, template: Option<TemplateId>) -> String {
        self.scope(template).expression(expression, None)
    }

    fn scope(&self, template: Option<TemplateId>) -> Scope<'_> {
        Scope {
            model: self.model,
            names: &self.names,
            locals: template.map(|id| Locals {
                names: &self.names.locals[id.index()],
                variables: &self.model.template(id).locals,
            }),
            binders: &[],
            references: None,
            spans: matches!(self.detail, Detail::Full(_)),
        }
    }

    fn function_scope(&self, id: FunctionId) -> Scope<'_> {
        let function = self.model.function(id);
        let names = &self.names.frames[id.index()];
        let (locals, references) = names.split_at(function.locals.len());
        Scope {
            locals: Some(Locals {
                names: locals,
                variables: &function.locals,
            }),
            references: Some(Locals {
                names: references,
                variables: &function.references,
            }),
            ..self.scope(None)
        }
    }

    /// The comment at the end of a line.
    fn comment(&self, span: Span) -> String {
        let Detail::Lines(sources) = self.detail else {
            return String::new();
        };
        let location = sources.location(span);
        let path = location.path.display().to_string();
        format!(
            "  // {}:{}",
            path.replace(char::is_control, "?"),
            location.line
        )
    }

    /// A place in the source, behind a blank, where such places are printed.
    fn attribute(&self, span: Span) -> String {
        self.scope(None).attribute(span)
    }
}

/// Where an expression stands: what its names mean.
#[derive(Clone, Copy)]
struct Scope<'a> {
    model: &'a Model,
    names: &'a Names,
    /// Where there are local variables.
    locals: Option<Locals<'a>>,
    /// The variables of the quantifiers around, the outermost first.
    binders: &'a [(String, Scalar)],
    /// The references of a function.
    references: Option<Locals<'a>>,
    /// Whether the places of all parts are printed.
    spans: bool,
}

/// Local variables and their names.
#[derive(Clone, Copy)]
struct Locals<'a> {
    names: &'a [String],
    variables: &'a [Variable],
}

impl Scope<'_> {
    /// A place in the source, where such places are printed: `$12-15`, or `$1:12-15` in another file than the first.
    fn span(&self, span: Span) -> String {
        match (self.spans, span.file) {
            (false, _) => String::new(),
            (true, FileId(0)) => format!("${}-{}", span.start, span.end),
            (true, FileId(file)) => format!("${file}:{}-{}", span.start, span.end),
        }
    }

    /// The same behind a blank.
    fn attribute(&self, span: Span) -> String {
        match self.spans {
            true => format!(" {}", self.span(span)),
            false => String::new(),
        }
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.header(f)?;
        self.files(f)?;
        self.types(f)?;
        for (index, variable) in self.model.globals.iter().enumerate() {
            let text = self.variable(&self.names.globals[index], variable, None);
            writeln!(f, "global {text}{}", self.comment(variable.span))?;
        }
        for (id, function) in (0..).map(FunctionId).zip(&self.model.functions) {
            writeln!(f)?;
            self.function(f, id, function)?;
        }
        for (id, template) in (0..).map(TemplateId).zip(&self.model.templates) {
            writeln!(f)?;
            self.template(f, id, template)?;
        }
        writeln!(f)?;
        for process in &self.model.start {
            writeln!(f, "start {}", self.start(process))?;
        }
        for index in 0..self.model.conditions.len() {
            let id = ConditionId::from(index);
            let text = self.scope(None).text(&self.model.condition(id).text);
            writeln!(f, "condition {id}{text} = {}", self.of_condition(id))?;
        }
        self.monitors(f)?;
        self.properties(f)?;
        for rewards in &self.model.rewards {
            self.rewards(f, rewards)?;
        }
        for set in &self.model.scalarsets {
            self.scalarset(f, set)?;
        }
        Ok(())
    }
}

impl Text<'_> {
    fn header(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arithmetic = match self.model.arithmetic {
            Arithmetic::Wrapping32 => "wrapping 32",
            Arithmetic::Checked64 => "checked 64",
        };
        writeln!(f, "{HEAD} {VERSION}")?;
        write!(f, "model {}, {arithmetic}", self.model.language)?;
        let flags = [
            (self.model.prioritised, "prioritised"),
            (self.model.tracks_last_mover, "last mover"),
            (self.model.start_held, "held start"),
            (
                self.model.deadlock == Deadlock::NoChange,
                "deadlock without change",
            ),
        ];
        for (_, flag) in flags.iter().filter(|(set, _)| *set) {
            write!(f, ", {flag}")?;
        }
        if let Some(kind) = self.model.stochastic {
            write!(f, ", {}", chance::stochastic(kind))?;
        }
        writeln!(f, "\n")
    }

    /// The files that some part of the model stands in.
    fn files(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Detail::Full(sources) = self.detail else {
            return Ok(());
        };
        let mut used = BTreeSet::new();
        each_span(&mut (**self.model).clone(), &mut |span| {
            used.insert(span.file);
        });
        for (id, file) in sources.files().filter(|(id, _)| used.contains(id)) {
            let path = file.path().display().to_string();
            writeln!(f, "file {} {path:?} {:?}", id.0, file.text())?;
        }
        Ok(())
    }

    fn function(
        &self,
        f: &mut fmt::Formatter<'_>,
        id: FunctionId,
        function: &Function,
    ) -> fmt::Result {
        let names = &self.names.frames[id.index()];
        let (locals, references) = names.split_at(function.locals.len());
        let (given, own) = function.locals.split_at(function.parameters as usize);
        let given = given.iter().zip(locals);
        let given = given.map(|(variable, name)| self.variable(name, variable, None));
        let passed = function.references.iter().zip(references);
        let passed = passed.map(|(v, name)| format!("ref {}", self.variable(name, v, None)));
        let parameters: Vec<String> = given.chain(passed).collect();
        let name = &self.names.functions[id.index()];
        let result = function.result.map_or_else(String::new, |result| {
            format!(" returns {}", locals[result.index()])
        });
        let (span, parameters) = (self.attribute(function.span), parameters.join(", "));
        let head = format!("function {name}{span}({parameters}){result}");
        writeln!(f, "{head} {{{}", self.comment(function.span))?;
        for (variable, name) in own.iter().zip(&locals[function.parameters as usize..]) {
            writeln!(f, "  local {}", self.variable(name, variable, None))?;
        }
        let body = self.function_scope(id).routine(&function.body);
        body.iter().try_for_each(|line| writeln!(f, "{line}"))?;
        writeln!(f, "}}")
    }

    fn template(
        &self,
        f: &mut fmt::Formatter<'_>,
        id: TemplateId,
        template: &Template,
    ) -> fmt::Result {
        let locals = &self.names.locals[id.index()];
        let (parameters, own) = template.locals.split_at(template.parameters as usize);
        let named = parameters.iter().zip(locals);
        let parameters: Vec<String> = named.map(|(v, n)| self.variable(n, v, Some(id))).collect();
        let name = &self.names.templates[id.index()];
        let (role, span) = (role(template.role), self.attribute(template.span));
        let head = format!("{role} {name}{span}({})", parameters.join(", "));
        writeln!(f, "{head} {{{}", self.comment(template.span))?;
        for (variable, name) in own.iter().zip(&locals[parameters.len()..]) {
            writeln!(f, "  local {}", self.variable(name, variable, Some(id)))?;
        }
        if let Some(provided) = &template.provided {
            let text = self.scope(Some(id)).expression(provided, None);
            writeln!(f, "  provided {text}")?;
        }
        if template.deterministic {
            writeln!(f, "  deterministic")?;
        }
        writeln!(f, "  entry {}", template.entry)?;
        self.locations(f, id, template)?;
        writeln!(f, "}}")
    }

    fn locations(
        &self,
        f: &mut fmt::Formatter<'_>,
        id: TemplateId,
        template: &Template,
    ) -> fmt::Result {
        let mut next_edge = 0;
        for (index, location) in template.locations.iter().enumerate() {
            let span = self.attribute(location.span);
            let marks = location_text(index, location);
            let moved = location.edges.start != next_edge;
            let first = if moved {
                location.edges.start.to_string()
            } else {
                String::new()
            };
            let first = if moved {
                format!(" edges {first}")
            } else {
                first
            };
            writeln!(f, "  location s{index}{span}{marks}{first}")?;
            next_edge = location.edges.end;
            for edge in location.edges.clone() {
                let edge = &template.edges[edge as usize];
                let lines = self.scope(Some(id)).edge(edge);
                let mut lines = lines.iter();
                let first = lines.next().map_or("", String::as_str);
                writeln!(f, "    {first}{}", self.comment(edge.span))?;
                lines.try_for_each(|line| writeln!(f, "    {line}"))?;
            }
        }
        Ok(())
    }

    /// The variables that monitors share, and the monitors.
    fn monitors(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (names, variables) = (&self.names.monitor_locals, &self.model.monitor_scratch);
        for (name, variable) in names.iter().zip(variables) {
            writeln!(f, "monitor local {}", self.variable(name, variable, None))?;
        }
        let scope = Scope {
            locals: Some(Locals { names, variables }),
            ..self.scope(None)
        };
        for (id, monitor) in (0..).map(MonitorId).zip(&self.model.monitors) {
            let lines = scope.monitor(id, monitor);
            let mut lines = lines.iter();
            let first = lines.next().map_or("", String::as_str);
            writeln!(f, "{first}{}", self.comment(monitor.span))?;
            lines.try_for_each(|line| writeln!(f, "{line}"))?;
        }
        Ok(())
    }

    fn start(&self, process: &StartProcess) -> String {
        self.scope(None)
            .creation(process.template, &process.arguments, process.priority)
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Process => "process",
        Role::Claim => "claim",
        Role::Monitors => unreachable!("the verifier lets no template have this role"),
        Role::Events(EventSense::Required) => "events required",
        Role::Events(EventSense::Forbidden) => "events forbidden",
    }
}

fn location_text(index: usize, location: &Location) -> String {
    let mut text = String::new();
    if location.number as usize != index {
        text.push_str(&format!(" number {}", location.number));
    }
    for label in &location.labels {
        text.push_str(&format!(" {label:?}"));
    }
    let marks = [
        (location.end, " end"),
        (location.progress, " progress"),
        (location.accept, " accept"),
        (location.silent, " silent"),
    ];
    for (_, mark) in marks.iter().filter(|(set, _)| *set) {
        text.push_str(mark);
    }
    text
}
