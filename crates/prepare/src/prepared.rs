//! A model that is ready to be searched.

use crate::asymmetry::Asymmetry;
use crate::compiled::CompiledModel;
use crate::effort::{Accused, Broken, Effort, PropertyCost};
use crate::group::GroupAccount;
use mandala_groups::BigUint;
use mandala_model::Model;
use mandala_model::origins::Origins;
use mandala_model::source::Span;
use mandala_model::step::StepLabel;
use mandala_symmetry::{Breach, Certificate, Statements};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A model that is ready to be searched: the user's, what is searched in its place, how an edge of the one is an edge of the other, and
/// what can be exchanged without a check noticing.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The model of the user.
    pub user: Arc<Model>,
    /// What the certificate is about. Nobody can observe that it is not the model of the user.
    pub certified: Arc<CompiledModel>,
    /// What is searched: that, or the same with states that are passed through.
    pub searched: Arc<CompiledModel>,
    /// How the one was made from the other.
    pub rewrites: Rewrites,
    /// The proof that something can be exchanged; none if nothing is gained by it, or nothing was looked for.
    pub certificate: Option<Certificate>,
    /// How it was proven.
    pub proof: ProofKind,
    /// What that does to statements, if runs have to be fair to these.
    pub statements: Option<Arc<Statements>>,
    /// What people are told of it.
    pub account: Account,
}

/// How a certificate was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofKind {
    /// By derivation over the types of the user's model.
    ByTypes,
    /// By derivation over the types of what is certified, or by its symbolic execution.
    OfCertified,
}

/// How the model that is searched was made from that of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrites {
    /// Whether monitors were removed.
    pub unmonitored: bool,
    /// Whether processes that have ended stay.
    pub ended_stay: bool,
    /// Variables that are reset to another value than the model says, as nobody reads it.
    pub unread: BTreeSet<String>,
    /// How many locations that are alike but for a number became one with others.
    pub gathered: usize,
    /// Variables that were replaced by numbers.
    pub constants: BTreeSet<String>,
    /// How many statements turned out to be out of reach.
    pub idle_edges: usize,
    /// Variables that get a fixed value where nobody will read them any more.
    pub dead: BTreeSet<String>,
    /// How many locations are passed through, if steps were merged.
    pub merged: Option<usize>,
    /// The edge of the user's model that each edge of the searched one stands for.
    pub origins: Origins,
}

impl Rewrites {
    /// None of the model.
    pub fn none(model: &Model) -> Self {
        Rewrites {
            unmonitored: false,
            ended_stay: false,
            unread: BTreeSet::new(),
            gathered: 0,
            constants: BTreeSet::new(),
            idle_edges: 0,
            dead: BTreeSet::new(),
            merged: None,
            origins: Origins::own(model),
        }
    }
}

/// What people are told of the symmetry of a model.
#[derive(Clone, Debug)]
pub struct Account {
    /// The group.
    pub group: GroupAccount,
    /// What might have been interchangeable, and what is in the way.
    pub refused: Vec<Broken>,
    /// How much more there would be if nothing were checked.
    pub property_cost: Option<PropertyCost>,
    /// How far the model is from being symmetric, if few statements break it and somebody wants to know.
    pub asymmetry: Option<Asymmetry>,
    /// Why there is no symmetry, if there is none.
    pub note: Option<String>,
    /// What it took, if something was looked for.
    pub effort: Option<Effort>,
}

impl Account {
    /// Nothing was looked for.
    pub fn none() -> Self {
        Account {
            group: GroupAccount::trivial(),
            refused: Vec::new(),
            property_cost: None,
            asymmetry: None,
            note: None,
            effort: None,
        }
    }
}

impl Account {
    /// Types do not decide, and what is written out is too large to be looked at.
    pub fn undecided(message: String, span: Span) -> Self {
        Account {
            refused: vec![Broken {
                what: "what is declared".into(),
                accused: Accused::Nothing,
                breach: Breach {
                    span: Some(span),
                    message,
                    related: Vec::new(),
                    undecided: true,
                },
                pair: None,
            }],
            note: Some("types do not prove it, and there are too many instances to look at".into()),
            ..Account::none()
        }
    }
}

impl Prepared {
    /// How many elements the group has that was found.
    pub(crate) fn order(&self) -> BigUint {
        let order = self.account.group.order.parse();
        order.unwrap_or_else(|_| BigUint::from(1u8))
    }

    /// Whether symmetry was looked for and there is none, not even if nothing is checked.
    pub(crate) fn is_asymmetric(&self) -> bool {
        let was_sought = self.account.effort.is_some();
        was_sought && self.certificate.is_none() && self.account.property_cost.is_none()
    }

    /// How many it has if nothing is checked.
    pub(crate) fn order_alone(&self) -> BigUint {
        let cost = self.account.property_cost.as_ref();
        cost.map_or_else(|| self.order(), |cost| cost.order.clone())
    }

    /// A model as it is: nothing was rewritten or looked for.
    pub fn plain(model: &Arc<Model>) -> Self {
        let compiled = Arc::new(CompiledModel::new(Arc::clone(model)));
        Prepared {
            user: Arc::clone(model),
            certified: Arc::clone(&compiled),
            searched: compiled,
            rewrites: Rewrites::none(model),
            certificate: None,
            proof: ProofKind::OfCertified,
            statements: None,
            account: Account::none(),
        }
    }

    /// The same with another model in the place of the one that is certified and searched.
    #[must_use]
    pub(crate) fn on(&self, rewritten: Arc<CompiledModel>) -> Self {
        Prepared {
            certified: Arc::clone(&rewritten),
            searched: rewritten,
            ..self.clone()
        }
    }

    /// Whether what is searched is another model than that of the user.
    pub fn is_rewritten(&self) -> bool {
        !Arc::ptr_eq(self.searched.model(), &self.user)
    }

    /// The step of the user's model that a step of the searched one is, if it is one.
    pub fn step_of_user(&self, label: &StepLabel) -> Option<StepLabel> {
        self.rewrites.origins.of_step(label)
    }

    /// The steps of the user's model on a run of the searched one.
    pub fn steps_of_user(&self, labels: &[StepLabel]) -> Vec<StepLabel> {
        let labels = labels.iter();
        labels
            .filter_map(|label| self.step_of_user(label))
            .collect()
    }
}
