//! Limits on what declarations may ask for.
//!
//! A few lines of nested types can ask for more memory than there is. Every type, every message and
//! every set of variables is therefore measured before anything is made of it.

use super::{Lowered, Lowering, fail_with};
use mandala_model::Diagnostic;
use mandala_model::source::Span;
use mandala_model::types::{Initial, Scalar, Type, Variable};
use mandala_model::verify::MAX_CELLS;

/// How many cells a type, the messages of a channel, the global variables or the variables of one
/// process may take.
pub(super) const MOST_CELLS: u64 = MAX_CELLS;

impl Lowering {
    /// How many cells a type takes. Records in it have been checked, so they are not large.
    pub(super) fn size(&self, ty: &Type) -> u64 {
        match ty {
            Type::Scalar(_) => 1,
            Type::Record(_) => self.model.cells(ty) as u64,
            Type::Array { element, length } => {
                self.size(element).saturating_mul(u64::from(*length))
            }
        }
    }

    pub(super) fn check_cells(&self, ty: &Type, span: Span) -> Lowered<()> {
        within(self.size(ty), "this variable has", span)
    }

    /// Checks a message that has some fields already and gets those of a type.
    pub(super) fn check_message(
        &self,
        fields: usize,
        ty: &Type,
        capacity: u64,
        span: Span,
    ) -> Lowered<()> {
        let fields = self.size(ty).saturating_add(fields as u64);
        let cells = fields.saturating_mul(capacity.max(1));
        within(cells, "the messages would have", span)
    }

    /// The fields of a record, with a number in place of each that makes the record too large.
    pub(super) fn within_limits(&mut self, mut fields: Vec<Variable>) -> Vec<Variable> {
        let mut total = 0;
        for field in &mut fields {
            let size = self.size(&field.ty);
            let result = within(size + total, "the fields up to here have", field.span);
            if result.is_err() {
                field.ty = Type::Scalar(Scalar::signed(32));
                field.initial = Initial::Default;
            }
            self.recover(result, || ());
            total += self.size(&field.ty);
        }
        fields
    }

    /// Checks the global variables, and the local ones of each body.
    pub(super) fn check_totals(&mut self) {
        let mut found = Vec::new();
        found.extend(self.excess(&self.model.globals));
        for template in &self.model.templates {
            found.extend(self.excess(&template.locals));
        }
        self.diagnostics.extend(found);
    }

    /// The first variable with which some variables are too many.
    fn excess(&self, variables: &[Variable]) -> Option<Diagnostic> {
        let mut total = 0;
        variables.iter().find_map(|variable| {
            total += self.size(&variable.ty);
            let what = "the variables up to here have";
            within(total, what, variable.span).err().map(|d| *d)
        })
    }
}

fn within(cells: u64, what: &str, span: Span) -> Lowered<()> {
    if cells <= MOST_CELLS {
        return Ok(());
    }
    fail_with(
        span,
        format!("{what} {cells} cells"),
        format!("there can be {MOST_CELLS} at most"),
    )
}
