//! Footprints that say what parameters do to them.

use super::patterns::Pattern;
use super::terms::{Term, Terms};
use super::{CellSet, Footprint};
use crate::ids::{GlobalId, LocalId, TemplateId};
use crate::state::Value;
use std::collections::BTreeSet;

/// Reading or writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Access {
    Read,
    Write,
}

/// A variable, as a process sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Home {
    Global(GlobalId),
    /// One of the process that moves.
    Own(LocalId),
    /// One of any instance of a template.
    Remote(TemplateId, LocalId),
}

/// Cells that are touched.
pub(super) type Touched = (Access, Home, Pattern);

/// Terms that must have values, those with a bound one from 0 to below it, where some terms are true or false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Need {
    pub terms: Vec<(Term, Option<u32>)>,
    pub when: Vec<(Term, bool)>,
}

impl Need {
    /// Whether it is so for some values of variables, and all values of the rest.
    fn is_met(&self, terms: &Terms, known: &[Option<Value>]) -> bool {
        let parts = self.terms.iter().map(|(term, _)| *term);
        let conditions = self.when.iter().map(|(term, _)| *term);
        let mut met = true;
        let all = terms.each_choice(parts.chain(conditions), known, &mut |values| {
            met &= terms.is_ruled_out(&self.when, values) || self.holds(terms, values);
        });
        met && all
    }

    fn holds(&self, terms: &Terms, values: &[Option<Value>]) -> bool {
        self.terms.iter().all(|(term, bound)| {
            let value = terms.value(*term, values);
            value.is_some_and(|value| {
                bound.is_none_or(|bound| (0..i64::from(bound)).contains(&value))
            })
        })
    }
}

/// The footprint of an edge, a monitor or an expression for each choice of its parameters. Its size is linear in that of the code, whatever values the
/// parameters have.
#[derive(Clone, Debug, Default)]
pub struct ParametricFootprint {
    /// What is touched in every choice.
    pub(super) always: Footprint,
    /// Cells that depend on the choice.
    pub(super) patterns: BTreeSet<Touched>,
    pub(super) terms: Terms,
    /// Without each of these the edge cannot be taken, and nothing that may fail comes before them.
    pub(super) required: Vec<Term>,
    /// Something may fail, whatever is chosen.
    pub(super) may_fail: bool,
    /// Nothing fails if these are so.
    pub(super) needed: Vec<Need>,
}

impl ParametricFootprint {
    /// What is touched if the parameters have those values; in any choice if none are given.
    pub fn of_choice(&self, values: &[Value]) -> Footprint {
        let known = known(values);
        let mut footprint = self.always.clone();
        for (access, home, pattern) in &self.patterns {
            let mut cells = CellSet::default();
            pattern.cells(&self.terms, &known, &mut cells);
            let parts = match access {
                Access::Read => &mut footprint.reads,
                Access::Write => &mut footprint.writes,
            };
            for interval in cells.intervals().iter().cloned() {
                match *home {
                    Home::Global(id) => parts.globals.insert(id, interval),
                    Home::Own(id) => parts.locals.insert(id, interval),
                    Home::Remote(template, id) => parts.remote.insert((template, id), interval),
                }
            }
        }
        footprint
    }

    /// Whether it is not known that the edge can never be taken in a choice.
    pub fn is_possible(&self, values: &[Value]) -> bool {
        let known = known(values);
        for term in &self.required {
            match self.terms.value(*term, &known) {
                Some(0) => return false,
                Some(_) => {}
                // It may fail, and is met before what comes after it.
                None => return true,
            }
        }
        true
    }

    /// Whether the expression has a value in every state, and never fails, in a choice. Where that takes more than a look at it, the answer is no.
    pub fn never_fails(&self, values: &[Value]) -> bool {
        let known = known(values);
        let mut needed = self.needed.iter();
        !self.may_fail && needed.all(|need| need.is_met(&self.terms, &known))
    }
}

fn known(values: &[Value]) -> Vec<Option<Value>> {
    values.iter().copied().map(Some).collect()
}
