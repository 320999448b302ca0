//! New processes, what their variables hold at first, and the channels that they make.

use crate::attempt::{Attempt, Path};
use crate::diagrams::{Bdd, Made, without};
use crate::number::Number;
use crate::slots::{MOST_PROCESSES, ProcessSlot};
use crate::stop::Misfit;
use mandala_model::source::Span;
use mandala_model::step::FaultKind;
use mandala_resolved::{FirstValue, ResolvedExpr, ResolvedSpawn, Store};
use oxidd::BooleanFunction;

/// How many channels there may be at a time.
const MOST_CHANNELS: i64 = 255;

impl Attempt<'_> {
    /// Makes a process and says its number.
    pub(crate) fn spawn(&mut self, path: &mut Path, spawn: &ResolvedSpawn) -> Made<Number> {
        let d = self.d();
        let (template, priority, span) = (spawn.template, spawn.priority, spawn.span);
        let given = self.arguments(path, &spawn.arguments)?;
        self.go_on(path)?;
        let number = self.process_count(path);
        let too_many = number
            .less(d, &self.constant(MOST_PROCESSES.into()))?
            .not()?;
        self.fault(
            &path.condition,
            &too_many,
            FaultKind::TooManyProcesses,
            span,
        )?;
        self.go_on(path)?;
        let mut homeless = path.condition.clone();
        // One more than there are: that one is missing, too.
        for next in 0..=self.context.layout.numbers() {
            let here = homeless.and(&number.is(d, next.into())?)?;
            if !here.satisfiable() {
                continue;
            }
            homeless = without(&homeless, &here)?;
            let tenant = ProcessSlot::of(self.context.model, next, template, priority);
            match self.context.layout.place_of(tenant) {
                Some(place) => {
                    if let Some(cell) = self.context.layout.processes[place].priority {
                        self.put(path, &here, cell, &self.constant(priority.into()))?;
                    }
                    self.move_in(path, &here, place, &given, span)?;
                }
                None => self.misfit(&here, Misfit::Process(tenant))?,
            }
        }
        self.go_on(path)?;
        path.condition = without(&path.condition, &homeless)?;
        Ok(number)
    }

    /// The values of arguments, one a cell of the parameters, as those keep them.
    fn arguments(&mut self, path: &Path, arguments: &[(ResolvedExpr, Store)]) -> Made<Vec<Number>> {
        let mut values = Vec::new();
        for (argument, store) in arguments {
            let value = self.evaluate(path, &path.condition, argument)?;
            values.push(self.stored(&path.condition, *store, &value, argument.span)?);
        }
        Ok(values)
    }

    /// Gives a new process its place, and its variables what they hold at first, in order. That there is no room for its
    /// channels is reported where it is made.
    fn move_in(
        &mut self,
        path: &mut Path,
        here: &Bdd,
        place: usize,
        given: &[Number],
        span: Span,
    ) -> Made<()> {
        let context = self.context;
        let own = &context.layout.processes[place];
        let template = context.model.template(own.template());
        let (lodging, name) = own.lodging;
        self.put(
            path,
            here,
            own.location,
            &self.constant(template.entry.0.into()),
        )?;
        self.put(path, here, lodging, &self.constant(name))?;
        if let Some(alive) = context.layout.alive {
            let count = self.constant(i64::from(own.number()) + 1);
            self.put(path, here, alive, &count)?;
        }
        let (maker, timeout) = (self.actor, self.timeout);
        (self.actor, self.timeout) = (place, false);
        let mut made = self.channels_before(path, place)?;
        let cells = context.code.template(own.template()).cells.iter();
        for (index, first) in cells.enumerate() {
            let value = match &first.first {
                None => given.get(index).cloned().unwrap_or(self.constant(0)),
                Some(FirstValue::Zero) => self.constant(0),
                Some(FirstValue::Value(expr)) => {
                    let value = self.evaluate(path, here, expr)?;
                    self.stored(here, first.store, &value, expr.span)?
                }
                Some(FirstValue::NewChannel(_)) => {
                    let no_room = made.less(self.d(), &self.constant(MOST_CHANNELS))?.not()?;
                    self.fault(here, &no_room, FaultKind::TooManyChannels, span)?;
                    made = made.plus(self.d(), &self.constant(1))?;
                    made.clone()
                }
            };
            let cell = context.layout.local(place, index);
            if let Some(guess) = context.layout.fixed(cell) {
                let differs = without(here, &value.is(self.d(), guess)?)?;
                self.misfit(&differs, Misfit::First(place, index))?;
            }
            self.put(path, here, cell, &value)?;
        }
        (self.actor, self.timeout) = (maker, timeout);
        Ok(())
    }
}
