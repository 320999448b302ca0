//! Statements without statements in them.

use super::expressions::masked;
use super::scope::{ChannelClass, Type};
use super::{Around, Generator, Parameter};
use crate::program::{Expr, Keeping, Order, Pattern, Place, Reach, Statement};

/// The statements of this file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Simple {
    Assign,
    AssignWord,
    Count,
    Assert,
    Print,
    Guard,
    Timeout,
    Send,
    Receive,
    Run,
    Goto,
    Inline,
    Skip,
}

impl Generator {
    /// A simple statement that may stand there.
    pub(super) fn simple(&mut self, around: Around) -> Statement {
        let waits = usize::from(!around.step);
        let choice = self.dice.weighted(&[
            (10, Simple::Assign),
            (2, Simple::AssignWord),
            (3, Simple::Count),
            (2, Simple::Assert),
            (1, Simple::Print),
            (1, Simple::Skip),
            (3 * usize::from(around.depth < 3), Simple::Inline),
            (2 * waits, Simple::Guard),
            (
                waits * usize::from(self.may_time_out(around)),
                Simple::Timeout,
            ),
            (5 * waits, Simple::Send),
            (5 * waits, Simple::Receive),
            (usize::from(around.starts && !around.repeats), Simple::Run),
            (2 * usize::from(around.jumps), Simple::Goto),
        ]);
        self.chosen(choice, around)
    }

    fn chosen(&mut self, choice: Simple, around: Around) -> Statement {
        let made = match choice {
            Simple::Assign => self.assignment(around),
            Simple::AssignWord => self.word_assignment(),
            Simple::Count => self.count(around),
            Simple::Assert => Some(Statement::Assert(self.test(1))),
            Simple::Print => Some(Statement::Print(vec![self.value(1)])),
            Simple::Skip => None,
            Simple::Inline => self.inline(around),
            Simple::Guard => Some(Statement::Guard(self.test(2))),
            Simple::Timeout => Some(self.timeout()),
            Simple::Send => self.send(|_| true),
            Simple::Receive => self.receive(|_| true),
            Simple::Run => self.run(),
            Simple::Goto => Some(self.goto()),
        };
        made.unwrap_or_else(|| Statement::word("skip"))
    }

    /// A statement that a sequence can wait at.
    pub(super) fn waiting(&mut self, around: Around) -> Statement {
        let made = match self.dice.below(9) {
            0..=2 => Some(Statement::Guard(self.test(2))),
            // A rendezvous within `d_step` is an error that ends the whole search.
            3 | 4 if around.step => self.send(ChannelClass::holds_messages),
            5..=7 if around.step => self.receive(ChannelClass::holds_messages),
            3 | 4 => self.send(|_| true),
            5..=7 => self.receive(|_| true),
            _ if self.may_time_out(around) => Some(self.timeout()),
            _ => None,
        };
        made.unwrap_or_else(|| Statement::Guard(self.test(1)))
    }

    /// Together with a claim, a time-out in Spin lasts until the end of an atomic sequence: there a
    /// second one would be possible that is not without the claim.
    fn may_time_out(&self, around: Around) -> bool {
        !(self.claimed && around.atomic)
    }

    fn timeout(&mut self) -> Statement {
        let timeout = Expr::word("timeout");
        Statement::Guard(match self.dice.chance(30) {
            true => Expr::binary(self.dice.pick(&["&&", "||"]), self.test(0), timeout),
            false => timeout,
        })
    }

    fn assignment(&mut self, around: Around) -> Option<Statement> {
        let place = self.number_place()?;
        let value = match self.dice.below(6) {
            0 | 1 => Expr::Number(self.dice.between(0, 3)),
            2 | 3 => Expr::binary("%", self.value(2), Expr::Number(self.dice.between(2, 4))),
            4 => masked(self.value(2), 3),
            _ if around.repeats => masked(self.value(1), 1),
            _ => self.value(2),
        };
        Some(Statement::Assign(place, value))
    }

    fn word_assignment(&mut self) -> Option<Statement> {
        let place = self.word_place()?;
        Some(Statement::Assign(place, self.word()))
    }

    /// Counting within a loop is for the types that have few values.
    fn count(&mut self, around: Around) -> Option<Statement> {
        let small = |ty: Type| matches!(ty, Type::Bit | Type::Bool | Type::Unsigned(2));
        let place = self.place(|l| {
            l.ty != Type::Mtype && !l.fixed && l.before != "to" && (!around.repeats || small(l.ty))
        })?;
        Some(Statement::Count(place, self.dice.pick(&["++", "--"])))
    }

    fn inline(&mut self, around: Around) -> Option<Statement> {
        let usable = self
            .usable
            .iter()
            .filter(|u| u.never_blocks || !around.step);
        let names: Vec<String> = usable.map(|u| u.name.clone()).collect();
        if names.is_empty() {
            return None;
        }
        let to = Expr::Place(self.number_place()?);
        let name = self.dice.pick(&names);
        Some(Statement::Inline(name, vec![to, self.plain_value()]))
    }

    /// A send on a channel of a class that fits.
    pub(super) fn send(&mut self, fits: impl Fn(ChannelClass) -> bool) -> Option<Statement> {
        let (channel, class) = self.some_channel(|c| fits(c.class))?;
        let fields: Option<Vec<Expr>> = class.fields().iter().map(|f| self.field(*f)).collect();
        let sorted = class.holds_messages() && class != ChannelClass::Link && self.dice.chance(20);
        let order = if sorted { Order::Sorted } else { Order::Last };
        Some(Statement::Send(channel, order, fields?))
    }

    /// A receive from a channel of a class that fits.
    pub(super) fn receive(&mut self, fits: impl Fn(ChannelClass) -> bool) -> Option<Statement> {
        let (channel, class) = self.some_channel(|c| fits(c.class))?;
        let patterns = class.fields().iter().map(|f| self.pattern(*f)).collect();
        let (channel, patterns) = undoable(channel, patterns);
        let (reach, keeping) = match class.holds_messages() {
            true => (self.reach(), self.keeping()),
            false => (Reach::First, Keeping::Taken),
        };
        Some(Statement::Receive(channel, reach, keeping, patterns))
    }

    fn keeping(&mut self) -> Keeping {
        if self.dice.chance(15) {
            Keeping::Copied
        } else {
            Keeping::Taken
        }
    }

    /// A receive that is possible whenever there is a message at all.
    pub(super) fn sure_receive(&mut self) -> Option<(Statement, Expr)> {
        let (channel, class) = self.some_channel(|c| c.class.holds_messages())?;
        let patterns: Vec<Pattern> = class
            .fields()
            .iter()
            .map(|f| self.open_pattern(*f))
            .collect();
        let (channel, patterns) = undoable(channel, patterns);
        // A message may change the variable that names the channel, but only after the test.
        let ready = Expr::OfChannel("nempty", channel.clone());
        Some((
            Statement::Receive(channel, Reach::First, Keeping::Taken, patterns),
            ready,
        ))
    }

    /// A `run` of a process that comes later, so that none starts itself.
    fn run(&mut self) -> Option<Statement> {
        if self.startable.is_empty() {
            return None;
        }
        self.restarts = true;
        let name = self.dice.pick(&self.startable.clone()).name.clone();
        let into = if self.dice.chance(30) {
            self.number_place()
        } else {
            None
        };
        match self.start(&name) {
            Statement::Run(_, name, arguments) => Some(Statement::Run(into, name, arguments)),
            other => Some(other),
        }
    }

    /// `run` of a process by its name.
    pub(super) fn start(&mut self, name: &str) -> Statement {
        let process = self.startable.iter().find(|s| s.name == name);
        let parameters = process.map(|s| s.parameters.clone()).unwrap_or_default();
        let arguments = parameters.iter().map(|p| self.argument(*p)).collect();
        Statement::Run(None, name.into(), arguments)
    }

    fn argument(&mut self, parameter: Parameter) -> Expr {
        match parameter {
            Parameter::Value => self.number(),
            Parameter::Channel(class) => match self.some_channel(|c| c.class == class) {
                Some((place, _)) => Expr::Channel(place),
                None => Expr::Number(0),
            },
        }
    }

    fn goto(&mut self) -> Statement {
        let label = self.dice.pick(&["L0", "L1", "end0", "end1"]).to_string();
        if !self.labels.wanted.contains(&label) {
            self.labels.wanted.push(label.clone());
        }
        Statement::Word(format!("goto {label}"))
    }
}

/// A receive that Spin accepts and can undo. No variable may receive two fields of one message; and
/// Spin restores the variables one after the other, so it goes wrong if one of them is in the
/// index of another or of the channel, or in an `eval`.
fn undoable(mut channel: Place, mut patterns: Vec<Pattern>) -> (Place, Vec<Pattern>) {
    let mut names: Vec<String> = Vec::new();
    for pattern in &mut patterns {
        if let Pattern::Into(place) = pattern {
            // The parameter of an `inline` may turn out to be any of the others.
            let unclear = place.before == "to" || names.first().is_some_and(|n| n == "to");
            if names.contains(&place.before) || (unclear && !names.is_empty()) {
                *pattern = Pattern::Anything;
            } else {
                names.push(place.before.clone());
                steady(place);
            }
        }
    }
    for pattern in &mut patterns {
        if let Pattern::Eval(value) = pattern
            && !(names.is_empty() || matches!(value, Expr::Number(_) | Expr::Word(_)))
        {
            *pattern = Pattern::Anything;
        }
    }
    steady(&mut channel);
    (channel, patterns)
}

/// Makes the index one that no receive changes.
fn steady(place: &mut Place) {
    if let Some((index, _)) = &mut place.index
        && !matches!(index.as_ref(), Expr::Number(_) | Expr::Word(_))
    {
        **index = Expr::Number(1);
    }
}
