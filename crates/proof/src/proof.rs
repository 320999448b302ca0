//! The parts of a proof: what is claimed, and what a prover had to search for, so that the checker need not.

use mandala_model::expr::Root;
use mandala_model::ids::{GlobalId, LocationId, NodeId, TemplateId};
use mandala_model::state::Value;
pub use mandala_symmetry::derive::Body;
use mandala_symmetry::sorts::{Classes, Shape, Sort, Sorts};
use mandala_symmetry::{Certificate, Domain, DomainKind, Permutation, Renaming};
use std::collections::{BTreeMap, BTreeSet};

/// A proof that renamings preserve what a model does.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// What may be permuted: families of processes first, then names.
    pub domains: Vec<Domain>,
    /// For each domain, whether all its permutations are claimed.
    pub full: Vec<bool>,
    /// The renamings that are claimed besides.
    pub renamings: Vec<Renaming>,
    /// The types of the cells of states.
    pub sorts: Sorts,
    /// For some classes of cells, all values that they ever have.
    pub values: Classes<Option<BTreeSet<Value>>>,
    /// The types of global variables that are no part of the state, where functions share them.
    pub scratch: BTreeMap<GlobalId, Shape<Sort>>,
    /// What is said of single bodies.
    pub bodies: BTreeMap<Body, Notes>,
    /// The parts of the proof: what each is about, and how.
    pub cases: Vec<Case>,
}

/// What is said of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    /// The types of local variables that are no part of the state.
    pub locals: BTreeMap<u32, Shape<Sort>>,
    /// The same for global variables, where no functions share them.
    pub globals: BTreeMap<GlobalId, Shape<Sort>>,
    /// The types of the places that are passed to a function.
    pub references: Vec<Shape<Sort>>,
    /// The types of the variables of quantifiers, in the order of the text.
    pub binders: Vec<Sort>,
    /// The heads of loops that count, in a routine.
    pub counted: BTreeSet<NodeId>,
    /// Where variables hold nothing that is read later.
    pub dead: Vec<Dead>,
}

/// A variable, or a part of one, and the nodes of a routine at which nobody reads it before it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Dead {
    /// The variable.
    pub variable: Temporary,
    /// The fields that lead to the part.
    pub path: Vec<u32>,
    /// The nodes.
    pub nodes: BTreeSet<NodeId>,
}

/// A variable that may be no part of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Temporary {
    /// A local variable.
    Local(u32),
    /// A global variable.
    Global(u32),
}

impl Temporary {
    /// The variable that a place is in, if it may be one.
    pub(crate) fn of(root: &Root) -> Option<Self> {
        match root {
            Root::Local(id) => Some(Temporary::Local(id.0)),
            Root::Global(id) => Some(Temporary::Global(id.0)),
            Root::Reference(_) | Root::Remote { .. } | Root::OwnPriority => None,
        }
    }
}

/// What a part of a proof is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Moves {
    /// All permutations of some domains, of all at once: what holds for each exchange of two neighbours.
    All(Vec<usize>),
    /// One renaming.
    One(Renaming),
}

/// A part of a proof.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// What is moved.
    pub moves: Moves,
    /// Templates of which each member is looked at by itself, with its own number.
    pub each: BTreeSet<TemplateId>,
    /// Where edges become others: for a process, or for all that are not looked at by themselves, the edges of a location that those of a location become, by
    /// their places there. Elsewhere each edge becomes itself.
    pub edges: BTreeMap<(TemplateId, LocationId, Option<u32>), Vec<u32>>,
    /// What is not proven here but trusted, and why.
    pub trusted: BTreeMap<Body, String>,
}

impl Case {
    /// A case in which every edge becomes itself.
    pub fn of(moves: Moves) -> Self {
        Case {
            moves,
            each: BTreeSet::new(),
            edges: BTreeMap::new(),
            trusted: BTreeMap::new(),
        }
    }
}

impl Proof {
    /// A proof without cases for what a certificate says.
    pub fn of(certificate: &Certificate) -> Self {
        let sorts = certificate.sorts().clone();
        let domains = certificate.domains().to_vec();
        Proof {
            full: (0..domains.len()).map(|d| certificate.is_full(d)).collect(),
            domains,
            renamings: certificate.renamings().to_vec(),
            values: sorts.classes.map(&mut |_| None),
            sorts,
            scratch: BTreeMap::new(),
            bodies: BTreeMap::new(),
            cases: Vec::new(),
        }
    }

    /// The exchanges of neighbours of a domain.
    pub fn exchanges(&self, domain: usize) -> Vec<Renaming> {
        match &self.domains[domain].kind {
            DomainKind::Processes { numbers, .. } => {
                let pairs = numbers.windows(2);
                let swap = |pair: &[u32]| Permutation::swap(pair[0], pair[1]);
                pairs
                    .map(|pair| Renaming::of_processes(swap(pair)))
                    .collect()
            }
            DomainKind::Names {
                size, set, start, ..
            } => {
                let swap = |n| Renaming::of_names(*set, Permutation::swap(n - 1, n));
                (start + 1..start.saturating_add(*size)).map(swap).collect()
            }
        }
    }
}
