//! What each statement of a model keeps, whether or not the model as a whole is symmetric.
//!
//! A model in which few statements treat processes differently has hardly a certificate, but most of its statements have one of their own.
//! Here the exchanges of two members are certified statement by statement, by the same proof as for a whole model ([`mod@crate::certify`]).
//!
//! # What is proven
//!
//! Let the *family* of a statement be all steps that begin with one of its edges, by whatever process, in whatever choice of parameters. A step goes on
//! through the [passing](StatementSymmetry::is_passing) locations of an atomic sequence. Let `Q` be the partition of a [`Treatment`]. Then for each
//! permutation `g` that keeps the cells of `Q`, and for each state `s` that a run can reach and in whose image `g s` is defined: a step of the family
//! leads from `s` to `t` iff one leads from `g s` to `g t`; it reports a failed assertion or a fault iff the other does, and the process that goes on keeps
//! control after the one iff it does after the other.
//!
//! Whether a step is possible may depend on more than its own statement, so `Q` refines what is certified of
//!
//! | if | also of |
//! |---|---|
//! | it is `else`, or its location has escapes | all statements of the location |
//! | one of these sends | all receives: at a rendezvous, somebody has to be there |
//! | it asks for `timeout` | all statements of all processes |
//! | it keeps control, and does not go on in any case | all statements of the location that it leads to |
//! | a process has a condition on all its moves, or makes processes | that condition, and what the new ones begin with (`proof::each`) |
//!
//! A rendezvous is a family for each pair of statements ([`StatementSymmetry::meeting`]).
//!
//! What a proof stands on is that of the whole model: the values of cells (obligation 5 there), room, classes of channels, and no priorities. Members of families
//! may not end. Nothing is proven of states that no run reaches.

use crate::action::Action;
use crate::breach::Breach;
use crate::budget::ProofBudget;
use crate::case::{AllForms, Case, Grounds, Places};
use crate::certificate::Certificate;
use crate::certify::begin;
use crate::domain::{Candidate, Domain, DomainKind};
use crate::evidence::Evidence;
use crate::lasting::OUTSIDE;
use crate::locations::{asks_timeout, passing_with, reachable_exit};
use crate::partition::Partition;
use crate::proof::{Mover, Unkept};
use crate::propose::{Piece, Proposed, assemble, proposals};
use crate::renaming::{Permutation, Renaming};
use crate::sorts::Sorts;
use mandala_model::ids::{EdgeId, LocationId, TemplateId};
use mandala_model::step::Observers;
use mandala_model::template::{Control, Edge, Keep, Step};
use mandala_model::{Model, State};
use std::collections::{BTreeMap, BTreeSet};

/// How a statement treats the points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Treatment {
    /// Points of one cell are treated alike.
    pub partition: Partition,
    /// Where points of one kind are treated differently, why.
    pub breach: Option<Breach>,
}

/// What is moved together: members of domains, as places in the list of domains and in the domain.
type Point = Vec<(usize, usize)>;

/// What each statement of a model keeps.
#[derive(Clone, Debug)]
pub struct StatementSymmetry {
    domains: Vec<DomainKind>,
    sorts: Sorts,
    points: Vec<Point>,
    /// Points of one kind are in one cell.
    kinds: Partition,
    /// What is certified of the edges by themselves.
    edges: BTreeMap<EdgeId, Treatment>,
    monitors: Treatment,
    conditions: Treatment,
    passing: BTreeMap<TemplateId, BTreeSet<LocationId>>,
    /// The partitions of the receives of the model, all together.
    receives: Partition,
    /// The same of all edges of processes.
    whole: Partition,
    left_out: Vec<Breach>,
}

/// What to look for.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The model, written out.
    pub model: &'a Model,
    /// What is asked of it.
    pub observers: Observers,
    /// A state in which all processes are there that are made at the start.
    pub started: &'a State,
    /// The edge of the user's model that an edge was made from: edges of one statement are one family.
    pub origin: &'a dyn Fn(EdgeId) -> EdgeId,
}

/// Certifies what each statement keeps.
///
/// # Errors
///
/// What stands in the way of any proof about the model.
pub fn by_statement(
    subject: Subject<'_>,
    budget: &ProofBudget,
) -> Result<StatementSymmetry, Vec<Breach>> {
    let evidence = Evidence::new(subject.model, subject.observers);
    let census: Vec<TemplateId> = subject
        .started
        .processes
        .iter()
        .map(|p| p.template)
        .collect();
    let all = proposals(&evidence, &census, budget);
    let mut left_out = Vec::new();
    let mut pieces = Vec::new();
    for proposal in all {
        match proposal.ways.into_iter().next() {
            Some(piece) if ends(subject.model, &piece).is_none() => pieces.push(piece),
            piece => left_out.extend(piece.and_then(|p| ends(subject.model, &p))),
        }
    }
    // So that the number of a domain is its place in the list.
    pieces.sort_by_key(|piece| matches!(piece.domain, Proposed::Names(_)));
    let candidate = largest_founded(&evidence, &pieces, budget)?;
    let trial = Trial {
        subject,
        evidence: &evidence,
        candidate: &candidate,
        budget,
    };
    let mut found = trial.best()?;
    found.left_out = left_out;
    Ok(found)
}

/// Why members of a piece are not permuted: some end, and processes end in the reverse of the order in which they were made.
fn ends(model: &Model, piece: &Piece) -> Option<Breach> {
    let Proposed::Family(family) = &piece.domain else {
        return None;
    };
    let template = model.template(family.template);
    let name = template.display_name();
    let span = reachable_exit(template)?;
    Some(Breach::at(
        span,
        format!(
            "a `{name}` may end here, and processes end in the reverse of the order in which they were made"
        ),
    ))
}

/// The candidate of as many pieces as something can be proven about together, families first.
fn largest_founded(
    evidence: &Evidence<'_>,
    pieces: &[Piece],
    budget: &ProofBudget,
) -> Result<Candidate, Vec<Breach>> {
    let founded = |pieces: &[Piece]| -> Result<(), Vec<Breach>> {
        let candidate = assemble(pieces);
        let case = begin(evidence, &candidate, budget)?;
        let forms = case.all_forms()?;
        let ways = [Places::new(), case.start_up(), case.openings()];
        let mut tried = ways
            .iter()
            .map(|unheard| case.grounds(&forms, unheard).map(drop));
        let first = tried.next().unwrap_or(Ok(()));
        if first.is_err() && tried.any(|way| way.is_ok()) {
            return Ok(());
        }
        first
    };
    let Err(breaches) = founded(pieces) else {
        return Ok(assemble(pieces));
    };
    let mut kept: Vec<Piece> = Vec::new();
    for piece in pieces {
        kept.push(piece.clone());
        if founded(&kept).is_err() {
            kept.pop();
        }
    }
    match kept.is_empty() {
        true => Err(breaches),
        false => Ok(assemble(&kept)),
    }
}

/// A candidate about which something may be proven of each statement.
struct Trial<'a, 'm> {
    subject: Subject<'m>,
    evidence: &'a Evidence<'m>,
    candidate: &'a Candidate,
    budget: &'a ProofBudget,
}

/// How often another statement is left out of the guess at the sorts.
const MOST_GUESSES: usize = 24;

impl<'m> Trial<'_, 'm> {
    /// The most that is found with one guess at the sorts. What statements do that treat members differently may mislead the guess, so they
    /// are left out of it in turn.
    fn best(&self) -> Result<StatementSymmetry, Vec<Breach>> {
        let case = begin(self.evidence, self.candidate, self.budget)?;
        let forms = case.all_forms()?;
        let mut best: Option<(StatementSymmetry, Places)> = None;
        let mut breaches = Vec::new();
        for unheard in [Places::new(), case.start_up(), case.openings()] {
            if best.as_ref().is_some_and(|(_, known)| *known == unheard) {
                continue;
            }
            match self.with(&case, &forms, &unheard) {
                Ok(found) => better(&mut best, found, unheard),
                Err(why) => breaches = why,
            }
        }
        let Some((mut found, mut unheard)) = best else {
            return Err(breaches);
        };
        let mut guesses = MOST_GUESSES;
        while let Some(place) = found
            .next_suspect(self.subject.model, &unheard)
            .filter(|_| guesses > 0)
        {
            guesses -= 1;
            let mut fewer = unheard.clone();
            fewer.entry(place.0).or_default().insert(place.1);
            match self.with(&case, &forms, &fewer) {
                Ok(other) if other.score() > found.score() => found = other,
                _ => {}
            }
            unheard = fewer;
        }
        Ok(found)
    }

    /// What is found with the sorts that are guessed if what is done at some places is not listened to.
    fn with(
        &self,
        case: &Case<'_, 'm>,
        forms: &AllForms,
        unheard: &Places,
    ) -> Result<StatementSymmetry, Vec<Breach>> {
        let grounds = case.grounds(forms, unheard)?;
        let model = self.subject.model;
        let sorts = Sorts::clone(&grounds.sorts).without_scratch(model);
        let points = points(&case.domains, model, &sorts, self.subject.started);
        let (passing, mixed) = self.passing(forms);
        let found = self.certified(case, forms, &grounds, &points)?;
        let kinds = kinds(&points);
        let discrete = Partition::discrete(points.len());
        let treatment = |edge: EdgeId| match mixed.contains(&edge.template) {
            true => Treatment {
                partition: discrete.clone(),
                breach: None,
            },
            false => found.of(edge, &kinds),
        };
        let edges: BTreeMap<EdgeId, Treatment> = edges_of_processes(model)
            .map(|(edge, _)| (edge, treatment(edge)))
            .collect();
        let all = |wanted: &dyn Fn(&Edge) -> bool| {
            let own = edges_of_processes(model).filter(|(_, edge)| wanted(edge));
            own.fold(kinds.clone(), |all, (id, _)| {
                all.meet(&edges[&id].partition)
            })
        };
        Ok(StatementSymmetry {
            receives: all(&|edge| {
                matches!(
                    edge.step,
                    Step::Receive {
                        keep: Keep::Remove,
                        ..
                    }
                )
            }),
            whole: all(&|_| true),
            monitors: found.of_monitors(model, &kinds),
            conditions: found.of(CONDITIONS, &kinds),
            domains: case.domains.clone(),
            sorts,
            points,
            kinds,
            edges,
            passing,
            left_out: Vec::new(),
        })
    }

    /// The locations that steps go through, and the templates of which that differs between processes.
    fn passing(
        &self,
        forms: &AllForms,
    ) -> (
        BTreeMap<TemplateId, BTreeSet<LocationId>>,
        BTreeSet<TemplateId>,
    ) {
        let model = self.subject.model;
        let (mut passing, mut mixed) = (BTreeMap::new(), BTreeSet::new());
        for template in self.evidence.populated.iter().copied() {
            let declared = model.template(template);
            let all = passing_with(model, &self.evidence.lasting, declared);
            let own = forms.edges.iter().filter(|((t, _), _)| *t == template);
            let own: Vec<_> = own.map(|(_, forms)| forms).collect();
            let is_passed = |l: &&LocationId| {
                let mut edges = declared.edges_from(**l);
                edges.next().is_some() && own.iter().all(|forms| forms[l.index()].is_empty())
            };
            let is_seen = |l: &LocationId| own.iter().all(|forms| !forms[l.index()].is_empty());
            let passed: BTreeSet<LocationId> = all.iter().filter(is_passed).copied().collect();
            if all.iter().any(|l| !passed.contains(l) && !is_seen(l)) {
                mixed.insert(template);
            }
            passing.insert(template, passed);
        }
        (passing, mixed)
    }

    /// Which exchanges of two points each edge and each question keeps.
    fn certified(
        &self,
        case: &Case<'_, 'm>,
        forms: &AllForms,
        grounds: &Grounds<'m>,
        points: &[Point],
    ) -> Result<Kept, Vec<Breach>> {
        let proof = case.proof(forms, grounds);
        let monitors = self.subject.model.monitor_template();
        // Monitors are compared as a set.
        let of = |edge: EdgeId| match monitors == Some(edge.template) {
            true => EdgeId { index: 0, ..edge },
            false => (self.subject.origin)(edge),
        };
        let mut kept = Kept::new(self.subject.model, points.len());
        let kinds = kinds(points);
        for (a, b) in pairs(&kinds) {
            if kept.knows(a, b) {
                continue;
            }
            let renaming = exchange(&case.domains, points, a, b);
            let Some(mover) = Mover::new(&case.domains, &renaming) else {
                continue;
            };
            // What is not looked at in time is not kept.
            let Ok(mut unkept) = proof.unkept(&mover, &of) else {
                break;
            };
            match proof.unkept_conditions(&mover) {
                Ok(None) => {}
                Ok(Some(breach)) => drop(unkept.insert(CONDITIONS, breach)),
                Err(_) => break,
            }
            kept.note((a, b), unkept);
        }
        Ok(kept)
    }
}

fn better(best: &mut Option<(StatementSymmetry, Places)>, found: StatementSymmetry, with: Places) {
    let known = best.as_ref().map(|(known, _)| known.score());
    if known.is_none_or(|known| found.score() > known) {
        *best = Some((found, with));
    }
}

/// What is asked of states, as if it were an edge.
const CONDITIONS: EdgeId = EdgeId {
    template: OUTSIDE,
    index: 0,
};

/// The exchanges that each edge keeps, as partitions: what two exchanges generate is kept as well.
struct Kept {
    partitions: BTreeMap<EdgeId, Partition>,
    breaches: BTreeMap<EdgeId, Breach>,
}

impl Kept {
    fn new(model: &Model, points: usize) -> Self {
        let discrete = Partition::discrete(points);
        let edges = model.runnables().flat_map(|(template, of)| {
            let edges = 0..of.edges.len() as u32;
            edges.map(move |index| EdgeId { template, index })
        });
        let all = edges.chain([CONDITIONS]);
        Kept {
            partitions: all.map(|edge| (edge, discrete.clone())).collect(),
            breaches: BTreeMap::new(),
        }
    }

    /// Whether everything keeps the exchange.
    fn knows(&self, a: usize, b: usize) -> bool {
        self.partitions
            .values()
            .all(|partition| partition.joins(a, b))
    }

    fn note(&mut self, (a, b): (usize, usize), unkept: Unkept) {
        for (edge, partition) in &mut self.partitions {
            if !unkept.contains_key(edge) {
                *partition = partition.joined(a, b);
            }
        }
        for (edge, breach) in unkept {
            self.breaches.entry(edge).or_insert(breach);
        }
    }

    fn of(&self, edge: EdgeId, kinds: &Partition) -> Treatment {
        let partition = self.partitions[&edge].clone();
        Treatment {
            breach: self
                .breaches
                .get(&edge)
                .filter(|_| partition != *kinds)
                .cloned(),
            partition,
        }
    }

    fn of_monitors(&self, model: &Model, kinds: &Partition) -> Treatment {
        let all = Treatment {
            partition: kinds.clone(),
            breach: None,
        };
        let Some(template) = model.monitor_template() else {
            return all;
        };
        let edges = 0..model.template(template).edges.len() as u32;
        edges.fold(all, |all, index| {
            let one = self.of(EdgeId { template, index }, kinds);
            Treatment {
                partition: all.partition.meet(&one.partition),
                breach: all.breach.or(one.breach),
            }
        })
    }
}

/// The edges of processes.
fn edges_of_processes(model: &Model) -> impl Iterator<Item = (EdgeId, &Edge)> {
    let templates = (0..).zip(&model.templates);
    templates.flat_map(|(template, of)| {
        let template = TemplateId(template);
        (0..)
            .zip(&of.edges)
            .map(move |(index, edge)| (EdgeId { template, index }, edge))
    })
}

/// Points whose members are of the same domains are of one kind.
fn kinds(points: &[Point]) -> Partition {
    let domains = |point: &Point| point.iter().map(|(domain, _)| *domain).collect::<Vec<_>>();
    Partition::by_key(&points.iter().map(domains).collect::<Vec<_>>())
}

/// The pairs of points of one kind, neighbours first.
fn pairs(kinds: &Partition) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for cell in kinds.cells() {
        for distance in 1..cell.len() {
            pairs.extend((distance..cell.len()).map(|n| (cell[n - distance], cell[n])));
        }
    }
    pairs
}

/// The members of the domains. Where a member of one domain has one of another for good, as a process a name in a parameter, both are one point: then exchanging
/// either alone changes the state in which everything has started, and exchanging both does not.
fn points(domains: &[DomainKind], model: &Model, sorts: &Sorts, started: &State) -> Vec<Point> {
    let action = Action::new(model, sorts);
    let fixes = |group: &[usize]| {
        let size = domains[group[0]].size();
        let points: Vec<Point> = (0..size)
            .map(|n| group.iter().map(|d| (*d, n)).collect())
            .collect();
        let mut swaps = (1..size).map(|n| exchange(domains, &points, n - 1, n));
        swaps.all(|swap| action.apply(&swap, started).as_ref() == Some(started))
    };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for domain in 0..domains.len() {
        let open = |group: &&mut Vec<usize>| {
            domains[group[0]].size() == domains[domain].size() && !fixes(group)
        };
        let joined = |group: &Vec<usize>| [group.as_slice(), &[domain]].concat();
        let alone = fixes(&[domain]);
        let mut known = groups.iter_mut().filter(open);
        match known.find(|group| !alone && fixes(&joined(group))) {
            Some(group) => group.push(domain),
            None => groups.push(vec![domain]),
        }
    }
    let all = groups.iter().flat_map(|group| {
        let size = domains[group[0]].size();
        (0..size).map(|n| group.iter().map(|domain| (*domain, n)).collect())
    });
    all.collect()
}

/// The exchange of two points.
fn exchange(domains: &[DomainKind], points: &[Point], a: usize, b: usize) -> Renaming {
    let pairs = points[a].iter().zip(&points[b]);
    pairs.fold(Renaming::identity(), |all, ((domain, a), (_, b))| {
        all.then(&member_exchange(&domains[*domain], *a, *b))
    })
}

fn member_exchange(domain: &DomainKind, a: usize, b: usize) -> Renaming {
    match domain {
        DomainKind::Processes { numbers, .. } => {
            Renaming::of_processes(Permutation::swap(numbers[a], numbers[b]))
        }
        DomainKind::Names { set, start, .. } => {
            let swap = Permutation::swap(start + a as u32, start + b as u32);
            Renaming::of_names(*set, swap)
        }
    }
}

impl StatementSymmetry {
    /// Points of one kind are in one cell.
    pub fn kinds(&self) -> &Partition {
        &self.kinds
    }

    /// What the cells of states mean, for all renamings of points.
    pub fn sorts(&self) -> &Sorts {
        &self.sorts
    }

    /// The domains that the members of points are of.
    pub fn domains(&self) -> &[DomainKind] {
        &self.domains
    }

    /// The members of a point: places in the list of domains, and in the domain.
    pub fn members(&self, point: usize) -> &[(usize, usize)] {
        &self.points[point]
    }

    /// Why some members of a template are not permuted.
    pub fn left_out(&self) -> &[Breach] {
        &self.left_out
    }

    /// The exchange of two points.
    pub fn exchange(&self, a: usize, b: usize) -> Renaming {
        exchange(&self.domains, &self.points, a, b)
    }

    /// The part of a renaming that moves those points alone. The renaming must map them to each other.
    pub fn restricted(&self, renaming: &Renaming, points: &BTreeSet<usize>) -> Renaming {
        let mut image: Vec<usize> = (0..self.points.len()).collect();
        for point in points {
            image[*point] = self.image(renaming, *point);
        }
        // Cycle by cycle: (a b c ..) is the exchange of a with b, then of a with c, and so on.
        let (mut part, mut seen) = (Renaming::identity(), BTreeSet::new());
        for first in points.iter().copied() {
            let mut next = image[first];
            while seen.insert(next) && next != first {
                part = part.then(&self.exchange(first, next));
                next = image[next];
            }
        }
        part
    }

    fn image(&self, renaming: &Renaming, point: usize) -> usize {
        let (domain, member) = self.points[point][0];
        let place = match &self.domains[domain] {
            DomainKind::Processes { numbers, .. } => {
                let image = renaming.processes().image(numbers[member]);
                numbers.iter().position(|n| *n == image)
            }
            DomainKind::Names { set, start, .. } => {
                let image = renaming.names(*set).image(start + member as u32);
                image.checked_sub(*start).map(|place| place as usize)
            }
        };
        let found = |place: usize| self.points.iter().position(|p| p[0] == (domain, place));
        place.and_then(found).unwrap_or(point)
    }

    /// Whether a step goes on where a process gets there: the location is in the middle of an atomic sequence, and seen by nobody.
    pub fn is_passing(&self, template: TemplateId, location: LocationId) -> bool {
        let passing = self.passing.get(&template);
        passing.is_some_and(|passing| passing.contains(&location))
    }

    /// How monitors treat the points.
    pub fn monitors(&self) -> &Treatment {
        &self.monitors
    }

    /// How the conditions that are asked of states treat the points.
    pub fn conditions(&self) -> &Treatment {
        &self.conditions
    }

    /// What all statements keep: whether nothing is possible in a state depends on all of them.
    pub fn whole(&self) -> &Partition {
        &self.whole
    }

    /// How an edge treats the points, by itself.
    pub fn edge(&self, edge: EdgeId) -> &Treatment {
        &self.edges[&edge]
    }

    /// The family of steps that begin with an edge, taken by one process alone.
    pub fn alone(&self, model: &Model, edge: EdgeId) -> Partition {
        let template = model.template(edge.template);
        let declared = &template.edges[edge.index as usize];
        if self.asks_timeout(model, edge) {
            return self.whole.clone();
        }
        let own = self.edges[&edge].partition.clone();
        let own = own.meet(&self.order(model, edge));
        match declared.step {
            Step::Else => own.meet(&self.possible(model, edge.template, declared.source)),
            _ => own,
        }
        .meet(&self.control(model, edge))
    }

    /// The family of rendezvous of two edges.
    pub fn meeting(&self, model: &Model, send: EdgeId, receive: EdgeId) -> Partition {
        if self.asks_timeout(model, send) || self.asks_timeout(model, receive) {
            return self.whole.clone();
        }
        let both = self.edges[&send]
            .partition
            .meet(&self.edges[&receive].partition);
        let both = both
            .meet(&self.order(model, send))
            .meet(&self.order(model, receive));
        both.meet(&self.control(model, receive))
    }

    /// Whether a step that begins with the edge may ask whether time is up.
    fn asks_timeout(&self, model: &Model, edge: EdgeId) -> bool {
        let template = model.template(edge.template);
        let declared = &template.edges[edge.index as usize];
        let goes_on = self.is_passing(edge.template, declared.target);
        let mut edges = template.edges.iter();
        asks_timeout(&declared.step) || goes_on && edges.any(|e| asks_timeout(&e.step))
    }

    /// What the order of edges at the location of an edge depends on.
    fn order(&self, model: &Model, edge: EdgeId) -> Partition {
        let template = model.template(edge.template);
        let source = template.edges[edge.index as usize].source;
        let edges: Vec<&Edge> = template.edges_from(source).map(|(_, e)| e).collect();
        let early = &edges[..edges.len().saturating_sub(1)];
        let matters = template.deterministic
            || edges.iter().any(|e| e.escape > 0)
            || early.iter().any(|e| e.step == Step::Else);
        match matters {
            true => self.possible(model, edge.template, source),
            false => self.kinds.clone(),
        }
    }

    /// What it depends on whether a process at a location can move.
    fn possible(&self, model: &Model, template: TemplateId, location: LocationId) -> Partition {
        let edges: Vec<_> = model.template(template).edges_from(location).collect();
        if edges.iter().any(|(_, edge)| asks_timeout(&edge.step)) {
            return self.whole.clone();
        }
        let sends = edges
            .iter()
            .any(|(_, edge)| matches!(edge.step, Step::Send { .. }));
        let all = edges.iter().map(|(index, _)| EdgeId {
            template,
            index: *index,
        });
        let own = all.fold(self.kinds.clone(), |all, e| {
            all.meet(&self.edges[&e].partition)
        });
        match sends {
            true => own.meet(&self.receives),
            false => own,
        }
    }

    /// What it depends on whether the process keeps control after an edge, and what is behind it.
    fn control(&self, model: &Model, edge: EdgeId) -> Partition {
        let template = model.template(edge.template);
        let mut open = vec![edge.index];
        let mut seen: BTreeSet<u32> = open.iter().copied().collect();
        let mut all = self.kinds.clone();
        while let Some(index) = open.pop() {
            let edge_here = &template.edges[index as usize];
            if edge_here.control != Control::Hold {
                continue;
            }
            let target = edge_here.target;
            if self.is_passing(edge.template, target) {
                let next = template.edges_from(target).map(|(index, _)| index);
                open.extend(next.filter(|index| seen.insert(*index)));
            } else if !always_goes_on(template.edges_from(target).map(|(_, e)| e)) {
                all = all.meet(&self.possible(model, edge.template, target));
            }
        }
        all
    }

    /// The group of all permutations that keep the cells of a partition, as far as the members of points are there. What it says is true of the statements whose
    /// partitions it refines, and of no others.
    pub fn group(&self, partition: &Partition) -> Certificate {
        let exchanges = partition.neighbours().into_iter();
        let exchanges = exchanges.map(|(a, b)| self.exchange(a, b));
        let domain = |kind: &DomainKind| Domain {
            kind: kind.clone(),
            settled: Vec::new(),
            residents: Vec::new(),
        };
        Certificate {
            domains: self.domains.iter().map(domain).collect(),
            full: vec![false; self.domains.len()],
            renamings: exchanges.collect(),
            sorts: self.sorts.clone(),
            choices: None,
        }
    }

    /// How much is kept.
    fn score(&self) -> usize {
        let edges = self.edges.values().map(|t| &t.partition);
        let all = edges.chain([&self.monitors.partition, &self.conditions.partition]);
        all.map(|partition| partition.points() - partition.len())
            .sum()
    }

    /// A location with a statement that treats points differently, and that is still listened to.
    fn next_suspect(&self, model: &Model, unheard: &Places) -> Option<(TemplateId, LocationId)> {
        let is_new = |place: &(TemplateId, LocationId)| {
            let known = unheard.get(&place.0);
            known.is_none_or(|known| !known.contains(&place.1))
        };
        let odd = self.edges.iter().filter(|(_, t)| t.partition != self.kinds);
        let places = odd.map(|(id, _)| {
            let edge = &model.template(id.template).edges[id.index as usize];
            (id.template, edge.source)
        });
        { places }.find(is_new)
    }
}

/// Whether a process can go on in any case at a location with those edges.
fn always_goes_on<'e>(edges: impl Iterator<Item = &'e Edge>) -> bool {
    let edges: Vec<&Edge> = edges.collect();
    let sends = edges.iter().any(|e| matches!(e.step, Step::Send { .. }));
    edges.iter().any(|edge| match &edge.step {
        Step::Else => !sends,
        Step::Guarded { guard, .. } => guard.as_constant().is_some_and(|value| value != 0),
        _ => false,
    })
}
