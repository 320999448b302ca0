//! Value analysis: the values that names have, often fewer than their type allows.
//!
//! A `byte` that goes round a ring of three, `next = (next + 1) % 3`, is never 7. What would happen if it were
//! must not stand in the way of a proof. So for every cell of a sort of names there is a set of values
//! that it can hold: for a global variable and for a field of messages everywhere, for a local variable at each location
//! of its process. The sets are the least ones such that
//!
//! - what cells hold at first is in them;
//! - whatever an edge writes is in them, if what it read was;
//! - with one name of a domain they have all names of it.
//!
//! By the first two they hold in every state that can be reached. By the third they hold in every image of such a
//! state under any permutations of the domains. A set that gets too large is replaced by all values of the type.

mod set;

use crate::algebra::Algebra;
use crate::births::{First, FirstValue, scalar_local};
use crate::budget::{CASE, ProofBudget, TERM};
use crate::classes::Keeper;
use crate::domain::DomainKind;
use crate::path::{Deed, End, Field, Path, Segment};
use crate::pointwise::Gap;
use crate::room::points;
use crate::sorts::{Point, Sort, Sorts};
use crate::term::{Cell, Home, Part, Term};
use mandala_model::Model;
use mandala_model::ids::{GlobalId, LocalId, LocationId, TemplateId};
use mandala_model::symmetry::VariableRef;
use mandala_model::types::Storage;
use set::{MOST, Set};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::rc::Rc;

/// How often a set may grow. One that grows so often is being counted through.
const MOST_GROWTH: u32 = 64;

/// The same for plain numbers, which are counted through more often.
const MOST_GROWTH_OF_DATA: u32 = 20;

/// What a cell is known by: the elements of an array are one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Slot {
    Global(GlobalId, Vec<u32>),
    Local(TemplateId, LocalId, Vec<u32>),
    Message(u32, usize),
}

/// What is put where, and whether the old value is certainly gone.
type Written = (Slot, Set, bool);

/// What the local variables of a process can hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Env(BTreeMap<Slot, Set>);

/// What cells can hold.
pub(crate) struct Values<'a> {
    model: &'a Model,
    budget: ProofBudget,
    algebra: Algebra,
    sorts: Rc<Sorts>,
    /// The members of each domain.
    domains: Vec<Vec<Point>>,
    /// Whether plain numbers are followed as well.
    data: bool,
    /// Of local variables, anywhere.
    slots: BTreeMap<Slot, Set>,
    places: BTreeMap<Place, Env>,
    growth: BTreeMap<(Option<Place>, Slot), u32>,
    changed: bool,
    /// How many changes there were, and which was the last one of the local variables at a place; of all others, without
    /// a place.
    clock: u64,
    changes: BTreeMap<Option<Place>, u64>,
}

/// A location of a template.
type Place = (TemplateId, LocationId);

impl Env {
    /// What the local variables can hold after something was written.
    fn take_over(&mut self, written: &[Written]) {
        for (slot, set, certain) in written {
            if let Slot::Local(..) = slot {
                match certain {
                    true => drop(self.0.insert(slot.clone(), set.clone())),
                    false => drop(self.0.entry(slot.clone()).or_insert(Set::none()).add(set)),
                }
            }
        }
    }
}

impl<'a> Values<'a> {
    /// Nobody has any values yet.
    pub fn new(
        (model, budget): (&'a Model, &ProofBudget),
        algebra: Algebra,
        sorts: Rc<Sorts>,
        domains: &[DomainKind],
    ) -> Self {
        Values {
            model,
            budget: budget.clone(),
            algebra,
            sorts,
            domains: points(domains).collect(),
            data: false,
            slots: BTreeMap::new(),
            places: BTreeMap::new(),
            growth: BTreeMap::new(),
            changed: false,
            clock: 0,
            changes: BTreeMap::new(),
        }
    }

    /// The same, with plain numbers.
    pub fn with_data(mut self) -> Self {
        self.data = true;
        self
    }

    /// The least and the greatest value of what a variable holds, if they are few and it may hold all between them. To
    /// exchange values that never occur would be true of any model, and of no use.
    pub fn hull(&self, variable: VariableRef, path: &[u32]) -> Option<(i64, i64)> {
        let slot = match variable {
            VariableRef::Global(id) => Slot::Global(self.first_of_row(id), path.to_vec()),
            VariableRef::Local(template, id) => Slot::Local(template, id, path.to_vec()),
            VariableRef::Monitor(id) => {
                Slot::Local(self.model.monitor_template()?, id, path.to_vec())
            }
        };
        let Set::Few(values) = self.slots.get(&slot)? else {
            return None;
        };
        let (low, high) = values.first().copied().zip(values.last().copied())?;
        let gapless = high.checked_sub(low)? == values.len() as i64 - 1;
        gapless.then_some((low, high))
    }

    /// What local variables can hold at a location.
    pub fn at(&self, template: TemplateId, location: LocationId) -> Option<&Env> {
        self.places.get(&(template, location))
    }

    /// Whether something was learnt since it was last asked.
    pub fn has_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// How much has been learnt.
    pub fn clock(&self) -> u64 {
        self.clock
    }

    /// Whether something was learnt since then that a process at that location can notice.
    pub fn is_news(&self, template: TemplateId, location: LocationId, since: u64) -> bool {
        let places = [None, Some((template, location))];
        let changes = places.iter().filter_map(|place| self.changes.get(place));
        changes.max().is_some_and(|last| *last > since)
    }

    fn note_change(&mut self, place: Option<Place>) {
        self.changed = true;
        self.clock += 1;
        self.changes.insert(place, self.clock);
    }

    /// The values that a cell or the number of somebody else can have, if they are few.
    pub fn of_leaf(
        &self,
        template: TemplateId,
        here: Option<&Env>,
        leaf: &Term,
    ) -> Option<Rc<[i64]>> {
        let set = match leaf {
            Term::Read(cell) => self.read(template, here, cell),
            _ => Set::All,
        };
        if let Set::Few(values) = set {
            return Some(values);
        }
        let (low, high) = self.algebra.range(leaf)?;
        let few = high.checked_sub(low)? < MOST as i64;
        few.then(|| (low..=high).collect())
    }

    fn keeper(&self, template: TemplateId) -> Keeper<'_> {
        Keeper {
            model: self.model,
            algebra: self.algebra,
            sorts: &self.sorts,
            template,
        }
    }

    /// Whether the values of cells of a sort are looked for.
    fn follows(&self, sort: Sort) -> bool {
        match sort {
            Sort::Process(_) | Sort::Name(..) => true,
            Sort::Plain => self.data,
            Sort::Channel(_) => false,
        }
    }

    /// What a cell is known by, if its values are looked for.
    fn slot(&self, template: TemplateId, cell: &Cell) -> Option<Slot> {
        let sort = self.keeper(template).sort(cell)?;
        self.follows(sort).then_some(())?;
        let fields = cell.path.iter().filter_map(|part| match part {
            Part::Field(field) => Some(*field),
            Part::Index(..) => None,
        });
        let (template, local) = match &cell.home {
            Home::Global(id) => {
                return Some(Slot::Global(self.first_of_row(*id), fields.collect()));
            }
            Home::Own(id) => (template, *id),
            Home::Remote(other, _, id) => (*other, *id),
        };
        // Parameters of several cells are not followed.
        let declared = self.model.template(template);
        let simple = local.index() >= declared.parameters as usize || cell.path.is_empty();
        simple.then(|| Slot::Local(template, local, fields.collect()))
    }

    /// Variables that go where others are have their values together.
    fn first_of_row(&self, id: GlobalId) -> GlobalId {
        let mut rows = self.sorts.rows.iter();
        let row = rows.find(|row| row.variables.contains(&id));
        row.map_or(id, |row| row.variables[0])
    }

    fn read(&self, template: TemplateId, here: Option<&Env>, cell: &Cell) -> Set {
        let Some(slot) = self.slot(template, cell) else {
            return Set::All;
        };
        let anywhere = || self.slots.get(&slot).cloned().unwrap_or(Set::none());
        match (&cell.home, here) {
            (Home::Own(_), Some(env)) => env.0.get(&slot).cloned().unwrap_or(Set::none()),
            // A process that is not there has zeros.
            (Home::Remote(..), _) => anywhere().with(&Set::one(0)),
            _ => anywhere(),
        }
    }

    /// What a term can be.
    fn of_term(&self, template: TemplateId, here: Option<&Env>, term: &Term) -> Set {
        self.budget.spend(TERM);
        if let Some(value) = term.known() {
            return Set::one(value);
        }
        match term {
            Term::Choose(_, yes, no) => {
                let no = self.of_term(template, here, no);
                self.of_term(template, here, yes).with(&no)
            }
            Term::Stored(scalar, inner) => {
                let inner = self.of_term(template, here, inner);
                inner.map(|v| scalar.0.store(v))
            }
            Term::Read(cell) => self.read(template, here, cell),
            term => {
                let image = self.of_function(template, here, term);
                image.unwrap_or(Set::All)
            }
        }
    }

    fn of_function(&self, template: TemplateId, here: Option<&Env>, term: &Term) -> Option<Set> {
        let leaf = term.only_leaf()?;
        let values = self.of_leaf(template, here, leaf)?;
        self.budget.spend(CASE * values.len() as u64);
        let results = values.iter().map(|v| self.algebra.value_at(term, *v));
        let results = results.filter(|result| *result != Err(Gap::Unasked));
        results.collect::<Result<_, _>>().ok().map(Set::of)
    }

    /// With one name of a domain, all of them.
    fn closed(&self, sort: Sort, set: Set) -> Set {
        let mut missing = Vec::new();
        for domain in &self.domains {
            let names = domain.iter().map_while(|p| self.sorts.value(sort, *p));
            if names.clone().any(|name| set.lists(name)) {
                missing.extend(names.filter(|name| !set.lists(*name)));
            }
        }
        set.with(&Set::of(missing))
    }

    /// What the local variables can hold after a segment.
    pub fn after(&self, template: TemplateId, before: &Env, segment: &Segment) -> Env {
        let mut env = before.clone();
        env.take_over(&self.written(template, before, segment));
        env
    }

    /// What a segment puts where, and whether the old value is certainly gone.
    fn written(&self, template: TemplateId, here: &Env, segment: &Segment) -> Vec<Written> {
        let mut written = Vec::new();
        for write in segment.puts() {
            let (cell, value) = &write.what;
            let value = || self.of_term(template, Some(here), value);
            written.extend(self.put(template, cell, value));
        }
        match segment.deed.as_ref().map(|d| &d.what) {
            Some(Deed::Send(channel, _, message)) => {
                self.sent(template, here, channel, message, &mut written);
            }
            Some(Deed::Receive(channel, _, _, fields)) => {
                self.received(template, channel, fields, &mut written);
            }
            Some(Deed::Spawn(_, _, _, Some(cell))) => {
                written.extend(self.put(template, cell, || Set::All));
            }
            Some(Deed::Spawn(..)) | None => {}
        }
        written
    }

    /// What a cell can hold after something was put into it, if it is followed at all.
    fn put(
        &self,
        template: TemplateId,
        cell: &Cell,
        value: impl FnOnce() -> Set,
    ) -> Option<Written> {
        let slot = self.slot(template, cell)?;
        let sort = self.keeper(template).sort(cell)?;
        let one = cell.path.iter().all(|part| matches!(part, Part::Field(_)));
        let certain = match cell.home {
            Home::Own(id) => {
                let local = &self.model.template(template).locals[id.index()];
                one && local.storage == Storage::State
            }
            _ => false,
        };
        Some((slot, self.closed(sort, value()), certain))
    }

    fn sent(
        &self,
        template: TemplateId,
        here: &Env,
        channel: &Term,
        message: &[Term],
        written: &mut Vec<Written>,
    ) {
        let keeper = self.keeper(template);
        let Some(class) = keeper.class(channel) else {
            return;
        };
        for (i, term) in message.iter().enumerate() {
            let Some(sort) = keeper.field(class, i).filter(|sort| self.follows(*sort)) else {
                continue;
            };
            let set = self.of_term(template, Some(here), term);
            for scalar in keeper.scalars(class, i) {
                let kept = self.closed(sort, set.map(|v| scalar.store(v)));
                written.push((Slot::Message(class, i), kept, false));
            }
        }
    }

    fn received(
        &self,
        template: TemplateId,
        channel: &Term,
        fields: &[Field],
        written: &mut Vec<Written>,
    ) {
        let class = self.keeper(template).class(channel);
        for (i, field) in fields.iter().enumerate() {
            if let Field::Bind(cell) = field {
                let value = || {
                    let set = class.map_or(Set::All, |class| self.of_message(template, class, i));
                    set.map(|v| cell.scalar.0.store(v))
                };
                written.extend(self.put(template, cell, value));
            }
        }
    }

    fn of_message(&self, template: TemplateId, class: u32, field: usize) -> Set {
        let sort = self.keeper(template).field(class, field);
        if !sort.is_some_and(|sort| self.follows(sort)) {
            return Set::All;
        }
        let set = self.slots.get(&Slot::Message(class, field));
        set.cloned().unwrap_or(Set::none())
    }

    /// What the arguments of a new process put into its parameters.
    fn given(
        &self,
        (by, here): (TemplateId, Option<&Env>),
        made: TemplateId,
        arguments: &[Term],
    ) -> Vec<Written> {
        let mut written = Vec::new();
        let template = self.model.template(made);
        let parameters = template.locals.iter().take(template.parameters as usize);
        let shapes = &self.sorts.classes.locals[made.index()];
        let mut arguments = arguments.iter();
        for (id, (variable, shape)) in parameters.zip(shapes).enumerate() {
            let sets = arguments.by_ref().take(shape.cells());
            let sets: Vec<Set> = sets.map(|t| self.of_term(by, here, t)).collect();
            if let Some(cell) = scalar_local(LocalId::from(id), variable) {
                let sets = sets.iter().map(|set| set.map(|v| cell.scalar.0.store(v)));
                written.extend(sets.filter_map(|set| self.put(made, &cell, || set)));
            }
        }
        written
    }

    /// Learns what a cell holds at first: that of a local variable, where its process starts.
    pub fn learn_first(&mut self, template: TemplateId, value: &FirstValue) {
        let entry = (template, self.model.template(template).entry);
        let here = self.places.entry(entry).or_default().clone();
        let set = || match &value.first {
            First::Value(term) => self.of_term(template, Some(&here), term),
            First::Channel(_) => Set::All,
        };
        if let Some((slot, set, _)) = self.put(template, &value.cell, set) {
            self.grow_somewhere(entry, slot, &set);
        }
    }

    /// Learns the arguments that a process is made with.
    pub fn learn_arguments(&mut self, by: TemplateId, made: TemplateId, arguments: &[Term]) {
        let given = self.given((by, None), made, arguments);
        self.learn_parameters(made, given);
    }

    /// Learns that there are processes of a template, or that it is an observer.
    pub fn learn_start(&mut self, template: TemplateId) {
        let entry = self.model.template(template).entry;
        self.learn_arrival((template, entry), Env::default());
    }

    /// Learns from a path that starts at a location.
    pub fn learn_path(&mut self, template: TemplateId, location: LocationId, path: &Path) {
        let Some(mut env) = self.at(template, location).cloned() else {
            return;
        };
        for segment in &path.segments {
            let written = self.written(template, &env, segment);
            if let Some(Deed::Spawn(made, arguments, ..)) = segment.deed.as_ref().map(|d| &d.what) {
                let given = self.given((template, Some(&env)), *made, arguments);
                self.learn_parameters(*made, given);
            }
            env.take_over(&written);
            for (slot, set, _) in written {
                self.grow(None, slot, &set);
            }
        }
        if let End::Arrives(target, _) = path.end {
            self.learn_arrival((template, target), env);
        }
    }

    fn learn_arrival(&mut self, place: Place, env: Env) {
        if let Entry::Vacant(unknown) = self.places.entry(place) {
            unknown.insert(Env::default());
            self.note_change(Some(place));
        }
        for (slot, set) in env.0 {
            self.grow(Some(place), slot, &set);
        }
    }

    /// The parameters of a process have their values where it starts.
    fn learn_parameters(&mut self, made: TemplateId, given: Vec<Written>) {
        let entry = (made, self.model.template(made).entry);
        for (slot, set, _) in given {
            self.grow_somewhere(entry, slot, &set);
        }
    }

    fn grow_somewhere(&mut self, entry: Place, slot: Slot, set: &Set) {
        if matches!(slot, Slot::Local(..)) {
            self.grow(Some(entry), slot.clone(), set);
        }
        self.grow(None, slot, set);
    }

    fn grow(&mut self, place: Option<Place>, slot: Slot, more: &Set) {
        let slots = match place {
            Some(place) => &mut self.places.entry(place).or_default().0,
            None => &mut self.slots,
        };
        let set = slots.entry(slot.clone()).or_insert(Set::none());
        if !set.add(more) {
            return;
        }
        let growth = self.growth.entry((place, slot)).or_default();
        *growth += 1;
        let most = match self.data {
            true => MOST_GROWTH_OF_DATA,
            false => MOST_GROWTH,
        };
        if *growth > most {
            *set = Set::All;
        }
        self.note_change(place);
    }
}
