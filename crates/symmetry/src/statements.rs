//! The action of renamings on statements.
//!
//! Whoever asks whether a run is fair to statements has to know each of them again after a renaming. An *action* is a process with an edge of
//! its template and a choice of the parameters of that. A certificate that is derived from types says it: a step becomes one along the same edge, with the renamed values
//! of its parameters ([`Certificate::choices`]). One by execution says that a step of process `p` becomes one of process `g(p)`, at the same location, but not by
//! which edge: in `if :: x = 1 :: x = 2 fi` the exchange of 1 and 2 exchanges the edges. Here that is found out, where every edge has a single choice, and
//! renamings that leave it open are given up.
//!
//! # What is promised
//!
//! Let `g` be a renaming of the certificate that is left, and `s` a state in which it may be applied. If action `a` can be taken in `s` and
//! leads to `t`, then its image can be taken in `g s` and leads to `g t`. The actions that take part in a step that goes through an
//! atomic sequence become those of the step between the images, but for edges that nobody can begin a step with (see below).
//!
//! - For a generator of the group, what each edge of each actor does, renamed, is compared with what the edges of the actor do
//!   that it becomes, location by location (`compare`). A permutation that maps every edge to one that does exactly the same
//!   is what is wanted. The proof of the certificate is content if all edges of a location together do the same. Then
//!   there may be none, and the generator is given up.
//! - Edges that do the same are all alike: each of them leads from `s` to the same states. So any permutation that fits will do, and it
//!   does not matter that the one of `g h` need not be that of `h` followed by that of `g`: a walk that follows an action follows an
//!   action of some run, whichever was chosen at each step.
//! - Locations in the middle of atomic sequences that nobody ever sees have no forms of their own (`execute`), and the edges there stay.
//!   No step begins with such an edge. So an action of it can never be taken by itself, and every run is fair to it.
//! - Nor does it matter what becomes of the edges of locations at which nobody is any more when `g` may be applied (`settle`).
//!
//! # Products
//!
//! A search meets any element of the group, and only generators have been looked at. If no generator exchanges edges, no
//! element does. Otherwise the edges that are exchanged are permuted together with the members of the domains, as points of one larger
//! group, each edge once for each process. Its elements are the products of generators with what they do to edges. To find out what a
//! renaming does, it is divided by elements of a stabiliser chain whose base begins with the members of the domains; what it was
//! divided by is an element that does the same to these, and says what happens to the edges.

use crate::breach::Breach;
use crate::budget::{ProofBudget, ProofPart};
use crate::case::{AllForms, Case, Grounds, Places};
use crate::certificate::Certificate;
use crate::certify::begin;
use crate::domain::Candidate;
use crate::evidence::Evidence;
use crate::execute::Actor;
use crate::proof::{Mover, Proof};
use crate::renaming::Renaming;
use crate::settle::is_over;
use crate::sorts::{Sort, Sorts};
use mandala_groups::{Group, Permutation as Points, StabiliserChain};
use mandala_model::Model;
use mandala_model::ids::{EdgeId, LocationId, TemplateId};
use mandala_model::parameters::Values;
use mandala_model::step::Observers;
use mandala_model::template::Role;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What is left of a certificate if statements are to be known again.
#[derive(Clone, Debug)]
pub struct Followed {
    /// The proof for what is left, unless that is nothing.
    pub certificate: Option<Certificate>,
    /// What it does to statements.
    pub statements: Statements,
    /// Why something was given up, if it was.
    pub lost: Vec<Breach>,
}

/// What the renamings of a certificate do to actions.
#[derive(Clone, Debug, Default)]
pub struct Statements {
    /// The edges that are exchanged, if there are any.
    restless: Option<Restless>,
    /// What parameters mean, if that was derived.
    derived: Option<Derived>,
}

/// What parameters of edges mean.
#[derive(Clone, Debug)]
struct Derived {
    sorts: Sorts,
    /// The edges with parameters of which some are names.
    edges: Vec<Meant>,
}

#[derive(Clone, Debug)]
struct Meant {
    edge: EdgeId,
    /// What is chosen, and what it means.
    parameters: Vec<(Values, Sort)>,
}

impl Meant {
    /// What a renaming makes of each choice; nothing if it makes one of them that is none.
    fn images(&self, sorts: &Sorts, renaming: &Renaming) -> Option<Vec<u32>> {
        let mut images = vec![0u32];
        for (values, sort) in &self.parameters {
            let count = u32::try_from(values.count()).ok()?;
            let image = |value| values.place_of(sorts.image(renaming, *sort, value));
            let places: Option<Vec<u64>> = values.iter().map(image).collect();
            let places = places?;
            let with_next = |before: u32| {
                let places = places.iter();
                places.map(move |place| Some(before * count + u32::try_from(*place).ok()?))
            };
            let all: Option<Vec<u32>> = images.into_iter().flat_map(with_next).collect();
            images = all?;
        }
        Some(images)
    }
}

/// How somebody numbers the actions of all templates: those of an edge one after the other, in the order of its choices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActionNumbers {
    /// The number of the first action of each edge of each template. Observers need not be numbered.
    pub firsts: Vec<Vec<u32>>,
    /// How many actions are numbered.
    pub count: u32,
}

impl ActionNumbers {
    fn of(&self, edge: EdgeId) -> u32 {
        self.firsts[edge.template.index()][edge.index as usize]
    }
}

impl Statements {
    /// What the renamings of a certificate do to actions of a model, if it says so: it was derived from types. `origin` is the edge of the model that it was derived from for
    /// each edge of this one, which has the same parameters.
    pub fn derived(
        model: &Model,
        certificate: &Certificate,
        origin: impl Fn(EdgeId) -> Option<EdgeId>,
    ) -> Option<Self> {
        let choices = certificate.choices()?;
        let mut edges = Vec::new();
        let processes = (0..).map(TemplateId).zip(&model.templates);
        for (template, of) in processes.filter(|(_, t)| t.role == Role::Process) {
            for (index, edge) in (0..).zip(&of.edges) {
                let id = EdgeId { template, index };
                let sorts = origin(id).and_then(|origin| choices.get(&origin));
                let Some(sorts) = sorts.filter(|sorts| sorts.iter().any(|s| *s != Sort::Plain))
                else {
                    continue;
                };
                let values = edge.parameters.iter().map(|p| p.values.clone());
                let parameters: Vec<(Values, Sort)> = values.zip(sorts.iter().copied()).collect();
                (parameters.len() == edge.parameters.len()).then_some(())?;
                edges.push(Meant {
                    edge: id,
                    parameters,
                });
            }
        }
        Some(Statements {
            restless: None,
            derived: Some(Derived {
                sorts: certificate.sorts().clone(),
                edges,
            }),
        })
    }

    /// What becomes of the actions of so many processes, in order: that of process `p` and the edge of number `e` has the number
    /// `p * count + e`. Nothing if the renaming is none of the group, or moves other processes.
    pub fn images(
        &self,
        renaming: &Renaming,
        processes: u32,
        numbers: &ActionNumbers,
    ) -> Option<Vec<u32>> {
        let exchanged = match &self.restless {
            Some(restless) => Some((restless, restless.element(renaming)?)),
            None => None,
        };
        let chosen = match &self.derived {
            Some(derived) => {
                let edges = derived.edges.iter();
                let images = |meant: &Meant| {
                    let images = meant.images(&derived.sorts, renaming)?;
                    Some((numbers.of(meant.edge), images))
                };
                edges
                    .map(images)
                    .collect::<Option<Vec<(u32, Vec<u32>)>>>()?
            }
            None => Vec::new(),
        };
        let mut images = Vec::with_capacity((processes * numbers.count) as usize);
        for process in 0..processes {
            let image = renaming.processes().image(process);
            (image < processes).then_some(())?;
            let (from, to) = (images.len(), image * numbers.count);
            images.extend(to..to + numbers.count);
            for (first, choices) in &chosen {
                for (choice, image) in (0..).zip(choices) {
                    images[from + (first + choice) as usize] = to + first + image;
                }
            }
            if let Some((restless, element)) = &exchanged {
                for (edge, image) in restless.images(element, process) {
                    images[from + numbers.of(edge) as usize] = to + numbers.of(image);
                }
            }
        }
        Some(images)
    }

    /// Whether some renaming makes another edge of one.
    pub fn exchanges_edges(&self) -> bool {
        self.restless.is_some()
    }
}

/// An edge of a member of a family or, without one, of anybody else.
type Deed = (Option<u32>, EdgeId);

/// What one renaming makes of edges: those that become another one.
type Exchanged = BTreeMap<Deed, EdgeId>;

/// Edges that are exchanged, in a group with the members of the domains.
#[derive(Clone, Debug)]
struct Restless {
    certificate: Certificate,
    /// The chain of the group. Its base begins with the members of the domains, which are the first points.
    chain: StabiliserChain,
    /// The point of each deed.
    points: BTreeMap<Deed, u32>,
    /// The deeds, by point.
    deeds: Vec<Deed>,
}

impl Restless {
    /// What some generators exchange; nothing if that is too much to work with.
    fn new(
        certificate: &Certificate,
        candidate: &Candidate,
        generators: &[(&Renaming, &Exchanged)],
    ) -> Option<Self> {
        let exchanged = generators
            .iter()
            .flat_map(|(_, exchanged)| exchanged.iter());
        let edges: BTreeSet<EdgeId> = exchanged.flat_map(|((_, e), image)| [*e, *image]).collect();
        let deeds = edges.into_iter().flat_map(|edge| {
            let own = members(candidate, edge.template).into_iter().map(Some);
            own.chain([None]).map(move |who| (who, edge))
        });
        let deeds: Vec<Deed> = deeds.collect();
        let first = member_count(certificate);
        let points = deeds.iter().copied().zip(first..);
        let points: BTreeMap<Deed, u32> = points.collect();
        let degree = first as usize + deeds.len();
        if degree as u64 * certificate.order().bits() > MOST_WORK {
            return None;
        }
        let element = |(renaming, exchanged): &(&Renaming, &Exchanged)| {
            let mut images = certificate.points(renaming)?.images().to_vec();
            for deed in &deeds {
                let who = deed.0.map(|member| renaming.processes().image(member));
                let edge = exchanged.get(deed).copied().unwrap_or(deed.1);
                images.push(*points.get(&(who, edge))?);
            }
            Points::from_images(images).ok()
        };
        let elements: Option<Vec<Points>> = generators.iter().map(element).collect();
        let group = Group::new(degree, elements?).ok()?;
        let base: Vec<u32> = (0..first).collect();
        Some(Restless {
            certificate: certificate.clone(),
            chain: group.with_base(&base).ok()?,
            points,
            deeds,
        })
    }

    /// An element of the group that does to the members of the domains what the renaming does.
    fn element(&self, renaming: &Renaming) -> Option<Points> {
        let first = member_count(&self.certificate);
        let mut images = self.certificate.points(renaming)?.images().to_vec();
        images.extend(first..first + self.deeds.len() as u32);
        let sifted = self.chain.sift(&Points::from_images(images).ok()?);
        // The residue is what there was, divided by the element: nothing is left of the members, and there was nothing else.
        (sifted.level >= first as usize).then(|| sifted.residue.inverse())
    }

    /// What an element makes of those edges of a process that may be exchanged.
    fn images(&self, element: &Points, process: u32) -> impl Iterator<Item = (EdgeId, EdgeId)> {
        let own = move |deed: &Deed| match deed.0 {
            Some(member) => member == process,
            // It is one of everybody else.
            None => !self.points.contains_key(&(Some(process), deed.1)),
        };
        let first = self.chain.degree() - self.deeds.len();
        let deeds = self.points.iter().filter(move |(deed, _)| own(deed));
        deeds.map(move |(deed, point)| {
            let image = element.image(*point) as usize - first;
            (deed.1, self.deeds[image].1)
        })
    }
}

/// The points, times the bits of the order, of a group that can be worked with in a fraction of a second.
const MOST_WORK: u64 = 50_000;

/// How many members the domains have.
fn member_count(certificate: &Certificate) -> u32 {
    let sizes = certificate.domains().iter().map(|d| d.kind.size());
    sizes.sum::<usize>() as u32
}

/// Finds out what the renamings of a certificate do to statements, and gives up those for which that cannot be said. The certificate
/// must be about the candidate.
pub fn follow(
    model: &Model,
    observers: Observers,
    candidate: &Candidate,
    certificate: &Certificate,
    budget: &ProofBudget,
) -> Followed {
    let given_up = |lost| Followed {
        certificate: None,
        statements: Statements::default(),
        lost,
    };
    let evidence = Evidence::new(model, observers);
    let traced = match traced(&evidence, candidate, certificate, budget) {
        Ok(traced) => traced,
        Err(lost) => return given_up(lost),
    };
    let is_traced = |renaming: &Renaming| {
        let mut traced = traced.iter();
        traced.any(|(known, exchanged)| known == renaming && exchanged.is_ok())
    };
    let lost = distinct(traced.iter().filter_map(|(_, e)| e.as_ref().err()));
    let Some(kept) = certificate.keeping(is_traced) else {
        return given_up(lost);
    };
    let generators = traced
        .iter()
        .filter_map(|(r, e)| Some((r, e.as_ref().ok()?)));
    let generators: Vec<(&Renaming, &Exchanged)> = generators.collect();
    let mut restless = None;
    if generators
        .iter()
        .any(|(_, exchanged)| !exchanged.is_empty())
    {
        restless = Restless::new(&kept, candidate, &generators);
        if restless.is_none() {
            let why = "too many statements are exchanged for following each of them";
            return given_up(vec![Breach::everywhere(why)]);
        }
    }
    Followed {
        certificate: Some(kept),
        statements: Statements {
            restless,
            derived: None,
        },
        lost,
    }
}

/// Each breach once.
fn distinct<'b>(breaches: impl Iterator<Item = &'b Breach>) -> Vec<Breach> {
    let mut all: Vec<Breach> = Vec::new();
    for breach in breaches {
        if !all.contains(breach) {
            all.push(breach.clone());
        }
    }
    all
}

/// The members of families of a template.
fn members(candidate: &Candidate, template: TemplateId) -> Vec<u32> {
    let families = candidate.families.iter();
    let families = families.filter(|family| family.template == template);
    families.flat_map(|f| f.numbers.iter().copied()).collect()
}

/// What a generator does to edges, or why that cannot be said.
type Traced = (Renaming, Result<Exchanged, Breach>);

/// What each generator of a certificate does to edges.
fn traced(
    evidence: &Evidence<'_>,
    candidate: &Candidate,
    certificate: &Certificate,
    budget: &ProofBudget,
) -> Result<Vec<Traced>, Vec<Breach>> {
    let mut edges = evidence.model.templates.iter().flat_map(|t| &t.edges);
    let hidden = edges.find(|edge| edge.twin);
    if let Some(twin) = hidden {
        let why =
            "is done at all positions alike, so that its statements cannot be told from each other";
        return Err(vec![Breach::at(twin.span, why)]);
    }
    let case = begin(evidence, candidate, budget)?;
    let kinds = certificate.domains().iter().map(|domain| &domain.kind);
    if !kinds.eq(&case.domains) || candidate.names.iter().any(|names| names.unordered) {
        let why =
            "what statements become can only be said of what is certified for the whole candidate";
        return Err(vec![Breach::everywhere(why)]);
    }
    let forms = case.all_forms()?;
    let grounds = grounds(&case, &forms, certificate)?;
    let tracer = Tracer {
        proof: case.proof(&forms, &grounds),
        certificate,
    };
    let generators = certificate.generators().into_iter();
    let traced = generators.map(|renaming| {
        case.require_budget(|| ProofPart::of_the_model("what becomes of statements"))?;
        let exchanged = tracer.exchanged(&renaming);
        Ok((renaming, exchanged))
    });
    traced.collect()
}

/// What the certificate stands on.
fn grounds<'m>(
    case: &Case<'_, 'm>,
    forms: &AllForms,
    certificate: &Certificate,
) -> Result<Rc<Grounds<'m>>, Vec<Breach>> {
    for unheard in [Places::new(), case.start_up(), case.openings()] {
        let Ok(grounds) = case.grounds(forms, &unheard) else {
            continue;
        };
        let sorts = Sorts::clone(&grounds.sorts).without_scratch(case.model);
        if sorts == *certificate.sorts() {
            return Ok(grounds);
        }
    }
    let why = "what the certificate stands on is not found again";
    Err(vec![Breach::everywhere(why)])
}

/// Somebody who finds out what renamings do to edges.
struct Tracer<'a, 'm> {
    proof: Proof<'a, 'm>,
    certificate: &'a Certificate,
}

/// A renaming that is looked at, and when it may be applied.
struct Trial<'a> {
    mover: Mover,
    settled: Vec<&'a (TemplateId, BTreeSet<LocationId>)>,
}

impl<'a> Tracer<'a, '_> {
    fn exchanged(&self, renaming: &Renaming) -> Result<Exchanged, Breach> {
        let Some(mover) = Mover::new(&self.proof.case.domains, renaming) else {
            let why = "a renaming does not keep to the domains";
            return Err(Breach::everywhere(why));
        };
        let trial = Trial {
            mover,
            settled: self.settled(renaming),
        };
        let mut all = Exchanged::new();
        let model = self.proof.case.model;
        let templates = self.proof.templates().into_iter();
        for template in templates.filter(|t| model.template(*t).role == Role::Process) {
            self.add_template(template, &trial, &mut all)?;
        }
        Ok(all)
    }

    /// The conditions under which a renaming may be applied.
    fn settled(&self, renaming: &Renaming) -> Vec<&'a (TemplateId, BTreeSet<LocationId>)> {
        let domains = self.certificate.domains().iter().enumerate();
        let touched = domains.filter(|(d, _)| self.certificate.touches(renaming, *d));
        touched.flat_map(|(_, domain)| &domain.settled).collect()
    }

    /// Everybody of a template. Those who stay are looked at all at once or, if that is not enough and they are all known by
    /// their numbers, one by one, as in the proof.
    fn add_template(
        &self,
        template: TemplateId,
        trial: &Trial<'_>,
        all: &mut Exchanged,
    ) -> Result<(), Breach> {
        let members = self.proof.members(template).into_iter();
        let image = |member: u32| trial.mover.renaming.processes().image(member);
        let (staying, moved): (Vec<u32>, Vec<u32>) = members.partition(|m| image(*m) == *m);
        for member in moved {
            let actors = (Actor::Known(member), Actor::Known(image(member)));
            add(all, Some(member), &self.edges(template, trial, actors)?);
        }
        match self.edges(template, trial, (Actor::Other, Actor::Other)) {
            Ok(edges) => {
                let everybody = staying.into_iter().map(Some).chain([None]);
                everybody.for_each(|who| add(all, who, &edges));
            }
            Err(_) if self.proof.case.all_are_known(template) => {
                for member in staying {
                    let actors = (Actor::Known(member), Actor::Known(member));
                    add(all, Some(member), &self.edges(template, trial, actors)?);
                }
            }
            Err(breach) => return Err(breach),
        }
        Ok(())
    }

    /// The edges of the first actor that become another edge of the second, by number.
    fn edges(
        &self,
        template: TemplateId,
        trial: &Trial<'_>,
        actors: (Actor, Actor),
    ) -> Result<Vec<(EdgeId, EdgeId)>, Breach> {
        let model = self.proof.case.model;
        let declared = model.template(template);
        let found = self.proof.correspondence(template, &trial.mover, actors);
        let too_complex = || Breach::too_complex(declared.span, &declared.name);
        let mut exchanged = Vec::new();
        for (index, images) in found.ok_or_else(too_complex)?.into_iter().enumerate() {
            let location = LocationId::from(index);
            let images = match images {
                Ok(images) => images,
                Err(_) if is_over(model, &trial.settled, (template, location)) => continue,
                Err(breach) => return Err(breach),
            };
            let edges = declared.edges_from(location);
            let edges = edges.map(|(index, _)| EdgeId { template, index });
            let edges: Vec<EdgeId> = edges.collect();
            let moved = images.iter().enumerate().filter(|(from, to)| from != *to);
            exchanged.extend(moved.map(|(from, to)| (edges[from], edges[*to])));
        }
        Ok(exchanged)
    }
}

fn add(all: &mut Exchanged, who: Option<u32>, edges: &[(EdgeId, EdgeId)]) {
    all.extend(edges.iter().map(|(from, to)| ((who, *from), *to)));
}
