//! Values, conditions and patterns.

use super::Generator;
use super::scope::{Channel, ChannelClass, Field, Leaf, Type};
use crate::program::{Expr, Pattern, Place, Reach};

/// Numbers at which something changes: widths of types, signs.
const EDGES: [i32; 12] = [-1, 4, 5, 7, 8, 127, 128, 255, 256, 32767, -32768, 65536];

impl Generator {
    /// A constant.
    pub(super) fn number(&mut self) -> Expr {
        Expr::Number(match self.dice.chance(85) {
            true => self.dice.between(0, 3),
            false => self.dice.pick(&EDGES),
        })
    }

    /// An `mtype` constant.
    pub(super) fn word(&mut self) -> Expr {
        Expr::word(self.dice.pick(&["red", "green", "blue"]).to_string())
    }

    /// A place of one of the leaves that fit.
    pub(super) fn place(&mut self, fits: impl Fn(&Leaf) -> bool) -> Option<Place> {
        let leaves: Vec<Leaf> = self
            .scope
            .leaves
            .iter()
            .filter(|l| fits(l))
            .cloned()
            .collect();
        if leaves.is_empty() {
            return None;
        }
        let leaf = self.dice.pick(&leaves);
        let index = leaf
            .length
            .map(|length| (Box::new(self.index()), length - 1));
        Some(Place {
            before: leaf.before,
            index,
            after: leaf.after,
        })
    }

    /// An index that the mask of its place keeps in range: one without an index of its own, also when
    /// an argument stands for the parameter of an `inline`. Spin cannot undo `a[a[0]] = 1`.
    fn index(&mut self) -> Expr {
        let open = |l: &Leaf| l.before == "to" || l.before == "from";
        let plain = |l: &Leaf| l.ty != Type::Mtype && l.length.is_none() && !open(l);
        match self.dice.below(3) {
            0 => Expr::Number(self.dice.between(0, 3)),
            1 if self.scope.numbered => Expr::word("_pid"),
            _ => self.place(plain).map_or(Expr::Number(0), Expr::Place),
        }
    }

    /// A number that can be assigned.
    pub(super) fn number_place(&mut self) -> Option<Place> {
        self.place(|l| l.ty != Type::Mtype && !l.fixed)
    }

    /// A variable of type `mtype` that can be assigned.
    pub(super) fn word_place(&mut self) -> Option<Place> {
        self.place(|l| l.ty == Type::Mtype && !l.fixed)
    }

    /// A number of any kind.
    pub(super) fn value(&mut self, depth: usize) -> Expr {
        if depth == 0 {
            return self.atom();
        }
        match self.dice.below(12) {
            0..=4 => self.atom(),
            5..=8 => self.arithmetic(depth - 1),
            9 => {
                let operator = self.dice.pick(&["-", "~", "!"]);
                Expr::Unary(operator, Box::new(self.value(depth - 1)))
            }
            10 => {
                let condition = Box::new(self.condition(depth - 1));
                let yes = Box::new(self.value(depth - 1));
                Expr::Conditional(condition, yes, Box::new(self.value(depth - 1)))
            }
            _ => Expr::Call("ADD".into(), vec![self.value(depth - 1), self.atom()]),
        }
    }

    /// A number for an `inline`, whose arguments Spin takes as text: one with `->` it cannot read.
    pub(super) fn plain_value(&mut self) -> Expr {
        if self.dice.chance(50) {
            self.atom()
        } else {
            self.arithmetic(0)
        }
    }

    fn atom(&mut self) -> Expr {
        match self.dice.below(12) {
            0..=3 => self.number(),
            4 if self.scope.numbered => Expr::word("_pid"),
            5 if !self.claimed => Expr::word("_nr_pr"),
            6 => self.channel_function(&["len"]),
            _ => match self.place(|l| l.ty != Type::Mtype) {
                Some(place) => Expr::Place(place),
                None => self.number(),
            },
        }
    }

    fn arithmetic(&mut self, depth: usize) -> Expr {
        let left = self.value(depth);
        let (operator, right) = match self.dice.below(10) {
            0 => (
                self.dice.pick(&["/", "%"]),
                Expr::Number(self.dice.between(2, 3)),
            ),
            1 => (self.dice.pick(&["/", "%"]), odd(self.value(depth))),
            2 => (self.dice.pick(&["<<", ">>"]), masked(self.value(depth), 7)),
            3 => (self.dice.pick(&["&", "|", "^"]), self.value(depth)),
            _ => (self.dice.pick(&["+", "-", "*"]), self.value(depth)),
        };
        Expr::binary(operator, left, right)
    }

    /// A condition where it stands alone: only there a channel may be asked whether it is full.
    pub(super) fn test(&mut self, depth: usize) -> Expr {
        let functions = ["full", "nfull", "empty", "nempty"];
        match self.dice.below(8) {
            0 => self.channel_function(&functions),
            1 if depth > 0 => {
                let operator = self.dice.pick(&["&&", "||"]);
                Expr::binary(operator, self.test(depth - 1), self.test(depth - 1))
            }
            _ => self.condition(depth),
        }
    }

    /// A condition: mostly one that is sometimes true and sometimes not.
    pub(super) fn condition(&mut self, depth: usize) -> Expr {
        match self.dice.below(11) {
            0..=4 => self.comparison(depth),
            5 => self.word_comparison(depth),
            6 => self.poll(),
            7 if depth > 0 => {
                let operator = self.dice.pick(&["&&", "||"]);
                Expr::binary(
                    operator,
                    self.condition(depth - 1),
                    self.condition(depth - 1),
                )
            }
            8 if depth > 0 => Expr::Unary("!", Box::new(self.comparison(depth - 1))),
            9 => Expr::Call("SMALL".into(), vec![self.value(0)]),
            _ => self.value(depth),
        }
    }

    fn comparison(&mut self, depth: usize) -> Expr {
        let operator = self.dice.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let left = self.value(depth);
        let right = if self.dice.chance(60) {
            self.number()
        } else {
            self.value(depth)
        };
        Expr::binary(operator, left, right)
    }

    fn word_comparison(&mut self, depth: usize) -> Expr {
        let Some(place) = self.place(|l| l.ty == Type::Mtype) else {
            return self.comparison(depth);
        };
        let operator = self.dice.pick(&["==", "!="]);
        Expr::binary(operator, Expr::Place(place), self.word())
    }

    /// A channel of one of the classes that fit.
    pub(super) fn some_channel(
        &mut self,
        fits: impl Fn(&Channel) -> bool,
    ) -> Option<(Place, ChannelClass)> {
        let fitting = self.scope.channels.iter().filter(|c| fits(c));
        let channels: Vec<Channel> = fitting.cloned().collect();
        if channels.is_empty() {
            return None;
        }
        let channel = self.dice.pick(&channels);
        let index = channel
            .length
            .map(|length| (Box::new(self.index()), length - 1));
        Some((
            Place {
                index,
                ..Place::named(channel.name)
            },
            channel.class,
        ))
    }

    fn channel_function(&mut self, functions: &[&'static str]) -> Expr {
        match self.some_channel(|c| c.class.holds_messages()) {
            Some((place, _)) => Expr::OfChannel(self.dice.pick(functions), place),
            None => self.number(),
        }
    }

    fn poll(&mut self) -> Expr {
        match self.some_channel(|c| c.class.holds_messages()) {
            Some((place, class)) => {
                let reach = self.reach();
                let patterns = class
                    .fields()
                    .iter()
                    .map(|f| self.test_pattern(*f))
                    .collect();
                Expr::Poll(place, reach, patterns)
            }
            None => self.comparison(0),
        }
    }

    pub(super) fn reach(&mut self) -> Reach {
        if self.dice.chance(25) {
            Reach::Any
        } else {
            Reach::First
        }
    }

    /// A pattern that changes nothing.
    fn test_pattern(&mut self, field: Field) -> Pattern {
        match field {
            Field::Number | Field::Bit if self.dice.chance(50) => {
                Pattern::Constant(self.small_number())
            }
            Field::Number | Field::Bit if self.dice.chance(50) => Pattern::Eval(self.value(0)),
            Field::Word => Pattern::Constant(self.word()),
            _ => Pattern::Anything,
        }
    }

    /// A constant that a message can well hold. Constants in patterns carry no sign.
    fn small_number(&mut self) -> Expr {
        Expr::Number(self.dice.between(0, 2))
    }

    /// A pattern of a receive.
    pub(super) fn pattern(&mut self, field: Field) -> Pattern {
        if self.dice.chance(20) {
            return self.test_pattern(field);
        }
        self.open_pattern(field)
    }

    /// A pattern that fits every message. A variable is wide enough for the field: when Spin undoes
    /// a receive, it takes the message back from the variables, and would lose what was cut off.
    pub(super) fn open_pattern(&mut self, field: Field) -> Pattern {
        let narrow = |l: &Leaf| matches!(l.ty, Type::Bit | Type::Bool | Type::Mtype);
        let place = match field {
            Field::Number => self.place(|l| !l.fixed && !narrow(l) && l.before != "to"),
            Field::Bit => self.number_place(),
            Field::Word => self.word_place(),
            Field::Channel => {
                let into = |c: &Channel| c.class == ChannelClass::Numbers && !c.fixed;
                self.some_channel(into).map(|(place, _)| place)
            }
        };
        place.map_or(Pattern::Anything, Pattern::Into)
    }

    /// A field of a message.
    pub(super) fn field(&mut self, field: Field) -> Option<Expr> {
        Some(match field {
            Field::Number | Field::Bit if self.dice.chance(60) => self.small_number(),
            Field::Number => masked(self.value(1), 3),
            Field::Bit => self.value(1),
            Field::Word => match self.word_place() {
                Some(place) if self.dice.chance(30) => Expr::Place(place),
                _ => self.word(),
            },
            Field::Channel => {
                let (place, _) = self.some_channel(|c| c.class == ChannelClass::Numbers)?;
                Expr::Channel(place)
            }
        })
    }
}

/// The value cut to a few bits.
pub(super) fn masked(value: Expr, mask: i32) -> Expr {
    Expr::binary("&", value, Expr::Number(mask))
}

/// The value made odd and positive, so that it can divide.
fn odd(value: Expr) -> Expr {
    Expr::binary("|", masked(value, 3), Expr::Number(1))
}
