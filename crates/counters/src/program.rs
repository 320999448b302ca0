//! Counter programs: the steps of a model as changes of a shared part and of counts.
//!
//! Shared parts and local states are known by numbers, in the order in which they are met. A state is the number of its shared part and, for each local state that some
//! member is in, how many are ([`Counted`]). Where steps concern one member at most ([`crate::local`]) they are found once for each pair of a shared part and a local state, by the
//! interpreter, and looked up from then on. Otherwise they are found in a state that is written out, one for each local state of who moves.

use crate::local::{Locality, Parameters};
use crate::parts::{Member, Parts, Split};
use crate::refusal::Refused;
use mandala_interpreter::{Configuration, Interpreter, MacroStep};
use mandala_model::Model;
use mandala_model::ids::{EdgeId, LocationId, NodeId, TemplateId};
use mandala_model::model::Deadlock;
use mandala_model::state::{State, Value};
use mandala_model::step::{Actor, Fault, Observers, StepLabel, Turn, Violation};
use mandala_prepare::Prepared;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// How many steps are looked at for the chains from one state: those that fit into some gigabytes.
pub const MOST_STEPS: usize = 1 << 19;

/// The number of a shared part.
pub type SharedId = u32;

/// The number of a local state of a member of some family.
pub type LocalId = u32;

/// A state up to the names of members: its shared part, and how many members are in which local state, in the order of these.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Counted {
    /// The shared part.
    pub shared: SharedId,
    /// The local states that somebody is in, and how many are.
    pub entries: Vec<(LocalId, u32)>,
}

/// Who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mover {
    /// Nobody of the families.
    Single,
    /// A member in that local state.
    Member(LocalId),
}

/// A step of somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The shared part after it, and the local state of the member that has moved; nothing if there is no state after it.
    pub to: Option<(SharedId, LocalId)>,
    /// What goes wrong on it.
    pub violations: Vec<Violation>,
    /// The statements that were executed, one after the other.
    pub labels: Vec<StepLabel>,
    /// The nodes of routines that were executed.
    pub nodes: Vec<(EdgeId, NodeId)>,
    /// Where processes were on the way.
    pub locations: Vec<(TemplateId, LocationId)>,
}

/// What a step leads to, and how many steps it stands for.
#[derive(Clone, Debug)]
pub struct Firing {
    /// The state after it, if there is one.
    pub to: Option<Counted>,
    /// For how many steps it stands: one of each member in the local state of the one that moves.
    pub weight: u64,
    /// What it does.
    pub step: Rc<Step>,
}

/// More steps follow each other without a state in between than can be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooWide;

/// A model as a counter program.
pub struct Program<'m> {
    prepared: &'m Prepared,
    interpreter: Interpreter<'m>,
    parts: Parts,
    /// The parts of the states in which steps of one member are found.
    near: Parts,
    /// Why steps are found in states that are written out, if they are.
    spread: Option<Refused>,
    shared: Numbers<Vec<Value>>,
    locals: Numbers<(usize, Vec<Value>)>,
    steps: HashMap<(Mover, SharedId), Rc<[Rc<Step>]>>,
    /// The states that runs start in.
    starts: Vec<State>,
}

/// Things with numbers, in the order in which they were met.
#[derive(Clone, Debug)]
struct Numbers<T> {
    all: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T: Clone + Eq + std::hash::Hash> Numbers<T> {
    fn none() -> Self {
        Numbers {
            all: Vec::new(),
            numbers: HashMap::new(),
        }
    }

    fn number(&mut self, thing: T) -> u32 {
        if let Some(number) = self.numbers.get(&thing) {
            return *number;
        }
        let number = self.all.len() as u32;
        self.all.push(thing.clone());
        self.numbers.insert(thing, number);
        number
    }
}

/// Why nothing can be counted.
#[derive(Clone, Debug)]
pub enum NoProgram {
    /// The model is none that counters are for.
    Refused(Refused),
    /// The model goes wrong before its first state.
    Fault(Fault),
}

impl From<Refused> for NoProgram {
    fn from(refused: Refused) -> Self {
        NoProgram::Refused(refused)
    }
}

impl<'m> Program<'m> {
    /// The counter program of what is searched.
    ///
    /// # Errors
    ///
    /// If the model is none that counters are for, or goes wrong before its first state.
    pub fn new(prepared: &'m Prepared, observers: Observers) -> Result<Self, NoProgram> {
        let model: &Model = &prepared.searched;
        let interpreter = Interpreter::new(model, observers);
        if observers.claim.is_some() || observers.events.is_some() {
            let what = "an observer runs along with the system";
            return Err(Refused::whole(what).into());
        }
        let start = interpreter.start().map_err(NoProgram::Fault)?;
        let parts = Parts::of(model, prepared.certificate.as_ref(), &start.state)?;
        let (spread, near) = {
            let locality = Locality::new(prepared, &parts);
            locality.require_population(&start.state)?;
            let near = match locality.asks_for_population(&start.state) {
                true => parts.clone(),
                false => parts.shortened(),
            };
            (locality.require_local(&start.state).err(), near)
        };
        let starts = starts(&interpreter, start)?;
        Ok(Program {
            prepared,
            interpreter,
            parts,
            near,
            spread,
            shared: Numbers::none(),
            locals: Numbers::none(),
            steps: HashMap::new(),
            starts,
        })
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.interpreter.model()
    }

    /// What the model means.
    pub fn interpreter(&self) -> &Interpreter<'m> {
        &self.interpreter
    }

    /// Which cells are whose.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// The states that runs start in.
    pub fn starts(&self) -> &[State] {
        &self.starts
    }

    /// Why steps have to be found in states that are written out, if that is so: somebody's step may concern several members.
    pub fn is_spread(&self) -> Option<&Refused> {
        self.spread.as_ref()
    }

    /// The family and the values of a local state.
    pub fn local(&self, number: LocalId) -> (usize, &[Value]) {
        let (family, values) = &self.locals.all[number as usize];
        (*family, values)
    }

    /// How many local states have been met.
    pub fn local_count(&self) -> usize {
        self.locals.all.len()
    }

    /// The values of a shared part.
    pub fn shared(&self, number: SharedId) -> &[Value] {
        &self.shared.all[number as usize]
    }

    /// How many shared parts have been met.
    pub fn shared_count(&self) -> usize {
        self.shared.all.len()
    }

    /// A state up to the names of members; nothing if it has other processes or channels than there were at the start.
    pub fn counted(&mut self, state: &State) -> Option<Counted> {
        let split = self.parts.split(state)?;
        Some(self.count(split))
    }

    fn count(&mut self, split: Split) -> Counted {
        let mut counts: BTreeMap<LocalId, u32> = BTreeMap::new();
        for (family, members) in split.members.into_iter().enumerate() {
            for values in members {
                *counts
                    .entry(self.locals.number((family, values)))
                    .or_default() += 1;
            }
        }
        Counted {
            shared: self.shared.number(split.shared),
            entries: counts.into_iter().collect(),
        }
    }

    /// One of the states that are counted like that: members in the order of local states.
    pub fn spread_out(&self, counted: &Counted) -> State {
        let members = self.members_of(counted);
        let members = members.map(|(member, local)| (member, self.local(local).1));
        self.parts.join(self.shared(counted.shared), members)
    }

    /// The members of the state that is written out, each with its local state.
    fn members_of(&self, counted: &Counted) -> impl Iterator<Item = (Member, LocalId)> {
        let mut next = vec![0; self.parts.families().len()];
        let entries = counted.entries.clone().into_iter();
        let families: Vec<usize> = entries
            .clone()
            .map(|(local, _)| self.local(local).0)
            .collect();
        entries
            .zip(families)
            .flat_map(move |((local, count), family)| {
                let first = next[family];
                next[family] += count as usize;
                (first..first + count as usize).map(move |member| ((family, member), local))
            })
    }

    /// The steps from a state, one for all members in the same local state wherever steps concern one member at most.
    ///
    /// # Errors
    ///
    /// If there are too many in a row without a state in between.
    pub fn firings(&mut self, from: &Counted) -> Result<Vec<Firing>, TooWide> {
        match self.spread {
            Some(_) => self.firings_spread(from),
            None => self.firings_looked_up(from),
        }
    }

    fn firings_looked_up(&mut self, from: &Counted) -> Result<Vec<Firing>, TooWide> {
        let mut firings = Vec::new();
        let single = (Mover::Single, 1);
        let members = from.entries.iter().enumerate();
        let members =
            members.map(|(place, (local, count))| ((Mover::Member(*local), *count), Some(place)));
        for ((mover, weight), place) in std::iter::once((single, None)).chain(members) {
            for step in &*self.steps(mover, from.shared)? {
                let to = step.to.map(|(shared, local)| Counted {
                    shared,
                    entries: match place {
                        Some(place) => moved(&from.entries, place, local),
                        None => from.entries.clone(),
                    },
                });
                firings.push(Firing {
                    to,
                    weight: weight.into(),
                    step: Rc::clone(step),
                });
            }
        }
        Ok(firings)
    }

    /// The steps of somebody where that is shared.
    ///
    /// # Errors
    ///
    /// If there are too many in a row without a state in between.
    ///
    /// # Panics
    ///
    /// If steps may concern several members.
    pub fn steps(&mut self, mover: Mover, shared: SharedId) -> Result<Rc<[Rc<Step>]>, TooWide> {
        assert!(self.spread.is_none(), "a step may concern several members");
        if let Some(known) = self.steps.get(&(mover, shared)) {
            return Ok(Rc::clone(known));
        }
        let found: Rc<[Rc<Step>]> = self.find_steps(mover, shared)?.into();
        self.steps.insert((mover, shared), Rc::clone(&found));
        Ok(found)
    }

    fn find_steps(&mut self, mover: Mover, shared: SharedId) -> Result<Vec<Rc<Step>>, TooWide> {
        let member = match mover {
            Mover::Single => None,
            Mover::Member(local) => Some(((self.local(local).0, 0), local)),
        };
        let values = member.map(|(member, local)| (member, self.local(local).1));
        let state = self.near.join(self.shared(shared), values);
        let own =
            member.and_then(|((family, member), _)| self.near.families()[family].process(member));
        // A rule is one of a process that is no member, whoever its parameters are.
        let processes: Vec<u32> = match own {
            Some(process) => vec![process],
            None => self.near.single_processes().collect(),
        };
        let mut chains = Vec::new();
        for process in processes {
            let mut of_process = self
                .interpreter
                .chains_of(&state, process)
                .within(MOST_STEPS);
            let all = of_process.by_ref();
            chains.extend(all.filter(|chain| self.mover(chain) == member.map(|(m, _)| m)));
            if of_process.is_cut() {
                return Err(TooWide);
            }
        }
        let steps = chains.iter().map(|chain| {
            let to = chain.successor().map(|next| {
                let split = self.near.split(&next.state);
                let split = split.expect("there are the same processes and channels in all states");
                let shared = self.shared.number(split.shared);
                let local = member.map(|((family, member), _)| {
                    let values = split.members[family][member].clone();
                    self.locals.number((family, values))
                });
                (shared, local.unwrap_or_default())
            });
            Rc::new(step(chain, to))
        });
        Ok(steps.collect())
    }

    /// The member whose step the first of a chain is: the process, or the parameter of the rule.
    fn mover(&self, chain: &MacroStep) -> Option<Member> {
        let label = chain.steps.first()?.label;
        let process = match label.actor {
            Actor::Process(number) => self.parts.member_of_process(number),
            Actor::Claim => None,
        };
        let parameters = Parameters::new(self.prepared, &self.parts);
        let chosen = || {
            parameters
                .members(label.edge, label.choice)?
                .into_iter()
                .next()
        };
        process.or_else(chosen)
    }

    /// The steps from a state that is written out: of the members in one local state, those of the first. Each is followed by itself, as ways of several that meet would be walked
    /// once, for one of them.
    fn firings_spread(&mut self, from: &Counted) -> Result<Vec<Firing>, TooWide> {
        let state = self.spread_out(from);
        let counts: HashMap<LocalId, u32> = from.entries.iter().copied().collect();
        let mut met = HashSet::new();
        let singles = self.parts.single_processes().map(|process| (process, 1));
        let firsts = self
            .members_of(from)
            .filter_map(|((family, member), local)| {
                let process = self.parts.families()[family].process(member)?;
                met.insert(local).then(|| (process, counts[&local].into()))
            });
        let movers: Vec<(u32, u64)> = singles.chain(firsts).collect();
        let mut found = Vec::new();
        for (process, weight) in movers {
            let mut chains = self
                .interpreter
                .chains_of(&state, process)
                .within(MOST_STEPS);
            found.extend(chains.by_ref().map(|chain| (chain, weight)));
            if chains.is_cut() {
                return Err(TooWide);
            }
        }
        if found.is_empty() {
            // Nobody can move, unless a timeout lets somebody.
            let mut chains = self.interpreter.chains(&free(&state)).within(MOST_STEPS);
            found.extend(chains.by_ref().map(|chain| (chain, 1)));
            if chains.is_cut() {
                return Err(TooWide);
            }
        }
        let firings = found.into_iter().map(|(chain, weight)| Firing {
            to: chain.successor().map(|next| {
                let counted = self.counted(&next.state);
                counted.expect("there are the same processes and channels in all states")
            }),
            weight,
            step: Rc::new(step(&chain, None)),
        });
        Ok(firings.collect())
    }

    /// Whether all processes that are no members may stay where they are.
    pub fn has_ended(&self, shared: SharedId) -> bool {
        let state = self.near.join(self.shared(shared), []);
        let mut processes = self.parts.single_processes();
        processes.all(|number| self.may_stay(&state, number))
    }

    /// Whether a member in a local state may stay there.
    pub fn is_at_end(&self, local: LocalId) -> bool {
        let (family, values) = self.local(local);
        let Some(process) = self.parts.families()[family].process(0) else {
            return true;
        };
        let shared = vec![0; self.shared.all.first().map_or(0, Vec::len)];
        let state = self.near.join(&shared, [((family, 0), values)]);
        self.may_stay(&state, process)
    }

    fn may_stay(&self, state: &State, process: u32) -> bool {
        let process = &state.processes[process as usize];
        let template = self.model().template(process.template);
        template.locations[process.location.index()].end
    }

    /// Whether something may be wrong with a state itself, from which there are that many steps.
    pub fn may_be_wrong(&self, firings: usize) -> bool {
        let model = self.model();
        !model.monitors.is_empty() || model.deadlock == Deadlock::NoChange || firings == 0
    }
}

/// The entries after a member has moved from one local state to another.
fn moved(entries: &[(LocalId, u32)], from: usize, to: LocalId) -> Vec<(LocalId, u32)> {
    if entries[from].0 == to {
        return entries.to_vec();
    }
    let mut moved = Vec::with_capacity(entries.len() + 1);
    let left = entries
        .iter()
        .enumerate()
        .map(|(place, (local, count))| (*local, count - u32::from(place == from)));
    moved.extend(left.filter(|(_, count)| *count > 0));
    match moved.binary_search_by_key(&to, |(local, _)| *local) {
        Ok(place) => moved[place].1 += 1,
        Err(place) => moved.insert(place, (to, 1)),
    }
    moved
}

pub(crate) fn free(state: &State) -> Configuration {
    Configuration {
        state: state.clone(),
        turn: Turn::Free,
    }
}

/// What a chain of steps does.
fn step(chain: &MacroStep, to: Option<(SharedId, LocalId)>) -> Step {
    let mut done = Step {
        to,
        violations: Vec::new(),
        labels: Vec::new(),
        nodes: Vec::new(),
        locations: Vec::new(),
    };
    for made in &chain.steps {
        done.labels.push(made.label);
        done.nodes
            .extend(made.nodes.iter().map(|node| (made.label.edge, *node)));
        let next = made.next.iter().flat_map(|next| &next.state.processes);
        done.locations
            .extend(next.map(|process| (process.template, process.location)));
    }
    done.locations.sort_unstable();
    done.locations.dedup();
    if let Some(last) = chain.steps.last() {
        done.violations.clone_from(&last.violations);
    }
    done
}

/// The states that runs start in.
fn starts(interpreter: &Interpreter<'_>, start: Configuration) -> Result<Vec<State>, Refused> {
    if !interpreter.model().start_held {
        return Ok(vec![start.state]);
    }
    let mut starts: Vec<State> = Vec::new();
    let mut known = HashSet::new();
    let mut chains = interpreter.chains(&start).within(MOST_STEPS);
    for chain in chains.by_ref() {
        let violations = chain.steps.iter().flat_map(|step| &step.violations);
        if violations.count() > 0 {
            return Err(Refused::whole(
                "something goes wrong before the first state",
            ));
        }
        if let Some(next) = chain.successor()
            && known.insert(next.state.clone())
        {
            starts.push(next.state.clone());
        }
    }
    match chains.is_cut() {
        true => Err(Refused::whole("there are very many start states")),
        false => Ok(starts),
    }
}
