//! Names and types: from the syntax tree to a system in which everything is known.

use crate::ast::{self, Ident, Tree};
use crate::limits;
use crate::typed::{
    Bad, Formula, FormulaKind, Kind, NamedType, NewValue, Process, System, Target, Term, TermKind,
    Transition, Update, UpdateValue, Variable,
};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, Findings, error, error_help};
use mandala_model::source::Span;
use mandala_model::suggest::closest;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of the type of processes.
pub(crate) const PROCESS: &str = "proc";

/// The system, as far as it is right. The span is that of the whole text.
pub(crate) fn check(tree: &Tree, whole: Span, findings: &mut Findings) -> Option<System> {
    let mut checker = Checker::new();
    for declaration in &tree.types {
        findings.note(checker.declare_type(declaration));
    }
    for declaration in &tree.variables {
        findings.note(checker.declare_variable(declaration));
    }
    let init = findings.note(checker.init(tree, whole));
    let bad: Vec<Bad> = (1..)
        .zip(&tree.bad)
        .filter_map(|(number, statement)| findings.note(checker.bad(statement, number, tree)))
        .collect();
    let transitions: Vec<Transition> = tree
        .transitions
        .iter()
        .filter_map(|transition| findings.note(checker.transition(transition)))
        .collect();
    if bad.is_empty() && !findings.has_errors() {
        let help = "say what must not be reached: `unsafe (x y) { .. }`";
        let start = Span::new(whole.file, 0, 0);
        findings.push(*error_help(start, "nothing is claimed", help));
    }
    let (init, init_span) = init?;
    Some(System {
        types: checker.types,
        variables: checker.variables,
        init,
        init_span,
        bad,
        transitions,
    })
}

/// What a capital name stands for.
#[derive(Clone, Copy)]
enum Meaning {
    Value(usize, usize),
    Variable(usize),
}

struct Checker {
    types: Vec<NamedType>,
    variables: Vec<Variable>,
    /// Values and variables, with the place where each is declared, if it is.
    names: BTreeMap<Arc<str>, (Meaning, Option<Span>)>,
}

/// The names of processes that are known at a place.
#[derive(Clone, Copy)]
struct Scope<'a> {
    parameters: &'a [Ident],
    each: Option<&'a Ident>,
}

impl Scope<'_> {
    fn process(&self, name: &Ident) -> Fallible<Process> {
        if self.each.is_some_and(|each| each.name == name.name) {
            return Ok(Process::Each);
        }
        let mut parameters = self.parameters.iter();
        let found = parameters.position(|parameter| parameter.name == name.name);
        found.map(Process::Parameter).ok_or_else(|| {
            let known = self.parameters.iter().chain(self.each);
            unknown("process", name, known.map(|known| &*known.name))
        })
    }
}

fn unknown<'a>(what: &str, name: &Ident, known: impl Iterator<Item = &'a str>) -> Box<Diagnostic> {
    let found = error(name.span, format!("there is no {what} `{}`", name.name));
    match closest(&name.name, known) {
        Some(close) => Box::new(found.with_help(format!("did you mean `{close}`?"))),
        None => found,
    }
}

impl Checker {
    fn new() -> Self {
        let values: Vec<Arc<str>> = vec!["False".into(), "True".into()];
        let names = values.iter().enumerate();
        let names = names.map(|(value, name)| (name.clone(), (Meaning::Value(0, value), None)));
        Checker {
            names: names.collect(),
            types: vec![NamedType {
                name: "bool".into(),
                values,
            }],
            variables: Vec::new(),
        }
    }

    fn declare(&mut self, name: &Ident, meaning: Meaning) -> Fallible<()> {
        let place = Some(name.span);
        match self.names.insert(name.name.clone(), (meaning, place)) {
            None => Ok(()),
            Some((_, first)) => {
                let twice = error(name.span, format!("`{}` is declared twice", name.name));
                Err(match first {
                    Some(first) => Box::new(twice.with_related(first, "first declared here")),
                    None => twice,
                })
            }
        }
    }

    fn declare_type(&mut self, declaration: &ast::TypeDeclaration) -> Fallible<()> {
        let name = &declaration.name;
        let taken = self.types.iter().any(|known| known.name == name.name);
        if taken || matches!(&*name.name, PROCESS | "int" | "real") {
            let message = format!("there is a type `{}` already", name.name);
            return Err(error(name.span, message));
        }
        if declaration.values.len() > limits::NAMES {
            let message = format!("`{}` has more than {} values", name.name, limits::NAMES);
            return Err(error(name.span, message));
        }
        let number = self.types.len();
        self.types.push(NamedType {
            name: name.name.clone(),
            values: declaration.values.iter().map(|v| v.name.clone()).collect(),
        });
        let mut values = declaration.values.iter().enumerate();
        values.try_for_each(|(value, name)| self.declare(name, Meaning::Value(number, value)))
    }

    fn kind(&self, name: &Ident) -> Fallible<Kind> {
        if &*name.name == PROCESS {
            return Ok(Kind::Process);
        }
        if matches!(&*name.name, "int" | "real") {
            let message = format!("`{}` has no least and no greatest value", name.name);
            let help = "declare a type with the values that occur: `type t = A | B`";
            return Err(error_help(name.span, message, help));
        }
        let mut known = self.types.iter();
        let found = known.position(|known| known.name == name.name);
        found.map(Kind::Named).ok_or_else(|| {
            let known = self.types.iter().map(|known| &*known.name);
            unknown("type", name, known.chain([PROCESS]))
        })
    }

    fn declare_variable(&mut self, declaration: &ast::VariableDeclaration) -> Fallible<()> {
        let name = &declaration.name;
        if let Some(index) = &declaration.index
            && self.kind(index)? != Kind::Process
        {
            let message = format!("`{}` has an index that is no process", name.name);
            let help = "the index of an array is of type `proc`";
            return Err(error_help(index.span, message, help));
        }
        let kind = self.kind(&declaration.kind)?;
        self.variables.push(Variable {
            name: name.name.clone(),
            kind,
            is_array: declaration.index.is_some(),
            span: name.span,
        });
        self.declare(name, Meaning::Variable(self.variables.len() - 1))
    }

    fn init(&self, tree: &Tree, whole: Span) -> Fallible<(Formula, Span)> {
        let Some(init) = tree.inits.first() else {
            let help = "say where runs start: `init (z) { .. }`";
            let start = Span::new(whole.file, 0, 0);
            return Err(error_help(start, "there is no `init`", help));
        };
        if let Some(second) = tree.inits.get(1) {
            let twice = error(second.word.span, "there is more than one `init`");
            return Err(Box::new(
                twice.with_related(init.word.span, "the first one"),
            ));
        }
        if let Some(second) = init.parameters.get(1) {
            let help = "say what holds for each process alone: `init (z) { .. }`";
            let message = "`init` speaks of several processes at once";
            return Err(error_help(second.span, message, help));
        }
        let scope = Scope {
            parameters: &[],
            each: init.parameters.first(),
        };
        Ok((self.formula(&init.formula, scope)?, init.span))
    }

    fn bad(&self, statement: &ast::Statement, number: usize, tree: &Tree) -> Fallible<Bad> {
        require_different(&statement.parameters)?;
        let scope = Scope {
            parameters: &statement.parameters,
            each: None,
        };
        let name = match tree.bad.len() {
            1 => statement.word.name.to_string(),
            _ => format!("{}_{number}", statement.word.name),
        };
        Ok(Bad {
            name,
            parameters: named(&statement.parameters),
            formula: self.formula(&statement.formula, scope)?,
            span: statement.span,
        })
    }

    fn transition(&self, transition: &ast::Transition) -> Fallible<Transition> {
        require_different(&transition.parameters)?;
        let scope = Scope {
            parameters: &transition.parameters,
            each: None,
        };
        let guard = transition.guard.as_ref();
        let guard = guard.map(|guard| self.formula(guard, scope)).transpose()?;
        let mut updates: Vec<Update> = Vec::new();
        for update in &transition.updates {
            let checked = self.update(update, scope)?;
            let array = |target| match target {
                Target::Shared(_) => None,
                Target::Element(array, _) | Target::Array(array) => Some(array),
            };
            let clashes = |earlier: &&Update| {
                earlier.target == checked.target
                    || array(checked.target).is_some_and(|a| Some(a) == array(earlier.target))
            };
            if let Some(earlier) = updates.iter().find(clashes) {
                let message = format!("`{}` is changed twice", update.target.name);
                let twice = error(update.span, message);
                let help = "say both in one update: `| j = x : .. | _ : ..`";
                let twice = twice.with_related(earlier.span, "the first time");
                return Err(Box::new(twice.with_help(help)));
            }
            updates.push(checked);
        }
        Ok(Transition {
            name: transition.name.name.clone(),
            parameters: named(&transition.parameters),
            guard,
            updates,
            span: transition.span,
        })
    }

    fn update(&self, update: &ast::Update, scope: Scope<'_>) -> Fallible<Update> {
        let variable = self.variable(&update.target)?;
        let declared = &self.variables[variable];
        let mut inside = scope;
        let target = match (&update.index, declared.is_array) {
            (None, false) => Target::Shared(variable),
            (None, true) => return Err(no_index(&update.target)),
            (Some(index), false) => return Err(no_array(&update.target, index)),
            (Some(index), true) => match scope.process(index) {
                Ok(Process::Parameter(parameter)) => Target::Element(variable, parameter),
                _ => {
                    inside.each = Some(index);
                    Target::Array(variable)
                }
            },
        };
        let fits = |term: &ast::Term| -> Fallible<Term> {
            let checked = self.term(term, inside)?;
            self.require_kind(checked, declared.kind)?;
            Ok(checked)
        };
        let value = match &update.value {
            ast::NewValue::Any(span) => match target {
                Target::Array(_) => {
                    let message = "every element gets any value at once";
                    let help = "give any value to the element of a parameter";
                    return Err(error_help(*span, message, help));
                }
                Target::Shared(_) | Target::Element(..) => UpdateValue::Any(*span),
            },
            ast::NewValue::Term(term) => UpdateValue::New(NewValue::of(fits(term)?)),
            ast::NewValue::Cases(cases, otherwise) => UpdateValue::New(NewValue {
                cases: cases
                    .iter()
                    .map(|(condition, value)| Ok((self.formula(condition, inside)?, fits(value)?)))
                    .collect::<Fallible<_>>()?,
                otherwise: fits(otherwise)?,
            }),
        };
        Ok(Update {
            target,
            value,
            span: update.span,
        })
    }

    fn variable(&self, name: &Ident) -> Fallible<usize> {
        match self.names.get(&name.name) {
            Some((Meaning::Variable(number), _)) => Ok(*number),
            Some((Meaning::Value(..), _)) => {
                let message = format!("`{}` is a value, no variable", name.name);
                Err(error(name.span, message))
            }
            None => {
                let variables = self.variables.iter().map(|known| &*known.name);
                Err(unknown("variable", name, variables))
            }
        }
    }

    fn term(&self, term: &ast::Term, scope: Scope<'_>) -> Fallible<Term> {
        let kind = match (term.small, &term.index) {
            (true, _) => TermKind::Process(scope.process(&term.name)?),
            (false, Some(index)) => {
                let variable = self.variable(&term.name)?;
                if !self.variables[variable].is_array {
                    return Err(no_array(&term.name, index));
                }
                TermKind::Element(variable, scope.process(index)?)
            }
            (false, None) => match self.names.get(&term.name.name) {
                Some((Meaning::Value(kind, value), _)) => {
                    TermKind::Value(Kind::Named(*kind), *value)
                }
                Some((Meaning::Variable(variable), _)) => {
                    if self.variables[*variable].is_array {
                        return Err(no_index(&term.name));
                    }
                    TermKind::Shared(*variable)
                }
                None => {
                    let known = self.names.keys().map(|known| &**known);
                    return Err(unknown("variable or value", &term.name, known));
                }
            },
        };
        let span = term.span;
        Ok(Term { kind, span })
    }

    fn kind_of(&self, term: Term) -> Kind {
        match term.kind {
            TermKind::Value(kind, _) => kind,
            TermKind::Shared(variable) | TermKind::Element(variable, _) => {
                self.variables[variable].kind
            }
            TermKind::Process(_) => Kind::Process,
        }
    }

    fn name_of(&self, kind: Kind) -> &str {
        match kind {
            Kind::Process => PROCESS,
            Kind::Named(number) => &self.types[number].name,
        }
    }

    fn require_kind(&self, term: Term, wanted: Kind) -> Fallible<()> {
        let found = self.kind_of(term);
        if found == wanted {
            return Ok(());
        }
        let [wanted, found] = [wanted, found].map(|kind| self.name_of(kind));
        let message = format!("expected a value of type `{wanted}`, found one of type `{found}`");
        Err(error(term.span, message))
    }

    fn formula(&self, formula: &ast::Formula, scope: Scope<'_>) -> Fallible<Formula> {
        let all = |parts: &[ast::Formula]| {
            let parts = parts.iter().map(|part| self.formula(part, scope));
            parts.collect::<Fallible<Vec<Formula>>>()
        };
        let kind = match &formula.kind {
            ast::FormulaKind::Compare(equal, left, right) => {
                let left = self.term(left, scope)?;
                let right = self.term(right, scope)?;
                self.require_kind(right, self.kind_of(left))?;
                FormulaKind::Compare(*equal, left, right)
            }
            ast::FormulaKind::And(parts) => FormulaKind::And(all(parts)?),
            ast::FormulaKind::Or(parts) => FormulaKind::Or(all(parts)?),
            ast::FormulaKind::Not(part) => FormulaKind::Not(Box::new(self.formula(part, scope)?)),
            ast::FormulaKind::ForallOther(name, body) => {
                if scope.each.is_some() {
                    let message =
                        "this speaks of each process inside of what is said of each process";
                    let help =
                        "`forall_other` can stand in what a transition requires, and in `unsafe`";
                    return Err(error_help(formula.span, message, help));
                }
                if let Ok(Process::Parameter(_)) = scope.process(name) {
                    let message = format!("`{}` is a parameter", name.name);
                    return Err(error_help(name.span, message, "choose another name"));
                }
                let each = Some(name);
                let inside = Scope { each, ..scope };
                FormulaKind::ForallOther(Box::new(self.formula(body, inside)?))
            }
        };
        let span = formula.span;
        Ok(Formula { kind, span })
    }
}

fn named(parameters: &[Ident]) -> Vec<(Arc<str>, Span)> {
    let named = |parameter: &Ident| (parameter.name.clone(), parameter.span);
    parameters.iter().map(named).collect()
}

fn require_different(parameters: &[Ident]) -> Fallible<()> {
    for (number, parameter) in parameters.iter().enumerate() {
        let same = |earlier: &&Ident| earlier.name == parameter.name;
        if let Some(first) = parameters[..number].iter().find(same) {
            let message = format!("two parameters are called `{}`", parameter.name);
            let twice = error(parameter.span, message);
            return Err(Box::new(twice.with_related(first.span, "the first one")));
        }
    }
    Ok(())
}

fn no_index(name: &Ident) -> Box<Diagnostic> {
    let help = format!(
        "write the process whose element is meant: `{}[i]`",
        name.name
    );
    error_help(name.span, format!("`{}` is an array", name.name), help)
}

fn no_array(name: &Ident, index: &Ident) -> Box<Diagnostic> {
    error(index.span, format!("`{}` is no array", name.name))
}
