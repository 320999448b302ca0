//! A program with a bounded number of threads as a model: a rule for each step, whose parameters are the thread, a thread that it makes, and the values
//! that are chosen.

use crate::cond::{Cond, Var};
use crate::flow::{Action, Edge, Flow};
use crate::limits;
use crate::rules::{
    ABSENT, MADE, MOVER, Phase, Rule, Rules, all, assign, at, constant, guarded, holds, local,
    of_thread, read, shared,
};
use mandala_model::expr::{BinaryOp, Expr, Place, Root};
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::ids::{GlobalId, LocalId};
use mandala_model::model::{Language, UncheckedModel};
use mandala_model::parameters::{Parameter, Progression, Values};
use mandala_model::source::Span;
use mandala_model::template::Effect;
use mandala_model::types::Scalar;

/// The cells of the model.
struct Cells {
    pc: GlobalId,
    lock: Option<GlobalId>,
    globals: Vec<GlobalId>,
    slots: Vec<GlobalId>,
    chosen: Vec<LocalId>,
    saved: Vec<LocalId>,
}

/// The model of a program with at most so many threads ever. The text is that of the program.
pub(crate) fn lower(flow: &Flow, threads: u32, text: &str) -> Fallible<UncheckedModel> {
    require_few_choices(flow)?;
    let mut rules = Rules::new(Language::Boolean, threads, flow.span);
    let cells = cells(&mut rules, flow);
    let lowering = Lowering { flow, cells, text };
    rules.add(lowering.start(&rules));
    for edge in &flow.edges {
        let rule = lowering.rule(&rules, edge);
        rules.add(rule);
    }
    Ok(rules.finish())
}

fn require_few_choices(flow: &Flow) -> Fallible<()> {
    let many = |edge: &&Edge| edge.choices.len() > limits::CHOICES;
    match flow.edges.iter().find(many) {
        None => Ok(()),
        Some(edge) => Err(error_help(
            edge.span,
            format!(
                "more than {} variables get any value at once",
                limits::CHOICES
            ),
            "assign to fewer variables in one step, or before they are read",
        )),
    }
}

fn cells(rules: &mut Rules, flow: &Flow) -> Cells {
    let span = flow.span;
    let names = flow.nodes.iter().map(|node| node.name.clone());
    let pc = rules.places("pc", names);
    let lock = flow
        .has_lock()
        .then(|| rules.global("atomic", Scalar::Bool, span));
    let globals = flow.globals.iter();
    let globals = globals.map(|(name, span)| rules.global(name, Scalar::Bool, *span));
    let globals = globals.collect();
    let slots = flow.slot_names.iter();
    let slots = slots
        .map(|name| rules.column(name, Scalar::Bool, span))
        .collect();
    let choices = flow.edges.iter().map(|edge| edge.choices.len()).max();
    let chosen = (0..choices.unwrap_or(0)).map(|n| rules.scratch(&format!("any{n}"), Scalar::Bool));
    let chosen = chosen.collect();
    let assigned = flow.edges.iter().map(|edge| edge.assigned.len()).max();
    let saved = (0..assigned.unwrap_or(0)).map(|n| rules.scratch(&format!("new{n}"), Scalar::Bool));
    let saved = saved.collect();
    Cells {
        pc,
        lock,
        globals,
        slots,
        chosen,
        saved,
    }
}

struct Lowering<'l> {
    flow: &'l Flow,
    cells: Cells,
    text: &'l str,
}

impl Lowering<'_> {
    /// One thread is at the start, whichever it is.
    fn start(&self, rules: &Rules) -> Rule {
        let span = self.flow.span;
        let entered = assign(self.pc(MOVER, span), place_number(self.flow.entry, span));
        Rule {
            from: Phase::Start,
            to: Phase::Run,
            parameters: vec![rules.parameter(MOVER)],
            step: guarded(constant(1, span), vec![entered]),
            text: "the program starts".into(),
            span,
        }
    }

    fn rule(&self, rules: &Rules, edge: &Edge) -> Rule {
        let span = edge.span;
        let mut parameters = vec![rules.parameter(MOVER)];
        if let Action::Spawn(_) = edge.action {
            parameters.push(rules.parameter(MADE));
        }
        let chosen = self.cells.chosen.iter().take(edge.choices.len());
        parameters.extend(chosen.enumerate().map(|(n, local)| choice(n, *local, span)));
        Rule {
            from: Phase::Run,
            to: Phase::Run,
            parameters,
            step: guarded(self.guard(edge), self.effects(edge)),
            text: self.quoted(span),
            span,
        }
    }

    fn guard(&self, edge: &Edge) -> Expr {
        let span = edge.span;
        let mut conditions = vec![holds(self.pc(MOVER, span), at(edge.source))];
        if let Some(lock) = self.cells.lock.filter(|_| self.flow.waits(edge)) {
            conditions.push(read(shared(lock, span)).negated());
        }
        for condition in [&edge.guard, &edge.possible()] {
            if *condition != Cond::TRUE {
                conditions.push(self.condition(condition, span));
            }
        }
        if let Action::Spawn(_) = edge.action {
            conditions.push(holds(self.pc(MADE, span), ABSENT));
        }
        all(conditions, span)
    }

    fn effects(&self, edge: &Edge) -> Vec<Effect> {
        let span = edge.span;
        let mut effects = Vec::new();
        match &edge.action {
            Action::Step => {}
            Action::Assert(condition) => effects.push(Effect::Assert {
                condition: self.condition(condition, span),
            }),
            Action::Fail(message) => {
                let message = message.clone();
                return vec![Effect::Fail { message }];
            }
            Action::Spawn(spawn) => {
                let started = place_number(spawn.node, span);
                effects.push(assign(self.pc(MADE, span), started));
                effects.extend(spawn.given.iter().map(|(slot, value)| {
                    let place = of_thread(self.cells.slots[*slot as usize], local(MADE, span));
                    assign(place, self.condition(value, span))
                }));
            }
        }
        self.assignments(edge, &mut effects);
        if let (Some(lock), Some(value)) = (self.cells.lock, self.flow.locks(edge)) {
            effects.push(assign(shared(lock, span), constant(i64::from(value), span)));
        }
        if edge.source != edge.target {
            effects.push(assign(
                self.pc(MOVER, span),
                place_number(edge.target, span),
            ));
        }
        effects
    }

    /// All variables get their values at once: values that are read from others are made before.
    fn assignments(&self, edge: &Edge, effects: &mut Vec<Effect>) {
        let span = edge.span;
        let written = |variable: Var| edge.assigned.iter().any(|(v, _)| *v == variable);
        let mut behind = Vec::new();
        for ((variable, value), saved) in edge.assigned.iter().zip(&self.cells.saved) {
            let mut is_early = false;
            value.walk(&mut |part| {
                is_early |= part.is_ok_and(|read| read != *variable && written(read));
            });
            let place = self.place(*variable, span);
            let value = self.condition(value, span);
            if is_early {
                let save = Place::variable(Root::Local(*saved), span);
                effects.push(assign(save, value));
                behind.push(assign(place, local(*saved, span)));
            } else {
                behind.push(assign(place, value));
            }
        }
        effects.extend(behind);
    }

    fn pc(&self, thread: LocalId, span: Span) -> Place {
        of_thread(self.cells.pc, local(thread, span))
    }

    fn place(&self, variable: Var, span: Span) -> Place {
        match variable {
            Var::Global(number) => shared(self.cells.globals[number as usize], span),
            Var::Slot(slot) => of_thread(self.cells.slots[slot as usize], local(MOVER, span)),
        }
    }

    fn condition(&self, condition: &Cond, span: Span) -> Expr {
        let both = |op, left: &Cond, right: &Cond| {
            Expr::binary(op, self.condition(left, span), self.condition(right, span))
        };
        match condition {
            Cond::Constant(value) => constant(i64::from(*value), span),
            Cond::Variable(variable) => read(self.place(*variable, span)),
            Cond::Chosen(number) => local(self.cells.chosen[*number], span),
            Cond::Not(inside) => self.condition(inside, span).negated(),
            Cond::And(left, right) => both(BinaryOp::And, left, right),
            Cond::Or(left, right) => both(BinaryOp::Or, left, right),
            Cond::Equal(left, right) => both(BinaryOp::Equal, left, right),
        }
    }

    /// The text at a place, in one line.
    fn quoted(&self, span: Span) -> String {
        let text = self.text.get(span.start as usize..span.end as usize);
        let words: Vec<&str> = text.unwrap_or_default().split_whitespace().collect();
        match words.as_slice() {
            [] | ["main"] => "variables start with any values".into(),
            words => words.join(" "),
        }
    }
}

/// The number of a place, as a value.
fn place_number(node: usize, span: Span) -> Expr {
    constant(at(node), span)
}

/// The parameter that is a value that is chosen.
fn choice(number: usize, local: LocalId, span: Span) -> Parameter {
    Parameter {
        name: format!("any{number}"),
        local,
        values: Values(vec![Progression::range(0, 2)]),
        positions_of: None,
        span,
    }
}

/// Refuses a number of threads that cells do not hold.
pub(crate) fn require_threads(threads: u32, span: Span) -> Fallible<()> {
    match (1..=limits::THREADS).contains(&threads) {
        true => Ok(()),
        false => Err(error(
            span,
            format!("{threads} threads: there can be 1 to {}", limits::THREADS),
        )),
    }
}
