//! Variables and commands with all names and types known.

use crate::ast::{Command, Declaration, Ident, Range, Update};
use crate::layout::{Layout, Variable};
use crate::names::WholeModule;
use crate::terms::{IntTerm, Kind, Names, RealTerm, Slot, Term, Value, mismatch, not_zero};
use dashu_ratio::RBig;
use mandala_model::chance::{Operation, Quantity, Stochastic};
use mandala_model::expr::{Expr, ExprKind};
use mandala_model::findings::{Fallible, Findings, error, error_help};
use mandala_model::source::{FileId, Span};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A module whose commands are known.
pub(crate) struct TypedModule {
    pub(crate) name: Ident,
    /// All actions that it names.
    pub(crate) actions: Vec<Arc<str>>,
    pub(crate) commands: Vec<TypedCommand>,
}

pub(crate) struct TypedCommand {
    pub(crate) module: Arc<str>,
    pub(crate) action: Option<Arc<str>>,
    pub(crate) guard: Expr,
    pub(crate) outcomes: Vec<TypedOutcome>,
    /// Whether probabilities are known to add up to 1, whatever the state is.
    pub(crate) is_whole: bool,
    pub(crate) span: Span,
}

#[derive(Clone)]
pub(crate) struct TypedOutcome {
    pub(crate) weight: RealTerm,
    /// Where that is not zero.
    pub(crate) not_zero: Expr,
    pub(crate) assignments: Vec<Assignment>,
}

#[derive(Clone)]
pub(crate) struct Assignment {
    pub(crate) slot: Slot,
    pub(crate) value: Expr,
    pub(crate) span: Span,
}

/// Declares all variables: those that are global first, then those of modules.
pub(crate) fn declare(
    (globals, modules): (&[Declaration], &[WholeModule]),
    names: &mut Names,
    has_init: bool,
    findings: &mut Findings,
) -> Layout {
    let of_modules = modules.iter().flat_map(|module| {
        let own = module.contents.variables.iter();
        own.map(move |variable| (Some(&module.name), variable))
    });
    let all = globals
        .iter()
        .map(|global| (None, global))
        .chain(of_modules);
    let mut variables: Vec<Variable> = Vec::new();
    let mut seen = HashSet::new();
    for (module, declared) in all {
        let name = &declared.name;
        if !seen.insert(name.name.clone()) {
            let message = format!("there are two variables `{}`", name.name);
            findings.push(*error(name.span, message));
            continue;
        }
        let variable = variable(declared, module, names, has_init);
        variables.extend(findings.note(variable));
    }
    let layout = Layout::of(variables, modules);
    names.variables = layout.slots();
    layout
}

fn variable(
    declared: &Declaration,
    module: Option<&Ident>,
    names: &Names,
    has_init: bool,
) -> Fallible<Variable> {
    let kind = match &declared.range {
        Range::Bool => Kind::Bool,
        Range::Between(low, high) => {
            let (first, last) = (known_int(names, low)?, known_int(names, high)?);
            if first > last || i128::from(last) - i128::from(first) >= 1 << 32 {
                let message = format!("the range [{first}..{last}] has no values or too many");
                return Err(error(low.span.to(high.span), message));
            }
            Kind::Int(first, last)
        }
    };
    let initial = match &declared.init {
        Some(init) if has_init => {
            let message =
                "there is `init ... endinit`, so variables have no first values of their own";
            return Err(error(init.span, message));
        }
        Some(init) => first_value(names, kind, init)?,
        None => match kind {
            Kind::Bool => 0,
            Kind::Int(low, _) => low,
        },
    };
    Ok(Variable {
        name: declared.name.clone(),
        module: module.map(|module| module.name.clone()),
        kind,
        initial,
    })
}

fn known_int(names: &Names, tree: &crate::ast::Expr) -> Fallible<i64> {
    match names.value(tree)? {
        Value::Int(value) => Ok(value),
        Value::Bool(_) => Err(error(tree.span, "expected an integer, found a truth value")),
        Value::Real(_) => {
            let message = "expected an integer, found a number with a fraction";
            let help = "`floor` and `ceil` make an integer of it";
            Err(error_help(tree.span, message, help))
        }
    }
}

fn first_value(names: &Names, kind: Kind, init: &crate::ast::Expr) -> Fallible<i64> {
    match (kind, names.value(init)?) {
        (Kind::Bool, Value::Bool(value)) => Ok(i64::from(value)),
        (Kind::Int(low, high), Value::Int(value)) if (low..=high).contains(&value) => Ok(value),
        (Kind::Int(low, high), Value::Int(value)) => {
            let message = format!("the first value {value} is not in the range [{low}..{high}]");
            Err(error(init.span, message))
        }
        (Kind::Bool, _) => Err(error(init.span, "the first value is no truth value")),
        (Kind::Int(..), _) => Err(error(init.span, "the first value is no integer")),
    }
}

/// The commands of all modules.
pub(crate) fn commands(
    modules: Vec<WholeModule>,
    names: &Names,
    layout: &Layout,
    kind: Stochastic,
    findings: &mut Findings,
) -> Vec<TypedModule> {
    let checker = Checker {
        names,
        layout,
        kind,
    };
    let mut typed = Vec::new();
    for module in modules {
        let mut actions: Vec<Arc<str>> = Vec::new();
        let mut commands = Vec::new();
        for command in &module.contents.commands {
            if findings.gave_up() {
                break;
            }
            if let Some(action) = &command.action
                && !actions.contains(&action.name)
            {
                actions.push(action.name.clone());
            }
            let command = checker.command(command, &module.name);
            commands.extend(findings.note(command));
        }
        typed.push(TypedModule {
            name: module.name,
            actions,
            commands,
        });
    }
    typed
}

struct Checker<'a> {
    names: &'a Names,
    layout: &'a Layout,
    kind: Stochastic,
}

impl Checker<'_> {
    fn command(&self, command: &Command, module: &Ident) -> Fallible<TypedCommand> {
        let guard = self.names.condition(&command.guard)?;
        let mut outcomes = Vec::new();
        for update in &command.updates {
            outcomes.push(self.update(update, command, module)?);
        }
        self.require_sum(&outcomes, command)?;
        let never = |outcome: &TypedOutcome| outcome.not_zero.as_constant() == Some(0);
        outcomes.retain(|outcome| !never(outcome));
        Ok(TypedCommand {
            module: module.name.clone(),
            action: command.action.as_ref().map(|action| action.name.clone()),
            guard,
            is_whole: is_whole(&outcomes),
            outcomes,
            span: command.span,
        })
    }

    fn update(&self, update: &Update, command: &Command, module: &Ident) -> Fallible<TypedOutcome> {
        let (weight, span) = match &update.weight {
            Some(weight) => (self.names.real(weight)?, weight.span),
            None => (RealTerm::constant(RBig::ONE), update.span),
        };
        if let Some(value) = weight.quantity.as_constant()
            && *value < RBig::ZERO
        {
            let what = match self.kind {
                Stochastic::Ctmc => "rate",
                Stochastic::Dtmc | Stochastic::Mdp => "probability",
            };
            return Err(error(span, format!("the {what} {value} is negative")));
        }
        let mut assignments: Vec<Assignment> = Vec::new();
        let mut assigned = HashSet::new();
        for (target, value) in &update.assignments {
            if !assigned.insert(target.name.clone()) {
                let message = format!("`{}` gets two values at once", target.name);
                return Err(error(target.span, message));
            }
            assignments.push(self.assignment(target, value, command, module)?);
        }
        Ok(TypedOutcome {
            not_zero: not_zero(&weight, span)?,
            weight,
            assignments,
        })
    }

    fn assignment(
        &self,
        target: &Ident,
        value: &crate::ast::Expr,
        command: &Command,
        module: &Ident,
    ) -> Fallible<Assignment> {
        let name = &target.name;
        let Some(slot) = self.names.variables.get(name) else {
            let what = match self.names.constants.contains_key(name) {
                true => format!("`{name}` is a constant, and constants never change"),
                false => format!("there is no variable `{name}`"),
            };
            return Err(error(target.span, what));
        };
        match self.layout.owner(name) {
            Some(owner) if *owner != module.name => {
                let message = format!(
                    "`{name}` belongs to the module `{owner}`, and only that may change it"
                );
                return Err(error_help(target.span, message, "declare it as `global`"));
            }
            None if command.action.is_some() => {
                let message = format!(
                    "the global variable `{name}` is changed by a command that may synchronise with others"
                );
                let help = "only commands without an action may change global variables";
                return Err(error_help(target.span, message, help));
            }
            _ => {}
        }
        let value_of = match (slot.kind, self.names.term(value)?) {
            (Kind::Bool, Term::Bool(expr)) => expr,
            (Kind::Int(low, high), Term::Int(term)) => {
                in_range(term, (low, high), name, value.span)?
            }
            (Kind::Bool, other) => return Err(mismatch("a truth value", &other, value.span)),
            (Kind::Int(..), other) => return Err(mismatch("an integer", &other, value.span)),
        };
        Ok(Assignment {
            slot: *slot,
            value: value_of,
            span: target.span.to(value.span),
        })
    }

    /// Probabilities that are known add up to 1.
    fn require_sum(&self, outcomes: &[TypedOutcome], command: &Command) -> Fallible<()> {
        if self.kind == Stochastic::Ctmc {
            return Ok(());
        }
        let mut sum = RBig::ZERO;
        for outcome in outcomes {
            match outcome.weight.quantity.as_constant() {
                Some(weight) => sum += weight,
                None => return Ok(()),
            }
        }
        if sum == RBig::ONE {
            return Ok(());
        }
        let first = command.updates.first().map(|update| update.span);
        let last = command.updates.last().map(|update| update.span);
        let span = first.zip(last).map_or(command.span, |(a, b)| a.to(b));
        let message = format!("the probabilities add up to {sum}, not to 1");
        let help = "they are exact: write `1/3` in place of 0.333";
        Err(error_help(span, message, help))
    }
}

/// Whether weights are constants, whose sum has been looked at, or one is what another leaves of 1.
fn is_whole(outcomes: &[TypedOutcome]) -> bool {
    let mut weights = outcomes.iter().map(|outcome| &outcome.weight.quantity);
    if weights.clone().all(|weight| weight.as_constant().is_some()) {
        return true;
    }
    let pair = (weights.next(), weights.next(), weights.next());
    let (Some(first), Some(second), None) = pair else {
        return false;
    };
    let leaves = |rest: &Quantity, weight: &Quantity| match rest {
        Quantity::Operation(Operation::Subtract, one, other) => {
            one.as_constant() == Some(&RBig::ONE) && same(other, weight)
        }
        _ => false,
    };
    leaves(first, second) || leaves(second, first)
}

/// Whether two quantities are the same, wherever they stand.
fn same(a: &Quantity, b: &Quantity) -> bool {
    let bare = |quantity: &Quantity| {
        let mut quantity = quantity.clone();
        let nowhere = Span::new(FileId(0), 0, 0);
        quantity.each_whole_mut(&mut |whole| {
            whole.each_mut(&mut |part| {
                part.span = nowhere;
                if let ExprKind::Read(place) = &mut part.kind {
                    place.span = nowhere;
                }
            });
        });
        quantity
    };
    bare(a) == bare(b)
}

/// An integer that may be in a range; what never is there is a mistake.
fn in_range(term: IntTerm, (low, high): (i64, i64), name: &str, span: Span) -> Fallible<Expr> {
    match term.as_constant() {
        Some(value) if !(low..=high).contains(&value) => {
            let message =
                format!("`{name}` has the range [{low}..{high}], and {value} is outside of it");
            Err(error(span, message))
        }
        _ => Ok(term.expr),
    }
}

/// Says of names that are used for two things.
pub(crate) fn require_different(groups: &[(&str, Vec<&Ident>)], findings: &mut Findings) {
    let mut seen: HashMap<&str, &str> = HashMap::new();
    for (what, idents) in groups {
        for ident in idents {
            if let Some(before) = seen.insert(&ident.name, what) {
                let message = format!(
                    "`{}` is a {what}, and there is a {before} of that name",
                    ident.name
                );
                findings.push(*error_help(ident.span, message, "choose another name"));
            }
        }
    }
}
