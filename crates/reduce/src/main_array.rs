//! The main array: what `sorted` and `segmented` sort the members of a domain by.
//!
//! A main array has one plain value for each member: an element of a global array that the domain indexes, a local variable
//! of its processes, or their control locations. The more values, the fewer permutations are left to try;
//! so without a wish the array with the widest elements is taken, and control locations if there is no array.

use crate::plan::{Basis, Main};
use crate::{Strategy, Unsupported};
use mandala_model::UncheckedModel;
use mandala_model::types::Scalar;
use mandala_symmetry::DomainKind;
use mandala_symmetry::sorts::{Shape, Sort};

/// Chooses a main array for each domain, if the strategy needs one.
///
/// # Errors
///
/// If one is named that is none, or the strategy has no use for it.
pub(crate) fn choose(
    basis: &Basis<'_>,
    strategy: Strategy,
    named: Option<&str>,
) -> Result<Vec<Option<Main>>, Unsupported> {
    let domains = 0..basis.domains.len();
    match (strategy, named) {
        (Strategy::Sorted | Strategy::Segmented, Some(name)) => choose_named(basis, name),
        (Strategy::Sorted | Strategy::Segmented, None) => {
            Ok(domains.map(|domain| widest(basis, domain)).collect())
        }
        (_, Some(_)) => Err(Unsupported::NoUseForMainArray(strategy)),
        (Strategy::PcSorted | Strategy::PcSegmented, None) => {
            Ok(domains.map(|domain| locations(basis, domain)).collect())
        }
        (_, None) => Ok(Vec::new()),
    }
}

/// The named array for the domains that have it, the automatic choice for the others.
fn choose_named(basis: &Basis<'_>, name: &str) -> Result<Vec<Option<Main>>, Unsupported> {
    let domains = 0..basis.domains.len();
    let named = |domain| {
        candidates(basis, domain)
            .into_iter()
            .find(|c| c.name == name)
    };
    let found: Vec<_> = domains.clone().map(named).collect();
    if found.iter().all(Option::is_none) {
        return Err(Unsupported::NoSuchMainArray(name.to_string()));
    }
    let chosen = found.into_iter().zip(domains);
    let chosen = chosen.map(|(found, domain)| match found {
        Some(candidate) => Some(candidate.main),
        None => widest(basis, domain),
    });
    Ok(chosen.collect())
}

/// Something that could be a main array.
struct Candidate<'a> {
    name: &'a str,
    main: Main,
    /// The width of its values in bits.
    bits: u8,
}

fn candidates<'a>(basis: &Basis<'a>, domain: usize) -> Vec<Candidate<'a>> {
    let mut candidates = arrays(basis, domain);
    candidates.extend(locals(basis, domain));
    candidates
}

/// The global arrays of plain values that a domain indexes.
fn arrays<'a>(basis: &Basis<'a>, domain: usize) -> Vec<Candidate<'a>> {
    let model = basis.model;
    let shapes = basis.sorts.classes.globals.iter().enumerate();
    let arrays = shapes.filter_map(|(global, shape)| match shape {
        Shape::Array { index, element, .. } if is_index_of(basis, domain, *index) => {
            plain_cell(element).map(|scalar| Candidate {
                name: &model.globals[global].name,
                main: Main::Global(global),
                bits: bits(model, scalar),
            })
        }
        _ => None,
    });
    arrays.collect()
}

/// The plain local variables of the processes of a domain.
fn locals<'a>(basis: &Basis<'a>, domain: usize) -> Vec<Candidate<'a>> {
    let DomainKind::Processes { template, .. } = &basis.domains[domain].kind else {
        return Vec::new();
    };
    let model = basis.model;
    let shapes = basis.sorts.classes.locals[template.index()].iter();
    let locals = shapes.enumerate().filter_map(|(local, shape)| {
        plain_cell(shape).map(|scalar| Candidate {
            name: &model.template(*template).locals[local].name,
            main: Main::Local(local),
            bits: bits(model, scalar),
        })
    });
    locals.collect()
}

fn plain_cell(shape: &Shape<Sort>) -> Option<Scalar> {
    match shape {
        Shape::Cell(Sort::Plain, scalar) => Some(*scalar),
        _ => None,
    }
}

fn bits(model: &UncheckedModel, scalar: Scalar) -> u8 {
    scalar.width(|domain| model.domain_size(domain)).0
}

/// Whether the indices of that sort are members of a domain.
fn is_index_of(basis: &Basis<'_>, domain: usize, index: Sort) -> bool {
    match (&basis.domains[domain].kind, index) {
        (DomainKind::Processes { .. }, Sort::Process(_)) => true,
        (DomainKind::Names { set: own, .. }, Sort::Name(set, _)) => set == *own,
        _ => false,
    }
}

/// The array with the widest elements, or the control locations.
fn widest(basis: &Basis<'_>, domain: usize) -> Option<Main> {
    let arrays = arrays(basis, domain).into_iter().rev();
    let widest = arrays.max_by_key(|candidate| candidate.bits);
    widest.map(|c| c.main).or_else(|| locations(basis, domain))
}

fn locations(basis: &Basis<'_>, domain: usize) -> Option<Main> {
    let kind = &basis.domains[domain].kind;
    matches!(kind, DomainKind::Processes { .. }).then_some(Main::Locations)
}
