//! Models from texts, and all their states one by one on the interpreter, to compare with.

// Not every test uses everything.
use mandala_interpreter::{Configuration, Interpreter};
use mandala_model::instantiate::written_out;
use mandala_model::step::{Observers, Turn, Violation};
use mandala_model::template::Control;
use mandala_model::verify::verify;
use mandala_model::{Model, SourceText, Sources, State};
use mandala_symbolic::{
    AfterViolation, Extent, Options, Reduction, SearchOrder, SymbolicOutcome, Unsupported, search,
};
use std::collections::{HashMap, HashSet, VecDeque};

/// What the interpreter finds.
pub(crate) struct Counted {
    pub states: u128,
    pub transitions: u128,
    pub depth: u64,
    pub is_violated: bool,
}

pub(crate) fn promela(text: &str) -> Model {
    loaded(text, |sources, file| {
        mandala_promela::load(sources, file, &Default::default())
    })
}

pub(crate) fn murphi(text: &str) -> Model {
    loaded(text, |sources, file| {
        mandala_murphi::load(sources, file, &Default::default())
    })
}

type Loaded = (
    Option<mandala_model::UncheckedModel>,
    Vec<mandala_model::Diagnostic>,
);

fn loaded(text: &str, load: impl Fn(&mut Sources, mandala_model::FileId) -> Loaded) -> Model {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("model", text.to_string()));
    let (model, diagnostics) = load(&mut sources, file);
    let model = verify(model.unwrap_or_else(|| panic!("{diagnostics:?}"))).expect("a right model");
    written_out(model).expect("a small model")
}

/// A bundled model, with other values for some of its constants or macros.
pub(crate) fn bundled(path: &str, defines: &[&str]) -> Model {
    let file = format!("{}/../../models/{path}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&file).expect("a bundled model");
    match path.rsplit_once('.') {
        Some((_, "m")) => loaded(&text, |sources, file| {
            let mut options = mandala_murphi::ParseOptions::default();
            defines.iter().for_each(|d| options.define(d));
            mandala_murphi::load(sources, file, &options)
        }),
        Some((_, "red")) => loaded(&text, |sources, file| {
            let mut options = mandala_red::RedOptions::default();
            defines.iter().for_each(|d| options.define(d));
            mandala_red::load(sources, file, &options)
        }),
        _ => loaded(&text, |sources, file| {
            let mut options = mandala_promela::ParseOptions::default();
            defines.iter().for_each(|d| options.define(d));
            mandala_promela::load(sources, file, &options)
        }),
    }
}

/// A search with enough stack.
pub(crate) fn searched(
    model: &Model,
    order: SearchOrder,
    on_violation: AfterViolation,
) -> Result<SymbolicOutcome, Unsupported> {
    searched_with(model, order, on_violation, None)
}

/// A search with enough stack that may use symmetry.
pub(crate) fn searched_with(
    model: &Model,
    order: SearchOrder,
    on_violation: AfterViolation,
    reduction: Option<Reduction<'_>>,
) -> Result<SymbolicOutcome, Unsupported> {
    searched_in(1 << 26, model, order, on_violation, reduction)
}

/// The same, in that much memory.
pub(crate) fn searched_in(
    memory: u64,
    model: &Model,
    order: SearchOrder,
    on_violation: AfterViolation,
    reduction: Option<Reduction<'_>>,
) -> Result<SymbolicOutcome, Unsupported> {
    let anything = |_: &Violation| true;
    let options = Options {
        order,
        on_violation,
        concerns: &anything,
        states: None,
        depth: None,
        time: None,
        memory,
        goals: Vec::new(),
        formula: None,
        reduction,
        cancel: Default::default(),
    };
    with_stack(|| search(model, Observers::default(), &options, &mut |_| {}))
}

/// Runs something with as much stack as diagrams may take.
pub(crate) fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(mandala_symbolic::stack_size());
        let thread = thread.spawn_scoped(scope, work).expect("a thread");
        thread.join().expect("no panic")
    })
}

/// All states, one by one.
pub(crate) fn reachable(model: &Model) -> HashSet<State> {
    explored(model).1.into_keys().collect()
}

/// How many there are of everything.
pub(crate) fn counted(model: &Model) -> Counted {
    explored(model).0
}

fn explored(model: &Model) -> (Counted, HashMap<State, u64>) {
    let interpreter = Interpreter::new(model, Observers::default());
    let start = interpreter.start().expect("a start");
    let mut found = Counted {
        states: 0,
        transitions: 0,
        depth: 0,
        is_violated: false,
    };
    let mut known: HashMap<State, u64> = HashMap::new();
    let mut open = VecDeque::new();
    let mut first = Vec::new();
    match model.start_held {
        true => {
            for chain in interpreter.macro_steps(&start) {
                found.is_violated |= chain.steps.iter().any(|s| !s.violations.is_empty());
                first.extend(chain.successor().cloned());
            }
        }
        false => first.push(start),
    }
    for configuration in first.iter().map(|first| arranged(model, first)) {
        if known.insert(configuration.state.clone(), 0).is_none() {
            open.push_back(configuration);
        }
    }
    while let Some(current) = open.pop_front() {
        let depth = known[&current.state];
        found.depth = found.depth.max(depth);
        found.is_violated |= !interpreter.verdicts_here(&current).is_empty();
        for chain in interpreter.macro_steps(&current) {
            let last = chain.steps.last().expect("a step");
            found.is_violated |= !last.violations.is_empty();
            let ends = last.next.is_none() && last.violations.is_empty();
            found.transitions += u128::from(ends || chain.successor().is_some());
            let next = chain.successor().map(|next| arranged(model, next));
            if let Some(next) = next.filter(|next| !known.contains_key(&next.state)) {
                known.insert(next.state.clone(), depth + 1);
                open.push_back(next);
            }
        }
    }
    found.states = known.len() as u128;
    (found, known)
}

/// The same with elements that have no order in the one that they are counted in.
fn arranged(model: &Model, configuration: &Configuration) -> Configuration {
    Configuration {
        state: model.arranged(&configuration.state),
        turn: configuration.turn,
    }
}

/// Whether steps of the model are all there is between two states.
fn has_no_sequences(model: &Model) -> bool {
    let mut edges = model.templates.iter().flat_map(|t| &t.edges);
    edges.all(|edge| edge.control != Control::Hold)
}

/// Both find the same.
pub(crate) fn agree(name: &str, model: &Model) {
    let expected = counted(model);
    for order in [SearchOrder::BreadthFirst, SearchOrder::DepthFirst] {
        let found = searched(model, order, AfterViolation::GoOn);
        let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(found.extent, Extent::Complete, "{name}");
        assert_eq!(found.states, expected.states, "states of {name}, {order:?}");
        if has_no_sequences(model) {
            assert_eq!(found.transitions, expected.transitions, "steps of {name}");
        }
        if order == SearchOrder::BreadthFirst {
            assert_eq!(found.rounds, expected.depth, "depth of {name}");
        }
        assert_eq!(!found.violations.is_empty(), expected.is_violated, "{name}");
        assert_eq!(found.evidence.is_some(), expected.is_violated, "{name}");
        // Where nothing is wrong, a search has nothing to stop at.
        let stops = found.evidence.is_some();
        let first = stops.then(|| searched(model, order, AfterViolation::Stop));
        let first = first.map(|first| first.expect("taken before"));
        for outcome in first.iter().chain([&found]) {
            if let Some(evidence) = &outcome.evidence {
                assert_is_run(name, model, &evidence.path);
            }
        }
    }
}

/// The states are those of a run of the model, and something is wrong at its end.
pub(crate) fn assert_is_run(name: &str, model: &Model, path: &[State]) {
    let interpreter = Interpreter::new(model, Observers::default());
    let mut here = interpreter.start().expect("a start");
    let mut rest = path.iter();
    if !model.start_held {
        assert_eq!(rest.next(), Some(&here.state), "the start of {name}");
    }
    for state in rest {
        let steps = interpreter.macro_steps(&here);
        let mut successors = steps.iter().filter_map(|step| step.successor());
        assert!(successors.any(|next| next.state == *state), "{name}");
        here = Configuration {
            state: state.clone(),
            turn: Turn::Free,
        };
    }
    let steps = interpreter.macro_steps(&here);
    let on_the_way = steps.iter().flat_map(|chain| &chain.steps);
    let is_wrong = on_the_way
        .into_iter()
        .any(|step| !step.violations.is_empty());
    let is_wrong_here = !interpreter.verdicts_here(&here).is_empty();
    assert!(is_wrong || is_wrong_here, "nothing is wrong with {name}");
}
