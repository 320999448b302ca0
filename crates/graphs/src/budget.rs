//! The budget of a search, in steps of work. No clock is read: the same graph with the same budget has the same answer on every machine.

/// What a search may cost. When it is used up, the search hands over what it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// The largest number of refinements; none for no limit.
    pub nodes: Option<u64>,
    /// The largest amount of work, about the number of arcs that are looked at; none for no limit. It is asked for between refinements, so it
    /// may be exceeded by one.
    pub arcs: Option<u64>,
}

impl Budget {
    /// No limits.
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// At most so much work.
    pub fn of_arcs(arcs: u64) -> Self {
        Budget {
            nodes: None,
            arcs: Some(arcs),
        }
    }

    /// At most so many refinements.
    pub fn of_nodes(nodes: u64) -> Self {
        Budget {
            nodes: Some(nodes),
            arcs: None,
        }
    }
}

/// A budget that is being spent.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    budget: Budget,
    nodes: u64,
}

impl Account {
    pub(crate) fn start(budget: &Budget) -> Self {
        Account {
            budget: *budget,
            nodes: 0,
        }
    }

    /// Asks for one more refinement after so much work.
    pub(crate) fn grants(&mut self, work: u64) -> bool {
        let nodes_left = self.budget.nodes.is_none_or(|most| self.nodes < most);
        let arcs_left = self.budget.arcs.is_none_or(|most| work < most);
        let granted = nodes_left && arcs_left;
        self.nodes += u64::from(granted);
        granted
    }

    /// How many were granted.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }
}
