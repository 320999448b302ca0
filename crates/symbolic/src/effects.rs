//! Effects of a step, in all states at once.

use crate::attempt::{Attempt, Path};
use crate::diagrams::{Bdd, Made, without};
use mandala_model::source::Span;
use mandala_model::step::Violation;
use mandala_resolved::{Otherwise, ResolvedEffect, ResolvedExpr, ResolvedStep};
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
    pub(crate) fn perform(
        &mut self,
        path: Path,
        step: &ResolvedStep,
        span: Span,
    ) -> Made<Performed> {
        match step {
            ResolvedStep::Else => Ok(Performed {
                taken: path,
                blocked: self.d().no.clone(),
            }),
            ResolvedStep::Guarded { guard, effects } => self.guarded(path, guard, effects),
            ResolvedStep::Send {
                channel,
                order,
                message,
            } => self.send(path, channel, *order, message, span),
            ResolvedStep::Receive(receipt) => self.receive(path, receipt, span),
            ResolvedStep::Exit => self.exit(path),
            ResolvedStep::Routine(routine) => self.run_routine(path, routine),
        }
    }

    /// Where the path goes on if it can be taken there, and where it is blocked. Where something has gone wrong it is neither.
    pub(crate) fn split(&self, mut path: Path, possible: &Bdd) -> Made<Performed> {
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
        guard: &ResolvedExpr,
        effects: &[ResolvedEffect],
    ) -> Made<Performed> {
        let holds = self.holds(&path, &path.condition, guard)?;
        let mut performed = self.split(path, &holds)?;
        for effect in effects {
            if !performed.taken.condition.satisfiable() {
                break;
            }
            self.effect(&mut performed.taken, effect)?;
        }
        Ok(performed)
    }

    fn effect(&mut self, path: &mut Path, effect: &ResolvedEffect) -> Made<()> {
        let under = path.condition.clone();
        match effect {
            ResolvedEffect::Assign { place, value } => {
                let value = self.evaluate(path, &under, value)?;
                self.go_on(path)?;
                self.assign(path, place, &value)?;
            }
            ResolvedEffect::Check {
                condition,
                otherwise,
            } => {
                let holds = self.holds(path, &under, condition)?;
                self.go_on(path)?;
                let fails = without(&path.condition, &holds)?;
                self.otherwise(&fails, *otherwise)?;
            }
            ResolvedEffect::Evaluate(value) => drop(self.evaluate(path, &under, value)?),
            ResolvedEffect::Spawn(spawn) => {
                let number = self.spawn(path, spawn)?;
                if let Some(place) = &spawn.result {
                    self.assign(path, place, &number)?;
                }
            }
            ResolvedEffect::SetPriority { process, priority } => {
                self.set_priority(path, process, priority)?;
            }
        }
        self.go_on(path)
    }

    /// What happens where a check fails.
    fn otherwise(&mut self, fails: &Bdd, otherwise: Otherwise) -> Made<()> {
        match otherwise {
            Otherwise::Report(span) => {
                self.trouble(fails, Violation::Assertion { span });
                Ok(())
            }
            Otherwise::Fail(span) => {
                let property = None;
                self.halt(fails, Some(Violation::Failed { span, property }))
            }
            Otherwise::Abandon => self.halt(fails, None),
        }
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
