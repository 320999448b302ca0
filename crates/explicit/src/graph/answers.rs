//! Answers to questions about a graph of states, and the runs that show them.

use super::Graph;
use crate::options::{GraphQuestion, Instances, Query};
use crate::outcome::{Answer, Limit, Shown, Visit};
use crate::replay::Replay;
use crate::shared::Shared;
use mandala_encoding::Stepper;
use mandala_kripke::{
    Evidence, Fairness, Indexing, KripkeError, Lasso, Move, Structure, check_ctl, find_lasso,
};
use mandala_reduce::Reducer;
use mandala_symmetry::Renaming;
use mandala_temporal::Ctl;

/// Answers questions about a graph, and replays the runs that were found in it.
pub(crate) struct Survey<'g, 'a, 's, 'p, R> {
    graph: &'g Graph,
    replay: Replay<'a, 's, 'p, R>,
}

impl<'g, 'a, 's, 'p, R: Reducer> Survey<'g, 'a, 's, 'p, R> {
    /// A survey of a graph whose steps have the order in which this stepper tells them.
    pub(crate) fn new(
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
    pub(crate) fn answer(&mut self, question: &GraphQuestion) -> Answer {
        let answer = match &question.instances {
            None => self.about(&self.graph.structure, question, None),
            Some(instances) => match self.is_too_large(instances.action.count()) {
                true => return Answer::Unknown(Limit::Memory),
                false => self.about_each(question, instances),
            },
        };
        answer.unwrap_or(Answer::Unknown(Limit::StateNumbers))
    }

    /// Whether the graph of pairs would take more memory than there may be.
    fn is_too_large(&self, instances: u32) -> bool {
        let structure = &self.graph.structure;
        let node = size_of::<u32>();
        let last = structure.nodes().checked_sub(1);
        let edges = last.map_or(0, |last| structure.edges(last as u32).end as usize);
        let each = structure.nodes() * node + edges * 2 * node;
        each.saturating_mul(instances as usize) > self.replay.shared.options.memory()
    }

    /// The answer to a question that is asked of each of several things.
    fn about_each(
        &mut self,
        question: &GraphQuestion,
        instances: &Instances,
    ) -> Result<Answer, KripkeError> {
        let turns = &self.graph.turns;
        let images = turns.renamings.iter();
        let images = images.map(|renaming| images_of(instances, renaming));
        let images: Vec<Vec<u32>> = images.collect();
        let pairs = self.graph.structure.indexed(&Indexing {
            count: instances.action.count(),
            images: &images,
            renamings: &turns.of_edges,
            first: instances.first,
            propositions: instances.propositions,
        })?;
        self.about(&pairs, question, Some(instances))
    }

    /// The answer to a question about the graph or, if there are instances, about the graph of pairs.
    fn about(
        &mut self,
        structure: &Structure,
        question: &GraphQuestion,
        instances: Option<&Instances>,
    ) -> Result<Answer, KripkeError> {
        let view = View {
            structure,
            instances,
        };
        match &question.what {
            Query::Formula(formula) => self.formula(view, formula, question.fairness),
            Query::NoRun(acceptor, length) => {
                let lasso = find_lasso(structure, acceptor, question.fairness, *length)?;
                Ok(self.no_run(view, lasso))
            }
        }
    }

    /// Whether a formula holds.
    fn formula(
        &mut self,
        view: View<'_>,
        formula: &Ctl,
        fairness: Fairness,
    ) -> Result<Answer, KripkeError> {
        let verdict = check_ctl(view.structure, formula, fairness)?;
        let shown = verdict.evidence.map(|evidence| self.shown(view, evidence));
        Ok(match verdict.holds {
            // A run shows it of one instance, and it holds for all.
            true => Answer::Holds(shown.filter(|_| view.instances.is_none())),
            false => Answer::Fails(shown.unwrap_or_default()),
        })
    }

    /// Whether there is no run of some kind, of which one was looked for.
    fn no_run(&mut self, view: View<'_>, found: Option<Lasso>) -> Answer {
        match found {
            None => Answer::Holds(None),
            Some(lasso) => Answer::Fails(self.lasso_in(view, &lasso)),
        }
    }

    fn shown(&mut self, view: View<'_>, evidence: Evidence) -> Shown {
        match evidence {
            Evidence::Lasso(lasso) => self.lasso_in(view, &lasso),
            Evidence::Path { moves, end, fact } => {
                let (path, instance) = self.path(view, &moves, end).unwrap_or_default();
                Shown {
                    path,
                    cycle: None,
                    fact: Some((fact.formula, fact.holds)),
                    instance,
                }
            }
        }
    }

    /// How the states of a lasso are met.
    pub(crate) fn lasso(&mut self, lasso: &Lasso) -> Shown {
        let view = View {
            structure: &self.graph.structure,
            instances: None,
        };
        self.lasso_in(view, lasso)
    }

    /// How the states of a lasso are met. Should they not be found again, nothing is shown, and the replay by the reference interpreter
    /// notices it.
    fn lasso_in(&mut self, view: View<'_>, lasso: &Lasso) -> Shown {
        let entry = lasso.cycle.first().map_or(0, |step| step.node);
        let path = self.path(view, &lasso.prefix, entry);
        let cycle = self.visits(view, &lasso.cycle);
        match path.zip(cycle) {
            Some(((path, instance), cycle)) => Shown {
                path,
                cycle: Some(cycle),
                fact: None,
                instance,
            },
            None => Shown::default(),
        }
    }

    /// How the states of a run from a start are met, the last of which is given, and the instance that it is about.
    fn path(&mut self, view: View<'_>, moves: &[Move], end: u32) -> Option<(Vec<Visit>, u32)> {
        let first = moves.first().map_or(end, |step| step.node);
        let start = self.replay.start(self.graph.states[view.node(first)])?;
        let instance = view.instance(first, &start)?;
        let rest = self.visits(view, moves)?;
        let visits = std::iter::once(start).chain(rest).collect();
        Some((visits, instance))
    }

    /// How the states are met that moves lead to.
    fn visits(&mut self, view: View<'_>, moves: &[Move]) -> Option<Vec<Visit>> {
        // A state that stutters is not met again.
        let made = moves
            .iter()
            .filter_map(|step| Some((step.node, step.edge?)));
        let visit = |(node, edge): (u32, u32)| {
            let nth = edge - view.structure.edges(node).start;
            let node = view.node(node);
            let (name, share) = (self.graph.states[node], self.graph.selections[node]);
            self.replay.nth_step(name, share, nth as usize)
        };
        made.map(visit).collect()
    }
}

/// A graph in which an answer was found: that of states or, if there are instances, that of pairs.
#[derive(Clone, Copy)]
struct View<'v> {
    structure: &'v Structure,
    instances: Option<&'v Instances>,
}

impl View<'_> {
    /// The node of the graph of states that a node stands for.
    fn node(self, node: u32) -> usize {
        let count = self.instances.map_or(1, |own| own.action.count());
        (node / count) as usize
    }

    /// What the instance of a pair that runs start in is called before the start is renamed.
    fn instance(self, node: u32, start: &Visit) -> Option<u32> {
        let Some(instances) = self.instances else {
            return Some(0);
        };
        let called = node % instances.action.count();
        let images = instances.action.images(&start.witness)?;
        let before = images.iter().position(|image| *image == called)?;
        u32::try_from(before).ok()
    }
}

/// What a renaming of the search makes of each instance.
fn images_of(instances: &Instances, renaming: &Renaming) -> Vec<u32> {
    let images = instances.action.images(renaming);
    images.expect("a renaming that is certified permutes the instances")
}
