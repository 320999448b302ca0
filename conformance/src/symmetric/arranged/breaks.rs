//! Statements that break the symmetry, or may do so.

use super::Generator;
use super::actors::{Holds, NOBODY};
use super::colours::Use;
use super::places::{Arrangement, Way};

impl Generator {
    /// Places that are not what a way leads to.
    pub(super) fn odd_places(&self, from: &str) -> Vec<String> {
        let last = self.cast.size() - 1;
        let mut odd = vec!["0".into(), last.to_string(), format!("({last} - {from})")];
        for way in self.cast.arrangement.ways(true) {
            odd.push(self.cast.arrangement.text(from, way, true));
        }
        if let Arrangement::Cube { .. } = self.cast.arrangement {
            odd.push(format!("({from} + 1) % {}", last + 1));
        }
        odd.push(self.cast.arrangement.text(from, Way::Across(1), true));
        odd
    }

    /// Values that are not computed from others in a way that treats all alike.
    pub(super) fn odd_colours(&self, class: usize, held: &str) -> Vec<String> {
        let colours = &self.cast.colours[class];
        let mut odd: Vec<String> = colours.names.clone();
        let (first, last) = (colours.first, colours.length() - 1);
        if colours.ty != "mtype" {
            odd.push(format!("({held} == {last} -> {last} : {held} + 1)"));
            odd.push(format!("({} - {held})", first + last));
        }
        if colours.used == Use::Turned && colours.size() > 2 {
            odd.push(format!("(2 * {held}) % {}", colours.size()));
        }
        odd
    }

    /// Conditions that tell places or values apart.
    pub(super) fn odd_conditions(&self) -> Vec<String> {
        let last = self.cast.size() - 1;
        let mut odd = Vec::new();
        if let Some(own) = &self.scope.own {
            odd.extend([format!("{own} == {last}"), format!("{own} != 1")]);
            odd.push(format!("{own} % 2 == 0"));
        }
        for cell in self.cells(|c| c.indices.is_empty()) {
            let name = cell.name();
            match (cell.holds, &self.scope.own) {
                (Holds::Place, Some(own)) => odd.push(format!("{name} < {own}")),
                (Holds::Place, None) => odd.push(format!("{name} == {last}")),
                (Holds::Colour(class), _) => {
                    let one = self.cast.colours[class].names[1].clone();
                    odd.extend([format!("{name} == {one}"), format!("{name} < {one}")]);
                }
                (Holds::Number(_) | Holds::Part, _) => {}
            }
        }
        odd.extend(self.odd_elements().map(|e| format!("{e} == 1")));
        odd
    }

    /// The element of one place, in arrays of numbers.
    fn odd_elements(&self) -> impl Iterator<Item = String> {
        let arrays = self.cells(|c| c.indices.len() == 1 && matches!(c.holds, Holds::Number(_)));
        arrays.into_iter().map(|c| c.at(&["1".into()], 0))
    }

    /// Statements that tell places or values apart.
    pub(super) fn odd_statements(&self) -> Vec<String> {
        let last = self.cast.size() - 1;
        let mut odd = Vec::new();
        if let Some(own) = &self.scope.own {
            odd.push(format!("assert({own} != {last})"));
            odd.push(format!("if :: {own} == 0 -> skip :: else fi"));
        }
        for cell in self.cells(|c| c.indices.is_empty()) {
            let name = cell.name();
            match cell.holds {
                Holds::Place => {
                    odd.push(format!("{name} = {last}"));
                    odd.push(format!("if :: {name} < {last} -> {name}++ :: else fi"));
                    odd.push(format!(
                        "assert({name} == {NOBODY} || {name} <= {})",
                        last - 1
                    ));
                }
                Holds::Colour(class) => {
                    let one = &self.cast.colours[class].names[0];
                    odd.extend([
                        format!("{name} = {one}"),
                        format!("assert({name} != {one})"),
                    ]);
                }
                Holds::Number(_) | Holds::Part => {}
            }
        }
        for element in self.odd_elements() {
            odd.extend([format!("{element} = 1"), format!("assert({element} != 1)")]);
        }
        odd
    }
}
