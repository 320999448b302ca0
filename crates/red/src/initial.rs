//! The states that runs start in: all that satisfy `initially`.
//!
//! Every process is in the first mode. A variable that `initially` does not mention holds 0 or NULL, or the number of its
//! range that is nearest to 0; one that it mentions may hold anything, for every process, as long as the condition is true. The cells
//! of these variables get values one after the other, and a way is left as soon as the condition cannot become true on it: it
//! is evaluated with what is known, which gives the set of what it may still come to. Where a part of it says that a cell equals
//! something that is known, no other value is tried.

use crate::ast::{Comparison, Scope};
use crate::limits;
use crate::typed::{Condition, Kind, Operand, Process, Program, Value, Variable, VariableId};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, error_help};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// The value of every cell: those of a variable together, and in the cells of a local one, process by process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cells {
    /// Where the cells of each variable begin.
    firsts: Vec<usize>,
    values: Vec<i64>,
}

impl Cells {
    /// What a variable holds, for each process if it is local.
    pub(crate) fn of(&self, variable: VariableId) -> &[i64] {
        let end = self.firsts.get(variable.0 + 1).copied();
        &self.values[self.firsts[variable.0]..end.unwrap_or(self.values.len())]
    }
}

/// All states to start in, at least one.
pub(crate) fn states(program: &Program) -> Fallible<Vec<Cells>> {
    let parts = [&program.initially, &program.at_first].into_iter();
    let sizes = parts.map(|part| part.written_size(program.processes));
    if sizes.fold(0, usize::saturating_add) > limits::TERMS {
        let message = "with quantifiers written out for all processes, `initially` is too large";
        return Err(error_help(program.span, message, "use fewer processes"));
    }
    let mut search = Search::new(program);
    if search.open.len() > limits::INITIAL_CELLS {
        return Err(search.too_many(format!(
            "`initially` is about more than {} cells",
            limits::INITIAL_CELLS
        )));
    }
    search.place(0)?;
    match search.found.is_empty() {
        true => Err(error_help(
            program.span,
            "no state satisfies `initially`",
            "all processes are in the first mode, and variables that are not mentioned hold 0 or NULL",
        )),
        false => Ok(search.found),
    }
}

/// What a number may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Known(i64),
    /// It depends on cells without a value yet.
    Open,
    /// There is none.
    Missing,
}

/// What a condition may come to: true, false, or neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Possible {
    truth: bool,
    falsity: bool,
    missing: bool,
}

impl Possible {
    const ANYTHING: Possible = Possible {
        truth: true,
        falsity: true,
        missing: true,
    };

    const MISSING: Possible = Possible {
        truth: false,
        falsity: false,
        missing: true,
    };

    fn known(value: bool) -> Possible {
        Possible {
            truth: value,
            falsity: !value,
            missing: false,
        }
    }

    fn negated(self) -> Possible {
        Possible {
            truth: self.falsity,
            falsity: self.truth,
            ..self
        }
    }

    /// Both conditions together. If one has no value, neither have both.
    fn and(self, other: Possible) -> Possible {
        let some = |p: Possible| p.truth || p.falsity;
        Possible {
            truth: self.truth && other.truth,
            falsity: self.falsity && some(other) || some(self) && other.falsity,
            missing: self.missing || other.missing,
        }
    }

    fn or(self, other: Possible) -> Possible {
        self.negated().and(other.negated()).negated()
    }
}

struct Search<'p> {
    program: &'p Program,
    /// What has to be true.
    conjuncts: Vec<Condition>,
    firsts: Vec<usize>,
    /// What is known of each cell.
    values: Vec<Option<i64>>,
    /// The cells that get values, and what they may hold.
    open: Vec<(usize, RangeInclusive<i64>)>,
    work: usize,
    found: Vec<Cells>,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program) -> Self {
        let mut mentioned = BTreeSet::new();
        let initially = &program.initially;
        initially.operands(&mut |operand| _ = mentioned.insert(operand.variable));
        let parts = [initially, &program.at_first].map(|c| c.written_out(program.processes));
        let mut search = Search {
            program,
            conjuncts: parts
                .iter()
                .flat_map(Condition::conjuncts)
                .cloned()
                .collect(),
            firsts: Vec::new(),
            values: Vec::new(),
            open: Vec::new(),
            work: 0,
            found: Vec::new(),
        };
        for (id, variable) in (0..).map(VariableId).zip(&program.variables) {
            search.add(variable, mentioned.contains(&id));
        }
        search
    }

    /// Adds the cells of a variable, which may hold anything if it is open.
    fn add(&mut self, variable: &Variable, open: bool) {
        let first = self.values.len();
        self.firsts.push(first);
        let count = match variable.scope {
            Scope::Global => 1,
            Scope::Local => self.program.processes as usize,
        };
        let value = (!open).then_some(variable.rest());
        self.values.extend(std::iter::repeat_n(value, count));
        if open {
            let range = match variable.kind {
                Kind::Pointer => 0..=i64::from(self.program.processes),
                Kind::Discrete { min, max } => min..=max,
            };
            let cells = first..first + count;
            self.open.extend(cells.map(|cell| (cell, range.clone())));
        }
    }

    /// Gives values to the open cells from that one on.
    fn place(&mut self, from: usize) -> Fallible<()> {
        if !self.may_be_true()? {
            return Ok(());
        }
        let Some((cell, range)) = self.open.get(from).cloned() else {
            return self.note();
        };
        let values = match self.stated(cell) {
            Some(value) if range.contains(&value) => value..=value,
            Some(_) => return Ok(()),
            None => range,
        };
        for value in values {
            self.values[cell] = Some(value);
            self.place(from + 1)?;
        }
        self.values[cell] = None;
        Ok(())
    }

    fn note(&mut self) -> Fallible<()> {
        if self.found.len() == limits::INITIAL_STATES {
            return Err(self.too_many(format!(
                "more than {} states satisfy `initially`",
                limits::INITIAL_STATES
            )));
        }
        self.work = self.work.saturating_add(4 * self.values.len());
        self.found.push(Cells {
            firsts: self.firsts.clone(),
            values: self.values.iter().map(|v| v.unwrap_or_default()).collect(),
        });
        Ok(())
    }

    fn too_many(&self, message: impl Into<String>) -> Box<Diagnostic> {
        let help =
            "say more about the variables in it; those that are not mentioned hold 0 or NULL";
        error_help(self.program.span, message, help)
    }

    fn may_be_true(&mut self) -> Fallible<bool> {
        if self.work > limits::INITIAL_WORK {
            let message = "it takes too long to find the states that satisfy `initially`";
            return Err(self.too_many(message));
        }
        let size: usize = self.conjuncts.iter().map(|part| part.size()).sum();
        self.work = self.work.saturating_add(size);
        Ok(self.conjuncts.iter().all(|part| self.possible(part).truth))
    }

    /// What a part of the condition says that the cell holds.
    fn stated(&self, cell: usize) -> Option<i64> {
        let parts = self.conjuncts.iter();
        let mut sides = parts.filter_map(|part| match part {
            Condition::Compare(Comparison::Equal, left, right) => {
                Some([(left, right), (right, left)])
            }
            _ => None,
        });
        sides.find_map(|sides| {
            let mut sides = sides.into_iter();
            sides.find_map(|(place, value)| match (place, self.number(value)) {
                (Value::Read(operand), Number::Known(value)) => {
                    (self.cell(operand) == Ok(cell)).then_some(value)
                }
                _ => None,
            })
        })
    }

    fn possible(&self, condition: &Condition) -> Possible {
        match condition {
            Condition::Constant(value) => Possible::known(*value),
            Condition::Compare(op, left, right) => match (self.number(left), self.number(right)) {
                (Number::Missing, _) | (_, Number::Missing) => Possible::MISSING,
                (Number::Known(left), Number::Known(right)) => {
                    Possible::known(op.holds(left, right))
                }
                _ => Possible::ANYTHING,
            },
            Condition::In(process, mode) => match self.process(process) {
                Ok(_) => Possible::known(mode.0 == 0),
                Err(Number::Missing) => Possible::MISSING,
                Err(_) => Possible::ANYTHING,
            },
            Condition::Not(inner) => self.possible(inner).negated(),
            Condition::And(parts) => {
                let parts = parts.iter().map(|part| self.possible(part));
                parts.fold(Possible::known(true), Possible::and)
            }
            Condition::Or(parts) => {
                let parts = parts.iter().map(|part| self.possible(part));
                parts.fold(Possible::known(false), Possible::or)
            }
            Condition::Quantified(..) => {
                self.possible(&condition.written_out(self.program.processes))
            }
        }
    }

    fn number(&self, value: &Value) -> Number {
        match value {
            Value::Constant(value) => Number::Known(*value),
            // No process evaluates `initially`, no claim has chosen one, and quantifiers are written out.
            Value::Me | Value::Chosen(_) | Value::Bound(_) => Number::Missing,
            Value::Read(operand) => match self.cell(operand) {
                Ok(cell) => self.values[cell].map_or(Number::Open, Number::Known),
                Err(number) => number,
            },
            Value::Mode(process) => match self.process(process) {
                Ok(_) => Number::Known(0),
                Err(number) => number,
            },
            Value::Calculate(op, left, right) => match (self.number(left), self.number(right)) {
                (Number::Missing, _) | (_, Number::Missing) => Number::Missing,
                (Number::Known(left), Number::Known(right)) => op
                    .result(left, right)
                    .map_or(Number::Missing, Number::Known),
                _ => Number::Open,
            },
        }
    }

    /// The cell that an operand is, or why it is none.
    fn cell(&self, operand: &Operand) -> Result<usize, Number> {
        let first = self.firsts[operand.variable.0];
        match &operand.owner {
            None => Ok(first),
            Some(owner) => Ok(first + self.process(owner)? - 1),
        }
    }

    /// The address of a process, or why there is none.
    fn process(&self, process: &Process) -> Result<usize, Number> {
        match process {
            Process::Own | Process::Chosen(_) | Process::Of(_) => Err(Number::Missing),
            Process::Named(process) => Ok(*process as usize),
            Process::Behind(pointer) => match self.values[self.cell(pointer)?] {
                None => Err(Number::Open),
                Some(0) => Err(Number::Missing),
                Some(process) => usize::try_from(process).map_err(|_| Number::Missing),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_without_a_value_leaves_the_whole_without_one() {
        let truth = Possible::known(true);
        assert_eq!(truth.or(Possible::MISSING), Possible::MISSING);
        assert_eq!(Possible::MISSING.and(truth.negated()), Possible::MISSING);
        assert_eq!(truth.and(Possible::ANYTHING), Possible::ANYTHING);
        assert!(!truth.negated().and(Possible::ANYTHING).truth);
        assert!(truth.negated().and(Possible::ANYTHING).negated().truth);
    }
}
