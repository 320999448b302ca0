//! The states of an orbit, one for each orbit of a smaller group.

use crate::space::{Space, Stop};
use mandala_model::State;
use mandala_symmetry::{Partition, Renaming};
use std::collections::HashSet;

/// A state of an orbit.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub state: State,
    /// The process that holds control, if one does.
    pub holder: Option<u32>,
    /// From the state that the orbit was given by to this one.
    pub renaming: Renaming,
}

impl Space<'_> {
    /// The states of the orbit of a state under the group of `within`, one for each orbit of the group of `under`, which refines it.
    ///
    /// All exchanges of two points of one cell of `within` are tried on each state that is found. That is enough: they generate the group, and for `h` in the group of `under` and an exchange
    /// `x`, `x h s` is in the orbit of `(h⁻¹ x h) s`, which is an exchange as well. Where a process holds control, the same state may be told for several holders that are
    /// interchangeable; that is not needed, and does no harm.
    pub(crate) fn members(
        &mut self,
        (within, under): (&Partition, &Partition),
        state: &State,
        holder: Option<u32>,
        goes_on: &dyn Fn() -> Result<(), Stop>,
    ) -> Result<Vec<Member>, Stop> {
        let first = Member {
            state: state.clone(),
            holder,
            renaming: Renaming::identity(),
        };
        if within.refines(under) {
            return Ok(vec![first]);
        }
        let exchanges = self.crossing(within, under);
        let mut seen = HashSet::from([self.key(under, &first)?]);
        let mut members = vec![first];
        let mut next = 0;
        while next < members.len() {
            goes_on()?;
            let from = members[next].clone();
            next += 1;
            for exchange in &exchanges {
                let Some(image) = self.image(exchange, &from.state) else {
                    continue;
                };
                let member = Member {
                    holder: from.holder.map(|p| exchange.processes().image(p)),
                    renaming: from.renaming.then(exchange),
                    state: image,
                };
                if seen.insert(self.key(under, &member)?) {
                    members.push(member);
                }
            }
        }
        Ok(members)
    }

    /// The exchanges of two points of one cell of the one partition, and of two of the other.
    fn crossing(&self, within: &Partition, under: &Partition) -> Vec<Renaming> {
        let mut exchanges = Vec::new();
        for cell in within.cells() {
            for (place, b) in cell.iter().enumerate() {
                let others = cell[..place].iter().filter(|a| !under.joins(**a, *b));
                exchanges.extend(others.map(|a| self.symmetry().exchange(*a, *b)));
            }
        }
        exchanges
    }

    /// What members of one orbit of the smaller group have in common.
    fn key(&mut self, under: &Partition, member: &Member) -> Result<(Vec<u8>, Option<u32>), Stop> {
        let least = self.least(under, &member.state)?;
        let holder = member.holder.map(|p| least.renaming.processes().image(p));
        Ok((least.packed, holder))
    }
}
