//! Sends and receives.

use super::Generator;
use super::actors::{Cell, Holds};
use crate::program::{Expr, Keeping, Order, Pattern, Place, Reach, Statement};

impl Generator {
    /// A send or a receive. Within `d_step` only channels that hold messages will do.
    pub(super) fn message(&mut self, step: bool) -> Option<Statement> {
        let (place, channel) = self.channel(|c| c.buffered || !step)?;
        if self.dice.chance(50) {
            let fields: Vec<Expr> = channel.fields.iter().map(|f| self.value(*f)).collect();
            return Some(Statement::Send(place, Order::Last, fields));
        }
        let mut taken = Vec::new();
        let fields = channel.fields.iter();
        let patterns = fields.map(|f| self.pattern(*f, &mut taken)).collect();
        let reach = match channel.buffered && self.dice.chance(20) {
            true => Reach::Any,
            false => Reach::First,
        };
        let keeping = match channel.buffered && self.dice.chance(10) {
            true => Keeping::Copied,
            false => Keeping::Taken,
        };
        Some(Statement::Receive(place, reach, keeping, patterns))
    }

    /// What a field is received into, or what it must be.
    fn pattern(&mut self, holds: Holds, taken: &mut Vec<String>) -> Pattern {
        let into = self.receiver(holds, taken);
        match self.dice.below(6) {
            0..=3 => into.map_or(Pattern::Anything, Pattern::Into),
            4 => Pattern::Eval(self.value(holds)),
            _ => Pattern::Anything,
        }
    }

    /// A variable that the message does not receive another field into.
    fn receiver(&mut self, holds: Holds, taken: &mut Vec<String>) -> Option<Place> {
        let fits = |of: Holds| match (holds, of) {
            (Holds::Number(sent), Holds::Number(held)) => sent <= held,
            (sent, held) => sent == held,
        };
        let free = |c: &Cell| c.indices.is_empty() && fits(c.holds) && !taken.contains(&c.name());
        let cell = self.cell(free)?;
        taken.push(cell.name());
        Some(Place::named(cell.at(&[], self.twist)))
    }
}
