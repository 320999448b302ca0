//! The rules of the language that the syntax does not say: names, labels, and how many of what.

use crate::ast::{Call, Expr, ExprKind, Function, Ident, Stmt, StmtKind, Target, Tree};
use mandala_model::findings::{Fallible, Findings, error, error_help};
use mandala_model::source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The functions of a program, by name.
pub(crate) type Functions<'t> = BTreeMap<Arc<str>, &'t Function>;

/// Checks a program. Its functions, unless something is wrong.
pub(crate) fn check<'t>(
    whole: Span,
    tree: &'t Tree,
    target: Option<&Ident>,
    findings: &mut Findings,
) -> Option<Functions<'t>> {
    findings.note(distinct(&tree.globals, "variable"));
    let names: Vec<Ident> = tree.functions.iter().map(|f| f.name.clone()).collect();
    findings.note(distinct(&names, "function"));
    let named = tree.functions.iter().map(|f| (f.name.name.clone(), f));
    let functions: Functions<'t> = named.collect();
    for function in &tree.functions {
        let checker = Checker::new(tree, &functions, function);
        checker.function(findings);
    }
    findings.note(main(whole, &functions));
    let all = tree.functions.iter();
    let labels: BTreeSet<Arc<str>> = all.flat_map(|f| labels(&f.body)).map(|l| l.name).collect();
    if let Some(target) = target.filter(|target| !labels.contains(&target.name)) {
        let message = format!("the program has no label `{}`", target.name);
        findings.note::<()>(Err(error(target.span, message)));
    }
    (!findings.has_errors()).then_some(functions)
}

fn main(whole: Span, functions: &Functions<'_>) -> Fallible<()> {
    match functions.get("main") {
        Some(main) if main.parameters.is_empty() => Ok(()),
        Some(main) => Err(error(main.name.span, "`main` has parameters")),
        None => Err(error_help(
            whole,
            "the program has no function `main`",
            "that is where it starts",
        )),
    }
}

fn distinct(names: &[Ident], what: &str) -> Fallible<()> {
    let mut seen = BTreeMap::new();
    for name in names {
        if let Some(first) = seen.insert(&name.name, name.span) {
            let message = format!("the {what} `{}` is declared twice", name.name);
            let error = error(name.span, message);
            return Err(Box::new(error.with_related(first, "here first")));
        }
    }
    Ok(())
}

/// All labels of statements, those inside too.
fn labels(body: &[Stmt]) -> Vec<Ident> {
    let mut found = Vec::new();
    each(body, &mut |stmt| found.extend(stmt.labels.iter().cloned()));
    found
}

/// The variables that a function declares.
pub(crate) fn locals(function: &Function) -> Vec<Ident> {
    let mut found = function.parameters.clone();
    each(&function.body, &mut |stmt| {
        if let StmtKind::Decl(names) = &stmt.kind {
            found.extend(names.iter().cloned());
        }
    });
    found
}

/// Visits statements, and those inside.
fn each(body: &[Stmt], visit: &mut impl FnMut(&Stmt)) {
    for stmt in body {
        visit(stmt);
        match &stmt.kind {
            StmtKind::If {
                branches,
                otherwise,
            } => {
                branches.iter().for_each(|(_, body)| each(body, visit));
                each(otherwise, visit);
            }
            StmtKind::While(_, body) => each(body, visit),
            StmtKind::StartThread(inside) => each(std::slice::from_ref(inside), visit),
            _ => {}
        }
    }
}

struct Checker<'c> {
    functions: &'c Functions<'c>,
    function: &'c Function,
    variables: BTreeSet<Arc<str>>,
    locals: Vec<Ident>,
    labels: Vec<Ident>,
}

impl<'c> Checker<'c> {
    fn new(tree: &'c Tree, functions: &'c Functions<'c>, function: &'c Function) -> Self {
        let locals = locals(function);
        let all = tree.globals.iter().chain(&locals);
        Checker {
            functions,
            function,
            variables: all.map(|name| name.name.clone()).collect(),
            labels: labels(&function.body),
            locals,
        }
    }

    fn function(&self, findings: &mut Findings) {
        findings.note(distinct(&self.locals, "variable"));
        findings.note(distinct(&self.labels, "label"));
        each(&self.function.body, &mut |stmt| {
            findings.note(self.statement(stmt));
        });
    }

    fn statement(&self, stmt: &Stmt) -> Fallible<()> {
        match &stmt.kind {
            StmtKind::Goto(labels) => labels.iter().try_for_each(|label| self.label(label)),
            StmtKind::Assign {
                targets,
                values,
                constrain,
            } => {
                self.targets(targets)?;
                let message = "values";
                self.same(stmt.span, targets.len(), values.len(), message)?;
                values.iter().try_for_each(|value| self.now(value))?;
                constrain.as_ref().map_or(Ok(()), |c| self.names(c))
            }
            StmtKind::Call(call) => self.call(stmt.span, call),
            StmtKind::Return(values) => {
                let message = "results";
                self.same(stmt.span, self.function.results, values.len(), message)?;
                values.iter().try_for_each(|value| self.now(value))
            }
            StmtKind::If { branches, .. } => branches.iter().try_for_each(|(c, _)| self.now(c)),
            StmtKind::While(condition, _)
            | StmtKind::Assert(condition)
            | StmtKind::Assume(condition)
            | StmtKind::Enforce(condition)
            | StmtKind::Abortif(condition) => self.now(condition),
            StmtKind::Dead(names) => names.iter().try_for_each(|name| self.variable(name)),
            StmtKind::StartThread(inside) => self.started(inside),
            StmtKind::Skip
            | StmtKind::Decl(_)
            | StmtKind::EndThread
            | StmtKind::AtomicBegin
            | StmtKind::AtomicEnd => Ok(()),
        }
    }

    fn started(&self, inside: &Stmt) -> Fallible<()> {
        let help = "a new thread begins with `goto L` or with a call without results";
        match &inside.kind {
            StmtKind::Goto(_) => Ok(()),
            StmtKind::Call(call) if call.targets.is_empty() => Ok(()),
            _ => Err(error_help(
                inside.span,
                "`start_thread` does not support this statement",
                help,
            )),
        }
    }

    fn call(&self, span: Span, call: &Call) -> Fallible<()> {
        let name = &call.function;
        let Some(function) = self.functions.get(&name.name) else {
            let message = format!("there is no function `{}`", name.name);
            return Err(error(name.span, message));
        };
        self.targets(&call.targets)?;
        let wanted = function.parameters.len();
        self.same(span, wanted, call.arguments.len(), "arguments")?;
        if !call.targets.is_empty() {
            self.same(span, function.results, call.targets.len(), "results")?;
        }
        call.arguments.iter().try_for_each(|value| self.now(value))
    }

    fn same(&self, span: Span, wanted: usize, found: usize, what: &str) -> Fallible<()> {
        match wanted == found {
            true => Ok(()),
            false => Err(error(
                span,
                format!("{what}: {wanted} wanted, {found} given"),
            )),
        }
    }

    fn targets(&self, targets: &[Target]) -> Fallible<()> {
        let named: Vec<Ident> = targets.iter().flatten().cloned().collect();
        named.iter().try_for_each(|name| self.variable(name))?;
        let mut seen = BTreeSet::new();
        match named.iter().find(|name| !seen.insert(&name.name)) {
            Some(twice) => {
                let message = format!("`{}` is assigned to twice at once", twice.name);
                Err(error(twice.span, message))
            }
            None => Ok(()),
        }
    }

    fn label(&self, label: &Ident) -> Fallible<()> {
        match self.labels.iter().any(|known| known.name == label.name) {
            true => Ok(()),
            false => {
                let function = &self.function.name.name;
                let message = format!("`{function}` has no label `{}`", label.name);
                Err(error(label.span, message))
            }
        }
    }

    fn variable(&self, name: &Ident) -> Fallible<()> {
        match self.variables.contains(&name.name) {
            true => Ok(()),
            false => {
                let message = format!("there is no variable `{}` here", name.name);
                Err(error_help(name.span, message, "declare it with `decl`"))
            }
        }
    }

    /// The variables of an expression.
    fn names(&self, expr: &Expr) -> Fallible<()> {
        match &expr.kind {
            ExprKind::Constant(_) | ExprKind::Any => Ok(()),
            ExprKind::Variable(name) | ExprKind::Next(name) => self.variable(name),
            ExprKind::Not(inside) => self.names(inside),
            ExprKind::Binary(_, left, right) | ExprKind::Schoose(left, right) => {
                self.names(left)?;
                self.names(right)
            }
        }
    }

    /// An expression about one moment.
    fn now(&self, expr: &Expr) -> Fallible<()> {
        self.names(expr)?;
        match next(expr) {
            Some(span) => Err(error_help(
                span,
                "there is no value after the assignment here",
                "`'` belongs behind `constrain`",
            )),
            None => Ok(()),
        }
    }
}

/// The first `'x` of an expression.
fn next(expr: &Expr) -> Option<Span> {
    match &expr.kind {
        ExprKind::Next(_) => Some(expr.span),
        ExprKind::Constant(_) | ExprKind::Any | ExprKind::Variable(_) => None,
        ExprKind::Not(inside) => next(inside),
        ExprKind::Binary(_, left, right) | ExprKind::Schoose(left, right) => {
            next(left).or_else(|| next(right))
        }
    }
}
