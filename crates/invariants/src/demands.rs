//! How many members a step is about (conditions 1 to 4 and 6).
//!
//! Take a state `s` with any number of members, a step of it, and members that are to be seen afterwards. Keep these and the *participants* of the step, and leave out the others; a
//! shared cell that holds one of those then holds *outside*. What is left, `c`, is a configuration, and this module sees to it that the same step is possible in `c` and leads to what is
//! left of the state behind `s`. It reads the code of a step once, in no order, and asks:
//!
//! - *Which members does it look at by themselves?* The values of its parameters; members of a round of a loop and of a quantifier, which are kept or not, all alike; and what shared cells
//!   held when the step began. There are no others, since numbers never become members. If the step looks nothing up for a member that a cell holds, and compares no two of these, it does the same with
//!   *outside*: compare it with a member that is kept, copy it, or ask whether there is one. Otherwise all cells that it reads members from are counted, wherever it reads
//!   them: so no member is looked up, at whatever moment, that is neither a parameter nor one of these.
//! - *Which does it ask about the others?* [`crate::quantifiers`]: what decides how the step goes on must keep its value. Of what has to hold for the step to
//!   be possible at all, that it holds is enough.
//! - *Does it go through all?* [`crate::loops`].
//!
//! A step of a process of a family has one participant, the process, as long as it asks nothing about other processes ([`crate::processes`]).
//!
//! For what goes wrong in `s` the same is asked, but no other members are to be seen: [`Demands::together`].

use crate::alike::are_all_members;
use crate::family::{Family, NotConfirmed};
use crate::loops::{MemberLoop, over_members, reads, require_no_carried, taking_next};
use crate::processes;
use crate::quantifiers::{exactly, faults, witnesses};
use mandala_model::Model;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, Projection, Root, UnaryOp};
use mandala_model::ids::{LocalId, LocationId, NodeId};
use mandala_model::parameters::Parameter;
use mandala_model::quantified::{Evaluation, Quantifier};
use mandala_model::source::Span;
use mandala_model::template::{Choice, Control, Edge, Effect, Print, Routine, Step, Template};
use mandala_model::types::{ArrayIndex, Initial, Storage, Type, Variable};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// What has to be kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Demands {
    /// The most participants of one step.
    pub participants: usize,
    /// The most members that it takes together for something to go wrong.
    pub together: usize,
    /// Where something is looked up for a member: that it is not there is no fault.
    pub followed: HashSet<Span>,
}

impl Demands {
    fn step(&mut self, read: &Read) {
        self.participants = self.participants.max(read.participants);
        self.together = self.together.max(read.together);
    }
}

/// Reads a model with so many members and without calls.
///
/// # Errors
///
/// What is not confirmed, and where.
pub(crate) fn demands(model: &Model, family: &Family, size: u32) -> Result<Demands, NotConfirmed> {
    if model.prioritised || model.tracks_last_mover || model.stochastic.is_some() {
        return Err(NotConfirmed::whole("steps depend on more than the state"));
    }
    if let Some(set) = model.scalarsets.iter().find(|set| set.unordered) {
        return Err(NotConfirmed::at(set.span, "a multiset has a capacity"));
    }
    if let Some(kind) = model.channel_kinds.first() {
        return Err(NotConfirmed::at(kind.span, "a channel has a capacity"));
    }
    match family {
        Family::Names { .. } => of_rules(model, family, size),
        Family::Processes(_) => processes::check(model).map(|()| Demands {
            participants: 1,
            together: 1,
            followed: HashSet::new(),
        }),
    }
}

fn of_rules(model: &Model, family: &Family, size: u32) -> Result<Demands, NotConfirmed> {
    let [template] = &model.templates[..] else {
        return Err(NotConfirmed::whole("there are processes beside the rules"));
    };
    if model.start.len() != 1 || template.provided.is_some() || template.deterministic {
        return Err(NotConfirmed::at(
            template.span,
            "the rules are not one process",
        ));
    }
    let fields = model.records.iter().flat_map(|record| &record.fields);
    for variable in model.globals.iter().chain(fields) {
        require_alike_at_first(model, family, variable)?;
    }
    for variable in &model.globals {
        owned(model, family, variable, variable, 0)?;
    }
    for variable in template.locals.iter().chain(&model.monitor_scratch) {
        if variable.storage != Storage::Scratch || owned(model, family, variable, variable, 0)? {
            let message = format!(
                "`{}` holds something for each member, or between steps",
                variable.name
            );
            return Err(NotConfirmed::at(variable.span, message));
        }
    }
    let running = running(model, template)?;
    let mut demands = Demands::default();
    let mut start = Start::default();
    for edge in &template.edges {
        if edge.escape != 0 || edge.outcome.is_some() {
            return Err(NotConfirmed::at(edge.span, "a rule depends on others"));
        }
        let read = read(
            model,
            family,
            size,
            &template.locals,
            &edge.parameters,
            &edge.step,
        )?;
        demands.followed.extend(read.followed.iter().copied());
        if edge.source == running {
            demands.step(&read);
        } else {
            if edge.source == edge.target {
                require_own(model, family, &template.locals, edge, &read)?;
            } else {
                let most = start.participants.entry(edge.source).or_default();
                *most = read.participants.max(*most);
            }
            start.together = start.together.max(read.together);
        }
    }
    demands.step(&start.whole());
    for monitor in &model.monitors {
        let read = read(
            model,
            family,
            size,
            &model.monitor_scratch,
            &monitor.parameters,
            &monitor.step,
        )?;
        demands.together = demands.together.max(read.together);
        demands.followed.extend(read.followed);
    }
    Ok(demands)
}

/// The steps of a start: at each location one that leads on, and before it any number of those that are about one member each, which are left out for members that are left
/// out.
#[derive(Default)]
struct Start {
    participants: BTreeMap<LocationId, usize>,
    together: usize,
}

impl Start {
    fn whole(&self) -> Read {
        let participants = self.participants.values().sum();
        Read {
            participants,
            together: participants + self.together,
            followed: HashSet::new(),
        }
    }
}

/// All members start alike, and no cell that holds one holds one at first.
fn require_alike_at_first(
    model: &Model,
    family: &Family,
    variable: &Variable,
) -> Result<(), NotConfirmed> {
    let has_members = model
        .scalars(&variable.ty)
        .into_iter()
        .any(|s| family.holds(s));
    let alike = match &variable.initial {
        Initial::Default => true,
        Initial::Fill(value) => value.as_constant().is_some_and(|v| v == 0 || !has_members),
        Initial::List(_) => !has_members && !owned(model, family, variable, variable, 0)?,
        Initial::NewChannel(_) => false,
    };
    match alike {
        true => Ok(()),
        false => Err(NotConfirmed::at(
            variable.span,
            format!(
                "`{}` may start with something else for some members",
                variable.name
            ),
        )),
    }
}

/// Whether a part of a variable belongs to a member. What does holds no member, and belongs to no second one.
fn owned(
    model: &Model,
    family: &Family,
    whole: &Variable,
    part: &Variable,
    owners: usize,
) -> Result<bool, NotConfirmed> {
    let owned_by = |dimension: usize| usize::from(family.indexes(part.indices.get(dimension)));
    let (mut ty, mut owners, mut dimension) = (&part.ty, owners, 0);
    while let Type::Array { element, .. } = ty {
        owners += owned_by(dimension);
        (ty, dimension) = (element, dimension + 1);
    }
    let holds = match ty {
        Type::Scalar(scalar) => family.holds(*scalar),
        Type::Record(id) => {
            let mut any = owners > 0;
            for field in &model.record(*id).fields {
                any |= owned(model, family, whole, field, owners)?;
            }
            return Ok(any);
        }
        Type::Array { .. } => false,
    };
    match owners {
        0 => Ok(false),
        1 if !holds => Ok(true),
        _ => Err(NotConfirmed::at(
            whole.span,
            format!(
                "what belongs to a member in `{}` is also about another one",
                whole.name
            ),
        )),
    }
}

/// The location of the rules. What comes before is the start: it holds control, goes from one location to the next, and does not get stuck.
fn running(model: &Model, template: &Template) -> Result<LocationId, NotConfirmed> {
    let no = |span: Span, message: &str| Err(NotConfirmed::at(span, message));
    let released = template
        .edges
        .iter()
        .find(|e| e.control == Control::Release);
    let running = match (model.start_held, released) {
        (false, _) => template.entry,
        (true, Some(edge)) => edge.target,
        (true, None) => return no(template.span, "there is no rule"),
    };
    for edge in &template.edges {
        let fits = match edge.control {
            Control::Release => edge.target == running,
            Control::Hold => edge.source != running && edge.target != running,
        };
        let goes_on =
            edge.source == running || edge.source.0 <= edge.target.0 || edge.target == running;
        if !fits || !goes_on || !model.start_held && edge.source != running {
            return no(edge.span, "the rules have more than one location");
        }
    }
    for edge in template
        .edges
        .iter()
        .filter(|edge| edge.control == Control::Hold)
    {
        let mut behind = template.edges.iter().filter(|e| e.source == edge.target);
        if !behind.any(can_always_be_taken) {
            return no(edge.span, "the start may get stuck");
        }
    }
    Ok(running)
}

fn can_always_be_taken(edge: &Edge) -> bool {
    let Step::Guarded { guard, .. } = &edge.step else {
        return false;
    };
    let has_values = |parameter: &Parameter| parameter.values.count() > 0;
    edge.parameters.iter().all(has_values) && guard.as_constant().is_some_and(|value| value != 0)
}

/// A step of the start that may be taken again either leads nowhere or changes what belongs to one member that is its parameter, and asks about no other one.
fn require_own(
    model: &Model,
    family: &Family,
    locals: &[Variable],
    edge: &Edge,
    read: &Read,
) -> Result<(), NotConfirmed> {
    let Step::Guarded { effects, .. } = &edge.step else {
        return Err(NotConfirmed::at(edge.span, "the start goes round"));
    };
    if effects.contains(&Effect::Abandon) {
        return Ok(());
    }
    let members = edge.parameters.iter().map(|p| p.local);
    let members: Vec<LocalId> = members
        .filter(|p| family.is_held_by(&locals[p.index()]))
        .collect();
    let is_own = |effect: &Effect| match (effect, &members[..]) {
        (Effect::Assign { place, .. }, [member]) => {
            let own = |part: &Projection| matches!(part, Projection::Index(i) if reads(i, *member));
            matches!(place.root, Root::Global(_)) && place.path.iter().any(own)
        }
        _ => false,
    };
    match read.participants == 1 && model.start_held && effects.iter().all(is_own) {
        true => Ok(()),
        false => Err(NotConfirmed::at(edge.span, "the start goes round")),
    }
}

/// What is read off the code of an edge or a monitor.
#[derive(Debug, Default)]
struct Read {
    participants: usize,
    together: usize,
    followed: HashSet<Span>,
}

fn read(
    model: &Model,
    family: &Family,
    size: u32,
    locals: &[Variable],
    parameters: &[Parameter],
    step: &Step,
) -> Result<Read, NotConfirmed> {
    let mut reader = Reader {
        model,
        family,
        size,
        locals,
        kept: BTreeSet::new(),
        bound: Vec::new(),
        cells: BTreeMap::new(),
        given: BTreeSet::new(),
        compares_cells: false,
        followed: HashSet::new(),
        witnesses: 0,
        faults: 0,
    };
    for parameter in parameters {
        if family.is_held_by(&locals[parameter.local.index()]) {
            if !are_all_members(&parameter.values, size) {
                return Err(NotConfirmed::at(
                    parameter.span,
                    "a parameter is not any member",
                ));
            }
            reader.kept.insert(parameter.local);
        }
    }
    let chosen = reader.kept.len();
    reader.step(step)?;
    let held = |given: &BTreeSet<String>| -> usize {
        let cells = reader
            .cells
            .iter()
            .filter(|(cell, _)| !given.contains(*cell));
        match reader.compares_cells {
            true => cells.map(|(_, count)| *count).sum(),
            false => 0,
        }
    };
    Ok(Read {
        participants: chosen + held(&reader.given) + reader.witnesses,
        // What goes wrong in the guard does so before the guard says anything.
        together: chosen + held(&BTreeSet::new()) + reader.witnesses + reader.faults,
        followed: reader.followed,
    })
}

/// What the value of an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A number or a truth value.
    Plain,
    /// The number 0, which is no member.
    Zero,
    /// A member that is kept.
    Kept,
    /// A member that a cell holds, or has held, or none.
    Held,
}

/// How a condition is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// If it does not hold, there is no step.
    Required,
    /// It decides how the step goes on, or its value is kept.
    Decides,
}

struct Reader<'m> {
    model: &'m Model,
    family: &'m Family,
    size: u32,
    locals: &'m [Variable],
    /// Variables of code that hold a member that is kept: parameters, and variables of loops.
    kept: BTreeSet<LocalId>,
    /// For each quantifier around, whether its variable is a member.
    bound: Vec<bool>,
    /// The shared cells that a member is read from, and how many cells that may be.
    cells: BTreeMap<String, usize>,
    /// Those that hold a parameter, says the guard.
    given: BTreeSet<String>,
    /// Whether something is looked up for a member that a cell holds, or two of these are compared.
    compares_cells: bool,
    followed: HashSet<Span>,
    witnesses: usize,
    faults: usize,
}

/// Where code stands.
#[derive(Clone, Copy, Debug, Default)]
struct Position {
    /// In how many loops over members.
    rounds: usize,
    /// Whether a step may come there more than once.
    again: bool,
}

impl Reader<'_> {
    fn step(&mut self, step: &Step) -> Result<(), NotConfirmed> {
        match step {
            Step::Guarded { guard, effects } => {
                self.note_given(guard);
                self.forget_assigned(effects);
                self.condition(guard, Use::Required, Position::default())?;
                effects
                    .iter()
                    .try_for_each(|e| self.effect(e, Position::default()))
            }
            Step::Routine(routine) => self.routine(routine),
            _ => Err(NotConfirmed::whole(
                "a rule is neither guarded nor a routine",
            )),
        }
    }

    fn routine(&mut self, routine: &Routine) -> Result<(), NotConfirmed> {
        if let Some(
            [
                Choice {
                    step: Step::Guarded { guard, .. },
                    ..
                },
            ],
        ) = routine.nodes.first().map(|node| &node.choices[..])
        {
            self.note_given(guard);
        }
        let loops = over_members(routine, self.locals, self.family);
        for one in &loops {
            if !are_all_members(&one.each.values, self.size) {
                return Err(NotConfirmed::at(
                    one.each.span,
                    "a loop is not over all members",
                ));
            }
            self.kept.insert(one.each.variable);
            one.check(routine)?;
        }
        for (number, node) in (0..).map(NodeId).zip(&routine.nodes) {
            for (place, choice) in node.choices.iter().enumerate() {
                if let Step::Guarded { effects, .. } = &choice.step {
                    let skipped = taking_next(&loops, number, place);
                    self.forget_assigned(effects.get(skipped..).unwrap_or_default());
                }
            }
        }
        for (number, node) in (0..).map(NodeId).zip(&routine.nodes) {
            let nowhere = NodeId(u32::MAX);
            let mut next = node.choices.iter().map(|choice| choice.next);
            let again = next.any(|next| routine.reached_from(next, nowhere).contains(&number));
            let is_required = node.choices.len() == 1 && (number.0 == 0 || node.quiet) && !again;
            for (place, choice) in node.choices.iter().enumerate() {
                let skipped = taking_next(&loops, number, place);
                let inside = |one: &&MemberLoop<'_>| {
                    one.body.contains(&number) || skipped > 0 && one.each.head == number
                };
                let position = Position {
                    rounds: loops.iter().filter(inside).count(),
                    again,
                };
                let used = match is_required {
                    true => Use::Required,
                    false => Use::Decides,
                };
                self.choice(choice, skipped, used, position)?;
            }
        }
        require_no_carried(routine, &loops)
    }

    fn choice(
        &mut self,
        choice: &Choice,
        skipped: usize,
        used: Use,
        position: Position,
    ) -> Result<(), NotConfirmed> {
        // What goes wrong in a round does so for the members of the loops around.
        self.faults = self.faults.max(position.rounds);
        match &choice.step {
            Step::Guarded { guard, effects } => {
                if skipped == 0 {
                    self.condition(guard, used, position)?;
                }
                let mut effects = effects.iter().skip(skipped);
                effects.try_for_each(|effect| self.effect(effect, position))
            }
            Step::Else => Ok(()),
            _ => Err(NotConfirmed::at(
                choice.span,
                "a step depends on other processes",
            )),
        }
    }

    /// A variable may be used for something else before or after it is that of a parameter or a loop. Then it holds any member that the step knows.
    fn forget_assigned(&mut self, effects: &[Effect]) {
        for effect in effects {
            if let Effect::Assign { place, .. } = effect
                && let Root::Local(local) = place.root
            {
                self.kept.remove(&local);
            }
        }
    }

    /// Cells that hold a parameter if the guard, which is evaluated before anything is done, holds.
    fn note_given(&mut self, guard: &Expr) {
        match &guard.kind {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                self.note_given(left);
                self.note_given(right);
            }
            ExprKind::Binary(BinaryOp::Equal, left, right) => {
                let is_parameter = |e: &Expr| self.kept.iter().any(|local| reads(e, *local));
                let cell = match (is_parameter(left), is_parameter(right)) {
                    (true, false) => constant_cell(right),
                    (false, true) => constant_cell(left),
                    _ => None,
                };
                self.given.extend(cell);
            }
            _ => {}
        }
    }

    fn condition(&mut self, e: &Expr, used: Use, position: Position) -> Result<(), NotConfirmed> {
        self.plain(e)?;
        self.count(e, used, position)
    }

    /// Counts what an expression asks.
    fn count(&mut self, e: &Expr, used: Use, position: Position) -> Result<(), NotConfirmed> {
        let witnesses = match used {
            Use::Required => witnesses(e, true, self.family)?,
            Use::Decides => exactly(e, self.family)?,
        };
        if witnesses > 0 && position.again {
            return Err(NotConfirmed::at(
                e.span,
                "a loop asks for any number of members",
            ));
        }
        self.witnesses = self.witnesses.saturating_add(witnesses);
        let faults = faults(e, self.family)?.unwrap_or(0);
        self.faults = self.faults.max(position.rounds.saturating_add(faults));
        Ok(())
    }

    fn effect(&mut self, effect: &Effect, position: Position) -> Result<(), NotConfirmed> {
        match effect {
            Effect::Assign { place, value } => {
                let from = self.kind(value)?;
                let to = self.place(place, false)?;
                let fits = match (from, to) {
                    (Kind::Kept | Kind::Held, to) => to == Kind::Held,
                    (Kind::Plain, to) => to == Kind::Plain,
                    (Kind::Zero, to) => to != Kind::Kept,
                };
                if !fits {
                    return Err(NotConfirmed::at(
                        value.span,
                        "a number and a member take each other's place",
                    ));
                }
                let mut found = self.count(value, Use::Decides, position);
                place.each_part(&mut |part| {
                    if found.is_ok() {
                        found = self.count(part, Use::Decides, position);
                    }
                });
                found
            }
            Effect::Assert { condition } => self.condition(condition, Use::Decides, position),
            Effect::Print { text } => {
                let arguments = match text {
                    Print::Format { arguments, .. } => &arguments[..],
                    Print::Name(e) => std::slice::from_ref(e),
                };
                arguments.iter().try_for_each(|e| {
                    self.kind(e)?;
                    self.count(e, Use::Decides, position)
                })
            }
            Effect::Fail { .. } | Effect::Abandon => Ok(()),
            Effect::Spawn { .. } | Effect::SetPriority { .. } | Effect::Insert(_) => Err(
                NotConfirmed::whole("a rule makes processes, or elements of a multiset"),
            ),
        }
    }

    /// Requires that an expression is no member.
    fn plain(&mut self, e: &Expr) -> Result<(), NotConfirmed> {
        match self.kind(e)? {
            Kind::Plain | Kind::Zero => Ok(()),
            Kind::Kept | Kind::Held => {
                Err(NotConfirmed::at(e.span, "a member is used as a number"))
            }
        }
    }

    /// What an expression is. Whatever is neither a number nor a member is refused.
    fn kind(&mut self, e: &Expr) -> Result<Kind, NotConfirmed> {
        match &e.kind {
            ExprKind::Const(0) => Ok(Kind::Zero),
            ExprKind::Const(_) => Ok(Kind::Plain),
            ExprKind::Read(place) => self.place(place, true),
            ExprKind::Bound(binder) => Ok(match self.bound[binder.index()] {
                true => Kind::Kept,
                false => Kind::Plain,
            }),
            ExprKind::Unary(UnaryOp::Defined, inner) => self.kind(inner),
            ExprKind::Unary(_, inner) => {
                self.plain(inner)?;
                Ok(Kind::Plain)
            }
            ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, left, right) => {
                match (self.kind(left)?, self.kind(right)?) {
                    (Kind::Held, Kind::Held) => self.compares_cells = true,
                    (Kind::Plain, Kind::Kept | Kind::Held)
                    | (Kind::Kept | Kind::Held, Kind::Plain) => {
                        return Err(NotConfirmed::at(
                            e.span,
                            "a member is compared with a number",
                        ));
                    }
                    _ => {}
                }
                Ok(Kind::Plain)
            }
            ExprKind::Binary(_, left, right) => {
                self.plain(left)?;
                self.plain(right)?;
                Ok(Kind::Plain)
            }
            ExprKind::Conditional(condition, yes, no) => {
                self.plain(condition)?;
                match (self.kind(yes)?, self.kind(no)?) {
                    (Kind::Zero, other) | (other, Kind::Zero) => Ok(other),
                    (Kind::Plain, Kind::Plain) => Ok(Kind::Plain),
                    (Kind::Plain, _) | (_, Kind::Plain) => Err(NotConfirmed::at(
                        e.span,
                        "a number and a member take each other's place",
                    )),
                    (one, other) if one == other => Ok(one),
                    _ => Ok(Kind::Held),
                }
            }
            ExprKind::Quantified(quantified) => {
                let over_members = self.family.holds(quantified.variable.scalar);
                let in_no_order = quantified.evaluation == Evaluation::Strict
                    && are_all_members(&quantified.values, self.size)
                    && matches!(
                        quantified.quantifier,
                        Quantifier::ForAll | Quantifier::Exists
                    );
                if over_members && !in_no_order {
                    return Err(NotConfirmed::at(
                        e.span,
                        "members are counted or put in an order",
                    ));
                }
                self.bound.push(over_members);
                let body = self.plain(&quantified.body);
                self.bound.pop();
                body.map(|()| Kind::Plain)
            }
            _ => Err(NotConfirmed::at(
                e.span,
                "something is asked of processes or channels",
            )),
        }
    }

    /// What a place holds. Writing to it reads no cell.
    fn place(&mut self, place: &Place, is_read: bool) -> Result<Kind, NotConfirmed> {
        let model = self.model;
        let variable = match place.root {
            Root::Global(id) => model.global(id),
            Root::Local(id) => &self.locals[id.index()],
            _ => {
                return Err(NotConfirmed::at(
                    place.span,
                    "a variable of another process is used",
                ));
            }
        };
        let (mut ty, mut indices): (&Type, &[ArrayIndex]) = (&variable.ty, &variable.indices);
        let mut count = 1_usize;
        for part in &place.path {
            match (part, ty) {
                (Projection::Field(field), Type::Record(id)) => {
                    let field = &model.record(*id).fields[*field as usize];
                    (ty, indices) = (&field.ty, &field.indices);
                }
                (Projection::Index(index), Type::Array { element, length }) => {
                    let by_members = self.family.indexes(indices.first());
                    self.index(index, by_members)?;
                    if index.as_constant().is_none() {
                        count = count.saturating_mul(*length as usize);
                    }
                    (ty, indices) = (element, indices.get(1..).unwrap_or(&[]));
                }
                _ => {
                    return Err(NotConfirmed::at(
                        place.span,
                        "a place is not what its type says",
                    ));
                }
            }
        }
        match ty {
            Type::Scalar(scalar) if self.family.holds(*scalar) => {}
            _ => return Ok(Kind::Plain),
        }
        match place.root {
            Root::Local(local) if self.kept.contains(&local) => Ok(Kind::Kept),
            Root::Global(_) if is_read => {
                self.cells.insert(cell(place), count);
                Ok(Kind::Held)
            }
            _ => Ok(Kind::Held),
        }
    }

    /// An array with an element for each member is indexed by members, and any other one by numbers.
    fn index(&mut self, index: &Expr, by_members: bool) -> Result<(), NotConfirmed> {
        match (self.kind(index)?, by_members) {
            (Kind::Plain | Kind::Zero, false) | (Kind::Kept, true) => Ok(()),
            (Kind::Held, true) => {
                self.compares_cells = true;
                self.followed.insert(index.span);
                Ok(())
            }
            (_, true) => Err(NotConfirmed::at(
                index.span,
                "one particular member is used",
            )),
            (_, false) => Err(NotConfirmed::at(index.span, "a member is used as a number")),
        }
    }
}

/// The name of a cell, or of several if an index is no constant.
fn cell(place: &Place) -> String {
    let mut name = format!("{:?}", place.root);
    for part in &place.path {
        match part {
            Projection::Field(field) => name.push_str(&format!(".{field}")),
            Projection::Index(index) => match index.as_constant() {
                Some(index) => name.push_str(&format!("[{index}]")),
                None => name.push_str("[*]"),
            },
        }
    }
    name
}

/// The name of the one cell that an expression reads.
fn constant_cell(e: &Expr) -> Option<String> {
    match &e.kind {
        ExprKind::Unary(UnaryOp::Defined, inner) => constant_cell(inner),
        ExprKind::Read(place) => {
            let name = cell(place);
            (!name.contains('*')).then_some(name)
        }
        _ => None,
    }
}
