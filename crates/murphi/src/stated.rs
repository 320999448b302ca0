//! Properties beside the model. What must be possible, once or for ever, is a `cover` or a `liveness` property at its end; formulas of
//! temporal logic and automata are claims about its runs.

use crate::ast::{Expr, Item, Property, PropertyKind, Rule, Text};
use crate::{Dialect, lexer, limits, parser};
use mandala_formulas::prefix::Logic;
use mandala_formulas::read_automaton;
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::source::{FileId, Sources, Span};
use mandala_model::stated::{Stated, StatedForm};
use mandala_temporal::Hoa;

/// What is asked about runs.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) name: String,
    pub(crate) question: Question,
    pub(crate) span: Span,
}

/// What is asked.
#[derive(Clone, Debug)]
pub(crate) enum Question {
    /// Whether a formula holds.
    Formula(Logic, Expr),
    /// Whether no run is followed by an automaton, whose propositions are those conditions.
    Automaton(Box<Hoa>, Vec<Expr>),
}

/// Properties beside the model, as parts of a model where there are such parts.
#[derive(Debug, Default)]
pub(crate) struct Beside {
    pub(crate) items: Vec<Item>,
    pub(crate) asked: Vec<Asked>,
}

/// Reads the properties.
pub(crate) fn read(sources: &Sources, stated: &[Stated], dialect: Dialect) -> Fallible<Beside> {
    let mut beside = Beside::default();
    for (index, property) in stated.iter().enumerate() {
        let text = sources.file(property.file).text();
        let start = Span::new(property.file, 0, 0);
        if text.len() > limits::FILE_BYTES {
            return Err(error(start, "the property is too large"));
        }
        let name = property.name_after(&stated[..index]);
        let source = Source {
            file: property.file,
            text,
            dialect,
        };
        let condition = |kind| item(kind, name.clone(), source);
        let formula = |logic| asked_formula(logic, name.clone(), source);
        match property.form {
            StatedForm::Possible => beside.items.push(condition(PropertyKind::Cover)?),
            StatedForm::AlwaysPossible => beside.items.push(condition(PropertyKind::Liveness)?),
            StatedForm::Ltl => beside.asked.push(formula(Logic::Linear)?),
            StatedForm::Ctl => beside.asked.push(formula(Logic::Branching)?),
            StatedForm::Automaton => beside.asked.push(Asked {
                question: automaton(source)?,
                name,
                span: start,
            }),
            StatedForm::Progress | StatedForm::Accept => {
                return Err(not_supported(property.form, start));
            }
            StatedForm::Pctl | StatedForm::Queries => {
                return Err(property.form.only_for_chance(start));
            }
        }
    }
    Ok(beside)
}

/// The text of a property.
#[derive(Clone, Copy)]
struct Source<'t> {
    file: FileId,
    text: &'t str,
    dialect: Dialect,
}

fn item(kind: PropertyKind, name: String, source: Source<'_>) -> Fallible<Item> {
    let tokens = lexer::lex(source.file, source.text)?;
    let condition = parser::parse_value(tokens, source.dialect)?;
    let span = condition.span;
    Ok(Item::Rule(Rule::Property(Property {
        kind,
        name: Some(Text {
            text: name.into(),
            span,
        }),
        condition,
        span,
    })))
}

fn asked_formula(logic: Logic, name: String, source: Source<'_>) -> Fallible<Asked> {
    let tokens = lexer::lex(source.file, source.text)?;
    let formula = parser::parse_formula(tokens, logic, source.dialect)?;
    Ok(Asked {
        name,
        span: formula.span,
        question: Question::Formula(logic, formula),
    })
}

/// An automaton, whose propositions are conditions.
fn automaton(source: Source<'_>) -> Fallible<Question> {
    let Source { file, text, .. } = source;
    let hoa = read_automaton(file, text)?;
    let parts = hoa.propositions.iter().cloned();
    let conditions =
        parts.map(|part| parser::parse_value(lexer::lex_part(file, text, part)?, source.dialect));
    let conditions = conditions.collect::<Fallible<_>>()?;
    Ok(Question::Automaton(Box::new(hoa), conditions))
}

fn not_supported(form: StatedForm, span: Span) -> Box<mandala_model::Diagnostic> {
    error_help(
        span,
        format!("`--{}` is for Promela models", form.name()),
        "rules have no labels; `--ltl` states what happens again and again",
    )
}
