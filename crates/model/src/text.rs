//! A text form of a whole model, for people: what `mandala ir` prints.
//!
//! It shows everything that the engines see, in an order that does not change, so models that print
//! alike behave alike; what only reports need (statement texts and numbers, columns) is left out.
//! It is written, never read back.
//!
//! One thing a line, so that `grep` and `diff` work on it: every edge names its own source and
//! target, every variable starts with `global`, `local` or `field`. With [`Text::with_sources`],
//! edges and declarations end in a comment with their place in the user's files.
//!
//! # Grammar
//!
//! ```text
//! text      = "model" LANGUAGE "," ("wrapping 32" | "checked 64") ["," "prioritised"] ["," "last mover"]
//!             ["," "held start"] ["," "deadlock without change"]
//!             {enum | domain | coding | record | kind | global | template | start | condition | property | scalarset}
//! enum      = "enum" NAME "{" CONSTANT "=" NUMBER {"," CONSTANT "=" NUMBER} "}"
//! domain    = "domain" NAME "[" SIZE "]"
//! coding    = "coding" NAME shown
//! shown     = "from" NUMBER | "{" CONSTANT {"," CONSTANT} "}" | "members" | "pointers"
//!           | "parts" "(" NUMBER NAME shown {";" NUMBER NAME shown} ")"
//! record    = "record" NAME "{" {"field" variable} "}"
//! kind      = "channel" KIND "[" CAPACITY "]" "of" "{" type {"," type} "}"
//! global    = "global" ["scratch"] variable
//! variable  = NAME ":" type ["=" (expr | "{" expr {"," expr} "}" | "new" KIND)]
//! type      = ("u" BITS | "i" BITS | "bool" | MIN ".." MAX | "process" | "chan" | ENUM | DOMAIN | CODING "(" MAX ")" | RECORD)
//!             {"[" LENGTH ["by" CODING] "]"}
//! template  = ("process" | "claim" | "events required" | "events forbidden")
//!             NAME "(" [NAME ":" type {"," NAME ":" type}] ")" "{"
//!             {"local" ["scratch"] variable} ["provided" expr] "entry" LOCATION {location} "}"
//! location  = "location" LOCATION "number" NUMBER {LABEL} ["end"] ["progress"] ["accept"] ["silent"] {edge}
//! edge      = LOCATION "->" LOCATION ["escape" CLASS] ["hold" | "observe"] step
//! step      = "skip" | "when" expr | "do" effects | "when" expr "do" effects | "else" | "exit"
//!           | "send" expr ("!" | "!!") expr {"," expr}                    (!! keeps the channel sorted)
//!           | "receive" expr ("?" | "??") (patterns | "<" patterns ">")   (?? any match; <> stays)
//!           | "routine" "{" {NODE ["quiet"] ":" step "->" (NODE | "done")} "}"
//! patterns  = pattern {"," pattern}
//! pattern   = NUMBER | CONSTANT | "eval" "(" expr ")" | place | "_"
//! effects   = effect {";" effect}
//! effect    = place "=" expr | [place "="] "run" NAME "(" [expr {"," expr}] ")" ["priority" NUMBER]
//!           | "assert" "(" expr ")" | "set_priority" "(" expr "," expr ")"
//!           | "printf" "(" STRING {"," expr} ")" | "printm" "(" expr ")"
//!           | "fail" STRING | "abandon"
//! place     = (NAME | TEMPLATE "[" expr "]" ":" NAME | "own_priority()") {"." FIELD | "[" expr "]"}
//! start     = "start" TEMPLATE "(" [expr {"," expr}] ")" ["priority" NUMBER]
//! condition = "condition" CONDITION "=" expr
//! property  = "property" NAME ("never" | "events") TEMPLATE
//!           | "property" NAME "ctl" formula
//!           | "property" NAME ("ltl" STRING | "automaton" | "non-progress" | "accept") {index} {state}
//! index     = "index" variable "of" NUMBER {"," NUMBER}                   (the first transition chooses its value)
//! state     = "state" STATE ["accepting"] {guard "->" STATE ["asserts"]}  (the automaton of the forbidden runs)
//! guard     = "true" | "false" | ["!"] CONDITION | "(" guard ("&&" | "||") guard ")"
//!           | "property" NAME ("invariant" | "cover" | "reachable") [edges]
//! edges     = TEMPLATE NUMBER [NODE] {"," TEMPLATE NUMBER [NODE]}      (the number of the edge in its template)
//! scalarset = "scalarset" NAME "=" FIRST ".." LAST ["unordered"] {use}
//! use       = "process" TEMPLATE | "holds" path | "indexes" path {"[]"} | "message" KIND "," FIELD
//! path      = [TEMPLATE ":"] NAME {"." FIELD}      (all elements of the arrays on the way; the last [] is the index)
//! ```
//!
//! Expressions are written as in C, with these questions, whose parentheses tell them from
//! variables: `self()`, `processes()`, `last_mover()`, `timeout()`, `non_progress()`,
//! `first(TEMPLATE)`, `enabled(p)`, `location_number(p)`, `priority(p)`, `len(q)`, `empty(q)`, `nempty(q)`, `full(q)`,
//! `nfull(q)`, `defined(x)`, `q?[patterns]`, `q??[patterns]`, `TEMPLATE[p]@LOCATION`. A number is written as a
//! named constant or as `true` or `false` where the other side, the assigned place or the channel's
//! declaration says so. Formulas of computation tree logic are written `AG c0`, `EF c1`,
//! `A[c0 U c1]` and so on, over the conditions of the table; the local variables of a condition are the indices of the property that
//! asks it.
//!
//! A name that an earlier variable in sight has too (or an earlier template, record, enum or
//! domain) is followed by `#` and its number in its table: `i`, `i#2`.

mod expressions;
mod names;
mod steps;
mod symmetry;

use crate::expr::Expr;
use crate::ids::{ConditionId, EdgeId, NodeId, TemplateId};
use crate::model::{Arithmetic, Deadlock, Model, StartProcess};
use crate::property::{Ctl, Property, PropertyKind, RunOrigin, RunQuestion, Runs};
use crate::source::{Sources, Span};
use crate::template::{EventSense, Location, Role, Template};
use crate::types::{
    ArrayIndex, ChannelKind, Coding, CodingKind, CodingPart, EnumType, Initial, RecordType, Scalar,
    Storage, Type, Variable,
};
use mandala_temporal::Guard;
use names::Names;
use std::fmt;

/// A model to be printed.
pub struct Text<'a> {
    model: &'a Model,
    names: Names,
    sources: Option<&'a Sources>,
}

impl<'a> Text<'a> {
    /// The text of a model, without places in the source.
    pub fn new(model: &'a Model) -> Self {
        Text {
            model,
            names: Names::of(model),
            sources: None,
        }
    }

    /// Adds the places in the source.
    pub fn with_sources(mut self, sources: &'a Sources) -> Self {
        self.sources = Some(sources);
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
        }
    }

    /// The comment at the end of a line.
    fn comment(&self, span: Span) -> String {
        self.sources.map_or_else(String::new, |sources| {
            let location = sources.location(span);
            format!("  // {}:{}", location.path.display(), location.line)
        })
    }
}

/// Where an expression stands: what its names mean.
#[derive(Clone, Copy)]
struct Scope<'a> {
    model: &'a Model,
    names: &'a Names,
    /// Where there are local variables.
    locals: Option<Locals<'a>>,
}

/// Local variables and their names.
#[derive(Clone, Copy)]
struct Locals<'a> {
    names: &'a [String],
    variables: &'a [Variable],
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.header(f)?;
        self.types(f)?;
        for (index, variable) in self.model.globals.iter().enumerate() {
            let text = self.variable(&self.names.globals[index], variable, None);
            writeln!(f, "global {text}{}", self.comment(variable.span))?;
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
            writeln!(f, "condition {id} = {}", self.of_condition(id))?;
        }
        for (property, indices) in self.model.properties.iter().zip(&self.names.indices) {
            let text = self.property(property);
            writeln!(f, "property {text}{}", self.comment(property.span))?;
            if let PropertyKind::NoRun(question) = &property.kind {
                self.question(f, indices, question)?;
            }
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
        write!(f, "model {}, {arithmetic}", self.model.language)?;
        if self.model.prioritised {
            write!(f, ", prioritised")?;
        }
        if self.model.tracks_last_mover {
            write!(f, ", last mover")?;
        }
        if self.model.start_held {
            write!(f, ", held start")?;
        }
        if self.model.deadlock == Deadlock::NoChange {
            write!(f, ", deadlock without change")?;
        }
        writeln!(f, "\n")
    }

    fn types(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, enumeration) in self.model.enums.iter().enumerate() {
            let name = &self.names.enums[index];
            writeln!(f, "enum {name} {}", constants(enumeration))?;
        }
        for (index, domain) in self.model.domains.iter().enumerate() {
            let name = &self.names.domains[index];
            writeln!(f, "domain {name}[{}]", domain.size)?;
        }
        for (index, coding) in self.model.codings.iter().enumerate() {
            let name = &self.names.codings[index];
            writeln!(f, "coding {name} {}", shown_as(coding))?;
        }
        for (index, record) in self.model.records.iter().enumerate() {
            self.record(f, &self.names.records[index], record)?;
        }
        for (index, kind) in self.model.channel_kinds.iter().enumerate() {
            let text = self.kind(kind);
            writeln!(f, "channel kind{index} {text}{}", self.comment(kind.span))?;
        }
        Ok(())
    }

    fn record(&self, f: &mut fmt::Formatter<'_>, name: &str, record: &RecordType) -> fmt::Result {
        writeln!(f, "record {name} {{{}", self.comment(record.span))?;
        for field in &record.fields {
            writeln!(f, "  field {}", self.variable(&field.name, field, None))?;
        }
        writeln!(f, "}}")
    }

    fn kind(&self, kind: &ChannelKind) -> String {
        let fields: Vec<String> = kind.fields.iter().map(|s| self.scalar(*s)).collect();
        format!("[{}] of {{ {} }}", kind.capacity, fields.join(", "))
    }

    fn variable(&self, name: &str, variable: &Variable, template: Option<TemplateId>) -> String {
        let scratch = match variable.storage {
            Storage::State => "",
            Storage::Scratch => "scratch ",
        };
        let ty = self.ty(&variable.ty, &variable.indices);
        let initial = self.initial(variable, template);
        format!("{scratch}{name}: {ty}{initial}")
    }

    fn initial(&self, variable: &Variable, template: Option<TemplateId>) -> String {
        let scope = self.scope(template);
        let hint = self.model.scalars(&variable.ty).first().copied();
        match &variable.initial {
            Initial::Default => String::new(),
            Initial::Fill(value) => format!(" = {}", scope.expression(value, hint)),
            Initial::List(values) => {
                let values = values.iter().map(|v| scope.expression(v, hint));
                format!(" = {{ {} }}", values.collect::<Vec<_>>().join(", "))
            }
            Initial::NewChannel(kind) => format!(" = new {kind}"),
        }
    }

    /// A type; an array that has an element for each value of a coding says so: `bool[3 by Node]`.
    fn ty(&self, ty: &Type, indices: &[ArrayIndex]) -> String {
        let mut indices = indices.iter();
        let mut lengths = String::new();
        let mut inner = ty;
        while let Type::Array { element, length } = inner {
            let by = indices
                .next()
                .map(|index| &self.names.codings[index.coding.index()]);
            let by = by.map_or_else(String::new, |name| format!(" by {name}"));
            lengths.push_str(&format!("[{length}{by}]"));
            inner = element;
        }
        let base = match inner {
            Type::Record(id) => self.names.records[id.index()].clone(),
            Type::Scalar(scalar) => self.scalar(*scalar),
            Type::Array { .. } => String::new(),
        };
        base + &lengths
    }

    fn scalar(&self, scalar: Scalar) -> String {
        match scalar {
            Scalar::Int { bits, signed: true } => format!("i{bits}"),
            Scalar::Int {
                bits,
                signed: false,
            } => format!("u{bits}"),
            Scalar::Bool => "bool".into(),
            Scalar::Range { min, max } => format!("{min}..{max}"),
            Scalar::Enum(id) => self.names.enums[id.index()].clone(),
            Scalar::Id(id) => self.names.domains[id.index()].clone(),
            Scalar::Coded { coding, max } => {
                format!("{}({max})", self.names.codings[coding.index()])
            }
            Scalar::Process => "process".into(),
            Scalar::Channel => "chan".into(),
        }
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
        let head = format!("{} {name}({})", role(template.role), parameters.join(", "));
        writeln!(f, "{head} {{{}", self.comment(template.span))?;
        for (variable, name) in own.iter().zip(&locals[parameters.len()..]) {
            writeln!(f, "  local {}", self.variable(name, variable, Some(id)))?;
        }
        if let Some(provided) = &template.provided {
            let text = self.scope(Some(id)).expression(provided, None);
            writeln!(f, "  provided {text}")?;
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
        for (index, location) in template.locations.iter().enumerate() {
            writeln!(f, "  location s{index} {}", location_text(location))?;
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

    fn start(&self, process: &StartProcess) -> String {
        self.scope(None)
            .creation(process.template, &process.arguments, process.priority)
    }

    fn property(&self, property: &Property) -> String {
        let name = &property.name;
        let template = |id: &TemplateId| &self.names.templates[id.index()];
        match &property.kind {
            PropertyKind::Never { claim } => format!("{name} never {}", template(claim)),
            PropertyKind::NoRun(question) => format!("{name} {}", origin(&question.origin)),
            PropertyKind::Ctl { formula } => format!("{name} ctl {}", self.ctl(formula)),
            PropertyKind::Events { observer } => format!("{name} events {}", template(observer)),
            PropertyKind::Invariant { edges } => format!("{name} invariant {}", self.edges(edges)),
            PropertyKind::Reachable { edges } => format!("{name} reachable {}", self.edges(edges)),
            PropertyKind::Remark { nodes } => {
                let nodes: Vec<String> = nodes.iter().map(|node| self.node_of(node)).collect();
                format!("{name} remark {}", nodes.join(", "))
            }
            PropertyKind::Cover { edges, nodes } => {
                let nodes = nodes.iter().map(|node| self.node_of(node));
                let edges = edges.iter().map(|edge| self.edge(*edge));
                let all: Vec<String> = edges.chain(nodes).collect();
                format!("{name} cover {}", all.join(", "))
            }
        }
    }

    fn node_of(&self, (edge, node): &(EdgeId, NodeId)) -> String {
        format!("{} {node}", self.edge(*edge))
    }

    fn edges(&self, edges: &[EdgeId]) -> String {
        let edges = edges.iter().map(|edge| self.edge(*edge));
        edges.collect::<Vec<_>>().join(", ")
    }

    /// An edge as its template and its number there.
    fn edge(&self, edge: EdgeId) -> String {
        format!(
            "{} {}",
            self.names.templates[edge.template.index()],
            edge.index
        )
    }

    fn ctl(&self, formula: &Ctl) -> String {
        let of = |f: &Ctl| self.ctl(f);
        match formula {
            Ctl::Constant(value) => value.to_string(),
            Ctl::Proposition(number) => ConditionId::from(number.0).to_string(),
            Ctl::Not(f) => format!("!{}", of(f)),
            Ctl::And(f, g) => format!("({} && {})", of(f), of(g)),
            Ctl::Or(f, g) => format!("({} || {})", of(f), of(g)),
            Ctl::Implies(f, g) => format!("({} -> {})", of(f), of(g)),
            Ctl::Next(runs, f) => format!("{}X {}", quantifier(*runs), of(f)),
            Ctl::Eventually(runs, f) => format!("{}F {}", quantifier(*runs), of(f)),
            Ctl::Always(runs, f) => format!("{}G {}", quantifier(*runs), of(f)),
            Ctl::Until(runs, f, g) => format!("{}[{} U {}]", quantifier(*runs), of(f), of(g)),
            Ctl::WeakUntil(runs, f, g) => format!("{}[{} W {}]", quantifier(*runs), of(f), of(g)),
        }
    }

    /// A condition as the first property sees it that asks it, whose indices are the local variables there.
    pub fn of_condition(&self, id: ConditionId) -> String {
        let asking = self.names.asking.get(&id);
        let scope = Scope {
            locals: asking.map(|&number| Locals {
                names: &self.names.indices[number],
                variables: self.model.properties[number].kind.indices(),
            }),
            ..self.scope(None)
        };
        let condition = &self.model.condition(id).condition;
        scope.expression(condition, None)
    }

    /// The indices and the automaton of a property.
    fn question(
        &self,
        f: &mut fmt::Formatter<'_>,
        names: &[String],
        question: &RunQuestion,
    ) -> fmt::Result {
        let indices = names.iter().zip(&question.indices).zip(&question.values);
        for ((name, index), values) in indices {
            let values: Vec<String> = values.iter().map(i64::to_string).collect();
            let variable = self.variable(name, index, None);
            writeln!(f, "  index {variable} of {}", values.join(", "))?;
        }
        let automaton = &question.automaton;
        for state in &automaton.states {
            let accepting = if state.accepting { " accepting" } else { "" };
            writeln!(f, "  state {}{accepting}", state.name)?;
            for transition in &state.transitions {
                let target = &automaton.state(transition.target).name;
                let asserts = if transition.asserts { " asserts" } else { "" };
                writeln!(f, "    {} -> {target}{asserts}", guard(&transition.guard))?;
            }
        }
        Ok(())
    }
}

/// What an automaton accepts the runs of.
fn origin(origin: &RunOrigin) -> String {
    match origin {
        RunOrigin::Formula { text, .. } => format!("ltl {text:?}"),
        RunOrigin::Automaton => "automaton".into(),
        RunOrigin::NonProgress => "non-progress".into(),
        RunOrigin::Accept => "accept".into(),
    }
}

fn guard(of: &Guard) -> String {
    match of {
        Guard::True => "true".into(),
        Guard::False => "false".into(),
        Guard::Literal(literal) => {
            let sign = if literal.positive { "" } else { "!" };
            format!("{sign}{}", ConditionId::from(literal.proposition.0))
        }
        Guard::And(left, right) => format!("({} && {})", guard(left), guard(right)),
        Guard::Or(left, right) => format!("({} || {})", guard(left), guard(right)),
    }
}

fn quantifier(runs: Runs) -> char {
    match runs {
        Runs::All => 'A',
        Runs::Some => 'E',
    }
}

fn constants(enumeration: &EnumType) -> String {
    let constants = enumeration.constants.iter();
    let constants: Vec<String> = constants.map(|(n, v)| format!("{n} = {v}")).collect();
    format!("{{ {} }}", constants.join(", "))
}

fn shown_as(coding: &Coding) -> String {
    match &coding.kind {
        CodingKind::Numbers { first } => format!("from {first}"),
        CodingKind::Names(names) => format!("{{ {} }}", names.join(", ")),
        CodingKind::Members => "members".into(),
        CodingKind::Pointers => "pointers".into(),
        CodingKind::Parts(parts) => {
            let part = |part: &CodingPart| {
                let coding = &part.coding;
                format!("{} {} {}", part.first, coding.name, shown_as(coding))
            };
            let parts: Vec<String> = parts.iter().map(part).collect();
            format!("parts ({})", parts.join("; "))
        }
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Process => "process",
        Role::Claim => "claim",
        Role::Events(EventSense::Required) => "events required",
        Role::Events(EventSense::Forbidden) => "events forbidden",
    }
}

fn location_text(location: &Location) -> String {
    let mut text = format!("number {}", location.number);
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
