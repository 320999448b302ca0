//! Comparison of a renamed process with the process whose number it gets.

use crate::breach::Breach;
use crate::budget::ProofPart;
use crate::execute::Forms;
use crate::hashing::HashMap;
use crate::locations::each_expr;
use crate::path::{EdgeForm, Path};
use crate::rename::Renamer;
use mandala_model::expr::{BinaryOp, Expr, ExprKind};
use mandala_model::ids::{EdgeId, LocationId, TemplateId};
use mandala_model::source::Span;
use mandala_model::template::{Role, Template};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What has become of paths in one proof. What several processes do is renamed once, and what has been renamed is known
/// by a number: equal paths have the same.
#[derive(Default)]
pub(crate) struct Renamed {
    numbers: BTreeMap<Path, usize>,
    /// By whether the renaming is the one on trial or moves nothing, and by who has the path at which location.
    images: HashMap<(bool, TemplateId, LocationId, *const Path), Result<usize, Breach>>,
}

impl Renamed {
    /// The numbers of the renamed paths of the edges of one location, edge by edge.
    fn edges(
        &mut self,
        renamer: &Renamer<'_>,
        (moves, location): (bool, LocationId),
        edges: &[EdgeForm],
    ) -> Result<Vec<BTreeSet<usize>>, Breach> {
        let mut number = |path: &Rc<Path>| {
            let key = (moves, renamer.template, location, Rc::as_ptr(path));
            let known = self.images.get(&key).cloned();
            known.unwrap_or_else(|| {
                let number = renamed(renamer, path).map(|path| number_of(&mut self.numbers, path));
                self.images.insert(key, number.clone());
                number
            })
        };
        let edges = edges.iter();
        let edges = edges.map(|form| form.paths.iter().map(&mut number).collect());
        edges.collect()
    }
}

fn renamed(renamer: &Renamer<'_>, path: &Path) -> Result<Path, Breach> {
    let renamed = renamer.path(path);
    renamed.map_err(|(span, why)| Breach::at(span, why.0))
}

fn number_of(numbers: &mut BTreeMap<Path, usize>, path: Path) -> usize {
    let next = numbers.len();
    *numbers.entry(path).or_insert(next)
}

/// Where what the first actor does, renamed, is not what the second does: the locations of their
/// template at which it differs, and how. `stay` renames nothing.
///
/// # Errors
///
/// That the budget has ended.
pub(crate) fn differences(
    template: &Template,
    (rename, stay): (&Renamer<'_>, &Renamer<'_>),
    (first, second): (&Forms, &Forms),
    whom: &str,
    known: &mut Renamed,
) -> Result<Vec<(LocationId, Breach)>, Breach> {
    let mut differences = Vec::new();
    for (index, (found, wanted)) in first.iter().zip(second).enumerate() {
        let at = Spot {
            template,
            location: LocationId::from(index),
            forms: found,
            whom,
        };
        rename.budget.require(|| at.part())?;
        if let Err(breach) = at.compare(rename, stay, wanted, known) {
            differences.push((at.location, breach));
        }
    }
    Ok(differences)
}

/// The statement that an edge is an instance of.
pub(crate) type StatementOf<'f> = &'f dyn Fn(EdgeId) -> EdgeId;

/// The edges of the first actor that are not kept, and why: what the instances of their statement at their location do, renamed, is not what
/// those of the second do. The order of edges is not looked at. `stay` renames nothing.
///
/// # Errors
///
/// That the budget has ended.
pub(crate) fn kept(
    template: &Template,
    (rename, stay): (&Renamer<'_>, &Renamer<'_>),
    (first, second): (&Forms, &Forms),
    (id, whom): (TemplateId, &str),
    known: &mut Renamed,
    of: StatementOf<'_>,
) -> Result<Vec<(EdgeId, Breach)>, Breach> {
    let mut unkept = Vec::new();
    for (index, (found, wanted)) in first.iter().zip(second).enumerate() {
        let location = LocationId::from(index);
        let at = Spot {
            template,
            location,
            forms: found,
            whom,
        };
        rename.budget.require(|| at.part())?;
        let edges = template.edges_from(location);
        let edges: Vec<EdgeId> = edges
            .map(|(index, _)| EdgeId {
                template: id,
                index,
            })
            .collect();
        let statements: Vec<EdgeId> = edges.iter().map(|edge| of(*edge)).collect();
        let odd = at.unkept((rename, stay), wanted, known, &statements);
        unkept.extend(
            odd.into_iter()
                .map(|(place, breach)| (edges[place], breach)),
        );
    }
    Ok(unkept)
}

/// For each location, which edge of the second actor each edge of the first becomes, by their places there; or an edge
/// that becomes none. `stay` renames nothing.
pub(crate) fn correspondence(
    template: &Template,
    (rename, stay): (&Renamer<'_>, &Renamer<'_>),
    (first, second): (&Forms, &Forms),
    known: &mut Renamed,
) -> Vec<Result<Vec<usize>, Breach>> {
    let locations = first.iter().zip(second).enumerate();
    let images = locations.map(|(index, (found, wanted))| {
        let at = Spot {
            template,
            location: LocationId::from(index),
            forms: found,
            whom: "",
        };
        at.images(rename, stay, wanted, known)
    });
    images.collect()
}

/// That each condition is met by a state iff it is met by the renamed one, and has no value there iff it has none here. `stay` renames
/// nothing.
///
/// # Errors
///
/// How one of them tells somebody from somebody else.
pub(crate) fn require_kept(
    conditions: &[EdgeForm],
    (rename, stay): (&Renamer<'_>, &Renamer<'_>),
    whom: &str,
) -> Result<(), Breach> {
    let ways = |renamer: &Renamer<'_>| -> Result<Vec<BTreeSet<Path>>, Breach> {
        let renamed = |path: &Rc<Path>| renamed(renamer, path);
        let ways = conditions.iter();
        ways.map(|form| form.paths.iter().map(renamed).collect())
            .collect()
    };
    let (found, wanted) = (ways(rename)?, ways(stay)?);
    let mut pairs = found.iter().zip(&wanted);
    let odd = pairs.position(|(found, wanted)| found != wanted);
    odd.map_or(Ok(()), |odd| {
        Err(tells_apart(&conditions[odd], whom, rename))
    })
}

/// The complaint that something is not what it is renamed to.
fn tells_apart(form: &EdgeForm, whom: &str, renamer: &Renamer<'_>) -> Breach {
    let text = &form.text;
    let strict = Renamer {
        strict: true,
        ..*renamer
    };
    // If a name is computed with, that is why.
    let mut reasons = form.paths.iter().filter_map(|p| strict.path(p).err());
    let why = reasons.next().map(|(_, why)| format!(": {}", why.0));
    let why = why.unwrap_or_default();
    Breach::at(form.span, format!("`{text}` tells {whom} apart{why}"))
}

/// Whether something depends on the order of the edges of a location: an escape closes those after it, a
/// template without choices reports the later one, an observer of events takes the first.
pub(crate) fn order_matters(template: &Template, edges: &[EdgeForm]) -> bool {
    let early = edges.iter().take(edges.len().saturating_sub(1));
    template.deterministic
        || matches!(template.role, Role::Events(_))
        || edges.iter().any(|f| f.escape > 0)
        || early.into_iter().any(|f| f.is_else)
}

/// What becomes of the paths of an edge, as numbers of paths; or why they cannot be renamed.
type RenamedPaths = Result<Vec<BTreeSet<usize>>, Breach>;

/// The paths of all edges of one statement; nothing if some of them cannot be renamed.
fn of_statement(
    edges: &[RenamedPaths],
    statements: &[EdgeId],
    of: EdgeId,
) -> Option<BTreeSet<usize>> {
    let own = edges.iter().zip(statements).filter(|(_, s)| **s == of);
    let mut paths = BTreeSet::new();
    for (edge, _) in own {
        paths.extend(edge.as_ref().ok()?.iter().flatten().copied());
    }
    Some(paths)
}

/// A location under comparison.
struct Spot<'a> {
    template: &'a Template,
    location: LocationId,
    forms: &'a [EdgeForm],
    whom: &'a str,
}

impl Spot<'_> {
    /// As a part of a proof.
    fn part(&self) -> ProofPart {
        match self.forms.first() {
            Some(form) => ProofPart::at(form.span, format!("`{}`", form.text)),
            None => ProofPart::at(self.template.span, format!("`{}`", self.template.name)),
        }
    }

    fn compare(
        &self,
        rename: &Renamer<'_>,
        stay: &Renamer<'_>,
        wanted: &[EdgeForm],
        known: &mut Renamed,
    ) -> Result<(), Breach> {
        // One actor's atomic sequences may have been unrolled and the other's not.
        if self.forms.len() != wanted.len() {
            let template = self.template;
            return Err(Breach::too_complex(template.span, &template.name));
        }
        let at = self.location;
        let (rename, stay) = (rename.at(at), stay.at(at));
        let found = known.edges(&rename, (true, at), self.forms)?;
        let wanted = known.edges(&stay, (false, at), wanted)?;
        let odd_one = if order_matters(self.template, self.forms) {
            self.one_by_one(&found, &wanted)
        } else {
            self.together(&found, &wanted)
        };
        odd_one.map_or(Ok(()), |edge| Err(self.breach(edge, &rename)))
    }

    /// The places of the edges whose statement is not kept, and why.
    fn unkept(
        &self,
        (rename, stay): (&Renamer<'_>, &Renamer<'_>),
        wanted: &[EdgeForm],
        known: &mut Renamed,
        statements: &[EdgeId],
    ) -> Vec<(usize, Breach)> {
        if self.forms.len() != wanted.len() {
            let template = self.template;
            let breach = Breach::too_complex(template.span, &template.name);
            return (0..statements.len())
                .map(|place| (place, breach.clone()))
                .collect();
        }
        let at = self.location;
        let (rename, stay) = (rename.at(at), stay.at(at));
        let mut paths = |renamer: &Renamer<'_>, moves, form: &EdgeForm| {
            known.edges(renamer, (moves, at), std::slice::from_ref(form))
        };
        let found: Vec<RenamedPaths> = self.forms.iter().map(|f| paths(&rename, true, f)).collect();
        let wanted: Vec<RenamedPaths> = wanted.iter().map(|f| paths(&stay, false, f)).collect();
        let is_kept = |of: EdgeId| {
            let ours = of_statement(&found, statements, of);
            let theirs = of_statement(&wanted, statements, of);
            ours.is_some() && ours == theirs
        };
        let odd = (0..self.forms.len()).filter(|place| !is_kept(statements[*place]));
        odd.map(|place| (place, self.breach(place, &rename)))
            .collect()
    }

    /// Which of the wanted edges each edge becomes: the one at its own place if that does the same. Of several that all do
    /// the same, any will do.
    fn images(
        &self,
        rename: &Renamer<'_>,
        stay: &Renamer<'_>,
        wanted: &[EdgeForm],
        known: &mut Renamed,
    ) -> Result<Vec<usize>, Breach> {
        if self.forms.len() != wanted.len() {
            let template = self.template;
            return Err(Breach::too_complex(template.span, &template.name));
        }
        let at = self.location;
        let found = known.edges(&rename.at(at), (true, at), self.forms)?;
        let paths = known.edges(&stay.at(at), (false, at), wanted)?;
        let ordered = order_matters(self.template, self.forms);
        let fits = |from: usize, to: usize| {
            let same_kind = self.forms[from].is_else == wanted[to].is_else;
            found[from] == paths[to] && same_kind && (from == to || !ordered)
        };
        matching(found.len(), fits).map_err(|edge| {
            let form = &self.forms[edge];
            let text = &form.text;
            Breach::at(
                form.span,
                format!("what `{text}` becomes is not one statement, and runs have to be fair to statements"),
            )
        })
    }

    /// The first edge that differs.
    fn one_by_one(&self, found: &[BTreeSet<usize>], wanted: &[BTreeSet<usize>]) -> Option<usize> {
        let mut pairs = found.iter().zip(wanted);
        pairs.position(|(found, wanted)| found != wanted)
    }

    /// Without an order among the edges all paths together are compared, except that of the `else`. An edge
    /// with a path that the other side does not have.
    fn together(&self, found: &[BTreeSet<usize>], wanted: &[BTreeSet<usize>]) -> Option<usize> {
        let all = |sets: &[BTreeSet<usize>], is_else: bool| -> BTreeSet<usize> {
            let edges = sets.iter().zip(self.forms);
            let edges = edges.filter(|(_, form)| form.is_else == is_else);
            edges.flat_map(|(paths, _)| paths.iter().copied()).collect()
        };
        for is_else in [false, true] {
            let (ours, theirs) = (all(found, is_else), all(wanted, is_else));
            if ours == theirs {
                continue;
            }
            let foreign = |sets: &[BTreeSet<usize>], known: &BTreeSet<usize>| {
                let mut edges = sets.iter().zip(self.forms);
                edges.position(|(paths, form)| form.is_else == is_else && !paths.is_subset(known))
            };
            let odd = foreign(found, &theirs).or_else(|| foreign(wanted, &ours));
            return Some(odd.unwrap_or(0));
        }
        None
    }

    fn breach(&self, edge: usize, renamer: &Renamer<'_>) -> Breach {
        let (form, whom) = (&self.forms[edge], self.whom);
        let text = &form.text;
        match self.singled_out(edge) {
            Some((span, what)) => Breach::at(
                span,
                format!("{what} in `{text}`, which tells {whom} apart"),
            ),
            None => tells_apart(form, whom, renamer),
        }
    }

    /// A comparison of the process's own number with a constant, if there is one in the edge.
    fn singled_out(&self, edge: usize) -> Option<(Span, String)> {
        let mut edges = self.template.edges_from(self.location);
        let (_, edge) = edges.nth(edge)?;
        let mut found = None;
        each_expr(&edge.step, &mut |e| {
            if found.is_none() {
                found = own_number_compared(e);
            }
        });
        found
    }
}

/// A permutation in which each number fits the one that it becomes, staying where it is if that fits; or a number that is left
/// over. What fits must be an equivalence of numbers on both sides, so that it does not matter which one is taken.
fn matching(count: usize, fits: impl Fn(usize, usize) -> bool) -> Result<Vec<usize>, usize> {
    let mut images: Vec<Option<usize>> = (0..count).map(|n| fits(n, n).then_some(n)).collect();
    for number in 0..count {
        if images[number].is_none() {
            let mut free = (0..count).filter(|n| !images.contains(&Some(*n)));
            let image = free.find(|n| fits(number, *n)).ok_or(number)?;
            images[number] = Some(image);
        }
    }
    let placed = images.into_iter().enumerate();
    placed.map(|(number, image)| image.ok_or(number)).collect()
}

fn own_number_compared(expr: &Expr) -> Option<(Span, String)> {
    let ExprKind::Binary(op, left, right) = &expr.kind else {
        return None;
    };
    let comparing = matches!(
        op,
        BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
    );
    let constant = match (&left.kind, &right.kind) {
        (ExprKind::SelfId, ExprKind::Const(value)) => *value,
        (ExprKind::Const(value), ExprKind::SelfId) => *value,
        _ => return None,
    };
    comparing.then(|| {
        (
            expr.span,
            format!("compares the process number with {constant}"),
        )
    })
}
