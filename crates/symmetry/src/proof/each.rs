//! The proof for one renaming, statement by statement: which statements it keeps, whatever it does to the others.

use super::{Mover, Proof};
use crate::births;
use crate::breach::Breach;
use crate::budget::ProofPart;
use crate::compare::{StatementOf, kept, require_kept};
use crate::execute::Actor;
use crate::lasting::OUTSIDE;
use crate::locations::spawns;
use crate::renaming::Renaming;
use mandala_model::ids::{EdgeId, TemplateId};
use std::collections::BTreeMap;

/// For each edge that a renaming does not keep, why.
pub(crate) type Unkept = BTreeMap<EdgeId, Breach>;

impl Proof<'_, '_> {
    /// The edges of processes, and monitors, that the renaming does not keep: the instances of a statement at one location, of all processes,
    /// are not mapped to themselves. The condition on all moves of a process is a part of each of its edges, and the first values of a
    /// new process one of each edge of a template that makes it.
    ///
    /// # Errors
    ///
    /// If the budget has ended.
    pub fn unkept(&self, mover: &Mover, of: StatementOf<'_>) -> Result<Unkept, Vec<Breach>> {
        let mut all = Unkept::new();
        for template in self.templates() {
            for (edge, breach) in self.unkept_of(template, mover, of)? {
                all.entry(edge).or_insert(breach);
            }
        }
        Ok(all)
    }

    fn unkept_of(
        &self,
        template: TemplateId,
        mover: &Mover,
        of: StatementOf<'_>,
    ) -> Result<Vec<(EdgeId, Breach)>, Vec<Breach>> {
        if let Some(breach) = self.breach_of_all(template, mover) {
            let edges = 0..self.case.model.template(template).edges.len() as u32;
            let edge = |index| (EdgeId { template, index }, breach.clone());
            return Ok(edges.map(edge).collect());
        }
        let mut found = Vec::new();
        for (from, to) in mover.pairs(&self.members(template)) {
            let both = (Actor::Known(from), Actor::Known(to));
            found.extend(self.compared(template, mover, both, of)?);
        }
        let others = self.compared(template, mover, (Actor::Other, Actor::Other), of)?;
        if others.is_empty() || !self.case.all_are_known(template) {
            found.extend(others);
            return Ok(found);
        }
        for n in self.staying(template, mover) {
            let one = Actor::Known(n);
            found.extend(self.compared(template, mover, (one, one), of)?);
        }
        Ok(found)
    }

    /// Why no edge of the template is kept.
    fn breach_of_all(&self, template: TemplateId, mover: &Mover) -> Option<Breach> {
        let provided = self.provided_of(template, mover).err();
        let provided = provided.and_then(|breaches| breaches.into_iter().next());
        provided.or_else(|| self.births_by(template, mover).err())
    }

    /// That new processes which the template makes begin alike.
    fn births_by(&self, template: TemplateId, mover: &Mover) -> Result<(), Breach> {
        for made in self.case.spawned().iter().copied() {
            let sites = spawns(self.case.model, made);
            if sites.iter().any(|(by, _)| *by == template) {
                let executor = self.case.executor(made, Actor::Other);
                let values = births::of_locals(&executor)?;
                self.same_births(made, mover, &values)?;
            }
        }
        Ok(())
    }

    fn compared(
        &self,
        template: TemplateId,
        mover: &Mover,
        (from, to): (Actor, Actor),
        of: StatementOf<'_>,
    ) -> Result<Vec<(EdgeId, Breach)>, Vec<Breach>> {
        let identity = Renaming::identity();
        let forms = |actor| self.forms.edges.get(&(template, actor));
        let declared = self.case.model.template(template);
        let (Some(found), Some(wanted)) = (forms(from), forms(to)) else {
            let edges = 0..declared.edges.len() as u32;
            let breach = Breach::too_complex(declared.span, &declared.name);
            let edge = |index| (EdgeId { template, index }, breach.clone());
            return Ok(edges.map(edge).collect());
        };
        let rename = self.renamer(template, &mover.scope, &mover.renaming);
        let stay = self.renamer(template, &mover.scope, &identity);
        let known = &mut mover.renamed.borrow_mut();
        let both = (&**found, &**wanted);
        let whom = (template, mover.whom.as_str());
        kept(declared, (&rename, &stay), both, whom, known, of).map_err(|breach| vec![breach])
    }

    /// Why the renaming does not keep the conditions that are asked of states, if it does not.
    ///
    /// # Errors
    ///
    /// If the budget has ended.
    pub fn unkept_conditions(&self, mover: &Mover) -> Result<Option<Breach>, Vec<Breach>> {
        let identity = Renaming::identity();
        let rename = self.renamer(OUTSIDE, &mover.scope, &mover.renaming);
        let stay = self.renamer(OUTSIDE, &mover.scope, &identity);
        let asked = || ProofPart::of_the_model("the conditions of the property");
        self.case.require_budget(asked)?;
        Ok(require_kept(&self.forms.conditions, (&rename, &stay), &mover.whom).err())
    }
}
