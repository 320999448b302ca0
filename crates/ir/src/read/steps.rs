//! Steps, routines and effects.

use super::Reader;
use mandala_model::expr::{Expr, Place};
use mandala_model::findings::Fallible;
use mandala_model::ids::{NodeId, TemplateId};
use mandala_model::loops::Loop;
use mandala_model::parameters::Values;
use mandala_model::source::Span;
use mandala_model::template::{
    Choice, Effect, Insertion, Keep, Node, Print, Routine, SendOrder, Step,
};

impl Reader<'_> {
    /// A step, and its text if there is no other one.
    pub(super) fn step(&mut self) -> Fallible<(Step, String)> {
        let start = self.here();
        if self.eat_word("routine") {
            let routine = self.routine()?;
            return Ok((Step::Routine(routine), "routine".into()));
        }
        let step = self.simple_step()?;
        let text = self.snippet(self.since(start));
        Ok((step, text))
    }

    fn simple_step(&mut self) -> Fallible<Step> {
        let start = self.here();
        let always = Expr::constant(1, start);
        match self.word() {
            Some("skip") => {
                self.advance();
                Ok(guarded(always, Vec::new()))
            }
            Some("do") => Ok(guarded(always, self.effects()?)),
            Some("when") => {
                self.advance();
                let guard = self.expression()?;
                match self.is_word("do") {
                    true => Ok(guarded(guard, self.effects()?)),
                    false => Ok(guarded(guard, Vec::new())),
                }
            }
            Some("else") => {
                self.advance();
                Ok(Step::Else)
            }
            Some("exit") => {
                self.advance();
                Ok(Step::Exit)
            }
            Some("call") => self.call_step(),
            Some("send") => self.send(),
            Some("receive") => self.receive(),
            _ => self.expected(
                "a step: `skip`, `when`, `do`, `else`, `exit`, `call`, `send`, `receive` or `routine`",
            ),
        }
    }

    fn send(&mut self) -> Fallible<Step> {
        self.advance();
        let channel = self.postfix()?;
        let order = match (self.eat("!!"), self.eat("!")) {
            (true, _) => SendOrder::Sorted,
            (false, true) => SendOrder::Last,
            (false, false) => return self.expected("`!` or `!!`"),
        };
        let message = self.list(Self::expression)?;
        Ok(Step::Send {
            channel,
            order,
            message,
        })
    }

    fn receive(&mut self) -> Fallible<Step> {
        self.advance();
        let channel = self.postfix()?;
        let order = self.receive_order()?;
        let (keep, patterns) = match self.eat("<") {
            true => (Keep::Stay, self.list_until(">", Self::pattern)?),
            false => (Keep::Remove, self.list(Self::pattern)?),
        };
        Ok(Step::Receive {
            channel,
            order,
            keep,
            patterns,
        })
    }

    fn routine(&mut self) -> Fallible<Routine> {
        self.expect("{")?;
        self.nodes()
    }

    /// The nodes of a routine, up to the brace behind them.
    pub(super) fn nodes(&mut self) -> Fallible<Routine> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut loops = Vec::new();
        while !self.eat("}") {
            let start = self.here();
            if self.eat_word("loop") {
                loops.push(self.each(start)?);
                continue;
            }
            let number = self.numbered("n", "a node")? as usize;
            if number + 1 != nodes.len() {
                self.in_order(number as u32, nodes.len(), start)?;
                nodes.push(self.node(start)?);
            }
            self.expect(":")?;
            let choice = self.choice()?;
            nodes[number].choices.push(choice);
        }
        Ok(Routine { nodes, loops })
    }

    /// A loop, behind its first word: `n3 for i counter position of 1..3`.
    fn each(&mut self, start: Span) -> Fallible<Loop> {
        let head = NodeId(self.numbered("n", "a node")?);
        let span = self.place_in_source()?;
        self.expect_word("for")?;
        let variable = self.local_variable()?;
        self.expect_word("counter")?;
        let position = self.local_variable()?;
        self.expect_word("of")?;
        Ok(Loop {
            head,
            variable,
            position,
            values: Values(self.list(Self::progression)?),
            span: span.unwrap_or(self.since(start)),
        })
    }

    /// What is said of a node at its first choice.
    fn node(&mut self, start: Span) -> Fallible<Node> {
        let span = self.span_or(start)?;
        let mut node = Node {
            choices: Vec::new(),
            quiet: false,
            number: 0,
            span,
        };
        loop {
            if self.eat_word("quiet") {
                node.quiet = true;
            } else if self.eat_word("number") {
                node.number = self.natural()?;
            } else {
                return Ok(node);
            }
        }
    }

    fn choice(&mut self) -> Fallible<Choice> {
        let start = self.here();
        let span = self.place_in_source()?;
        let text = match self.eat_word("text") {
            true => Some(self.string()?),
            false => None,
        };
        let own = self.here();
        let step = self.simple_step()?;
        let text = text.unwrap_or_else(|| self.snippet(self.since(own)));
        let span = span.unwrap_or(self.since(start));
        self.expect("->")?;
        let next = match self.eat_word("done") {
            true => None,
            false => Some(NodeId(self.numbered("n", "`done` or a node")?)),
        };
        Ok(Choice {
            step,
            next,
            text,
            span,
        })
    }

    /// `do` and the effects behind it.
    fn effects(&mut self) -> Fallible<Vec<Effect>> {
        self.advance();
        let mut effects = vec![self.effect()?];
        while self.eat(";") {
            effects.push(self.effect()?);
        }
        Ok(effects)
    }

    fn effect(&mut self) -> Fallible<Effect> {
        let is_place = ["=", ".", "["].iter().any(|s| self.is_symbol_ahead(1, s));
        let is_call = self.is_symbol_ahead(1, "(");
        match self.word() {
            Some("assert") if is_call => self.assertion(),
            Some("printf") if is_call => self.printf(),
            Some("printm") if is_call => self.printm(),
            Some("set_priority") if is_call => self.set_priority(),
            Some("run") if !is_place => {
                self.advance();
                self.spawn(None)
            }
            Some("fail") if !is_place => {
                self.advance();
                let message = self.string()?;
                Ok(Effect::Fail { message })
            }
            Some("abandon") if !is_place => {
                self.advance();
                Ok(Effect::Abandon)
            }
            Some("insert") if !is_place => self.insertion(),
            _ => self.assignment(),
        }
    }

    fn assignment(&mut self) -> Fallible<Effect> {
        if !self.is_name() {
            return self.expected("an effect");
        }
        let place = self.place()?;
        self.expect("=")?;
        if self.is_word("run") && self.is_name_ahead(1) {
            self.advance();
            return self.spawn(Some(place));
        }
        let value = self.expression()?;
        Ok(Effect::Assign { place, value })
    }

    fn assertion(&mut self) -> Fallible<Effect> {
        let condition = self.argument()?;
        self.expect(")")?;
        Ok(Effect::Assert { condition })
    }

    /// The first argument of something that looks like a call, from its name on.
    fn argument(&mut self) -> Fallible<Expr> {
        self.advance();
        self.advance();
        self.expression()
    }

    fn printm(&mut self) -> Fallible<Effect> {
        let text = Print::Name(self.argument()?);
        self.expect(")")?;
        Ok(Effect::Print { text })
    }

    fn printf(&mut self) -> Fallible<Effect> {
        self.advance();
        self.advance();
        let format = self.string()?;
        let arguments = match self.eat(",") {
            true => self.list(Self::expression)?,
            false => Vec::new(),
        };
        self.expect(")")?;
        let text = Print::Format { format, arguments };
        Ok(Effect::Print { text })
    }

    fn set_priority(&mut self) -> Fallible<Effect> {
        let process = self.argument()?;
        self.expect(",")?;
        let priority = self.expression()?;
        self.expect(")")?;
        Ok(Effect::SetPriority { process, priority })
    }

    fn spawn(&mut self, result: Option<Place>) -> Fallible<Effect> {
        let (template, arguments, priority) = self.creation()?;
        Ok(Effect::Spawn {
            template,
            arguments,
            priority,
            result,
        })
    }

    /// A new process: `user(0) priority 3`.
    pub(super) fn creation(&mut self) -> Fallible<(TemplateId, Vec<Expr>, u8)> {
        let template = self.template()?;
        self.expect("(")?;
        let arguments = self.list_until(")", Self::expression)?;
        let priority = match self.eat_word("priority") {
            true => self.natural()?,
            false => 1,
        };
        Ok((template, arguments, priority))
    }

    fn insertion(&mut self) -> Fallible<Effect> {
        self.advance();
        let span = self.here();
        let array = self.name("the name of an array")?;
        let array = self.global_named(&array, span)?;
        self.expect_word("at")?;
        let position = self.place()?;
        self.expect("=")?;
        let first_free = self.expression()?;
        let cells = self.cells()?;
        self.expect_word("if")?;
        let has_room = self.expression()?;
        self.expect_word("else")?;
        let message = self.string()?;
        Ok(Effect::Insert(Box::new(Insertion {
            array,
            has_room,
            message,
            position,
            first_free,
            cells,
        })))
    }

    /// The cells of a new element: `{ a = 1; b = 2 }`.
    fn cells(&mut self) -> Fallible<Vec<(Place, Expr)>> {
        self.expect("{")?;
        let mut cells = Vec::new();
        while !self.eat("}") {
            if !cells.is_empty() {
                self.expect(";")?;
            }
            let place = self.place()?;
            self.expect("=")?;
            cells.push((place, self.expression()?));
        }
        Ok(cells)
    }
}

fn guarded(guard: Expr, effects: Vec<Effect>) -> Step {
    Step::Guarded { guard, effects }
}
