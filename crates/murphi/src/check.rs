//! Names and types: from the syntax tree to the [typed program](crate::typed).
//!
//! The rules are Rumur's, extended by what only CMurphi has (unions, multisets, `undefined`). A name is known
//! from its declaration on; an inner declaration hides an outer one. An error in a declaration ends the
//! check, because what follows would only complain about the missing name; an error in a function or
//! rule does not, so several are reported.

mod alias;
mod call;
mod convert;
mod decl;
mod expr;
mod fold;
mod formula;
mod multiset;
mod operators;
mod place;
mod priority;
pub(crate) mod quantifier;
mod rule;
mod scope;
mod stmt;

use crate::Dialect;
use crate::ast;
use crate::stated::Asked;
use crate::typed::{
    Binder, Expr, Number, Place, Program, TypeId, Types, Variable, VariableId, VariableKind,
};
use mandala_model::definitions::Definitions;
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, Findings, error};
use mandala_model::source::{FileId, Span};
use scope::{Meaning, Scopes};
use std::collections::HashMap;
use std::sync::Arc;

/// What is given besides the text of a model.
pub(crate) struct Beside<'a> {
    /// What is asked about runs.
    pub(crate) asked: &'a [Asked],
    /// The values of constants that are given from outside.
    pub(crate) definitions: Definitions<ast::Expr>,
    pub(crate) dialect: Dialect,
}

/// Checks a model. There is a program unless an error was found.
pub(crate) fn check(
    file: FileId,
    model: &ast::Program,
    beside: Beside<'_>,
    findings: &mut Findings,
) -> Option<Program> {
    let asked = beside.asked;
    let mut checker = Checker::new(model, beside, findings);
    let complete = checker.items(&model.items) && checker.all_definitions_used();
    let complete = complete && checker.apply_priorities();
    let complete = complete && checker.claims(asked) && checker.has_start_state(file);
    complete.then_some(checker.program)
}

/// What a `return` may give back.
#[derive(Clone, Copy)]
enum Returning {
    /// Nothing, in a rule or start state.
    Rule,
    /// Nothing, in a procedure.
    Procedure,
    /// A value of that type.
    Function(TypeId),
}

struct Checker<'a> {
    /// What is made so far.
    program: Program,
    scopes: Scopes,
    findings: &'a mut Findings,
    /// The first place where each name is declared at the top level, also further on.
    declared: HashMap<Arc<str>, Span>,
    returning: Returning,
    /// The priority of each rule.
    priorities: Vec<Number>,
    /// What is around the current rule.
    binders: Vec<Binder>,
    /// The multiset that each chosen place belongs to.
    slots: HashMap<VariableId, Place>,
    /// The values of constants that are given from outside.
    definitions: Definitions<ast::Expr>,
}

impl<'a> Checker<'a> {
    fn new(model: &ast::Program, beside: Beside<'_>, findings: &'a mut Findings) -> Self {
        let program = Program {
            dialect: beside.dialect,
            types: Types::new(),
            constants: Vec::new(),
            variables: Vec::new(),
            globals: Vec::new(),
            local_multisets: Vec::new(),
            aliases: Vec::new(),
            functions: Vec::new(),
            start_states: Vec::new(),
            rules: Vec::new(),
            properties: Vec::new(),
            claims: Vec::new(),
        };
        Checker {
            program,
            scopes: Scopes::new(),
            findings,
            declared: declared_names(model),
            returning: Returning::Rule,
            priorities: Vec::new(),
            binders: Vec::new(),
            slots: HashMap::new(),
            definitions: beside.definitions,
        }
    }

    /// In a model without a start state nothing happens, so everything that is checked would hold of it.
    fn has_start_state(&mut self, file: FileId) -> bool {
        let program = &self.program;
        if !program.start_states.is_empty() {
            return true;
        }
        let rule = program.rules.first().map(|rule| rule.span);
        let place = rule.unwrap_or_else(|| Span::new(file, 0, 0));
        let error = Diagnostic::error(place, "the model has no start state: no run ever begins");
        self.findings
            .push(error.with_help("add `startstate begin ... end;`"));
        false
    }

    /// Checks all parts in order; false if there was an error.
    fn items(&mut self, items: &[ast::Item]) -> bool {
        let mut right = true;
        for item in items {
            let functions = self.program.functions.len();
            if let Err(error) = self.item(item) {
                right = false;
                self.findings.push(*error);
                let unknown_function = matches!(item, ast::Item::Function(_))
                    && functions == self.program.functions.len();
                let lost_name = unknown_function || matches!(item, ast::Item::Decl(_));
                if lost_name || self.findings.gave_up() {
                    return false;
                }
                self.scopes.close_all();
                self.binders.clear();
            }
        }
        right
    }

    fn item(&mut self, item: &ast::Item) -> Fallible<()> {
        match item {
            ast::Item::Decl(decl) => self.global_declaration(decl),
            ast::Item::Function(function) => self.function(function),
            ast::Item::Rule(rule) => self.rule(rule),
        }
    }

    /// Runs a part in a scope of its own. After an error the scopes are closed by the caller.
    fn scoped<T>(&mut self, part: impl FnOnce(&mut Self) -> Fallible<T>) -> Fallible<T> {
        self.scopes.open();
        let result = part(self)?;
        self.scopes.close();
        Ok(result)
    }

    fn types(&self) -> &Types {
        &self.program.types
    }

    /// The type in the words of an error message.
    fn describe(&self, ty: TypeId) -> String {
        let text = self.types().describe(ty);
        match text.as_str() {
            "number" => "a number".to_string(),
            "boolean" => "a boolean".to_string(),
            _ => format!("of type `{text}`"),
        }
    }

    /// Adds a variable and makes its name known.
    fn new_variable(
        &mut self,
        name: &ast::Ident,
        ty: TypeId,
        kind: VariableKind,
    ) -> Fallible<VariableId> {
        let id = VariableId::from(self.program.variables.len());
        let variable = Variable {
            name: name.name.clone(),
            ty,
            kind,
            span: name.span,
        };
        self.program.variables.push(variable);
        self.scopes.declare(name, Meaning::Variable(id))?;
        Ok(id)
    }

    /// An expression that must be a constant of any type: its value and type.
    fn constant(&mut self, expr: &ast::Expr, what: &str) -> Fallible<(i128, TypeId)> {
        let checked = self.expr(expr)?;
        match fold::fold_declared(&checked)? {
            Some(value) => Ok((value, checked.ty)),
            None => Err(error(expr.span, format!("{what} must be a constant"))),
        }
    }

    /// A constant number that fits into 64 bits.
    fn constant_number(&mut self, expr: &ast::Expr, what: &str) -> Fallible<i128> {
        let (value, ty) = self.constant(expr, what)?;
        if !self.types().is_number(ty) {
            let message = format!("{what} must be a number, but this is {}", self.describe(ty));
            return Err(error(expr.span, message));
        }
        fold::check_width(value, expr.span)?;
        Ok(value)
    }

    /// An expression that must be a condition.
    fn condition(&mut self, expr: &ast::Expr, what: &str) -> Fallible<Expr> {
        let checked = self.expr(expr)?;
        self.expect_boolean(&checked, what)?;
        Ok(checked)
    }

    fn expect_boolean(&self, expr: &Expr, what: &str) -> Fallible<()> {
        if expr.ty == Types::BOOLEAN {
            return Ok(());
        }
        let message = format!(
            "{what} must be a boolean, but this is {}",
            self.describe(expr.ty)
        );
        Err(error(expr.span, message))
    }

    fn expect_number(&self, expr: &Expr, what: &str) -> Fallible<()> {
        if self.types().is_number(expr.ty) {
            return Ok(());
        }
        let message = format!(
            "{what} must be a number, but this is {}",
            self.describe(expr.ty)
        );
        Err(error(expr.span, message))
    }
}

/// Where each name of the top level is declared first.
fn declared_names(model: &ast::Program) -> HashMap<Arc<str>, Span> {
    let mut declared = HashMap::new();
    let mut note = |name: &ast::Ident| {
        declared.entry(name.name.clone()).or_insert(name.span);
    };
    for item in &model.items {
        match item {
            ast::Item::Decl(ast::Decl::Constant(decl)) => decl.names.iter().for_each(&mut note),
            ast::Item::Decl(ast::Decl::Type(decl) | ast::Decl::Variable(decl)) => {
                decl.names.iter().for_each(&mut note);
            }
            ast::Item::Function(function) => note(&function.name),
            ast::Item::Rule(_) => {}
        }
    }
    declared
}
