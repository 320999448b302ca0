//! Invariants 7, 13 (for polls) and 15 to 18: what expressions and places refer to. The walk over
//! all of them also looks at invariants 23, 26 and 28.

use super::{Findings, Rule, quantifiers, structure};
use crate::expr::{Expr, ExprKind, Pattern, Place, Projection, Root};
use crate::function::Function;
use crate::ids::{FunctionId, GlobalId, LocalId, LocationId, MonitorId, TemplateId};
use crate::model::UncheckedModel;
use crate::source::Span;
use crate::template::{Effect, Print, Role, Routine, Step, Template};
use crate::types::{Initial, Type, Variable};

/// Checks all expressions and places of the model.
pub(super) fn check(model: &UncheckedModel, findings: &mut Findings) {
    let mut checker = Checker { model, findings };
    checker.records();
    checker.globals();
    checker.start();
    checker.conditions();
    checker.monitors();
    checker.rewards();
    for template in &model.templates {
        checker.findings.enter_template(&template.name);
        checker.template(template);
    }
    let of_monitors = model.functions_of_monitors();
    for (id, function) in (0..).map(FunctionId).zip(&model.functions) {
        checker.findings.enter_function(&function.name);
        checker.function(function, !of_monitors.contains(&id));
    }
    checker.findings.leave_template();
}

/// What may be used at a point of the model.
#[derive(Clone, Copy)]
struct Scope<'m> {
    /// The local variables, where there are some.
    variables: Option<&'m [Variable]>,
    /// The reference parameters of the function that it stands in.
    references: &'m [Variable],
    /// Whether a process evaluates it.
    is_process: bool,
    /// Only the locals before this one have their values.
    locals: usize,
    /// Only the globals before this one have their values.
    globals: usize,
}

struct Checker<'m, 'f> {
    model: &'m UncheckedModel,
    findings: &'f mut Findings,
}

impl<'m> Checker<'m, '_> {
    /// The scope of what no process evaluates.
    fn nobody(&self) -> Scope<'m> {
        Scope {
            variables: None,
            references: &[],
            is_process: false,
            locals: 0,
            globals: self.model.globals.len(),
        }
    }

    fn records(&mut self) {
        let scope = Scope {
            globals: 0,
            ..self.nobody()
        };
        for record in &self.model.records {
            for field in &record.fields {
                self.initial(scope, field);
            }
        }
    }

    fn globals(&mut self) {
        for (index, variable) in self.model.globals.iter().enumerate() {
            let scope = Scope {
                globals: index,
                ..self.nobody()
            };
            self.initial(scope, variable);
        }
    }

    fn initial(&mut self, scope: Scope<'m>, variable: &'m Variable) {
        match &variable.initial {
            Initial::Fill(value) => self.expression(scope, value),
            Initial::List(values) => self.expressions(scope, values),
            Initial::Default | Initial::NewChannel(_) => {}
        }
    }

    fn start(&mut self) {
        for process in &self.model.start {
            self.expressions(self.nobody(), &process.arguments);
        }
    }

    /// What properties ask, each condition in the scope of every property that asks it. That they exist is another rule.
    fn conditions(&mut self) {
        let conditions = &self.model.conditions;
        for property in &self.model.properties {
            let indices = property.kind.indices();
            let scope = Scope {
                variables: Some(indices),
                locals: indices.len(),
                ..self.nobody()
            };
            let asked = property.kind.conditions().into_iter();
            for condition in asked.filter_map(|id| conditions.get(id.index())) {
                self.expression(scope, &condition.condition);
            }
        }
    }

    fn monitors(&mut self) {
        let model = self.model;
        let scope = Scope {
            variables: Some(&model.monitor_scratch),
            locals: model.monitor_scratch.len(),
            ..self.nobody()
        };
        for (id, monitor) in (0..).map(MonitorId).zip(&model.monitors) {
            self.findings.monitor = Some(id);
            self.step(scope, &monitor.step);
        }
        self.findings.leave_template();
    }

    fn template(&mut self, template: &'m Template) {
        let scope = Scope {
            variables: Some(&template.locals),
            is_process: template.role == Role::Process,
            locals: template.locals.len(),
            ..self.nobody()
        };
        for (index, variable) in template.locals.iter().enumerate() {
            let before = Scope {
                locals: index,
                ..scope
            };
            self.initial(before, variable);
        }
        if let Some(provided) = &template.provided {
            self.expression(scope, provided);
        }
        for (index, edge) in template.edges.iter().enumerate() {
            self.findings.edge = Some(index as u32);
            self.step(scope, &edge.step);
            if let Some(outcome) = &edge.outcome {
                let visit = &mut |e| self.expression(scope, e);
                outcome.weight.each_whole(visit);
            }
        }
    }

    /// What states and steps earn.
    fn rewards(&mut self) {
        let (model, scope) = (self.model, self.nobody());
        for rewards in &model.rewards {
            rewards.each_whole(&mut |e| self.expression(scope, e));
        }
    }

    /// A function that no monitor calls is evaluated by processes alone.
    fn function(&mut self, function: &'m Function, is_process: bool) {
        let scope = Scope {
            variables: Some(&function.locals),
            references: &function.references,
            is_process,
            locals: function.locals.len(),
            ..self.nobody()
        };
        self.routine(scope, &function.body);
    }

    fn step(&mut self, scope: Scope<'m>, step: &'m Step) {
        match step {
            Step::Guarded { guard, effects } => {
                self.expression(scope, guard);
                effects.iter().for_each(|e| self.effect(scope, e));
            }
            Step::Send {
                channel, message, ..
            } => {
                self.expression(scope, channel);
                self.expressions(scope, message);
            }
            Step::Receive {
                channel, patterns, ..
            } => {
                self.expression(scope, channel);
                patterns.iter().for_each(|p| self.pattern(scope, p));
            }
            Step::Routine(routine) => self.routine(scope, routine),
            Step::Call(call) => {
                self.expressions(scope, &call.arguments);
                for place in call.references.iter().chain(&call.result) {
                    self.passed(scope, place);
                }
            }
            Step::Else | Step::Exit => {}
        }
    }

    fn routine(&mut self, scope: Scope<'m>, routine: &'m Routine) {
        for choice in routine.nodes.iter().flat_map(|n| &n.choices) {
            self.step(scope, &choice.step);
        }
    }

    fn effect(&mut self, scope: Scope<'m>, effect: &'m Effect) {
        match effect {
            Effect::Assign { place, value } => {
                self.target(scope, place);
                self.expression(scope, value);
            }
            Effect::Assert { condition } => self.expression(scope, condition),
            Effect::Print { text } => match text {
                Print::Format { arguments, .. } => self.expressions(scope, arguments),
                Print::Name(value) => self.expression(scope, value),
            },
            Effect::Spawn {
                arguments, result, ..
            } => {
                self.expressions(scope, arguments);
                result.iter().for_each(|place| self.target(scope, place));
            }
            Effect::SetPriority { process, priority } => {
                self.expression(scope, process);
                self.expression(scope, priority);
                self.priorities(process.span);
            }
            Effect::Fail { .. } | Effect::Abandon => {}
            Effect::Insert(insertion) => {
                self.expression(scope, &insertion.has_room);
                self.expression(scope, &insertion.first_free);
                self.target(scope, &insertion.position);
                for (place, value) in &insertion.cells {
                    self.target(scope, place);
                    self.expression(scope, value);
                }
            }
        }
    }

    fn pattern(&mut self, scope: Scope<'m>, pattern: &'m Pattern) {
        match pattern {
            Pattern::Match(value) => self.expression(scope, value),
            Pattern::Bind(place) => self.target(scope, place),
            Pattern::Ignore => {}
        }
    }

    /// A place that is passed to a function or gets its result, perhaps of many cells. That it fits is another rule.
    fn passed(&mut self, scope: Scope<'m>, place: &'m Place) {
        self.root(scope, place);
        place.walk(&mut |inner| self.node(scope, inner));
        place.each_part(&mut |part| quantifiers::check(part, self.findings));
    }

    /// A place that gets a value.
    fn target(&mut self, scope: Scope<'m>, place: &'m Place) {
        if place.root == Root::OwnPriority {
            self.priorities(place.span);
        }
        self.place(scope, place);
        place.walk(&mut |inner| self.node(scope, inner));
        place.each_part(&mut |part| quantifiers::check(part, self.findings));
    }

    fn priorities(&mut self, span: Span) {
        let set = self.model.prioritised;
        self.findings.require(set, Rule::Flags, span, || {
            "a priority is set in a model without priorities".into()
        });
    }

    fn expressions(&mut self, scope: Scope<'m>, expressions: &'m [Expr]) {
        expressions.iter().for_each(|e| self.expression(scope, e));
    }

    fn expression(&mut self, scope: Scope<'m>, expression: &'m Expr) {
        expression.walk(&mut |inner| self.node(scope, inner));
        quantifiers::check(expression, self.findings);
    }

    /// One node of an expression; those inside it are visited by the walk.
    fn node(&mut self, scope: Scope<'m>, node: &Expr) {
        match &node.kind {
            ExprKind::Read(place) => self.place(scope, place),
            ExprKind::SelfId => self.own(scope, node.span),
            ExprKind::LastMover => {
                let tracked = self.model.tracks_last_mover;
                self.findings.require(tracked, Rule::Flags, node.span, || {
                    "the last mover is read but not kept".into()
                });
            }
            ExprKind::Poll { patterns, .. } => {
                structure::fields(patterns.len(), node.span, self.findings);
                for pattern in patterns {
                    if let Pattern::Bind(place) = pattern {
                        self.place(scope, place);
                    }
                }
            }
            ExprKind::At {
                template, location, ..
            } => self.location(*template, *location, node.span),
            ExprKind::FirstInstance(template) => {
                self.template_of_processes(*template, node.span);
            }
            ExprKind::Enabled(_) => {
                let other = !self.model.is_system_of_rules();
                self.findings.require(other, Rule::Alone, node.span, || {
                    "somebody asks whether a process is enabled in a system of rules".into()
                });
            }
            ExprKind::Const(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..)
            | ExprKind::ProcessCount
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::Accepting
            | ExprKind::LocationNumber(_)
            | ExprKind::Priority(_)
            | ExprKind::Channel(..)
            | ExprKind::Quantified(_)
            | ExprKind::Bound(_) => {}
        }
    }

    fn location(&mut self, template: TemplateId, location: LocationId, span: Span) {
        if let Some(found) = self.template_of_processes(template, span) {
            let known = location.index() < found.locations.len();
            self.findings
                .require(known, Rule::ProcessReferences, span, || {
                    format!("{location} is no location of {}", found.name)
                });
        }
    }

    /// The template, if it is one that processes are made of.
    fn template_of_processes(&mut self, id: TemplateId, span: Span) -> Option<&'m Template> {
        let template = self.model.templates.get(id.index());
        let template = template.filter(|t| t.role == Role::Process);
        self.findings
            .require(template.is_some(), Rule::ProcessReferences, span, || {
                format!("{id} is no template of processes")
            });
        template
    }

    /// The process's own number or priority.
    fn own(&mut self, scope: Scope<'m>, span: Span) {
        self.findings
            .require(scope.is_process, Rule::Own, span, || {
                "no process evaluates this, so there is no own number or priority".into()
            });
    }

    fn place(&mut self, scope: Scope<'m>, place: &Place) {
        if let Some(ty) = self.root(scope, place) {
            let fits = self.ends_in_cell(ty, &place.path);
            self.findings.require(fits, Rule::Paths, place.span, || {
                "the path of a place does not lead to a cell of its variable".into()
            });
        }
    }

    /// The type of the variable of a place, if it has one.
    fn root(&mut self, scope: Scope<'m>, place: &Place) -> Option<&'m Type> {
        match &place.root {
            Root::Global(id) => self.global(scope, *id, place.span),
            Root::Local(id) => self.local(scope, *id, place.span),
            Root::Reference(number) => {
                let variable = scope.references.get(*number as usize);
                let name = format!("reference {number}");
                self.variable(variable, true, &name, place.span)
            }
            Root::Remote {
                template, local, ..
            } => self.remote(*template, *local, place.span),
            Root::OwnPriority => {
                self.own(scope, place.span);
                let plain = place.path.is_empty();
                self.findings.require(plain, Rule::Paths, place.span, || {
                    "a priority has no parts".into()
                });
                None
            }
        }
    }

    fn global(&mut self, scope: Scope<'m>, id: GlobalId, span: Span) -> Option<&'m Type> {
        let variable = self.model.globals.get(id.index());
        self.variable(variable, id.index() < scope.globals, &id, span)
    }

    fn local(&mut self, scope: Scope<'m>, id: LocalId, span: Span) -> Option<&'m Type> {
        self.findings
            .require(scope.variables.is_some(), Rule::Own, span, || {
                format!("{id} stands outside of all templates")
            });
        let variable = scope.variables?.get(id.index());
        self.variable(variable, id.index() < scope.locals, &id, span)
    }

    /// The type of a variable that exists and has its value at this point.
    fn variable(
        &mut self,
        variable: Option<&'m Variable>,
        ready: bool,
        id: &dyn std::fmt::Display,
        span: Span,
    ) -> Option<&'m Type> {
        self.findings
            .require(variable.is_some(), Rule::VariableIds, span, || {
                format!("there is no variable {id}")
            });
        let early = variable.is_some() && !ready;
        self.findings.require(!early, Rule::InitialOrder, span, || {
            format!("an initial value reads {id}, which has none yet")
        });
        variable.map(|v| &v.ty)
    }

    fn remote(&mut self, id: TemplateId, local: LocalId, span: Span) -> Option<&'m Type> {
        let template = self.template_of_processes(id, span)?;
        self.variable(template.locals.get(local.index()), true, &local, span)
    }

    fn ends_in_cell(&self, ty: &'m Type, path: &[Projection]) -> bool {
        let mut path = path.iter();
        let end = path.try_fold(ty, |ty, part| self.model.part(ty, part));
        matches!(end, Some(Type::Scalar(_)))
    }
}
