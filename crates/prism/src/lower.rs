//! Commands that are taken at once as edges of one automaton, one edge for each outcome.

mod parallel;
mod start;

use crate::ast::{Earner, Rewards as DeclaredRewards};
use crate::compose::Combined;
use crate::layout::Layout;
use crate::names::Formulas;
use crate::system::{Assignment, TypedCommand, TypedModule};
use crate::terms::{Names, RealTerm, Term, balanced, both, mismatch, not};
use dashu_ratio::RBig;
use mandala_model::chance::{
    Alternative, Outcome, Quantity, Rewards, StateReward, StepReward, Stochastic,
};
use mandala_model::expr::{BinaryOp, Expr};
use mandala_model::findings::{Fallible, Findings};
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::model::{Arithmetic, Language, StartProcess, UncheckedModel};
use mandala_model::source::Span;
use mandala_model::template::{Control, Edge, Effect, Location, Role, Step, Template};
use std::sync::Arc;

/// What the model is made of.
pub(crate) struct Parts<'p> {
    pub(crate) kind: Stochastic,
    pub(crate) layout: &'p Layout,
    pub(crate) modules: &'p [TypedModule],
    pub(crate) combined: &'p [Combined],
    /// Where runs start, if that is said.
    pub(crate) init: Option<&'p crate::ast::Expr>,
    /// The whole text.
    pub(crate) span: Span,
}

/// The model without rewards and properties.
pub(crate) fn lower(parts: &Parts<'_>, names: &Names) -> Fallible<UncheckedModel> {
    let mut model = UncheckedModel::new(Language::Prism, Arithmetic::Checked64);
    model.stochastic = Some(parts.kind);
    let mut lowering = Lowering {
        parts,
        names,
        template: Template::empty("system", Role::Process, parts.span),
        edges: Vec::new(),
    };
    let initial = lowering.starts(&mut model)?;
    parts.layout.declare(&mut model, &initial);
    let run = LocationId::from(lowering.edges.len() - 1);
    for (number, combined) in (0..).zip(parts.combined) {
        lowering.combined(run, Alternative(number), combined)?;
    }
    lowering.finish(&mut model);
    Ok(model)
}

struct Lowering<'p> {
    parts: &'p Parts<'p>,
    names: &'p Names,
    template: Template,
    /// The edges of each location.
    edges: Vec<Vec<Edge>>,
}

/// One way in which commands that are taken at once may go on.
struct Joint {
    weight: RealTerm,
    not_zero: Expr,
    assignments: Vec<Assignment>,
}

impl Lowering<'_> {
    fn location(&mut self, name: &str) -> LocationId {
        self.template.locations.push(Location {
            number: self.edges.len() as u32,
            labels: vec![name.into()],
            // A state that nothing leads out of stays as it is.
            end: true,
            progress: false,
            accept: false,
            silent: true,
            edges: 0..0,
            span: self.parts.span,
        });
        self.edges.push(Vec::new());
        LocationId::from(self.edges.len() - 1)
    }

    fn command(&self, (module, number): (usize, usize)) -> &TypedCommand {
        &self.parts.modules[module].commands[number]
    }

    /// The edges of commands that are taken at once.
    fn combined(
        &mut self,
        run: LocationId,
        alternative: Alternative,
        combined: &Combined,
    ) -> Fallible<()> {
        let first = self.command(combined.commands[0]);
        let span = first.span;
        let guards = combined.commands.iter();
        let guards = guards.map(|number| self.command(*number).guard.clone());
        let guards: Vec<Expr> = guards
            .filter(|guard| guard.as_constant() != Some(1))
            .collect();
        let guard = balanced(BinaryOp::And, guards).unwrap_or_else(|| Expr::constant(1, span));
        let text = self.text(combined);
        let joints = self.joints(combined)?;
        let count = joints.len();
        let mut commands = combined.commands.iter();
        let is_whole = commands.all(|number| self.command(*number).is_whole);
        if self.parts.kind != Stochastic::Ctmc && !is_whole {
            self.report_nothing(run, (&guard, &joints), &text, span);
        }
        for (number, joint) in (1..).zip(joints) {
            let outcome = Outcome {
                alternative,
                weight: joint.weight.quantity,
                action: combined.action.as_ref().map(ToString::to_string),
            };
            let effects = self.at_once(joint.assignments);
            let text = match count {
                1 => text.clone(),
                _ => format!("{text} #{number}"),
            };
            let step = Step::Guarded {
                guard: both(guard.clone(), joint.not_zero, span),
                effects,
            };
            self.add(run, run, (step, text, span), Some(outcome));
        }
        Ok(())
    }

    /// A run-time error where all probabilities are 0.
    fn report_nothing(
        &mut self,
        run: LocationId,
        (guard, joints): (&Expr, &[Joint]),
        text: &str,
        span: Span,
    ) {
        let may_be_zero = |joint: &Joint| joint.not_zero.as_constant().is_none();
        if !joints.iter().all(may_be_zero) {
            return;
        }
        let all_zero = joints.iter().map(|joint| not(joint.not_zero.clone()));
        let all_zero = balanced(BinaryOp::And, all_zero.collect());
        let all_zero = all_zero.unwrap_or_else(|| Expr::constant(1, span));
        let step = Step::Guarded {
            guard: both(guard.clone(), all_zero, span),
            effects: vec![Effect::Fail {
                message: "the probabilities add up to 0, not to 1".into(),
            }],
        };
        self.add(run, run, (step, text.to_owned(), span), None);
    }

    /// The product of the distributions of commands that are taken at once.
    fn joints(&self, combined: &Combined) -> Fallible<Vec<Joint>> {
        let span = self.command(combined.commands[0]).span;
        let mut joints = vec![Joint {
            weight: RealTerm::constant(RBig::ONE),
            not_zero: Expr::constant(1, span),
            assignments: Vec::new(),
        }];
        for number in &combined.commands {
            let command = self.command(*number);
            let mut next = Vec::with_capacity(joints.len() * command.outcomes.len());
            for joint in &joints {
                for outcome in &command.outcomes {
                    let weight = joint.weight.clone();
                    let assignments = [&joint.assignments[..], &outcome.assignments[..]];
                    next.push(Joint {
                        weight: weight.times(outcome.weight.clone(), command.span)?,
                        not_zero: both(joint.not_zero.clone(), outcome.not_zero.clone(), span),
                        assignments: assignments.concat(),
                    });
                }
            }
            joints = next;
        }
        Ok(joints)
    }

    /// What people call the step: its action, and the modules that take it.
    fn text(&self, combined: &Combined) -> String {
        let action = combined.action.as_deref().unwrap_or("");
        let commands = combined.commands.iter();
        let modules: Vec<&str> = commands
            .map(|number| &*self.command(*number).module)
            .collect();
        match modules.len() {
            0..=MODULES_SHOWN => format!("[{action}] {}", modules.join(" & ")),
            count => format!("[{action}] {count} modules"),
        }
    }

    fn add(
        &mut self,
        source: LocationId,
        target: LocationId,
        (step, text, span): (Step, String, Span),
        outcome: Option<Outcome>,
    ) {
        self.edges[source.index()].push(Edge {
            source,
            target,
            step,
            control: Control::Release,
            escape: 0,
            text,
            statement: 0,
            span,
            twin: false,
            parameters: Vec::new(),
            outcome,
        });
    }

    fn finish(mut self, model: &mut UncheckedModel) {
        for (number, edges) in self.edges.into_iter().enumerate() {
            let first = self.template.edges.len() as u32;
            self.template.edges.extend(edges);
            let end = self.template.edges.len() as u32;
            self.template.locations[number].edges = first..end;
        }
        for (edge, number) in self.template.edges.iter_mut().zip(0..) {
            edge.statement = number;
        }
        model.start.push(StartProcess {
            template: TemplateId(0),
            arguments: Vec::new(),
            priority: 1,
        });
        model.templates.push(self.template);
    }
}

/// How many modules are named in the text of a step.
const MODULES_SHOWN: usize = 4;

/// Adds the structures of rewards to the model.
pub(crate) fn rewards(
    model: &mut UncheckedModel,
    declared: Vec<DeclaredRewards>,
    (names, formulas): (&Names, &mut Formulas),
    findings: &mut Findings,
) {
    for mut of in declared {
        let mut rewards = Rewards {
            name: of.name.as_ref().map(|name| name.name.to_string()),
            states: Vec::new(),
            steps: Vec::new(),
            span: of.span,
        };
        for item in &mut of.items {
            let put = formulas.put_into(&mut item.guard);
            let put = put.and_then(|_| formulas.put_into(&mut item.amount));
            let known = put.and_then(|_| {
                let guard = names.condition(&item.guard)?;
                Ok((guard, amount(names, &item.amount)?))
            });
            let Some((guard, amount)) = findings.note(known) else {
                continue;
            };
            let (span, guard) = (item.span, guard);
            match &item.of {
                Earner::State => rewards.states.push(StateReward {
                    guard,
                    amount,
                    span,
                }),
                Earner::Steps(action) => rewards.steps.push(StepReward {
                    action: action.as_ref().map(|action| action_name(&action.name)),
                    guard,
                    amount,
                    span,
                }),
            }
        }
        model.rewards.push(rewards);
    }
}

fn action_name(name: &Arc<str>) -> String {
    name.to_string()
}

fn amount(names: &Names, tree: &crate::ast::Expr) -> Fallible<Quantity> {
    match names.term(tree)? {
        Term::Int(term) => Ok(RealTerm::of_int(&term).quantity),
        Term::Real(term) => Ok(term.quantity),
        found @ Term::Bool(_) => Err(mismatch("a number", &found, tree.span)),
    }
}
