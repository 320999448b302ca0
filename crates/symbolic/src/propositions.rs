//! The propositions of a formula as sets of states.

use crate::attempt::{Attempt, Context, Path};
use crate::diagrams::{Bdd, Made};
use crate::outcome::Formula;
use mandala_model::expr::Expr;
use mandala_model::ids::ConditionId;
use mandala_resolved::Resolver;
use std::collections::BTreeMap;

/// Where a condition of a formula holds, and where it has no value.
pub(crate) struct Proposition {
    pub holds: Bdd,
    pub fails: Bdd,
}

/// The propositions of an instance of a formula.
pub(crate) type Propositions = BTreeMap<ConditionId, Proposition>;

impl Formula<'_> {
    /// The propositions of each instance, in all states that nobody holds.
    pub(crate) fn propositions(&self, context: Context<'_>, free: &Bdd) -> Made<Vec<Propositions>> {
        let proposition = |(id, condition): &(ConditionId, Expr)| {
            let mut asking = Attempt::observing(context);
            let nothing_done = Path {
                condition: free.clone(),
                cells: BTreeMap::new(),
            };
            let condition = Resolver::outside(context.model).expr(condition);
            let holds = asking.holds(&nothing_done, free, &condition)?;
            let fails = asking.halted;
            Ok((*id, Proposition { holds, fails }))
        };
        let instances = self.instances.iter();
        instances
            .map(|conditions| conditions.iter().map(proposition).collect())
            .collect()
    }
}
