//! The updates of a transition, all at once.
//!
//! An update of all elements that keeps most of them as they are changes single elements. What is left of such updates is one loop over all processes.
//! What reads something that changes is calculated first: into scratch variables before the loop, and inside of it, where an element reads others of its own process, into
//! those of the process.

use super::{Each, Lowering, Scope, assign, element, guarded, local, shared};
use crate::typed::{
    Formula, FormulaKind, Kind, NewValue, Process, Target, Term, TermKind, Transition, UpdateValue,
};
use mandala_model::expr::{Expr, ExprKind, Place, Root};
use mandala_model::ids::{LocalId, NodeId};
use mandala_model::loops::Loop;
use mandala_model::parameters::Parameter;
use mandala_model::source::Span;
use mandala_model::template::{Choice, Effect, Node, Routine, Step};
use mandala_model::types::Scalar;

/// One variable, or one element, that gets a value.
struct Single {
    target: Target,
    value: NewValue,
    span: Span,
}

/// All elements of an array, each of which gets a value.
struct Whole {
    array: usize,
    value: NewValue,
    span: Span,
}

impl Lowering<'_> {
    /// The step of a transition with that guard. Any value is one more parameter.
    pub(super) fn updates(
        &mut self,
        transition: &Transition,
        guard: Expr,
        mut scope: Scope,
        parameters: &mut Vec<Parameter>,
    ) -> Step {
        let mut singles = Vec::new();
        let mut wholes = Vec::new();
        let mut chosen = Vec::new();
        for update in &transition.updates {
            let span = update.span;
            match (&update.value, update.target) {
                (UpdateValue::Any(place), target) => {
                    let kind = self.system.variables[variable(target)].kind;
                    let any = self.scratch("value", kind, *place);
                    parameters.push(self.parameter("value", any, kind, *place));
                    chosen.push(assign(self.place(target, &scope, span), local(any, span)));
                }
                (UpdateValue::New(value), Target::Array(array)) => match few(array, value) {
                    Some(few) => singles.extend(few.into_iter().map(|(parameter, value)| {
                        let target = Target::Element(array, parameter);
                        let value = NewValue::of(value);
                        Single {
                            target,
                            value,
                            span,
                        }
                    })),
                    None => wholes.push(Whole {
                        array,
                        value: value.clone(),
                        span,
                    }),
                },
                (UpdateValue::New(value), target) => singles.push(Single {
                    target,
                    value: value.clone(),
                    span,
                }),
            }
        }
        let changed: Vec<usize> = transition
            .updates
            .iter()
            .map(|u| variable(u.target))
            .collect();
        let mut first = Vec::new();
        let mut last = chosen;
        for single in singles {
            let place = self.place(single.target, &scope, single.span);
            let mut value = self.new_value(&single.value, &scope, single.span);
            if reads(&single.value).any(|variable| changed.contains(&variable)) {
                let kind = self.system.variables[variable(single.target)].kind;
                let before = self.scratch("new", kind, single.span);
                let scratch = Place::variable(Root::Local(before), single.span);
                first.push(assign(scratch, value));
                value = local(before, single.span);
            }
            last.push(assign(place, value));
        }
        if wholes.is_empty() {
            first.extend(last);
            return guarded(guard, first);
        }
        let each = self.scratch("each", Kind::Process, transition.span);
        scope.each = Each::Local(each);
        let inside = self.inside(&wholes, &mut scope, &mut first);
        self.for_each(transition, guard, each, [first, inside, last])
    }

    /// What happens to each process in the loop. What reads elements of parameters that change is noted before.
    fn inside(
        &mut self,
        wholes: &[Whole],
        scope: &mut Scope,
        first: &mut Vec<Effect>,
    ) -> Vec<Effect> {
        let arrays: Vec<usize> = wholes.iter().map(|whole| whole.array).collect();
        for term in wholes.iter().flat_map(|whole| whole.value.terms()) {
            let known = scope.noted(term.kind).is_some();
            if let TermKind::Element(array, Process::Parameter(_)) = term.kind
                && arrays.contains(&array)
                && !known
            {
                let old = self.scratch("old", self.system.variables[array].kind, term.span);
                let scratch = Place::variable(Root::Local(old), term.span);
                first.push(assign(scratch, self.term(term, scope)));
                scope.noted.push((term.kind, old));
            }
        }
        let mut calculated = Vec::new();
        let mut assigned = Vec::new();
        for (number, whole) in wholes.iter().enumerate() {
            let mut value = self.new_value(&whole.value, scope, whole.span);
            let mut reads = reads(&whole.value);
            if reads.any(|variable| arrays[..number].contains(&variable)) {
                let kind = self.system.variables[whole.array].kind;
                let new = self.scratch("new", kind, whole.span);
                let scratch = Place::variable(Root::Local(new), whole.span);
                calculated.push(assign(scratch, value));
                value = local(new, whole.span);
            }
            let Each::Local(each) = scope.each else {
                unreachable!("it is inside of a loop");
            };
            let place = element(whole.array, local(each, whole.span));
            assigned.push(assign(place, value));
        }
        calculated.extend(assigned);
        calculated
    }

    fn place(&self, target: Target, scope: &Scope, span: Span) -> Place {
        match target {
            Target::Shared(variable) => shared(variable, span),
            Target::Element(array, parameter) => {
                element(array, local(scope.parameters[parameter], span))
            }
            Target::Array(_) => unreachable!("single elements are assigned"),
        }
    }

    fn new_value(&self, value: &NewValue, scope: &Scope, span: Span) -> Expr {
        let otherwise = self.term(value.otherwise, scope);
        value
            .cases
            .iter()
            .rev()
            .fold(otherwise, |rest, (condition, value)| {
                let parts = [
                    self.formula(condition, scope),
                    self.term(*value, scope),
                    rest,
                ];
                let [condition, yes, no] = parts.map(Box::new);
                Expr::new(ExprKind::Conditional(condition, yes, no), span)
            })
    }

    /// A step that does the first part, then the second for each process, and then the third.
    fn for_each(
        &mut self,
        transition: &Transition,
        guard: Expr,
        each: LocalId,
        [mut first, inside, last]: [Vec<Effect>; 3],
    ) -> Step {
        let span = transition.span;
        let max = i64::from(self.processes);
        let passed = self.scratch_variable("passed", Scalar::Range { min: 0, max }, span);
        self.template.locals.push(passed);
        let head = Loop {
            head: NodeId(1),
            variable: each,
            position: LocalId::from(self.template.locals.len() - 1),
            values: self.values(Kind::Process),
            span,
        };
        let choice = |step, next: Option<u32>| Choice {
            step,
            next: next.map(NodeId),
            text: transition.name.to_string(),
            span,
        };
        let node = |choices| Node {
            choices,
            quiet: false,
            number: 0,
            span,
        };
        let always = || Expr::constant(1, span);
        first.push(head.begins());
        let next = guarded(head.goes_on(), head.takes_next().to_vec());
        Step::Routine(Routine {
            nodes: vec![
                node(vec![choice(guarded(guard, first), Some(1))]),
                node(vec![
                    choice(next, Some(2)),
                    choice(guarded(always(), last), None),
                ]),
                node(vec![choice(guarded(always(), inside), Some(1))]),
            ],
            loops: vec![head],
        })
    }
}

fn variable(target: Target) -> usize {
    match target {
        Target::Shared(variable) | Target::Element(variable, _) | Target::Array(variable) => {
            variable
        }
    }
}

/// The variables that a value depends on.
fn reads(value: &NewValue) -> impl Iterator<Item = usize> + use<> {
    value
        .terms()
        .into_iter()
        .filter_map(|term| match term.kind {
            TermKind::Shared(variable) | TermKind::Element(variable, _) => Some(variable),
            TermKind::Value(..) | TermKind::Process(_) => None,
        })
}

/// The elements of parameters that change, and what they get, if all others stay as they are.
fn few(array: usize, value: &NewValue) -> Option<Vec<(usize, Term)>> {
    if value.otherwise.kind != TermKind::Element(array, Process::Each) {
        return None;
    }
    let mut few: Vec<(usize, Term)> = Vec::new();
    for (condition, value) in &value.cases {
        let parameter = named(condition)?;
        // The first case that is true counts.
        if few.iter().all(|(earlier, _)| *earlier != parameter) {
            few.push((parameter, of_parameter(*value, parameter)));
        }
    }
    Some(few)
}

/// The parameter that a condition says each process is.
fn named(condition: &Formula) -> Option<usize> {
    match &condition.kind {
        FormulaKind::Compare(true, left, right) => match (left.kind, right.kind) {
            (
                TermKind::Process(Process::Each),
                TermKind::Process(Process::Parameter(parameter)),
            )
            | (
                TermKind::Process(Process::Parameter(parameter)),
                TermKind::Process(Process::Each),
            ) => Some(parameter),
            _ => None,
        },
        _ => None,
    }
}

/// A term about each process as one about a parameter.
fn of_parameter(mut term: Term, parameter: usize) -> Term {
    let process = Process::Parameter(parameter);
    term.kind = match term.kind {
        TermKind::Element(array, Process::Each) => TermKind::Element(array, process),
        TermKind::Process(Process::Each) => TermKind::Process(process),
        kind => kind,
    };
    term
}
