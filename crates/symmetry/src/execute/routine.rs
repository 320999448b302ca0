//! Code that runs in one step, path by path.

use super::{Executor, Stop};
use crate::breach::Breach;
use crate::execute::run::Run;
use crate::path::{At, End};
use crate::term::{Tag, Term};
use mandala_model::source::Span;
use mandala_model::template::{Choice, Routine, Step};

/// A run inside a routine: at which node, and whether that is the first.
struct Place {
    node: usize,
    run: Run,
    first: bool,
}

impl<'m> Executor<'m> {
    /// All ways through a routine; those with an end do not get to the end of the routine.
    pub(super) fn routine(
        &mut self,
        routine: &'m Routine,
        run: Run,
    ) -> Result<Vec<(Run, Option<End>)>, Breach> {
        let mut ways = Vec::new();
        let mut open = vec![Place {
            node: 0,
            run,
            first: true,
        }];
        while let Some(place) = open.pop() {
            let node = &routine.nodes[place.node];
            let mut rest = Some(place.run);
            for choice in &node.choices {
                let Some(run) = rest.take() else { break };
                self.spend(1, choice.span, &choice.text)?;
                let (taken, refused) = self.choice(run, choice)?;
                rest = refused;
                match (taken, choice.next) {
                    (Some(run), Some(next)) => open.push(Place {
                        node: next.index(),
                        run,
                        first: false,
                    }),
                    (Some(run), None) => ways.push((run, None)),
                    (None, _) => {}
                }
            }
            let end = if place.first {
                End::Refused
            } else {
                End::Stuck
            };
            ways.extend(rest.map(|run| (run, Some(end))));
        }
        Ok(ways)
    }

    /// The runs on which a choice has been taken and on which it cannot be.
    fn choice(
        &mut self,
        run: Run,
        choice: &'m Choice,
    ) -> Result<(Option<Run>, Option<Run>), Breach> {
        match &choice.step {
            Step::Else => Ok((Some(run), None)),
            Step::Guarded { guard, effects } => {
                let (mut taken, refused) = self.branch(run, guard)?;
                if let Some(run) = &mut taken {
                    self.effects(run, effects)?;
                }
                Ok((taken, refused))
            }
            Step::Send { .. } | Step::Receive { .. } => {
                self.transfer(run, &choice.step, choice.span)
            }
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
        let possible = self.statement(&mut run, |this, run| this.possible(run, step))?;
        let (mut taken, refused) = self.split(run, possible, span)?;
        if let Some(run) = &mut taken {
            let deed = self.statement(run, |this, run| this.deed(run, step))?;
            run.act(self.algebra, At { what: deed, span });
        }
        Ok((taken, refused))
    }

    fn possible(&self, run: &Run, step: &'m Step) -> Result<Term, Stop> {
        if run.is_dirty() {
            return Err(Stop::Flush);
        }
        match step {
            Step::Send { channel, .. } => Ok(Term::Room(Box::new(self.evaluate(run, channel)?))),
            Step::Receive {
                channel,
                order,
                keep,
                patterns,
            } => Ok(Term::Waiting(
                Box::new(self.evaluate(run, channel)?),
                Tag(*order),
                Tag(*keep),
                self.wanted(run, patterns)?,
            )),
            _ => unreachable!("only sends and receives are asked whether they are possible"),
        }
    }
}
