//! Templates: their variables, locations and edges.

use super::cursor::number_of;
use super::tables::declare;
use super::{Reader, Scope};
use crate::lexer::{Key, TokenKind};
use mandala_model::expr::Root;
use mandala_model::findings::{Fallible, Findings, error};
use mandala_model::ids::{GlobalId, LocalId, LocationId, TemplateId};
use mandala_model::model::StartProcess;
use mandala_model::parameters::{Parameter, Progression, Values};
use mandala_model::source::Span;
use mandala_model::template::{Control, Edge, EventSense, Location, Role, Step, Template};
use mandala_model::types::Variable;
use std::collections::HashMap;

/// The edges of one location, and where they begin in the table of the template.
struct Section {
    first: u32,
    edges: Vec<Edge>,
    span: Span,
}

/// A template while it is read.
struct Draft {
    template: Template,
    names: HashMap<Key, LocalId>,
    sections: Vec<Section>,
    scope: Scope,
}

impl Draft {
    fn add(&mut self, key: Key, variable: Variable, span: Span) -> Fallible<()> {
        let id = LocalId::from(self.template.locals.len());
        declare(&mut self.names, key, id, span)?;
        self.template.locals.push(variable);
        Ok(())
    }

    /// Where the edges of the next location begin, unless it says so itself.
    fn next_edge(&self) -> u32 {
        let last = self.sections.last();
        last.map_or(0, |s| s.first.saturating_add(s.edges.len() as u32))
    }
}

impl Reader<'_> {
    pub(super) fn declared_template(&mut self, findings: &mut Findings) -> Fallible<()> {
        let role = self.role()?;
        let own = self.here();
        let key = self.name("the name of a template")?;
        let span = self.span_or(own)?;
        let number = self.model.templates.len();
        let mut draft = Draft {
            template: Template::empty(&key.name, role, span),
            names: HashMap::new(),
            sections: Vec::new(),
            scope: Scope::Template(number),
        };
        declare(
            &mut self.tables.templates,
            key,
            TemplateId::from(number),
            own,
        )?;
        self.parameters(&mut draft)?;
        self.expect("{")?;
        while !self.eat("}") {
            self.part(&mut draft, findings)?;
        }
        let template = draft.finished()?;
        self.model.templates.push(template.0);
        self.tables.locals.push(template.1);
        Ok(())
    }

    fn role(&mut self) -> Fallible<Role> {
        if self.eat_word("process") {
            return Ok(Role::Process);
        }
        if self.eat_word("claim") {
            return Ok(Role::Claim);
        }
        self.expect_word("events")?;
        if self.eat_word("required") {
            return Ok(Role::Events(EventSense::Required));
        }
        match self.eat_word("forbidden") {
            true => Ok(Role::Events(EventSense::Forbidden)),
            false => self.expected("`required` or `forbidden`"),
        }
    }

    fn parameters(&mut self, draft: &mut Draft) -> Fallible<()> {
        self.expect("(")?;
        let scope = draft.scope;
        let parameters = self.list_until(")", |r| {
            let span = r.here();
            let (key, variable) = r.variable(scope)?;
            draft.add(key, variable, span)
        })?;
        draft.template.parameters = parameters.len() as u32;
        Ok(())
    }

    fn part(&mut self, draft: &mut Draft, findings: &mut Findings) -> Fallible<()> {
        if self.eat_word("local") {
            let span = self.here();
            let (key, variable) = self.variable(draft.scope)?;
            return draft.add(key, variable, span);
        }
        if self.eat_word("provided") {
            draft.template.provided = Some(self.within(draft.scope, Self::expression)?);
            return Ok(());
        }
        if self.eat_word("deterministic") {
            draft.template.deterministic = true;
            return Ok(());
        }
        if self.eat_word("entry") {
            draft.template.entry = self.location_name()?;
            return Ok(());
        }
        if self.eat_word("location") {
            return self.location(draft, findings);
        }
        self.expected("`local`, `provided`, `deterministic`, `entry`, `location` or `}`")
    }

    fn location_name(&mut self) -> Fallible<LocationId> {
        Ok(LocationId(self.numbered("s", "a location")?))
    }

    fn location(&mut self, draft: &mut Draft, findings: &mut Findings) -> Fallible<()> {
        let own = self.here();
        let number = self.numbered("s", "a location")?;
        self.in_order(number, draft.template.locations.len(), own)?;
        let span = self.span_or(own)?;
        let (mut location, mut first) = (empty_location(number, span), draft.next_edge());
        while self.mark(&mut location, &mut first)? {}
        draft.template.locations.push(location);
        let mut section = Section {
            first,
            edges: Vec::new(),
            span,
        };
        while self.is_edge() && !findings.gave_up() {
            let start = self.at;
            let edge = self.within(draft.scope, |r| r.edge(LocationId(number)));
            match findings.note(edge) {
                Some(edge) => section.edges.push(edge),
                None => self.skip_to_line(start),
            }
        }
        draft.sections.push(section);
        Ok(())
    }

    /// One of the marks of a location, if there is one more.
    fn mark(&mut self, location: &mut Location, first: &mut u32) -> Fallible<bool> {
        if let TokenKind::Text(_) = self.token().kind {
            location.labels.push(self.string()?);
        } else if self.eat_word("number") {
            location.number = self.natural()?;
        } else if self.eat_word("end") {
            location.end = true;
        } else if self.eat_word("progress") {
            location.progress = true;
        } else if self.eat_word("accept") {
            location.accept = true;
        } else if self.eat_word("silent") {
            location.silent = true;
        } else if self.eat_word("edges") {
            *first = self.natural()?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    pub(super) fn is_edge(&self) -> bool {
        let named = self
            .word()
            .is_some_and(|word| number_of(word, "s").is_some());
        named && self.is_symbol_ahead(1, "->")
    }

    /// After an error in an edge: on to the next line with an edge, a location or the end of the template.
    fn skip_to_line(&mut self, start: usize) {
        self.at = self.at.max(start + 1);
        while !self.at_end() && !self.goes_on() {
            self.advance();
        }
    }

    /// Whether a line begins here that can follow one with an edge.
    fn goes_on(&self) -> bool {
        let known = self.is_edge() || self.is_word("location") || self.token().outermost;
        known && self.token().first
    }

    fn edge(&mut self, from: LocationId) -> Fallible<Edge> {
        let start = self.here();
        let source = self.location_name()?;
        if source != from {
            let message =
                format!("expected an edge of the location {from} here, found one of {source}");
            return Err(error(start, message));
        }
        self.expect("->")?;
        let mut edge = Edge {
            source,
            target: self.location_name()?,
            step: Step::Else,
            control: Control::Release,
            escape: 0,
            text: String::new(),
            statement: 0,
            span: start,
            twin: false,
            parameters: Vec::new(),
            outcome: None,
        };
        let (mut span, mut text) = (None, None);
        while self.attribute(&mut edge, &mut span, &mut text)? {}
        let (step, own) = self.step()?;
        edge.step = step;
        edge.text = text.unwrap_or(own);
        edge.span = span.unwrap_or(self.since(start));
        Ok(edge)
    }

    /// One of the attributes of an edge, if there is one more.
    fn attribute(
        &mut self,
        edge: &mut Edge,
        span: &mut Option<Span>,
        text: &mut Option<String>,
    ) -> Fallible<bool> {
        if let Some(given) = self.place_in_source()? {
            *span = Some(given);
        } else if self.eat_word("text") {
            *text = Some(self.string()?);
        } else if self.eat_word("number") {
            edge.statement = self.natural()?;
        } else if self.eat_word("escape") {
            edge.escape = self.natural()?;
        } else if self.eat_word("hold") {
            edge.control = Control::Hold;
        } else if self.eat_word("twin") {
            edge.twin = true;
        } else if self.eat_word("outcome") {
            edge.outcome = Some(self.outcome()?);
        } else if self.is_word("for") {
            let parameter = self.parameter()?;
            edge.parameters.push(parameter);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// A parameter of an edge or a monitor: `for x named "i" of 1..3, 5 positions pool`.
    pub(super) fn parameter(&mut self) -> Fallible<Parameter> {
        let start = self.here();
        self.expect_word("for")?;
        let local = self.local_variable()?;
        self.expect_word("named")?;
        let name = self.string()?;
        let span = self.place_in_source()?;
        self.expect_word("of")?;
        let values = Values(self.list(Self::progression)?);
        let positions_of = match self.eat_word("positions") {
            true => Some(self.array()?),
            false => None,
        };
        Ok(Parameter {
            name,
            local,
            values,
            positions_of,
            span: span.unwrap_or(self.since(start)),
        })
    }

    /// A whole local variable.
    pub(super) fn local_variable(&mut self) -> Fallible<LocalId> {
        let variable = self.place()?;
        match variable.root {
            Root::Local(local) => Ok(local),
            // At first reading it is not known what names mean.
            _ if self.known.is_none() => Ok(LocalId(0)),
            _ => Err(error(variable.span, "expected a local variable")),
        }
    }

    /// The array whose positions a parameter goes through.
    fn array(&mut self) -> Fallible<GlobalId> {
        let place = self.place()?;
        match place.root {
            Root::Global(global) if place.path.is_empty() => Ok(global),
            _ if self.known.is_none() => Ok(GlobalId(0)),
            _ => Err(error(place.span, "expected a global variable")),
        }
    }

    /// Numbers at the same distance from each other.
    pub(super) fn progression(&mut self) -> Fallible<Progression> {
        let start = self.here();
        let first = self.integer()?;
        if !self.eat("..") {
            return Ok(Progression::range(first, 1));
        }
        let last = self.integer()?;
        let step = match self.eat_word("by") {
            true => self.integer()?,
            false => 1,
        };
        let steps = i128::from(last) - i128::from(first);
        let count = match steps.checked_rem(step.into()) {
            Some(0) if steps / i128::from(step) >= 0 => steps / i128::from(step) + 1,
            _ => {
                return Err(error(
                    start,
                    "the last number is not met from the first one",
                ));
            }
        };
        match u32::try_from(count) {
            Ok(count) => Ok(Progression { first, step, count }),
            Err(_) => Err(error(start, "these are too many numbers")),
        }
    }

    pub(super) fn start(&mut self) -> Fallible<()> {
        let (template, arguments, priority) = self.creation()?;
        let process = StartProcess {
            template,
            arguments,
            priority,
        };
        self.model.start.push(process);
        Ok(())
    }
}

impl Draft {
    /// The template, once all edges are in their places.
    fn finished(mut self) -> Fallible<(Template, HashMap<Key, LocalId>)> {
        for (location, section) in self.template.locations.iter_mut().zip(&self.sections) {
            let count = section.edges.len() as u32;
            location.edges = section.first..section.first.saturating_add(count);
        }
        self.sections.sort_by_key(|s| (s.first, s.edges.len()));
        for section in self.sections {
            let next = self.template.edges.len() as u32;
            if section.first != next && !section.edges.is_empty() {
                let message = format!(
                    "the edges of this location begin at {}, expected {next}",
                    section.first
                );
                return Err(error(section.span, message));
            }
            self.template.edges.extend(section.edges);
        }
        Ok((self.template, self.names))
    }
}

fn empty_location(number: u32, span: Span) -> Location {
    Location {
        number,
        labels: Vec::new(),
        end: false,
        progress: false,
        accept: false,
        silent: false,
        edges: 0..0,
        span,
    }
}
