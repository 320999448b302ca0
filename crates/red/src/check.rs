//! The syntax tree to a program: names, constants, ranges; quantifiers written out.

mod expr;
mod formula;

use crate::ast::{self, Declaration, Expr, Ident, Item, Scope, VariableKind};
use crate::limits;
use crate::typed::{
    Assignment, Claim, ClaimKind, Condition, Goal, GoalKind, Kind, Mode, ModeId, Program,
    Proposition, Rule, Variable, VariableId,
};
use expr::Context;
use mandala_formulas::prefix::Logic;
use mandala_model::definitions::Definitions;
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, Findings, error, error_help};
use mandala_model::source::Span;
use mandala_model::suggest::closest;
use mandala_temporal::Hoa;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is asked besides what the model says.
#[derive(Clone, Debug)]
pub(crate) struct Asked<'t> {
    pub(crate) name: String,
    pub(crate) question: Question,
    pub(crate) span: Span,
    /// The text that it stands in.
    pub(crate) text: &'t str,
}

/// What is asked.
#[derive(Clone, Debug)]
pub(crate) enum Question {
    /// Something of states.
    Goal(GoalKind, Expr),
    /// Whether a formula holds.
    Formula(Logic, Expr),
    /// Whether no run is followed by an automaton, whose propositions are those conditions.
    Automaton(Box<Hoa>, Vec<Expr>),
}

/// The program, unless something is wrong with it.
pub(crate) fn check(
    whole: Span,
    items: &[Item],
    asked: &[Asked<'_>],
    definitions: Definitions<Expr>,
    findings: &mut Findings,
) -> Option<Program> {
    let mut checker = Checker::new(definitions);
    for item in items {
        let declared = checker.declare(item);
        findings.note(declared);
    }
    let unused = checker.unused_definitions();
    findings.note(unused);
    // What is wrong with a declaration makes its uses look wrong.
    if findings.has_errors() {
        return None;
    }
    let processes = findings.note(checker.process_count(items, whole))?;
    checker.processes = processes;
    let modes = checker.modes(items, findings);
    let mut goals = checker.risks(items, findings);
    goals.extend(checker.asked_goals(asked, findings));
    let claims = checker.claims(asked, findings);
    let initially = checker.initially(items, findings);
    findings.note(checker.require_modes(whole));
    findings.note(checker.require_room(whole));
    (!findings.has_errors()).then(|| Program {
        processes,
        initially,
        at_first: checker.at_first(&modes),
        variables: checker.variables,
        modes,
        goals,
        claims,
        span: whole,
    })
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Constant(i64),
    Variable(VariableId),
    Mode(ModeId),
}

struct Checker {
    definitions: Definitions<Expr>,
    names: BTreeMap<Arc<str>, (Meaning, Span)>,
    variables: Vec<Variable>,
    modes: usize,
    processes: u32,
    /// What conditions add up to so far.
    terms: usize,
}

impl Checker {
    fn new(definitions: Definitions<Expr>) -> Checker {
        Checker {
            definitions,
            names: BTreeMap::new(),
            variables: Vec::new(),
            modes: 0,
            processes: 0,
            terms: 0,
        }
    }

    fn declare(&mut self, item: &Item) -> Fallible<()> {
        match item {
            Item::Define { name, value } => {
                let value = self.define(name, value);
                // Whoever uses the name is not to blame for a wrong value.
                let known = value.as_ref().copied().unwrap_or(1);
                self.name(name, Meaning::Constant(known))?;
                value.map(|_| ())
            }
            Item::Variables(declaration) => self.declare_variables(declaration),
            Item::Mode(mode) => {
                let id = ModeId(self.modes);
                self.modes += 1;
                self.name(&mode.name, Meaning::Mode(id))
            }
            Item::Count { .. } | Item::Initially(_) | Item::Risk { .. } => Ok(()),
        }
    }

    fn name(&mut self, ident: &Ident, meaning: Meaning) -> Fallible<()> {
        let before = self.names.insert(ident.name.clone(), (meaning, ident.span));
        match before {
            None => Ok(()),
            Some((_, first)) => {
                let message = format!("`{}` is declared twice", ident.name);
                let error = Diagnostic::error(ident.span, message);
                Err(Box::new(error.with_related(first, "first declared here")))
            }
        }
    }

    fn define(&mut self, name: &Ident, value: &Expr) -> Fallible<i64> {
        match self.definitions.get(&name.name).cloned() {
            Some(given) => self.constant(&given),
            None => self.constant(value),
        }
    }

    fn declare_variables(&mut self, declaration: &Declaration) -> Fallible<()> {
        let kind = match &declaration.kind {
            VariableKind::Pointer => Kind::Pointer,
            VariableKind::Discrete(None) => Kind::Discrete { min: 0, max: 1 },
            VariableKind::Discrete(Some(range)) => self.range(&range.0, &range.1)?,
        };
        for ident in &declaration.names {
            let id = VariableId(self.variables.len());
            self.variables.push(Variable {
                name: ident.name.clone(),
                scope: declaration.scope,
                kind,
                span: ident.span,
            });
            self.name(ident, Meaning::Variable(id))?;
        }
        Ok(())
    }

    fn range(&mut self, least: &Expr, greatest: &Expr) -> Fallible<Kind> {
        let (min, max) = (self.constant(least)?, self.constant(greatest)?);
        let span = least.span.to(greatest.span);
        match max.checked_sub(min) {
            Some(0..) => Ok(Kind::Discrete { min, max }),
            Some(_) => Err(error(span, "the range has no numbers")),
            None => Err(error(span, "the range has more numbers than fit 64 bits")),
        }
    }

    fn unused_definitions(&mut self) -> Fallible<()> {
        // `-D count=5` stands for the number of processes, unless a constant has that name.
        let mut unused = self.definitions.unused();
        let Some((name, value)) = unused.find(|(name, _)| *name != "count") else {
            return Ok(());
        };
        let constants = self.names.iter();
        let constants = constants.filter(|(_, (m, _))| matches!(m, Meaning::Constant(_)));
        let known = constants.map(|(name, _)| &**name).chain(["count"]);
        let message = format!("the model defines no constant `{name}`");
        Err(match closest(name, known) {
            Some(close) => error_help(value.span, message, format!("did you mean `{close}`?")),
            None => error_help(value.span, message, "write `#define NAME VALUE` into it"),
        })
    }

    fn process_count(&mut self, items: &[Item], whole: Span) -> Fallible<u32> {
        let mut counts = items.iter().filter_map(|item| match item {
            Item::Count { value, span } => Some((value, *span)),
            _ => None,
        });
        let Some((value, span)) = counts.next() else {
            let help = "write `process count = 3;`";
            return Err(error_help(
                whole,
                "the number of processes is missing",
                help,
            ));
        };
        if let Some((_, again)) = counts.next() {
            let error = Diagnostic::error(again, "the number of processes is given twice");
            return Err(Box::new(error.with_related(span, "first given here")));
        }
        let given = self.definitions.unused().find(|(name, _)| *name == "count");
        let value = given.map_or(value, |(_, value)| value).clone();
        match self.constant(&value)? {
            count @ 1..=limits::PROCESSES => Ok(count as u32),
            count => {
                let message = format!("{count} processes are not supported");
                let help = format!("there may be 1 to {}", limits::PROCESSES);
                Err(error_help(value.span, message, help))
            }
        }
    }

    fn require_modes(&self, whole: Span) -> Fallible<()> {
        match self.modes {
            0 => Err(error_help(
                whole,
                "the model has no mode",
                "write `mode NAME true { ... }`",
            )),
            _ => Ok(()),
        }
    }

    fn require_room(&self, whole: Span) -> Fallible<()> {
        let columns = self.variables.iter().filter(|v| v.scope == Scope::Local);
        let cells = self.variables.len() + columns.count() * self.processes as usize;
        match cells > limits::CELLS {
            true => Err(error(whole, "the model has too many variables")),
            false => Ok(()),
        }
    }

    fn modes(&mut self, items: &[Item], findings: &mut Findings) -> Vec<Mode> {
        let modes = items.iter().filter_map(|item| match item {
            Item::Mode(mode) => Some(mode),
            _ => None,
        });
        let modes: Vec<(usize, &ast::Mode)> = modes.enumerate().collect();
        let modes = modes.into_iter();
        modes
            .map(|(id, mode)| self.mode(ModeId(id), mode, findings))
            .collect()
    }

    fn mode(&mut self, id: ModeId, mode: &ast::Mode, findings: &mut Findings) -> Mode {
        let invariant = self.condition(&mode.invariant, Context::Invariant(id));
        let invariant = findings.note(invariant);
        let rules = mode.rules.iter();
        let rules = rules.filter_map(|rule| findings.note(self.rule(id, rule)));
        Mode {
            name: mode.name.name.clone(),
            span: mode.name.span,
            rules: rules.collect(),
            invariant: invariant.unwrap_or(Condition::Constant(true)),
        }
    }

    fn rule(&mut self, mode: ModeId, rule: &ast::Rule) -> Fallible<Rule> {
        let context = Context::Rule(mode);
        let guard = self.condition(&rule.guard, context)?;
        let mut assignments = Vec::new();
        for assignment in &rule.actions {
            assignments.push(Assignment {
                place: self.place(&assignment.place, context)?,
                value: self.value(&assignment.value, context)?,
                span: assignment.span,
            });
        }
        let target = match &rule.target {
            None => mode,
            Some(name) => self.target(name)?,
        };
        Ok(Rule {
            guard,
            assignments,
            target,
            span: rule.span,
        })
    }

    fn target(&self, name: &Ident) -> Fallible<ModeId> {
        match self.names.get(&name.name) {
            Some((Meaning::Mode(mode), _)) => Ok(*mode),
            Some((_, declared)) => {
                let error = Diagnostic::error(name.span, format!("`{}` is no mode", name.name));
                Err(Box::new(error.with_related(*declared, "declared here")))
            }
            None => Err(self.unknown(name)),
        }
    }

    /// A name that is declared nowhere.
    fn unknown(&self, name: &Ident) -> Box<Diagnostic> {
        let message = format!("`{}` is not declared", name.name);
        match closest(&name.name, self.names.keys().map(|known| &**known)) {
            Some(close) => error_help(name.span, message, format!("did you mean `{close}`?")),
            None => error(name.span, message),
        }
    }

    fn risks(&mut self, items: &[Item], findings: &mut Findings) -> Vec<Goal> {
        let mut goals: Vec<Goal> = Vec::new();
        for item in items {
            let Item::Risk { condition, span } = item else {
                continue;
            };
            let name = match goals.len() {
                0 => "risk".to_string(),
                before => format!("risk {}", before + 1),
            };
            let inside = condition.span;
            let condition = self.condition(condition, Context::Global);
            goals.extend(findings.note(condition).map(|condition| Goal {
                name,
                kind: GoalKind::Risk,
                condition,
                span: *span,
                inside,
            }));
        }
        goals
    }

    fn asked_goals(&mut self, asked: &[Asked<'_>], findings: &mut Findings) -> Vec<Goal> {
        let mut goals = Vec::new();
        for goal in asked {
            let Question::Goal(kind, condition) = &goal.question else {
                continue;
            };
            let condition = self.condition(condition, Context::Global);
            goals.extend(findings.note(condition).map(|condition| Goal {
                name: goal.name.clone(),
                kind: *kind,
                condition,
                span: goal.span,
                inside: goal.span,
            }));
        }
        goals
    }

    fn claims(&mut self, asked: &[Asked<'_>], findings: &mut Findings) -> Vec<Claim> {
        let mut claims = Vec::new();
        for claim in asked {
            let kind = match &claim.question {
                Question::Goal(..) => continue,
                Question::Formula(logic, formula) => self.formula(*logic, formula, claim.text),
                Question::Automaton(automaton, conditions) => {
                    let conditions = conditions.iter();
                    let conditions = conditions.map(|c| self.proposition(c, claim.text));
                    let conditions: Fallible<Vec<Proposition>> = conditions.collect();
                    conditions.map(|conditions| ClaimKind::Automaton(automaton.clone(), conditions))
                }
            };
            claims.extend(findings.note(kind).map(|kind| Claim {
                name: claim.name.clone(),
                kind,
                span: claim.span,
            }));
        }
        claims
    }

    fn initially(&mut self, items: &[Item], findings: &mut Findings) -> Condition {
        let mut parts = Vec::new();
        for item in items {
            if let Item::Initially(condition) = item {
                parts.extend(findings.note(self.condition(condition, Context::Global)));
            }
        }
        Condition::all(parts)
    }

    /// What the mode that all start in wants of each.
    fn at_first(&self, modes: &[Mode]) -> Condition {
        let invariant = modes.first().map(|mode| &mode.invariant);
        let all = 1..=self.processes;
        let all = all.filter_map(|process| Some(invariant?.said_by(process)));
        Condition::all(all.collect())
    }

    /// Whether the variable is one of all.
    fn is_global(&self, id: VariableId) -> bool {
        self.variables[id.0].scope == Scope::Global
    }
}
