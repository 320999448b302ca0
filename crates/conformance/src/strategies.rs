//! One model, every strategy: all must agree with the search without symmetry and with brute force.

use crate::dice::Dice;
use crate::ours::{Engine, SearchOrder};
use crate::program::Program;
use crate::quotient::StateSpace;
use crate::reduced::{Case, Failure, Found, Manner};
use crate::shrink::shrink;
use crate::spin::Claim;
use mandala_checker::options::{Expansion, SymmetryChoice};
use mandala_checker::symmetry::DetectedSymmetry;
use mandala_reduce::{Guarantee, Strategy};
use std::fmt::{self, Display, Formatter};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::rc::Rc;

/// How many states a random program may have.
pub const LARGEST: u64 = 2_000;

/// How many images brute force looks at.
const IMAGES: usize = 100_000;

/// In how many states brute force compares the steps of a state and of its images.
const COMPARED: usize = 500;

/// Everything agrees, as far as there is something to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// There is a symmetry, and it is used rightly.
    Reduced {
        /// States without symmetry.
        states: u64,
        /// Orbits by brute force, if they could be counted.
        orbits: Option<usize>,
        /// Whether there is a violation.
        violated: bool,
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
    let claim = match program.never {
        Some(_) => Claim::Product,
        None => Claim::None,
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
            Ok(case) => Examination::new(&case, seed).run(),
            Err(why) => Ok(Agreement::Refused(why)),
        }
    }));
    examined.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
        wrong(Kind::Panic, text.unwrap_or_default())
    })
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
    dice: Dice,
}

/// What brute force knows.
struct Known {
    off: Found,
    /// States of what is searched, which may keep processes that have ended.
    states: u64,
    orbits: Option<usize>,
    /// The order of the group that is reported, if it is a small number.
    order: Option<u64>,
}

impl<'c> Examination<'c> {
    fn new(case: &'c Case, seed: u64) -> Self {
        let dice = Dice::new(seed);
        Examination { case, dice }
    }

    fn run(&mut self) -> Result<Agreement, Disagreement> {
        let nothing = Rc::new(DetectedSymmetry::none());
        let off = Manner {
            limit: Some(LARGEST),
            ..Manner::OFF
        };
        let off = match self.case.search(off, &nothing) {
            Ok(found) => found,
            Err(Failure::TooLarge) => return Ok(Agreement::TooLarge),
            Err(Failure::Defect(what)) => return wrong(Kind::Defect, what),
        };
        self.compare_reference(&off, &nothing)?;
        let symmetry = match self.case.symmetry() {
            Ok(symmetry) => symmetry,
            Err(why) => return declined(why),
        };
        let (states, orbits) = self.brute_force(&off, &symmetry)?;
        let known = Known {
            order: symmetry.group.order.parse().ok(),
            states,
            orbits,
            off,
        };
        self.strategies(&known, &symmetry)?;
        Ok(match symmetry.certificate {
            None => Agreement::NoSymmetry,
            Some(_) => Agreement::Reduced {
                states: known.off.states,
                orbits: known.orbits,
                violated: known.off.violated,
            },
        })
    }

    /// The interpreter searches and finds the same.
    fn compare_reference(
        &self,
        off: &Found,
        nothing: &Rc<DetectedSymmetry>,
    ) -> Result<(), Disagreement> {
        let manner = Manner {
            engine: Engine::Reference,
            ..Manner::OFF
        };
        match self.case.search(manner, nothing) {
            Ok(found) if found == *off => Ok(()),
            other => wrong(Kind::Engines, format!("{off:?}, by the interpreter {other:?}")),
        }
    }

    /// Whether the certificate is true; how many states and orbits there are.
    fn brute_force(
        &self,
        off: &Found,
        symmetry: &DetectedSymmetry,
    ) -> Result<(u64, Option<usize>), Disagreement> {
        let Some(certificate) = &symmetry.certificate else {
            return Ok((off.states, Some(off.states as usize)));
        };
        let observers = self.case.observers().unwrap_or_default();
        let limit = 4 * LARGEST as usize;
        let model = symmetry.rewritten.as_ref().unwrap_or(self.case.model());
        let Some(space) = StateSpace::of(model, observers, limit) else {
            return Ok((off.states, None));
        };
        if symmetry.rewritten.is_none() && space.states() as u64 != off.states {
            let text = format!("{} states, brute force {}", off.states, space.states());
            return wrong(Kind::Engines, text);
        }
        match space.asymmetry(certificate, COMPARED) {
            Some(why) => wrong(Kind::Unsound, why),
            None => Ok((space.states() as u64, space.orbits(certificate, IMAGES))),
        }
    }

    /// Every strategy; the default in every manner, the others in one manner each.
    fn strategies(
        &mut self,
        known: &Known,
        symmetry: &Rc<DetectedSymmetry>,
    ) -> Result<(), Disagreement> {
        for strategy in Strategy::ALL {
            let mut manners = manners(strategy);
            if strategy != Strategy::Auto {
                manners = vec![self.dice.pick(&manners)];
            }
            for manner in manners {
                let found = self.case.search(manner, symmetry);
                let name = format!("{strategy} {:?} {:?}", manner.order, manner.expand);
                judge(&name, strategy, known, found)?;
            }
        }
        Ok(())
    }
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

/// Holds what a strategy has found against what is known.
fn judge(
    name: &str,
    strategy: Strategy,
    known: &Known,
    found: Result<Found, Failure>,
) -> Result<(), Disagreement> {
    let found = match found {
        Ok(found) => found,
        Err(Failure::Defect(what)) => return wrong(Kind::Defect, format!("{name}: {what}")),
        Err(Failure::TooLarge) => return wrong(Kind::Bound, format!("{name}: too large")),
    };
    let off = &known.off;
    let guarantee = strategy.guarantee();
    let same = match guarantee {
        Guarantee::MayMiss => off.violated || !found.violated,
        _ => found.violated == off.violated && !found.unsure,
    };
    if !same {
        return wrong(Kind::Verdict, format!("{name}: {found:?}, without symmetry {off:?}"));
    }
    let orbits = known.orbits.unwrap_or(1) as u64;
    if guarantee != Guarantee::MayMiss && found.states < orbits {
        return wrong(Kind::Merged, format!("{name}: {found:?}, {orbits} orbits"));
    }
    let exact = guarantee == Guarantee::Canonical && found.not_canonical == 0;
    if exact && known.orbits.is_some_and(|orbits| orbits as u64 != found.states) {
        return wrong(Kind::Count, format!("{name}: {found:?}, {orbits} orbits"));
    }
    let order = known.order.unwrap_or(u64::MAX);
    let fits = |states: u64| states <= order.saturating_mul(found.states);
    if guarantee != Guarantee::MayMiss && !fits(known.states) {
        let text = format!(
            "{name}: {found:?}, {orbits} orbits, {} states, group of {order}",
            known.states
        );
        return wrong(Kind::Bound, text);
    }
    Ok(())
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
        let known = Known {
            off: found(60, true),
            states: 60,
            orbits: Some(10),
            order: Some(6),
        };
        let found = Ok(found(states, violated));
        judge("", strategy, &known, found).err().map(|d| d.kind)
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
