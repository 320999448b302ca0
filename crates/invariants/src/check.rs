//! The checker.
//!
//! Trusted, with the interpreter, the conditions, and the model of configurations. It is meant to be read:
//!
//! 1. every view of a state that a model with `k` to `k + w` members starts in is one of the invariant;
//! 2. for every configuration of `k` to `k + w` members all of whose views are in the invariant, nothing goes wrong in it or in a step inside of it, and all views of what follows are in the
//!    invariant.

use crate::cells::{Cells, OTHER, View};
use crate::text::Invariant;
use mandala_interpreter::{Configuration, Interpreter};
use mandala_model::state::{State, Value};
use mandala_model::step::{Fault, FaultKind, Observers, Turn, Violation};
use mandala_model::verify::verify;
use mandala_model::{Model, UncheckedModel};
use mandala_views::{Family, Needs, SizedModel, configuration_model, sized_model};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;

/// What was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    /// How many views the invariant has.
    pub views: usize,
    /// How many configurations there are all of whose views it has.
    pub configurations: u64,
    /// How many steps can be made in these.
    pub steps: u64,
}

/// Why an invariant is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected(pub String);

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn rejected<T>(why: impl Into<String>) -> Result<T, Rejected> {
    Err(Rejected(why.into()))
}

/// Accepts or rejects an invariant of a model. `base` has the invariants that are to be shown, and no other properties; it satisfies the conditions, for which so many members are
/// needed. `keep_going` is asked from time to time.
///
/// # Errors
///
/// Why the invariant is none, or does not show what it should.
pub fn check(
    base: SizedModel<'_>,
    family: &Family,
    needs: &Needs,
    invariant: &Invariant,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<Accepted, Rejected> {
    let k = invariant.members;
    if k < needs.view || k == 0 {
        return rejected(format!("views need {} members at least", needs.view));
    }
    let views: HashSet<&View> = invariant.views.iter().collect();
    let mut accepted = Accepted {
        views: views.len(),
        ..Accepted::default()
    };
    for size in k..=k + needs.participants {
        let started = verified(sized_model(base, family, size as u32))?;
        let checked = verified(configuration_model(base, family, size as u32))?;
        let of = |model| Size {
            cells: Cells::of(model, family, size),
            interpreter: Interpreter::new(model, Observers::default()),
            views: &views,
            needs,
            size,
            k,
        };
        let start = of(&started).starts()?;
        let Some(state) = start else {
            continue;
        };
        let size = of(&checked);
        for configuration in size.configurations(invariant)? {
            if !keep_going() {
                return rejected("interrupted");
            }
            accepted.configurations += 1;
            accepted.steps += size.closed(&configuration, &state)?;
        }
    }
    Ok(accepted)
}

fn verified(model: UncheckedModel) -> Result<Model, Rejected> {
    verify(model).map_err(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        Rejected(errors.join("; "))
    })
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
    needs: &'m Needs,
    size: usize,
    k: usize,
}

impl Size<'_> {
    /// The states that runs start in have views of the invariant. Gives one of them.
    fn starts(&self) -> Result<Option<State>, Rejected> {
        let start = self.interpreter.start();
        let start = start.map_err(|_| Rejected("the start of the model fails".into()))?;
        if start.turn == Turn::Free {
            self.require_views(&start.state, "a state that runs start in")?;
            return Ok(Some(start.state));
        }
        let mut first = None;
        for chain in self.interpreter.chains(&start) {
            let violations = chain.steps.iter().flat_map(|step| &step.violations);
            self.require_none(violations, "the start")?;
            if let Some(next) = chain.successor() {
                self.require_views(&next.state, "a state that runs start in")?;
                first.get_or_insert_with(|| next.state.clone());
            }
        }
        Ok(first)
    }

    /// All configurations of this size whose views the invariant has.
    fn configurations<'v>(&self, invariant: &'v Invariant) -> Result<Vec<Members<'v>>, Rejected> {
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
        Ok(found)
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
        for (mark, holder) in holders.iter().enumerate() {
            let held: Value = members.iter().map(|m| marks(m, mark)).sum();
            if held > 1 || held == 1 && shared[*holder] == 0 {
                return false;
            }
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
        let mut state = state.clone();
        self.cells
            .put(&members.shared, &members.members, &mut state);
        let configuration = Configuration {
            state,
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
            }) => *index == outside && self.needs.follows(*span),
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
