//! Bundled models, their certified symmetries, searches with every strategy, and brute force: the oracle.

pub mod asking;

use mandala_encoding::{Arrival, Program, Sink};
use mandala_explicit::{AfterViolation, ExplicitOutcome, Extent, Options, search_reduced};
use mandala_model::ids::TemplateId;
use mandala_model::source::{SourceText, Sources};
use mandala_model::step::{Observers, Turn, Violation};
use mandala_model::verify::verify;
use mandala_model::{Model, State};
use mandala_promela::ParseOptions;
use mandala_reduce::{Guarantee, Settings, Strategy, reducer};
use mandala_symmetry::{
    Action, Candidate, Certificate, Domain, DomainKind, Family, Permutation, ProofBudget, Renaming,
    certify, largest, propose,
};
use std::collections::HashSet;

/// A model from its text.
pub fn load(text: &str, defines: &[&str]) -> Model {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("model.pml", text));
    let mut options = ParseOptions::default();
    defines.iter().for_each(|d| options.define(d));
    let (model, diagnostics) = mandala_promela::load(&mut sources, file, &options);
    let said: Vec<_> = diagnostics.iter().map(|d| d.one_line(&sources)).collect();
    let model = model.unwrap_or_else(|| panic!("{said:?}\n{text}"));
    verify(model).unwrap_or_else(|e| panic!("{e:?}"))
}

/// One of the models that come with the project.
pub fn bundled(name: &str, defines: &[&str]) -> Model {
    let root = env!("CARGO_MANIFEST_DIR");
    let path = format!("{root}/../../models/{name}/{name}.pml");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    load(&text, defines)
}

/// A family of processes by name.
pub fn family(model: &Model, name: &str, numbers: impl IntoIterator<Item = u32>) -> Family {
    let position = model.templates.iter().position(|t| t.name == name);
    Family {
        template: TemplateId::from(position.unwrap_or_else(|| panic!("no template `{name}`"))),
        numbers: numbers.into_iter().collect(),
    }
}

/// A model with a certified symmetry, ready to be searched.
pub struct Case {
    pub model: Model,
    pub certificate: Certificate,
    pub program: Program,
}

impl Case {
    pub fn new(model: Model, candidate: &Candidate) -> Self {
        let observers = Observers::default();
        let certificate = certify(&model, observers, candidate);
        let certificate = certificate.unwrap_or_else(|breaches| panic!("{breaches:?}"));
        let program = Program::compile(&model, observers).expect("compiles");
        Case {
            model,
            certificate,
            program,
        }
    }

    /// A model with all symmetry that is found in it.
    pub fn detected(model: Model) -> Self {
        let observers = Observers::default();
        let program = Program::compile(&model, observers).expect("compiles");
        let census = census(&program);
        let proposals = propose(&model, observers, &census, &ProofBudget::unlimited());
        let certificate =
            largest(&model, observers, &proposals, &ProofBudget::unlimited()).certificate;
        Case {
            model,
            certificate: certificate.expect("some symmetry"),
            program,
        }
    }

    /// A model with families of processes.
    pub fn of_families(model: Model, families: &[(&str, std::ops::Range<u32>)]) -> Self {
        let families = families.iter();
        let families = families.map(|(name, numbers)| family(&model, name, numbers.clone()));
        let candidate = Candidate {
            families: families.collect(),
            ..Candidate::default()
        };
        Case::new(model, &candidate)
    }

    pub fn search(&self, strategy: Strategy) -> ExplicitOutcome {
        self.search_with(strategy, &Settings::default())
    }

    /// Explores everything.
    pub fn search_with(&self, strategy: Strategy, settings: &Settings) -> ExplicitOutcome {
        let mut make = || {
            let reducer = reducer(&self.model, &self.certificate, strategy, settings);
            reducer.expect("supported")
        };
        let options = Options {
            on_violation: AfterViolation::GoOn,
            ..Options::default()
        };
        let found = search_reduced(&self.program, &options, &mut make, &mut |_| {});
        let (outcome, _) = found.expect("the options go together");
        assert_eq!(outcome.extent, Extent::Complete);
        outcome
    }

    /// How many representatives there are.
    pub fn count(&self, strategy: Strategy) -> u64 {
        self.search(strategy).statistics.states
    }

    /// All reachable states, packed, without any reduction.
    pub fn reachable(&self, limit: usize) -> Vec<Vec<u8>> {
        reachable(&self.program, limit)
    }

    pub fn decode(&self, packed: &[u8]) -> State {
        self.program.decode(packed).expect("a state")
    }

    /// The same with a smaller group.
    pub fn narrowed(mut self, renamings: Vec<Renaming>) -> Self {
        let narrowed = self.certificate.narrowed(renamings);
        self.certificate = narrowed.expect("all of them are certified");
        self
    }

    /// Whether a strategy uses all that is certified.
    pub fn uses_all(&self, strategy: Strategy) -> bool {
        let mut domains = 0..self.certificate.domains().len();
        !strategy.needs_full() || domains.all(|domain| self.certificate.is_full(domain))
    }

    /// What a strategy promises here.
    pub fn guarantee(&self, strategy: Strategy) -> Guarantee {
        match strategy.guarantee() {
            Guarantee::Canonical if !self.uses_all(strategy) => Guarantee::Sound,
            promised => promised,
        }
    }

    /// The images of a state under all that may be done to it, packed.
    pub fn orbit(&self, packed: &[u8]) -> HashSet<Vec<u8>> {
        let free = self.free_renamings(&self.decode(packed));
        let (mut orbit, mut seen) = (HashSet::new(), HashSet::new());
        let mut waiting = vec![packed.to_vec()];
        while let Some(packed) = waiting.pop() {
            let state = self.decode(&packed);
            if seen.insert(packed) {
                waiting.extend(self.bound_images(&state));
                let images = free.iter().map(|r| self.image(r, &state));
                orbit.extend(images.map(|image| image.expect("a renaming of the state")));
            }
        }
        orbit
    }

    /// All renamings of the domains that are full and may be permuted in a state.
    fn free_renamings(&self, state: &State) -> Vec<Renaming> {
        let domains = self.certificate.domains();
        let full = |index: usize| self.certificate.is_full(index);
        renamings(domains, full, state)
    }

    /// The images of a state under those other renamings that may be used in it.
    fn bound_images(&self, state: &State) -> Vec<Vec<u8>> {
        let domains = self.certificate.domains().iter().enumerate();
        let unsettled: Vec<usize> = domains
            .filter(|(_, domain)| !domain.is_settled(state))
            .map(|(index, _)| index)
            .collect();
        let touches = |r: &Renaming| unsettled.iter().any(|d| self.certificate.touches(r, *d));
        let renamings = self.certificate.renamings().iter();
        let usable = renamings.filter(|r| !touches(r));
        usable.filter_map(|r| self.image(r, state)).collect()
    }

    /// Images of a state under generators of what may be done to it.
    pub fn neighbours(&self, packed: &[u8]) -> Vec<Vec<u8>> {
        let state = self.decode(packed);
        let domains = self.certificate.domains().iter().enumerate();
        let settled = domains.filter(|(_, domain)| domain.is_settled(&state));
        let exchanges = settled.flat_map(|(index, _)| self.certificate.generators_of(index));
        let images = exchanges.filter_map(|exchange| self.image(&exchange, &state));
        images.chain(self.bound_images(&state)).collect()
    }

    fn image(&self, renaming: &Renaming, state: &State) -> Option<Vec<u8>> {
        let action = Action::new(&self.model, self.certificate.sorts());
        let image = action.apply(renaming, state)?;
        Some(self.program.encode(&image).expect("a state of the program"))
    }

    /// The number of orbits of states, by brute force, and of states in them, which need not be among the given ones.
    pub fn orbits(&self, states: &[Vec<u8>]) -> (u64, u64) {
        let mut seen: HashSet<Vec<u8>> = HashSet::new();
        let mut orbits = 0;
        for state in states {
            if !seen.contains(state) {
                orbits += 1;
                seen.extend(self.orbit(state));
            }
        }
        (orbits, seen.len() as u64)
    }
}

/// The first states that a program can reach, packed.
fn reachable(program: &Program, limit: usize) -> Vec<Vec<u8>> {
    let mut stepper = program.stepper();
    let mut found = Found::default();
    stepper.start(&mut found).expect("a start");
    let mut next = 0;
    while next < found.states.len() && found.states.len() < limit {
        let (state, turn) = found.states[next].clone();
        stepper.expand(&state, turn, &mut found).expect("steps");
        next += 1;
    }
    found.states.into_iter().map(|(state, _)| state).collect()
}

/// The templates of the processes in the state that has most of them.
fn census(program: &Program) -> Vec<TemplateId> {
    let states = reachable(program, 1_000);
    let states = states.iter().filter_map(|state| program.decode(state));
    let fullest = states.max_by_key(|state| state.processes.len());
    let fullest = fullest.expect("a state");
    fullest.processes.iter().map(|p| p.template).collect()
}

#[derive(Default)]
struct Found {
    states: Vec<(Vec<u8>, Turn)>,
    seen: HashSet<Vec<u8>>,
}

impl Sink for Found {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, turn: Turn) {
        let packed = arrival.packed();
        if !self.seen.contains(packed) {
            self.seen.insert(packed.to_vec());
            self.states.push((packed.to_vec(), turn));
        }
    }

    fn violation(&mut self, _: Violation) {}
}

/// All renamings of those domains, out of the given ones, that may be permuted in a state.
fn renamings(domains: &[Domain], counts: impl Fn(usize) -> bool, state: &State) -> Vec<Renaming> {
    let mut all = vec![Renaming::identity()];
    for (index, domain) in domains.iter().enumerate() {
        if !counts(index) {
            continue;
        }
        let own = own_renamings(domain, state);
        all = all
            .iter()
            .flat_map(|before| own.iter().map(|next| before.then(next)))
            .collect();
    }
    all
}

fn own_renamings(domain: &Domain, state: &State) -> Vec<Renaming> {
    match &domain.kind {
        DomainKind::Processes { template, numbers } => {
            let lives = |n: &&u32| {
                let process = state.processes.get(**n as usize);
                process.is_some_and(|p| p.template == *template)
            };
            let members: Vec<u32> = numbers.iter().filter(lives).copied().collect();
            let members = if domain.is_settled(state) {
                members
            } else {
                vec![]
            };
            permutations(&members)
                .into_iter()
                .map(Renaming::of_processes)
                .collect()
        }
        DomainKind::Names {
            size, set, start, ..
        } => {
            let settled = if domain.is_settled(state) { *size } else { 0 };
            let members: Vec<u32> = (*start..start + settled).collect();
            let all = permutations(&members).into_iter();
            all.map(|p| Renaming::of_names(*set, p)).collect()
        }
    }
}

/// All permutations of some numbers.
fn permutations(members: &[u32]) -> Vec<Permutation> {
    let mut arrangements = vec![Vec::new()];
    for _ in members {
        let longer = arrangements.into_iter().flat_map(|before: Vec<u32>| {
            let rest = members.iter().filter(|m| !before.contains(m));
            let rest: Vec<u32> = rest.copied().collect();
            rest.into_iter()
                .map(move |next| [before.as_slice(), &[next]].concat())
        });
        arrangements = longer.collect();
    }
    let permutation = |images: Vec<u32>| {
        let length = members.iter().max().map_or(0, |m| m + 1);
        let mut all: Vec<u32> = (0..length).collect();
        for (from, to) in members.iter().zip(images) {
            all[*from as usize] = to;
        }
        Permutation::from_images(all).expect("a permutation")
    };
    arrangements.into_iter().map(permutation).collect()
}
