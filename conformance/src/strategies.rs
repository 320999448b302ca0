//! One model, every strategy: all must agree with the search without symmetry and with brute force.

use crate::ours::{EngineChoice, SearchOrder};
use crate::program::Program;
use crate::quotient::StateSpace;
use crate::random::RandomSource;
use crate::reduced::{Case, Failure, Found, Manner};
use crate::shrink::shrink;
use crate::spin::Claim;
use mandala_checker::options::{Expansion, SymmetryChoice};
use mandala_model::symmetry::{Scalarset, UseKind};
use mandala_prepare::Prepared;
use mandala_reduce::{Guarantee, Strategy};
use mandala_symmetry::{Certificate, DomainKind};
use std::fmt::{self, Display, Formatter};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::rc::Rc;

/// How much work is done on a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// How many states may be visited without symmetry, and by strategies that may keep many.
    pub states: u64,
    /// How many states brute force may visit.
    pub space: usize,
    /// How many images brute force looks at.
    pub images: usize,
    /// In how many states it compares the steps of a state and of its images.
    pub compared: usize,
    /// How many images a strategy may look at that looks at all of them.
    pub enumerated: u64,
}

impl Effort {
    /// For small random programs.
    pub const RANDOM: Effort = Effort {
        states: 2_000,
        space: 8_000,
        images: 60_000,
        compared: 400,
        enumerated: 20_000,
    };
}

/// Everything agrees, as far as there is something to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// There is a symmetry, and it is used rightly.
    Reduced {
        /// States without symmetry.
        states: u64,
        /// States that canonical strategies keep.
        orbits: u64,
        /// Whether there is a violation.
        violated: bool,
        /// The order of the group that is reported, if it is a small number.
        order: Option<u64>,
    },
    /// No symmetry is found.
    NoSymmetry,
    /// The declared symmetry is refused, for this reason.
    Declined(String),
    /// There are too many states.
    TooLarge,
    /// It is no model at all.
    Refused(String),
}

/// Something is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// Of which kind.
    pub kind: Kind,
    /// What was expected and what happened.
    pub text: String,
}

/// What can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The engines differ without any symmetry.
    Engines,
    /// A certificate does not hold.
    Unsound,
    /// A verdict is not that without symmetry.
    Verdict,
    /// Fewer states are stored than there are orbits: states were merged that must not be.
    Merged,
    /// A canonical strategy stores more states than there are orbits.
    Count,
    /// More or fewer states than a group of that order allows.
    Bound,
    /// A declaration is refused without a line.
    NoLine,
    /// A declaration is neither refused nor used.
    Ignored,
    /// Something that says of itself that it must not happen.
    Defect,
    /// A panic.
    Panic,
}

impl Display for Disagreement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.text)
    }
}

fn wrong<T>(kind: Kind, text: impl Into<String>) -> Result<T, Disagreement> {
    let text = text.into();
    Err(Disagreement { kind, text })
}

/// Asks about a program. The seed says which of the many manners to search are tried.
///
/// # Errors
///
/// What is wrong.
pub fn examine(program: &Program, seed: u64) -> Result<Agreement, Disagreement> {
    let claim = match (&program.never, program.formulas.as_slice()) {
        (None, []) => Claim::None,
        _ => Claim::Product,
    };
    examine_text(&program.to_string(), claim, seed)
}

/// The same of a text.
///
/// # Errors
///
/// What is wrong.
pub fn examine_text(text: &str, claim: Claim, seed: u64) -> Result<Agreement, Disagreement> {
    let examined = catch_unwind(AssertUnwindSafe(|| {
        match Case::load(Path::new("random.pml"), text, &[], claim) {
            Ok(case) => examine_case(&case, Effort::RANDOM, seed),
            Err(why) => Ok(Agreement::Refused(why)),
        }
    }));
    examined.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
        wrong(Kind::Panic, text.unwrap_or_default())
    })
}

/// The same of a model that has been read.
///
/// # Errors
///
/// What is wrong.
pub fn examine_case(case: &Case, effort: Effort, seed: u64) -> Result<Agreement, Disagreement> {
    let dice = RandomSource::new(seed);
    Examination { case, effort, dice }.run()
}

/// The smallest program that is found and is wrong in the same way.
pub fn smallest(program: Program, seed: u64, shown: &Disagreement) -> Program {
    shrink(program, &mut |candidate| {
        examine(candidate, seed).is_err_and(|found| found.kind == shown.kind)
    })
}

/// A model under examination.
struct Examination<'c> {
    case: &'c Case,
    effort: Effort,
    dice: RandomSource,
}

/// What is known of a model before the strategies are asked.
struct Known {
    off: Found,
    /// States of what is searched, which may keep processes that have ended.
    states: u64,
    orbits: Option<usize>,
    /// The order of the group that is reported, if it is a small number.
    order: Option<u64>,
    /// The order of the certified group, which strategies use, if it is a small number.
    certified: Option<u64>,
    /// Whether everything that is interchangeable is in all ways.
    full: bool,
}

impl Examination<'_> {
    fn run(&mut self) -> Result<Agreement, Disagreement> {
        let nothing = self.case.plain();
        let off = Manner {
            limit: Some(self.effort.states),
            ..Manner::OFF
        };
        let off = match self.case.search(off, &nothing) {
            Ok(found) => found,
            Err(Failure::TooLarge) => return Ok(Agreement::TooLarge),
            Err(Failure::Defect(what)) => return wrong(Kind::Defect, what),
        };
        if off.states <= self.effort.space as u64 {
            self.compare_reference(&off, &nothing)?;
        }
        let symmetry = match self.case.symmetry() {
            Ok(symmetry) => symmetry,
            Err(why) => return declined(why),
        };
        self.require_declared(&symmetry)?;
        let (states, orbits) = self.brute_force(&off, &symmetry)?;
        let known = Known {
            order: symmetry.account.group.order.parse().ok(),
            certified: certified_order(&symmetry),
            full: symmetry.certificate.as_ref().is_none_or(is_full),
            states,
            orbits,
            off,
        };
        let orbits = self.strategies(&known, &symmetry)?;
        Ok(match symmetry.certificate {
            None => Agreement::NoSymmetry,
            Some(_) => Agreement::Reduced {
                states: known.off.states,
                orbits,
                violated: known.off.violated,
                order: known.order,
            },
        })
    }

    /// What is declared and not refused is used, as far as anything is.
    fn require_declared(&self, symmetry: &Prepared) -> Result<(), Disagreement> {
        let Some(certificate) = &symmetry.certificate else {
            return Ok(());
        };
        let is_used = |set: &&Scalarset| {
            let mut domains = certificate.domains().iter();
            domains.any(|domain| match &domain.kind {
                DomainKind::Names { first, size, .. } => (*first, *size) == (set.first, set.size),
                DomainKind::Processes { template, .. } => {
                    let mut uses = set.uses.iter();
                    uses.any(|u| u.kind == UseKind::Processes(*template))
                }
            })
        };
        let mut sets = self.case.model().scalarsets.iter();
        match sets.find(|set| !is_used(set)) {
            Some(set) => wrong(Kind::Ignored, set.name.clone()),
            None => Ok(()),
        }
    }

    /// The interpreter searches and finds the same.
    fn compare_reference(&self, off: &Found, nothing: &Rc<Prepared>) -> Result<(), Disagreement> {
        let manner = Manner {
            engine: EngineChoice::REFERENCE,
            ..Manner::OFF
        };
        match self.case.search(manner, nothing) {
            Ok(found) if found == *off => Ok(()),
            other => wrong(
                Kind::Engines,
                format!("{off:?}, by the interpreter {other:?}"),
            ),
        }
    }

    /// Whether the certificate is true; how many states and orbits there are.
    fn brute_force(
        &self,
        off: &Found,
        symmetry: &Prepared,
    ) -> Result<(u64, Option<usize>), Disagreement> {
        let Some(certificate) = &symmetry.certificate else {
            return Ok((off.states, Some(off.states as usize)));
        };
        let observers = self.case.observers().unwrap_or_default();
        let Some(space) = StateSpace::of(&symmetry.certified, observers, self.effort.space) else {
            // Without processes that stay, there are fewer states, and only those are a bound.
            let states = (!symmetry.is_rewritten()).then_some(off.states);
            return Ok((states.unwrap_or(0), None));
        };
        if !symmetry.is_rewritten() && space.states() as u64 != off.states {
            let text = format!("{} states, brute force {}", off.states, space.states());
            return wrong(Kind::Engines, text);
        }
        match space.asymmetry(certificate, self.effort.compared) {
            Some(why) => wrong(Kind::Unsound, why),
            None => {
                let orbits = space.orbits(certificate, self.effort.images);
                Ok((space.states() as u64, orbits))
            }
        }
    }

    /// Every strategy; the default in every manner, the others in one manner each. The number of states that
    /// canonical strategies keep.
    fn strategies(&mut self, known: &Known, symmetry: &Rc<Prepared>) -> Result<u64, Disagreement> {
        let mut orbits = known.orbits.map(|n| n as u64);
        for strategy in Strategy::ALL {
            let mut manners = manners(strategy);
            if strategy != Strategy::Auto {
                manners = vec![self.dice.pick(&manners)];
            }
            if !self.is_affordable(strategy, known, orbits) {
                continue;
            }
            for manner in manners {
                let found = self.case.search(manner, symmetry);
                let name = format!("{strategy} {:?} {:?}", manner.order, manner.expand);
                let found = judge(&name, strategy, known, orbits, found)?;
                if strategy == Strategy::Auto && found.not_canonical == 0 {
                    orbits.get_or_insert(found.states);
                }
            }
        }
        Ok(orbits.unwrap_or(known.off.states))
    }

    /// Whether a strategy that looks at all images of a state does not have to look at too many.
    fn is_affordable(&self, strategy: Strategy, known: &Known, orbits: Option<u64>) -> bool {
        let images = known.certified.unwrap_or(u64::MAX);
        let images = images.saturating_mul(orbits.unwrap_or(known.off.states));
        images <= self.effort.enumerated || !looks_at_all(strategy)
    }
}

fn certified_order(symmetry: &Prepared) -> Option<u64> {
    let order = symmetry.certificate.as_ref().map(Certificate::order);
    order.map_or(Some(1), |order| order.try_into().ok())
}

fn is_full(certificate: &Certificate) -> bool {
    let mut domains = 0..certificate.domains().len();
    domains.all(|domain| certificate.is_full(domain))
}

/// Whether a strategy may look at all images of a state.
fn looks_at_all(strategy: Strategy) -> bool {
    strategy.guarantee() == Guarantee::Canonical && strategy != Strategy::Auto
}

fn declined(why: String) -> Result<Agreement, Disagreement> {
    let places = |line: &str| line.contains("random.pml:");
    match !why.is_empty() && why.lines().all(places) {
        true => Ok(Agreement::Declined(why)),
        false => wrong(Kind::NoLine, why),
    }
}

/// All manners to search by a strategy.
pub fn manners(strategy: Strategy) -> Vec<Manner> {
    let mut manners = Vec::new();
    for order in [SearchOrder::BreadthFirst, SearchOrder::DepthFirst] {
        for expand in [Expansion::Representatives, Expansion::Originals] {
            manners.push(Manner {
                symmetry: SymmetryChoice::Use(strategy),
                expand: Some(expand),
                order,
                ..Manner::OFF
            });
        }
    }
    manners
}

/// Holds what a strategy has found against what is known, and against the number of orbits if that is.
fn judge(
    name: &str,
    strategy: Strategy,
    known: &Known,
    orbits: Option<u64>,
    found: Result<Found, Failure>,
) -> Result<Found, Disagreement> {
    let found = match found {
        Ok(found) => found,
        Err(Failure::Defect(what)) => return wrong(Kind::Defect, format!("{name}: {what}")),
        Err(Failure::TooLarge) => return wrong(Kind::Bound, format!("{name}: too large")),
    };
    let off = &known.off;
    let guarantee = strategy.guarantee();
    let same = match guarantee {
        Guarantee::MayMiss => off.violated || !found.violated,
        _ => (found.violated, found.unsure) == (off.violated, off.unsure),
    };
    if !same {
        return wrong(
            Kind::Verdict,
            format!("{name}: {found:?}, without symmetry {off:?}"),
        );
    }
    if guarantee != Guarantee::MayMiss {
        let whole = known.full || !strategy.needs_full();
        let exact = guarantee == Guarantee::Canonical && found.not_canonical == 0 && whole;
        count(name, known, orbits, exact, &found)?;
    }
    Ok(found)
}

/// The number of states lies between that of orbits and that of all states.
fn count(
    name: &str,
    known: &Known,
    orbits: Option<u64>,
    exact: bool,
    found: &Found,
) -> Result<(), Disagreement> {
    let all = known.states;
    let told = format!("{name}: {found:?}, {orbits:?} orbits, {all} states");
    if orbits.is_some_and(|orbits| found.states < orbits) {
        return wrong(Kind::Merged, told);
    }
    if exact && orbits.is_some_and(|orbits| found.states > orbits) {
        return wrong(Kind::Count, told);
    }
    let order = known.order.unwrap_or(u64::MAX);
    match all <= order.saturating_mul(found.states) {
        true => Ok(()),
        false => wrong(Kind::Bound, format!("{told}, a group of {order}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(states: u64, violated: bool) -> Found {
        Found {
            violated,
            states,
            not_canonical: 0,
            unsure: false,
        }
    }

    fn verdict(strategy: Strategy, states: u64, violated: bool) -> Option<Kind> {
        verdict_on(true, strategy, states, violated)
    }

    fn verdict_on(full: bool, strategy: Strategy, states: u64, violated: bool) -> Option<Kind> {
        let known = Known {
            off: found(60, true),
            states: 60,
            orbits: Some(10),
            order: Some(6),
            certified: Some(6),
            full,
        };
        let found = Ok(found(states, violated));
        let judged = judge("", strategy, &known, Some(10), found);
        judged.err().map(|d| d.kind)
    }

    #[test]
    fn canonical_strategies_count_orbits() {
        assert_eq!(verdict(Strategy::Auto, 10, true), None);
        assert_eq!(verdict(Strategy::Auto, 11, true), Some(Kind::Count));
        assert_eq!(verdict(Strategy::Full, 9, true), Some(Kind::Merged));
        assert_eq!(verdict(Strategy::Sorted, 11, true), None);
        assert_eq!(verdict(Strategy::Sorted, 9, true), Some(Kind::Merged));
    }

    #[test]
    fn who_needs_all_permutations_may_keep_more_where_there_are_some_only() {
        let on_ring = |strategy, states| verdict_on(false, strategy, states, true);
        assert_eq!(on_ring(Strategy::Segmented, 11), None);
        assert_eq!(on_ring(Strategy::Segmented, 9), Some(Kind::Merged));
        assert_eq!(on_ring(Strategy::Full, 11), Some(Kind::Count));
    }

    #[test]
    fn only_markers_may_miss() {
        assert_eq!(verdict(Strategy::Markers, 9, false), None);
        assert_eq!(verdict(Strategy::FirstMet, 12, false), Some(Kind::Verdict));
    }

    #[test]
    fn a_missing_line_is_a_mistake() {
        assert!(declined("random.pml:3:1: no".into()).is_ok());
        assert!(declined("no".into()).is_err());
        assert!(declined(String::new()).is_err());
    }
}
