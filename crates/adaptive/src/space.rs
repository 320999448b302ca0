//! The states of a model under groups of partitions: representatives, images, and which exchanges leave a state as it is.

use mandala_encoding::{Program, Stepper};
use mandala_engine::Limit;
use mandala_interpreter::Interpreter;
use mandala_model::step::Observers;
use mandala_model::{Model, State};
use mandala_prepare::{Prepared, statements};
use mandala_reduce::{Described, Reducer, Reducers, Settings, Stabilisers, Strategy};
use mandala_symmetry::{
    Action, Breach, Certificate, Partition, ProofBudget, Renaming, StatementSymmetry,
};
use std::cell::OnceCell;
use std::collections::HashMap;

/// How many steps of work the proofs about statements may take.
const PROOF_STEPS: u64 = 40_000_000;

/// Why nothing can be said about a model.
#[derive(Clone, Debug)]
pub enum Refused {
    /// Nothing can be proven about it.
    Unproven(Vec<Breach>),
    /// It cannot be compiled.
    Uncompiled(String),
}

/// Why a search cannot go on.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// A limit.
    Limit(Limit),
    /// Mandala contradicts itself.
    Defect(String),
}

/// A model with what each of its statements keeps.
pub struct Subject {
    model: std::sync::Arc<Model>,
    program: Program,
    observers: Observers,
    /// What each statement keeps.
    pub symmetry: StatementSymmetry,
    certificates: Certificates,
}

/// Certificates, one after the other, that stay where they are while more are added.
#[derive(Default)]
struct Certificates {
    first: OnceCell<Box<Link>>,
}

struct Link {
    certificate: Certificate,
    next: OnceCell<Box<Link>>,
}

impl Certificates {
    fn keep(&self, certificate: Certificate) -> &Certificate {
        let mut slot = &self.first;
        while let Some(link) = slot.get() {
            slot = &link.next;
        }
        let link = || {
            Box::new(Link {
                certificate,
                next: OnceCell::new(),
            })
        };
        &slot.get_or_init(link).certificate
    }
}

impl Subject {
    /// Certifies what each statement keeps of what is searched.
    ///
    /// # Errors
    ///
    /// If nothing can be proven about the model, or it cannot be compiled.
    pub fn new(prepared: &Prepared, observers: Observers) -> Result<Self, Refused> {
        let model = std::sync::Arc::clone(prepared.searched.model());
        let program = prepared.searched.program(observers);
        let program = program.map_err(|error| Refused::Uncompiled(error.to_string()))?;
        let budget = ProofBudget::of_steps(PROOF_STEPS);
        let symmetry = statements(prepared, observers, &budget).map_err(Refused::Unproven)?;
        Ok(Subject {
            model,
            program,
            observers,
            symmetry,
            certificates: Certificates::default(),
        })
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What the model means.
    pub(crate) fn interpreter(&self) -> Interpreter<'_> {
        Interpreter::new(&self.model, self.observers)
    }

    /// The states of the model.
    pub(crate) fn space(&self) -> Space<'_> {
        Space {
            subject: self,
            action: Action::new(&self.model, self.symmetry.sorts()),
            stepper: self.program.interpreting_stepper(),
            reducers: HashMap::new(),
        }
    }
}

/// The representative of a state under the group of a partition.
#[derive(Clone, Debug)]
pub(crate) struct Least {
    pub packed: Vec<u8>,
    pub state: State,
    /// From the state to it.
    pub renaming: Renaming,
}

/// The states of a model under groups of partitions.
pub(crate) struct Space<'a> {
    pub subject: &'a Subject,
    action: Action<'a>,
    stepper: Stepper<'a>,
    reducers: HashMap<Partition, Reducing<'a>>,
}

/// How states are moved to representatives under one group.
struct Reducing<'a> {
    reducer: Box<dyn Described + 'a>,
    stabilisers: Stabilisers<'a>,
}

impl<'a> Space<'a> {
    /// What each statement keeps.
    pub(crate) fn symmetry(&self) -> &'a StatementSymmetry {
        &self.subject.symmetry
    }

    /// The representative of a state under the group of a partition.
    pub(crate) fn least(&mut self, partition: &Partition, state: &State) -> Result<Least, Stop> {
        let packed = self.packed(state)?;
        if partition.len() == partition.points() {
            return Ok(Least {
                packed,
                state: state.clone(),
                renaming: Renaming::identity(),
            });
        }
        let unknown = || Stop::Defect("a state has no representative".into());
        self.make_reducer(partition)?;
        let reducing = self.reducers.get_mut(partition).ok_or_else(unknown)?;
        let mut arrival = self.stepper.as_if_told(&packed);
        let renaming = reducing.reducer.witness(&mut arrival).ok_or_else(unknown)?;
        let image = self.action.apply(&renaming, state).ok_or_else(unknown)?;
        let packed = self.packed(&image)?;
        Ok(Least {
            packed,
            state: image,
            renaming,
        })
    }

    /// Renamings that generate those of the group of a partition that do not change a state.
    pub(crate) fn stabiliser(
        &mut self,
        partition: &Partition,
        state: &State,
    ) -> Result<Vec<Renaming>, Stop> {
        let packed = self.packed(state)?;
        self.make_reducer(partition)?;
        let reducing = self.reducers.get_mut(partition);
        let arrival = self.stepper.as_if_told(&packed);
        Ok(reducing.map_or_else(Vec::new, |reducing| reducing.stabilisers.of(&arrival)))
    }

    fn make_reducer(&mut self, partition: &Partition) -> Result<(), Stop> {
        if self.reducers.contains_key(partition) {
            return Ok(());
        }
        let subject = self.subject;
        let certificate = subject.certificates.keep(subject.symmetry.group(partition));
        let settings = Settings::default();
        let reducers = Reducers::new(&subject.model, certificate, Strategy::Auto, &settings);
        let reducers = reducers.map_err(|error| Stop::Defect(error.to_string()))?;
        let reducing = Reducing {
            reducer: reducers.make(),
            stabilisers: reducers.stabilisers(),
        };
        self.reducers.insert(partition.clone(), reducing);
        Ok(())
    }

    /// A state in few bytes.
    pub(crate) fn packed(&self, state: &State) -> Result<Vec<u8>, Stop> {
        let packed = self.subject.program.encode(state);
        packed.ok_or(Stop::Limit(Limit::StateSize))
    }

    /// The image of a state; nothing if the renaming moves a process that is not there.
    pub(crate) fn image(&self, renaming: &Renaming, state: &State) -> Option<State> {
        self.action.apply(renaming, state)
    }

    /// Whether a state stays what it is when two points are exchanged.
    pub(crate) fn is_fixed(&self, state: &State, a: usize, b: usize) -> bool {
        let exchange = self.symmetry().exchange(a, b);
        self.action.apply(&exchange, state).as_ref() == Some(state)
    }

    /// The partition of the points of one kind that can be exchanged in a state without changing it.
    pub(crate) fn twins(&self, state: &State) -> Partition {
        let kinds = self.symmetry().kinds();
        let mut twins = Partition::discrete(kinds.points());
        for cell in kinds.cells() {
            for (place, b) in cell.iter().copied().enumerate() {
                let mut earlier = cell[..place].iter().copied();
                if let Some(a) = earlier.find(|a| self.is_fixed(state, *a, b)) {
                    twins = twins.joined(a, b);
                }
            }
        }
        twins
    }
}
