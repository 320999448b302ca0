//! The value of an expression in all states at once.
//!
//! `under` is where the value is wanted: what goes wrong elsewhere does not count, and elsewhere the value means nothing. That
//! is how `And`, `Or` and conditionals leave out what they do not look at.

use crate::attempt::{Attempt, Path};
use crate::diagrams::{Bdd, Made};
use crate::number::Number;
use mandala_model::arithmetic::{Calculation, Relation};
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::source::Span;
use mandala_model::step::FaultKind;
use mandala_model::template::Location;
use mandala_resolved::{Junction, ProcessQuestion, ResolvedExpr, ResolvedKind};
use oxidd::BooleanFunction;

impl Attempt<'_> {
    /// The value of an expression.
    pub(crate) fn evaluate(
        &mut self,
        path: &Path,
        under: &Bdd,
        expr: &ResolvedExpr,
    ) -> Made<Number> {
        match &expr.kind {
            ResolvedKind::Const(value) => Ok(self.constant(*value)),
            ResolvedKind::Read(place) => self.read(path, under, place),
            ResolvedKind::Defined(operand) => {
                let value = self.evaluate(path, under, operand)?;
                let undefined = value.is_zero(self.d())?;
                self.fault(under, &undefined, FaultKind::Undefined, expr.span)?;
                Ok(value)
            }
            ResolvedKind::Calculate(op, operands) => {
                let [left, right] = self.both(path, under, operands)?;
                self.calculation(under, *op, &left, &right, expr.span)
            }
            ResolvedKind::Compare(relation, operands) => {
                let [left, right] = self.both(path, under, operands)?;
                self.comparison(*relation, &left, &right)
            }
            ResolvedKind::Junction(junction) => self.junction(path, under, junction),
            ResolvedKind::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                let condition = self.holds(path, under, condition)?;
                let yes = self.evaluate(path, &under.and(&condition)?, yes)?;
                let no = self.evaluate(path, &condition.imp_strict(under)?, no)?;
                Number::choose(&condition, &yes, &no)
            }
            ResolvedKind::Quantified(quantified) => {
                self.quantified(path, under, quantified, expr.span)
            }
            ResolvedKind::Bound(binder) => Ok(self.constant(self.bound[binder.index()])),
            ResolvedKind::Channel(question, channel) => {
                self.channel_question(path, under, question, channel)
            }
            _ => self.about_processes(path, under, expr),
        }
    }

    /// Where a condition holds, as far as it is wanted.
    pub(crate) fn holds(
        &mut self,
        path: &Path,
        under: &Bdd,
        condition: &ResolvedExpr,
    ) -> Made<Bdd> {
        self.evaluate(path, under, condition)?.is_true(self.d())
    }

    fn both(
        &mut self,
        path: &Path,
        under: &Bdd,
        [left, right]: &[ResolvedExpr; 2],
    ) -> Made<[Number; 2]> {
        let left = self.evaluate(path, under, left)?;
        Ok([left, self.evaluate(path, under, right)?])
    }

    /// Each condition is asked where none before it decides.
    fn junction(&mut self, path: &Path, under: &Bdd, junction: &Junction) -> Made<Number> {
        let d = self.d();
        let decisive = junction.decisive;
        let mut open = under.clone();
        let mut truth = d.constant(!decisive).clone();
        for part in &junction.parts {
            let holds = self.holds(path, &open, part)?;
            (truth, open) = match decisive {
                true => (truth.or(&holds)?, holds.imp_strict(&open)?),
                false => (truth.and(&holds)?, open.and(&holds)?),
            };
            if !open.satisfiable() {
                truth = d.constant(decisive).clone();
                break;
            }
        }
        Ok(Number::truth(d, truth))
    }

    /// A result that is the same in all states.
    fn known(&mut self, under: &Bdd, result: Result<i64, FaultKind>, span: Span) -> Made<Number> {
        match result {
            Ok(value) => Ok(self.constant(value)),
            Err(kind) => {
                self.fault(under, under, kind, span)?;
                Ok(self.constant(0))
            }
        }
    }

    pub(crate) fn calculation(
        &mut self,
        under: &Bdd,
        op: Calculation,
        left: &Number,
        right: &Number,
        span: Span,
    ) -> Made<Number> {
        let d = self.d();
        if let (Some(a), Some(b)) = (left.as_constant(d), right.as_constant(d)) {
            return self.known(
                under,
                self.context.model.arithmetic.calculate(op, a, b),
                span,
            );
        }
        match op {
            Calculation::Add => self.in_range(under, left.plus(d, right)?, span),
            Calculation::Subtract => self.in_range(under, left.minus(d, right)?, span),
            Calculation::Multiply => self.in_range(under, left.times(d, right)?, span),
            Calculation::Divide | Calculation::Modulo => {
                self.division(under, op, left, right, span)
            }
            Calculation::BitAnd => left.bitwise(right, |a, b| Ok(a.and(b)?)),
            Calculation::BitOr => left.bitwise(right, |a, b| Ok(a.or(b)?)),
            Calculation::BitXor => left.bitwise(right, |a, b| Ok(a.xor(b)?)),
            Calculation::ShiftLeft | Calculation::ShiftRight => {
                self.shift(under, op, left, right, span)
            }
        }
    }

    /// Where a relation holds: less, equal, or one of both; or where the other relations do not.
    fn comparison(&self, relation: Relation, left: &Number, right: &Number) -> Made<Number> {
        const LESS: Relation = Relation(1);
        const GREATER: Relation = Relation(4);
        let d = self.d();
        if let (Some(a), Some(b)) = (left.as_constant(d), right.as_constant(d)) {
            return Ok(self.constant(relation.holds(a, b).into()));
        }
        let truth = match relation {
            LESS => left.less(d, right)?,
            GREATER => right.less(d, left)?,
            Relation::EQUAL => left.equals(d, right)?,
            other if other == LESS.negated() => left.less(d, right)?.not()?,
            other if other == GREATER.negated() => right.less(d, left)?.not()?,
            Relation::NOT_EQUAL => left.equals(d, right)?.not()?,
            Relation(other) => d.constant(other != 0).clone(),
        };
        Ok(Number::truth(d, truth))
    }

    fn division(
        &mut self,
        under: &Bdd,
        op: Calculation,
        left: &Number,
        right: &Number,
        span: Span,
    ) -> Made<Number> {
        let d = self.d();
        self.fault(under, &right.is_zero(d)?, FaultKind::DivisionByZero, span)?;
        let divided = left.divided(d, right)?;
        match op {
            Calculation::Divide => self.in_range(under, divided.quotient, span),
            _ => Ok(divided.remainder),
        }
    }

    /// A shift: one case for each distance.
    fn shift(
        &mut self,
        under: &Bdd,
        op: Calculation,
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
                Calculation::ShiftLeft => left.shifted_left(d, distance),
                _ => left.shifted_right(distance),
            };
            result = Number::choose(&here, &shifted, &result)?;
        }
        let by = by.as_constant(d).unwrap_or(-1);
        self.fault(under, &wrong, FaultKind::BadShift { by }, span)?;
        match op {
            Calculation::ShiftLeft => self.in_range(under, result, span),
            _ => Ok(result),
        }
    }

    fn number_width(&self) -> usize {
        self.context.model.arithmetic.bits() as usize
    }

    /// A result as the language has it: cut, or a fault if it is too large.
    fn in_range(&mut self, under: &Bdd, exact: Number, span: Span) -> Made<Number> {
        let (d, width) = (self.d(), self.number_width());
        if exact.width() <= width {
            return Ok(exact);
        }
        if !self.context.model.arithmetic.wraps() {
            self.fault(under, &exact.exceeds(d, width)?, FaultKind::Overflow, span)?;
        }
        Ok(exact.wrapped(d, width, true))
    }

    /// Questions about processes: who am I, how many are there, where are they.
    fn about_processes(&mut self, path: &Path, under: &Bdd, expr: &ResolvedExpr) -> Made<Number> {
        let d = self.d();
        match &expr.kind {
            ResolvedKind::SelfId => {
                let number = self.context.layout.processes[self.actor].number();
                Ok(self.constant(number.into()))
            }
            ResolvedKind::ProcessCount => Ok(self.process_count(path)),
            ResolvedKind::FirstInstance(template) => self.first_instance(path, *template),
            ResolvedKind::Timeout => {
                self.asked_timeout = true;
                Ok(self.constant(self.timeout.into()))
            }
            ResolvedKind::NonProgress => {
                let progresses = self.somebody(path, |location| location.progress)?;
                Ok(Number::truth(d, progresses.not()?))
            }
            ResolvedKind::Accepting => {
                let accepts = self.somebody(path, |location| location.accept)?;
                Ok(Number::truth(d, accepts))
            }
            ResolvedKind::Process(question, process) => {
                let number = self.evaluate(path, under, process)?;
                self.process_question(path, under, *question, &number, expr.span)
            }
            _ => unreachable!("`evaluate` keeps the other kinds to itself"),
        }
    }

    fn process_question(
        &mut self,
        path: &Path,
        under: &Bdd,
        question: ProcessQuestion,
        number: &Number,
        span: Span,
    ) -> Made<Number> {
        match question {
            ProcessQuestion::Enabled => {
                let enabled = self.ask_enabled(path, under, number, span)?;
                Ok(Number::truth(self.d(), enabled))
            }
            ProcessQuestion::LocationNumber => self.location_number(path, number),
            ProcessQuestion::Priority => self.priority_of(path, number),
            ProcessQuestion::At(template, location) => {
                let at = self.at_of(path, number, template, location)?;
                Ok(Number::truth(self.d(), at))
            }
        }
    }

    /// How many processes there are.
    pub(crate) fn process_count(&self, path: &Path) -> Number {
        match self.context.layout.alive {
            Some(alive) => self.cell(path, alive),
            None => self.constant(self.context.layout.numbers().into()),
        }
    }

    /// Where there is a process of that number, and it is this one.
    pub(crate) fn exists(&self, path: &Path, process: usize) -> Made<Bdd> {
        let own = &self.context.layout.processes[process];
        let number = self.constant(own.number().into());
        let exists = number.less(self.d(), &self.process_count(path))?;
        let (lodging, name) = own.lodging;
        Ok(exists.and(&self.cell(path, lodging).is(self.d(), name)?)?)
    }

    /// Where a number is that of a process.
    pub(crate) fn is_meant(&self, path: &Path, number: &Number, process: usize) -> Made<Bdd> {
        let own = self.context.layout.processes[process].number();
        let is_meant = number.is(self.d(), own.into())?;
        Ok(is_meant.and(&self.exists(path, process)?)?)
    }

    /// Where a process is at a location.
    pub(crate) fn is_at(&self, path: &Path, process: usize, location: LocationId) -> Made<Bdd> {
        let cell = self.context.layout.processes[process].location;
        let here = self.cell(path, cell).is(self.d(), location.0.into())?;
        Ok(here.and(&self.exists(path, process)?)?)
    }

    /// The processes of that template.
    pub(crate) fn instances(&self, template: TemplateId) -> Vec<usize> {
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
    pub(crate) fn somebody(&self, path: &Path, is_meant: impl Fn(&Location) -> bool) -> Made<Bdd> {
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
