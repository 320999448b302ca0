//! The conditions under which a proof by views is one, checked on the code of a model without calls.
//!
//! What comes out is how many members a step can ask for by themselves ([`Needs`]): so many more than a view has a configuration must have. `lib.rs` has the argument;
//! each refusal here names the part of it that breaks.
//!
//! | file | what it has |
//! |---|---|
//! | `names` | families of names: which variables hold members, which parameters, steps and monitors there are |
//! | `questions` | expressions: what is asked of members, and how many of them that takes |
//! | `steps` | effects and routines |
//! | `loops` | loops over the family |
//! | `processes` | families of processes |

mod loops;
mod names;
mod processes;
mod questions;
mod steps;

use crate::family::Family;
use crate::refusal::{Condition, Refused};
use mandala_model::Model;
use mandala_model::source::Span;
use mandala_model::types::{Initial, Variable};
use std::collections::HashSet;

/// How many members views and configurations need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The most members that one step asks for by themselves: how many more a configuration has than a view, at the most.
    pub participants: usize,
    /// The fewest members that a view may have.
    pub view: usize,
    /// The most members that it takes for something to go wrong in a step.
    wrong: usize,
    /// Where something is looked up of a member: that the member is not among those that are looked at is no fault there.
    pub(crate) followed: HashSet<Span>,
}

impl Needs {
    /// Whether something is looked up of a member there, so that an index outside of the array is a member that is left out.
    pub fn follows(&self, place: Span) -> bool {
        self.followed.contains(&place)
    }

    /// What a step needs that asks for so many members to be taken, and for so many so that something goes wrong in it.
    fn step(&mut self, taken: usize, wrong: usize) {
        self.participants = self.participants.max(taken);
        self.wrong = self.wrong.max(wrong);
    }

    /// What goes wrong in a state for so many members.
    fn state(&mut self, members: usize) {
        self.view = self.view.max(members);
    }

    /// All steps are known: what goes wrong in one has to fit into a configuration.
    fn settled(mut self) -> Self {
        let short = self.wrong.saturating_sub(self.participants);
        self.view = self.view.max(short).max(1);
        self
    }
}

/// Checks the conditions on the code of a model, and counts. Its monitors are those of what is to be decided, and there are no calls in it.
///
/// # Errors
///
/// The first condition that it breaks, and where.
pub fn check(model: &Model, family: &Family) -> Result<Needs, Refused> {
    whole(model)?;
    let fields = model.records.iter().flat_map(|record| &record.fields);
    for variable in model.globals.iter().chain(fields) {
        initial(model, family, variable)?;
    }
    match family {
        Family::Names { .. } => names::check(model, family),
        Family::Processes(template) => processes::check(model, *template),
    }
}

/// What concerns no single place.
fn whole(model: &Model) -> Result<(), Refused> {
    let refused = |condition, message: &str| Err(Refused::whole(condition, message));
    if model.prioritised {
        return refused(Condition::Questions, "processes have priorities");
    }
    if model.tracks_last_mover {
        return refused(Condition::Questions, "steps ask who has moved last");
    }
    if let Some(set) = model.scalarsets.iter().find(|set| set.unordered) {
        let message = format!("`{}` has a capacity", set.name);
        return Err(Refused::at(Condition::Size, set.span, message));
    }
    if let Some(kind) = model.channel_kinds.first() {
        return Err(Refused::at(
            Condition::Size,
            kind.span,
            "a channel holds the messages of all members, and views have none",
        ));
    }
    Ok(())
}

/// What a variable holds at first must be the same for all members.
fn initial(model: &Model, family: &Family, variable: &Variable) -> Result<(), Refused> {
    let refused = |message: String| Err(Refused::at(Condition::Symmetry, variable.span, message));
    let is_member = {
        let scalars = model.scalars(&variable.ty);
        scalars.into_iter().any(|scalar| family.is_member(scalar))
    };
    let name = &variable.name;
    match &variable.initial {
        Initial::Default => {}
        Initial::Fill(value) => match value.as_constant() {
            Some(0) => {}
            Some(_) if !is_member => {}
            _ => return refused(format!("`{name}` starts with a value that may be a member")),
        },
        Initial::List(values) => {
            let constants: Option<Vec<i64>> = values.iter().map(|v| v.as_constant()).collect();
            let alike = constants.is_some_and(|c| c.iter().all(|v| *v == c[0]));
            if !alike && names::has_members(model, family, variable) {
                return refused(format!("the elements of `{name}` do not start alike"));
            }
            if is_member {
                return refused(format!("`{name}` starts with a value that may be a member"));
            }
        }
        Initial::NewChannel(_) => return refused(format!("`{name}` is a channel")),
    }
    Ok(())
}
