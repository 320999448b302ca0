//! New processes, what their variables hold at first, and the channels that they make.

use crate::attempt::{Attempt, Misfit, Path};
use crate::diagrams::{Bdd, Made, without};
use crate::number::Number;
use crate::tenants::{MOST_PROCESSES, Tenant};
use mandala_model::Model;
use mandala_model::expr::{Expr, ExprKind};
use mandala_model::ids::{ChannelKindId, TemplateId};
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::step::FaultKind;
use mandala_model::template::Template;
use mandala_model::types::{Initial, Scalar, Type, Variable};
use oxidd::BooleanFunction;

/// How many channels there may be at a time.
const MOST_CHANNELS: i64 = 255;

/// What a cell of a new process holds.
#[derive(Clone, Copy, Debug)]
enum First<'m> {
    /// What its maker says.
    Given,
    /// 0.
    Zero,
    /// What an expression says that the new process sees, as that type keeps it.
    Value(&'m Expr, Scalar),
    /// A new channel.
    Channel(ChannelKindId),
}

/// What the cells of a new process hold, in order.
fn firsts<'m>(model: &'m Model, template: &'m Template) -> Vec<First<'m>> {
    let (given, own) = template.locals.split_at(template.parameters as usize);
    let given = given.iter().map(|parameter| model.cells(&parameter.ty));
    let mut firsts = vec![First::Given; given.sum()];
    for variable in own {
        add_variable(model, variable, &mut firsts);
    }
    firsts
}

fn add_variable<'m>(model: &'m Model, variable: &'m Variable, firsts: &mut Vec<First<'m>>) {
    let scalars = model.scalars(&variable.ty);
    match &variable.initial {
        Initial::Default => add_default(model, &variable.ty, firsts),
        Initial::Fill(value) => {
            firsts.extend(
                scalars
                    .into_iter()
                    .map(|scalar| First::Value(value, scalar)),
            );
        }
        Initial::List(values) => {
            let scalars = scalars.into_iter().enumerate();
            let value = |index: usize| &values[index.min(values.len() - 1)];
            firsts.extend(scalars.map(|(index, scalar)| First::Value(value(index), scalar)));
        }
        Initial::NewChannel(kind) => {
            firsts.extend(scalars.into_iter().map(|_| First::Channel(*kind)));
        }
    }
}

fn add_default<'m>(model: &'m Model, ty: &'m Type, firsts: &mut Vec<First<'m>>) {
    match ty {
        Type::Scalar(_) => firsts.push(First::Zero),
        Type::Record(id) => {
            let fields = model.record(*id).fields.iter();
            fields.for_each(|field| add_variable(model, field, firsts));
        }
        Type::Array { element, length } => {
            (0..*length).for_each(|_| add_default(model, element, firsts));
        }
    }
}

/// What the cells of every new instance hold, where that is always the same.
pub(crate) fn constants(model: &Model, template: &Template) -> Vec<Option<Value>> {
    let firsts = firsts(model, template).into_iter();
    let constant = |first: First<'_>| match first {
        First::Zero => Some(0),
        First::Value(expr, scalar) => match expr.kind {
            ExprKind::Const(value) => scalar.store(value),
            _ => None,
        },
        First::Given | First::Channel(_) => None,
    };
    firsts.map(constant).collect()
}

/// The channels that an instance makes, in order.
pub(crate) fn channels(model: &Model, template: TemplateId) -> Vec<ChannelKindId> {
    let firsts = firsts(model, model.template(template)).into_iter();
    let kind = |first: First<'_>| match first {
        First::Channel(kind) => Some(kind),
        First::Given | First::Zero | First::Value(..) => None,
    };
    firsts.filter_map(kind).collect()
}

impl Attempt<'_> {
    /// Makes a process and says its number.
    pub fn spawn(
        &mut self,
        path: &mut Path,
        template: TemplateId,
        arguments: &[Expr],
        priority: u8,
        span: Span,
    ) -> Made<Number> {
        let d = self.d();
        let given = self.arguments(path, template, arguments)?;
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
            let tenant = Tenant::of(self.context.model, next, template, priority);
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
    fn arguments(
        &mut self,
        path: &Path,
        template: TemplateId,
        arguments: &[Expr],
    ) -> Made<Vec<Number>> {
        let model = self.context.model;
        let declaration = model.template(template);
        let parameters = &declaration.locals[..declaration.parameters as usize];
        let scalars = parameters.iter().flat_map(|p| model.scalars(&p.ty));
        let mut values = Vec::new();
        for (argument, scalar) in arguments.iter().zip(scalars) {
            let value = self.evaluate(path, &path.condition, argument)?;
            values.push(self.stored(&path.condition, scalar, &value, argument.span)?);
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
        for (index, first) in firsts(context.model, template).into_iter().enumerate() {
            let value = match first {
                First::Given => given.get(index).cloned().unwrap_or(self.constant(0)),
                First::Zero => self.constant(0),
                First::Value(expr, scalar) => {
                    let value = self.evaluate(path, here, expr)?;
                    self.stored(here, scalar, &value, expr.span)?
                }
                First::Channel(_) => {
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
