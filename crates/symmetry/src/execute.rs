//! Symbolic execution: from an edge to the set of its paths.
//!
//! The number of the process that acts is either a known one or [`Term::Other`], any number that is not
//! permuted. Variables that are written keep their symbolic value, so that the counter of a loop that
//! runs in one step becomes a constant and the loop is unrolled. A read or a write that may or may not be
//! of a cell written before, and every send, receive and creation of a process end a segment: what comes
//! later is expressed in terms of the state then.
//!
//! Locations in the middle of an atomic sequence at which the process is never held up are passed
//! through (`locations`): nobody ever sees them.

mod effects;
mod evaluate;
mod merge;
mod outcomes;
mod risks;
mod routine;
mod run;

use crate::algebra::Algebra;
use crate::breach::Breach;
use crate::budget::{ProofBudget, ProofPart};
use crate::lasting::Lasting;
use crate::locations::passing_with;
use crate::path::{At, End, Observation, Path};
use crate::path::{Deed, EdgeForm, Field};
use crate::term::{Tag, Term};
use mandala_model::Model;
use mandala_model::expr::{Expr, ReceiveOrder};
use mandala_model::function::CALL;
use mandala_model::ids::{LocationId, MonitorId, PropertyId, TemplateId};
use mandala_model::property::{Condition, Property};
use mandala_model::source::Span;
use mandala_model::template::{Control, Edge, Keep, Role, Step, Template};
use risks::Risks;
use routine::Cut;
use run::Run;
use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;

/// How much work the paths of one edge may be together: a step counts as one, and where the way
/// divides, what has to be copied counts as well.
const BUDGET: usize = 400_000;

/// The same for all edges of a template.
const WHOLE_BUDGET: usize = 2_000_000;

/// How many locations a path may pass through. The chain is followed by recursion.
const LONGEST_CHAIN: u32 = 300;

/// Who acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Actor {
    /// The process of that number.
    Known(u32),
    /// A process, or an observer, of none of the permuted numbers.
    Other,
}

/// What stops the execution.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The segment has to end first.
    Flush,
    /// It cannot be proven.
    Give(Breach),
}

impl Stop {
    /// What is in the way, where nothing has been written that could be hidden.
    fn into_breach(self) -> Breach {
        match self {
            Stop::Give(breach) => breach,
            Stop::Flush => unreachable!("nothing has been written that could be hidden"),
        }
    }
}

/// What is being executed, for a person.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What<'t> {
    /// A statement of the model.
    Code(&'t str),
    /// A noun phrase for it.
    Phrase(&'t str),
}

impl fmt::Display for What<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Code(text) => write!(f, "`{text}`"),
            What::Phrase(text) => f.write_str(text),
        }
    }
}

/// How a step ends that has no state after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// It fails.
    Fails,
    /// Nothing is wrong with that.
    Vanishes,
}

/// Executes the edges of one template for one actor.
pub(crate) struct Executor<'m> {
    pub model: &'m Model,
    pub algebra: Algebra,
    pub template: &'m Template,
    /// For each edge, the property that names it, if these are the monitors.
    owners: Vec<Option<PropertyId>>,
    pub actor: Actor,
    /// Variables that always refer to the channel that was made for them.
    pub lasting: &'m Lasting,
    passing: BTreeSet<LocationId>,
    /// What is left for this edge.
    budget: usize,
    /// What is left for all edges.
    rest: usize,
    /// What all proofs about the model spend from.
    account: ProofBudget,
    /// The ways through the edge that end because something cannot be computed.
    faults: Vec<Path>,
    /// How these end.
    fault: End,
    /// Whether the edge goes on through locations that nobody sees, where there may be a choice.
    goes_on: bool,
    /// Whether ways that meet are merged.
    merging: bool,
}

/// The forms of all edges of a template, location by location.
pub(crate) type Forms = Vec<Vec<EdgeForm>>;

/// Who stands there: somebody without variables of his own, who does nothing.
static NOBODY: Template = Template {
    name: String::new(),
    role: Role::Claim,
    parameters: 0,
    locals: Vec::new(),
    locations: Vec::new(),
    edges: Vec::new(),
    entry: LocationId(0),
    provided: None,
    deterministic: false,
    span: Span::START,
};

/// Executes all edges of a template.
pub(crate) fn forms(
    model: &Model,
    lasting: &Lasting,
    who: (TemplateId, Actor),
    budget: &ProofBudget,
) -> Result<Forms, Breach> {
    let mut executor = Executor::new(model, lasting, who, budget);
    executor.passing = passing_with(model, lasting, executor.template);
    let mut found = executor.all_forms();
    // Unrolling an atomic sequence may be too much; step by step it may be simple.
    if found.is_err() && !executor.passing.is_empty() {
        executor.passing.clear();
        found = executor.all_forms();
    }
    if found.is_err() {
        executor.merging = true;
        found = executor.all_forms();
    }
    found
}

/// What the conditions ask of a state that a property is about, one after the other: in which ways each is met, or has no value.
pub(crate) fn questions(
    model: &Model,
    lasting: &Lasting,
    property: &Property,
    budget: &ProofBudget,
) -> Result<Vec<EdgeForm>, Breach> {
    let mut executor = Executor::of(model, lasting, (&NOBODY, Actor::Other), budget);
    let found = executor.all_questions(property);
    if found.is_ok() {
        return found;
    }
    executor.merging = true;
    executor.all_questions(property)
}

impl<'m> Executor<'m> {
    /// For expressions and single steps of that template.
    pub fn new(
        model: &'m Model,
        lasting: &'m Lasting,
        (id, actor): (TemplateId, Actor),
        budget: &ProofBudget,
    ) -> Self {
        Executor::of(model, lasting, (model.template(id), actor), budget)
    }

    fn of(
        model: &'m Model,
        lasting: &'m Lasting,
        (template, actor): (&'m Template, Actor),
        budget: &ProofBudget,
    ) -> Self {
        Executor {
            model,
            algebra: Algebra::of(model),
            template,
            owners: match template.role {
                Role::Monitors => model.owners_of_monitors(),
                _ => Vec::new(),
            },
            actor,
            lasting,
            passing: BTreeSet::new(),
            budget: budget.scaled(BUDGET),
            rest: budget.scaled(WHOLE_BUDGET),
            account: budget.clone(),
            faults: Vec::new(),
            fault: End::Faults(None),
            goes_on: false,
            merging: false,
        }
    }

    /// The value of an expression that stands alone.
    pub fn alone(&self, expr: &Expr) -> Result<Term, Breach> {
        let mut risks = Risks::default();
        let term = self.evaluate(&Run::default(), expr, &mut risks);
        match term.map_err(Stop::into_breach)? {
            term if risks.is_empty() => Ok(term),
            _ => Err(Breach::at(expr.span, "may be undefined here")),
        }
    }

    fn all_questions(&mut self, property: &Property) -> Result<Vec<EdgeForm>, Breach> {
        self.rest = self.account.scaled(WHOLE_BUDGET);
        let conditions = property.kind.conditions().into_iter();
        let conditions = conditions.map(|id| self.model.condition(id));
        let forms = conditions.map(|condition| self.question(condition, property.span));
        forms.collect()
    }

    /// In which ways a condition is met, or has no value. It is told of where its property stands.
    fn question(&mut self, asked: &'m Condition, span: Span) -> Result<EdgeForm, Breach> {
        self.fault = End::Faults(None);
        self.goes_on = false;
        let paths = self.within_budget(|this, paths| {
            this.spend(1, span, What::Code(&asked.text))?;
            let (yes, _) = this.branch(Run::default(), &asked.condition)?;
            paths.extend(yes.map(|run| run.finish(End::Holds(None, None))));
            Ok(())
        })?;
        Ok(EdgeForm {
            paths,
            is_else: false,
            escape: 0,
            text: asked.text.clone(),
            span,
        })
    }

    /// All ways through something, those among them that end because something cannot be computed.
    fn within_budget(
        &mut self,
        find: impl FnOnce(&mut Self, &mut Vec<Path>) -> Result<(), Breach>,
    ) -> Result<Vec<Rc<Path>>, Breach> {
        let mut paths = Vec::new();
        let budget = self.account.scaled(BUDGET).min(self.rest);
        self.budget = budget;
        self.faults.clear();
        find(self, &mut paths)?;
        self.rest -= budget - self.budget;
        paths.append(&mut self.faults);
        let paths = outcomes::settled(self.algebra, paths);
        Ok(paths.into_iter().map(Rc::new).collect())
    }

    fn all_forms(&mut self) -> Result<Forms, Breach> {
        self.rest = self.account.scaled(WHOLE_BUDGET);
        let locations = (0..self.template.locations.len()).map(LocationId::from);
        let locations: Vec<LocationId> = locations.collect();
        let forms = locations.into_iter().map(|l| self.forms_at(l));
        forms.collect()
    }

    fn forms_at(&mut self, location: LocationId) -> Result<Vec<EdgeForm>, Breach> {
        if self.passing.contains(&location) {
            return Ok(Vec::new());
        }
        let template = self.template;
        let edges = template.edges_from(location);
        edges.map(|(_, edge)| self.form(edge)).collect()
    }

    fn form(&mut self, edge: &'m Edge) -> Result<EdgeForm, Breach> {
        self.fault = End::Faults(self.property(edge));
        self.goes_on = edge.control == Control::Hold && self.passing.contains(&edge.target);
        // What a twin does is known from the other one, as that is done at all positions alike.
        let paths = self.within_budget(|this, paths| match edge.twin {
            true => Ok(()),
            false => this.edge(edge, Run::default(), paths),
        })?;
        Ok(EdgeForm {
            paths,
            is_else: edge.step == Step::Else,
            escape: edge.escape,
            text: edge.text.clone(),
            span: edge.span,
        })
    }

    /// All ways through an edge from what has happened so far.
    fn edge(&mut self, edge: &'m Edge, run: Run, paths: &mut Vec<Path>) -> Result<(), Breach> {
        self.spend(1 + run.weight, edge.span, What::Code(&edge.text))?;
        match &edge.step {
            Step::Else => self.arrive(edge, run, paths),
            Step::Call(_) => unreachable!("{CALL}"),
            Step::Exit => {
                paths.push(run.finish(End::Exits));
                Ok(())
            }
            Step::Guarded { guard, effects } => {
                let (yes, _) = self.branch(run, guard)?;
                if let Some(mut run) = yes {
                    match self.effects(&mut run, effects)? {
                        None => self.arrive(edge, run, paths)?,
                        Some(halt) => paths.push(self.halted(edge, run, halt)),
                    }
                }
                Ok(())
            }
            Step::Send { .. } | Step::Receive { .. } => {
                let mut run = run;
                self.message(&mut run, &edge.step, edge.span)?;
                self.arrive(edge, run, paths)
            }
            Step::Routine(routine) => {
                for (run, end) in self.routine(routine, run)? {
                    match end {
                        None => self.arrive(edge, run, paths)?,
                        Some(Cut::At(end)) => paths.push(run.finish(end)),
                        Some(Cut::Halt(halt)) => paths.push(self.halted(edge, run, halt)),
                    }
                }
                Ok(())
            }
        }
    }

    /// The path of a step that has no state after it.
    fn halted(&self, edge: &'m Edge, run: Run, halt: Halt) -> Path {
        let end = match halt {
            Halt::Fails => End::Fails(self.property(edge)),
            Halt::Vanishes => End::Vanishes,
        };
        run.finish_nowhere(end)
    }

    /// The property that names a monitor, if the edge is one: what a monitor comes to must stay with its property.
    fn property(&self, edge: &'m Edge) -> Option<PropertyId> {
        self.owners.get(self.place_of_monitor(edge)?).copied()?
    }

    fn place_of_monitor(&self, edge: &'m Edge) -> Option<usize> {
        let mut edges = self.template.edges.iter().take(self.owners.len());
        edges.position(|other| std::ptr::eq(other, edge))
    }

    /// That a monitor holds, as far as it matters which one it is.
    fn holding(&self, edge: &'m Edge) -> End {
        let monitor = self.place_of_monitor(edge).map(MonitorId::from);
        let single = monitor.filter(|monitor| self.model.demands_each(*monitor));
        End::Holds(self.property(edge), single)
    }

    /// Goes along an edge whose step has been performed, and on from there if nobody sees the target.
    fn arrive(
        &mut self,
        edge: &'m Edge,
        mut run: Run,
        paths: &mut Vec<Path>,
    ) -> Result<(), Breach> {
        if self.template.role == Role::Monitors {
            let end = self.holding(edge);
            paths.push(run.finish_nowhere(end));
            return Ok(());
        }
        run.forget_scratch(self.model, self.template);
        let holds = edge.control == Control::Hold;
        if !(holds && self.passing.contains(&edge.target)) {
            let end = End::Arrives(edge.target, holds);
            paths.push(run.finish(end));
            return Ok(());
        }
        run.passed += 1;
        if run.passed > LONGEST_CHAIN {
            return Err(Breach::too_complex(edge.span, &edge.text));
        }
        let template = self.template;
        let mut refused = run.clone();
        for (_, next) in template.edges_from(edge.target) {
            match &next.step {
                Step::Else => self.edge(next, refused.clone(), paths)?,
                Step::Guarded { guard, .. } => {
                    self.edge(next, run.clone(), paths)?;
                    match self.branch(refused, guard)?.1 {
                        Some(rest) => refused = rest,
                        // One that is always possible leaves nothing to an `else` after it.
                        None => return self.rest_without_else(edge, next, &run, paths),
                    }
                }
                _ => self.edge(next, run.clone(), paths)?,
            }
        }
        Ok(())
    }

    /// The edges at the target of `edge` after `last`, with no `else` among them.
    fn rest_without_else(
        &mut self,
        edge: &'m Edge,
        last: &'m Edge,
        run: &Run,
        paths: &mut Vec<Path>,
    ) -> Result<(), Breach> {
        let template = self.template;
        let edges = template.edges_from(edge.target).map(|(_, next)| next);
        let after = edges.skip_while(|next| !std::ptr::eq(*next, last)).skip(1);
        for next in after.filter(|next| next.step != Step::Else) {
            self.edge(next, run.clone(), paths)?;
        }
        Ok(())
    }

    /// Pays for terms that are made. They belong to no budget of an edge: how many there are says nothing of how many ways there are.
    fn pay(&self, cost: usize, span: Span, what: What<'_>) -> Result<(), Breach> {
        self.account.spend(cost as u64);
        self.account
            .require(|| ProofPart::at(span, what.to_string()))
    }

    fn spend(&mut self, cost: usize, span: Span, what: What<'_>) -> Result<(), Breach> {
        self.pay(cost, span, what)?;
        self.budget = self.budget.saturating_sub(cost);
        if self.budget == 0 {
            return Err(Breach::too_many_ways(span, &what.to_string()));
        }
        Ok(())
    }

    /// A send or receive as an edge of its own: whether it is possible is part of the deed.
    fn message(&mut self, run: &mut Run, step: &'m Step, span: Span) -> Result<(), Breach> {
        let deed = self.statement(run, span, |this, run, risks| this.deed(run, step, risks))?;
        run.act(At { what: deed, span });
        Ok(())
    }

    /// Evaluates something on the way on which that is possible, after ending the segment if it has to be.
    fn statement<T>(
        &mut self,
        run: &mut Run,
        span: Span,
        evaluate: impl Fn(&Self, &Run, &mut Risks) -> Result<T, Stop>,
    ) -> Result<T, Breach> {
        let (value, risks) = self.tried(run, evaluate)?;
        self.require(run, risks, span)?;
        Ok(value)
    }

    /// The same, but what can go wrong is only told.
    fn tried<T>(
        &mut self,
        run: &mut Run,
        evaluate: impl Fn(&Self, &Run, &mut Risks) -> Result<T, Stop>,
    ) -> Result<(T, Risks), Breach> {
        // With nothing written in the segment nobody asks for its end, so twice is enough.
        loop {
            let mut risks = Risks::default();
            match evaluate(self, run, &mut risks) {
                Ok(value) => return Ok((value, risks)),
                Err(Stop::Give(breach)) => return Err(breach),
                Err(Stop::Flush) => run.flush(),
            }
        }
    }

    /// The deed of a send or a receive.
    fn deed(&self, run: &Run, step: &'m Step, risks: &mut Risks) -> Result<Deed, Stop> {
        if run.is_dirty() {
            return Err(Stop::Flush);
        }
        if matches!(self.template.role, Role::Events(_)) {
            return self.event(run, step, risks);
        }
        match step {
            Step::Send {
                channel,
                order,
                message,
            } => {
                let message = message.iter().map(|e| self.evaluate(run, e, risks));
                let message = message.collect::<Result<_, _>>()?;
                let channel = self.evaluate(run, channel, risks)?;
                Ok(Deed::Send(channel, Tag(*order), message))
            }
            Step::Receive {
                channel,
                order,
                keep,
                patterns,
            } => Ok(Deed::Receive(
                self.evaluate(run, channel, risks)?,
                Tag(*order),
                Tag(*keep),
                self.fields(run, patterns, risks)?,
            )),
            _ => unreachable!("only sends and receives are asked for their deeds"),
        }
    }

    /// What an observer of messages waits for: of a send it looks at constants only, and it never
    /// binds. A message that stays stands for one that is sent.
    fn event(&self, run: &Run, step: &'m Step, risks: &mut Risks) -> Result<Deed, Stop> {
        let (channel, keep, fields) = match step {
            Step::Send {
                channel, message, ..
            } => {
                let constant = |e: &Expr| e.as_constant().map(Term::Const);
                let fields: Vec<_> = message.iter().map(constant).collect();
                (channel, Keep::Stay, fields)
            }
            Step::Receive {
                channel, patterns, ..
            } => (channel, Keep::Remove, self.wanted(run, patterns, risks)?),
            _ => unreachable!("only sends and receives are asked for their deeds"),
        };
        let fields = fields.into_iter();
        let fields = fields.map(|wanted| wanted.map_or(Field::Ignore, Field::Match));
        Ok(Deed::Receive(
            self.evaluate(run, channel, risks)?,
            Tag(ReceiveOrder::First),
            Tag(keep),
            fields.collect(),
        ))
    }

    /// The runs on which a condition holds and on which it does not, as far as there are any.
    fn branch(&mut self, run: Run, condition: &Expr) -> Result<(Option<Run>, Option<Run>), Breach> {
        let mut run = run;
        let term = self.value(&mut run, condition)?;
        self.split(run, self.algebra.condition(term), condition.span)
    }

    fn split(
        &mut self,
        run: Run,
        condition: Term,
        span: Span,
    ) -> Result<(Option<Run>, Option<Run>), Breach> {
        self.pay(run.asked(), span, What::Phrase("this condition"))?;
        let decided = condition.known().map(|v| v != 0);
        Ok(
            match decided.or_else(|| run.decided(self.algebra, &condition)) {
                Some(true) => (Some(run), None),
                Some(false) => (None, Some(run)),
                None => {
                    self.spend(run.weight, span, What::Phrase("this condition"))?;
                    let negated = self.algebra.not(condition.clone());
                    let mut yes = run.clone();
                    let mut no = run;
                    yes.observe(Observation::Holds(condition), span);
                    no.observe(Observation::Holds(negated), span);
                    (Some(yes), Some(no))
                }
            },
        )
    }
}
