//! Answers to questions about a graph of states, and the runs that show them.

use super::Graph;
use crate::options::{GraphQuestion, Query};
use crate::outcome::{Answer, Limit, Shown, Visit};
use crate::replay::Replay;
use crate::shared::Shared;
use mandala_encoding::Stepper;
use mandala_kripke::{Evidence, Fairness, KripkeError, Lasso, Move, check_ctl, find_lasso};
use mandala_reduce::Reducer;
use mandala_temporal::Ctl;

/// Answers questions about a graph, and replays the runs that were found in it.
pub(crate) struct Survey<'g, 'a, 's, 'p, R> {
    graph: &'g Graph,
    replay: Replay<'a, 's, 'p, R>,
}

impl<'g, 'a, 's, 'p, R: Reducer> Survey<'g, 'a, 's, 'p, R> {
    /// A survey of a graph whose steps have the order in which this stepper tells them.
    pub fn new(
        graph: &'g Graph,
        shared: &'s Shared<'p>,
        reducer: &'a mut R,
        stepper: Stepper<'p>,
    ) -> Self {
        let mut replay = Replay::new(shared, reducer);
        replay.stepper = stepper;
        Survey { graph, replay }
    }

    /// The answer to a question about the graph.
    pub fn answer(&mut self, question: &GraphQuestion) -> Answer {
        let answer = match &question.what {
            Query::Formula(formula) => self.formula(formula, question.fairness),
            Query::NoRun(acceptor, length) => {
                let lasso = find_lasso(&self.graph.structure, acceptor, question.fairness, *length);
                lasso.map(|lasso| self.no_run(lasso))
            }
        };
        answer.unwrap_or(Answer::Unknown(Limit::StateNumbers))
    }

    /// Whether a formula holds.
    fn formula(&mut self, formula: &Ctl, fairness: Fairness) -> Result<Answer, KripkeError> {
        let verdict = check_ctl(&self.graph.structure, formula, fairness)?;
        let shown = verdict.evidence.map(|evidence| self.shown(evidence));
        Ok(match verdict.holds {
            true => Answer::Holds(shown),
            false => Answer::Fails(shown.unwrap_or_default()),
        })
    }

    /// Whether there is no run of some kind, of which one was looked for.
    fn no_run(&mut self, found: Option<Lasso>) -> Answer {
        match found {
            None => Answer::Holds(None),
            Some(lasso) => Answer::Fails(self.lasso(&lasso)),
        }
    }

    fn shown(&mut self, evidence: Evidence) -> Shown {
        match evidence {
            Evidence::Lasso(lasso) => self.lasso(&lasso),
            Evidence::Path { moves, end, fact } => Shown {
                path: self.path(&moves, end).unwrap_or_default(),
                cycle: None,
                fact: Some((fact.formula, fact.holds)),
            },
        }
    }

    /// How the states of a lasso are met. Should they not be found again, nothing is shown, and the replay by the reference interpreter
    /// notices it.
    pub fn lasso(&mut self, lasso: &Lasso) -> Shown {
        let entry = lasso.cycle.first().map_or(0, |step| step.node);
        let path = self.path(&lasso.prefix, entry);
        let cycle = self.visits(&lasso.cycle);
        match path.zip(cycle) {
            Some((path, cycle)) => Shown {
                path,
                cycle: Some(cycle),
                fact: None,
            },
            None => Shown::default(),
        }
    }

    /// How the states of a run from a start are met, the last of which is given.
    fn path(&mut self, moves: &[Move], end: u32) -> Option<Vec<Visit>> {
        let first = moves.first().map_or(end, |step| step.node);
        let start = self.replay.start(self.graph.states[first as usize])?;
        let rest = self.visits(moves)?;
        Some(std::iter::once(start).chain(rest).collect())
    }

    /// How the states are met that moves lead to.
    fn visits(&mut self, moves: &[Move]) -> Option<Vec<Visit>> {
        // A state that stutters is not met again.
        let made = moves
            .iter()
            .filter_map(|step| Some((step.node, step.edge?)));
        let visit = |(node, edge): (u32, u32)| {
            let nth = edge - self.graph.structure.edges(node).start;
            let (name, share) = (
                self.graph.states[node as usize],
                self.graph.selections[node as usize],
            );
            self.replay.nth_step(name, share, nth as usize)
        };
        made.map(visit).collect()
    }
}
