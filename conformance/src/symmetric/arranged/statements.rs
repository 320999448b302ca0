//! Statements and sequences of statements.

use super::super::Around;
use super::super::tamper::Site;
use super::super::values::{join, word};
use super::Generator;
use super::actors::{Holds, Index};
use crate::program::{Bracket, Expr, Place, Statement};

/// The statements of this file.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Assign,
    Count,
    Choose,
    ForEach,
    Message,
    Assert,
    Guard,
    Timeout,
    If,
    Unless,
    Atomic,
    Step,
}

/// How often another kind of statement is tried where there is nothing to make one of.
const ATTEMPTS: usize = 6;

impl Generator {
    /// One branch of a loop. All that it does it does for the current twist.
    pub(super) fn branch(&mut self) -> Vec<Statement> {
        let mut branch = Vec::new();
        if self.dice.chance(35) {
            branch.push(Statement::Guard(self.condition()));
        }
        let length = self.dice.weighted(&[(3, 1), (2, 2)]);
        branch.extend(self.sequence(Around::BODY, length));
        if branch.len() > 1 && self.dice.chance(35) {
            return vec![Statement::Block(Bracket::Atomic, branch)];
        }
        branch
    }

    /// A branch that waits for little and changes something, so that processes do not stand still.
    pub(super) fn lively(&mut self) -> Vec<Statement> {
        let mut branch = Vec::new();
        if self.dice.chance(40) {
            branch.push(Statement::Guard(self.condition()));
        }
        for _ in 0..self.dice.weighted(&[(2, 1), (3, 2)]) {
            let outer = std::mem::take(&mut self.needs);
            let change = match self.dice.chance(30) {
                true => self.count(Around::BODY.in_step()),
                false => self.assignment(),
            };
            let needs = std::mem::replace(&mut self.needs, outer);
            let change = change.unwrap_or(Statement::word("skip"));
            branch.push(self.when(needs, change, Around::BODY.in_step()));
        }
        match self.dice.below(4) {
            0 => branch,
            1 => vec![Statement::Block(Bracket::Atomic, branch)],
            _ => vec![Statement::Block(Bracket::DStep, branch)],
        }
    }

    /// A branch that changes the value of a class, or any place in a variable: what never changes, no symmetry moves.
    pub(super) fn stir(&mut self, holds: Holds) -> Option<Vec<Statement>> {
        let cell = self.cell(|c| c.indices.is_empty() && c.holds == holds)?;
        let place = Place::named(cell.at(&[], self.twist));
        let chosen = self.dice.chance(50);
        let outer = std::mem::take(&mut self.needs);
        let value = match holds {
            Holds::Colour(class) => self.colour(class),
            _ => self.some_place()?,
        };
        let needs = std::mem::replace(&mut self.needs, outer);
        if chosen || value == cell.name() {
            return self.any_of(&place, holds).map(|choice| vec![choice]);
        }
        let change = Statement::Assign(place, word(value));
        Some(vec![self.when(needs, change, Around::BODY)])
    }

    fn sequence(&mut self, around: Around, length: usize) -> Vec<Statement> {
        (0..length).map(|_| self.statement(around)).collect()
    }

    /// A statement together with what its indices need.
    pub(super) fn statement(&mut self, around: Around) -> Statement {
        let outer = std::mem::take(&mut self.needs);
        let honest = self.any(around);
        let needs = std::mem::replace(&mut self.needs, outer);
        let honest = self.when(needs, honest, around);
        let slips = self.odd_statements();
        let slip = self.tamper.pass(Site::Statement, || slips);
        slip.map_or(honest, Statement::Word)
    }

    /// The statement, if that is true.
    fn when(&mut self, needs: Vec<String>, then: Statement, around: Around) -> Statement {
        let how = self.dice.below(3);
        if needs.is_empty() {
            return then;
        }
        let guard = Statement::Guard(join("&&", needs.into_iter().map(word).collect()));
        if around.step || how == 0 {
            let branch = vec![guard, then];
            return Statement::If(vec![branch, vec![Statement::word("else")]]);
        }
        Statement::Block(Bracket::Atomic, vec![guard, then])
    }

    fn any(&mut self, around: Around) -> Statement {
        let shallow = usize::from(around.depth < 2);
        let waits = usize::from(!around.step);
        let kinds = [
            (8, Kind::Assign),
            (3, Kind::Count),
            (1, Kind::Choose),
            (2 * shallow, Kind::ForEach),
            (6 * waits, Kind::Message),
            (2, Kind::Assert),
            (2 * waits, Kind::Guard),
            (shallow * waits, Kind::Timeout),
            (2 * shallow, Kind::If),
            (shallow * waits, Kind::Unless),
            (3 * shallow * waits, Kind::Atomic),
            (4 * shallow * waits, Kind::Step),
        ];
        for _ in 0..ATTEMPTS {
            self.needs.clear();
            let kind = self.dice.weighted(&kinds);
            if let Some(statement) = self.of_kind(kind, around) {
                return statement;
            }
        }
        self.needs.clear();
        Statement::word("skip")
    }

    fn of_kind(&mut self, kind: Kind, around: Around) -> Option<Statement> {
        Some(match kind {
            Kind::Assign => self.assignment()?,
            Kind::Count => self.count(around)?,
            Kind::Choose => self.chosen(around)?,
            Kind::ForEach => self.for_each(around)?,
            Kind::Message if around.step => return None,
            Kind::Message => self.message(false)?,
            Kind::Assert => Statement::Assert(self.condition()),
            Kind::Guard => Statement::Guard(self.condition()),
            Kind::Timeout => Statement::Guard(Expr::word("timeout")),
            Kind::If => self.choice(around),
            Kind::Unless => {
                let main = self.sequence(around.deeper(), 1);
                Statement::Unless(main, vec![Statement::Guard(self.condition())])
            }
            Kind::Atomic => {
                let mut inner = vec![Statement::Guard(self.condition())];
                inner.extend(self.sequence(around.deeper(), 2));
                Statement::Block(Bracket::Atomic, inner)
            }
            Kind::Step => {
                let mut inner = vec![self.opening()];
                let length = self.dice.weighted(&[(1, 1), (2, 2)]);
                inner.extend(self.sequence(around.in_step(), length));
                Statement::Block(Bracket::DStep, inner)
            }
        })
    }

    /// What a step waits for: a condition, or a message that needs nothing.
    fn opening(&mut self) -> Statement {
        let condition = Statement::Guard(self.condition());
        if self.dice.chance(65) {
            return condition;
        }
        let outer = std::mem::take(&mut self.needs);
        let message = self.message(true);
        let needs = std::mem::replace(&mut self.needs, outer);
        message.filter(|_| needs.is_empty()).unwrap_or(condition)
    }

    fn assignment(&mut self) -> Option<Statement> {
        let (place, holds) = self.place_for(|_| true)?;
        let value = self.value(holds);
        (value.to_string() != place.to_string()).then_some(Statement::Assign(place, value))
    }

    /// One more, as long as there are values left.
    fn count(&mut self, around: Around) -> Option<Statement> {
        let (place, holds) = self.place_for(|h| matches!(h, Holds::Number(_)))?;
        let Holds::Number(most) = holds else {
            return None;
        };
        let below = Expr::binary("<", Expr::Place(place.clone()), Expr::Number(most));
        let branch = vec![Statement::Guard(below), Statement::Count(place, "++")];
        if around.step {
            return Some(Statement::If(vec![branch, vec![Statement::word("else")]]));
        }
        Some(Statement::Block(Bracket::DStep, branch))
    }

    /// Any value or any place goes into something.
    fn chosen(&mut self, around: Around) -> Option<Statement> {
        let (place, holds) = self.place_for(|h| matches!(h, Holds::Colour(_) | Holds::Place))?;
        // A choice within `d_step` is always for the first branch.
        (!around.step).then(|| self.any_of(&place, holds)).flatten()
    }

    fn any_of(&self, place: &Place, holds: Holds) -> Option<Statement> {
        let all: Vec<Expr> = match holds {
            Holds::Colour(class) => self.cast.colours[class].names.iter().map(word).collect(),
            Holds::Place => (0..self.cast.size()).map(Expr::Number).collect(),
            Holds::Number(_) | Holds::Part => return None,
        };
        let branch = |value: Expr| vec![Statement::Assign(place.clone(), value)];
        Some(Statement::If(all.into_iter().map(branch).collect()))
    }

    /// All elements of an array are changed in one step.
    fn for_each(&mut self, around: Around) -> Option<Statement> {
        let array = self.cell(|c| c.indices.len() == 1 && matches!(c.holds, Holds::Number(_)))?;
        let (from, to) = (self.dice.between(0, 1), self.dice.between(0, 1));
        let last = self.length(array.indices[0]) - 1;
        let first = match array.indices[0] {
            Index::Colour(class) => self.cast.colours[class].first,
            _ => 0,
        };
        let conditional = self.dice.chance(40);
        let slip = self
            .tamper
            .pass(Site::Bound, || vec![(last - 1).to_string()]);
        let element = Place::named(array.at(&["i".into()], self.twist));
        let set = Statement::Assign(element.clone(), Expr::Number(to));
        let guard = Expr::binary("==", Expr::Place(element), Expr::Number(from));
        let body = match conditional {
            true => Statement::If(vec![
                vec![Statement::Guard(guard), set],
                vec![Statement::word("else")],
            ]),
            false => set,
        };
        let last = slip.map_or(Expr::Number(last), word);
        let each = Statement::For(Place::named("i"), Expr::Number(first), last, vec![body]);
        let reset = Statement::Assign(Place::named("i"), Expr::Number(0));
        let bracket = match around.step {
            true => Bracket::Plain,
            false => Bracket::DStep,
        };
        Some(Statement::Block(bracket, vec![each, reset]))
    }

    fn choice(&mut self, around: Around) -> Statement {
        let inner = around.deeper();
        let mut branch = vec![Statement::Guard(self.condition())];
        branch.extend(self.sequence(inner, 1));
        let mut branches = vec![branch];
        if around.step || self.dice.chance(60) {
            let mut branch = vec![Statement::word("else")];
            branch.extend(self.sequence(inner, 1));
            branches.push(branch);
        }
        Statement::If(branches)
    }
}
