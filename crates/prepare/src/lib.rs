//! From the model of the user to what is searched.
//!
//! ```text
//! Model --bodies or instances--> --without monitors--> --detect, certify--> --constants, dead variables, certify again--> --merge--> Prepared
//! ```
//!
//! Rules, quantifiers and loops stay what they are where nobody asks for more, and only the bodies of functions are put in the place of calls ([`Form`]). What
//! types do not decide is proven of the instances, and then these are searched.
//!
//! What comes out is data ([`Prepared`]): the model of the user, how it was rewritten and which edge of it each edge of the searched model
//! stands for, the searched model, and the certificate of what can be exchanged in it. Engines search it, whoever lifts evidence and counts
//! statements goes back by it, and people are told what is in its [`Account`].
//!
//! | file | what it has |
//! |---|---|
//! | `prepared`, `compiled` | what comes out |
//! | `found` | what can be exchanged in one model, and in the one in which nobody leaves |
//! | `detect` | that, and what is in the way of more |
//! | `group`, `points` | a group in the words of the model |
//! | `asymmetry` | how far a model is from being symmetric that is not, statement by statement |
//! | `effort`, `property_cost` | the effort of a search for symmetry, and the symmetry that properties take away |
//! | `pairs`, `state_pair` | two states that show that something is not interchangeable |
//! | `restate` | models that say the same in another way |
//! | `startup` | which processes there are once a model has started |
//! | `several` | what renamings do to the instances of a property |
//! | `statics` | rewrites that make a model smaller |
//!
//! # Invariants
//!
//! - A rewrite that the verifier refuses is a defect that is reported, never "nothing to reduce".
//! - A search may use only what [`mandala_symmetry`] has certified of the very model that is searched, or of the one in which nothing but
//!   the merging of steps is undone. Everything else here is for people.
//! - The searched model is compiled once for each set of observers ([`CompiledModel`]).
//! - Nothing here knows options, reports or engines.

#![allow(unreachable_pub, reason = "visibility is not restricted here yet")]

mod asymmetry;
mod compiled;
mod detect;
mod effort;
mod found;
mod group;
mod pairs;
mod points;
mod prepared;
mod property_cost;
mod prove;
mod restate;
mod several;
mod startup;
mod state_pair;
mod statics;

pub use asymmetry::{Asymmetry, asymmetry, asymmetry_of, statements};
pub use compiled::CompiledModel;
pub use detect::{ByTypes, RefusedDeclaration, SymmetryError, detect, detect_by_types};
pub use effort::{Accused, Broken, Effort, PropertyCost};
pub use found::{Aim, Whom};
pub use group::{DomainAccount, GroupAccount, MemberKind, SettledAccount};
pub use mandala_simplify::{RewriteDefect, Runs};
pub use points::Points;
pub use prepared::{Account, Prepared, ProofKind, Rewrites};
pub use prove::{Proved, Proven, proof_of};
pub use several::InstanceAction;
pub use startup::started;
pub use state_pair::{Event, StatePair, Which};
pub use statics::StaticReductions;

use asymmetry::suggested;
use mandala_model::Model;
use mandala_model::instantiate::{InstantiateError, instantiate, without_calls};
use mandala_model::origins::Origins;
use mandala_model::step::Observers;
use mandala_simplify::{Endings, keep_ended, without_monitors};
use mandala_symmetry::{ProofBudget, Statements, unordered};
use std::sync::Arc;

/// What is wanted of a model that is to be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// What is asked about it.
    pub aim: Aim,
    /// Whether symmetry is looked for.
    pub detection: Detection,
    /// Which rewrites are made.
    pub statics: StaticReductions,
    /// Whether rules may stay rules.
    pub form: Form,
    /// Whether it is to be found out how far a model is from being symmetric that is not.
    pub asymmetry: bool,
}

/// How much of a model is written out before it is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Bodies of functions are in the place of calls. Edges and monitors keep their parameters, and expressions their quantifiers.
    Rules,
    /// There is an edge or a monitor for each choice of parameters, and a condition for each value of a quantifier: for the certifier by execution, which
    /// compares what single steps do, for fairness to more statements than can be told apart, and for engines that do not carry out rules.
    Instances,
}

/// Whether symmetry is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detection {
    /// It is not. What has no order by the language has none all the same.
    Off,
    /// It is not, but single statements will be asked for theirs. Processes that have ended stay where nobody can observe it, and dead variables are
    /// not reset, as it is not known which of them hold names.
    OfStatements,
    /// It is.
    On,
}

/// Makes a model ready to be searched. Each search for symmetry on the way has a budget of its own. `system` is the same model, made ready with nobody watching
/// ([`Aim::plain`]), if that has been done before: what it does not have, it does not have with somebody watching either.
///
/// # Errors
///
/// If the model declares a symmetry that it does not have, or a rewrite is wrong.
pub fn prepare(
    model: &Arc<Model>,
    wanted: Wanted,
    system: Option<&Prepared>,
    budget: impl Fn() -> ProofBudget,
) -> Result<Prepared, SymmetryError> {
    // While somebody watches there are no monitors, which may have told something apart.
    let system = system.filter(|_| model.monitors.is_empty() && !model.language.is_of_rules());
    let wanted = Wanted {
        aim: Aim {
            observers: model.proven(wanted.aim.observers),
            ..wanted.aim
        },
        ..wanted
    };
    let form = match wanted.aim.whom {
        // Of many actions most can never be taken, and of these there are no instances.
        Whom::Actions if actions(model) > MOST_ACTIONS => Form::Instances,
        Whom::Actions | Whom::Processes => wanted.form,
    };
    let subject = seen_by(in_form(model, form)?, wanted.aim.observers)?;
    let detected = match wanted.detection {
        Detection::Off => Prepared {
            certificate: unordered(&subject.certified),
            ..subject
        },
        Detection::OfStatements => staying(subject, wanted.aim)?,
        Detection::On if system.is_some_and(Prepared::is_asymmetric) => Prepared {
            account: system.map_or_else(Account::none, |system| system.account.clone()),
            ..subject
        },
        Detection::On => match detect_by_types(&subject, wanted.aim, &budget()) {
            Some(found) if found.is_all => found.prepared,
            some => {
                let some = some.map(|found| found.prepared);
                let rules = (form == Form::Rules).then(|| some.unwrap_or(subject));
                by_execution(model, rules, (wanted.aim, system), &budget())?
            }
        },
    };
    let statics = StaticReductions {
        dead: wanted.statics.dead && wanted.detection != Detection::OfStatements,
        ..wanted.statics
    };
    let mut prepared = statics::reduce(detected, wanted.aim, statics, &budget)?;
    if wanted.aim.whom == Whom::Actions && prepared.proof == ProofKind::ByTypes {
        prepared.statements = derived_statements(&prepared);
    }
    // What is proven of statements is proven of the system.
    if wanted.asymmetry && wanted.aim == Aim::plain(Observers::default()) {
        prepared.account.asymmetry = suggested(&prepared, &budget());
    }
    debug_assert!(
        has_all_origins(&prepared),
        "every edge has an origin or is known to have none"
    );
    Ok(prepared)
}

/// The model in which processes that have ended stay, if there is one.
fn staying(subject: Prepared, aim: Aim) -> Result<Prepared, SymmetryError> {
    Ok(
        match keep_ended(&subject.certified, aim.observers, aim.runs)? {
            Endings::Kept(model) => {
                let mut staying = subject.on(Arc::new(CompiledModel::new(Arc::new(*model))));
                staying.rewrites.ended_stay = true;
                staying
            }
            Endings::Never | Endings::Observed(_) => subject,
        },
    )
}

/// The symmetry that is found by execution of the instances of a model of which types do not prove all that is declared. If that is no more than what is known of its rules, these are searched:
/// then nothing depends on the instances.
fn by_execution(
    model: &Arc<Model>,
    rules: Option<Prepared>,
    (aim, system): (Aim, Option<&Prepared>),
    budget: &ProofBudget,
) -> Result<Prepared, SymmetryError> {
    let account_of = |rules: &Prepared, told: Account| Account {
        group: rules.account.group.clone(),
        ..told
    };
    match (in_form(model, Form::Instances), rules) {
        (Ok(instances), rules) => {
            let subject = seen_by(instances, aim.observers)?;
            let detected = detect(&subject, aim, system, budget)?;
            let is_enough = |rules: &Prepared| detected.order() <= rules.order();
            Ok(match rules.filter(is_enough) {
                Some(rules) => Prepared {
                    account: account_of(&rules, detected.account),
                    ..rules
                },
                None => detected,
            })
        }
        // Who asks for rules can do without their instances, but for a proof of more symmetry.
        (Err(SymmetryError::TooLarge { message, span }), Some(rules)) => Ok(Prepared {
            certificate: rules
                .certificate
                .clone()
                .or_else(|| unordered(&rules.certified)),
            account: account_of(&rules, Account::undecided(message, span)),
            ..rules
        }),
        (Err(error), _) => Err(error),
    }
}

/// As many actions as a graph of states can tell apart.
const MOST_ACTIONS: u64 = u16::MAX as u64;

/// How many actions the processes have that there are at the start.
fn actions(model: &Model) -> u64 {
    let started = model.start.iter();
    let edges = started.flat_map(|process| &model.template(process.template).edges);
    let choices = edges.map(|edge| u64::from(edge.choices()));
    choices.fold(0, u64::saturating_add)
}

/// What a symmetry that was derived from types does to the statements of what is searched, whose edges keep their parameters.
fn derived_statements(prepared: &Prepared) -> Option<Arc<Statements>> {
    let certificate = prepared.certificate.as_ref()?;
    let origin = |edge| prepared.rewrites.origins.of(edge).map(|origin| origin.edge);
    let statements = Statements::derived(&prepared.searched, certificate, origin);
    statements.map(Arc::new)
}

fn has_all_origins(prepared: &Prepared) -> bool {
    let edges = prepared.searched.runnables().map(|(_, t)| t.edges.len());
    prepared.rewrites.origins.sizes().eq(edges)
}

/// A model as it is, but for what is written out.
///
/// # Errors
///
/// If it becomes too large.
pub fn in_form(model: &Arc<Model>, form: Form) -> Result<Prepared, SymmetryError> {
    let plain = Prepared::plain(model);
    let written = match form {
        Form::Rules => match without_calls(model) {
            // What is chosen may rule out most of the calls.
            Err(InstantiateError::TooLarge { .. }) => instantiate(model)?,
            written => written?,
        },
        Form::Instances => instantiate(model)?,
    };
    let Some(instances) = written else {
        return Ok(plain);
    };
    let mut written = plain.on(Arc::new(CompiledModel::new(Arc::new(instances.model))));
    written.rewrites.origins = instances.origins;
    Ok(written)
}

/// The model for a check with those observers. What is claimed of whole runs is not a matter of monitors.
fn seen_by(plain: Prepared, observers: Observers) -> Result<Prepared, SymmetryError> {
    let is_of_runs = observers.claim.is_some() || observers.asked.is_some();
    let bare = match is_of_runs {
        true => without_monitors(&plain.certified)?,
        false => None,
    };
    let Some(bare) = bare else {
        return Ok(plain);
    };
    let kept = Origins::without_monitors(&plain.certified);
    let mut seen = plain.on(Arc::new(CompiledModel::new(Arc::new(bare))));
    seen.rewrites.origins = seen.rewrites.origins.followed_by(&kept);
    seen.rewrites.unmonitored = true;
    Ok(seen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_model::claim::Claim;
    use mandala_model::ids::{EdgeId, PropertyId};
    use mandala_model::verify::verify;
    use mandala_model::{SourceText, Sources};
    use mandala_promela::{ParseOptions, load};
    use std::num::NonZeroU32;

    fn verified(text: &str) -> Arc<Model> {
        let mut sources = Sources::default();
        let file = sources.add(SourceText::new("m.pml", text.to_string()));
        let (model, diagnostics) = load(&mut sources, file, &ParseOptions::default());
        let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
        Arc::new(verify(model).expect("a right model"))
    }

    fn prepared(text: &str, statics: StaticReductions) -> Prepared {
        let model = verified(text);
        let wanted = Wanted {
            aim: Aim::plain(Observers::default()),
            detection: Detection::On,
            statics,
            form: Form::Rules,
            asymmetry: false,
        };
        prepare(&model, wanted, None, ProofBudget::unlimited).expect("nothing is declared")
    }

    /// Types do not follow a number that is computed from that of a process.
    const COMPUTED: &str = "byte turn[2];
        active [2] proctype P() { do :: turn[1 - _pid] = 1 :: turn[_pid] = 0 od }";

    #[test]
    fn a_budget_that_ends_is_told_with_its_part() {
        let model = verified(COMPUTED);
        let wanted = Wanted {
            aim: Aim::plain(Observers::default()),
            detection: Detection::On,
            statics: StaticReductions::NONE,
            form: Form::Rules,
            asymmetry: false,
        };
        let one = || ProofBudget::of_steps(1);
        let prepared = prepare(&model, wanted, None, one).expect("nothing is declared");
        assert!(prepared.certificate.is_none());
        let effort = prepared.account.effort.expect("symmetry was looked for");
        let part = effort.ended_at.expect("one step is not enough");
        assert!(part.span.is_some());
        let refused = &prepared.account.refused;
        assert!(!refused.is_empty() && refused.iter().all(|r| r.breach.undecided));
        assert!(refused[0].breach.message.contains(&part.what));

        let much = NonZeroU32::new(1_000_000).expect("not zero");
        let more = || ProofBudget::of_steps(1).with_effort(much);
        let prepared = prepare(&model, wanted, None, more).expect("nothing is declared");
        assert!(prepared.certificate.is_some());
        let effort = prepared.account.effort.expect("symmetry was looked for");
        assert_eq!((effort.ended_at, effort.factor), (None, 1_000_000));
    }

    fn wanted(observers: Observers) -> Wanted {
        Wanted {
            aim: Aim::plain(observers),
            detection: Detection::On,
            statics: StaticReductions::NONE,
            form: Form::Rules,
            asymmetry: true,
        }
    }

    fn of_claim(property: u32) -> Observers {
        Observers {
            claim: Some(Claim::Automaton(PropertyId(property))),
            ..Observers::default()
        }
    }

    #[test]
    fn what_the_system_does_not_have_is_not_looked_for_again() {
        let model = verified(
            "byte x; active [2] proctype P() { do :: _pid < 1 && x < 5 -> x++ :: x > 0 -> x-- od } ltl p { [] (x < 9) }",
        );
        let plain = wanted(Observers::default());
        let system = prepare(&model, plain, None, ProofBudget::unlimited).expect("no declaration");
        assert!(system.certificate.is_none() && !system.account.refused.is_empty());
        let nothing = || -> ProofBudget { panic!("nothing is left to be found") };
        let with_claim = wanted(of_claim(0));
        let watched = prepare(&model, with_claim, Some(&system), nothing).expect("the same");
        assert!(watched.certificate.is_none());
        assert_eq!(watched.account.refused, system.account.refused);
    }

    /// What an assertion takes away counts as had, and what a property takes away is told from what the system has.
    #[test]
    fn what_a_property_costs_is_told_by_what_the_system_has() {
        let text = "byte x[2]; active [2] proctype P() { do :: x[_pid] = 1 - x[_pid] od }
            ltl p { [] (x[0] < 2) } ltl q { [] (x[0] + x[1] < 3) }";
        let model = verified(text);
        let all = || ProofBudget::unlimited();
        let system = prepare(&model, wanted(Observers::default()), None, all).expect("plain");
        assert!(system.certificate.is_some());
        let cost = |property: u32, system: Option<&Prepared>| {
            let prepared = prepare(&model, wanted(of_claim(property)), system, all);
            prepared.expect("nothing is declared").account.property_cost
        };
        for property in [0, 1] {
            assert_eq!(cost(property, Some(&system)), cost(property, None));
        }
        let of_one = cost(0, Some(&system)).expect("it names a process");
        assert!(of_one.observers && of_one.assertions.is_empty());
    }

    /// Behind a receive `x` is forgotten, in a step that nobody has written.
    const FORGETFUL: &str = "chan c = [2] of { byte };
        active [2] proctype P() { byte x; do :: c!1; c?x od }";

    #[test]
    fn every_edge_of_what_is_searched_has_an_origin_or_was_added() {
        let prepared = prepared(FORGETFUL, StaticReductions::ALL);
        assert!(prepared.is_rewritten() && prepared.certificate.is_some());
        let mut added = 0;
        for (template, of) in prepared.searched.runnables() {
            for (index, edge) in (0..).zip(&of.edges) {
                match prepared.rewrites.origins.of(EdgeId { template, index }) {
                    Some(origin) => {
                        let user = prepared.user.template(origin.edge.template);
                        assert_eq!(user.edges[origin.edge.index as usize].text, edge.text);
                    }
                    None => added += 1,
                }
            }
        }
        assert_eq!(added, 1, "one step that forgets");
    }

    #[test]
    fn the_steps_of_automata_stand_for_themselves() {
        let text = format!("{FORGETFUL} ltl f {{ []<> (len(c) == 0) }}");
        let prepared = prepared(&text, StaticReductions::ALL);
        let declared = prepared.user.templates.len();
        let automata = prepared.user.runnables().skip(declared);
        let edges = automata.flat_map(|(template, of)| {
            let indices = 0..of.edges.len() as u32;
            indices.map(move |index| EdgeId { template, index })
        });
        let edges: Vec<EdgeId> = edges.collect();
        assert!(!edges.is_empty());
        for edge in edges {
            assert_eq!(prepared.rewrites.origins.of(edge), Some(edge.into()));
        }
    }

    #[test]
    fn a_model_that_nobody_rewrites_is_that_of_the_user() {
        let prepared = prepared(FORGETFUL, StaticReductions::NONE);
        assert!(!prepared.is_rewritten());
        let user: &Model = &prepared.user;
        assert!(std::ptr::eq(&**prepared.searched, user));
        assert_eq!(prepared.searched.compilations(), 1, "for its group");
    }
}
