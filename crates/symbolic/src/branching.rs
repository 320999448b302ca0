//! Formulas of computation tree logic, decided on sets of states from the inside outwards.
//!
//! With sets for the inner formulas, every operator asks one of three questions about the runs from a node: whether one step leads into a
//! set, whether a run stays in *a* until it comes to *b*, and the same or stays in *a* for ever. The first is an image backwards, the second
//! a least fixpoint of such images, the third needs the greatest fixpoint of those that stay in *a* besides. "All runs" is "not some run that does not":
//! a run is not in `a U b` iff it is in `!b W (!a & !b)`, and not in `a W b` iff it is in `!b U (!a & !b)`.

use crate::diagrams::{Bdd, Made, without};
use crate::graph::Graph;
use crate::outcome::{Branching, Extent, Limit};
use crate::propositions::Propositions;
use crate::search::Search;
use crate::witnesses;
use mandala_model::ids::ConditionId;
use mandala_model::property::{Ctl, Runs};
use oxidd::BooleanFunction;

/// The answer to the formula that a search is asked about. There is none if it is asked about none, or if something is wrong besides.
pub(crate) fn answer(search: &Search<'_>, extent: Extent) -> Made<Option<Branching>> {
    let is_known = extent == Extent::Complete && search.evidence.is_none();
    let formula = search.options.formula.as_ref().filter(|_| is_known);
    formula
        .map(|asked| decide(search, asked.formula))
        .transpose()
}

/// Decides a formula, once everything has been reached: whether each instance holds.
fn decide(search: &Search<'_>, formula: &Ctl) -> Made<Branching> {
    let mut graph = Graph::of(search)?;
    let propositions = search.propositions.iter();
    for proposition in propositions.flat_map(|instance| instance.values()) {
        if graph.nodes.and(&proposition.fails)?.satisfiable() {
            return Ok(Branching::Unknown(Limit::NoValueOfFormula));
        }
    }
    let mut verdict = Branching::Holds(None);
    let only = search.propositions.len() == 1;
    for (instance, propositions) in (0..).zip(&search.propositions) {
        let deciding = Deciding {
            propositions,
            graph,
        };
        verdict = witnesses::verdict(&deciding, formula)?;
        graph = deciding.graph;
        match &mut verdict {
            Branching::Holds(shown) if !only => *shown = None,
            Branching::Holds(_) => {}
            Branching::Fails(shown) => {
                shown.instance = instance;
                break;
            }
            Branching::Unknown(_) => break,
        }
    }
    Ok(verdict)
}

/// Decides formulas about one graph.
pub(crate) struct Deciding<'s, 'a> {
    pub graph: Graph<'s, 'a>,
    propositions: &'s Propositions,
}

/// What is asked about some run from a node.
pub(crate) enum Question {
    /// It comes into the set with its first step.
    Next(Bdd),
    /// It stays in the first set until it comes into the second.
    Until(Bdd, Bdd),
    /// The same, or it stays in the first set for ever.
    WeakUntil(Bdd, Bdd),
}

impl Deciding<'_, '_> {
    /// The nodes in which a formula holds.
    pub(crate) fn nodes(&self, formula: &Ctl) -> Made<Bdd> {
        let graph = &self.graph;
        match formula {
            Ctl::Constant(true) => Ok(graph.nodes.clone()),
            Ctl::Constant(false) => Ok(graph.none()),
            Ctl::Proposition(number) => {
                let proposition = &self.propositions[&ConditionId::from(number.0)];
                Ok(graph.nodes.and(&proposition.holds)?)
            }
            Ctl::Not(f) => graph.but(&self.nodes(f)?),
            Ctl::And(f, g) => Ok(self.nodes(f)?.and(&self.nodes(g)?)?),
            Ctl::Or(f, g) => Ok(self.nodes(f)?.or(&self.nodes(g)?)?),
            Ctl::Implies(f, g) => Ok(graph.but(&self.nodes(f)?)?.or(&self.nodes(g)?)?),
            Ctl::Next(runs, _)
            | Ctl::Eventually(runs, _)
            | Ctl::Always(runs, _)
            | Ctl::Until(runs, _, _)
            | Ctl::WeakUntil(runs, _, _) => {
                let question = self.question(formula)?;
                match runs {
                    Runs::Some => self.answer(&question),
                    Runs::All => graph.but(&self.answer(&self.dual(&question)?)?),
                }
            }
        }
    }

    /// What a formula asks about each of the runs that it speaks of; of one that speaks of none, whether it holds for ever.
    pub(crate) fn question(&self, formula: &Ctl) -> Made<Question> {
        let (all, none) = (|| self.graph.nodes.clone(), || self.graph.none());
        Ok(match formula {
            Ctl::Next(_, f) => Question::Next(self.nodes(f)?),
            Ctl::Eventually(_, f) => Question::Until(all(), self.nodes(f)?),
            Ctl::Always(_, f) => Question::WeakUntil(self.nodes(f)?, none()),
            Ctl::Until(_, f, g) => Question::Until(self.nodes(f)?, self.nodes(g)?),
            Ctl::WeakUntil(_, f, g) => Question::WeakUntil(self.nodes(f)?, self.nodes(g)?),
            other => Question::WeakUntil(self.nodes(other)?, none()),
        })
    }

    /// What runs do that do not do this.
    pub(crate) fn dual(&self, question: &Question) -> Made<Question> {
        let graph = &self.graph;
        // Not the second, and neither of both.
        let neither = |before: &Bdd, goal: &Bdd| -> Made<(Bdd, Bdd)> {
            let not_yet = graph.but(goal)?;
            let missed = without(&not_yet, before)?;
            Ok((not_yet, missed))
        };
        Ok(match question {
            Question::Next(set) => Question::Next(graph.but(set)?),
            Question::Until(before, goal) => {
                let (before, goal) = neither(before, goal)?;
                Question::WeakUntil(before, goal)
            }
            Question::WeakUntil(before, goal) => {
                let (before, goal) = neither(before, goal)?;
                Question::Until(before, goal)
            }
        })
    }

    /// The nodes from which some run does that.
    fn answer(&self, question: &Question) -> Made<Bdd> {
        let graph = &self.graph;
        match question {
            Question::Next(set) => Ok(graph.before(set)?.or(&graph.ended.and(set)?)?),
            Question::Until(before, goal) => self.leading(before, goal),
            Question::WeakUntil(before, goal) => {
                self.leading(before, &goal.or(&self.staying(before)?)?)
            }
        }
    }

    /// The nodes of the goal, and those of a set from which a way inside it leads to the goal.
    fn leading(&self, set: &Bdd, goal: &Bdd) -> Made<Bdd> {
        let mut leading = goal.clone();
        let mut new = goal.clone();
        while new.satisfiable() {
            let before = self.graph.before(&new)?.and(set)?;
            new = without(&before, &leading)?;
            leading = leading.or(&new)?;
        }
        Ok(leading)
    }

    /// The nodes of a set from which some run stays in it for ever.
    pub(crate) fn staying(&self, set: &Bdd) -> Made<Bdd> {
        let graph = &self.graph;
        let ended = graph.ended.and(set)?;
        let mut staying = set.clone();
        loop {
            let next = graph.before(&staying)?.and(&staying)?.or(&ended)?;
            if next == staying {
                return Ok(staying);
            }
            staying = next;
        }
    }
}
