//! The symmetry that is found in a model, or in a restated one that differs in nothing observable.

use crate::compiled::CompiledModel;
use crate::restate::{Restatement, restate};
use crate::startup::census;
use mandala_groups::BigUint;
use mandala_model::Model;
use mandala_model::step::{Observers, Ways};
use mandala_proof::{check, derivation};
use mandala_reduce::SymmetryGroup;
use mandala_simplify::{Endings, Observed, RewriteDefect, Runs, ends_among_others, keep_ended};
use mandala_symmetry::{
    Breach, Certificate, Derivation, Followed, Parts, ProofBudget, Statements, Symmetry, derive,
    derive_processes, detect, follow, has_unordered, unordered,
};
use std::cmp::Ordering;
use std::sync::Arc;

/// To whom runs have to be fair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Whom {
    /// To every process: one that is enabled from some point on makes a step.
    #[default]
    Processes,
    /// To every statement of every process. A renaming may exchange statements: with symmetry, it has to be known how
    /// ([`crate::Prepared::statements`]).
    Actions,
}

impl Whom {
    /// What tells ways through atomic sequences apart if it matters to whom runs are fair.
    pub fn ways(self) -> Ways {
        match self {
            Whom::Processes => Ways::ByProcess,
            Whom::Actions => Ways::ByEdge,
        }
    }
}

/// What is asked about, which decides what a symmetry must be known to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aim {
    /// What runs along with the system.
    pub observers: Observers,
    /// To whom runs have to be fair, if they have to.
    pub whom: Whom,
    /// Whether they have to be.
    pub runs: Runs,
}

impl Aim {
    /// States, or runs that need not be fair to statements.
    pub fn plain(observers: Observers) -> Self {
        Aim {
            observers,
            whom: Whom::Processes,
            runs: Runs::All,
        }
    }
}

/// Of all models that were looked at in the place of one, that in which least tells anybody apart.
pub struct Freest {
    /// That model.
    pub model: Arc<CompiledModel>,
    /// Whether processes that have ended stay in it.
    ended_stay: bool,
}

impl Freest {
    /// No other model than that was looked at.
    fn only(model: &Arc<CompiledModel>) -> Self {
        Freest {
            model: Arc::clone(model),
            ended_stay: false,
        }
    }
}

/// The symmetry of a model.
pub struct Found {
    /// The model, or what is to be searched in its place.
    pub model: Arc<CompiledModel>,
    /// Whether processes that have ended stay in it, which they do not in the model that was asked about.
    pub ended_stay: bool,
    /// How it differs from the model that was asked about otherwise.
    pub restatement: Option<Restatement>,
    /// What else was looked at.
    pub freest: Freest,
    /// What is proven, and what is not.
    pub symmetry: Symmetry,
    /// What is left of it by what is linked for ever, if anything is proven.
    pub group: Option<SymmetryGroup>,
    /// What it does to statements, if runs have to be fair to these.
    pub statements: Option<Arc<Statements>>,
    /// What was given up because it cannot be said what it does to statements, and why.
    pub lost: Vec<Breach>,
    /// Why processes that have ended must leave, if that may be why they are not interchangeable.
    pub leaving: Option<Observed>,
    /// How many parts of the model types decide, if they were asked.
    pub parts: Option<Parts>,
    /// Whether it was proven by types.
    pub by_types: bool,
    /// Whether types leave nothing to be found by execution.
    pub is_complete: bool,
    /// Whether types prove it of fewer names than were tried first.
    is_reduced: bool,
}

impl Found {
    /// The symmetry of declared sets that follows from the types of the user's model of rules. It is complete if it is all that the model declares, and what has no order by the language is always there. Models of
    /// processes have families besides ([`Found::on`]).
    ///
    /// What is certified of the user's model holds of `certified` as well, which has the same states and steps.
    pub fn by_types(user: &Model, certified: &Arc<CompiledModel>, aim: Aim) -> Option<Self> {
        if !user.language.is_of_rules() {
            return None;
        }
        let derived = checked(user, aim, derive(user, aim.observers));
        let is_complete = derived.certificate.is_some() && derived.refused.is_empty();
        let certificate = match derived.certificate {
            // The bodies of functions have brought their variables along.
            Some(certificate) => certificate.with_temporaries_of(certified)?,
            None => unordered(certified)?,
        };
        if aim.whom == Whom::Actions {
            certificate.choices()?;
        }
        let derived = Derivation {
            certificate: Some(certificate),
            is_complete,
            ..derived
        };
        Some(Found::derived(certified, aim, derived))
    }

    /// The symmetry of processes and names that follows from the types of exactly that model, and whether there is hardly more.
    fn of_processes(model: &Arc<CompiledModel>, aim: Aim) -> Option<Self> {
        let is_meant = !model.language.is_of_rules() && aim.whom == Whom::Processes;
        let derived = is_meant.then(|| derive_processes(model, aim.observers, &census(model)));
        derived.map(|derived| Found::derived(model, aim, checked(model, aim, derived)))
    }

    fn derived(model: &Arc<CompiledModel>, aim: Aim, derived: Derivation) -> Self {
        let program = model.program(aim.observers).ok();
        let group = derived.certificate.as_ref().zip(program);
        let group = group.map(|(c, program)| mandala_reduce::group(model, c, &program));
        Found {
            symmetry: Symmetry {
                certificate: derived.certificate,
                candidate: derived.candidate,
                ..Symmetry::default()
            },
            group,
            freest: Freest::only(model),
            model: Arc::clone(model),
            ended_stay: false,
            restatement: None,
            statements: None,
            lost: Vec::new(),
            leaving: None,
            parts: Some(derived.parts),
            by_types: true,
            is_complete: derived.is_complete,
            is_reduced: derived.is_reduced,
        }
    }

    /// The symmetry of a model; or if that has more, of the one in which nobody leaves, or of that in other words.
    pub fn best(
        model: &Arc<CompiledModel>,
        aim: Aim,
        budget: &ProofBudget,
    ) -> Result<Self, RewriteDefect> {
        let found = Found::on(Arc::clone(model), aim, budget);
        found
            .or_where_nobody_leaves(aim, budget)?
            .or_in_other_words(aim, budget)
    }

    /// Whether nothing more can be wished for.
    fn is_enough(&self) -> bool {
        self.is_all() && !self.is_reduced()
    }

    /// Whether everything that was tried is interchangeable, at least in some way.
    fn is_all(&self) -> bool {
        match self.by_types {
            true => self.is_complete,
            false => self.symmetry.domains.refused.is_empty(),
        }
    }

    /// Whether some that look alike are not interchangeable, not even in turns.
    fn tells_apart(&self) -> bool {
        let none = self.symmetry.certificate.is_none();
        none || self.is_reduced() || !self.symmetry.differences.is_empty()
    }

    /// Whether of some names fewer are interchangeable than were tried first.
    fn is_reduced(&self) -> bool {
        self.is_reduced || self.symmetry.domains.is_reduced
    }

    /// The same, or the symmetry of the model in which nobody leaves.
    fn or_where_nobody_leaves(self, aim: Aim, budget: &ProofBudget) -> Result<Self, RewriteDefect> {
        if self.is_all() || !ends_among_others(&self.model, &census(&self.model)) {
            return Ok(self);
        }
        Ok(match keep_ended(&self.model, aim.observers, aim.runs)? {
            Endings::Kept(staying) => {
                let staying = Arc::new(CompiledModel::new(Arc::new(*staying)));
                let freest = Freest {
                    model: Arc::clone(&staying),
                    ended_stay: true,
                };
                self.or(Found {
                    ended_stay: true,
                    freest,
                    ..Found::on(staying, aim, budget)
                })
            }
            Endings::Never => self,
            Endings::Observed(observed) => Found {
                leaving: Some(observed),
                ..self
            },
        })
    }

    /// The same, or the symmetry of the freest model in other words.
    fn or_in_other_words(self, aim: Aim, budget: &ProofBudget) -> Result<Self, RewriteDefect> {
        if self.is_enough() || !self.tells_apart() {
            return Ok(self);
        }
        let Some(restated) = restate(&self.freest.model, aim)? else {
            return Ok(self);
        };
        let ended_stay = self.freest.ended_stay;
        let freest = Freest {
            model: Arc::clone(&restated.model),
            ended_stay,
        };
        Ok(self.or(Found {
            ended_stay,
            restatement: Some(restated.how),
            freest,
            ..Found::on(restated.model, aim, budget)
        }))
    }

    /// The symmetry of exactly that model: what follows from types, if that is all there is to find, or else the larger one of that and of what is found by
    /// execution.
    pub fn on(model: Arc<CompiledModel>, aim: Aim, budget: &ProofBudget) -> Self {
        let Some(by_types) = Found::of_processes(&model, aim) else {
            return Found::by_execution(model, aim, budget);
        };
        if by_types.is_complete {
            return by_types;
        }
        let executed = Found {
            parts: by_types.parts,
            ..Found::by_execution(model, aim, budget)
        };
        match by_types.order().cmp(&executed.order()) {
            // Of what types say it is known what the parameters of moves mean, so that moves of twins need not all be made.
            Ordering::Equal if by_types.begins_like(&executed) => Found {
                symmetry: Symmetry {
                    certificate: by_types.symmetry.certificate,
                    ..executed.symmetry
                },
                group: by_types.group,
                ..executed
            },
            // What is in the way of more was found by execution.
            Ordering::Greater => Found {
                symmetry: Symmetry {
                    domains: executed.symmetry.domains,
                    differences: executed.symmetry.differences,
                    graph: executed.symmetry.graph,
                    ..by_types.symmetry
                },
                ..by_types
            },
            Ordering::Equal | Ordering::Less => executed,
        }
    }

    /// The symmetry of exactly that model, of which it is enough to prove what is certified of another one.
    pub fn as_much_as(
        certified: &Certificate,
        model: Arc<CompiledModel>,
        aim: Aim,
        budget: &ProofBudget,
    ) -> Self {
        let by_types = Found::of_processes(&model, aim);
        let is_all = |found: &Found| {
            let own = found.symmetry.certificate.as_ref();
            own.is_some_and(|own| begin_alike(own, certified))
        };
        match by_types.filter(is_all) {
            Some(by_types) => by_types,
            None => Found::on(model, aim, budget),
        }
    }

    /// Whether the same is interchangeable, from the same states on.
    fn begins_like(&self, other: &Found) -> bool {
        let own = self.symmetry.certificate.as_ref();
        let both = own.zip(other.symmetry.certificate.as_ref());
        both.is_some_and(|(own, other)| begin_alike(own, other))
    }

    /// The symmetry of exactly that model that is found by execution.
    fn by_execution(model: Arc<CompiledModel>, aim: Aim, budget: &ProofBudget) -> Self {
        let observers = aim.observers;
        let mut symmetry = detect(&model, observers, &census(&model), budget);
        let (mut statements, lost) = match aim.whom {
            Whom::Processes => (None, Vec::new()),
            Whom::Actions => followed(&model, observers, &mut symmetry, budget),
        };
        let has_all = |c: &Certificate| has_unordered(&model, c);
        if !symmetry.certificate.as_ref().is_some_and(has_all) {
            // What has no order is never told apart, even if all else has to be; and nobody knows what that does to statements.
            if let Some(certificate) = unordered(&model) {
                symmetry.certificate = Some(certificate);
                statements = None;
            }
        }
        // If the model cannot be compiled, the search will say why.
        let program = model.program(observers).ok();
        let group = symmetry.certificate.as_ref().zip(program);
        let group = group.map(|(c, program)| mandala_reduce::group(&model, c, &program));
        Found {
            symmetry,
            group,
            freest: Freest::only(&model),
            model,
            ended_stay: false,
            restatement: None,
            statements,
            lost,
            leaving: None,
            parts: None,
            by_types: false,
            is_complete: false,
            is_reduced: false,
        }
    }

    /// The one with the larger group, in doubt this one; the other one is about a freer model.
    fn or(self, other: Found) -> Found {
        match other.order() > self.order() {
            true => Found {
                leaving: self.leaving,
                ..other
            },
            false => Found {
                freest: other.freest,
                ..self
            },
        }
    }

    /// How many elements the group has.
    pub fn order(&self) -> BigUint {
        let order = self.group.as_ref().map(|group| group.order.clone());
        order.unwrap_or_else(|| BigUint::from(1u8))
    }

    /// What is proven, with its group.
    pub fn proven(&self) -> Option<(&Certificate, &SymmetryGroup)> {
        self.symmetry.certificate.as_ref().zip(self.group.as_ref())
    }
}

/// Whether two certificates are about the same, from the same states on.
fn begin_alike(one: &Certificate, other: &Certificate) -> bool {
    one.domains() == other.domains()
}

/// What is derived from types counts if the checker accepts the derivation, which shares no code with who made it. Otherwise nothing is known, and what the model does is
/// looked at. A derivation about a model with routines in the place of atomic sequences is checked of that one: that it has the same symmetry is trusted, as it is of rewrites.
fn checked(model: &Model, aim: Aim, derived: Derivation) -> Derivation {
    let Some(certificate) = &derived.certificate else {
        return derived;
    };
    let model = derived.condensed.as_deref().unwrap_or(model);
    let proof = derivation(model, certificate, &derived.annotations);
    match check(model, aim.observers, &proof) {
        Ok(_) => derived,
        Err(_) => Derivation {
            certificate: None,
            is_complete: false,
            ..derived
        },
    }
}

/// Leaves of a symmetry what it is known to do to statements: that, and why the rest is given up.
fn followed(
    model: &Model,
    observers: Observers,
    symmetry: &mut Symmetry,
    budget: &ProofBudget,
) -> (Option<Arc<Statements>>, Vec<Breach>) {
    let Some(certificate) = symmetry.certificate.take() else {
        return (None, Vec::new());
    };
    let Followed {
        certificate,
        statements,
        lost,
    } = follow(model, observers, &symmetry.candidate, &certificate, budget);
    symmetry.certificate = certificate;
    (Some(Arc::new(statements)), lost)
}
