//! Code that runs to its end in one step.

use crate::attempt::{Attempt, Halt};
use crate::evaluate::fault;
use crate::frame::Frame;
use crate::view::View;
use mandala_model::State;
use mandala_model::ids::NodeId;
use mandala_model::source::Span;
use mandala_model::step::{Fault, FaultKind};
use mandala_model::template::{Node, Routine, Step};

/// How many steps of a routine are followed. One that makes more and has not been found to go round in a
/// circle is given up: the move leads nowhere then, and nothing is wrong with it.
pub const ROUTINE_LIMIT: u64 = 100_000_000;

/// After how many steps a routine is suspected of running for ever.
const SUSPICIOUS: u64 = 1 << 10;

/// A moment in a routine: the node, the state, and the calls that have not ended.
type Moment = (usize, State, Vec<Frame>);

impl<'m> Attempt<'m> {
    /// Runs a routine. It cannot be taken if it can do nothing at its first node or at a quiet one.
    pub(crate) fn run_routine(&mut self, routine: &Routine) -> Result<bool, Halt> {
        self.run_within(routine, ROUTINE_LIMIT)
    }

    /// Runs a routine for at most so many steps. It has no choice, so if it comes back to a node in a
    /// state in which it was there before, it runs for ever. To find that out, one earlier moment is kept,
    /// a later one whenever the number of steps has doubled.
    fn run_within(&mut self, routine: &Routine, limit: u64) -> Result<bool, Halt> {
        let mut at = 0;
        let mut earlier: Option<Moment> = None;
        for step in 1..=limit {
            let node = &self.current(routine).nodes[at];
            if self.frames.is_empty() {
                self.nodes.insert(NodeId::from(at));
            }
            match self.first_choice(node)? {
                Some(choice) => match self.go_on(routine, at, choice, node)? {
                    Some(next) => at = next,
                    None => return Ok(true),
                },
                None if step == 1 || node.quiet => return Ok(false),
                None => return Err(fault(FaultKind::RoutineBlocked, node.span).into()),
            }
            if earlier
                .as_ref()
                .is_some_and(|moment| self.is_at(at, moment))
            {
                let span = self.current(routine).nodes[at].span;
                return Err(fault(FaultKind::RoutineEndless, span).into());
            }
            if step >= SUSPICIOUS && step.is_power_of_two() {
                earlier = Some((at, self.state.clone(), self.frames.clone()));
            }
        }
        self.given_up = true;
        Ok(true)
    }

    fn is_at(&self, at: usize, (node, state, frames): &Moment) -> bool {
        *node == at && *frames == self.frames && *state == self.state
    }

    /// The node to go on at after a choice: the first one of a function that it calls, else the next one, perhaps of a caller.
    /// None if the routine ends.
    fn go_on(
        &mut self,
        routine: &Routine,
        at: usize,
        number: usize,
        node: &Node,
    ) -> Result<Option<usize>, Halt> {
        let choice = &node.choices[number];
        if let Step::Call(call) = &choice.step {
            self.enter(call, (at, number), choice.span)?;
            return Ok(Some(0));
        }
        let mut next = choice.next;
        while next.is_none() {
            match self.leave(routine)? {
                Some(call) => next = call.next,
                None => return Ok(None),
            }
        }
        Ok(next.map(NodeId::index))
    }

    /// Takes the first choice that can be taken.
    fn first_choice(&mut self, node: &Node) -> Result<Option<usize>, Halt> {
        for (number, choice) in node.choices.iter().enumerate() {
            self.view().refuse_rendezvous(&choice.step, choice.span)?;
            if self.perform(&choice.step, choice.span)? {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }
}

impl View<'_> {
    /// A rendezvous needs another process to move, which cannot be inside a routine.
    fn refuse_rendezvous(&self, step: &Step, span: Span) -> Result<(), Fault> {
        if let Step::Send { channel, .. } | Step::Receive { channel, .. } = step
            && self.is_rendezvous(self.channel(channel)?)
        {
            return Err(fault(FaultKind::RendezvousInRoutine, span));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interpreter;
    use mandala_model::model::{Arithmetic, Language, UncheckedModel};

    use mandala_model::step::Observers;
    use mandala_model::template::Choice;
    use mandala_model::verify::verify;

    #[test]
    fn a_routine_that_takes_too_long_is_given_up_and_no_fault() {
        let model = verify(UncheckedModel::new(
            Language::Promela,
            Arithmetic::Wrapping32,
        ))
        .unwrap();
        let interpreter = Interpreter::new(&model, Observers::default());
        let span = Span::START;
        let node = |number: u32| Node {
            choices: vec![Choice {
                step: Step::Else,
                next: (number < 9).then_some(NodeId(number + 1)),
                text: String::new(),
                span,
            }],
            quiet: false,
            number,
            span,
        };
        let routine = Routine::new((0..10).map(node).collect());
        let start = interpreter.start().unwrap();
        for (limit, given_up) in [(9, true), (10, false)] {
            let mut attempt = Attempt::new(&interpreter, start.state.clone(), None, false);
            assert_eq!(attempt.run_within(&routine, limit), Ok(true));
            assert_eq!(attempt.given_up, given_up, "{limit}");
        }
    }
}
