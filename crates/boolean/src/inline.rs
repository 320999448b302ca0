//! From the syntax tree to a graph in which the bodies of functions stand in the place of calls.
//!
//! Each call has a copy of the body of its function, with its variables at places behind those of the caller, so that calls one after the other share
//! them. Functions that call themselves have copies down to a depth ([`limits::RECURSION`]); a deeper call is a step that fails, so that a program is
//! never said to hold because of it.
//!
//! Copies that are still to be made wait in a list, so that the depth of calls is none of the stack.

use crate::ast::{Call, Expr, Function, Ident, Stmt, StmtKind, Target, Tree};
use crate::check::{Functions, locals};
use crate::cond::{Cond, Scope, Var, can, is_definite};
use crate::flow::{Action, Choice, Edge, Spawn};
use crate::limits;
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::source::Span;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// The graph before places where nothing happens are taken out.
pub(crate) struct Raw {
    pub(crate) nodes: Vec<RawNode>,
    /// Where the first thread starts, with all variables false.
    pub(crate) entry: usize,
    /// Where threads are that have ended.
    pub(crate) ended: usize,
    pub(crate) slot_names: Vec<String>,
}

/// A place in the program.
pub(crate) struct RawNode {
    pub(crate) span: Span,
    pub(crate) function: Arc<str>,
    pub(crate) edges: Vec<RawEdge>,
}

/// A step between places.
pub(crate) enum RawEdge {
    /// Nothing happens.
    Pass(usize),
    /// An atomic section begins.
    Begin(usize),
    /// It ends.
    End(usize),
    /// A step. Its places are those of the graph.
    Step(Edge),
}

/// The graph of a checked program. A label that must not be reached is given by its name.
pub(crate) fn inline(
    tree: &Tree,
    functions: &Functions<'_>,
    error_label: Option<&str>,
) -> Fallible<Raw> {
    let mut builder = Builder {
        tree,
        functions,
        error_label,
        nodes: Vec::new(),
        slots: Vec::new(),
        waiting: Vec::new(),
        threads: BTreeMap::new(),
        ended: 0,
    };
    let main = functions["main"];
    let ended = builder.node(main.end, &main.name.name)?;
    builder.ended = ended;
    let entry = builder.node(main.name.span, &main.name.name)?;
    let first = builder.node(main.name.span, &main.name.name)?;
    let frame = builder.frame(main, 0, ended, None)?;
    builder.start(&frame, entry, first)?;
    builder.waiting.push((frame, first));
    while let Some((frame, first)) = builder.waiting.pop() {
        builder.body(&frame, first)?;
    }
    Ok(Raw {
        nodes: builder.nodes,
        entry,
        ended,
        slot_names: builder.slots,
    })
}

/// What names mean.
type Variables = BTreeMap<Arc<str>, Var>;

/// A call that is copied.
struct Frame<'t> {
    function: &'t Function,
    variables: Variables,
    /// The first place behind its variables.
    end: u32,
    /// The calls around it.
    around: Option<Rc<Around>>,
    /// Where it goes on behind the call, and what becomes of the results there.
    to: usize,
    results: Vec<Option<Var>>,
    /// What the caller enforces around the call.
    enforced: Vec<(Expr, Rc<Variables>)>,
}

/// The functions around a call.
struct Around {
    name: Arc<str>,
    next: Option<Rc<Around>>,
}

impl Around {
    fn count(around: &Option<Rc<Around>>, name: &str) -> usize {
        let mut count = 0;
        let mut next = around.as_ref();
        while let Some(one) = next {
            count += usize::from(&*one.name == name);
            next = one.next.as_ref();
        }
        count
    }
}

/// What a body enforces where a statement stands.
type Enforced<'t> = Vec<&'t Expr>;

struct Builder<'t> {
    tree: &'t Tree,
    functions: &'t Functions<'t>,
    error_label: Option<&'t str>,
    nodes: Vec<RawNode>,
    slots: Vec<String>,
    /// The copies that are still to be made, and where they begin.
    waiting: Vec<(Frame<'t>, usize)>,
    /// Where threads begin that a call starts, by the function.
    threads: BTreeMap<Arc<str>, usize>,
    /// Where threads are that have ended.
    ended: usize,
}

/// The names of a frame, with the values that variables have behind a statement.
struct Names<'n> {
    variables: &'n Variables,
    assigned: &'n [(Var, Cond)],
    /// Whether plain names mean what is behind the statement.
    behind: bool,
}

impl Names<'_> {
    fn variable(&self, name: &Ident) -> Option<Var> {
        self.variables.get(&name.name).copied()
    }
}

impl Scope for Names<'_> {
    fn before(&self, name: &Ident) -> Cond {
        match self.behind {
            true => self.after(name),
            // The checker has found all names.
            false => self.variable(name).map_or(Cond::FALSE, Cond::Variable),
        }
    }

    fn after(&self, name: &Ident) -> Cond {
        let Some(variable) = self.variable(name) else {
            return Cond::FALSE;
        };
        let mut assigned = self.assigned.iter();
        let found = assigned.find(|(other, _)| *other == variable);
        found.map_or(Cond::Variable(variable), |(_, value)| value.clone())
    }
}

/// A step from one place to another that does nothing yet.
fn step(source: usize, target: usize, span: Span) -> Edge {
    Edge {
        source,
        target,
        guard: Cond::TRUE,
        choices: Vec::new(),
        assigned: Vec::new(),
        action: Action::Step,
        span,
    }
}

/// A value of any kind.
fn any(edge: &mut Edge) -> Cond {
    edge.choices.push(Choice {
        yes: Cond::TRUE,
        no: Cond::TRUE,
    });
    Cond::Chosen(edge.choices.len() - 1)
}

impl<'t> Builder<'t> {
    fn node(&mut self, span: Span, function: &Arc<str>) -> Fallible<usize> {
        if self.nodes.len() == limits::NODES {
            let message = format!(
                "the program has more than {} places with its calls put in",
                limits::NODES
            );
            return Err(error(span, message));
        }
        self.nodes.push(RawNode {
            span,
            function: function.clone(),
            edges: Vec::new(),
        });
        Ok(self.nodes.len() - 1)
    }

    fn pass(&mut self, from: usize, to: usize) {
        self.nodes[from].edges.push(RawEdge::Pass(to));
    }

    fn add(&mut self, edge: Edge) {
        self.nodes[edge.source].edges.push(RawEdge::Step(edge));
    }

    /// A copy of a function whose variables begin at a place.
    fn frame(
        &mut self,
        function: &'t Function,
        base: u32,
        to: usize,
        around: Option<Rc<Around>>,
    ) -> Fallible<Frame<'t>> {
        let globals = self.tree.globals.iter().enumerate();
        let globals = globals.map(|(i, global)| (global.name.clone(), Var::Global(i as u32)));
        let mut variables: Variables = globals.collect();
        let own = locals(function);
        for (slot, local) in (base..).zip(&own) {
            variables.insert(local.name.clone(), Var::Slot(slot));
            match self.slots.get_mut(slot as usize) {
                Some(name) if **name != *local.name => *name = format!("local{slot}"),
                Some(_) => {}
                None => self.slots.push(local.name.to_string()),
            }
        }
        let name = function.name.name.clone();
        if self.slots.len() > limits::SLOTS {
            let message = format!(
                "calls that are nested have more than {} variables",
                limits::SLOTS
            );
            return Err(error(function.name.span, message));
        }
        Ok(Frame {
            function,
            variables,
            end: base + own.len() as u32,
            around: Some(Rc::new(Around { name, next: around })),
            to,
            results: Vec::new(),
            enforced: Vec::new(),
        })
    }

    /// The first step: variables start with any values.
    fn start(&mut self, frame: &Frame<'t>, entry: usize, first: usize) -> Fallible<()> {
        let mut edge = step(entry, first, frame.function.name.span);
        for variable in frame.variables.values() {
            let value = any(&mut edge);
            edge.assigned.push((*variable, value));
        }
        self.add(edge);
        Ok(())
    }

    fn body(&mut self, frame: &Frame<'t>, first: usize) -> Fallible<()> {
        let function = frame.function;
        let mut writer = Writer {
            builder: self,
            frame,
            labels: BTreeMap::new(),
            enforced: Vec::new(),
        };
        let last = writer.block(&function.body, first)?;
        // Whoever forgets to return something returns anything.
        let mut edge = step(last, frame.to, function.end);
        for variable in frame.results.iter().flatten() {
            let value = any(&mut edge);
            edge.assigned.push((*variable, value));
        }
        writer.leave(edge);
        Ok(())
    }
}

/// Writes the body of a function into the graph.
struct Writer<'w, 't> {
    builder: &'w mut Builder<'t>,
    frame: &'w Frame<'t>,
    labels: BTreeMap<Arc<str>, usize>,
    enforced: Enforced<'t>,
}

impl<'t> Writer<'_, 't> {
    fn node(&mut self, span: Span) -> Fallible<usize> {
        self.builder.node(span, &self.frame.function.name.name)
    }

    fn label(&mut self, label: &Ident) -> Fallible<usize> {
        match self.labels.get(&label.name) {
            Some(node) => Ok(*node),
            None => {
                let node = self.node(label.span)?;
                self.labels.insert(label.name.clone(), node);
                Ok(node)
            }
        }
    }

    fn names(&self) -> Names<'_> {
        Names {
            variables: &self.frame.variables,
            assigned: &[],
            behind: false,
        }
    }

    fn can(&self, expr: &Expr, value: bool) -> Cond {
        can(expr, value, &self.names())
    }

    /// Adds a step, with what is enforced around it.
    fn add(&mut self, mut edge: Edge) {
        for condition in &self.enforced {
            let before = can(condition, true, &self.names());
            let after = behind(condition, &self.frame.variables, &edge.assigned);
            edge.guard = edge.guard.and(before).and(after);
        }
        self.builder.add(edge);
    }

    /// Adds a step out of the function.
    fn leave(&mut self, mut edge: Edge) {
        for condition in &self.enforced {
            let before = can(condition, true, &self.names());
            edge.guard = edge.guard.and(before);
        }
        for (condition, variables) in &self.frame.enforced {
            let after = behind(condition, variables, &edge.assigned);
            edge.guard = edge.guard.and(after);
        }
        self.builder.add(edge);
    }

    /// Writes statements one after the other, and says where they end.
    fn block(&mut self, body: &'t [Stmt], first: usize) -> Fallible<usize> {
        let mut at = first;
        for stmt in body {
            at = self.labels_of(stmt, at)?;
            let next = self.node(stmt.span)?;
            self.builder.nodes[at].span = stmt.span;
            self.statement(stmt, at, next)?;
            at = next;
        }
        Ok(at)
    }

    fn labels_of(&mut self, stmt: &'t Stmt, mut at: usize) -> Fallible<usize> {
        for label in &stmt.labels {
            let node = self.label(label)?;
            self.builder.pass(at, node);
            at = node;
            if self.builder.error_label == Some(&*label.name) {
                let mut fail = step(at, at, label.span);
                let message = format!("the label `{}` is reached", label.name);
                fail.action = Action::Fail(message);
                self.builder.add(fail);
            }
        }
        Ok(at)
    }

    fn statement(&mut self, stmt: &'t Stmt, at: usize, next: usize) -> Fallible<()> {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Skip | StmtKind::Decl(_) => self.builder.pass(at, next),
            StmtKind::Goto(labels) => {
                for label in labels {
                    let to = self.label(label)?;
                    self.builder.pass(at, to);
                }
            }
            StmtKind::AtomicBegin => self.builder.nodes[at].edges.push(RawEdge::Begin(next)),
            StmtKind::AtomicEnd => self.builder.nodes[at].edges.push(RawEdge::End(next)),
            StmtKind::EndThread => {
                let ended = self.builder.ended;
                self.builder.pass(at, ended);
            }
            StmtKind::Assume(condition) => self.assume(condition, true, at, next, span),
            StmtKind::Abortif(condition) => self.assume(condition, false, at, next, span),
            StmtKind::Assert(condition) => {
                let mut edge = step(at, next, span);
                edge.action = Action::Assert(self.can(condition, false).negated());
                self.add(edge);
            }
            StmtKind::Enforce(condition) => {
                self.enforced.push(condition);
                self.builder.pass(at, next);
            }
            StmtKind::If {
                branches,
                otherwise,
            } => self.conditional(branches, otherwise, at, next)?,
            StmtKind::While(condition, body) => {
                let inside = self.node(span)?;
                self.assume(condition, true, at, inside, condition.span);
                self.assume(condition, false, at, next, condition.span);
                let last = self.block(body, inside)?;
                self.builder.pass(last, at);
            }
            StmtKind::Dead(names) => {
                let mut edge = step(at, next, span);
                for name in names {
                    let value = any(&mut edge);
                    self.assign(&mut edge, name, value);
                }
                self.add(edge);
            }
            StmtKind::Assign {
                targets,
                values,
                constrain,
            } => self.assignment(targets, values, constrain.as_ref(), (at, next, span)),
            StmtKind::Return(values) => {
                let mut edge = step(at, self.frame.to, span);
                let results = self.frame.results.clone();
                for (variable, value) in results.iter().zip(values) {
                    let value = self.value(&mut edge, value);
                    edge.assigned.extend(variable.map(|v| (v, value)));
                }
                self.leave(edge);
            }
            StmtKind::Call(call) if stmt.labels.iter().any(is_asynchronous) => {
                self.spawn_call(call, (at, next, span))?;
            }
            StmtKind::Call(call) => self.call(call, (at, next, span))?,
            StmtKind::StartThread(inside) => self.spawn(inside, (at, next, span))?,
        }
        Ok(())
    }

    fn assume(&mut self, condition: &Expr, wanted: bool, at: usize, next: usize, span: Span) {
        let mut edge = step(at, next, span);
        edge.guard = self.can(condition, wanted);
        self.add(edge);
    }

    fn conditional(
        &mut self,
        branches: &'t [(Expr, Vec<Stmt>)],
        otherwise: &'t [Stmt],
        mut at: usize,
        next: usize,
    ) -> Fallible<()> {
        for (condition, body) in branches {
            let inside = self.node(condition.span)?;
            let outside = self.node(condition.span)?;
            self.assume(condition, true, at, inside, condition.span);
            self.assume(condition, false, at, outside, condition.span);
            let last = self.block(body, inside)?;
            self.builder.pass(last, next);
            at = outside;
        }
        let last = self.block(otherwise, at)?;
        self.builder.pass(last, next);
        Ok(())
    }

    /// The value of an expression in a step: that of its variables, or one that is chosen.
    fn value(&self, edge: &mut Edge, expr: &Expr) -> Cond {
        if is_definite(expr) {
            return self.can(expr, true);
        }
        edge.choices.push(Choice {
            yes: self.can(expr, true),
            no: self.can(expr, false),
        });
        Cond::Chosen(edge.choices.len() - 1)
    }

    fn assign(&self, edge: &mut Edge, name: &Ident, value: Cond) {
        let variable = self.frame.variables.get(&name.name);
        edge.assigned.extend(variable.map(|v| (*v, value)));
    }

    fn assignment(
        &mut self,
        targets: &[Target],
        values: &[Expr],
        constrain: Option<&Expr>,
        (at, next, span): (usize, usize, Span),
    ) {
        let mut edge = step(at, next, span);
        for (target, value) in targets.iter().zip(values) {
            let value = self.value(&mut edge, value);
            if let Some(name) = target {
                self.assign(&mut edge, name, value);
            }
        }
        if let Some(condition) = constrain {
            let names = Names {
                variables: &self.frame.variables,
                assigned: &edge.assigned,
                behind: false,
            };
            edge.guard = can(condition, true, &names);
        }
        self.add(edge);
    }

    fn call(&mut self, call: &Call, (at, next, span): (usize, usize, Span)) -> Fallible<()> {
        let function = self.builder.functions[&call.function.name];
        let around = self.frame.around.clone();
        if Around::count(&around, &function.name.name) > limits::RECURSION {
            let mut edge = step(at, at, span);
            edge.action = Action::Fail(format!(
                "calls of `{}` nest more than {} deep, which is as far as they are looked into",
                function.name.name,
                limits::RECURSION
            ));
            self.add(edge);
            return Ok(());
        }
        let mut frame = self.builder.frame(function, self.frame.end, next, around)?;
        let variables = Rc::new(self.frame.variables.clone());
        let enforced = self.enforced.iter();
        frame.enforced = enforced
            .map(|e| ((*e).clone(), variables.clone()))
            .collect();
        let results = call.targets.iter();
        let place = |target: &Target| {
            let name = target.as_ref()?;
            self.frame.variables.get(&name.name).copied()
        };
        frame.results = results.map(place).collect();
        let first = self.builder.node(span, &function.name.name)?;
        let mut edge = step(at, first, span);
        self.arguments(&mut edge, function, &frame.variables, &call.arguments);
        for condition in &self.enforced {
            edge.guard = edge.guard.and(can(condition, true, &self.names()));
        }
        self.builder.add(edge);
        self.builder.waiting.push((frame, first));
        Ok(())
    }

    /// What the variables of a function get at a call: its parameters the arguments, all others anything.
    fn arguments(
        &self,
        edge: &mut Edge,
        function: &Function,
        variables: &Variables,
        arguments: &[Expr],
    ) {
        let mut arguments = arguments.iter();
        for local in locals(function) {
            let value = match arguments.next() {
                Some(argument) => self.value(edge, argument),
                None => any(edge),
            };
            edge.assigned
                .extend(variables.get(&local.name).map(|v| (*v, value)));
        }
    }

    fn spawn(&mut self, inside: &'t Stmt, place: (usize, usize, Span)) -> Fallible<()> {
        match &inside.kind {
            StmtKind::Goto(labels) => {
                for label in labels {
                    let node = self.label(label)?;
                    // Those of the calls around it, too, to which it will return.
                    let copied = (0..self.frame.end).map(|s| (s, Cond::Variable(Var::Slot(s))));
                    let given = copied.collect();
                    self.spawned(Spawn { node, given }, Vec::new(), place);
                }
                Ok(())
            }
            StmtKind::Call(call) => self.spawn_call(call, place),
            // The checker lets nothing else through.
            _ => Err(error_help(
                inside.span,
                "`start_thread` does not support this statement",
                "a new thread begins with `goto L` or with a call without results",
            )),
        }
    }

    fn spawn_call(&mut self, call: &Call, place: (usize, usize, Span)) -> Fallible<()> {
        let function = self.builder.functions[&call.function.name];
        let name = function.name.name.clone();
        let ended = self.builder.ended;
        let frame = self.builder.frame(function, 0, ended, None)?;
        let variables = frame.variables.clone();
        let node = match self.builder.threads.get(&name) {
            Some(node) => *node,
            None => {
                let node = self.builder.node(function.name.span, &name)?;
                self.builder.threads.insert(name, node);
                self.builder.waiting.push((frame, node));
                node
            }
        };
        let mut edge = step(place.0, place.1, place.2);
        self.arguments(&mut edge, function, &variables, &call.arguments);
        let choices = std::mem::take(&mut edge.choices);
        let given = edge
            .assigned
            .into_iter()
            .filter_map(|(variable, value)| match variable {
                Var::Slot(slot) => Some((slot, value)),
                Var::Global(_) => None,
            });
        let given = given.collect();
        self.spawned(Spawn { node, given }, choices, place);
        Ok(())
    }

    fn spawned(
        &mut self,
        spawn: Spawn,
        choices: Vec<Choice>,
        (at, next, span): (usize, usize, Span),
    ) {
        let mut edge = step(at, next, span);
        edge.action = Action::Spawn(spawn);
        edge.choices = choices;
        self.add(edge);
    }
}

/// A call behind a label of that kind starts a thread, which is how programs made from C write it.
fn is_asynchronous(label: &Ident) -> bool {
    label.name.starts_with("ASYNC_")
}

/// Where a condition can hold behind an assignment.
fn behind(expr: &Expr, variables: &Variables, assigned: &[(Var, Cond)]) -> Cond {
    let names = Names {
        variables,
        assigned,
        behind: true,
    };
    can(expr, true, &names)
}
