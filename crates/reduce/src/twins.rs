//! Twins: points that can change places in a stored state while everything else stays, so that the moves of one of them are enough.
//!
//! # How they are found
//!
//! Points any two of which the group may exchange are in one *line*. In a representative, points that are alike are mostly next to each other, because it was sorted. So
//! neighbours are compared, on the cells of the state that is expanded ([`Likeness`]): if the exchange of each two neighbours of a run of points keeps the state, so do all
//! permutations of the run. Points that are missed are moved as ever. Builds for development compare with the reference action.
//!
//! # Why the order is that of trying
//!
//! Processes are tried from the highest number down and values from the first one on, so that is the order of the points of a class ([`mandala_encoding::Twins`]).

use crate::plan::{Likeness, Plan};
use mandala_canon::Point;
use mandala_encoding::{CellPair, Program, Roles, Twins, Unpacked};
use mandala_groups::{Group, Permutation};
use mandala_model::ids::EdgeId;
use mandala_model::parameters::Values;
use mandala_symmetry::sorts::Sort;
use mandala_symmetry::{Domain, DomainKind};

/// The names of the members of all domains, one domain after the other.
#[derive(Clone, Debug)]
struct Numbering<'a> {
    domains: &'a [Domain],
    /// The name of the first member of each domain, and behind them how many names there are.
    starts: Vec<u32>,
}

impl<'a> Numbering<'a> {
    fn new(domains: &'a [Domain]) -> Self {
        let mut starts = vec![0];
        for domain in domains {
            let last = starts[starts.len() - 1];
            starts.push(last + domain.kind.size() as u32);
        }
        Numbering { domains, starts }
    }

    fn count(&self) -> u32 {
        self.starts[self.domains.len()]
    }

    /// The name of a member of a domain.
    fn name(&self, domain: usize, member: i64) -> Option<u32> {
        let place = match &self.domains[domain].kind {
            DomainKind::Processes { numbers, .. } => {
                let is_member = |number: &u32| i64::from(*number) == member;
                numbers.iter().position(is_member)? as u32
            }
            DomainKind::Names { first, size, .. } => {
                let place = u32::try_from(member.checked_sub(*first)?).ok()?;
                (place < *size).then_some(place)?
            }
        };
        Some(self.starts[domain] + place)
    }

    /// The name of the first of some values of a sort, if all are names and follow each other.
    fn first_of(&self, sort: Sort, values: &Values) -> Option<u32> {
        let Sort::Name(set, offset) = sort else {
            return None;
        };
        let [run] = values.0.as_slice() else {
            return None;
        };
        let (first, last) = (
            run.first.checked_add(offset)?,
            run.last()?.checked_add(offset)?,
        );
        let mut domains = self.domains.iter().enumerate();
        let (domain, _) = domains.find(|(number, domain)| {
            let own = matches!(domain.kind, DomainKind::Names { set: of, .. } if of == set);
            own && self.name(*number, last).is_some()
        })?;
        let is_in_order = run.step == 1 || run.count == 1;
        self.name(domain, first).filter(|_| is_in_order)
    }
}

/// Which names stand for the processes of a program and for the values of parameters, whose sorts are those given.
pub(crate) fn roles(
    domains: &[Domain],
    program: &Program,
    sort: impl Fn(EdgeId, usize) -> Sort,
) -> Roles {
    let names = Numbering::new(domains);
    let mut processes = Vec::new();
    for (index, domain) in domains.iter().enumerate() {
        if let DomainKind::Processes { numbers, .. } = &domain.kind {
            for number in numbers {
                let place = *number as usize;
                processes.resize(processes.len().max(place + 1), None);
                processes[place] = names.name(index, i64::from(*number));
            }
        }
    }
    Roles::new(program, names.count(), processes, |edge, number, values| {
        names.first_of(sort(edge, number), values)
    })
}

/// Names that nothing belongs to look alike at a glance in every state. If there are fewer than this, they are looked at more closely only where others may be twins.
const WORTH_A_LOOK: usize = 4;

/// A quick look at the packed states of one shape, which tells most of those that have no twins: in these, neighbours differ in a cell that no permutation changes.
#[derive(Clone, Debug)]
pub(crate) struct Glance {
    /// For each two neighbours, cells that twins have alike, one after the other.
    cells: Vec<CellPair>,
    /// Where those of each two neighbours end.
    ends: Vec<usize>,
}

impl Glance {
    /// For states like this one, of which a plan permutes everything that is ever permuted.
    pub fn new(plan: Option<&Plan>, state: &Unpacked<'_, '_>) -> Self {
        let mut glance = Glance {
            cells: Vec::new(),
            ends: Vec::new(),
        };
        let Some(plan) = plan else { return glance };
        let (lines, likeness) = (lines(plan), plan.likeness());
        for line in &lines {
            for pair in line.windows(2) {
                let [a, b] = [pair[0], pair[1]].map(|point| likeness.plain_cells(point));
                let alike = a.into_iter().zip(b);
                let alike = alike.filter_map(|(a, b)| state.pair(a, b));
                let mut alike: Vec<CellPair> = alike.collect();
                if alike.is_empty() && line.len() < WORTH_A_LOOK {
                    continue;
                }
                // Wide cells tell more.
                alike.sort_by_key(|pair| std::cmp::Reverse(pair.bits()));
                glance.cells.extend(alike);
                glance.ends.push(glance.cells.len());
            }
        }
        glance
    }

    /// Whether a state may have twins.
    #[inline]
    pub fn finds_likeness(&self, packed: &[u8]) -> bool {
        let mut begin = 0;
        self.ends.iter().any(|end| {
            let cells = &self.cells[begin..*end];
            begin = *end;
            cells.iter().all(|pair| pair.is_equal(packed))
        })
    }
}

/// Points any two of which may be exchanged while all others stay, in the order in which they are tried.
fn lines(plan: &Plan) -> Vec<Vec<Point>> {
    let points = plan.points();
    let mut lines = Vec::new();
    for (number, block) in points.blocks.iter().enumerate() {
        let mut own: Vec<Point> = block.points().map(|point| point as Point).collect();
        if block.parts.iter().any(|part| part.sort == Sort::Process(0)) {
            own.reverse();
        }
        match points.held.as_ref().filter(|_| !points.is_full(number)) {
            Some(held) => lines.extend(exchangeable(held, own)),
            None => lines.push(own),
        }
    }
    lines.retain(|line| line.len() > 1);
    lines
}

/// Finds twins in the states of one plan.
#[derive(Clone, Debug)]
pub(crate) struct TwinFinder {
    /// The names of each point.
    names: Vec<Vec<u32>>,
    lines: Vec<Vec<Point>>,
    likeness: Likeness,
    /// The classes of the state that was looked at last, one after the other, and where each ends.
    points: Vec<Point>,
    ends: Vec<usize>,
}

impl TwinFinder {
    pub fn new(domains: &[Domain], plan: &Plan) -> Self {
        let numbering = Numbering::new(domains);
        let points = plan.points();
        let mut names = vec![Vec::new(); points.total];
        for block in &points.blocks {
            for part in &block.parts {
                for (point, member) in block.points().zip(&part.members) {
                    names[point].extend(numbering.name(part.domain, *member));
                }
            }
        }
        TwinFinder {
            names,
            lines: lines(plan),
            likeness: plan.likeness(),
            points: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Finds the twins of a state. Says whether there are some.
    pub fn find(&mut self, cells: &[i64]) -> bool {
        self.points.clear();
        self.ends.clear();
        self.likeness.note(cells);
        for line in &self.lines {
            let mut begin = self.points.len();
            for (index, point) in line.iter().enumerate() {
                let goes_on = index > 0 && self.likeness.are_alike(cells, line[index - 1], *point);
                if !goes_on {
                    begin = close(&mut self.points, &mut self.ends, begin);
                }
                self.points.push(*point);
            }
            close(&mut self.points, &mut self.ends, begin);
        }
        !self.ends.is_empty()
    }

    /// The classes that were found last.
    pub fn classes(&self) -> impl Iterator<Item = &[Point]> {
        let begins = std::iter::once(&0).chain(&self.ends);
        let bounds = begins.zip(&self.ends);
        bounds.map(|(begin, end)| &self.points[*begin..*end])
    }

    /// Tells a stepper of the classes that were found last.
    pub fn tell(&self, twins: &mut Twins) {
        for class in self.classes() {
            let names = |point: &Point| self.names[usize::from(*point)].iter().copied();
            twins.add_class(class.iter().map(names));
        }
    }
}

/// Ends a class that begins there, and forgets it if it has one point only. Gives where the next one begins.
fn close(points: &mut Vec<Point>, ends: &mut Vec<usize>, begin: usize) -> usize {
    match points.len() - begin {
        0 | 1 => points.truncate(begin),
        _ => ends.push(points.len()),
    }
    points.len()
}

/// The classes of points any two of which an element of the group exchanges, while all others stay.
fn exchangeable(group: &Group, mut points: Vec<Point>) -> Vec<Vec<Point>> {
    let mut classes = Vec::new();
    while !points.is_empty() {
        let first = points.remove(0);
        let is_like = |point: &Point| {
            let exchange =
                Permutation::transposition(group.degree(), first.into(), (*point).into());
            exchange.is_ok_and(|exchange| group.contains(&exchange))
        };
        let (own, others): (Vec<Point>, Vec<Point>) = points.into_iter().partition(is_like);
        classes.push(std::iter::once(first).chain(own).collect());
        points = others;
    }
    classes
}
