//! Parameters of edges and monitors: values that are chosen whenever the edge is taken or the monitor is evaluated.
//!
//! A rule with parameters is one edge, and a check with parameters one monitor, however many values they have. A *choice* is a combination of values,
//! one for each parameter; choices are numbered from 0 on, and the last parameter changes fastest. During the step a scratch variable holds the value of each parameter.
//!
//! [`instantiate`](crate::instantiate) writes an edge or a monitor out, one for each choice.

use crate::ids::{GlobalId, LocalId};
use crate::source::Span;
use crate::specialise::Constants;
use crate::state::Value;
use crate::template::{Edge, Step};

/// A parameter of an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the source.
    pub name: String,
    /// The scratch variable that holds its value during the step. Nothing assigns to it.
    pub local: LocalId,
    /// The values of which one is chosen.
    pub values: Values,
    /// The array whose positions the values are, if its elements have [no order](crate::symmetry::Scalarset::unordered).
    pub positions_of: Option<GlobalId>,
    /// Where it is declared.
    pub span: Span,
}

/// Numbers of which one is chosen, in order: arithmetic progressions, one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Values(pub Vec<Progression>);

/// Numbers at the same distance from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Progression {
    /// The first number.
    pub first: Value,
    /// The distance to the next one.
    pub step: Value,
    /// How many numbers there are.
    pub count: u32,
}

impl Progression {
    /// The numbers from the first to the last.
    pub fn range(first: Value, count: u32) -> Self {
        Progression {
            first,
            step: 1,
            count,
        }
    }

    /// The last number, if there is one and it fits.
    pub fn last(self) -> Option<Value> {
        let steps = Value::from(self.count.checked_sub(1)?);
        self.step.checked_mul(steps)?.checked_add(self.first)
    }
}

impl Progression {
    /// The number under which a value comes, if it is one of these.
    fn place_of(self, value: Value) -> Option<u64> {
        let distance = value.checked_sub(self.first)?;
        let place = match self.step {
            0 => (distance == 0).then_some(0),
            step => (distance.checked_rem(step)? == 0).then(|| distance / step),
        };
        let place = u64::try_from(place?).ok()?;
        (place < u64::from(self.count)).then_some(place)
    }
}

impl Values {
    /// How many there are.
    pub fn count(&self) -> u64 {
        let counts = self.0.iter().map(|run| u64::from(run.count));
        counts.sum()
    }

    /// The value of that number, from 0 on.
    ///
    /// # Panics
    ///
    /// If there are not that many.
    pub fn get(&self, number: u64) -> Value {
        let mut rest = number;
        for run in &self.0 {
            if rest < u64::from(run.count) {
                return run.first + run.step * rest as Value;
            }
            rest -= u64::from(run.count);
        }
        panic!("there is no value {number}");
    }

    /// The number under which a value comes first, if it is one of them.
    pub fn place_of(&self, value: Value) -> Option<u64> {
        let mut before = 0;
        for run in &self.0 {
            if let Some(place) = run.place_of(value) {
                return Some(before + place);
            }
            before += u64::from(run.count);
        }
        None
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        (0..self.count()).map(|number| self.get(number))
    }
}

/// Whether code with these parameters has neither parameters nor loops over known values, and calls no functions.
pub(crate) fn is_written_out(parameters: &[Parameter], step: &Step) -> bool {
    let straight = match step {
        Step::Routine(routine) => routine.loops.is_empty() && routine.calls().next().is_none(),
        _ => true,
    };
    parameters.is_empty() && straight
}

impl Edge {
    /// How many choices of parameters there are: one if there are no parameters.
    pub fn choices(&self) -> u32 {
        let counts = self.parameters.iter().map(|p| p.values.count());
        let all = counts.fold(1, u64::saturating_mul);
        u32::try_from(all).unwrap_or(u32::MAX)
    }

    /// The values of the parameters in that choice, in the order of the parameters.
    pub fn chosen(&self, choice: u32) -> Vec<Value> {
        let mut rest = u64::from(choice);
        let mut values: Vec<Value> = Vec::with_capacity(self.parameters.len());
        for parameter in self.parameters.iter().rev() {
            let count = parameter.values.count();
            values.push(parameter.values.get(rest % count));
            rest /= count;
        }
        values.reverse();
        values
    }

    /// The choice in which the parameters have those values, if there is one.
    pub fn choice_of(&self, chosen: &[Value]) -> Option<u32> {
        let mut choice = 0;
        for (parameter, value) in self.parameters.iter().zip(chosen) {
            let place = parameter.values.place_of(*value)?;
            choice = choice * parameter.values.count() + place;
        }
        u32::try_from(choice).ok()
    }

    /// The values of the parameters in that choice, by the variables that hold them.
    pub fn constants(&self, choice: u32) -> Constants {
        let locals = self.parameters.iter().map(|parameter| parameter.local);
        locals.zip(self.chosen(choice)).collect()
    }

    /// Whether the edge does in that choice what it does in an earlier one, but for the positions of elements without order: it is not if
    /// positions of each array are chosen in order, none passed over.
    pub fn repeats(&self, choice: u32) -> bool {
        let mut last: Vec<(GlobalId, Value)> = Vec::new();
        let mut repeats = false;
        for (parameter, value) in self.parameters.iter().zip(self.chosen(choice)) {
            let Some(array) = parameter.positions_of else {
                continue;
            };
            let known = match last.iter_mut().find(|(other, _)| *other == array) {
                Some(known) => &mut known.1,
                None => {
                    let first = parameter.values.get(0);
                    last.push((array, first - 1));
                    &mut last.last_mut().expect("one was added").1
                }
            };
            repeats |= value > *known + 1;
            *known = (*known).max(value);
        }
        repeats
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Expr;
    use crate::ids::LocationId;
    use crate::source::FileId;
    use crate::template::Control;

    const SPAN: Span = Span {
        file: FileId(0),
        start: 0,
        end: 0,
    };

    fn parameter(runs: Vec<Progression>, positions_of: Option<GlobalId>) -> Parameter {
        Parameter {
            name: "i".into(),
            local: LocalId(0),
            values: Values(runs),
            positions_of,
            span: SPAN,
        }
    }

    fn edge(parameters: Vec<Parameter>) -> Edge {
        Edge {
            source: LocationId(0),
            target: LocationId(0),
            step: Step::Guarded {
                guard: Expr::constant(1, SPAN),
                effects: Vec::new(),
            },
            control: Control::Release,
            escape: 0,
            text: "rule".into(),
            statement: 0,
            span: SPAN,
            twin: false,
            parameters,
            outcome: None,
        }
    }

    #[test]
    fn the_last_parameter_changes_fastest() {
        let down = Progression {
            first: 9,
            step: -3,
            count: 2,
        };
        let edge = edge(vec![
            parameter(vec![Progression::range(1, 2), down], None),
            parameter(vec![Progression::range(0, 2)], None),
        ]);
        let all: Vec<Vec<Value>> = (0..edge.choices()).map(|c| edge.chosen(c)).collect();
        let expected = [
            [1, 0],
            [1, 1],
            [2, 0],
            [2, 1],
            [9, 0],
            [9, 1],
            [6, 0],
            [6, 1],
        ];
        assert_eq!(all, expected.map(Vec::from));
        assert_eq!(down.last(), Some(6));
    }

    #[test]
    fn an_edge_without_parameters_has_one_choice() {
        assert_eq!(edge(Vec::new()).choices(), 1);
        assert_eq!(edge(Vec::new()).chosen(0), []);
    }

    #[test]
    fn positions_without_order_are_chosen_in_order() {
        let position = || parameter(vec![Progression::range(1, 3)], Some(GlobalId(0)));
        let edge = edge(vec![position(), position()]);
        let first: Vec<Vec<Value>> = (0..edge.choices())
            .filter(|choice| !edge.repeats(*choice))
            .map(|choice| edge.chosen(choice))
            .collect();
        assert_eq!(first, [[1, 1], [1, 2]].map(Vec::from));
    }
}
