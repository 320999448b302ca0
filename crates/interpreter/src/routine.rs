//! Code that runs to its end in one step.

use crate::attempt::{Attempt, Halt};
use crate::evaluate::fault;
use crate::view::View;
use mandala_model::State;
use mandala_model::ids::NodeId;
use mandala_model::source::Span;
use mandala_model::step::{Fault, FaultKind};
use mandala_model::template::{Choice, Node, Routine, Step};

/// How many steps of a routine are followed. One that makes more and has not been found to go round in a
/// circle is given up: the move leads nowhere then, and nothing is wrong with it.
pub const ROUTINE_LIMIT: u64 = 100_000_000;

/// After how many steps a routine is suspected of running for ever.
const SUSPICIOUS: u64 = 1 << 10;

/// What came of trying the choices of a node.
enum AtNode<'r> {
    Took(&'r Choice),
    Blocked,
}

impl Attempt<'_> {
    /// Runs a routine. It cannot be taken if it can do nothing at its first node or at a quiet one.
    pub fn run_routine(&mut self, routine: &Routine) -> Result<bool, Halt> {
        self.run_within(routine, ROUTINE_LIMIT)
    }

    /// Runs a routine for at most so many steps. It has no choice, so if it comes back to a node in a
    /// state in which it was there before, it runs for ever. To find that out, one earlier moment is kept,
    /// a later one whenever the number of steps has doubled.
    fn run_within(&mut self, routine: &Routine, limit: u64) -> Result<bool, Halt> {
        let mut at = 0;
        let mut earlier: Option<(usize, State)> = None;
        for step in 1..=limit {
            let node = &routine.nodes[at];
            self.nodes.insert(NodeId::from(at));
            match self.first_choice(node)? {
                AtNode::Took(choice) => match choice.next {
                    Some(next) => at = next.index(),
                    None => return Ok(true),
                },
                AtNode::Blocked if step == 1 || node.quiet => return Ok(false),
                AtNode::Blocked => return Err(fault(FaultKind::RoutineBlocked, node.span).into()),
            }
            let is_here = |(node, state): &(usize, State)| *node == at && *state == self.state;
            if earlier.as_ref().is_some_and(is_here) {
                return Err(fault(FaultKind::RoutineEndless, routine.nodes[at].span).into());
            }
            if step >= SUSPICIOUS && step.is_power_of_two() {
                earlier = Some((at, self.state.clone()));
            }
        }
        self.given_up = true;
        Ok(true)
    }

    /// Takes the first choice that can be taken.
    fn first_choice<'r>(&mut self, node: &'r Node) -> Result<AtNode<'r>, Halt> {
        for choice in &node.choices {
            self.view().refuse_rendezvous(&choice.step, choice.span)?;
            if self.perform(&choice.step, choice.span)? {
                return Ok(AtNode::Took(choice));
            }
        }
        Ok(AtNode::Blocked)
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
    use mandala_model::source::FileId;
    use mandala_model::step::Observers;
    use mandala_model::verify::verify;

    #[test]
    fn a_routine_that_takes_too_long_is_given_up_and_no_fault() {
        let model = verify(UncheckedModel::new(
            Language::Promela,
            Arithmetic::Wrapping32,
        ))
        .unwrap();
        let interpreter = Interpreter::new(&model, Observers::default());
        let span = Span::new(FileId(0), 0, 0);
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
