//! The cells that one process alone will ever read: its *slots*.
//!
//! Only such cells can be dead, because of only these it can be told from the automaton of one process who reads them next.
//! There are three kinds, all known from the text of the model without any number of a process:
//!
//! - local variables that no other process and no observer refers to (`P:x`);
//! - global variables that only one template mentions, of which there is exactly one process for ever;
//! - elements `a[_pid]` of a global array that nobody reads at any other index. Others may write to them.
//!
//! Variables that no step assigns to are left out: there is nothing to be gained from them, and that they never change is worth
//! knowing to others. So are channels that come with a variable, which refers to them for ever, variables that are no
//! part of the state, and very large ones.

use crate::visits::{Access, birth_reads, reads, spawned, template_accesses};
use mandala_model::Model;
use mandala_model::expr::{Expr, ExprKind, Place, Projection, Root};
use mandala_model::ids::{GlobalId, LocalId, TemplateId};
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::step::Observers;
use mandala_model::template::{Role, Template};
use mandala_model::types::{Initial, Scalar, Storage, Type, Variable};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// How many cells a variable may have. Each may have to be reset by itself, on every step that leads somewhere.
const MOST_CELLS: usize = 32;

/// A cell that may get a fixed value where nobody will read it any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadCell {
    /// Whose it is.
    pub template: TemplateId,
    /// The cell, as a process of the template names it.
    pub place: Place,
    /// Its type.
    pub scalar: Scalar,
    /// What it holds at first, if that is known and the same for all.
    pub initial: Option<Value>,
}

impl DeadCell {
    /// The variable that it is in, as a person names it.
    pub(crate) fn name(&self, model: &Model) -> String {
        match self.place.root {
            Root::Global(id) => model.global(id).name.clone(),
            Root::Local(id) => {
                let template = model.template(self.template);
                format!("{}:{}", template.name, template.locals[id.index()].name)
            }
            Root::Remote { .. } | Root::OwnPriority | Root::Reference(_) => String::new(),
        }
    }
}

/// Where slots are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Home {
    /// A local variable.
    Local(LocalId),
    /// A global variable that one process alone uses.
    Global(GlobalId),
    /// The element of a global array that has the number of the process.
    Element(GlobalId),
}

/// The slots of a template.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    /// All slots.
    pub cells: Vec<DeadCell>,
    /// Where the slots of each home start.
    firsts: BTreeMap<Home, usize>,
    /// Elements that others may write to at any time.
    shared: BTreeSet<GlobalId>,
}

/// The slots that a place may be, as far as it is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Touched {
    pub slots: Range<usize>,
    /// Whether it is exactly one cell, the same in every state.
    pub definite: bool,
}

/// Who uses which variables.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    /// Locals that somebody refers to from outside.
    remote: BTreeSet<(TemplateId, LocalId)>,
    /// The running templates that mention a global; none stands for what is asked of states, by monitors too.
    users: BTreeMap<GlobalId, BTreeSet<Option<TemplateId>>>,
    /// Globals that are read when a process is made.
    births: BTreeSet<GlobalId>,
    /// Globals that are read as a whole, or at an index other than the number of the process.
    read_elsewhere: BTreeSet<GlobalId>,
    /// Globals that are written in the same way.
    written_elsewhere: BTreeSet<GlobalId>,
    /// The templates of which processes are made after the start.
    spawned: BTreeSet<TemplateId>,
    /// The templates of which there is exactly one process for ever.
    single: BTreeSet<TemplateId>,
}

impl Uses {
    /// Looks through everything that runs.
    pub(crate) fn of(model: &Model, observers: Observers) -> Self {
        let spawned = spawned(model);
        let mut uses = Uses {
            single: started_once(model).difference(&spawned).copied().collect(),
            spawned,
            ..Uses::default()
        };
        let claim = observers.claim.map(|claim| model.runnable(claim));
        let running = [claim, observers.events];
        for (id, template) in model.runnables() {
            if template.role == Role::Process || running.contains(&Some(id)) {
                let by = Some(id);
                template_accesses(template, &mut |access, place| uses.note(by, access, place));
                birth_reads(template, &mut |place| {
                    uses.note(by, Access::Read, place);
                    uses.note_birth(place);
                });
            }
            if template.role == Role::Monitors {
                template_accesses(template, &mut |access, place| {
                    uses.note(None, access, place)
                });
            }
        }
        let asked = observers.asked.map(|id| &model.properties[id.index()]);
        for id in asked.into_iter().flat_map(|p| p.kind.conditions()) {
            let condition = &model.condition(id).condition;
            reads(condition, &mut |place| uses.note(None, Access::Read, place));
        }
        uses
    }

    fn note(&mut self, by: Option<TemplateId>, access: Access, place: &Place) {
        match &place.root {
            Root::Global(id) => {
                self.users.entry(*id).or_default().insert(by);
                if !is_own_element(place) {
                    match access {
                        Access::Read => self.read_elsewhere.insert(*id),
                        Access::Write => self.written_elsewhere.insert(*id),
                    };
                }
            }
            Root::Remote {
                template, local, ..
            } => {
                self.remote.insert((*template, *local));
            }
            Root::Local(_) | Root::OwnPriority | Root::Reference(_) => {}
        }
    }

    fn note_birth(&mut self, place: &Place) {
        if let Root::Global(id) = &place.root {
            self.births.insert(*id);
        }
    }

    /// Whether only one process ever mentions the global: the only one of that template.
    pub(crate) fn is_private(&self, template: TemplateId, global: GlobalId) -> bool {
        let users = self.users.get(&global);
        let alone = users.is_some_and(|users| users.iter().eq([&Some(template)]));
        alone && self.single.contains(&template) && !self.births.contains(&global)
    }

    /// Whether nobody but the process itself reads the local variable.
    pub(crate) fn is_unshared(&self, template: TemplateId, local: LocalId) -> bool {
        !self.remote.contains(&(template, local))
    }

    /// Whether the global is an array that is read only at the number of whoever reads, and at least by processes of
    /// the template, whose numbers are all inside of it.
    fn has_own_elements(&self, model: &Model, template: TemplateId, global: GlobalId) -> bool {
        let Type::Array { length, .. } = &model.global(global).ty else {
            return false;
        };
        let users = self.users.get(&global);
        let lasting = |user: &Option<TemplateId>| {
            user.is_some_and(|id| {
                !self.spawned.contains(&id) && model.template(id).role == Role::Process
            })
        };
        let starts = (0u32..).zip(&model.start);
        let mut own = starts.filter(|(_, start)| start.template == template);
        users.is_some_and(|users| users.contains(&Some(template)) && users.iter().all(lasting))
            && own.all(|(number, _)| number < *length)
            && !self.read_elsewhere.contains(&global)
            && !self.births.contains(&global)
    }
}

/// The templates of which there is exactly one process at the start.
fn started_once(model: &Model) -> BTreeSet<TemplateId> {
    let mut counts: BTreeMap<TemplateId, usize> = BTreeMap::new();
    for start in &model.start {
        *counts.entry(start.template).or_default() += 1;
    }
    let once = counts.into_iter().filter(|(_, count)| *count == 1);
    once.map(|(template, _)| template).collect()
}

/// Whether the place is in the element that has the number of the process.
fn is_own_element(place: &Place) -> bool {
    let first = place.path.first();
    matches!(first, Some(Projection::Index(index)) if index.kind == ExprKind::SelfId)
}

impl Slots {
    /// The slots of a template.
    pub(crate) fn of(model: &Model, uses: &Uses, id: TemplateId) -> Self {
        let mut slots = Slots::default();
        let template = model.template(id);
        for home in homes(model, uses, id) {
            slots.add(model, id, template, home);
            if let Home::Element(global) = home
                && uses.written_elsewhere.contains(&global)
            {
                slots.shared.insert(global);
            }
        }
        slots
    }

    fn add(&mut self, model: &Model, id: TemplateId, template: &Template, home: Home) {
        let variable = variable(model, template, home);
        let (root, ty) = match (home, &variable.ty) {
            (Home::Local(local), ty) => (Root::Local(local), ty),
            (Home::Global(global), ty) => (Root::Global(global), ty),
            (Home::Element(global), Type::Array { element, .. }) => {
                (Root::Global(global), &**element)
            }
            (Home::Element(_), _) => return,
        };
        let mut place = Place::variable(root, variable.span);
        if let Home::Element(_) = home {
            place.path.push(own_index(variable.span));
        }
        let firsts = first_values(model, template, home, model.cells(ty));
        let mut cells = Vec::new();
        push_places(model, ty, place, &mut cells);
        self.firsts.insert(home, self.cells.len());
        let cells = cells.into_iter().zip(firsts);
        self.cells
            .extend(cells.map(|((place, scalar), initial)| DeadCell {
                template: id,
                place,
                scalar,
                initial,
            }));
    }

    /// The slots that a place may be; nothing if it is none.
    pub(crate) fn touched(
        &self,
        model: &Model,
        template: &Template,
        place: &Place,
    ) -> Option<Touched> {
        let (home, path) = self.home(place)?;
        let first = *self.firsts.get(&home)?;
        let variable = variable(model, template, home);
        let mut ty = match (home, &variable.ty) {
            (Home::Element(_), Type::Array { element, .. }) => &**element,
            (_, ty) => ty,
        };
        let mut start = first;
        for projection in path {
            let Some((part, offset)) = part(model, ty, projection) else {
                let slots = start..start + model.cells(ty);
                return Some(Touched {
                    slots,
                    definite: false,
                });
            };
            (ty, start) = (part, start + offset);
        }
        Some(Touched {
            slots: start..start + model.cells(ty),
            definite: matches!(ty, Type::Scalar(_)),
        })
    }

    fn home<'p>(&self, place: &'p Place) -> Option<(Home, &'p [Projection])> {
        match &place.root {
            Root::Local(id) => Some((Home::Local(*id), &place.path)),
            Root::Global(id) if self.firsts.contains_key(&Home::Global(*id)) => {
                Some((Home::Global(*id), &place.path))
            }
            Root::Global(id) if is_own_element(place) => {
                Some((Home::Element(*id), &place.path[1..]))
            }
            Root::Global(_) | Root::Remote { .. } | Root::OwnPriority | Root::Reference(_) => None,
        }
    }

    /// The slots that somebody else may write to at any time.
    pub(crate) fn shared(&self) -> impl Iterator<Item = usize> {
        let cells = self.cells.iter().enumerate();
        cells
            .filter(|(_, cell)| match cell.place.root {
                Root::Global(id) => self.shared.contains(&id),
                _ => false,
            })
            .map(|(slot, _)| slot)
    }
}

fn own_index(span: Span) -> Projection {
    Projection::Index(Expr::new(ExprKind::SelfId, span))
}

/// What a template has slots in.
fn homes(model: &Model, uses: &Uses, id: TemplateId) -> BTreeSet<Home> {
    let template = model.template(id);
    let mut homes = BTreeSet::new();
    template_accesses(template, &mut |access, place| {
        let home = match &place.root {
            Root::Local(local) if uses.is_unshared(id, *local) => Home::Local(*local),
            Root::Global(global) if uses.is_private(id, *global) => Home::Global(*global),
            Root::Global(global)
                if is_own_element(place) && uses.has_own_elements(model, id, *global) =>
            {
                Home::Element(*global)
            }
            _ => return,
        };
        if access == Access::Write && is_suitable(model, variable(model, template, home)) {
            homes.insert(home);
        }
    });
    homes
}

fn is_suitable(model: &Model, variable: &Variable) -> bool {
    let small = model.cells(&variable.ty) <= MOST_CELLS;
    small && variable.storage == Storage::State && !makes_channels(model, variable)
}

/// Whether channels come with the variable or a part of it.
pub(crate) fn makes_channels(model: &Model, variable: &Variable) -> bool {
    let mut ty = &variable.ty;
    while let Type::Array { element, .. } = ty {
        ty = element;
    }
    match (&variable.initial, ty) {
        (Initial::NewChannel(_), _) => true,
        (_, Type::Record(id)) => {
            let fields = &model.record(*id).fields;
            fields.iter().any(|field| makes_channels(model, field))
        }
        _ => false,
    }
}

/// How many channels come with the variable.
pub(crate) fn made_channels(model: &Model, variable: &Variable) -> u64 {
    let mut ty = &variable.ty;
    let mut elements = 1u64;
    while let Type::Array { element, length } = ty {
        elements = elements.saturating_mul(u64::from(*length));
        ty = element;
    }
    let each = match (&variable.initial, ty) {
        (Initial::NewChannel(_), _) => 1,
        (_, Type::Record(id)) => {
            let fields = &model.record(*id).fields;
            fields.iter().map(|field| made_channels(model, field)).sum()
        }
        _ => 0,
    };
    elements.saturating_mul(each)
}

fn variable<'m>(model: &'m Model, template: &'m Template, home: Home) -> &'m Variable {
    match home {
        Home::Local(local) => &template.locals[local.index()],
        Home::Global(global) | Home::Element(global) => model.global(global),
    }
}

/// The type and the offset of a part, if it is the same in every state.
fn part<'m>(model: &'m Model, ty: &'m Type, projection: &Projection) -> Option<(&'m Type, usize)> {
    match (ty, projection) {
        (Type::Record(id), Projection::Field(field)) => {
            let fields = &model.record(*id).fields;
            let offset = model.cell_offset(fields, *field as usize);
            Some((&fields[*field as usize].ty, offset))
        }
        (Type::Array { element, length }, Projection::Index(index)) => {
            let index = u32::try_from(index.as_constant()?).ok()?;
            let offset = model.cells(element) * index as usize;
            (index < *length).then_some((&**element, offset))
        }
        _ => None,
    }
}

/// The places of all cells of a type, with their own types.
fn push_places(model: &Model, ty: &Type, place: Place, found: &mut Vec<(Place, Scalar)>) {
    let with = |projection: Projection| {
        let mut inner = place.clone();
        inner.path.push(projection);
        inner
    };
    match ty {
        Type::Scalar(scalar) => found.push((place, *scalar)),
        Type::Record(id) => {
            for (field, variable) in (0..).zip(&model.record(*id).fields) {
                push_places(model, &variable.ty, with(Projection::Field(field)), found);
            }
        }
        Type::Array { element, length } => {
            for index in 0..*length {
                let index = Expr::constant(i64::from(index), place.span);
                push_places(model, element, with(Projection::Index(index)), found);
            }
        }
    }
}

/// What the cells hold at first. Only what is the same in all cells of the variable and for all processes is told.
fn first_values(
    model: &Model,
    template: &Template,
    home: Home,
    count: usize,
) -> Vec<Option<Value>> {
    let variable = variable(model, template, home);
    let is_parameter = matches!(home, Home::Local(local) if local.0 < template.parameters);
    let first = match innermost(&variable.ty) {
        Type::Scalar(scalar) if !is_parameter => first_value(&variable.initial, *scalar),
        _ => None,
    };
    vec![first; count]
}

/// The value that all cells have at first, if it is one and can be told.
pub(crate) fn first_value(initial: &Initial, scalar: Scalar) -> Option<Value> {
    let constant = |expr: &Expr| expr.as_constant().and_then(|value| scalar.store(value));
    match initial {
        Initial::Default => scalar.store(0),
        Initial::Fill(expr) => constant(expr),
        Initial::List(list) => match list.as_slice() {
            [only] => constant(only),
            _ => None,
        },
        Initial::NewChannel(_) => None,
    }
}

fn innermost(ty: &Type) -> &Type {
    match ty {
        Type::Array { element, .. } => innermost(element),
        other => other,
    }
}
