//! Places, values, numbers and what is indexed by them.

use super::super::tamper::Site;
use super::super::values::word;
use super::Generator;
use super::actors::{Cell, Channel, Holds, Index, NOBODY};
use super::places::Way;
use crate::program::{Expr, Place};

impl Generator {
    /// The cells in scope that fit.
    pub(super) fn cells(&self, fits: impl Fn(&Cell) -> bool) -> Vec<Cell> {
        let cells = self.scope.cells.iter();
        cells.filter(|c| fits(c)).cloned().collect()
    }

    /// One of them.
    pub(super) fn cell(&mut self, fits: impl Fn(&Cell) -> bool) -> Option<Cell> {
        let cells = self.cells(fits);
        (!cells.is_empty()).then(|| self.dice.pick(&cells))
    }

    /// A place that the process knows: its own, or one in a variable. It is a place, if the needs are met.
    fn known_place(&mut self) -> Option<(String, bool)> {
        let own = self.scope.own.clone();
        let prefers_own = self.dice.chance(65);
        let variable = self.cell(|c| c.indices.is_empty() && c.holds == Holds::Place);
        match (own, variable) {
            (Some(own), _) if prefers_own => Some((own, true)),
            (_, Some(variable)) => {
                let text = variable.at(&[], self.twist);
                let careless = self.dice.chance(2);
                if self.cast.nobody && !careless {
                    self.needs.push(format!("({text} != {NOBODY})"));
                }
                Some((text, false))
            }
            (own, None) => Some((own?, true)),
        }
    }

    /// A place, reached from one that is known.
    pub(super) fn some_place(&mut self) -> Option<String> {
        let (from, own) = self.known_place()?;
        let ways = self.cast.arrangement.ways(own);
        let (plainly, as_told) = (self.dice.chance(65), self.dice.chance(80));
        let stays = self.dice.chance(40) || ways.is_empty();
        let honest = match stays {
            true => from.clone(),
            false => {
                let way = self.dice.pick(&ways);
                self.reached(&from, own, way, plainly, as_told)
            }
        };
        let slips = self.odd_places(&from);
        let slip = self.tamper.pass(Site::Index, || slips);
        Some(slip.unwrap_or(honest))
    }

    /// Where a way leads, as the current twist has it.
    fn reached(&mut self, from: &str, own: bool, way: Way, plainly: bool, as_told: bool) -> String {
        let arrangement = self.cast.arrangement;
        let way = arrangement.twisted(way, self.twist);
        let mut told = self.cast.told.iter();
        if let Some((_, name)) = told.find(|t| t.0 == way).filter(|_| own && as_told) {
            return name.to_string();
        }
        self.needs.extend(arrangement.need(from, way));
        arrangement.text(from, way, plainly)
    }

    fn index(&mut self, index: Index) -> Option<String> {
        match index {
            Index::Place => self.some_place(),
            Index::Fork => {
                let (from, _) = self.known_place()?;
                let by = self.dice.below(2) as i32;
                Some(self.cast.arrangement.fork(&from, by, self.twist))
            }
            Index::Part => {
                let place = self.some_place()?;
                Some(self.cast.arrangement.part(&place))
            }
            Index::Colour(class) => Some(self.colour(class)),
        }
    }

    /// A cell with its indices.
    pub(super) fn element(&mut self, cell: &Cell) -> Option<Place> {
        let indices = cell.indices.iter().map(|i| self.index(*i));
        let indices: Option<Vec<String>> = indices.collect();
        Some(Place::named(cell.at(&indices?, self.twist)))
    }

    /// Something that holds what is wanted.
    pub(super) fn place_for(&mut self, fits: impl Fn(Holds) -> bool) -> Option<(Place, Holds)> {
        let cell = self.cell(|c| fits(c.holds))?;
        Some((self.element(&cell)?, cell.holds))
    }

    /// A channel that fits, and what it is like.
    pub(super) fn channel(&mut self, fits: impl Fn(&Channel) -> bool) -> Option<(Place, Channel)> {
        let channels = self.scope.channels.iter();
        let channels: Vec<Channel> = channels.filter(|c| fits(c)).cloned().collect();
        if channels.is_empty() {
            return None;
        }
        let channel = self.dice.pick(&channels);
        Some((self.element(&channel.cell)?, channel))
    }

    /// A value of a class, made of one that a simple variable holds.
    pub(super) fn colour(&mut self, class: usize) -> String {
        let held = self.cell(|c| c.indices.is_empty() && c.holds == Holds::Colour(class));
        let held = held.map_or(format!("v{class}"), |c| c.at(&[], self.twist));
        let (stays, how) = (self.dice.chance(50), self.dice.below(4));
        let colours = &self.cast.colours[class];
        let honest = match stays {
            true => held.clone(),
            false => colours.another(&held, how),
        };
        let slips = self.odd_colours(class, &held);
        let slip = self.tamper.pass(Site::Id, || slips);
        slip.unwrap_or(honest)
    }

    /// A value of a class, wherever it is.
    fn any_colour(&mut self, class: usize) -> Expr {
        let indexed = self.dice.chance(30);
        let place = indexed.then(|| self.place_for(|h| h == Holds::Colour(class)));
        match place.flatten() {
            Some((place, _)) => Expr::Place(place),
            None => word(self.colour(class)),
        }
    }

    fn part(&mut self) -> Expr {
        let held = self.dice.chance(40);
        let cell = self.cell(|c| c.indices.is_empty() && c.holds == Holds::Part);
        match (cell.filter(|_| held), self.some_place()) {
            (None, Some(place)) => word(self.cast.arrangement.part(&place)),
            (Some(cell), _) => word(cell.at(&[], self.twist)),
            (None, None) => Expr::Number(0),
        }
    }

    /// A place or nobody, wherever it is.
    fn place_or_nobody(&mut self) -> Expr {
        if self.cast.nobody && self.dice.chance(15) {
            return Expr::Number(NOBODY);
        }
        let indexed = self.dice.chance(25);
        let held = indexed.then(|| self.place_for(|h| h == Holds::Place));
        match held.flatten() {
            Some((place, _)) => Expr::Place(place),
            None => self.some_place().map_or(Expr::Number(NOBODY), word),
        }
    }

    /// A number that is the same whatever the places and values are.
    pub(super) fn number(&mut self, most: i32) -> Expr {
        let constant = Expr::Number(self.dice.between(0, most));
        if self.dice.chance(50) {
            return constant;
        }
        match self.place_for(|h| matches!(h, Holds::Number(n) if n <= most)) {
            Some((place, Holds::Number(1))) if self.dice.chance(40) => {
                Expr::binary("-", Expr::Number(1), Expr::Place(place))
            }
            Some((place, _)) => Expr::Place(place),
            None => constant,
        }
    }

    /// What can be put into something that holds this.
    pub(super) fn value(&mut self, holds: Holds) -> Expr {
        match holds {
            Holds::Number(most) => self.number(most),
            Holds::Place => self.place_or_nobody(),
            Holds::Part => self.part(),
            Holds::Colour(class) => self.any_colour(class),
        }
    }
}
