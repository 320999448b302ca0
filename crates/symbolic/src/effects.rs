//! What a step does, in all states at once.

use crate::attempt::{Attempt, Path};
use crate::diagrams::{Bdd, Made, without};
use mandala_model::expr::Expr;
use mandala_model::function::CALL;
use mandala_model::source::Span;
use mandala_model::step::Violation;
use mandala_model::template::{Effect, Print, Step};
use oxidd::BooleanFunction;

/// What became of a step.
pub(crate) struct Performed {
    /// The path after it.
    pub taken: Path,
    /// Where it cannot be taken.
    pub blocked: Bdd,
}

impl Attempt<'_> {
    /// Performs a step where it can be. Whether an `else` can be taken depends on its neighbours, so it is not asked here.
    pub fn perform(&mut self, path: Path, step: &Step, span: Span) -> Made<Performed> {
        match step {
            Step::Else => Ok(Performed {
                taken: path,
                blocked: self.d().no.clone(),
            }),
            Step::Guarded { guard, effects } => self.guarded(path, guard, effects, span),
            Step::Send {
                channel,
                order,
                message,
            } => self.send(path, channel, *order, message, span),
            Step::Receive {
                channel,
                order,
                keep,
                patterns,
            } => self.receive(path, channel, *order, *keep, patterns, span),
            Step::Exit => self.exit(path),
            Step::Call(_) => unreachable!("{CALL}"),
            Step::Routine(routine) => self.run_routine(path, routine),
        }
    }

    /// Where the path goes on if it can be taken there, and where it is blocked. Where something has gone wrong it is neither.
    pub fn split(&self, mut path: Path, possible: &Bdd) -> Made<Performed> {
        self.go_on(&mut path)?;
        let blocked = without(&path.condition, possible)?;
        path.condition = path.condition.and(possible)?;
        Ok(Performed {
            taken: path,
            blocked,
        })
    }

    fn guarded(
        &mut self,
        path: Path,
        guard: &Expr,
        effects: &[Effect],
        span: Span,
    ) -> Made<Performed> {
        let holds = self.holds(&path, &path.condition, guard)?;
        let mut performed = self.split(path, &holds)?;
        for effect in effects {
            if !performed.taken.condition.satisfiable() {
                break;
            }
            self.effect(&mut performed.taken, effect, span)?;
        }
        Ok(performed)
    }

    fn effect(&mut self, path: &mut Path, effect: &Effect, span: Span) -> Made<()> {
        let under = path.condition.clone();
        match effect {
            Effect::Assign { place, value } => {
                let value = self.evaluate(path, &under, value)?;
                self.go_on(path)?;
                self.assign(path, place, &value)?;
            }
            Effect::Assert { condition } => {
                let holds = self.holds(path, &under, condition)?;
                self.go_on(path)?;
                let span = condition.span;
                let fails = without(&path.condition, &holds)?;
                self.trouble(&fails, Violation::Assertion { span });
            }
            Effect::Print { text } => self.print(path, text)?,
            Effect::Fail { .. } => {
                let property = None;
                self.halt(&under, Some(Violation::Failed { span, property }))?;
            }
            Effect::Abandon => self.halt(&under, None)?,
            Effect::Spawn {
                template,
                arguments,
                priority,
                result,
            } => {
                let number = self.spawn(path, *template, arguments, *priority, span)?;
                if let Some(place) = result {
                    self.assign(path, place, &number)?;
                }
            }
            Effect::SetPriority { process, priority } => {
                self.set_priority(path, process, priority)?;
            }
            Effect::Insert(insertion) => self.insert(path, insertion, span)?,
        }
        self.go_on(path)
    }

    /// Nothing is shown, but its values may go wrong.
    fn print(&mut self, path: &Path, text: &Print) -> Made<()> {
        let values = match text {
            Print::Format { arguments, .. } => arguments.as_slice(),
            Print::Name(value) => std::slice::from_ref(value),
        };
        for value in values {
            self.evaluate(path, &path.condition, value)?;
        }
        Ok(())
    }

    /// Ends the actor where it is the last process, and the channels that it made. What is gone is 0.
    fn exit(&mut self, path: Path) -> Made<Performed> {
        let layout = self.context.layout;
        let actor = &layout.processes[self.actor];
        let number = i64::from(actor.number());
        let is_last = self.process_count(&path).is(self.d(), number + 1)?;
        let mut performed = self.split(path, &is_last)?;
        let path = &mut performed.taken;
        let own = layout.locals(self.actor);
        let own = own.chain([actor.location, actor.lodging.0]);
        let own = own.chain(actor.priority);
        let owner = Some(self.actor);
        let channels = layout.channels.iter().filter(|c| c.owner == owner);
        let channels = channels.flat_map(|c| c.places().chain([c.length]));
        for cell in own.chain(channels) {
            path.cells.insert(cell, self.constant(0));
        }
        if let Some(alive) = layout.alive {
            path.cells.insert(alive, self.constant(number));
        }
        Ok(performed)
    }
}
