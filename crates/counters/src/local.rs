//! Whether a step of a member concerns nobody but itself and what is shared.
//!
//! That is so if every edge that a member can take, and every rule with a member as a parameter, reads and writes only shared cells and its own
//! ([`mandala_model::footprint`]). Then what it does is a relation on pairs of a shared part and a local state, the same for all members, whatever the others have. It is enough to look
//! at the first member of each family: the certificate maps its steps to those of the others.

use crate::parts::{Member, Parts};
use crate::refusal::Refused;
use mandala_model::Model;
use mandala_model::footprint::{Analysis, Aspect, Birth, Footprint};
use mandala_model::ids::{EdgeId, GlobalId, LocalId, LocationId, TemplateId};
use mandala_model::state::{State, Value};
use mandala_model::template::Template;
use mandala_prepare::{Prepared, ProofKind};
use mandala_symmetry::sorts::Sort;
use std::collections::BTreeSet;

/// So many choices of an edge are looked at.
const MOST_CHOICES: u64 = 10_000;

/// What values of the parameters of edges mean.
pub(crate) struct Parameters<'p> {
    prepared: &'p Prepared,
    parts: &'p Parts,
}

impl<'p> Parameters<'p> {
    pub(crate) fn new(prepared: &'p Prepared, parts: &'p Parts) -> Self {
        Parameters { prepared, parts }
    }

    /// What the values of a parameter are: those of the user's model, if the certificate was derived from that.
    fn sort(&self, edge: EdgeId, number: usize) -> Option<Sort> {
        let choices = self.prepared.certificate.as_ref()?.choices()?;
        let origin = match self.prepared.proof {
            ProofKind::ByTypes => self.prepared.rewrites.origins.of(edge)?,
            ProofKind::OfCertified => return None,
        };
        choices.get(&origin.edge)?.get(number).copied()
    }

    /// The members that are chosen; nothing if it is not known what the values of a parameter mean.
    pub(crate) fn members(&self, edge: EdgeId, choice: u32) -> Option<BTreeSet<Member>> {
        let certificate = self.prepared.certificate.as_ref()?;
        let template = self.prepared.searched.template(edge.template);
        let taken = &template.edges[edge.index as usize];
        let values = taken.chosen(choice).into_iter().enumerate();
        let mut members = BTreeSet::new();
        for (number, value) in values {
            let sort = self.sort(edge, number)?;
            members.extend(self.parts.member_of(certificate.sorts(), sort, value));
        }
        Some(members)
    }
}

/// The locations of a template that a process may come to.
fn reachable(template: &Template, from: LocationId) -> BTreeSet<LocationId> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(location) = open.pop() {
        if found.insert(location) {
            open.extend(template.edges_from(location).map(|(_, edge)| edge.target));
        }
    }
    found
}

/// A process whose edges are looked at.
#[derive(Clone, Copy)]
struct Mover {
    number: u32,
    template: TemplateId,
    member: Option<Member>,
}

/// The check of one model.
pub(crate) struct Locality<'m> {
    model: &'m Model,
    parts: &'m Parts,
    parameters: Parameters<'m>,
    analysis: Analysis<'m>,
    offsets: Vec<usize>,
}

impl<'m> Locality<'m> {
    pub(crate) fn new(prepared: &'m Prepared, parts: &'m Parts) -> Self {
        let model: &Model = &prepared.searched;
        Locality {
            model,
            parts,
            parameters: Parameters::new(prepared, parts),
            analysis: Analysis::new(model),
            offsets: model.first_cells(&model.globals),
        }
    }

    /// Requires that there are the same processes and channels in all states.
    ///
    /// # Errors
    ///
    /// Where one is made or ends.
    pub(crate) fn require_population(&self, start: &State) -> Result<(), Refused> {
        self.each_edge(start, |mover, edge| {
            let footprint = self.footprint(mover, edge, &[], start);
            let changes = match () {
                () if !footprint.spawns.is_empty() => "makes a process",
                () if footprint.exits => "ends a process, which others may notice",
                () => return Ok(()),
            };
            let what = format!("`{}` {changes}", self.edge(edge).text);
            Err(Refused::at(self.edge(edge).span, what))
        })
    }

    /// Requires that steps concern one member at most, besides what is shared.
    ///
    /// # Errors
    ///
    /// At the first one that may concern others.
    pub(crate) fn require_local(&self, start: &State) -> Result<(), Refused> {
        self.each_edge(start, |mover, edge| {
            self.require_local_edge(mover, edge, start)
        })
    }

    /// Whether somebody asks how many processes there are.
    pub(crate) fn asks_for_population(&self, start: &State) -> bool {
        let asks = |footprint: &Footprint| footprint.reads.aspects.contains(&Aspect::Population);
        let found = self.each_edge(start, |mover, edge| {
            let footprint = self.footprint(mover, edge, &[], start);
            match asks(&footprint) {
                true => Err(Refused::whole("asks how many processes there are")),
                false => Ok(()),
            }
        });
        let mut conditions = start.processes.iter().enumerate().map(|(number, process)| {
            let mover = Mover {
                number: number as u32,
                template: process.template,
                member: None,
            };
            self.analysis
                .provided_for(process.template, &self.birth(mover, start))
        });
        found.is_err() || conditions.any(|footprint| asks(&footprint))
    }

    fn each_edge(
        &self,
        start: &State,
        visit: impl Fn(Mover, EdgeId) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        for (number, process) in (0..).zip(&start.processes) {
            let member = self.parts.member_of_process(number);
            if member.is_some_and(|(_, place)| place > 0) {
                continue;
            }
            let template = self.model.template(process.template);
            let mover = Mover {
                number,
                template: process.template,
                member,
            };
            if let Some(provided) = &template.provided {
                let read = self
                    .analysis
                    .provided_for(process.template, &self.birth(mover, start));
                if let Err(why) = self.require_own(&read, member) {
                    let what = format!(
                        "the condition of `{}` on its steps {why}",
                        template.display_name()
                    );
                    return Err(Refused::at(provided.span, what));
                }
            }
            for location in reachable(template, process.location) {
                for (index, _) in template.edges_from(location) {
                    let template = process.template;
                    visit(mover, EdgeId { template, index })?;
                }
            }
        }
        Ok(())
    }

    fn edge(&self, edge: EdgeId) -> &'m mandala_model::template::Edge {
        &self.model.template(edge.template).edges[edge.index as usize]
    }

    fn birth(&self, mover: Mover, start: &State) -> Birth {
        let template = self.model.template(mover.template);
        let locals = &start.processes[mover.number as usize].locals;
        let mut fixed = std::collections::HashMap::new();
        let starts = self.model.first_cells(&template.locals);
        for (number, (variable, first)) in template.locals.iter().zip(starts).enumerate() {
            let local = LocalId::from(number);
            if self.analysis.is_fixed(mover.template, local) {
                let cells = 0..self.model.cells(&variable.ty);
                fixed.extend(cells.map(|cell| ((local, cell as u32), locals[first + cell])));
            }
        }
        Birth {
            number: Some(mover.number),
            fixed,
        }
    }

    fn footprint(&self, mover: Mover, edge: EdgeId, values: &[Value], start: &State) -> Footprint {
        let birth = self.birth(mover, start);
        self.analysis
            .taking_by(edge, &birth, false)
            .of_choice(values)
    }

    fn require_local_edge(&self, mover: Mover, id: EdgeId, start: &State) -> Result<(), Refused> {
        let edge = self.edge(id);
        let refused = |why: String| {
            let what = format!("`{}` {why}", edge.text);
            Err(Refused::at(edge.span, what))
        };
        let choices = edge.parameters.iter().map(|p| p.values.count());
        if choices.fold(1, u64::saturating_mul) > MOST_CHOICES {
            return refused("has very many choices".into());
        }
        let birth = self.birth(mover, start);
        let footprint = self.analysis.taking_by(id, &birth, false);
        for choice in 0..edge.choices() {
            let Some(mut members) = self.parameters.members(id, choice) else {
                return refused("has parameters that may be members".into());
            };
            members.extend(mover.member);
            if members.len() > 1 {
                return refused("concerns two members".into());
            }
            if members.iter().any(|(_, member)| *member > 0) {
                continue;
            }
            let touched = footprint.of_choice(&edge.chosen(choice));
            if let Err(why) = self.require_own(&touched, members.into_iter().next()) {
                return refused(why.into());
            }
        }
        Ok(())
    }

    /// Requires that what is touched is shared or that member's own.
    fn require_own(&self, touched: &Footprint, own: Option<Member>) -> Result<(), &'static str> {
        let cells = touched
            .reads
            .globals
            .iter()
            .chain(touched.writes.globals.iter());
        for (variable, cells) in cells {
            for cell in cells.intervals().iter().flat_map(Clone::clone) {
                let owner = self.owner(variable, cell);
                if owner.is_some() && owner != own {
                    return Err("looks at other members");
                }
            }
        }
        let remote = touched
            .reads
            .remote
            .iter()
            .chain(touched.writes.remote.iter());
        for ((template, _), _) in remote {
            let mut families = self.parts.families().iter();
            if families.any(|family| family.template == Some(template)) {
                return Err("looks at variables of other processes");
            }
        }
        if touched.meets {
            return Err("meets another process");
        }
        if touched.writes.aspects.contains(&Aspect::Priorities) {
            return Err("changes priorities");
        }
        for aspect in &touched.reads.aspects {
            match aspect {
                Aspect::Population => {}
                Aspect::Locations => return Err("asks where other processes are"),
                Aspect::Priorities => return Err("is about priorities"),
                Aspect::LastMover => return Err("asks who has moved last"),
                Aspect::Timeout => return Err("waits until nobody else can move"),
                Aspect::Enabled => return Err("asks whether others can move"),
            }
        }
        Ok(())
    }

    fn owner(&self, variable: GlobalId, cell: u32) -> Option<Member> {
        self.parts
            .owner(self.offsets[variable.index()] + cell as usize)
    }
}
