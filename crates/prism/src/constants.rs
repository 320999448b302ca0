//! The values of constants: those that the text gives, and those that come from outside.

use crate::ast::{Constant, ConstantKind, Expr};
use crate::lexer::lex;
use crate::names::{names_in, order};
use crate::parser::{TextKind, expression};
use crate::terms::{Names, Value};
use dashu_ratio::RBig;
use mandala_model::Diagnostic;
use mandala_model::definitions::{Definitions, definition};
use mandala_model::findings::{Fallible, Findings, error, error_help};
use mandala_model::source::{FileId, Sources};

/// The values from outside, by name.
pub(crate) fn given(sources: &mut Sources, defines: &[String]) -> Fallible<Definitions<Expr>> {
    let given: Vec<(String, String)> = defines.iter().map(|text| definition(text)).collect();
    Definitions::read(sources, &given, value)
}

fn value(file: FileId, text: &str) -> Fallible<Expr> {
    expression(lex(file, text)?, TextKind::Model)
}

/// Gives all constants their values.
pub(crate) fn evaluate(
    constants: &[Constant],
    given: &mut Definitions<Expr>,
    names: &mut Names,
    findings: &mut Findings,
) {
    let known: Vec<_> = constants.iter().map(|c| c.name.name.clone()).collect();
    let uses = constants.iter().map(|constant| {
        let value = constant.value.as_ref();
        value.map_or_else(Vec::new, names_in)
    });
    let (order, circular) = order(&known, uses.collect());
    for number in circular {
        let name = &constants[number].name;
        let message = format!("the constant `{}` is defined by itself", name.name);
        findings.push(*error(name.span, message));
    }
    for number in order {
        let constant = &constants[number];
        let value = of_constant(constant, given, names);
        if let Some(value) = findings.note(value) {
            names.constants.insert(constant.name.name.clone(), value);
        }
    }
    for (name, value) in given.unused() {
        let message = format!("there is no constant `{name}`");
        findings.push(*error(value.span, message));
    }
}

fn of_constant(
    constant: &Constant,
    given: &mut Definitions<Expr>,
    names: &Names,
) -> Fallible<Value> {
    let name = &constant.name;
    let (tree, value) = match (&constant.value, given.get(&name.name)) {
        (Some(_), Some(outside)) => {
            let message = format!("the constant `{}` has a value in the text", name.name);
            let help = "leave the value out there, or do not define it here";
            return Err(error_help(outside.span, message, help));
        }
        (Some(tree), None) => (tree, names.value(tree)?),
        (None, Some(tree)) => (tree, Names::default().value(tree)?),
        (None, None) => {
            let message = format!("the constant `{}` has no value", name.name);
            let help = format!("give it one: `-D {}=...`", name.name);
            return Err(error_help(name.span, message, help));
        }
    };
    match (constant.kind, value) {
        (ConstantKind::Int, value @ Value::Int(_))
        | (ConstantKind::Bool, value @ Value::Bool(_))
        | (ConstantKind::Double, value @ Value::Real(_)) => Ok(value),
        (ConstantKind::Double, Value::Int(value)) => Ok(Value::Real(RBig::from(value))),
        (kind, value) => Err(wrong_kind(constant, kind, &value, tree)),
    }
}

fn wrong_kind(
    constant: &Constant,
    kind: ConstantKind,
    value: &Value,
    tree: &Expr,
) -> Box<Diagnostic> {
    let wanted = match kind {
        ConstantKind::Int => "an integer",
        ConstantKind::Double => "a number",
        ConstantKind::Bool => "a truth value",
    };
    let found = match value {
        Value::Bool(_) => "a truth value",
        Value::Int(_) => "an integer",
        Value::Real(_) => "a number with a fraction",
    };
    let name = &constant.name.name;
    let message = format!("the constant `{name}` is {wanted}, and this is {found}");
    match (kind, value) {
        (ConstantKind::Int, Value::Real(_)) => error_help(
            tree.span,
            message,
            format!("declare it as `const double {name}`"),
        ),
        _ => error(tree.span, message),
    }
}
