//! The states that runs start in: one, unless the first process holds control at the start.

use super::expand::Open;
use super::{Progress, Sink, Stepper, Stop, Viewer};
use crate::arrival::Party;
use crate::shape::Oversize;
use mandala_model::step::Violation;

impl Stepper<'_> {
    /// Tells the states that runs start in, or what goes wrong before there is one.
    ///
    /// # Errors
    ///
    /// If such a state is too large.
    pub fn start(&mut self, sink: &mut impl Sink) -> Result<(), Oversize> {
        if let Some(tier) = &mut self.tier {
            tier.forget_cells();
        }
        self.shape = self.shape_of(0);
        self.cells.clear();
        self.cells.resize(self.shape.fields.len(), 0);
        let outcome = self.create();
        self.log.clear();
        if outcome == Err(Stop) {
            self.report_fault();
        }
        self.tell_violations(sink);
        // No packed state to start from: everything is packed, and there is nothing to compare with.
        self.origin_shape = u32::MAX;
        self.party = Party::default();
        self.progress = Progress::default();
        if outcome.is_ok() && self.program.rules.start_held {
            self.leave_start(sink);
        } else if outcome.is_ok() {
            let turn = self.program.open_turn();
            self.tell(turn, sink);
            self.check_claim(sink);
        }
        match std::mem::take(&mut self.oversize) {
            true => Err(Oversize),
            false => Ok(()),
        }
    }

    /// Makes all moves of the process that holds control at the start.
    fn leave_start(&mut self, sink: &mut impl Sink) {
        self.expansion.forget();
        self.collect_process(0, false);
        self.tell_violations(sink);
        self.expansion.open.push(Open {
            first: 0,
            next: 0,
            changes: 0,
            length: 0,
            passed: 0,
        });
        self.take_all(sink);
        self.stopped = false;
    }

    fn create(&mut self) -> Result<(), Stop> {
        self.timeout = false;
        self.channels_before = 0;
        self.run(self.program.parts.globals, Viewer::NOBODY)?;
        for &(arguments, spawn) in &self.program.parts.start {
            self.run(arguments, Viewer::NOBODY)?;
            self.spawn(spawn, 0)?;
        }
        self.place_observers()
    }

    fn place_observers(&mut self) -> Result<(), Stop> {
        let program = self.program;
        if let (Some(claim), Some(initial)) = (&program.layout.claim, program.parts.claim) {
            let template = &program.parts.templates[claim.template.index()];
            self.write(claim.base as usize, i64::from(template.entry));
            if let Some(offset) = program.layout.templates[claim.template.index()].priority {
                self.write((claim.base + offset) as usize, 1);
            }
            self.coverage
                .reach_location((template.coverage + template.entry) as usize);
            self.run(initial, Viewer::NOBODY)?;
        }
        if let (Some(observer), Some(cell)) = (&program.parts.events, program.layout.events) {
            let template = &program.parts.templates[observer.template.index()];
            self.write(cell as usize, i64::from(template.entry));
            self.coverage
                .reach_location((template.coverage + template.entry) as usize);
        }
        Ok(())
    }

    /// Reports that the claim is where it must not get.
    pub(super) fn check_claim(&mut self, sink: &mut impl Sink) {
        if self.claim_ended() {
            sink.violation(Violation::ClaimEnded);
        }
    }
}
