//! Code that runs to its end in one step.

use crate::attempt::Attempt;
use crate::evaluate::fault;
use crate::view::View;
use mandala_model::source::Span;
use mandala_model::step::{Fault, FaultKind};
use mandala_model::template::{Choice, Node, Routine, Step};

/// How many steps a routine may make. One that makes more is taken to run for ever.
pub const ROUTINE_LIMIT: u32 = 1_000_000;

/// What came of trying the choices of a node.
enum AtNode<'r> {
    Took(&'r Choice),
    Blocked,
}

impl Attempt<'_> {
    /// Runs a routine. It cannot be taken if it can do nothing at its first node.
    pub fn run_routine(&mut self, routine: &Routine) -> Result<bool, Fault> {
        let mut at = 0;
        for step in 0..ROUTINE_LIMIT {
            let node = &routine.nodes[at];
            match self.first_choice(node)? {
                AtNode::Took(choice) => match choice.next {
                    Some(next) => at = next.index(),
                    None => return Ok(true),
                },
                AtNode::Blocked if step == 0 => return Ok(false),
                AtNode::Blocked => return Err(fault(FaultKind::RoutineBlocked, node.span)),
            }
        }
        Err(fault(FaultKind::RoutineEndless, routine.nodes[at].span))
    }

    /// Takes the first choice that can be taken.
    fn first_choice<'r>(&mut self, node: &'r Node) -> Result<AtNode<'r>, Fault> {
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
