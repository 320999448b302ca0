//! New processes, what variables hold at first, and new channels.

use crate::attempt::Attempt;
use crate::evaluate::fault;
use crate::frame::Home;
use crate::place::{cells_of, stored};
use crate::view::View;
use mandala_model::expr::Expr;
use mandala_model::ids::{ChannelKindId, TemplateId};
use mandala_model::source::Span;
use mandala_model::state::{ChannelState, ProcessState, Value};
use mandala_model::step::{Fault, FaultKind};
use mandala_model::types::{Initial, Type, Variable};

/// How many processes there may be at a time.
const MAX_PROCESSES: usize = 255;

/// How many channels there may be at a time.
const MAX_CHANNELS: usize = 255;

impl<'m> Attempt<'m> {
    /// Makes a process and says its number. The arguments are the actor's, and are evaluated before
    /// there is a new process; what its variables hold at first is the new process's own affair. That
    /// there is no room for it or its channels is reported at `span`, where it is made.
    pub(crate) fn spawn(
        &mut self,
        template: TemplateId,
        arguments: &[Expr],
        priority: u8,
        span: Span,
    ) -> Result<u32, Fault> {
        let arguments = self.arguments(template, arguments)?;
        let number = self.state.processes.len();
        let declaration = self.model.template(template);
        if number >= MAX_PROCESSES {
            return Err(fault(FaultKind::TooManyProcesses, span));
        }
        let process = self.newborn(template, priority);
        self.state.processes.push(process);
        let home = Home::Process(number as u32);
        cells_of(&mut self.state, home)[..arguments.len()].copy_from_slice(&arguments);
        let given = declaration.parameters as usize;
        match self.initialise(home, &declaration.locals, given) {
            Err(full) if full.kind == FaultKind::TooManyChannels => Err(fault(full.kind, span)),
            done => done.map(|()| number as u32),
        }
    }

    /// The values of arguments, one a cell of the parameters, as those keep them.
    fn arguments(&self, template: TemplateId, arguments: &[Expr]) -> Result<Vec<Value>, Fault> {
        let declaration = self.model.template(template);
        let parameters = &declaration.locals[..declaration.parameters as usize];
        let scalars = parameters.iter().flat_map(|p| self.model.scalars(&p.ty));
        let value = |(argument, scalar): (&Expr, _)| {
            stored(scalar, self.view().evaluate(argument)?, argument.span)
        };
        arguments.iter().zip(scalars).map(value).collect()
    }

    /// An instance of a template that nothing has happened to yet.
    pub(crate) fn newborn(&self, template: TemplateId, priority: u8) -> ProcessState {
        let declaration = self.model.template(template);
        let cells = self
            .model
            .cell_offset(&declaration.locals, declaration.locals.len());
        ProcessState {
            template,
            location: declaration.entry,
            priority,
            locals: vec![0; cells],
        }
    }

    /// Gives the variables after the first `given` what they hold at first, in order.
    pub(crate) fn initialise(
        &mut self,
        home: Home,
        variables: &'m [Variable],
        given: usize,
    ) -> Result<(), Fault> {
        let mut start = self.model.cell_offset(variables, given);
        for variable in &variables[given..] {
            let mut values = Vec::new();
            self.first_values(home, variable, &mut values)?;
            let cells = &mut cells_of(&mut self.state, home)[start..];
            cells[..values.len()].copy_from_slice(&values);
            start += values.len();
        }
        Ok(())
    }

    /// What the cells of a variable or of a record's field hold at first.
    fn first_values(
        &mut self,
        home: Home,
        variable: &'m Variable,
        values: &mut Vec<Value>,
    ) -> Result<(), Fault> {
        let ty = &variable.ty;
        let cells = self.model.cells(ty);
        match &variable.initial {
            Initial::Default => self.default_values(home, ty, values),
            Initial::Fill(value) => self.listed(home, &[value], ty, values),
            Initial::List(list) => self.listed(home, &Vec::from_iter(list), ty, values),
            Initial::NewChannel(kind) => (0..cells).try_for_each(|_| {
                values.push(self.new_channel(*kind, home, variable.span)?);
                Ok(())
            }),
        }
    }

    fn default_values(
        &mut self,
        home: Home,
        ty: &'m Type,
        values: &mut Vec<Value>,
    ) -> Result<(), Fault> {
        match ty {
            Type::Scalar(_) => {
                values.push(0);
                Ok(())
            }
            Type::Record(id) => {
                let fields = &self.model.record(*id).fields;
                let mut fields = fields.iter();
                fields.try_for_each(|field| self.first_values(home, field, values))
            }
            Type::Array { element, length } => {
                (0..*length).try_for_each(|_| self.default_values(home, element, values))
            }
        }
    }

    /// The values of a list in order, the last of them as often as there are cells left.
    fn listed(
        &self,
        home: Home,
        list: &[&Expr],
        ty: &Type,
        values: &mut Vec<Value>,
    ) -> Result<(), Fault> {
        let view = View::new(self.model, &self.state, viewer(home), false);
        for (index, scalar) in self.model.scalars(ty).into_iter().enumerate() {
            let expr = list[index.min(list.len() - 1)];
            values.push(stored(scalar, view.evaluate(expr)?, expr.span)?);
        }
        Ok(())
    }

    /// Makes a channel and says its number.
    fn new_channel(&mut self, kind: ChannelKindId, home: Home, span: Span) -> Result<Value, Fault> {
        if self.state.channels.len() >= MAX_CHANNELS {
            return Err(fault(FaultKind::TooManyChannels, span));
        }
        self.state.channels.push(ChannelState {
            kind,
            owner: viewer(home),
            messages: Vec::new(),
        });
        Ok(self.state.channels.len() as Value)
    }
}

/// The process whose variables those are.
fn viewer(home: Home) -> Option<u32> {
    match home {
        Home::Process(process) | Home::Priority(process) => Some(process),
        Home::Globals | Home::Claim | Home::Missing | Home::Frame(_) => None,
    }
}
