//! Arithmetic in the manner of the source language, on registers.

use super::{Stepper, Stop};
use crate::code::{Register, Site};
use mandala_model::arithmetic::Calculation;
use mandala_model::step::FaultKind;

impl Stepper<'_> {
    pub(super) fn defined(&mut self, to: Register, site: Site) -> Result<(), Stop> {
        match self.register(to) {
            0 => self.fail(FaultKind::Undefined, site),
            _ => Ok(()),
        }
    }

    pub(super) fn calculate(
        &mut self,
        op: Calculation,
        to: Register,
        site: Site,
    ) -> Result<(), Stop> {
        let (a, b) = (self.register(to), self.register(to + 1));
        match self.program.arithmetic.calculate(op, a, b) {
            Ok(result) => {
                self.set(to, result);
                Ok(())
            }
            Err(kind) => self.fail(kind, site),
        }
    }
}
