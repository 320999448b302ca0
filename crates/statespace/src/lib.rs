//! The graph of the states of a model: whole, or one state for each orbit.
//!
//! An engine keeps of a state what it needs to know it again. Here a state is kept with the steps that leave it, their statements, and the renaming
//! that makes a successor its representative, for those who want to look at the graph or to compute with it: a page, a file. So speed is not what matters:
//! the reference interpreter makes the steps, and only the choice of representatives is that of the engine.
//!
//! # What is in it
//!
//! All that can be reached from the start, whatever goes wrong on the way, up to a number of states. Visited breadth first, so that a
//! state's depth is the length of a shortest way to it. No claim runs along: this is the graph of the system.
//!
//! # Unfolding
//!
//! With the stabiliser of each representative *r*, the quotient has all that the whole graph has. A state of that is a representative with a coset *g Stab(r)* and stands for *g(r)*;
//! the starts are those *(r, g)* for which *g* is the inverse of the renaming of the start. If there is a step from *r* to *t* whose successor *p* maps to *t*, then there is one from
//! *(r, g)* to *(t, p⁻¹ then g)*.

use mandala_encoding::{Program, Stepper, Unsupported};
use mandala_interpreter::{Configuration, Interpreter, MacroStep};
use mandala_model::State;
use mandala_model::step::{Observers, StepLabel, Turn, Violation};
use mandala_prepare::Prepared;
use mandala_reduce::{Described, Reducer, Reducers, Settings, Stabilisers, Strategy};
use mandala_symmetry::Renaming;
use std::collections::{HashMap, VecDeque};

/// How many steps are looked at for the chains from one state.
pub const MOST_STEPS: usize = 1 << 18;

/// What is wanted of a graph.
#[derive(Clone, Copy, Debug)]
pub struct StateSpaceOptions<'a> {
    /// The model, with what can be exchanged in it.
    pub prepared: &'a Prepared,
    /// What runs along with the system. A claim does not.
    pub observers: Observers,
    /// How representatives are chosen. What has no order by the language is arranged in any case.
    pub strategy: Option<Strategy>,
    /// So many states at most.
    pub most: usize,
    /// States of this depth are not expanded, and so there are none that are deeper.
    pub deepest: Option<u64>,
}

/// Why there is no graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphError {
    /// The model cannot be compiled.
    Unsupported(Unsupported),
    /// The strategy does not fit.
    Strategy(String),
    /// What is wrong with Mandala itself.
    Defect(String),
}

/// Why a graph does not have all states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// There are more than were wanted.
    States,
    /// Some are deeper than was wanted, or may be.
    Depth,
    /// Whoever asked does not want to wait any longer.
    Stopped,
    /// A state is too large to be packed.
    Oversize,
    /// An atomic sequence has too many ways.
    Ways,
}

/// The graph.
#[derive(Clone, Debug, Default)]
pub struct StateSpace {
    /// Where runs start.
    pub starts: Vec<Arrow>,
    /// The states, in the order in which they were met.
    pub states: Vec<SpaceState>,
    /// All renamings that occur, each once.
    pub renamings: Vec<Renaming>,
    /// Steps that have no state after them though nothing is wrong with that.
    pub ended: u64,
    /// Why there are no more states, if there are.
    pub cut: Option<Cut>,
    /// What goes wrong before there is a state.
    pub violations: Vec<Violation>,
}

/// A state.
#[derive(Clone, Debug)]
pub struct SpaceState {
    /// What it is.
    pub state: State,
    /// The length of a shortest way to it.
    pub depth: u32,
    /// The steps from it that lead to states of the graph.
    pub arrows: Vec<Arrow>,
    /// What is wrong with it, or with steps from it.
    pub violations: Vec<Violation>,
    /// The numbers of renamings that generate its stabiliser.
    pub stabiliser: Vec<u32>,
    /// Whether all its steps are there.
    pub expanded: bool,
}

/// A step.
#[derive(Clone, Debug)]
pub struct Arrow {
    /// The number of the state that stands for the one it leads to.
    pub to: u32,
    /// The number of the renaming that makes it that.
    pub renaming: u32,
    /// The statements.
    pub labels: Vec<StepLabel>,
}

impl StateSpace {
    /// How many steps lead from state to state.
    pub fn arrows(&self) -> u64 {
        self.states.iter().map(|s| s.arrows.len() as u64).sum()
    }
}

/// Makes the graph. `goes_on` is asked now and then, with how many states there are.
///
/// # Errors
///
/// If the model cannot be compiled, the strategy does not fit, or the interpreter and the packed states disagree.
pub fn explore(
    wanted: StateSpaceOptions<'_>,
    goes_on: &mut dyn FnMut(usize) -> bool,
) -> Result<StateSpace, GraphError> {
    let model = wanted.prepared.searched.model();
    let observers = Observers {
        claim: None,
        asked: None,
        ..wanted.observers
    };
    let program = wanted.prepared.searched.program(observers);
    let program = program.map_err(GraphError::Unsupported)?;
    let certificate = wanted.prepared.certificate.as_ref();
    let strategy = wanted.strategy.unwrap_or_default();
    let reducers = certificate
        .map(|certificate| Reducers::new(model, certificate, strategy, &Settings::default()))
        .transpose()
        .map_err(|error| GraphError::Strategy(error.to_string()))?;
    let mut explorer = Explorer {
        interpreter: Interpreter::new(model, observers),
        naming: Naming {
            stepper: program.interpreting_stepper(),
            program: &program,
            reducer: reducers.as_ref().map(Reducers::make),
            stabilisers: reducers.as_ref().map(Reducers::stabilisers),
        },
        space: StateSpace::default(),
        numbers: HashMap::new(),
        renamings: HashMap::new(),
        waiting: VecDeque::new(),
        most: wanted.most,
        deepest: wanted.deepest,
    };
    explorer.run(goes_on)?;
    Ok(explorer.space)
}

/// Who finds representatives.
struct Naming<'a> {
    stepper: Stepper<'a>,
    program: &'a Program,
    reducer: Option<Box<dyn Described + 'a>>,
    stabilisers: Option<Stabilisers<'a>>,
}

/// The representative of a state.
struct Named {
    packed: Vec<u8>,
    renaming: Renaming,
}

impl Naming<'_> {
    /// The representative; none if the state is too large.
    fn representative(&mut self, state: &State) -> Result<Option<Named>, GraphError> {
        let Some(packed) = self.program.encode(state) else {
            return Ok(None);
        };
        let Some(reducer) = &mut self.reducer else {
            return Ok(Some(Named {
                packed,
                renaming: Renaming::identity(),
            }));
        };
        let mut arrival = self.stepper.as_if_told(&packed);
        let renaming = reducer.witness(&mut arrival);
        let renaming = renaming.ok_or_else(|| {
            GraphError::Strategy("the strategy does not say how states are renamed".into())
        })?;
        let representative = reducer.representative(&mut arrival);
        let representative =
            representative.map_err(|_| GraphError::Strategy("no room for states".into()))?;
        Ok(Some(Named {
            packed: representative.packed.to_vec(),
            renaming,
        }))
    }

    /// What a representative is, and renamings that generate its stabiliser.
    fn unpack(&mut self, packed: &[u8]) -> Result<(State, Vec<Renaming>), GraphError> {
        let state = self.program.decode(packed);
        let state = state.ok_or_else(|| GraphError::Defect("a state cannot be unpacked".into()))?;
        let stabiliser = match &mut self.stabilisers {
            Some(stabilisers) => stabilisers.of(&self.stepper.as_if_told(packed)),
            None => Vec::new(),
        };
        Ok((state, stabiliser))
    }
}

struct Explorer<'a> {
    interpreter: Interpreter<'a>,
    naming: Naming<'a>,
    space: StateSpace,
    numbers: HashMap<Vec<u8>, u32>,
    renamings: HashMap<Renaming, u32>,
    waiting: VecDeque<u32>,
    most: usize,
    deepest: Option<u64>,
}

impl Explorer<'_> {
    fn run(&mut self, goes_on: &mut dyn FnMut(usize) -> bool) -> Result<(), GraphError> {
        self.start()?;
        while let Some(next) = self.waiting.pop_front() {
            if !goes_on(self.space.states.len()) {
                self.space.cut.get_or_insert(Cut::Stopped);
                return Ok(());
            }
            self.expand(next)?;
        }
        Ok(())
    }

    fn start(&mut self) -> Result<(), GraphError> {
        let start = match self.interpreter.start() {
            Ok(start) => start,
            Err(fault) => {
                self.space.violations.push(Violation::Fault(fault));
                return Ok(());
            }
        };
        if !self.interpreter.model().start_held {
            let arrow = self.arrow(&start.state, 0, Vec::new())?;
            self.space.starts.extend(arrow);
            return Ok(());
        }
        // To get to where the first process gives up control is no step between states.
        let mut chains = self.interpreter.chains(&start).within(MOST_STEPS);
        let found: Vec<MacroStep> = chains.by_ref().collect();
        if chains.is_cut() {
            self.space.cut = Some(Cut::Ways);
        }
        for chain in found {
            let violations = chain.steps.last().map(|last| last.violations.clone());
            self.space
                .violations
                .extend(violations.into_iter().flatten());
            if let Some(next) = chain.successor() {
                let arrow = self.arrow(&next.state, 0, labels(&chain))?;
                self.space.starts.extend(arrow);
            }
        }
        Ok(())
    }

    fn expand(&mut self, number: u32) -> Result<(), GraphError> {
        let of = &self.space.states[number as usize];
        if self
            .deepest
            .is_some_and(|deepest| u64::from(of.depth) >= deepest)
        {
            self.space.cut.get_or_insert(Cut::Depth);
            return Ok(());
        }
        let depth = of.depth + 1;
        let from = Configuration {
            state: of.state.clone(),
            turn: Turn::Free,
        };
        let mut violations = self.interpreter.verdicts_here(&from);
        let mut chains = self.interpreter.chains(&from).within(MOST_STEPS);
        let found: Vec<MacroStep> = chains.by_ref().collect();
        let mut expanded = !chains.is_cut();
        if !expanded {
            self.space.cut.get_or_insert(Cut::Ways);
        }
        let mut arrows = Vec::new();
        for chain in found {
            let Some(last) = chain.steps.last() else {
                continue;
            };
            violations.extend(last.violations.iter().cloned());
            match chain.successor() {
                Some(next) => match self.arrow(&next.state, depth, labels(&chain))? {
                    Some(arrow) => arrows.push(arrow),
                    None => expanded = false,
                },
                None if last.next.is_none() && last.violations.is_empty() => self.space.ended += 1,
                None => {}
            }
        }
        let known = &mut self.space.states[number as usize];
        (known.arrows, known.expanded) = (arrows, expanded);
        for violation in violations {
            if !known.violations.contains(&violation) {
                known.violations.push(violation);
            }
        }
        Ok(())
    }

    /// The step to a state; none if the graph does not take it.
    fn arrow(
        &mut self,
        state: &State,
        depth: u32,
        labels: Vec<StepLabel>,
    ) -> Result<Option<Arrow>, GraphError> {
        let Some(Named { packed, renaming }) = self.naming.representative(state)? else {
            self.space.cut.get_or_insert(Cut::Oversize);
            return Ok(None);
        };
        let to = match self.numbers.get(&packed) {
            Some(&known) => known,
            None if self.space.states.len() >= self.most => {
                self.space.cut.get_or_insert(Cut::States);
                return Ok(None);
            }
            None => self.add(packed, depth)?,
        };
        let renaming = self.number_of(renaming);
        Ok(Some(Arrow {
            to,
            renaming,
            labels,
        }))
    }

    fn add(&mut self, packed: Vec<u8>, depth: u32) -> Result<u32, GraphError> {
        let (state, stabiliser) = self.naming.unpack(&packed)?;
        let stabiliser = stabiliser.into_iter().map(|r| self.number_of(r)).collect();
        let new = self.space.states.len() as u32;
        self.numbers.insert(packed, new);
        self.waiting.push_back(new);
        self.space.states.push(SpaceState {
            state,
            depth,
            arrows: Vec::new(),
            violations: Vec::new(),
            stabiliser,
            expanded: false,
        });
        Ok(new)
    }

    fn number_of(&mut self, renaming: Renaming) -> u32 {
        let next = self.space.renamings.len() as u32;
        let all = &mut self.space.renamings;
        *self.renamings.entry(renaming).or_insert_with_key(|new| {
            all.push(new.clone());
            next
        })
    }
}

fn labels(chain: &MacroStep) -> Vec<StepLabel> {
    chain.steps.iter().map(|step| step.label).collect()
}
