//! Monitors: each is evaluated, counted if it holds, and undone.

use super::edges::MAX_INSTRUCTIONS;
use super::facts::Facts;
use super::operand::Operand;
use super::translator::{Ended, Translator};
use crate::code::{Action, CompiledEdge};
use crate::stepper::NOBODY;
use cranelift_codegen::ir::{Block, InstBuilder, types};

impl Translator<'_, '_> {
    /// Translates all monitors, and goes on behind them.
    pub fn monitors(&mut self) {
        let Some(monitors) = self.plan.monitors() else {
            return;
        };
        for (number, check) in (0..).zip(&monitors.edges) {
            self.facts = Facts::default();
            self.each_choice(check, NOBODY, &mut |this, choice| {
                this.monitor((number, choice), monitors.first_edge + number, check);
            });
        }
    }

    /// Translates one monitor, which is counted under the second number, and goes on where it has been undone or does not hold.
    fn monitor(&mut self, chosen: (u32, Operand), counted: u32, check: &CompiledEdge) {
        self.journal = Default::default();
        let next = self.block();
        self.hatch_open = true;
        if self.evaluate(check, next).is_ok() {
            self.count_edge(counted);
            let journal = std::mem::take(&mut self.journal);
            self.undo(&journal);
            self.jump(next);
        }
        self.hatch_open = false;
        if let Some(hatch) = self.hatch.take() {
            self.switch_to(hatch);
            let moved = self.builder.ins().iconst(types::I32, 0);
            let answer = self.call_interpreter(NOBODY, chosen, moved);
            self.leave_if_over(answer);
            self.jump(next);
        }
        self.switch_to(next);
    }

    fn evaluate(&mut self, check: &CompiledEdge, next: Block) -> Result<(), Ended> {
        if self.builder.func.dfg.num_insts() > MAX_INSTRUCTIONS {
            return Err(self.give_up());
        }
        match check.action {
            Action::Guarded { guard, effects } => {
                if !check.parameters.ask_all {
                    self.guard(guard, NOBODY, next)?;
                }
                match effects {
                    Some(effects) => self.run(effects, NOBODY),
                    None => Ok(()),
                }
            }
            Action::Routine(routine) => self.routine(routine, NOBODY, check, next),
            Action::Else | Action::Send(_) | Action::Receive(_) | Action::Exit => {
                unreachable!("the verifier lets monitors be guarded steps and routines only")
            }
        }
    }
}
