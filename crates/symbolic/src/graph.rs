//! All that was reached as a graph, of which formulas speak.
//!
//! Its nodes are the states that nobody holds, and its edges are the ways from one of them to the next: what somebody holds is passed
//! through. A node that no edge leads away from repeats for ever. So a run that never comes out of an atomic sequence is no run.
//!
//! With symmetry the nodes are representatives, and an edge leads to a node if a way leads to one of its images. Formulas whose
//! propositions do not tell images apart have the same value in a representative and in all it stands for, so it does not matter how
//! many of them an orbit has. [`Graph::unfolded`] is the graph of all states, on which runs can be walked.

use crate::diagrams::{Bdd, Made, without};
use crate::search::Search;
use mandala_model::State;
use oxidd::BooleanFunction;

/// The graph of what was reached.
pub(crate) struct Graph<'s, 'a> {
    search: &'s Search<'a>,
    /// Whether states stand for all their images.
    folded: bool,
    /// What was reached, also what somebody holds.
    places: Bdd,
    pub nodes: Bdd,
    /// The nodes that no edge leads away from.
    pub ended: Bdd,
}

impl<'s, 'a> Graph<'s, 'a> {
    /// The graph of what a search has reached that has come to its end.
    pub(crate) fn of(search: &'s Search<'a>) -> Made<Self> {
        let mut graph = Graph {
            search,
            folded: true,
            nodes: search.reached.and(&search.system.free)?,
            places: search.reached.clone(),
            ended: search.context.d.no.clone(),
        };
        graph.ended = without(&graph.nodes, &graph.before(&graph.nodes)?)?;
        Ok(graph)
    }

    /// The graph of all states that those of this one stand for.
    pub(crate) fn unfolded(&self) -> Made<Self> {
        let nodes = self.images(&self.nodes)?;
        let places = match self.folded {
            true => self.with_ways(&nodes)?,
            false => self.places.clone(),
        };
        Ok(Graph {
            search: self.search,
            folded: false,
            places,
            nodes,
            ended: self.images(&self.ended)?,
        })
    }

    /// All states that a set stands for.
    pub(crate) fn images(&self, states: &Bdd) -> Made<Bdd> {
        match self.folded {
            true => self.search.meant(states),
            false => Ok(states.clone()),
        }
    }

    /// The nodes without some.
    pub(crate) fn but(&self, states: &Bdd) -> Made<Bdd> {
        without(&self.nodes, states)
    }

    /// No nodes at all.
    pub(crate) fn none(&self) -> Bdd {
        self.search.context.d.no.clone()
    }

    /// The nodes that runs start in; of the graph of all states, whichever graph this is.
    pub(crate) fn starts(&self) -> Made<Bdd> {
        match self.search.context.model.start_held {
            true => self.after(&self.search.start),
            false => Ok(self.search.start.clone()),
        }
    }

    /// The nodes from which an edge leads into a set of nodes.
    pub(crate) fn before(&self, nodes: &Bdd) -> Made<Bdd> {
        let mut before = self.one_step_before(nodes)?;
        let mut passed = without(&before, &self.search.system.free)?;
        while passed.satisfiable() {
            let more = without(&self.one_step_before(&passed)?, &before)?;
            before = before.or(&more)?;
            passed = without(&more, &self.search.system.free)?;
        }
        Ok(before.and(&self.nodes)?)
    }

    fn one_step_before(&self, states: &Bdd) -> Made<Bdd> {
        let before = self.search.before(&self.images(states)?)?;
        Ok(before.and(&self.places)?)
    }

    /// The states that nobody holds to which a way leads from a set, images not counted.
    pub(crate) fn after(&self, states: &Bdd) -> Made<Bdd> {
        self.search.next(states)
    }

    /// A set of nodes with all that somebody holds on the ways from them.
    fn with_ways(&self, nodes: &Bdd) -> Made<Bdd> {
        let mut places = nodes.clone();
        let mut from = nodes.clone();
        while from.satisfiable() {
            let held = without(&self.search.after(&from)?, &self.search.system.free)?;
            from = without(&held, &places)?;
            places = places.or(&from)?;
        }
        Ok(places)
    }

    /// Some state of a set, and the set that has it alone.
    pub(crate) fn pick(&self, states: &Bdd) -> Made<Option<(State, Bdd)>> {
        let context = self.search.context;
        let Some(bits) = context.d.pick(states) else {
            return Ok(None);
        };
        let (state, holder) = context.layout.decode(&bits);
        let alone = self.search.one(&state, holder)?;
        Ok(Some((state, alone)))
    }
}
