//! Outcomes, rewards, and queries about them.

use super::{Reader, Scope};
use crate::print::chance::{filter_operation, operation, stochastic};
use dashu_ratio::RBig;
use mandala_model::chance::{
    Alternative, Operation, Outcome, Quantity, Rewards, StateReward, StepReward, Stochastic,
};
use mandala_model::findings::{Fallible, error};
use mandala_temporal::pctl::{
    Accumulation, Comparison, FilterOperation, FilterSubject, Interval, Measure, Optimum,
    PathFormula, Query, StateFormula,
};

const KINDS: [Stochastic; 3] = [Stochastic::Dtmc, Stochastic::Ctmc, Stochastic::Mdp];

const OPERATIONS: [Operation; 7] = [
    Operation::Add,
    Operation::Subtract,
    Operation::Multiply,
    Operation::Divide,
    Operation::Min,
    Operation::Max,
    Operation::Power,
];

const FILTERS: [FilterOperation; 9] = [
    FilterOperation::Min,
    FilterOperation::Max,
    FilterOperation::Average,
    FilterOperation::Sum,
    FilterOperation::Count,
    FilterOperation::Range,
    FilterOperation::ForAll,
    FilterOperation::Exists,
    FilterOperation::State,
];

impl Reader<'_> {
    /// How chance and choice are mixed, if that is said here.
    pub(super) fn eat_stochastic(&mut self) -> Option<Stochastic> {
        KINDS
            .into_iter()
            .find(|kind| self.eat_word(stochastic(*kind)))
    }

    /// An outcome behind its first word.
    pub(super) fn outcome(&mut self) -> Fallible<Outcome> {
        let alternative = Alternative(self.natural()?);
        self.expect_word("weight")?;
        let weight = self.quantity()?;
        let action = match self.eat_word("action") {
            true => Some(self.string()?),
            false => None,
        };
        Ok(Outcome {
            alternative,
            weight,
            action,
        })
    }

    /// An exact number in quotes.
    fn number(&mut self) -> Fallible<RBig> {
        let start = self.here();
        let text = self.string()?;
        let wrong = || error(start, format!("{text:?} is no fraction such as \"1/2\""));
        let (above, below) = text.split_once('/').unwrap_or((&text, "1"));
        let is_digit = |c: char| c.is_ascii_digit();
        if below.is_empty() || !below.chars().all(is_digit) || below.chars().all(|c| c == '0') {
            return Err(wrong());
        }
        let above: RBig = above.parse().map_err(|_| wrong())?;
        let below: RBig = below.parse().map_err(|_| wrong())?;
        Ok(above / below)
    }

    fn quantity(&mut self) -> Fallible<Quantity> {
        self.nested(|r| {
            let Some(word) = r.word().map(str::to_owned) else {
                return r.number().map(Quantity::Constant);
            };
            r.advance();
            r.expect("(")?;
            let quantity = r.quantity_of(&word)?;
            r.expect(")")?;
            Ok(quantity)
        })
    }

    /// The quantity that begins with a word, inside of its parentheses.
    fn quantity_of(&mut self, word: &str) -> Fallible<Quantity> {
        match word {
            "value" => return Ok(Quantity::Value(self.expression()?)),
            "floor" => return Ok(Quantity::Floor(Box::new(self.quantity()?))),
            "ceiling" => return Ok(Quantity::Ceiling(Box::new(self.quantity()?))),
            "if" => {
                let condition = Box::new(self.expression()?);
                let (first, second) = self.two_quantities()?;
                return Ok(Quantity::If(condition, first, second));
            }
            _ => {}
        }
        let named = OPERATIONS.into_iter().find(|o| operation(*o) == word);
        let Some(operation) = named else {
            return self.expected("a quantity, such as `value(x)`, `add(..)` or \"1/2\"");
        };
        let left = Box::new(self.quantity()?);
        self.expect(",")?;
        let right = Box::new(self.quantity()?);
        Ok(Quantity::Operation(operation, left, right))
    }

    fn two_quantities(&mut self) -> Fallible<(Box<Quantity>, Box<Quantity>)> {
        self.expect(",")?;
        let first = Box::new(self.quantity()?);
        self.expect(",")?;
        Ok((first, Box::new(self.quantity()?)))
    }

    /// A structure of rewards.
    pub(super) fn rewards(&mut self) -> Fallible<()> {
        let own = self.here();
        let name = self.string_or_none()?;
        let span = self.span_or(own)?;
        let mut rewards = Rewards {
            name,
            states: Vec::new(),
            steps: Vec::new(),
            span,
        };
        self.within(Scope::Outside, |r| {
            while r.reward(&mut rewards)? {}
            Ok(())
        })?;
        self.model.rewards.push(rewards);
        Ok(())
    }

    /// One part of a structure of rewards, if there is one more.
    fn reward(&mut self, rewards: &mut Rewards) -> Fallible<bool> {
        let own = self.here();
        let action = match (self.eat_word("state"), self.is_word("step")) {
            (true, _) => None,
            (false, true) => {
                self.advance();
                Some(self.string_or_none()?)
            }
            (false, false) => return Ok(false),
        };
        let span = self.span_or(own)?;
        self.expect_word("when")?;
        let guard = self.expression()?;
        self.expect_word("earns")?;
        let amount = self.quantity()?;
        match action {
            None => rewards.states.push(StateReward {
                guard,
                amount,
                span,
            }),
            Some(action) => rewards.steps.push(StepReward {
                action,
                guard,
                amount,
                span,
            }),
        }
        Ok(true)
    }

    fn string_or_none(&mut self) -> Fallible<Option<String>> {
        match self.eat_word("none") {
            true => Ok(None),
            false => self.string().map(Some),
        }
    }

    /// A query behind its first word.
    pub(super) fn query(&mut self) -> Fallible<Query> {
        if self.eat_word("holds") {
            return Ok(Query::Holds(self.state_formula()?));
        }
        if self.eat_word("value") {
            return Ok(Query::Value(self.measure()?));
        }
        self.expect_word("filter")?;
        let mut filters = FILTERS.into_iter();
        let Some(operation) = filters.find(|f| self.eat_word(filter_operation(*f))) else {
            return self.expected("what the filter makes of values");
        };
        let subject = match self.eat_word("value") {
            true => FilterSubject::Measure(self.measure()?),
            false => {
                self.expect_word("holds")?;
                FilterSubject::Formula(self.state_formula()?)
            }
        };
        self.expect_word("states")?;
        let states = self.state_formula()?;
        Ok(Query::Filter {
            operation,
            subject,
            states,
        })
    }

    fn measure(&mut self) -> Fallible<Measure> {
        if self.eat_word("probability") {
            let optimum = self.optimum();
            self.expect("[")?;
            let path = self.path_formula()?;
            self.expect("]")?;
            return Ok(Measure::Probability { optimum, path });
        }
        if self.eat_word("share") {
            return Ok(Measure::LongRun(self.bracketed()?));
        }
        self.expect_word("reward")?;
        let structure = self.natural::<u32>()? as usize;
        let optimum = self.optimum();
        let what = self.accumulation()?;
        Ok(Measure::Reward {
            structure,
            optimum,
            what,
        })
    }

    fn bracketed(&mut self) -> Fallible<StateFormula> {
        self.expect("[")?;
        let formula = self.state_formula()?;
        self.expect("]")?;
        Ok(formula)
    }

    fn optimum(&mut self) -> Option<Optimum> {
        if self.eat_word("least") {
            return Some(Optimum::Least);
        }
        self.eat_word("greatest").then_some(Optimum::Greatest)
    }

    fn accumulation(&mut self) -> Fallible<Accumulation> {
        if self.eat_word("until") {
            return Ok(Accumulation::Until(self.bracketed()?));
        }
        if self.eat_word("upto") {
            return Ok(Accumulation::UpTo(self.number()?));
        }
        if self.eat_word("at") {
            return Ok(Accumulation::At(self.number()?));
        }
        if self.eat_word("total") {
            return Ok(Accumulation::Total);
        }
        match self.eat_word("average") {
            true => Ok(Accumulation::LongRun),
            false => self.expected("`until`, `upto`, `at`, `total` or `average`"),
        }
    }

    fn state_formula(&mut self) -> Fallible<StateFormula> {
        self.nested(|r| {
            if r.eat("!") {
                return Ok(StateFormula::Not(Box::new(r.state_formula()?)));
            }
            if r.eat("(") {
                let formula = r.joined_formula()?;
                r.expect(")")?;
                return Ok(formula);
            }
            let constants = [("true", true), ("false", false)];
            if let Some((_, value)) = constants.into_iter().find(|(w, _)| r.eat_word(w)) {
                return Ok(StateFormula::Constant(value));
            }
            if r.eat_word("initial") {
                return Ok(StateFormula::Initial);
            }
            match r.eat_word("deadlock") {
                true => Ok(StateFormula::Deadlock),
                false => r.proposition().map(StateFormula::Proposition),
            }
        })
    }

    /// What stands in parentheses: two formulas, or a measure and a number.
    fn joined_formula(&mut self) -> Fallible<StateFormula> {
        let measures = ["probability", "reward", "share"];
        if measures.into_iter().any(|word| self.is_word(word)) {
            return self.comparison();
        }
        let left = Box::new(self.state_formula()?);
        let joins: [(&str, fn(_, _) -> _); 4] = [
            ("&&", StateFormula::And),
            ("||", StateFormula::Or),
            ("->", StateFormula::Implies),
            ("==", StateFormula::Iff),
        ];
        match joins.into_iter().find(|(symbol, _)| self.eat(symbol)) {
            Some((_, join)) => Ok(join(left, Box::new(self.state_formula()?))),
            None => self.expected("`&&`, `||`, `->` or `==`"),
        }
    }

    fn comparison(&mut self) -> Fallible<StateFormula> {
        let measure = Box::new(self.measure()?);
        let comparisons = [
            ("<=", Comparison::AtMost),
            (">=", Comparison::AtLeast),
            ("<", Comparison::Less),
            (">", Comparison::More),
        ];
        let found = comparisons.into_iter().find(|(symbol, _)| self.eat(symbol));
        let Some((_, comparison)) = found else {
            return self.expected("`<`, `<=`, `>=` or `>`");
        };
        let threshold = self.number()?;
        Ok(StateFormula::Compare {
            measure,
            comparison,
            threshold,
        })
    }

    fn path_formula(&mut self) -> Fallible<PathFormula> {
        self.nested(|r| {
            if r.eat_word("state") {
                return Ok(PathFormula::State(r.state_formula()?));
            }
            if r.eat_word("not") {
                return Ok(PathFormula::Not(Box::new(r.path_formula()?)));
            }
            if r.eat_word("next") {
                return Ok(PathFormula::Next(Box::new(r.path_formula()?)));
            }
            let joins: [(&str, fn(_, _) -> _); 2] =
                [("both", PathFormula::And), ("either", PathFormula::Or)];
            let join = joins.into_iter().find(|(word, _)| r.eat_word(word));
            if join.is_none() {
                r.expect_word("until")?;
            }
            r.expect("(")?;
            let left = Box::new(r.path_formula()?);
            r.expect(",")?;
            let right = Box::new(r.path_formula()?);
            let formula = match join {
                Some((_, join)) => join(left, right),
                None => PathFormula::Until {
                    left,
                    right,
                    within: r.interval()?,
                },
            };
            r.expect(")")?;
            Ok(formula)
        })
    }

    fn interval(&mut self) -> Fallible<Interval> {
        self.expect(",")?;
        let from = self.number()?;
        self.expect(",")?;
        let to = match self.eat_word("none") {
            true => None,
            false => Some(self.number()?),
        };
        Ok(Interval { from, to })
    }
}
