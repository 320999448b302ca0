//! Comparison of several decisions about the infinite runs of one program, formula by formula.
//!
//! Mandala checks each formula with every kind of fairness: without any reduction, with symmetry and static reductions, in one more
//! manner that the dice choose, and by the reference engine; without fairness also with steps left out, alone and together with all that. Spin does, without fairness and with the weak kind, if it is installed. All
//! verdicts must be the same, and every counterexample must replay.
//!
//! # Where Spin means something else
//!
//! A run that ends goes on standing still, also for Spin, but with fairness Spin overlooks some of these runs: it says of a program with
//! one process that ends at once that `<>[] (x > 1)` holds, whatever `x` is. So Spin is asked about fair runs only where no run ends. It
//! also overlooks fair runs where a process may not move because of its `provided`, and is not asked there.

mod survey;

pub use survey::{Survey, survey};

use crate::forever::{self, ACCEPT, Fairness, Manner, NON_PROGRESS, Opinion};
use crate::formula::{self, Formula, Next};
use crate::program::Program;
use crate::random::RandomSource;
use crate::reactive;
use crate::shrink::shrink;
use crate::spin::{self, Claim, Runs, Size, Spin, Verifier};
use mandala_checker::frontend::LoadedModel;
use mandala_checker::options::{Choice, EngineChoice};
use std::fmt::{self, Display, Formatter};
use std::path::Path;
use std::time::Duration;

/// Who is asked about a program, and about what.
#[derive(Clone, Copy, Debug)]
pub struct Effort<'a> {
    /// Spin, if it is installed and wanted.
    pub spin: Option<&'a Spin>,
    /// The kinds of fairness.
    pub kinds: &'a [Fairness],
    /// How many states a product may have.
    pub states: u64,
    /// How many states the interpreter is troubled with.
    pub interpreted: u64,
}

impl Effort<'_> {
    /// For small random programs, without Spin.
    pub const RANDOM: Effort<'static> = Effort {
        spin: None,
        kinds: Fairness::ALL,
        states: 10_000,
        interpreted: 3_000,
    };
}

/// How many formulas a program gets.
const FORMULAS: usize = 6;

/// How long each of Spin's programs may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A program and what is asked about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The program, without the formulas.
    pub program: Program,
    /// The formulas; if there are none, it is the program's own never claim or, without one, its labels.
    pub formulas: Vec<Formula>,
}

impl Subject {
    /// A program with random formulas over what can be seen of it, or with the claim that it has.
    pub fn new(program: Program, seed: u64) -> Subject {
        let atoms = formula::atoms(&program);
        Subject::over(program, &atoms, FORMULAS, seed)
    }

    /// A program with random formulas over some atoms, or with the claim that it has.
    pub fn over(program: Program, atoms: &[String], count: usize, seed: u64) -> Subject {
        let mut dice = RandomSource::new(seed ^ 0x464f_524d);
        let next = match dice.chance(12) {
            true => Next::Allowed,
            false => Next::Excluded,
        };
        // To Spin, accept labels of processes matter to formulas as well.
        let labelled = program.to_string().contains("accept_L");
        let formulas = match program.never.is_some() || labelled || atoms.is_empty() {
            true => Vec::new(),
            false => (0..count)
                .map(|_| formula::random(&mut dice, atoms, next))
                .collect(),
        };
        Subject { program, formulas }
    }

    /// What is checked, by name.
    fn properties(&self) -> Vec<String> {
        match (self.formulas.len(), &self.program.never) {
            (0, Some(_)) => vec!["never".into()],
            (0, None) => vec![ACCEPT.into(), NON_PROGRESS.into()],
            (count, _) => (0..count).map(|number| format!("f{number}")).collect(),
        }
    }
}

impl Display for Subject {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.program.fmt(f)?;
        for (number, formula) in self.formulas.iter().enumerate() {
            writeln!(f, "{}", formula.declared(&format!("f{number}")))?;
        }
        Ok(())
    }
}

/// What came of the questions about a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Formulas with a kind of fairness on which everybody agrees.
    pub agreed: u64,
    /// Those of them that Spin was asked about.
    pub confirmed: u64,
    /// Those of them that the reference engine was asked about.
    pub interpreted: u64,
    /// Those of them that are violated.
    pub violated: u64,
    /// Those of them that are violated by a run with steps that come again and again.
    pub rounds: u64,
    /// Those of them for which symmetry was used.
    pub reduced: u64,
    /// Those of them that were decided with steps left out.
    pub partly: u64,
    /// How many states their programs have.
    pub whole_states: u64,
    /// How many states were left out of them.
    pub states_left_out: u64,
    /// Formulas that some fairness makes true.
    pub saved: u64,
    /// Those that are too large.
    pub too_large: u64,
    /// Why Spin had no answer.
    pub unanswered: Vec<String>,
}

impl Tally {
    /// Adds another one.
    pub fn add(&mut self, other: Tally) {
        self.agreed += other.agreed;
        self.confirmed += other.confirmed;
        self.interpreted += other.interpreted;
        self.violated += other.violated;
        self.rounds += other.rounds;
        self.reduced += other.reduced;
        self.partly += other.partly;
        self.whole_states += other.whole_states;
        self.states_left_out += other.states_left_out;
        self.saved += other.saved;
        self.too_large += other.too_large;
        self.unanswered.extend(other.unanswered);
    }
}

/// Two opinions differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// Of which kind.
    pub kind: Kind,
    /// On which property.
    pub property: String,
    /// With which fairness, and who says what.
    pub text: String,
}

/// What can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Spin finds a violation and we do not.
    OnlySpin(Fairness),
    /// We find a violation and Spin does not.
    OnlyOurs(Fairness),
    /// Our own searches differ.
    Engines(Fairness),
    /// More fairness leads to more violations.
    Order,
    /// One side refuses the program.
    Refused,
    /// Something that must not happen.
    Defect(Fairness),
}

impl Display for Disagreement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} on {}: {}", self.kind, self.property, self.text)
    }
}

/// Asks everybody about a program and its formulas.
///
/// # Errors
///
/// The first disagreement.
pub fn examine(subject: &Subject, seed: u64, effort: Effort<'_>) -> Result<Tally, Disagreement> {
    let text = subject.to_string();
    let (verifiers, unanswered) = verifiers(subject, &text, effort.spin);
    let loaded = forever::load(Path::new("random.pml"), &text);
    let loaded = match (loaded, unanswered.is_empty()) {
        (Ok(loaded), _) => loaded,
        (Err(_), false) => {
            return Ok(Tally {
                unanswered,
                ..Tally::default()
            });
        }
        (Err(why), true) => return Err(disagreement(Kind::Refused, "", why)),
    };
    let Some(states) = forever::states(&loaded, effort.states) else {
        return Ok(Tally::default());
    };
    let mut examination = Examination {
        loaded: &loaded,
        states,
        verifiers,
        effort,
        is_named: !subject.formulas.is_empty(),
        is_fairly_seen: is_fairly_seen(&subject.program),
        dice: RandomSource::new(seed),
        tally: Tally {
            unanswered,
            ..Tally::default()
        },
    };
    for property in subject.properties() {
        examination.property(&property)?;
    }
    Ok(examination.tally)
}

/// Whether Spin sees all fair runs of a program: no run ends, and every process may always move.
fn is_fairly_seen(program: &Program) -> bool {
    let mut processes = program.processes.iter();
    processes.all(|process| process.provided.is_none())
        && program.processes.contains(&reactive::idler())
}

/// Spin's verifiers of a program, each for the property of that name or for all; and why there are fewer.
fn verifiers(
    subject: &Subject,
    text: &str,
    spin: Option<&Spin>,
) -> (Vec<(Option<&'static str>, Verifier)>, Vec<String>) {
    let is_known = |_: &&Spin| !subject.formulas.iter().any(Formula::has_next);
    let Some(spin) = spin.filter(is_known) else {
        return (Vec::new(), Vec::new());
    };
    let question = spin::Question {
        text,
        defines: &[],
        claim: Claim::Product,
        size: Size::Small,
        limit: PATIENCE,
    };
    let has_claim = !subject.formulas.is_empty() || subject.program.never.is_some();
    let made = match has_claim {
        true => vec![(None, spin.liveness(&question))],
        false => vec![
            (Some(ACCEPT), spin.liveness(&question)),
            (Some(NON_PROGRESS), spin.progress(&question)),
        ],
    };
    let (mut verifiers, mut unanswered) = (Vec::new(), Vec::new());
    for (name, verifier) in made {
        match verifier {
            Ok(Ok(verifier)) => verifiers.push((name, verifier)),
            Ok(Err(answer)) => unanswered.push(brief(&format!("{answer:?}"))),
            Err(error) => unanswered.push(error.to_string()),
        }
    }
    (verifiers, unanswered)
}

/// The part of a message that says what is wrong.
fn brief(why: &str) -> String {
    let start = why.find("Error").or(why.find("error")).unwrap_or(0);
    why[start..].chars().take(80).collect()
}

fn disagreement(kind: Kind, property: &str, text: impl Into<String>) -> Disagreement {
    Disagreement {
        kind,
        property: property.into(),
        text: text.into(),
    }
}

struct Examination<'a> {
    loaded: &'a LoadedModel,
    /// How many states there are.
    states: u64,
    verifiers: Vec<(Option<&'static str>, Verifier)>,
    effort: Effort<'a>,
    /// Whether a property has to be named for Spin.
    is_named: bool,
    /// Whether Spin sees all fair runs.
    is_fairly_seen: bool,
    dice: RandomSource,
    tally: Tally,
}

impl Examination<'_> {
    fn property(&mut self, property: &str) -> Result<(), Disagreement> {
        let mut verdicts = Vec::new();
        for &fairness in self.effort.kinds {
            let Some(violated) = self.verdict(property, fairness)? else {
                self.tally.too_large += 1;
                return Ok(());
            };
            self.compare_spin(property, fairness, violated)?;
            self.tally.agreed += 1;
            self.tally.violated += u64::from(violated);
            verdicts.push((fairness, violated));
        }
        self.require_order(property, &verdicts)
    }

    /// Whether a property is violated, as all manners to check it have it.
    fn verdict(
        &mut self,
        property: &str,
        fairness: Fairness,
    ) -> Result<Option<bool>, Disagreement> {
        let plain = self.ask(property, Manner::PLAIN, fairness)?;
        let Some(violated) = plain.violated() else {
            return Ok(None);
        };
        self.tally.rounds += u64::from(matches!(
            plain,
            Opinion::Violated {
                round: Some(1..),
                ..
            }
        ));
        let other = Manner::random(&mut self.dice);
        for manner in [Manner::USUAL, other, Manner::REFERENCE] {
            let opinion = self.compare(property, manner, fairness, &plain)?;
            self.tally.reduced += u64::from(manner == Manner::USUAL && opinion.is_reduced());
            let is_reference = manner == Manner::REFERENCE && opinion.violated().is_some();
            self.tally.interpreted += u64::from(is_reference);
        }
        if fairness == Fairness::Off {
            self.leave_out_steps(property, other, &plain)?;
        }
        Ok(Some(violated))
    }

    /// Asks once more in another manner.
    fn compare(
        &self,
        property: &str,
        manner: Manner,
        fairness: Fairness,
        plain: &Opinion,
    ) -> Result<Opinion, Disagreement> {
        let opinion = self.ask(property, manner, fairness)?;
        // What is usual may be too large, where the plain search has found a violation early; but it is available.
        let silent = manner == Manner::USUAL && matches!(opinion, Opinion::NotAvailable(_));
        let differs = opinion.violated().is_some() && opinion.violated() != plain.violated();
        let differs = differs || silent;
        match differs {
            false => Ok(opinion),
            true => {
                let text = format!("{fairness:?}: plainly {plain:?}, {manner:?}: {opinion:?}");
                Err(disagreement(Kind::Engines(fairness), property, text))
            }
        }
    }

    /// Asks again with steps left out, where that is possible: alone, and together with whatever else is saved.
    fn leave_out_steps(
        &mut self,
        property: &str,
        other: Manner,
        plain: &Opinion,
    ) -> Result<(), Disagreement> {
        let off = Fairness::Off;
        let alone = self.compare(property, Manner::PARTLY, off, plain)?;
        if let Some(states) = alone.states() {
            self.tally.partly += 1;
            self.tally.whole_states += self.states;
            self.tally.states_left_out += self.states.saturating_sub(states);
        }
        for manner in [Manner::USUAL, other] {
            self.compare(property, manner.partly(), off, plain)?;
        }
        Ok(())
    }

    fn ask(
        &self,
        property: &str,
        manner: Manner,
        fairness: Fairness,
    ) -> Result<Opinion, Disagreement> {
        let limit = match manner.engine == EngineChoice::EXPLICIT {
            true => self.effort.states,
            false => self.effort.interpreted,
        };
        forever::ask(self.loaded, property, manner, fairness, limit).map_err(|what| {
            let text = format!("{fairness:?}, {manner:?}: {what}");
            disagreement(Kind::Defect(fairness), property, text)
        })
    }

    fn compare_spin(
        &mut self,
        property: &str,
        fairness: Fairness,
        violated: bool,
    ) -> Result<(), Disagreement> {
        let runs = match fairness {
            Fairness::Off => Runs::All,
            Fairness::Weak if self.is_fairly_seen => Runs::Fair,
            _ => return Ok(()),
        };
        let is_for = |name: &Option<&str>| name.is_none_or(|name| name == property);
        let mut verifiers = self.verifiers.iter();
        let Some((_, verifier)) = verifiers.find(|(name, _)| is_for(name)) else {
            return Ok(());
        };
        let name = self.is_named.then_some(property);
        let answer = verifier.is_violated(name, runs);
        match answer.unwrap_or_else(|error| Err(error.to_string())) {
            Err(why) => self.tally.unanswered.push(brief(&why)),
            Ok(theirs) if theirs == violated => self.tally.confirmed += 1,
            Ok(theirs) => {
                let kind = match theirs {
                    true => Kind::OnlySpin(fairness),
                    false => Kind::OnlyOurs(fairness),
                };
                return Err(disagreement(kind, property, "only one finds a violation"));
            }
        }
        Ok(())
    }

    /// Strongly fair runs are weakly fair, so what weak fairness makes true strong fairness does.
    fn require_order(
        &mut self,
        property: &str,
        verdicts: &[(Fairness, bool)],
    ) -> Result<(), Disagreement> {
        let of = |wanted| verdicts.iter().any(|&(kind, bad)| kind == wanted && bad);
        self.tally.saved += u64::from(of(Fairness::Off) && !of(Fairness::Strong));
        let weaker = [
            (Fairness::Off, Fairness::Weak),
            (Fairness::Weak, Fairness::Strong),
            (Fairness::Off, Fairness::WeakAction),
            (Fairness::WeakAction, Fairness::StrongAction),
        ];
        match weaker.iter().find(|(less, more)| of(*more) && !of(*less)) {
            None => Ok(()),
            Some(pair) => Err(disagreement(Kind::Order, property, format!("{pair:?}"))),
        }
    }
}

/// The smallest program and formula that are found on which the same disagree.
pub fn smallest(subject: Subject, seed: u64, shown: &Disagreement, effort: Effort<'_>) -> Subject {
    let is_same = |subject: &Subject| {
        examine(subject, seed, effort).is_err_and(|found| found.kind == shown.kind)
    };
    let number = shown.property.trim_start_matches('f').parse::<usize>().ok();
    let alone = number
        .and_then(|number| subject.formulas.get(number))
        .cloned();
    let mut best = subject.clone();
    if let Some(formula) = alone {
        best.formulas = vec![formula];
    }
    if !is_same(&best) {
        return subject;
    }
    loop {
        let before = best.clone();
        let formulas = best.formulas.clone();
        best.program = shrink(best.program, &mut |program| {
            is_same(&Subject {
                program: program.clone(),
                formulas: formulas.clone(),
            })
        });
        best = with_smaller_formula(best, &is_same);
        if best == before {
            return best;
        }
    }
}

fn with_smaller_formula(mut best: Subject, is_same: &dyn Fn(&Subject) -> bool) -> Subject {
    loop {
        let formulas = best.formulas.first().map(Formula::simpler);
        let candidates = formulas.into_iter().flatten().map(|formula| Subject {
            program: best.program.clone(),
            formulas: vec![formula],
        });
        match candidates.into_iter().find(|candidate| is_same(candidate)) {
            Some(smaller) => best = smaller,
            None => return best,
        }
    }
}
