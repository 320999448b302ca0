//! Properties beside the model: what must be possible, formulas of temporal logic, and automata.

use crate::check::{Asked, Question};
use crate::typed::GoalKind;
use crate::{lexer, parser, tokens};
use mandala_formulas::prefix::Logic;
use mandala_formulas::read_automaton;
use mandala_model::findings::{Fallible, error_help};
use mandala_model::source::{FileId, Sources, Span};
use mandala_model::stated::{Stated, StatedForm};

/// What the properties ask.
pub(crate) fn read<'s>(sources: &'s Sources, stated: &[Stated]) -> Fallible<Vec<Asked<'s>>> {
    let numbered = stated.iter().enumerate();
    let asked = numbered.map(|(index, property)| asked(sources, property, &stated[..index]));
    asked.collect()
}

fn asked<'s>(sources: &'s Sources, stated: &Stated, before: &[Stated]) -> Fallible<Asked<'s>> {
    let text = sources.file(stated.file).text();
    let question = question(stated, text)?;
    let span = match &question {
        Question::Goal(_, asked) | Question::Formula(_, asked) => asked.span,
        Question::Automaton(..) => Span::new(stated.file, 0, 0),
    };
    Ok(Asked {
        name: stated.name_after(before),
        question,
        span,
        text,
    })
}

fn question(stated: &Stated, text: &str) -> Fallible<Question> {
    let file = stated.file;
    let goal = |kind| {
        let condition = parser::parse_value(tokens(file, text)?)?;
        Ok(Question::Goal(kind, condition))
    };
    let formula = |logic| {
        let formula = parser::parse_formula(tokens(file, text)?, logic)?;
        Ok(Question::Formula(logic, formula))
    };
    match stated.form {
        StatedForm::Possible => goal(GoalKind::Possible),
        StatedForm::AlwaysPossible => goal(GoalKind::AlwaysPossible),
        StatedForm::Ltl => formula(Logic::Linear),
        StatedForm::Ctl => formula(Logic::Branching),
        StatedForm::Automaton => automaton(file, text),
        StatedForm::Pctl | StatedForm::Queries => {
            Err(stated.form.only_for_chance(Span::new(file, 0, 0)))
        }
        StatedForm::Progress | StatedForm::Accept => {
            let message = format!("`--{}` is for Promela models", stated.form.name());
            let help =
                "pointer automata have no labels; `--ltl` states what happens again and again";
            Err(error_help(Span::new(file, 0, 0), message, help))
        }
    }
}

/// An automaton, whose propositions are conditions.
fn automaton(file: FileId, text: &str) -> Fallible<Question> {
    let hoa = read_automaton(file, text)?;
    let parts = hoa.propositions.iter().cloned();
    let conditions = parts.map(|part| parser::parse_value(lexer::lex_part(file, text, part)?));
    let conditions = conditions.collect::<Fallible<_>>()?;
    Ok(Question::Automaton(Box::new(hoa), conditions))
}
