//! Renamings of the cells of all states at once.
//!
//! A renaming moves what is in cells and renames values. The reference action of the certificate says what it does to one state; here
//! it is asked about states that differ in one cell, which tells for each cell where it comes from and what becomes of
//! each value. So nothing of the rules is written a second time.

use crate::attempt::Context;
use crate::cells::{Layout, ProcessCells};
use crate::diagrams::{Bdd, Made, renamed, without};
use crate::number::Number;
use crate::stop::CellId;
use crate::stop::Misfit;
use crate::stop::Stop;
use mandala_model::State;
use mandala_model::state::Value;
use mandala_model::step::Turn;
use mandala_symmetry::sorts::{Point, Sort, Sorts};
use mandala_symmetry::{Action, Certificate, Domain, Renaming};
use oxidd::{BooleanFunction, Subst};
use std::collections::{BTreeMap, BTreeSet};

/// What a renaming does to all states.
pub(crate) struct Move {
    /// What the cells hold afterwards, in order; those that nothing happens to are left out.
    pub after: Vec<(CellId, Number)>,
    /// The bits before it, each by what the bits afterwards say: the renaming of sets.
    sets: Option<Subst<Bdd>>,
    /// Where it may be applied.
    pub where_allowed: Bdd,
    /// Where it is certified, or something that is made of it may be, and still it is not applied.
    pub where_left_out: Bdd,
    /// Where everything comes from that is moved or changed, by where it goes.
    pub origins: BTreeMap<CellId, Origin>,
}

/// Where what is in a cell comes from.
pub(crate) struct Origin {
    pub cell: CellId,
    /// What becomes of values that do not stay.
    pub values: BTreeMap<Value, Value>,
}

impl Move {
    pub(crate) fn of(
        context: Context<'_>,
        certificate: &Certificate,
        start: &State,
        renaming: &Renaming,
    ) -> Made<Self> {
        let prober = Prober {
            layout: context.layout,
            action: Action::new(context.model, certificate.sorts()),
            sorts: certificate.sorts(),
            start,
        };
        let origins = prober.origins(renaming)?;
        let after = functions(context, &origins)?;
        let before = functions(context, &prober.origins(&renaming.inverse())?)?;
        let settled = where_settled(context, certificate, renaming)?;
        let all_are_there = all_are_there(context)?;
        let there = where_it_may_matter(context, certificate, renaming)?;
        Ok(Move {
            after,
            origins,
            sets: substitution(context, &before),
            where_allowed: settled.and(&all_are_there)?,
            where_left_out: without(&settled.and(&there)?, &all_are_there)?,
        })
    }

    /// An exchange of what is in pairs of cells, wherever that is.
    pub(crate) fn exchange(
        context: Context<'_>,
        pairs: impl Iterator<Item = (CellId, CellId)>,
    ) -> Made<Self> {
        let origin = |cell| Origin {
            cell,
            values: BTreeMap::new(),
        };
        let both = |(a, b)| [(a, origin(b)), (b, origin(a))];
        let origins: BTreeMap<CellId, Origin> = pairs.flat_map(both).collect();
        let after = functions(context, &origins)?;
        Ok(Move {
            sets: substitution(context, &after),
            after,
            origins,
            where_allowed: context.d.yes.clone(),
            where_left_out: context.d.no.clone(),
        })
    }

    /// The images of a set of states in which it may be applied.
    pub(crate) fn image(&self, set: &Bdd) -> Made<Bdd> {
        match &self.sets {
            Some(sets) => renamed(set, sets),
            None => Ok(set.clone()),
        }
    }
}

/// Asks the action what it does to single states.
struct Prober<'a> {
    layout: &'a Layout,
    action: Action<'a>,
    sorts: &'a Sorts,
    start: &'a State,
}

impl Prober<'_> {
    /// Where everything comes from that a renaming moves or changes, by where it goes.
    fn origins(&self, renaming: &Renaming) -> Made<BTreeMap<CellId, Origin>> {
        let mut origins = BTreeMap::new();
        let base = self.base()?;
        let image = self.image(renaming, &base)?;
        let names = self.names(renaming);
        for cell in (0..self.layout.count()).map(CellId) {
            let is_outside = self.layout.is_of_monitors(cell);
            if is_outside || self.is_length(cell) || self.is_population(cell) {
                continue;
            }
            let (target, values) = self.fate(renaming, cell, &names, (&base, &image))?;
            if target != cell || !values.is_empty() {
                origins.insert(target, Origin { cell, values });
            }
        }
        self.add_lengths(&mut origins);
        Ok(origins)
    }

    /// A state with all processes and with messages in all places, which nobody holds.
    fn base(&self) -> Made<Vec<Value>> {
        let layout = self.layout;
        let mut values = layout.values(self.start, None).ok_or_else(refused)?;
        for cell in (0..values.len()).map(CellId) {
            values[cell.0] = layout.fixed(cell).unwrap_or(values[cell.0]);
        }
        for channel in &layout.channels {
            values[channel.length.0] = channel.capacity as Value;
        }
        if let Some(alive) = layout.alive {
            values[alive.0] = layout.numbers().into();
        }
        Ok(values)
    }

    /// Whether a cell says which processes there are. That is the same in all states in which renamings are applied.
    fn is_population(&self, cell: CellId) -> bool {
        let mut processes = self.layout.processes.iter();
        Some(cell) == self.layout.alive || processes.any(|own| own.lodging.0 == cell)
    }

    fn is_length(&self, cell: CellId) -> bool {
        let mut channels = self.layout.channels.iter();
        channels.any(|channel| channel.length == cell)
    }

    /// The length of a channel goes where its messages go.
    fn add_lengths(&self, origins: &mut BTreeMap<CellId, Origin>) {
        let channels = self.layout.channels.iter();
        let channels: Vec<_> = channels.filter(|c| !c.is_rendezvous()).collect();
        for target in &channels {
            let first = origins.get(&target.field(0, 0)).map(|origin| origin.cell);
            let from = first.and_then(|first| channels.iter().find(|c| c.field(0, 0) == first));
            if let Some(from) = from.filter(|from| from.length != target.length) {
                let origin = Origin {
                    cell: from.length,
                    values: BTreeMap::new(),
                };
                origins.insert(target.length, origin);
            }
        }
    }

    fn image(&self, renaming: &Renaming, values: &[Value]) -> Made<Vec<Value>> {
        let (state, holder) = self.layout.state(values);
        let turn = holder.map_or(Turn::Free, Turn::Held);
        let holder = match Action::turn(renaming, turn) {
            Turn::Held(process) => Some(process),
            Turn::Free | Turn::Claim | Turn::Stutter => None,
        };
        match self.action.apply(renaming, &state) {
            Some(image) => self.layout.values(&image, holder).ok_or_else(refused),
            None => Err(refused()),
        }
    }

    /// The values that may not stay in some cell or message: those that stand for what a renaming moves, and channels. What a value
    /// stands for is a matter of the sort, so there may be values here that stay in most cells.
    fn names(&self, renaming: &Renaming) -> BTreeSet<Value> {
        let moved = moved_points(self.sorts, renaming);
        let channels = 1..=self.layout.channels.len() as Value;
        let mut names: BTreeSet<Value> = channels.collect();
        for sort in sorts_of_cells(self.sorts) {
            names.extend(moved.iter().filter_map(|&p| self.sorts.value(sort, p)));
        }
        names
    }

    /// The values that a cell is asked about: those that may not stay, and two that tell where it goes.
    fn asked(&self, cell: CellId, names: &BTreeSet<Value>, base: Value) -> BTreeSet<Value> {
        let mut asked = BTreeSet::from([base, base ^ 1]);
        match self.layout.holder {
            Some(holder) if holder == cell => asked.extend(0..=self.layout.numbers().into()),
            _ => {
                let (least, greatest) = self.layout.range(cell);
                asked.extend(names.range(least..=greatest));
            }
        }
        asked
    }

    /// Where a cell goes, and what becomes of its values that do not stay.
    fn fate(
        &self,
        renaming: &Renaming,
        cell: CellId,
        names: &BTreeSet<Value>,
        (base, image): (&[Value], &[Value]),
    ) -> Made<(CellId, BTreeMap<Value, Value>)> {
        let mut target = None;
        let mut fates = vec![];
        for value in self.asked(cell, names, base[cell.0]) {
            let mut values = base.to_vec();
            values[cell.0] = value;
            let found = self.image(renaming, &values)?;
            if value != base[cell.0] {
                let mut differing = (0..found.len()).filter(|&i| found[i] != image[i]);
                match (differing.next(), differing.next(), target) {
                    (Some(one), None, None) => target = Some(one),
                    (Some(one), None, Some(other)) if one == other => {}
                    _ => return Err(refused()),
                }
            }
            fates.push((value, found));
        }
        let target = target.ok_or_else(refused)?;
        let moved = fates
            .into_iter()
            .map(|(value, found)| (value, found[target]));
        let moved = moved.filter(|(value, image)| value != image).collect();
        Ok((CellId(target), moved))
    }
}

/// All that a renaming moves.
fn moved_points(sorts: &Sorts, renaming: &Renaming) -> Vec<Point> {
    let processes = renaming.processes().moved().map(Point::Process);
    let domains = 0..sorts.names.len() as u32;
    let names = domains.flat_map(|domain| {
        let moved = renaming.names(domain).moved();
        moved.map(move |name| Point::Name(domain, name))
    });
    processes.chain(names).collect()
}

/// The sorts of all that a state holds.
fn sorts_of_cells(sorts: &Sorts) -> BTreeSet<Sort> {
    let classes = &sorts.classes;
    let locals = classes.locals.iter().flatten();
    // Who has moved last is a process, too.
    let mut found = BTreeSet::from([Sort::Process(0)]);
    found.extend(classes.fields.iter().flatten());
    for shape in classes.globals.iter().chain(locals) {
        // Indexes are no values of cells, and do no harm here.
        shape.map(&mut |sort| found.insert(*sort));
    }
    found
}

fn refused() -> Stop {
    Stop::unsupported("symmetry that does not act cell by cell", None)
}

/// What cells hold after a renaming that moves them like that.
fn functions(
    context: Context<'_>,
    origins: &BTreeMap<CellId, Origin>,
) -> Made<Vec<(CellId, Number)>> {
    let mut functions = Vec::new();
    for (&target, origin) in origins {
        let function = function(context, origin)?;
        match context.layout.fixed(target) {
            // What never changes must not change now.
            Some(value) if function.as_constant(context.d) != Some(value) => return Err(refused()),
            Some(_) => {}
            None if context
                .layout
                .misfits(context.d, target, &function)?
                .satisfiable() =>
            {
                return Err(Stop::Narrow(vec![Misfit::Number(target)]));
            }
            None => functions.push((target, function)),
        }
    }
    functions.sort_by_key(|(cell, _)| context.layout.bits_of(*cell).iter().min().copied());
    Ok(functions)
}

fn function(context: Context<'_>, origin: &Origin) -> Made<Number> {
    let Context { d, layout, .. } = context;
    let held = layout.value(d, origin.cell);
    let mut image = held.clone();
    for (&value, &becomes) in &origin.values {
        image = Number::choose(&held.is(d, value)?, &Number::constant(d, becomes), &image)?;
    }
    // A place without a message holds 0, which is no name there.
    let mut channels = layout.channels.iter();
    let place = channels.find_map(|c| Some((c, c.place_of(origin.cell)?)));
    match place {
        Some((channel, place)) => {
            let number = Number::constant(d, place as Value);
            let is_used = number.less(d, &layout.value(d, channel.length))?;
            Number::choose(&is_used, &image, &held)
        }
        None => Ok(image),
    }
}

/// Replaces each bit by what a function says.
fn substitution(context: Context<'_>, functions: &[(CellId, Number)]) -> Option<Subst<Bdd>> {
    let mut variables = Vec::new();
    let mut replacements = Vec::new();
    for (cell, function) in functions {
        for (i, &bit) in context.layout.bits_of(*cell).iter().enumerate() {
            variables.push(2 * bit as u32);
            replacements.push(function.bit(i).clone());
        }
    }
    (!variables.is_empty()).then(|| Subst::new(variables, replacements))
}

/// The states in which all domains are settled that a renaming touches. Who is not yet there does not count.
fn where_settled(
    context: Context<'_>,
    certificate: &Certificate,
    renaming: &Renaming,
) -> Made<Bdd> {
    let mut settled = context.d.yes.clone();
    for (index, domain) in certificate.domains().iter().enumerate() {
        if !certificate.touches(renaming, index) {
            continue;
        }
        for own in &context.layout.processes {
            let fits = has_settled(context, domain, own)?;
            let is_there = is_there(context, own.number())?;
            settled = settled.and(&is_there.imp(&fits)?)?;
        }
    }
    Ok(settled)
}

/// Where a process, if it is there, does not keep a domain from being settled.
fn has_settled(context: Context<'_>, domain: &Domain, own: &ProcessCells) -> Made<Bdd> {
    let Context { d, layout, .. } = context;
    if !domain.is_resident(own.number(), own.template()) {
        return Ok(d.no.clone());
    }
    let location = layout.value(d, own.location);
    let conditions = domain.settled.iter().filter(|(t, _)| *t == own.template());
    let mut settled = d.yes.clone();
    for (_, locations) in conditions {
        let mut there = d.no.clone();
        for at in locations {
            there = there.or(&location.is(d, at.0.into())?)?;
        }
        settled = settled.and(&there)?;
    }
    Ok(settled)
}

/// The states in which something may be exchanged by a renaming and others like it. Exchanges of neighbours that are there make all
/// permutations of those. Of other renamings it is hard to say which of their products leave alone who is not there.
fn where_it_may_matter(
    context: Context<'_>,
    certificate: &Certificate,
    renaming: &Renaming,
) -> Made<Bdd> {
    let mut there = context.d.yes.clone();
    if !certificate.renamings().contains(renaming) {
        for number in renaming.processes().moved() {
            there = there.and(&is_there(context, number)?)?;
        }
    }
    Ok(there)
}

/// The states in which there is a process of that number. Those that are there have the first numbers, as none of them ends.
fn is_there(context: Context<'_>, number: u32) -> Made<Bdd> {
    let Context { d, layout, .. } = context;
    match layout.alive {
        Some(alive) => Number::constant(d, number.into()).less(d, &layout.value(d, alive)),
        None => Ok(d.yes.clone()),
    }
}

/// The states with as many processes as there can be. Since none of them ends, that stays so.
fn all_are_there(context: Context<'_>) -> Made<Bdd> {
    let Context { d, layout, .. } = context;
    match layout.alive {
        Some(alive) => layout.value(d, alive).is(d, layout.numbers().into()),
        None => Ok(d.yes.clone()),
    }
}
