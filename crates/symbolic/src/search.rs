//! All reachable states, set by set.
//!
//! Sets that were found one after the other are kept: each state of one of them is reached by a step from a set before it. So the way
//! back from a violation goes from set to set until it comes to the start, one state at a time.

use crate::attempt::{Context, Trouble};
use crate::diagrams::{Bdd, Made, without};
use crate::outcome::{
    AfterViolation, Extent, Limit, Options, Possibility, Progress, SearchOrder, SymbolicEvidence,
    SymbolicOutcome, whole,
};
use crate::propositions::Propositions;
use crate::reduce::Reducer;
use crate::stop::Stop;
use crate::system::{Observation, System};
use mandala_engine::{Demanded, ViolationCounts};
use mandala_model::State;
use mandala_model::ids::{EdgeId, MonitorId, NodeId, PropertyId};
use mandala_model::source::Span;
use mandala_model::step::Violation;
use oxidd::{BooleanFunction, Function};
use std::collections::BTreeMap;

/// Somebody who is told how far the search is.
pub(crate) type Observer<'o> = dyn FnMut(&Progress) + 'o;

/// A representative on the way to a violation, and all its images.
type Station = (State, Bdd);

/// A search.
pub(crate) struct Search<'a> {
    pub context: Context<'a>,
    pub system: &'a System,
    pub options: &'a Options<'a>,
    /// What was found, in order.
    rings: Vec<Bdd>,
    /// All of it together.
    pub reached: Bdd,
    rounds: u64,
    /// The troubles that matter, in groups.
    bad: Vec<Bdd>,
    /// Where some number does not fit, in groups.
    misfits: Vec<Bdd>,
    pub evidence: Option<SymbolicEvidence>,
    reducer: Option<Reducer<'a>>,
    /// The state that runs start in.
    pub start: Bdd,
    /// The propositions of the formula that is asked about, if one is, for each of its instances.
    pub propositions: Vec<Propositions>,
    /// All images of what was found, if representatives are chosen on the fly.
    known: Bdd,
}

/// Conditions of no more nodes than that are looked at together.
const SMALL: usize = 1 << 9;

/// Conditions in groups, each of which says where one of them holds. All of them together may be far larger than each alone: who follows
/// a pointer may fail because of any other one, and so may all of them at once.
fn grouped<'c>(conditions: impl Iterator<Item = &'c Bdd>) -> Made<Vec<Bdd>> {
    let mut groups: Vec<Bdd> = Vec::new();
    for condition in conditions {
        match groups.last_mut() {
            Some(last) if last.node_count() + condition.node_count() <= SMALL => {
                *last = last.or(condition)?;
            }
            _ => groups.push(condition.clone()),
        }
    }
    Ok(groups)
}

/// Whether one of the conditions holds in a state of a set.
fn meets(set: &Bdd, conditions: &[Bdd]) -> Made<bool> {
    for condition in conditions {
        if set.and(condition)?.satisfiable() {
            return Ok(true);
        }
    }
    Ok(false)
}

impl<'a> Search<'a> {
    /// A search from those states.
    pub(crate) fn new(
        context: Context<'a>,
        system: &'a System,
        options: &'a Options<'a>,
        reducer: Option<Reducer<'a>>,
        start: Bdd,
    ) -> Made<Self> {
        let concerns = |trouble: &&Trouble| (options.concerns)(&trouble.violation);
        let bad = system.troubles.iter().filter(concerns);
        let bad = grouped(bad.map(|trouble| &trouble.condition))?;
        let formula = options.formula.as_ref();
        let propositions = formula.map(|formula| formula.propositions(context, &system.free));
        let mut search = Search {
            propositions: propositions.transpose()?.unwrap_or_default(),
            misfits: grouped(system.misfits.iter().map(|(_, condition)| condition))?,
            context,
            system,
            options,
            rings: Vec::new(),
            reached: context.d.no.clone(),
            rounds: 0,
            bad,
            evidence: None,
            reducer,
            known: context.d.no.clone(),
            start: start.clone(),
        };
        search.keep(start)?;
        Ok(search)
    }

    /// Searches to the end or to a limit.
    pub(crate) fn run(&mut self, observer: &mut Observer<'_>) -> Made<Extent> {
        let extent = match self.reach(observer) {
            Ok(extent) => extent,
            Err(Stop::Nodes) => Extent::Limited(Limit::Memory),
            Err(Stop::Limit(limit)) => Extent::Limited(limit),
            Err(other) => return Err(other),
        };
        self.context.d.collect();
        Ok(extent)
    }

    fn reach(&mut self, observer: &mut Observer<'_>) -> Made<Extent> {
        let mut frontier = self.reached.clone();
        if self.context.model.start_held {
            if self.judge(&frontier)? {
                return Ok(Extent::FirstViolation);
            }
            frontier = self.level(&frontier)?;
            self.rounds = 0;
        }
        while frontier.satisfiable() {
            observer(&Progress {
                rounds: self.rounds,
                nodes: self.context.d.nodes() as u64,
            });
            if self.judge(&frontier)? {
                return Ok(Extent::FirstViolation);
            }
            self.require_within_limits()?;
            frontier = match self.options.order {
                SearchOrder::BreadthFirst => self.level(&frontier)?,
                SearchOrder::DepthFirst => self.chain(&frontier)?,
            };
        }
        // A level that ends at a violation inside of a sequence may have nothing to go on from.
        Ok(match self.is_enough() {
            true => Extent::FirstViolation,
            false => Extent::Complete,
        })
    }

    /// Whether a violation was found, and that is all that is wanted.
    fn is_enough(&self) -> bool {
        self.evidence.is_some() && self.options.on_violation == AfterViolation::Stop
    }

    /// Looks whether something is wrong with new states, and whether that is enough.
    fn judge(&mut self, new: &Bdd) -> Made<bool> {
        self.require_fit(new)?;
        if self.evidence.is_none() && meets(new, &self.bad)? {
            self.evidence = self.first_trouble(new)?;
        }
        Ok(self.is_enough())
    }

    fn require_fit(&self, new: &Bdd) -> Made<()> {
        let what = "a step that may only rearrange multisets where there is no other";
        refuse(new, &self.system.doubtful, what)?;
        if self.reducer.as_ref().is_some_and(Reducer::uses_symmetry) {
            refuse(new, &self.system.endings, "symmetry of processes that end")?;
        }
        if !meets(new, &self.misfits)? {
            return Ok(());
        }
        let mut met = Vec::new();
        for (misfit, condition) in &self.system.misfits {
            if new.and(condition)?.satisfiable() {
                met.push(*misfit);
            }
        }
        Err(Stop::Narrow(met))
    }

    fn first_trouble(&self, new: &Bdd) -> Made<Option<SymbolicEvidence>> {
        self.first_trouble_of(new, &|_| true)
    }

    /// The first trouble in some states that matters and is wanted.
    fn first_trouble_of(
        &self,
        new: &Bdd,
        wanted: &dyn Fn(&Violation) -> bool,
    ) -> Made<Option<SymbolicEvidence>> {
        let concerns = self.options.concerns;
        let troubles = self.system.troubles.iter();
        let matters =
            |trouble: &&Trouble| concerns(&trouble.violation) && wanted(&trouble.violation);
        for trouble in troubles.filter(matters) {
            let bad = new.and(&trouble.condition)?;
            if bad.satisfiable() {
                return Ok(Some(self.evidence_of(trouble, &bad)?));
            }
        }
        Ok(None)
    }

    /// A violation of each property that the first one found is not of, if the search looks at everything.
    fn further(&self) -> Made<Vec<SymbolicEvidence>> {
        let (Some(first), AfterViolation::GoOn) = (&self.evidence, self.options.on_violation)
        else {
            return Ok(Vec::new());
        };
        let mut owners = vec![first.violation.attribution()];
        let mut further = Vec::new();
        for trouble in &self.system.troubles {
            let owner = trouble.violation.attribution();
            if !owners.contains(&owner) {
                owners.push(owner);
                let is_own = |violation: &Violation| violation.attribution() == owner;
                further.extend(self.first_trouble_of(&self.reached, &is_own)?);
            }
        }
        Ok(further)
    }

    fn evidence_of(&self, trouble: &Trouble, bad: &Bdd) -> Made<SymbolicEvidence> {
        Ok(SymbolicEvidence {
            path: self.path(bad)?,
            violation: trouble.violation.clone(),
        })
    }

    fn require_within_limits(&self) -> Made<()> {
        if let Some(limit) = self.options.states
            && self.count(&self.reached)? >= u128::from(limit)
        {
            return Err(Stop::Limit(Limit::States));
        }
        match self.options.depth {
            Some(limit) if self.rounds >= limit => Err(Stop::Limit(Limit::Depth)),
            _ => Ok(()),
        }
    }

    /// One step further, and through what somebody holds.
    fn level(&mut self, frontier: &Bdd) -> Made<Bdd> {
        let mut new = self.context.d.no.clone();
        let mut from = frontier.clone();
        while from.satisfiable() {
            let found = match self.chooses_on_the_fly() {
                true => self.one_by_one(&from)?,
                false => {
                    let after = self.after(&from)?;
                    self.keep(after)?
                }
            };
            new = new.or(&found)?;
            // What is held is passed through and no level of its own.
            from = without(&found, &self.system.free)?;
            if self.judge(&from)? {
                break;
            }
        }
        let new = new.and(&self.system.free)?;
        self.rounds += u64::from(new.satisfiable());
        Ok(new)
    }

    fn chooses_on_the_fly(&self) -> bool {
        self.reducer.as_ref().is_some_and(Reducer::is_on_the_fly)
    }

    /// Where all steps lead. Representatives are found once for all of it: that is cheaper than for the images of each edge.
    pub(crate) fn after(&self, from: &Bdd) -> Made<Bdd> {
        let mut after = self.context.d.no.clone();
        for index in 0..self.system.steps.len() {
            after = after.or(&self.image(index, from)?)?;
        }
        Ok(after)
    }

    /// The new ones of where all steps lead, of which each is known for the steps after it: what is symmetric to it is not new then.
    fn one_by_one(&mut self, from: &Bdd) -> Made<Bdd> {
        let mut found = self.context.d.no.clone();
        for index in 0..self.system.steps.len() {
            let image = self.image(index, from)?;
            found = found.or(&self.keep(image)?)?;
        }
        Ok(found)
    }

    /// One round in which each edge starts where all before it have led. Representatives are found after each edge, so that what
    /// the next one starts from stays small.
    fn chain(&mut self, frontier: &Bdd) -> Made<Bdd> {
        let mut new = self.context.d.no.clone();
        let mut from = frontier.clone();
        for index in 0..self.system.steps.len() {
            let found = self.image(index, &from)?;
            let found = self.keep(found)?;
            if found.satisfiable() {
                from = from.or(&found)?;
                new = new.or(&found)?;
            }
        }
        self.rounds += u64::from(new.satisfiable());
        Ok(new)
    }

    fn image(&self, step: usize, from: &Bdd) -> Made<Bdd> {
        let (d, step) = (self.context.d, &self.system.steps[step]);
        d.pause()?;
        d.retry(|| step.image(self.context, from))
    }

    /// Keeps those of some states that are new.
    fn keep(&mut self, states: Bdd) -> Made<Bdd> {
        let found = self.new_ones(states)?;
        if found.satisfiable() {
            self.reached = self.reached.or(&found)?;
            self.rings.push(found.clone());
        }
        Ok(found)
    }

    /// Those of some states, or of their representatives, that are not known.
    fn new_ones(&mut self, states: Bdd) -> Made<Bdd> {
        let Some(reducer) = &self.reducer else {
            return without(&states, &self.reached);
        };
        let free = states.and(&self.system.free)?;
        let held = reducer.without_order(&without(&states, &free)?)?;
        let held = without(&held, &self.reached)?;
        // What is kept already needs no representative.
        let free = without(&free, &self.reached)?;
        let d = self.context.d;
        let representatives = d.retry(|| reducer.representatives(&free))?;
        if !reducer.is_on_the_fly() {
            return Ok(without(&representatives, &self.reached)?.or(&held)?);
        }
        let found = without(&representatives, &self.known)?;
        self.known = self.known.or(&reducer.orbit(&found)?)?;
        Ok(found.or(&held)?)
    }

    /// All states that a set of representatives stands for. What somebody holds stands for itself: a certificate speaks of the ways between
    /// states, and a choice that counts up to its value, say, is not symmetric on the way.
    pub(crate) fn meant(&self, states: &Bdd) -> Made<Bdd> {
        let Some(reducer) = &self.reducer else {
            return Ok(states.clone());
        };
        let free = states.and(&self.system.free)?;
        let held = reducer.rearranged(&without(states, &free)?)?;
        Ok(reducer.orbit(&free)?.or(&held)?)
    }

    fn count(&self, states: &Bdd) -> Made<u128> {
        Ok(self.context.d.count(&states.and(&self.system.free)?))
    }

    /// The states that a search remembers of a run to some state of a set.
    pub(crate) fn path(&self, set: &Bdd) -> Made<Vec<State>> {
        let mut backwards = Vec::new();
        let mut wanted = set.clone();
        let mut before = self.rings.len();
        while let Some((ring, found)) = self.first_ring(&wanted, before)? {
            let Some(bits) = self.context.d.pick(&found) else {
                break;
            };
            let (state, holder) = self.context.layout.decode(&bits);
            let one = self.one(&state, holder)?;
            let one = self.meant(&one)?;
            wanted = self.before(&one)?;
            // What somebody holds is passed through.
            if holder.is_none() {
                backwards.push((state, one));
            }
            before = ring;
        }
        backwards.reverse();
        match self.reducer {
            Some(_) => self.run_through(backwards),
            None => Ok(backwards.into_iter().map(|(state, _)| state).collect()),
        }
    }

    /// The states that nobody holds to which ways lead from a set, through what somebody holds.
    pub(crate) fn next(&self, states: &Bdd) -> Made<Bdd> {
        let mut after = self.context.d.no.clone();
        let mut from = states.clone();
        while from.satisfiable() {
            let new = without(&self.after(&from)?, &after)?;
            after = after.or(&new)?;
            from = without(&new, &self.system.free)?;
        }
        Ok(after.and(&self.system.free)?)
    }

    /// The set of one state that was found.
    pub(crate) fn one(&self, state: &State, holder: Option<u32>) -> Made<Bdd> {
        match self.context.layout.encode(state, holder) {
            Some(bits) => self.context.d.cube(&bits),
            None => unreachable!("what was found has cells"),
        }
    }

    /// From where a step leads into a set.
    pub(crate) fn before(&self, states: &Bdd) -> Made<Bdd> {
        let mut before = self.context.d.no.clone();
        for step in &self.system.steps {
            self.context.d.pause()?;
            before = before.or(&step.preimage(self.context, states)?)?;
        }
        Ok(before)
    }

    /// A run from the start through images of those representatives. Wherever it is, it is at an image of one of them, so there is a
    /// way to an image of the next.
    fn run_through(&self, stations: Vec<Station>) -> Made<Vec<State>> {
        let mut run = Vec::new();
        let mut here = self.start.clone();
        for (_, images) in &stations {
            if !run.is_empty() || self.context.model.start_held {
                here = self.next(&here)?;
            }
            let Some(bits) = self.context.d.pick(&here.and(images)?) else {
                break;
            };
            let (state, holder) = self.context.layout.decode(&bits);
            here = self.one(&state, holder)?;
            run.push(state);
        }
        Ok(run)
    }

    /// The first ring of those before a number that has something of a set, and what it has.
    fn first_ring(&self, wanted: &Bdd, before: usize) -> Made<Option<(usize, Bdd)>> {
        for (index, ring) in self.rings[..before].iter().enumerate() {
            let found = ring.and(wanted)?;
            if found.satisfiable() {
                return Ok(Some((index, found)));
            }
        }
        Ok(None)
    }

    pub(crate) fn outcome(mut self, extent: Extent) -> Made<SymbolicOutcome> {
        let complete = extent == Extent::Complete && self.evidence.is_none();
        let possible = match complete {
            true => self.possible()?,
            false => Vec::new(),
        };
        // States that were found before the limit may be wrong, too.
        if self.evidence.is_none() && extent != Extent::Complete {
            self.evidence = match self.first_trouble(&self.reached) {
                Err(Stop::Outgrown) => return Err(Stop::Outgrown),
                found => found.unwrap_or_default(),
            };
        }
        let further = match (self.further(), extent) {
            (Err(Stop::Outgrown), _) => return Err(Stop::Outgrown),
            (further, Extent::Complete) => further?,
            (further, _) => further.unwrap_or_default(),
        };
        Ok(SymbolicOutcome {
            further,
            extent,
            states: self.count(&self.reached)?,
            transitions: self.transitions()?,
            violations: self.violations()?,
            rounds: self.rounds,
            nodes: (
                self.context.d.nodes() as u64,
                self.reached.node_count() as u64,
            ),
            bits: self.context.layout.bits() as u64,
            locations: self.locations()?,
            edges: self.edges()?,
            executed: self.executed()?,
            observed: self.observed()?,
            all_exchanged: self.all_exchanged()?,
            possible,
            branching: None,
            evidence: self.evidence,
        })
    }

    /// How many steps lead from the reached states; the first ones, where the start is none, do not count.
    fn transitions(&self) -> Made<u128> {
        let from = match self.context.model.start_held {
            true => self.reached.and(&self.system.free)?,
            false => self.reached.clone(),
        };
        let mut count = 0u128;
        for step in &self.system.steps {
            let taken = self.context.d.count(&from.and(&step.counted)?);
            count = count.saturating_add(taken);
        }
        Ok(count)
    }

    fn violations(&self) -> Made<ViolationCounts> {
        let mut counts = ViolationCounts::default();
        for trouble in &self.system.troubles {
            if (self.options.concerns)(&trouble.violation) {
                let bad = self.reached.and(&trouble.condition)?;
                let number = whole(self.context.d.count(&bad));
                counts.note(trouble.violation.attribution(), number);
            }
        }
        Ok(counts)
    }

    fn edges(&self) -> Made<Vec<Vec<u128>>> {
        let templates = self.context.model.runnables();
        let mut counts: Vec<Vec<u128>> = templates.map(|(_, t)| vec![0; t.edges.len()]).collect();
        for step in &self.system.steps {
            let taken = self.context.d.count(&self.reached.and(&step.counted)?);
            for EdgeId { template, index } in step.edges() {
                let count = &mut counts[template.index()][index as usize];
                *count = count.saturating_add(taken);
            }
        }
        Ok(counts)
    }

    /// The nodes of routines that were executed.
    fn executed(&self) -> Made<Vec<(EdgeId, NodeId)>> {
        let mut executed = Vec::new();
        for (edge, node, from) in &self.system.nodes {
            let is_known = executed.last() == Some(&(*edge, *node));
            if !is_known && self.reached.and(from)?.satisfiable() {
                executed.push((*edge, *node));
            }
        }
        Ok(executed)
    }

    fn observed(&self) -> Made<Vec<MonitorId>> {
        let mut observed = Vec::new();
        for Observation { monitor, holds, .. } in &self.system.observations {
            let is_known = observed.last() == Some(monitor);
            if !is_known && self.reached.and(holds)?.satisfiable() {
                observed.push(*monitor);
            }
        }
        Ok(observed)
    }

    /// Whether renamings were applied wherever they are certified.
    fn all_exchanged(&self) -> Made<bool> {
        match &self.reducer {
            Some(reducer) => reducer.exchanges_all(&self.reached.and(&self.system.free)?),
            None => Ok(true),
        }
    }

    fn locations(&self) -> Made<Vec<Vec<bool>>> {
        let model = self.context.model;
        let templates = model.runnables();
        let met = templates.map(|(_, t)| vec![false; t.locations.len()]);
        let mut met: Vec<Vec<bool>> = met.collect();
        let layout = self.context.layout;
        let asking = crate::attempt::Attempt::new(self.context, 0);
        let nothing_done = crate::attempt::Path {
            condition: self.context.d.yes.clone(),
            cells: BTreeMap::new(),
        };
        for (process, own) in layout.processes.iter().enumerate() {
            for (index, met) in met[own.template().index()].iter_mut().enumerate() {
                let at = asking.is_at(&nothing_done, process, index.into())?;
                *met = *met || self.reached.and(&at)?.satisfiable();
            }
        }
        Ok(met)
    }

    /// What became of each goal: backwards from where it is met, as far as that goes.
    fn possible(&self) -> Made<Vec<(PropertyId, Possibility)>> {
        let goals = self.options.goals.iter();
        goals
            .map(|goal| Ok((goal.property, self.possibility(&goal.demanded)?)))
            .collect()
    }

    fn possibility(&self, demanded: &Demanded) -> Made<Possibility> {
        match demanded {
            Demanded::One(monitors) => {
                let lost = self.loss(0, &|seen| monitors.contains(&seen.monitor))?;
                Ok(lost.unwrap_or(Possibility::Stays))
            }
            Demanded::Each(instances) => {
                for (instance, own) in (0..).zip(instances) {
                    let is_own = |seen: &Observation| {
                        let mut own = own.iter();
                        own.any(|(monitor, choice)| {
                            *monitor == seen.monitor && seen.choice == Some(*choice)
                        })
                    };
                    if let Some(lost) = self.loss(instance, &is_own)? {
                        return Ok(lost);
                    }
                }
                Ok(Possibility::Stays)
            }
        }
    }

    /// How an instance of a goal is lost, if it is: what is meant are the monitors that it wants to hold.
    fn loss(
        &self,
        instance: u32,
        is_meant: &dyn Fn(&Observation) -> bool,
    ) -> Made<Option<Possibility>> {
        let lost = without(&self.reached, &self.leads_to(is_meant)?)?;
        let lost = lost.and(&self.system.free)?;
        if !lost.satisfiable() {
            return Ok(None);
        }
        Ok(Some(Possibility::Lost {
            path: self.path(&lost)?,
            shortest: self.options.order == SearchOrder::BreadthFirst,
            instance,
        }))
    }

    /// The reachable states from which one can be reached in which one of the monitors holds that are meant.
    fn leads_to(&self, is_meant: &dyn Fn(&Observation) -> bool) -> Made<Bdd> {
        let mut leads = self.context.d.no.clone();
        for seen in self
            .system
            .observations
            .iter()
            .filter(|seen| is_meant(seen))
        {
            leads = leads.or(&self.reached.and(&seen.holds)?)?;
        }
        let mut new = leads.clone();
        while new.satisfiable() {
            let before = self.before(&self.meant(&new)?)?;
            new = without(&before.and(&self.reached)?, &leads)?;
            leads = leads.or(&new)?;
        }
        Ok(leads)
    }
}

/// Refuses what the steps do that can be taken from some states.
fn refuse(states: &Bdd, steps: &[(Span, Bdd)], what: &str) -> Made<()> {
    for (span, condition) in steps {
        if states.and(condition)?.satisfiable() {
            return Err(Stop::unsupported(what, Some(*span)));
        }
    }
    Ok(())
}
