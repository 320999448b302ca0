//! The value of an expression in all states at once.
//!
//! `under` is where the value is wanted: what goes wrong elsewhere does not count, and elsewhere the value means nothing. That
//! is how `And`, `Or` and conditionals leave out what they do not look at.

use crate::attempt::{Attempt, Path};
use crate::diagrams::{Bdd, Made};
use crate::number::Number;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::model::Arithmetic;
use mandala_model::source::Span;
use mandala_model::step::FaultKind;
use mandala_model::template::Location;
use oxidd::BooleanFunction;

impl Attempt<'_> {
    /// The value of an expression.
    pub fn evaluate(&mut self, path: &Path, under: &Bdd, expr: &Expr) -> Made<Number> {
        match &expr.kind {
            ExprKind::Const(value) => Ok(self.constant(*value)),
            ExprKind::Read(place) => self.read(path, under, place),
            ExprKind::Unary(op, operand) => {
                let value = self.evaluate(path, under, operand)?;
                self.unary(under, *op, value, expr.span)
            }
            ExprKind::Binary(op, left, right) => {
                let left = self.evaluate(path, under, left)?;
                self.binary(path, under, *op, left, right, expr.span)
            }
            ExprKind::Conditional(condition, yes, no) => {
                let condition = self.holds(path, under, condition)?;
                let yes = self.evaluate(path, &under.and(&condition)?, yes)?;
                let no = self.evaluate(path, &condition.imp_strict(under)?, no)?;
                Number::choose(&condition, &yes, &no)
            }
            ExprKind::Channel(query, channel) => self.channel_query(path, under, *query, channel),
            ExprKind::Poll {
                channel,
                order,
                patterns,
            } => self.poll(path, under, channel, *order, patterns),
            _ => self.about_processes(path, under, expr),
        }
    }

    /// Where a condition holds, as far as it is wanted.
    pub fn holds(&mut self, path: &Path, under: &Bdd, condition: &Expr) -> Made<Bdd> {
        self.evaluate(path, under, condition)?.is_true(self.d())
    }

    fn unary(&mut self, under: &Bdd, op: UnaryOp, value: Number, span: Span) -> Made<Number> {
        let d = self.d();
        match op {
            UnaryOp::Not => Ok(Number::truth(d, value.is_zero(d)?)),
            UnaryOp::Defined => {
                self.fault(under, &value.is_zero(d)?, FaultKind::Undefined, span)?;
                Ok(value)
            }
            UnaryOp::Negate => self.in_range(under, value.negated(d)?, span),
            UnaryOp::BitNot => self.in_range(under, value.flipped()?, span),
        }
    }

    fn binary(
        &mut self,
        path: &Path,
        under: &Bdd,
        op: BinaryOp,
        left: Number,
        right: &Expr,
        span: Span,
    ) -> Made<Number> {
        let d = self.d();
        let matters = match op {
            BinaryOp::And => left.is_true(d)?,
            BinaryOp::Or => left.is_zero(d)?,
            _ => {
                let right = self.evaluate(path, under, right)?;
                return self.operation(under, op, &left, &right, span);
            }
        };
        let under = under.and(&matters)?;
        let right = match under.satisfiable() {
            true => self.holds(path, &under, right)?,
            false => d.no.clone(),
        };
        let truth = match op {
            BinaryOp::And => matters.and(&right)?,
            _ => matters.imp(&right)?,
        };
        Ok(Number::truth(d, truth))
    }

    fn operation(
        &mut self,
        under: &Bdd,
        op: BinaryOp,
        left: &Number,
        right: &Number,
        span: Span,
    ) -> Made<Number> {
        let d = self.d();
        match op {
            BinaryOp::Add => self.in_range(under, left.plus(d, right)?, span),
            BinaryOp::Subtract => self.in_range(under, left.minus(d, right)?, span),
            BinaryOp::Multiply => self.in_range(under, left.times(d, right)?, span),
            BinaryOp::Divide | BinaryOp::Modulo => self.division(under, op, left, right, span),
            BinaryOp::BitAnd => left.bitwise(right, |a, b| Ok(a.and(b)?)),
            BinaryOp::BitOr => left.bitwise(right, |a, b| Ok(a.or(b)?)),
            BinaryOp::BitXor => left.bitwise(right, |a, b| Ok(a.xor(b)?)),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => self.shift(under, op, left, right, span),
            _ => Ok(Number::truth(d, self.comparison(op, left, right)?)),
        }
    }

    fn comparison(&self, op: BinaryOp, left: &Number, right: &Number) -> Made<Bdd> {
        let d = self.d();
        match op {
            BinaryOp::Equal => left.equals(d, right),
            BinaryOp::NotEqual => Ok(left.equals(d, right)?.not()?),
            BinaryOp::Less => left.less(d, right),
            BinaryOp::GreaterEqual => Ok(left.less(d, right)?.not()?),
            BinaryOp::Greater => right.less(d, left),
            BinaryOp::LessEqual => Ok(right.less(d, left)?.not()?),
            _ => unreachable!("`operation` and `binary` keep the others to themselves"),
        }
    }

    fn division(
        &mut self,
        under: &Bdd,
        op: BinaryOp,
        left: &Number,
        right: &Number,
        span: Span,
    ) -> Made<Number> {
        let d = self.d();
        self.fault(under, &right.is_zero(d)?, FaultKind::DivisionByZero, span)?;
        let divided = left.divided(d, right)?;
        match op {
            BinaryOp::Divide => self.in_range(under, divided.quotient, span),
            _ => Ok(divided.remainder),
        }
    }

    /// A shift: one case for each distance.
    fn shift(
        &mut self,
        under: &Bdd,
        op: BinaryOp,
        left: &Number,
        by: &Number,
        span: Span,
    ) -> Made<Number> {
        let d = self.d();
        let mut wrong = d.yes.clone();
        let mut result = self.constant(0);
        for distance in 0..self.number_width() {
            let here = by.is(d, distance as i64)?;
            wrong = here.imp_strict(&wrong)?;
            if !here.and(under)?.satisfiable() {
                continue;
            }
            let shifted = match op {
                BinaryOp::ShiftLeft => left.shifted_left(d, distance),
                _ => left.shifted_right(distance),
            };
            result = Number::choose(&here, &shifted, &result)?;
        }
        let by = by.as_constant(d).unwrap_or(-1);
        self.fault(under, &wrong, FaultKind::BadShift { by }, span)?;
        match op {
            BinaryOp::ShiftLeft => self.in_range(under, result, span),
            _ => Ok(result),
        }
    }

    fn number_width(&self) -> usize {
        match self.context.model.arithmetic {
            Arithmetic::Wrapping32 => 32,
            Arithmetic::Checked64 => 64,
        }
    }

    /// A result as the language has it: cut, or a fault if it is too large.
    fn in_range(&mut self, under: &Bdd, exact: Number, span: Span) -> Made<Number> {
        let (d, width) = (self.d(), self.number_width());
        if exact.width() <= width {
            return Ok(exact);
        }
        if self.context.model.arithmetic == Arithmetic::Checked64 {
            self.fault(under, &exact.exceeds(d, width)?, FaultKind::Overflow, span)?;
        }
        Ok(exact.wrapped(d, width, true))
    }

    /// Questions about processes: who am I, how many are there, where are they.
    fn about_processes(&mut self, path: &Path, under: &Bdd, expr: &Expr) -> Made<Number> {
        let d = self.d();
        match &expr.kind {
            ExprKind::SelfId => {
                let number = self.context.layout.processes[self.actor].number();
                Ok(self.constant(number.into()))
            }
            ExprKind::ProcessCount => Ok(self.process_count(path)),
            ExprKind::FirstInstance(template) => self.first_instance(path, *template),
            ExprKind::Timeout => {
                self.asked_timeout = true;
                Ok(self.constant(self.timeout.into()))
            }
            ExprKind::NonProgress => {
                let progresses = self.somebody(path, |location| location.progress)?;
                Ok(Number::truth(d, progresses.not()?))
            }
            ExprKind::Accepting => {
                let accepts = self.somebody(path, |location| location.accept)?;
                Ok(Number::truth(d, accepts))
            }
            ExprKind::LastMover => match self.context.layout.last_mover {
                Some(cell) => Ok(self.cell(path, cell)),
                None => Ok(self.constant(0)),
            },
            ExprKind::Enabled(process) => {
                let number = self.evaluate(path, under, process)?;
                let enabled = self.ask_enabled(path, under, &number, expr.span)?;
                Ok(Number::truth(d, enabled))
            }
            ExprKind::LocationNumber(process) => {
                let number = self.evaluate(path, under, process)?;
                self.location_number(path, &number)
            }
            ExprKind::At {
                template,
                process,
                location,
            } => {
                let number = self.evaluate(path, under, process)?;
                let at = self.at_of(path, &number, *template, *location)?;
                Ok(Number::truth(d, at))
            }
            ExprKind::Priority(process) => {
                let number = self.evaluate(path, under, process)?;
                self.priority_of(path, &number)
            }
            _ => unreachable!("`evaluate` keeps the other kinds to itself"),
        }
    }

    /// How many processes there are.
    pub fn process_count(&self, path: &Path) -> Number {
        match self.context.layout.alive {
            Some(alive) => self.cell(path, alive),
            None => self.constant(self.context.layout.numbers().into()),
        }
    }

    /// Where there is a process of that number, and it is this one.
    pub fn exists(&self, path: &Path, process: usize) -> Made<Bdd> {
        let own = &self.context.layout.processes[process];
        let number = self.constant(own.number().into());
        let exists = number.less(self.d(), &self.process_count(path))?;
        let (lodging, name) = own.lodging;
        Ok(exists.and(&self.cell(path, lodging).is(self.d(), name)?)?)
    }

    /// Where a number is that of a process.
    pub fn is_meant(&self, path: &Path, number: &Number, process: usize) -> Made<Bdd> {
        let own = self.context.layout.processes[process].number();
        let is_meant = number.is(self.d(), own.into())?;
        Ok(is_meant.and(&self.exists(path, process)?)?)
    }

    /// Where a process is at a location.
    pub fn is_at(&self, path: &Path, process: usize, location: LocationId) -> Made<Bdd> {
        let cell = self.context.layout.processes[process].location;
        let here = self.cell(path, cell).is(self.d(), location.0.into())?;
        Ok(here.and(&self.exists(path, process)?)?)
    }

    /// The processes of that template.
    pub fn instances(&self, template: TemplateId) -> Vec<usize> {
        let processes = self.context.layout.processes.iter().enumerate();
        let instances = processes.filter(|(_, own)| own.template() == template);
        instances.map(|(process, _)| process).collect()
    }

    fn first_instance(&self, path: &Path, template: TemplateId) -> Made<Number> {
        let processes = &self.context.layout.processes;
        let mut instances = self.instances(template);
        instances.sort_by_key(|&process| processes[process].number());
        let mut first = self.constant(-1);
        for process in instances.into_iter().rev() {
            let number = self.constant(processes[process].number().into());
            first = Number::choose(&self.exists(path, process)?, &number, &first)?;
        }
        Ok(first)
    }

    fn at_of(
        &self,
        path: &Path,
        number: &Number,
        template: TemplateId,
        location: LocationId,
    ) -> Made<Bdd> {
        let mut at = self.d().no.clone();
        for process in self.instances(template) {
            let own = self.context.layout.processes[process].number();
            let is_meant = number.is(self.d(), own.into())?;
            at = at.or(&is_meant.and(&self.is_at(path, process, location)?)?)?;
        }
        Ok(at)
    }

    /// Where some process is at a location of that kind.
    pub fn somebody(&self, path: &Path, is_meant: impl Fn(&Location) -> bool) -> Made<Bdd> {
        let mut found = self.d().no.clone();
        for (process, own) in self.context.layout.processes.iter().enumerate() {
            let locations = &self.context.model.template(own.template()).locations;
            for (index, location) in locations.iter().enumerate() {
                if is_meant(location) {
                    found = found.or(&self.is_at(path, process, index.into())?)?;
                }
            }
        }
        Ok(found)
    }

    fn location_number(&self, path: &Path, number: &Number) -> Made<Number> {
        let mut result = self.constant(0);
        for (process, own) in self.context.layout.processes.iter().enumerate() {
            let is_meant = number.is(self.d(), own.number().into())?;
            let locations = &self.context.model.template(own.template()).locations;
            for (index, location) in locations.iter().enumerate() {
                let here = is_meant.and(&self.is_at(path, process, index.into())?)?;
                result = Number::choose(&here, &self.constant(location.number.into()), &result)?;
            }
        }
        Ok(result)
    }
}
