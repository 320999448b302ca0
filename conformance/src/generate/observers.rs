//! Claims and observers of messages.

use super::Generator;
use super::scope::{Channel, ChannelClass, Field};
use crate::program::{Events, Expr, Keeping, Order, Pattern, Place, Process, Reach, Statement};

/// A process that never ends, and comes first, so that all others can. Where the claim has ended and
/// no process is left, Spin lets the claim end like a process and counts a state without it; nothing
/// can be learnt from such states.
pub(super) fn watchman() -> Process {
    let wait = Statement::Guard(Expr::word("false"));
    Process {
        name: "W".into(),
        active: 1,
        parameters: Vec::new(),
        priority: None,
        provided: None,
        body: vec![Statement::Labelled("end".into(), Box::new(wait))],
    }
}

/// Where an option stands among those of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rank {
    First,
    Later,
}

impl Generator {
    /// A claim of one to three rounds: wait or go on.
    pub(super) fn never(&mut self, processes: &[Process]) -> Vec<Statement> {
        self.scope.numbered = false;
        let mut rounds = Vec::new();
        for i in 0..self.dice.between(1, 3) {
            let stay = vec![Statement::Guard(self.observation(processes, Rank::First))];
            let go = vec![
                Statement::Guard(self.observation(processes, Rank::Later)),
                Statement::word("break"),
            ];
            let mut branches = vec![stay, go];
            if self.dice.chance(50) {
                branches.push(vec![Statement::word("else")]);
            } else if self.dice.chance(50) {
                branches.push(vec![Statement::Guard(Expr::word("true"))]);
            }
            let round = Statement::Do(branches);
            let label = format!("{}{i}", self.dice.pick(&["accept", "T", "end"]));
            rounds.push(match self.dice.chance(30) {
                true => Statement::Labelled(label, Box::new(round)),
                false => round,
            });
        }
        rounds
    }

    /// What a claim looks at: mostly variables, sometimes what a process is about.
    fn observation(&mut self, processes: &[Process], at: Rank) -> Expr {
        let mut number = 0;
        let mut views = Vec::new();
        for process in processes {
            if process.active > 0 {
                views.extend(self.views(process, number, at));
            }
            number += process.active as i32;
        }
        match views.is_empty() || self.dice.chance(60) {
            true => self.test(1),
            false => self.dice.pick(&views),
        }
    }

    /// Ways to look at the process of that number.
    fn views(&mut self, process: &Process, number: i32, at: Rank) -> Vec<Expr> {
        let name = &process.name;
        let is = |what: String, operator, value| {
            Expr::binary(operator, Expr::Word(what), Expr::Number(value))
        };
        let mut views = vec![
            is("_last".into(), "==", number),
            is(format!("pc_value({number})"), ">", self.dice.between(1, 4)),
        ];
        // Spin does not answer that where processes can meet, and wrongly of a process at `else`
        // once an earlier option of the claim was taken.
        if !self.meets && at == Rank::First {
            views.push(Expr::Word(format!("enabled({number})")));
        }
        if let Some(label) = process.body.iter().find_map(Statement::label) {
            let number = Box::new(Expr::Number(number));
            views.push(Expr::AtLabel(name.clone(), number, label.into()));
        }
        // Of another process under the same number Spin would read any byte.
        let counts = |s: &Statement| matches!(s, Statement::Declare(d) if d.name == "n0");
        if !self.restarts && process.body.iter().any(counts) {
            views.push(is(format!("{name}[{number}]:n0"), ">", 0));
        }
        views
    }

    /// An observer of the messages of one channel: a few events in a row, or again and again.
    /// Not of a rendezvous: Spin takes an offer that nobody accepts for a message. And `notrace` only
    /// with a claim: else Spin takes a run that ends without those messages for wrong.
    pub(super) fn events(&mut self) -> Option<Events> {
        let told = |c: &Channel| {
            c.length.is_none() && c.class.holds_messages() && c.class != ChannelClass::Link
        };
        let (channel, class) = self.some_channel(told)?;
        let mut branches: Vec<Vec<Statement>> = Vec::new();
        for _ in 0..self.dice.between(1, 2) {
            let count = self.dice.between(1, 2);
            branches.push((0..count).map(|_| self.event(&channel, class)).collect());
        }
        let body = match self.dice.below(3) {
            0 => branches.into_iter().flatten().collect(),
            1 => vec![Statement::If(branches)],
            _ => vec![Statement::Do(branches)],
        };
        let kind = match self.claimed {
            true => self.dice.pick(&["trace", "notrace"]),
            false => "trace",
        };
        Some(Events { kind, body })
    }

    fn event(&mut self, channel: &Place, class: ChannelClass) -> Statement {
        if self.dice.chance(50) {
            let message = class.fields().iter().map(|f| self.constant(*f)).collect();
            return Statement::Send(channel.clone(), Order::Last, message);
        }
        let patterns = class.fields().iter().map(|f| match self.dice.chance(60) {
            true => Pattern::Anything,
            false => Pattern::Constant(self.constant(*f)),
        });
        let patterns = patterns.collect();
        Statement::Receive(channel.clone(), Reach::First, Keeping::Taken, patterns)
    }

    fn constant(&mut self, field: Field) -> Expr {
        match field {
            Field::Word => self.word(),
            _ => Expr::Number(self.dice.between(0, 1)),
        }
    }
}

impl Statement {
    /// Its label, if it has one.
    pub(crate) fn label(&self) -> Option<&str> {
        match self {
            Statement::Labelled(label, _) => Some(label),
            _ => None,
        }
    }
}
