//! Conditions that no symmetry changes.

use super::super::tamper::Site;
use super::super::values::{join, word};
use super::Generator;
use super::actors::{Cell, Channel, Holds, Index, NOBODY};
use super::places::Arrangement;
use crate::program::{Expr, Pattern, Reach};

impl Generator {
    /// A condition together with what its indices need.
    pub(super) fn condition(&mut self) -> Expr {
        let outer = std::mem::take(&mut self.needs);
        let honest = self.bare_condition();
        let slips = self.odd_conditions();
        let slip = self.tamper.pass(Site::Condition, || slips);
        let condition = slip.map_or(honest, word);
        let needs = std::mem::replace(&mut self.needs, outer);
        let mut parts: Vec<Expr> = needs.into_iter().map(word).collect();
        parts.push(condition);
        join("&&", parts)
    }

    /// A condition, if possible one that is not always the same.
    fn bare_condition(&mut self) -> Expr {
        for _ in 0..6 {
            self.needs.clear();
            match self.any_condition() {
                Some(Expr::Binary(_, a, b)) if a == b => {}
                Some(condition) => return condition,
                None => {}
            }
        }
        self.needs.clear();
        Expr::word("true")
    }

    fn any_condition(&mut self) -> Option<Expr> {
        match self.dice.below(10) {
            9 | 0..=2 => self.comparison(|h| matches!(h, Holds::Number(_))),
            3 => self.comparison(|h| h == Holds::Place),
            4 => self.comparison(|h| matches!(h, Holds::Colour(_))),
            5 => self.comparison(|h| h == Holds::Part),
            6 => self.quantified(),
            7 => self.state_of_channel(),
            _ => match self.dice.chance(50) {
                true => self.somebody_at(),
                false => self.relation_of_places(),
            },
        }
    }

    /// Something compared with what it could hold.
    fn comparison(&mut self, fits: impl Fn(Holds) -> bool) -> Option<Expr> {
        let (place, holds) = self.place_for(fits)?;
        let operator = match holds {
            Holds::Number(_) => self.dice.pick(&["==", "!=", "<", ">="]),
            _ => self.dice.pick(&["==", "!="]),
        };
        let value = self.value(holds);
        Some(Expr::binary(operator, Expr::Place(place), value))
    }

    /// Whether two places are the same or in the same part; in a tree, whether a place is the root.
    fn relation_of_places(&mut self) -> Option<Expr> {
        let (a, b) = (self.some_place()?, self.some_place()?);
        let operator = self.dice.pick(&["==", "!="]);
        let arrangement = self.cast.arrangement;
        Some(match (arrangement, arrangement.parts()) {
            (Arrangement::Tree { .. }, _) => Expr::binary(operator, word(a), Expr::Number(0)),
            (_, Some(_)) => {
                let part = |place: &str| word(arrangement.part(place));
                Expr::binary(operator, part(&a), part(&b))
            }
            _ => Expr::binary(operator, word(a), word(b)),
        })
    }

    /// Something of all elements of an array, or of any.
    pub(super) fn quantified(&mut self) -> Option<Expr> {
        let array = self.cell(|c| c.indices.len() == 1 && !matches!(c.holds, Holds::Part))?;
        let (junction, operator) = self.dice.pick(&[("&&", "=="), ("||", "=="), ("||", "!=")]);
        let number = self.dice.between(0, 1);
        let value = match array.holds {
            Holds::Place if self.cast.nobody => Expr::Number(NOBODY),
            Holds::Place => word(self.scope.own.clone()?),
            Holds::Colour(class) => word(self.colour(class)),
            Holds::Number(_) | Holds::Part => Expr::Number(number),
        };
        let one = |element: String| Expr::binary(operator, word(element), value.clone());
        let elements = self.elements(&array);
        Some(join(junction, elements.into_iter().map(one).collect()))
    }

    /// All elements of an array that belong to something.
    fn elements(&self, array: &Cell) -> Vec<String> {
        let first = match array.indices[0] {
            Index::Colour(class) => self.cast.colours[class].first,
            _ => 0,
        };
        let all = first..self.length(array.indices[0]);
        all.map(|n| array.at(&[n.to_string()], self.twist))
            .collect()
    }

    fn state_of_channel(&mut self) -> Option<Expr> {
        let (place, Channel { fields, .. }) = self.channel(|c| c.buffered)?;
        if self.dice.chance(60) {
            let question = self.dice.pick(&["nempty", "empty", "full", "nfull"]);
            return Some(Expr::OfChannel(question, place));
        }
        let patterns = fields.iter().map(|f| match self.dice.chance(60) {
            true => Pattern::Eval(self.value(*f)),
            false => Pattern::Anything,
        });
        let patterns = patterns.collect();
        let reach = self.dice.pick(&[Reach::First, Reach::Any]);
        Some(Expr::Poll(place, reach, patterns))
    }

    /// Whether the process at a place is at its label.
    fn somebody_at(&mut self) -> Option<Expr> {
        let place = self.some_place()?;
        let number = Box::new(word(self.cast.number(&place)?));
        Some(Expr::AtLabel("P".into(), number, "again".into()))
    }
}
