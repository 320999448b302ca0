//! The layout of a state: which cells a variable takes, how many bits each of them is
//! worth, which channels come with a process.
//!
//! The cells of a working state are, in order: the *fixed part* (globals, the last mover, the claim,
//! the location of the observer of messages, the scratch variables of monitors), the channels of the globals, and then for each process its
//! frame (location, priority, locals) followed by the channels that came with it. Processes die in
//! the opposite order of their birth, so this is a stack, like the state vector of Spin.

use mandala_model::ids::{ChannelKindId, TemplateId};
use mandala_model::step::Observers;
use mandala_model::template::Template;
use mandala_model::types::{ChannelKind, Scalar, Storage, Variable};
use mandala_model::{Model, UncheckedModel};
use mandala_resolved::{FirstValue, Resolver, Store};

/// What a packed state keeps of a cell: `width` bits that count from `min`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellType {
    pub width: u8,
    pub min: i64,
    /// Whether it goes back to what it held before after every step.
    pub scratch: bool,
}

impl CellType {
    /// A cell that keeps what a step puts into it.
    fn kept(width: u8, min: i64) -> Self {
        CellType {
            width,
            min,
            scratch: false,
        }
    }

    /// A number from 0 to `values - 1`.
    pub fn count(values: usize) -> Self {
        CellType::kept(width_for(values as u64), 0)
    }

    /// The type of a byte.
    pub const BYTE: CellType = CellType {
        width: 8,
        min: 0,
        scratch: false,
    };

    fn of(model: &UncheckedModel, scalar: Scalar) -> Self {
        let (width, signed) = scalar.width(|domain| model.domain_size(domain));
        match scalar {
            Scalar::Range { min, max } => CellType::kept(width_for((max - min) as u64 + 1), min),
            Scalar::Coded { max, .. } => CellType::kept(width_for(max as u64 + 1), 0),
            // -1 stands for undefined.
            Scalar::Id(domain) => {
                let names = u64::from(model.domain_size(domain));
                CellType::kept(width_for(names + 1), -1)
            }
            _ if signed => CellType::kept(width, -1 << (width - 1)),
            _ => CellType::kept(width, 0),
        }
    }

    /// The type of a cell that holds something only during a step. If what it holds between steps
    /// is the same in every run, that takes no bits at all.
    fn scratch(self, between: Option<i64>) -> Self {
        CellType {
            width: if between.is_some() { 0 } else { self.width },
            min: between.unwrap_or(self.min),
            scratch: true,
        }
    }
}

/// The least number of bits that tells `values` values apart; none for a single value.
fn width_for(values: u64) -> u8 {
    (64 - values.saturating_sub(1).leading_zeros()) as u8
}

/// What a cell holds at first; nothing if an argument says so.
pub(crate) type CellInitial = Option<FirstValue>;

/// The first value of a cell, if it is the same in every run.
fn constant(initial: &CellInitial, store: Store) -> Option<i64> {
    match initial {
        Some(FirstValue::Zero) => Some(0),
        Some(FirstValue::Value(value)) => store.kept(value.as_constant()?),
        Some(FirstValue::NewChannel(_)) | None => None,
    }
}

/// The variables of the model or of a template.
#[derive(Clone, Debug)]
pub(crate) struct Variables {
    /// The first cell of each variable, counted from the start of the frame.
    pub offsets: Vec<u32>,
    /// The first cell of all.
    pub start: u32,
    /// One a cell.
    pub cells: Vec<CellType>,
    /// What each cell in `cells` holds at first, and what it keeps of that.
    pub initial: Vec<(CellInitial, Store)>,
    /// The channels that come with the variables, in the order in which they are made.
    pub channels: Vec<ChannelKindId>,
}

impl Variables {
    /// Lays out `variables`, the first of which are parameters, from the cell `start` on.
    fn new(
        resolver: Resolver<'_>,
        variables: &[Variable],
        parameters: usize,
        start: usize,
    ) -> Self {
        let mut layout = Variables {
            offsets: Vec::new(),
            start: start as u32,
            cells: Vec::new(),
            initial: Vec::new(),
            channels: Vec::new(),
        };
        for (index, variable) in variables.iter().enumerate() {
            let model = resolver.model();
            let initial = match index < parameters {
                // The choice of whoever makes the process.
                true => vec![None; model.cells(&variable.ty)],
                false => {
                    let values = resolver.first_values(variable).into_iter();
                    values.map(Some).collect()
                }
            };
            layout.add_cells(model, variable, initial);
        }
        layout
    }

    fn add_cells(
        &mut self,
        model: &UncheckedModel,
        variable: &Variable,
        initial: Vec<CellInitial>,
    ) {
        self.offsets.push(self.start + self.cells.len() as u32);
        for (initial, scalar) in initial.into_iter().zip(model.scalars(&variable.ty)) {
            if let Some(FirstValue::NewChannel(kind)) = initial {
                self.channels.push(kind);
            }
            let (cell, store) = (CellType::of(model, scalar), Store::of(model, scalar));
            self.cells.push(match variable.storage {
                Storage::State => cell,
                Storage::Scratch => cell.scratch(constant(&initial, store)),
            });
            self.initial.push((initial, store));
        }
    }
}

/// Where the parts of the frame of a process are, counted from its start.
#[derive(Clone, Debug)]
pub(crate) struct TemplateLayout {
    /// The cell of the priority, if processes have one.
    pub priority: Option<u32>,
    /// The locals.
    pub variables: Variables,
    /// All cells of the frame. The first is the location.
    pub cells: Vec<CellType>,
}

impl TemplateLayout {
    fn new(resolver: Resolver<'_>, template: &Template, prioritised: bool) -> Self {
        let mut cells = vec![CellType::count(template.locations.len())];
        let priority = prioritised.then_some(1);
        if prioritised {
            cells.push(CellType::BYTE);
        }
        let variables = Variables::new(
            resolver,
            &template.locals,
            template.parameters as usize,
            cells.len(),
        );
        cells.extend_from_slice(&variables.cells);
        TemplateLayout {
            priority,
            variables,
            cells,
        }
    }
}

/// What all channels of one kind have in common.
#[derive(Clone, Debug)]
pub(crate) struct KindLayout {
    /// How many messages fit in; 0 for a rendezvous.
    pub capacity: u32,
    /// The types of the fields of a message.
    pub fields: Vec<Scalar>,
    /// All cells: the number of messages, then the messages, the oldest first. Room that is
    /// not in use holds zeroes.
    pub cells: Vec<CellType>,
}

impl KindLayout {
    fn new(model: &UncheckedModel, kind: &ChannelKind) -> Self {
        let message: Vec<_> = kind
            .fields
            .iter()
            .map(|field| CellType::of(model, *field))
            .collect();
        let mut cells = vec![CellType::count(kind.capacity as usize + 1)];
        for _ in 0..kind.capacity {
            cells.extend_from_slice(&message);
        }
        KindLayout {
            capacity: kind.capacity,
            fields: kind.fields.clone(),
            cells,
        }
    }

    /// How many fields a message has.
    pub fn arity(&self) -> usize {
        self.fields.len()
    }
}

/// The claim that runs along, or the monitors.
#[derive(Clone, Debug)]
pub(crate) struct ObserverLayout {
    pub template: TemplateId,
    /// The cell of its location; its locals follow.
    pub base: u32,
}

/// Where everything lies that does not depend on which processes there are.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The globals.
    pub globals: Variables,
    /// The cell of the last mover.
    pub last_mover: Option<u32>,
    /// The claim.
    pub claim: Option<ObserverLayout>,
    /// The cell of the location of the observer of messages.
    pub events: Option<u32>,
    /// The monitors.
    pub monitors: Option<ObserverLayout>,
    /// The cells of the fixed part.
    pub fixed: Vec<CellType>,
    /// Whether some variable holds something only during a step.
    pub has_scratch: bool,
    /// One for each template, behind them one for each automaton, and then one for the monitors.
    pub templates: Vec<TemplateLayout>,
    /// One a kind of channel.
    pub kinds: Vec<KindLayout>,
}

impl Layout {
    /// Lays out the states of a model with its observers.
    pub fn new(model: &Model, observers: Observers) -> Self {
        let globals = Variables::new(Resolver::outside(model), &model.globals, 0, 0);
        let templates = model.runnables();
        let templates = templates.map(|(id, template)| {
            let resolver = Resolver::in_template(model, id);
            TemplateLayout::new(resolver, template, model.prioritised)
        });
        let templates: Vec<_> = templates.collect();
        let mut layout = Layout {
            fixed: globals.cells.clone(),
            globals,
            last_mover: None,
            claim: None,
            events: None,
            monitors: None,
            has_scratch: has_scratch(model),
            templates,
            kinds: model
                .channel_kinds
                .iter()
                .map(|kind| KindLayout::new(model, kind))
                .collect(),
        };
        layout.add_observers(model, observers);
        layout
    }

    fn add_observers(&mut self, model: &Model, observers: Observers) {
        if model.tracks_last_mover {
            self.last_mover = Some(self.push_fixed(&[CellType::BYTE]));
        }
        if let Some(template) = observers.claim.map(|claim| model.runnable(claim)) {
            self.claim = Some(self.push_observer(template));
        }
        if let Some(template) = observers.events {
            // One value more: the observation is over.
            let locations = model.template(template).locations.len();
            self.events = Some(self.push_fixed(&[CellType::count(locations + 1)]));
        }
        let monitors = model.monitor_template();
        self.monitors = monitors.map(|template| self.push_observer(template));
    }

    fn push_observer(&mut self, template: TemplateId) -> ObserverLayout {
        let cells = self.templates[template.index()].cells.clone();
        let base = self.push_fixed(&cells);
        ObserverLayout { template, base }
    }

    fn push_fixed(&mut self, cells: &[CellType]) -> u32 {
        let at = self.fixed.len() as u32;
        self.fixed.extend_from_slice(cells);
        at
    }
}

fn has_scratch(model: &Model) -> bool {
    let locals = model.runnables().flat_map(|(_, t)| &t.locals);
    let mut variables = model.globals.iter().chain(locals);
    variables.any(|variable| variable.storage == Storage::Scratch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_needs_no_bits() {
        let widths: Vec<_> = [1, 2, 3, 4, 5, 256, 257].map(width_for).to_vec();
        assert_eq!(widths, [0, 1, 2, 2, 3, 8, 9]);
    }
}
