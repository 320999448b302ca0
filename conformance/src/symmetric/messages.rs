//! Sends and receives.

use super::statements::modulo;
use super::values::word;
use super::world::{Cell, Holds};
use super::{Around, Generator};
use crate::program::{Expr, Keeping, Order, Pattern, Place, Reach, Statement};

impl Generator {
    /// A send or a receive. Within `d_step` only channels that hold messages will do.
    pub(super) fn message(&mut self, around: Around) -> Option<Statement> {
        let (place, channel) = self.channel(|c| c.buffered || !around.step)?;
        if self.dice.chance(50) {
            let fields: Option<Vec<Expr>> = channel.fields.iter().map(|f| self.field(*f)).collect();
            return Some(Statement::Send(place, Order::Last, fields?));
        }
        let mut taken = Vec::new();
        let patterns = channel.fields.iter();
        let patterns: Vec<Pattern> = patterns.map(|f| self.pattern(*f, &mut taken)).collect();
        let reach = match channel.buffered && self.dice.chance(25) {
            true => Reach::Any,
            false => Reach::First,
        };
        let keeping = match channel.buffered && self.dice.chance(10) {
            true => Keeping::Copied,
            false => Keeping::Taken,
        };
        Some(Statement::Receive(place, reach, keeping, patterns))
    }

    /// What is sent in a field.
    fn field(&mut self, holds: Holds) -> Option<Expr> {
        Some(match holds {
            Holds::Id(domain) => self.id(domain),
            Holds::Number(most) => modulo(self.number(), most + 1),
            Holds::Word => word(self.dice.pick(&["ask", "grant"])),
            Holds::Link(domain) => self.link(domain)?,
        })
    }

    /// A reference to a channel whose messages are names of that domain.
    pub(super) fn link(&mut self, domain: usize) -> Option<Expr> {
        let fits = |fields: &[Holds]| fields == [Holds::Id(domain)];
        let (place, _) = self.channel(|c| fits(&c.fields) && c.buffered)?;
        Some(Expr::Channel(place))
    }

    /// What a field is received into, or what it must be.
    fn pattern(&mut self, holds: Holds, taken: &mut Vec<String>) -> Pattern {
        let into = self.receiver(holds, taken);
        match (self.dice.below(6), holds) {
            (0..=3, _) => into.map_or(Pattern::Anything, Pattern::Into),
            (4, Holds::Id(domain)) => Pattern::Eval(self.id(domain)),
            (4, Holds::Number(_)) => Pattern::Constant(Expr::Number(self.dice.between(0, 1))),
            (4, Holds::Word) => Pattern::Constant(Expr::word("ask")),
            _ => Pattern::Anything,
        }
    }

    /// A variable that the message does not receive another field into.
    fn receiver(&mut self, holds: Holds, taken: &mut Vec<String>) -> Option<Place> {
        let fits = |of: Holds| match (holds, of) {
            (Holds::Number(sent), Holds::Number(held)) => sent <= held,
            (sent, held) => sent == held,
        };
        let free = |c: &Cell| c.indices.is_empty() && fits(c.holds) && !taken.contains(&c.parts[0]);
        let cells = self.cells(free);
        if cells.is_empty() {
            return None;
        }
        let cell = self.dice.pick(&cells);
        taken.push(cell.parts[0].clone());
        Some(Place::named(cell.at(&[])))
    }
}
