//! Code that runs in one step, path by path.

use super::merge::{Merger, Open, Place};
use super::risks::Risks;
use super::{Executor, Halt, Stop, What};
use crate::breach::Breach;
use crate::execute::run::Run;
use crate::path::{At, End};
use crate::term::{Tag, Term};
use mandala_model::function::CALL;
use mandala_model::source::Span;
use mandala_model::template::{Choice, Routine, Step};
use std::rc::Rc;

/// How a way through a routine ends that does not get to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// Nothing can be done at a node, which is a fault or means that the edge cannot be taken.
    At(End),
    /// The step fails or vanishes.
    Halt(Halt),
}

/// What comes of a choice.
struct Tried {
    /// The run on which it has been taken.
    taken: Option<Run>,
    /// Whether it has ended the step then.
    halt: Option<Halt>,
    /// The run on which it cannot be taken.
    refused: Option<Run>,
}

impl<'m> Executor<'m> {
    /// All ways through a routine; those with an end do not get to the end of the routine.
    pub(super) fn routine(
        &mut self,
        routine: &'m Routine,
        run: Run,
    ) -> Result<Vec<(Run, Option<Cut>)>, Breach> {
        let mut ways = Vec::new();
        let merger = Merger {
            algebra: self.algebra,
            model: self.model,
        };
        let mut open = Open::new(routine, self.merging.then_some(merger));
        open.push(Place {
            node: 0,
            run,
            first: true,
        });
        while let Some(place) = open.pop() {
            let node = &routine.nodes[place.node];
            if let Some(choice) = node.choices.first() {
                self.pay(open.take_cost(), choice.span, What::Code(&choice.text))?;
            }
            let mut rest = Some(place.run);
            for choice in &node.choices {
                let Some(run) = rest.take() else { break };
                self.spend(1, choice.span, What::Code(&choice.text))?;
                let tried = self.choice(run, choice)?;
                rest = tried.refused;
                match (tried.taken, choice.next) {
                    (Some(run), _) if tried.halt.is_some() => {
                        ways.push((run, tried.halt.map(Cut::Halt)));
                    }
                    (Some(run), Some(next)) => open.push(Place {
                        node: next.index(),
                        run,
                        first: false,
                    }),
                    (Some(run), None) => ways.push((run, None)),
                    (None, _) => {}
                }
            }
            let end = if place.first || node.quiet {
                End::Refused
            } else {
                End::Stuck
            };
            ways.extend(rest.map(|run| (run, Some(Cut::At(end)))));
        }
        Ok(ways)
    }

    /// Tries a choice.
    fn choice(&mut self, run: Run, choice: &'m Choice) -> Result<Tried, Breach> {
        let tried = |taken, halt, refused| Tried {
            taken,
            halt,
            refused,
        };
        match &choice.step {
            Step::Else => Ok(tried(Some(run), None, None)),
            Step::Guarded { guard, effects } => {
                let (mut taken, refused) = self.branch(run, guard)?;
                let halt = match &mut taken {
                    Some(run) => self.effects(run, effects)?,
                    None => None,
                };
                Ok(tried(taken, halt, refused))
            }
            Step::Send { .. } | Step::Receive { .. } => {
                let (taken, refused) = self.transfer(run, &choice.step, choice.span)?;
                Ok(tried(taken, None, refused))
            }
            Step::Call(_) => unreachable!("{CALL}"),
            Step::Exit | Step::Routine(_) => {
                unreachable!("the verifier lets no choice be an exit or a routine")
            }
        }
    }

    /// A send or receive that is tried: whether it is possible decides the way.
    fn transfer(
        &mut self,
        run: Run,
        step: &'m Step,
        span: Span,
    ) -> Result<(Option<Run>, Option<Run>), Breach> {
        let mut run = run;
        let possible = self.statement(&mut run, span, |this, run, risks| {
            this.possible(run, step, risks)
        })?;
        let (mut taken, refused) = self.split(run, possible, span)?;
        if let Some(run) = &mut taken {
            let deed = self.statement(run, span, |this, run, risks| this.deed(run, step, risks))?;
            run.act(At { what: deed, span });
        }
        Ok((taken, refused))
    }

    fn possible(&self, run: &Run, step: &'m Step, risks: &mut Risks) -> Result<Term, Stop> {
        if run.is_dirty() {
            return Err(Stop::Flush);
        }
        match step {
            Step::Send { channel, .. } => {
                Ok(Term::Room(Rc::new(self.evaluate(run, channel, risks)?)))
            }
            Step::Receive {
                channel,
                order,
                keep,
                patterns,
            } => Ok(Term::Waiting(
                Rc::new(self.evaluate(run, channel, risks)?),
                Tag(*order),
                Tag(*keep),
                self.wanted(run, patterns, risks)?,
            )),
            _ => unreachable!("only sends and receives are asked whether they are possible"),
        }
    }
}
