//! Runs that show why a formula holds or does not.
//!
//! "Some run" is shown by a run, and so is "not all runs". A run that comes to a state where an inner formula matters goes on from there
//! if that formula can be shown by a run in turn; where it cannot, as in `AG EF p`, the run ends.
//!
//! Where formulas hold is known of representatives. The runs are walked on the graph of all states, from a state that runs start in.

use crate::branching::{Deciding, Question};
use crate::diagrams::{Bdd, Made, without};
use crate::graph::Graph;
use crate::outcome::{Branching, Witness};
use crate::stop::Stop;
use mandala_model::State;
use mandala_model::property::{Ctl, Runs};
use oxidd::BooleanFunction;
use std::cell::OnceCell;

/// Whether a formula holds in all states that runs start in, and what shows it.
pub(crate) fn verdict(deciding: &Deciding<'_, '_>, formula: &Ctl) -> Made<Branching> {
    let showing = Showing {
        deciding,
        all: OnceCell::new(),
    };
    let starts = deciding.graph.starts()?;
    let failing = showing.of_kind(&starts, formula, false)?;
    if !failing.satisfiable() {
        return match showing.show(formula, true, &starts) {
            Ok(shown) => Ok(Branching::Holds(shown)),
            // It holds, whether or not there is room to show it.
            Err(Stop::Nodes | Stop::Limit(_)) => Ok(Branching::Holds(None)),
            Err(other) => Err(other),
        };
    }
    let shown = match showing.show(formula, false, &failing)? {
        Some(shown) => shown,
        None => Walk::from(&deciding.graph, &failing)?.shown(),
    };
    Ok(Branching::Fails(shown))
}

/// Somebody who shows things.
struct Showing<'d, 's, 'a> {
    deciding: &'d Deciding<'s, 'a>,
    /// The graph of all states, once it is needed.
    all: OnceCell<Graph<'s, 'a>>,
}

/// A formula that holds, or does not, where a run has come to.
type Fact<'f> = (&'f Ctl, bool);

/// A run in the making.
struct Walk {
    states: Vec<State>,
    /// The last of them.
    here: Bdd,
}

impl Walk {
    /// A run from some state of a set.
    fn from(graph: &Graph<'_, '_>, states: &Bdd) -> Made<Self> {
        let mut walk = Walk {
            states: Vec::new(),
            here: graph.none(),
        };
        walk.arrive(graph, states)?;
        Ok(walk)
    }

    /// Goes on to some state of a set, to which an edge leads.
    fn arrive(&mut self, graph: &Graph<'_, '_>, states: &Bdd) -> Made<()> {
        if let Some((state, alone)) = graph.pick(states)? {
            self.states.push(state);
            self.here = alone;
        }
        Ok(())
    }

    /// Goes on through sets, the last of which comes first; to each of them an edge leads from every state of the set after it.
    fn descend(&mut self, graph: &Graph<'_, '_>, sets: &[Bdd]) -> Made<()> {
        for set in sets.iter().rev() {
            let next = graph.after(&self.here)?.and(set)?;
            self.arrive(graph, &next)?;
        }
        Ok(())
    }

    fn shown(self) -> Witness {
        Witness {
            path: self.states,
            cycle: None,
            instance: 0,
        }
    }
}

impl<'s, 'a> Showing<'_, 's, 'a> {
    fn all(&self) -> Made<&Graph<'s, 'a>> {
        if let Some(known) = self.all.get() {
            return Ok(known);
        }
        let unfolded = self.deciding.graph.unfolded()?;
        Ok(self.all.get_or_init(|| unfolded))
    }

    /// Those of some states in which a formula holds, or those in which it does not.
    fn of_kind(&self, states: &Bdd, formula: &Ctl, holds: bool) -> Made<Bdd> {
        let holding = self.deciding.nodes(formula)?;
        let holding = self.deciding.graph.images(&holding)?;
        match holds {
            true => Ok(states.and(&holding)?),
            false => without(states, &holding),
        }
    }

    /// A run from one of some states that shows why the formula holds in all of them, or in none.
    fn show(&self, formula: &Ctl, holds: bool, sources: &Bdd) -> Made<Option<Witness>> {
        match formula {
            Ctl::Constant(_) | Ctl::Proposition(_) => Ok(None),
            Ctl::Not(f) => self.show(f, !holds, sources),
            Ctl::And(f, g) | Ctl::Or(f, g) => self.show_one(&[(f, holds), (g, holds)], sources),
            Ctl::Implies(f, g) => self.show_one(&[(f, !holds), (g, holds)], sources),
            Ctl::Next(runs, f) | Ctl::Eventually(runs, f) | Ctl::Always(runs, f) => {
                self.show_of_runs(formula, *runs, &[(f, holds)], sources)
            }
            Ctl::Until(runs, _, g) | Ctl::WeakUntil(runs, _, g) if holds => {
                self.show_of_runs(formula, *runs, &[(g, true)], sources)
            }
            Ctl::Until(runs, f, g) | Ctl::WeakUntil(runs, f, g) => {
                self.show_of_runs(formula, *runs, &[(f, false), (g, false)], sources)
            }
        }
    }

    /// Shows one of some facts, from where it is one.
    fn show_one(&self, facts: &[Fact<'_>], sources: &Bdd) -> Made<Option<Witness>> {
        for &(formula, holds) in facts {
            let deciding = self.of_kind(sources, formula, holds)?;
            if !deciding.satisfiable() {
                continue;
            }
            if let Some(shown) = self.show(formula, holds, &deciding)? {
                return Ok(Some(shown));
            }
        }
        Ok(None)
    }

    /// Shows that some run does what a formula says of some run, or does not what it says of all. Where it has come to
    /// its goal, the facts are so.
    fn show_of_runs(
        &self,
        formula: &Ctl,
        runs: Runs,
        facts: &[Fact<'_>],
        sources: &Bdd,
    ) -> Made<Option<Witness>> {
        let holds = facts.iter().all(|(_, holds)| *holds);
        let question = match (runs, holds) {
            (Runs::Some, true) => self.deciding.question(formula)?,
            (Runs::All, false) => self.deciding.dual(&self.deciding.question(formula)?)?,
            // No single run could show it.
            (Runs::Some, false) | (Runs::All, true) => return Ok(None),
        };
        let walk = match &question {
            Question::Next(set) => Some(self.one_step(sources, set)?),
            Question::Until(before, goal) | Question::WeakUntil(before, goal) => {
                self.way(sources, before, goal)?
            }
        };
        match (walk, question) {
            (Some(walk), _) => Ok(Some(self.continued(walk, facts)?)),
            (None, Question::WeakUntil(before, _)) => Ok(Some(self.for_ever(sources, &before)?)),
            (None, _) => Ok(None),
        }
    }

    /// A step from one of some states, from all of which one leads into a set.
    fn one_step(&self, sources: &Bdd, set: &Bdd) -> Made<Walk> {
        let mut walk = Walk::from(self.all()?, sources)?;
        let stands = walk.here.and(&self.all()?.ended)?;
        if !stands.satisfiable() {
            let set = self.deciding.graph.images(set)?;
            walk.descend(self.all()?, &[set])?;
        }
        Ok(walk)
    }

    /// A shortest way from one of some states through a set to the goal, if there is one.
    fn way(&self, sources: &Bdd, through: &Bdd, goal: &Bdd) -> Made<Option<Walk>> {
        let images = |set: &Bdd| self.deciding.graph.images(set);
        let (through, mut new) = (images(through)?, images(goal)?);
        let mut known = new.clone();
        let mut sets = Vec::new();
        while new.satisfiable() {
            let found = sources.and(&new)?;
            if found.satisfiable() {
                let mut walk = Walk::from(self.all()?, &found)?;
                walk.descend(self.all()?, &sets)?;
                return Ok(Some(walk));
            }
            let before = self.all()?.before(&new)?.and(&through)?;
            sets.push(std::mem::replace(&mut new, without(&before, &known)?));
            known = known.or(&new)?;
        }
        Ok(None)
    }

    /// Goes on from the end of a way, if a run can show one of the facts.
    fn continued(&self, walk: Walk, facts: &[Fact<'_>]) -> Made<Witness> {
        let Some(more) = self.show_one(facts, &walk.here)? else {
            return Ok(walk.shown());
        };
        let mut path = walk.states;
        path.extend(more.path.into_iter().skip(1));
        Ok(Witness { path, ..more })
    }

    /// A run from one of some states that stays in a set for ever.
    fn for_ever(&self, sources: &Bdd, set: &Bdd) -> Made<Witness> {
        let staying = self.deciding.staying(set)?;
        let staying = self.deciding.graph.images(&staying)?;
        let mut walk = Walk::from(self.all()?, &sources.and(&staying)?)?;
        loop {
            let home = walk.here.clone();
            let round = self.round(&home, &staying)?;
            let entry = walk.states.len();
            self.go(&mut walk, &round)?;
            // A state that nothing follows repeats.
            if walk.here == home {
                let cycle = walk.states.split_off(entry);
                return Ok(Witness {
                    path: walk.states,
                    cycle: Some(cycle),
                    instance: 0,
                });
            }
        }
    }

    /// What comes after a state step by step inside of a set: up to where it comes again, or up to where a run ends, or as far as it
    /// goes. In the last case the state comes never again after what is furthest away, so there is less in front of that.
    fn round(&self, home: &Bdd, set: &Bdd) -> Made<Vec<Bdd>> {
        let mut sets = Vec::new();
        let mut known = self.all()?.none();
        let mut new = home.clone();
        loop {
            new = without(&self.all()?.after(&new)?.and(set)?, &known)?;
            if !new.satisfiable() {
                return Ok(sets);
            }
            known = known.or(&new)?;
            for target in [home, &self.all()?.ended] {
                let met = new.and(target)?;
                if met.satisfiable() {
                    sets.push(met);
                    return Ok(sets);
                }
            }
            sets.push(new.clone());
        }
    }

    /// Goes through sets to some state of the last. Not all states of a set lead to the next one, so the way is looked for from its end.
    fn go(&self, walk: &mut Walk, sets: &[Bdd]) -> Made<()> {
        let Some((last, others)) = sets.split_last() else {
            return Ok(());
        };
        let mut leading = vec![last.clone()];
        for set in others.iter().rev() {
            let after = &leading[leading.len() - 1];
            let before = self.all()?.before(after)?.and(set)?;
            leading.push(before);
        }
        walk.descend(self.all()?, &leading)
    }
}
