//! The checker.
//!
//! Trusted, with the front ends, the intermediate representation, and the interpreter. It is meant to be read:
//!
//! 1. models of several sizes, among them all of `k` to `k + w` members, are the same but for the size of the family ([`crate::alike`], [`crate::words`]);
//! 2. a step of any number of members is one of `k` members and `w` others at the most, and so is whatever goes wrong ([`crate::demands`]);
//! 3. every view of a state that a model with `k` to `k + w` members starts in is one of the invariant;
//! 4. for every configuration of `k` to `k + w` members all of whose views are in the invariant, nothing goes wrong in it or in a step inside of it, and all views of what follows are in the
//!    invariant.
//!
//! Then all views of all states that are reached with `k` members or more are in the invariant, by induction: those of the first ones by 3, for a start is made of steps as in 2. Behind a step, look
//! at any `k` members, and keep these and the others of 2 of the state before it: that is a configuration as in 4, the step is possible in it, and so the view is in the invariant.
//! And if something went wrong, it would go wrong in such a configuration.
//!
//! A size that is too small for a run to begin is passed over: then no state has so few members, and what is kept may be more.

use crate::alike::{require_alike, with_one_outside};
use crate::cells::{Cells, OTHER, View};
use crate::demands::{Demands, demands};
use crate::family::{Family, NotConfirmed};
use crate::text::{Invariant, read};
use crate::words::require_only_size;
use mandala_interpreter::{Configuration, Interpreter};
use mandala_model::ids::MonitorId;
use mandala_model::instantiate::without_calls;
use mandala_model::property::PropertyKind;
use mandala_model::source::{Sources, Span};
use mandala_model::state::{State, Value};
use mandala_model::step::{Fault, FaultKind, Observers, Turn, Violation};
use mandala_model::verify::verify;
use mandala_model::{Model, UncheckedModel};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;

/// The sizes that are compared in any case. The code of the first one is read.
const SIZES: [u32; 3] = [3, 4, 5];

/// The name of what is not stated: no assertion fails, and there are no run-time errors.
const SAFETY: &str = "safety";

/// A model as a front end makes it, and the texts that it is made of.
#[derive(Clone, Debug)]
pub struct Source {
    /// The model.
    pub model: UncheckedModel,
    /// The texts.
    pub sources: Sources,
}

/// Makes the model with so many members, or says why there is none.
pub type Load<'a> = dyn FnMut(u32) -> Result<Source, String> + 'a;

/// What was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    /// How many views the invariant has.
    pub views: usize,
    /// How many members more than a view a configuration had at the most.
    pub more: usize,
    /// How many configurations there are all of whose views it has.
    pub configurations: u64,
    /// How many steps can be made in these.
    pub steps: u64,
}

/// Why an invariant is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// Why.
    pub message: String,
    /// Where in the model.
    pub span: Option<Span>,
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<NotConfirmed> for Rejected {
    fn from(why: NotConfirmed) -> Self {
        Rejected {
            message: why.to_string(),
            span: why.span,
        }
    }
}

fn rejected<T>(why: impl Into<String>) -> Result<T, Rejected> {
    let message = why.into();
    Err(Rejected {
        message,
        span: None,
    })
}

/// Accepts or rejects the text of an invariant of a model. `keep_going` is asked from time to time.
///
/// # Errors
///
/// Why the invariant is none, or does not show what it should.
pub fn check(
    text: &str,
    load: &mut Load<'_>,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<Accepted, Rejected> {
    let (head, _) = Invariant::head(text).map_err(|error| rejected_by(&error))?;
    let mut models = Models::read(&head, load)?;
    let base = verified(models.base.clone())?;
    let size = SIZES[0] as usize;
    let cells = Cells::of(&base, &models.family, size);
    let invariant = read(text, &base, &cells).map_err(|error| rejected_by(&error))?;
    let plain = without_calls(&base).map_err(|error| rejected_by(&error))?;
    let plain = plain.map_or(base, |instances| instances.model);
    let demands = demands(&plain, &models.family, SIZES[0])?;
    let k = invariant.members;
    let views: HashSet<&View> = invariant.views.iter().collect();
    let mut accepted = Accepted {
        views: views.len(),
        more: demands.participants.max(demands.together.saturating_sub(k)),
        ..Accepted::default()
    };
    let mut begun = false;
    for size in k..=k + accepted.more {
        let Some(model) = models.of_size(size as u32)? else {
            continue;
        };
        let started = verified(model.clone())?;
        let checked = verified(with_one_outside(model, &models.family))?;
        let of = |model| Size {
            cells: Cells::of(model, &models.family, size),
            interpreter: Interpreter::new(model, Observers::default()),
            views: &views,
            demands: &demands,
            size,
            k,
        };
        if !of(&started).starts()? {
            if begun {
                return rejected("no run begins with more members, though runs begin with fewer");
            }
            continue;
        }
        begun = true;
        let size = of(&checked);
        let base = size.interpreter.start();
        let base = base.map_err(|_| rejected_by(&"the start of the model fails"))?;
        for configuration in size.configurations(&invariant) {
            if !keep_going() {
                return rejected("interrupted");
            }
            accepted.configurations += 1;
            accepted.steps += size.closed(&configuration, &base.state)?;
        }
    }
    match begun {
        true => Ok(accepted),
        false => rejected("no run begins"),
    }
}

fn rejected_by(error: &impl fmt::Display) -> Rejected {
    Rejected {
        message: error.to_string(),
        span: None,
    }
}

fn verified(model: UncheckedModel) -> Result<Model, Rejected> {
    verify(model).map_err(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        rejected_by(&errors.join("; "))
    })
}

/// The models of several sizes, which differ in nothing else.
struct Models<'l, 'f> {
    load: &'l mut Load<'f>,
    head: &'l Invariant,
    family: Family,
    base: UncheckedModel,
}

impl<'l, 'f> Models<'l, 'f> {
    fn read(head: &'l Invariant, load: &'l mut Load<'f>) -> Result<Self, Rejected> {
        let first = load(SIZES[0]).map_err(|why| rejected_by(&why))?;
        let Some(family) = Family::named(&first.model, &head.family) else {
            return rejected(format!("the model has no family `{}`", head.family));
        };
        require_only_size(&first.sources, first.model.language, &head.constant)?;
        let mut models = Models {
            load,
            head,
            family,
            base: only(first.model, &head.properties)?,
        };
        for size in SIZES {
            models.of_size(size)?;
        }
        Ok(models)
    }

    /// The model of a size. There may be none of a small one.
    fn of_size(&mut self, size: u32) -> Result<Option<UncheckedModel>, Rejected> {
        let model = match (self.load)(size) {
            Ok(source) => only(source.model, &self.head.properties)?,
            Err(_) if size < SIZES[0] => return Ok(None),
            Err(why) => return rejected(why),
        };
        let base = (&self.base, SIZES[0]);
        require_alike(base, (&model, size), &self.family, &self.head.constant)?;
        Ok(Some(model))
    }
}

/// The model with those of its invariants that are to be shown, and no other properties.
fn only(mut model: UncheckedModel, names: &[String]) -> Result<UncheckedModel, Rejected> {
    for name in names.iter().filter(|name| *name != SAFETY) {
        let is_it = |p: &mandala_model::property::Property| {
            p.name == *name && matches!(p.kind, PropertyKind::Invariant { .. })
        };
        if !model.properties.iter().any(is_it) {
            return rejected(format!("the model has no invariant `{name}`"));
        }
    }
    let observes =
        |p: &mandala_model::property::Property| matches!(p.kind, PropertyKind::Events { .. });
    if let Some(events) = model.properties.iter().find(|p| observes(p)) {
        return Err(NotConfirmed::at(
            events.span,
            "messages are observed, which are those of all members",
        )
        .into());
    }
    let monitors = std::mem::take(&mut model.monitors);
    let mut kept = Vec::new();
    model.properties.retain_mut(|property| {
        let PropertyKind::Invariant { monitors: own } = &mut property.kind else {
            return false;
        };
        let is_wanted = names.contains(&property.name);
        for monitor in own.iter_mut().filter(|_| is_wanted) {
            kept.push(monitors[monitor.index()].clone());
            *monitor = MonitorId::from(kept.len() - 1);
        }
        is_wanted
    });
    model.monitors = kept;
    model.conditions.clear();
    Ok(model)
}

/// A shared part and members, as a view has them.
struct Members<'v> {
    shared: Vec<Value>,
    members: Vec<&'v Vec<Value>>,
}

/// The check for one number of members.
struct Size<'m> {
    cells: Cells,
    interpreter: Interpreter<'m>,
    views: &'m HashSet<&'m View>,
    demands: &'m Demands,
    size: usize,
    k: usize,
}

impl Size<'_> {
    /// The states that runs start in have views of the invariant. Gives whether there are some.
    fn starts(&self) -> Result<bool, Rejected> {
        let start = self.interpreter.start();
        let start = start.map_err(|_| rejected_by(&"the start of the model fails"))?;
        if start.turn == Turn::Free {
            self.require_views(&start.state, "a state that runs start in")?;
            return Ok(true);
        }
        let mut any = false;
        for chain in self.interpreter.chains(&start) {
            let violations = chain.steps.iter().flat_map(|step| &step.violations);
            self.require_none(violations, "the start")?;
            if let Some(next) = chain.successor() {
                self.require_views(&next.state, "a state that runs start in")?;
                any = true;
            }
        }
        Ok(any)
    }

    /// All configurations of this size whose views the invariant has.
    fn configurations<'v>(&self, invariant: &'v Invariant) -> Vec<Members<'v>> {
        // What is shared, but for which of the members that are held are among those that are seen, and the members that are seen with it.
        let mut seen: BTreeMap<Vec<Value>, BTreeSet<&'v Vec<Value>>> = BTreeMap::new();
        for view in &invariant.views {
            let members = seen.entry(self.without_members(&view.shared)).or_default();
            members.extend(&view.members);
        }
        let mut found = Vec::new();
        for (shared, members) in seen {
            let members: Vec<&Vec<Value>> = members.into_iter().collect();
            let mut chosen = Vec::new();
            self.choose(&shared, &members, 0, &mut chosen, &mut found);
        }
        found
    }

    fn without_members(&self, shared: &[Value]) -> Vec<Value> {
        let mut shared = shared.to_vec();
        for holder in self.cells.holders() {
            if shared[holder] != 0 {
                shared[holder] = OTHER;
            }
        }
        shared
    }

    /// Adds members, in ascending order, as long as all views are in the invariant.
    fn choose<'v>(
        &self,
        shared: &[Value],
        members: &[&'v Vec<Value>],
        from: usize,
        chosen: &mut Vec<&'v Vec<Value>>,
        found: &mut Vec<Members<'v>>,
    ) {
        if chosen.len() == self.size {
            found.push(Members {
                shared: shared.to_vec(),
                members: chosen.clone(),
            });
            return;
        }
        for next in from..members.len() {
            chosen.push(members[next]);
            if self.is_possible(shared, chosen) {
                self.choose(shared, members, next, chosen, found);
            }
            chosen.pop();
        }
    }

    /// Whether no cell holds two of the members, and all views that the last one is in are in the invariant.
    fn is_possible(&self, shared: &[Value], members: &[&Vec<Value>]) -> bool {
        let holders = self.cells.holders();
        let marks = |member: &&Vec<Value>, mark: usize| member[member.len() - holders.len() + mark];
        let held = |mark: usize| members.iter().map(|m| marks(m, mark)).sum::<Value>();
        if (0..holders.len()).any(|mark| held(mark) > 1) {
            return false;
        }
        if members.len() < self.k {
            return true;
        }
        let last = members.len() - 1;
        let mut possible = true;
        each_choice(last, self.k - 1, &mut |others| {
            let mut seen: Vec<Vec<Value>> = others.iter().map(|m| members[*m].clone()).collect();
            seen.push(members[last].clone());
            seen.sort();
            let mut shared = shared.to_vec();
            for (mark, holder) in holders.iter().enumerate() {
                let held = seen.iter().any(|m| marks(&m, mark) == 1);
                if shared[*holder] != 0 {
                    shared[*holder] = if held { 1 } else { OTHER };
                }
            }
            let view = View {
                shared,
                members: seen,
            };
            possible = possible && self.views.contains(&view);
        });
        possible
    }

    /// Nothing goes wrong in a configuration, and what follows has views of the invariant. Gives how many steps there are.
    fn closed(&self, members: &Members<'_>, state: &State) -> Result<u64, Rejected> {
        let mut full = state.clone();
        self.cells.put(&members.shared, &members.members, &mut full);
        let configuration = Configuration {
            state: full,
            turn: Turn::Free,
        };
        for observed in self.interpreter.observations(&configuration) {
            self.require_none(observed.violations.iter(), "a configuration")?;
        }
        let mut steps = 0;
        for chain in self.interpreter.chains(&configuration) {
            let violations = chain.steps.iter().flat_map(|step| &step.violations);
            self.require_none(violations, "a step inside of a configuration")?;
            if let Some(next) = chain.successor() {
                steps += 1;
                self.require_views(&next.state, "what follows a configuration")?;
                if self.cells.of_nobody(&next.state) != self.cells.of_nobody(state) {
                    return rejected("an element of an array is changed that belongs to no member");
                }
            }
        }
        Ok(steps)
    }

    fn require_views(&self, state: &State, what: &str) -> Result<(), Rejected> {
        let mut missing = None;
        each_choice(self.size, self.k, &mut |from| {
            let view = self.cells.view(state, from);
            if !self.views.contains(&view) {
                missing = Some(view);
            }
        });
        match missing {
            None => Ok(()),
            Some(view) => rejected(format!(
                "{what} has a view that the invariant does not have: {view:?}"
            )),
        }
    }

    /// Nothing goes wrong, but that a member is not there that is left out.
    fn require_none<'a>(
        &self,
        violations: impl Iterator<Item = &'a Violation>,
        what: &str,
    ) -> Result<(), Rejected> {
        let outside = self.size as Value + 1;
        let is_nothing = |violation: &Violation| match violation {
            Violation::Deadlock => true,
            Violation::Fault(Fault {
                kind: FaultKind::IndexOutOfRange { index, .. },
                span,
                ..
            }) => *index == outside && self.demands.followed.contains(span),
            _ => false,
        };
        let mut violations = violations.filter(|violation| !is_nothing(violation));
        match violations.next() {
            None => Ok(()),
            Some(violation) => rejected(format!("something goes wrong in {what}: {violation:?}")),
        }
    }
}

/// Calls `visit` with each choice of so many of the first numbers, in ascending order.
fn each_choice(all: usize, wanted: usize, visit: &mut impl FnMut(&[usize])) {
    fn go(
        from: usize,
        all: usize,
        wanted: usize,
        chosen: &mut Vec<usize>,
        visit: &mut impl FnMut(&[usize]),
    ) {
        if chosen.len() == wanted {
            return visit(chosen);
        }
        for next in from..all {
            chosen.push(next);
            go(next + 1, all, wanted, chosen, visit);
            chosen.pop();
        }
    }
    go(0, all, wanted, &mut Vec::new(), visit);
}
