//! Parameters of edges and monitors: values that are chosen whenever the edge is taken or the monitor is evaluated.
//!
//! A rule with parameters is one edge, and a check with parameters one monitor, however many values they have. A *choice* is a combination of values,
//! one for each parameter; choices are numbered from 0 on, and the last parameter changes fastest. During the step a scratch variable holds the value of each parameter.
//!
//! [`instantiate`](crate::instantiate) writes an edge or a monitor out, one for each choice.

pub use crate::values::{Parameter, Progression, Values};

use crate::ids::GlobalId;
use crate::state::Value;
use crate::template::{Edge, Step};

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
    use crate::Span;
    use crate::expr::Expr;
    use crate::ids::LocalId;
    use crate::ids::LocationId;

    use crate::template::Control;

    const SPAN: Span = Span::START;

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
