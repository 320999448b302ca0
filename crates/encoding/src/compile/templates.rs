//! Templates, and what happens before the first step.

use super::{Compiler, Parts, Scope, Unsupported};
use crate::code::{
    CompiledEdge, CompiledKind, CompiledLocation, CompiledTemplate, Entry, Op, StoreRule, Wrap,
};
use crate::layout::{CellInitial, Variables};
use mandala_model::ids::TemplateId;
use mandala_model::source::Span;
use mandala_model::step::Observers;
use mandala_model::template::{Control, Edge, Role, Step, Template};
use mandala_model::types::Variable;
use mandala_resolved::{FirstValue, Store};

impl Compiler<'_> {
    /// Compiles everything.
    pub fn parts(&mut self, observers: Observers) -> Result<Parts, Unsupported> {
        let globals = self.globals()?;
        let start = self.start()?;
        Ok(Parts {
            globals,
            start,
            after_start: self.here(),
            templates: self.templates(observers)?,
            claim: self.claim()?,
            events: observers.events.map(|id| self.observer(id)).transpose()?,
            kinds: self.kinds(),
        })
    }

    fn globals(&mut self) -> Result<Entry, Unsupported> {
        self.scope = Scope::Nobody;
        let entry = self.here();
        self.initial_values(&self.layout.globals, &self.model.globals, 0, 0)?;
        Ok(entry)
    }

    fn claim(&mut self) -> Result<Option<Entry>, Unsupported> {
        let Some(claim) = &self.layout.claim else {
            return Ok(None);
        };
        self.scope = Scope::Observer(claim.template, claim.base);
        let variables = &self.layout.templates[claim.template.index()].variables;
        let template = self.model.template(claim.template);
        if !variables.channels.is_empty() {
            return Err(Unsupported {
                message: "a claim has a channel of its own".to_string(),
                span: Some(template.span),
            });
        }
        let entry = self.here();
        self.initial_values(variables, &template.locals, 0, claim.base)?;
        Ok(Some(entry))
    }

    /// Code for the first values of the variables from number `from` on. The cells are those of the
    /// process that runs the code, or if there is none those of the fixed part, from `base` on.
    fn initial_values(
        &mut self,
        variables: &Variables,
        declared: &[Variable],
        from: usize,
        base: u32,
    ) -> Result<(), Unsupported> {
        let mut nth = 0;
        for (first, variable) in variables.offsets.iter().zip(declared).skip(from) {
            for cell in *first..*first + self.model.cells(&variable.ty) as u32 {
                let initial = &variables.initial[(cell - variables.start) as usize];
                self.initial_value(initial, base + cell, variable.span, &mut nth)?;
            }
        }
        self.emit(Op::Done);
        Ok(())
    }

    fn initial_value(
        &mut self,
        (initial, store): &(CellInitial, Store),
        offset: u32,
        span: Span,
        nth: &mut u32,
    ) -> Result<(), Unsupported> {
        let rule = StoreRule::of(*store);
        match initial {
            None | Some(FirstValue::Zero) => return Ok(()),
            Some(FirstValue::Value(value)) => {
                self.value(value, 0)?;
                let site = self.site(value.span);
                self.check_range(rule, 0, site);
            }
            Some(FirstValue::NewChannel(_)) => {
                let site = self.site(span);
                let nth_channel = *nth;
                self.emit(Op::NewChannel {
                    to: 0,
                    nth: nth_channel,
                    site,
                });
                *nth += 1;
            }
        }
        self.emit(self.store_initial(offset, rule));
        Ok(())
    }

    fn store_initial(&self, offset: u32, rule: StoreRule) -> Op {
        let wrap = rule.wrap;
        match self.scope {
            Scope::Process(_) => Op::StoreLocal {
                from: 0,
                wrap,
                offset,
            },
            _ => Op::StoreGlobal {
                from: 0,
                wrap,
                cell: offset,
            },
        }
    }

    fn start(&mut self) -> Result<Vec<(Entry, u32)>, Unsupported> {
        self.scope = Scope::Nobody;
        let mut start = Vec::new();
        for process in &self.model.start {
            let entry = self.here();
            let span = self.model.template(process.template).span;
            let resolver = self.resolver();
            let arguments = resolver.arguments(process.template, &process.arguments);
            self.arguments(&arguments, span)?;
            self.emit(Op::Done);
            let spawn = self.spawn(process.template, process.priority, span);
            start.push((entry, spawn));
        }
        Ok(start)
    }

    fn templates(&mut self, observers: Observers) -> Result<Vec<CompiledTemplate>, Unsupported> {
        let mut compiled: Vec<CompiledTemplate> = Vec::new();
        let (mut coverage, mut first_edge, mut first_action) = (0, 0, 0u32);
        let claim = observers.claim.map(|claim| self.model.runnable(claim));
        for (id, template) in self.model.runnables() {
            let mut observers = self.layout.claim.iter().chain(&self.layout.monitors);
            self.scope = match observers.find(|observer| observer.template == id) {
                Some(observer) => Scope::Observer(id, observer.base),
                None => Scope::Process(id),
            };
            let is_monitors = template.role == Role::Monitors;
            let runs = template.role == Role::Process || is_monitors || claim == Some(id);
            let mut next = self.template(id, template, runs)?;
            (next.coverage, next.first_edge) = (coverage, first_edge);
            if template.role == Role::Process {
                for edge in &mut next.edges {
                    edge.first_action = first_action;
                    first_action = first_action.saturating_add(edge.parameters.choices.max(1));
                }
            }
            coverage += next.locations.len() as u32;
            first_edge += next.edges.len() as u32;
            compiled.push(next);
        }
        Ok(compiled)
    }

    /// Compiles a template; of one that takes no part in the run only the locations. Its places in the table of
    /// coverage are left open.
    fn template(
        &mut self,
        id: TemplateId,
        template: &Template,
        runs: bool,
    ) -> Result<CompiledTemplate, Unsupported> {
        let edges = match runs {
            true => self.edges(template)?,
            false => Vec::new(),
        };
        let provided = match &template.provided {
            Some(provided) if runs => self.guard(&self.resolver().expr(provided))?,
            _ => None,
        };
        Ok(CompiledTemplate {
            locations: locations(template),
            edges,
            entry: template.entry.0,
            provided,
            initial: match template.role {
                Role::Process => self.locals_initial(id, template)?,
                _ => None,
            },
            parameters: self.parameters(id, template),
            coverage: 0,
            first_edge: 0,
        })
    }

    fn edges(&mut self, template: &Template) -> Result<Vec<CompiledEdge>, Unsupported> {
        let edges = template.edges.iter();
        edges.map(|edge| self.edge(edge, template)).collect()
    }

    fn edge(&mut self, edge: &Edge, template: &Template) -> Result<CompiledEdge, Unsupported> {
        let begin = self.here();
        let step = self.resolver().step(&edge.step, edge.span);
        let action = self.action(&step, edge.span)?;
        let parameters = self.edge_parameters(edge, &step)?;
        Ok(CompiledEdge {
            first_action: 0,
            alone: template.deterministic.then(|| self.site(edge.span)),
            target: edge.target.0,
            hold: edge.control == Control::Hold,
            escape: edge.escape,
            action,
            parameters,
            size: self.here() - begin,
        })
    }

    fn locals_initial(
        &mut self,
        id: TemplateId,
        template: &Template,
    ) -> Result<Option<Entry>, Unsupported> {
        let variables = &self.layout.templates[id.index()].variables;
        let entry = self.here();
        self.initial_values(variables, &template.locals, template.parameters as usize, 0)?;
        // Nothing but the end was emitted: nothing to run.
        Ok((self.here() > entry + 1).then_some(entry))
    }

    fn parameters(&self, id: TemplateId, template: &Template) -> Vec<(u32, Wrap)> {
        let variables = &self.layout.templates[id.index()].variables;
        let mut cells = Vec::new();
        let parameters = &template.locals[..template.parameters as usize];
        for (first, local) in variables.offsets.iter().zip(parameters) {
            let scalars = self.model.scalars(&local.ty);
            let stores = scalars
                .into_iter()
                .map(|scalar| Store::of(self.model, scalar));
            cells.extend((*first..).zip(stores.map(Wrap::of)));
        }
        cells
    }

    fn kinds(&self) -> Vec<CompiledKind> {
        let kinds = self.model.channel_kinds.iter();
        kinds
            .map(|kind| CompiledKind {
                capacity: kind.capacity,
                fields: {
                    let stores = kind.fields.iter().map(|f| Store::of(self.model, *f));
                    stores.map(StoreRule::of).collect()
                },
            })
            .collect()
    }
}

fn locations(template: &Template) -> Vec<CompiledLocation> {
    let meetings = meetings(template);
    let locations = template.locations.iter().zip(meetings);
    locations
        .map(|(location, meeting)| CompiledLocation {
            edges: location.edges.clone(),
            end: location.end,
            progress: location.progress,
            accept: location.accept,
            number: location.number,
            meeting,
        })
        .collect()
}

/// Where ways may meet: several edges lead there, or one and the entry. Where a message was sent or received, too, since
/// control may come from another process, which has its own ways.
fn meetings(template: &Template) -> Vec<bool> {
    let mut ways = vec![0u32; template.locations.len()];
    ways[template.entry.index()] = 1;
    for edge in &template.edges {
        let alone = !matches!(edge.step, Step::Send { .. } | Step::Receive { .. });
        let many = &mut ways[edge.target.index()];
        *many = many.saturating_add(if alone { 1 } else { 2 });
    }
    ways.into_iter().map(|ways| ways > 1).collect()
}
