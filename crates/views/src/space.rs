//! Configurations: a shared part and some members, and what steps make of them.
//!
//! A configuration of `m` members is a state of the model with `m` members, but for members that are left out: a shared cell may hold one of those. Then it
//! has the number behind the last one, and whatever looks something up there is outside of an array. So the steps inside of a configuration
//! are the steps of that model, made by the same code as all others, and those that are about a member that is left out come to nothing.

use crate::conditions::Needs;
use crate::family::{Family, SizedModel};
use crate::parts::{Member, Parts, Shared, Split};
use crate::resized::{Outside, resized};
use mandala_encoding::{Arrival, Incomplete, Program, Sink, Stepper};
use mandala_model::instantiate::rules;
use mandala_model::state::{State, Value};
use mandala_model::step::{Fault, FaultKind, Observers, Turn, Violation};
use mandala_model::verify::verify;
use std::collections::HashMap;

/// Why there is no answer: the model needs more than the encoding has, or something here is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed(pub String);

/// Numbers for parts of states, given as they come up.
#[derive(Debug, Default)]
struct Numbered {
    numbers: HashMap<Box<[Value]>, u32>,
    parts: Vec<Box<[Value]>>,
}

impl Numbered {
    fn number(&mut self, part: Box<[Value]>) -> u32 {
        if let Some(number) = self.numbers.get(&part) {
            return *number;
        }
        let number = self.parts.len() as u32;
        self.parts.push(part.clone());
        self.numbers.insert(part, number);
        number
    }
}

/// The parts that states are made of.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    shared: Numbered,
    members: Numbered,
}

/// A shared part and members, by their numbers; the members in ascending order. Renamings of members make no difference to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Configuration {
    pub shared: u32,
    pub members: Vec<u32>,
}

impl Configuration {
    /// The same with one member more.
    pub fn with(&self, member: u32) -> Self {
        let mut members = self.members.clone();
        let place = members.partition_point(|other| *other < member);
        members.insert(place, member);
        Configuration {
            shared: self.shared,
            members,
        }
    }

    /// Calls `visit` with the same for each choice of so many members.
    pub fn each_part(&self, size: usize, visit: &mut impl FnMut(Configuration)) {
        let mut chosen = Vec::with_capacity(size);
        self.choose(0, size, &mut chosen, visit);
    }

    fn choose(
        &self,
        from: usize,
        size: usize,
        chosen: &mut Vec<u32>,
        visit: &mut impl FnMut(Configuration),
    ) {
        if chosen.len() == size {
            return visit(Configuration {
                shared: self.shared,
                members: chosen.clone(),
            });
        }
        let mut last = None;
        for place in from..self.members.len() {
            let member = self.members[place];
            if last == Some(member) {
                continue;
            }
            last = Some(member);
            chosen.push(member);
            self.choose(place + 1, size, chosen, visit);
            chosen.pop();
        }
    }
}

impl Pool {
    /// The configuration that the parts are.
    pub fn configuration(&mut self, split: Split) -> Configuration {
        let shared = self.shared.number(split.shared);
        let members = split.members.into_iter();
        let mut members: Vec<u32> = members.map(|m| self.members.number(m)).collect();
        members.sort_unstable();
        Configuration { shared, members }
    }

    /// The shared part of a configuration.
    pub fn shared(&self, configuration: &Configuration) -> &Shared {
        &self.shared.parts[configuration.shared as usize]
    }

    /// The members of a configuration.
    pub fn members(&self, configuration: &Configuration) -> Vec<&[Value]> {
        let members = configuration.members.iter();
        members.map(|m| &*self.members.parts[*m as usize]).collect()
    }

    /// The parts of a configuration.
    pub fn split(&self, configuration: &Configuration) -> Split {
        Split {
            shared: self.shared(configuration).clone(),
            members: {
                let members = self.members(configuration).into_iter();
                members.map(Member::from).collect()
            },
        }
    }
}

/// The model with one number of members, ready to be executed.
#[derive(Debug)]
pub(crate) struct Sized {
    pub program: Program,
    pub parts: Parts,
    pub size: usize,
    outside: Outside,
}

impl Sized {
    /// Makes it.
    pub fn new(
        base: SizedModel<'_>,
        family: &Family,
        size: usize,
        outside: Outside,
    ) -> Result<Self, Failed> {
        let model = resized(base, family, size as u32, outside);
        let model = verify(model).map_err(|errors| {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            Failed(errors.join("; "))
        })?;
        let model = rules(model).map_err(|error| Failed(error.to_string()))?;
        let program = Program::compile(&model, Observers::default());
        Ok(Sized {
            program: program.map_err(|error| Failed(error.to_string()))?,
            parts: Parts::of(&model, family, size),
            size,
            outside,
        })
    }
}

/// Makes the steps of one number of members.
#[derive(Debug)]
pub(crate) struct Steps<'s> {
    sized: &'s Sized,
    stepper: Stepper<'s>,
    /// A state to put parts into.
    state: Option<State>,
}

/// What comes of steps.
#[derive(Debug, Default)]
pub(crate) struct Followed {
    /// What the states behind them are.
    pub successors: Vec<Split>,
    /// What goes wrong.
    pub violations: Vec<Violation>,
}

struct Collect<'c> {
    sized: &'c Sized,
    found: Followed,
    /// The first state that was told.
    first: Option<State>,
}

impl Sink for Collect<'_> {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, _: Turn) {
        if let Some(state) = self.sized.program.decode(arrival.packed()) {
            self.found.successors.push(self.sized.parts.split(&state));
            self.first.get_or_insert(state);
        }
    }

    fn violation(&mut self, violation: Violation) {
        self.found.violations.push(violation);
    }
}

impl<'s> Steps<'s> {
    pub fn new(sized: &'s Sized) -> Self {
        Steps {
            sized,
            stepper: sized.program.stepper(),
            state: None,
        }
    }

    /// The states that runs start in.
    pub fn start(&mut self) -> Result<Followed, Failed> {
        let mut sink = self.collect();
        let told = self.stepper.start(&mut sink);
        told.map_err(|_| Failed("the first state is too large".into()))?;
        self.state = sink.first;
        Ok(sink.found)
    }

    fn collect(&self) -> Collect<'s> {
        Collect {
            sized: self.sized,
            found: Followed::default(),
            first: None,
        }
    }

    /// What follows a configuration. What is about a member that is left out comes to nothing.
    pub fn follow(
        &mut self,
        pool: &Pool,
        configuration: &Configuration,
        needs: &Needs,
    ) -> Result<Followed, Failed> {
        let Some(state) = &mut self.state else {
            return Ok(Followed::default());
        };
        let members = pool.members(configuration);
        let parts = &self.sized.parts;
        parts.join(pool.shared(configuration), &members, state);
        let packed = self.sized.program.encode(state);
        let packed = packed.ok_or_else(|| Failed("a configuration is no state".into()))?;
        let mut sink = self.collect();
        match self.stepper.expand(&packed, Turn::Free, &mut sink) {
            Ok(()) => {}
            Err(Incomplete::Oversize | Incomplete::Stopped) => {
                return Err(Failed("a state is too large".into()));
            }
        }
        let mut found = sink.found;
        let outside = self.sized.size as i64 + 1;
        let is_left_out = |violation: &Violation| match violation {
            Violation::Deadlock => true,
            Violation::Fault(Fault {
                kind: FaultKind::IndexOutOfRange { index, .. },
                span,
                ..
            }) => {
                self.sized.outside == Outside::Possible
                    && *index == outside
                    && needs.followed.contains(span)
            }
            _ => false,
        };
        found.violations.retain(|v| !is_left_out(v));
        Ok(found)
    }
}

impl<'s> Steps<'s> {
    /// The parts of its states.
    pub fn parts(&self) -> &'s Parts {
        &self.sized.parts
    }
}
