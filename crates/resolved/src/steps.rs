//! From the intermediate representation to the resolved form: steps and effects.

use crate::expr::{ResolvedExpr, ResolvedKind};
use crate::place::{Base, ResolvedPlace, Store};
use crate::resolver::Resolver;
use crate::step::{
    Otherwise, Receipt, ResolvedChoice, ResolvedEffect, ResolvedNode, ResolvedRoutine,
    ResolvedSpawn, ResolvedStep,
};
use mandala_model::expr::{Expr, Pattern};
use mandala_model::function::CALL;
use mandala_model::ids::TemplateId;
use mandala_model::source::Span;
use mandala_model::template::{Effect, Insertion, Node, Print, Routine, Step};

impl Resolver<'_> {
    /// A step in resolved form; `span` is that of its edge or choice.
    pub fn step(&self, step: &Step, span: Span) -> ResolvedStep {
        match step {
            Step::Guarded { guard, effects } => ResolvedStep::Guarded {
                guard: self.expr(guard),
                effects: self.effects(effects, span),
            },
            Step::Else => ResolvedStep::Else,
            Step::Send {
                channel,
                order,
                message,
            } => ResolvedStep::Send {
                channel: self.expr(channel),
                order: *order,
                message: message.iter().map(|field| self.expr(field)).collect(),
            },
            Step::Receive {
                channel,
                order,
                keep,
                patterns,
            } => ResolvedStep::Receive(Receipt {
                channel: self.expr(channel),
                wanted: self.wanted(*order, patterns),
                keep: *keep,
                bindings: self.bindings(patterns),
            }),
            Step::Exit => ResolvedStep::Exit,
            Step::Routine(routine) => ResolvedStep::Routine(self.routine(routine)),
            Step::Call(_) => unreachable!("{CALL}"),
        }
    }

    fn bindings(&self, patterns: &[Pattern]) -> Vec<(u32, ResolvedPlace)> {
        let fields = (0..).zip(patterns);
        let fields = fields.filter_map(|(field, pattern)| match pattern {
            Pattern::Bind(place) => Some((field, self.place(place))),
            Pattern::Match(_) | Pattern::Ignore => None,
        });
        fields.collect()
    }

    fn routine(&self, routine: &Routine) -> ResolvedRoutine {
        let nodes = routine.nodes.iter();
        ResolvedRoutine {
            nodes: nodes.map(|node| self.node(node)).collect(),
        }
    }

    fn node(&self, node: &Node) -> ResolvedNode {
        let choices = node.choices.iter();
        let choices = choices.map(|choice| ResolvedChoice {
            step: self.step(&choice.step, choice.span),
            next: choice.next,
            span: choice.span,
        });
        ResolvedNode {
            choices: choices.collect(),
            quiet: node.quiet,
            span: node.span,
        }
    }

    fn effects(&self, effects: &[Effect], span: Span) -> Vec<ResolvedEffect> {
        let mut resolved = Vec::with_capacity(effects.len());
        for effect in effects {
            self.effect(effect, span, &mut resolved);
        }
        resolved
    }

    fn effect(&self, effect: &Effect, span: Span, resolved: &mut Vec<ResolvedEffect>) {
        resolved.push(match effect {
            Effect::Assign { place, value } => ResolvedEffect::Assign {
                place: self.place(place),
                value: self.expr(value),
            },
            Effect::Assert { condition } => ResolvedEffect::Check {
                condition: self.expr(condition),
                otherwise: Otherwise::Report(condition.span),
            },
            Effect::Print { text } => return self.print(text, resolved),
            Effect::Spawn {
                template,
                arguments,
                priority,
                result,
            } => ResolvedEffect::Spawn(ResolvedSpawn {
                template: *template,
                arguments: self.arguments(*template, arguments),
                priority: *priority,
                result: result.as_ref().map(|place| self.place(place)),
                span,
            }),
            Effect::SetPriority { process, priority } => ResolvedEffect::SetPriority {
                process: self.expr(process),
                priority: self.expr(priority),
            },
            Effect::Fail { .. } => never(span, Otherwise::Fail(span)),
            Effect::Abandon => never(span, Otherwise::Abandon),
            Effect::Insert(insertion) => return self.insert(insertion, span, resolved),
        });
    }

    /// Nobody is shown the values, but to compute them may fail.
    fn print(&self, text: &Print, resolved: &mut Vec<ResolvedEffect>) {
        let values = match text {
            Print::Format { arguments, .. } => arguments.as_slice(),
            Print::Name(value) => std::slice::from_ref(value),
        };
        let values = values.iter().map(|value| self.expr(value));
        let values = values.filter(|value| !is_plain(value));
        resolved.extend(values.map(ResolvedEffect::Evaluate));
    }

    /// What the parts of an insertion say one after the other.
    fn insert(&self, insertion: &Insertion, span: Span, resolved: &mut Vec<ResolvedEffect>) {
        let assign = |place, value| ResolvedEffect::Assign {
            place: self.place(place),
            value: self.expr(value),
        };
        resolved.push(ResolvedEffect::Check {
            condition: self.expr(&insertion.has_room),
            otherwise: Otherwise::Fail(span),
        });
        resolved.push(assign(&insertion.position, &insertion.first_free));
        let cells = insertion.cells.iter();
        resolved.extend(cells.map(|(place, value)| assign(place, value)));
    }

    /// The arguments of a new process, one a cell of its parameters, and what the cells keep of them.
    pub fn arguments(
        &self,
        template: TemplateId,
        arguments: &[Expr],
    ) -> Vec<(ResolvedExpr, Store)> {
        let template = self.model.template(template);
        let parameters = template.locals[..template.parameters as usize].iter();
        let scalars = parameters.flat_map(|parameter| self.model.scalars(&parameter.ty));
        let arguments = arguments.iter().zip(scalars);
        arguments
            .map(|(argument, scalar)| (self.expr(argument), Store::of(self.model, scalar)))
            .collect()
    }
}

/// A check that always fails.
fn never(span: Span, otherwise: Otherwise) -> ResolvedEffect {
    ResolvedEffect::Check {
        condition: ResolvedExpr::constant(0, span),
        otherwise,
    }
}

/// Whether an expression is a number or a cell that is known, so that it cannot fail.
fn is_plain(expr: &ResolvedExpr) -> bool {
    match &expr.kind {
        ResolvedKind::Const(_) => true,
        ResolvedKind::Read(place) => place.is_fixed() && !matches!(place.base, Base::Remote { .. }),
        _ => false,
    }
}
