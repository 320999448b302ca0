//! Models from text, families by name, and brute force: the judge of every certificate.

use mandala_interpreter::{Configuration, Interpreter, MacroStep};
use mandala_model::ids::{PropertyId, TemplateId};
use mandala_model::instantiate::written_out;
use mandala_model::property::PropertyKind;
use mandala_model::source::{SourceText, Sources};
use mandala_model::stated::{Stated, StatedForm};
use mandala_model::step::{Observers, Violation};
use mandala_model::verify::verify;
use mandala_model::{Diagnostic, Model, State, UncheckedModel};
use mandala_promela::ParseOptions;
use mandala_symmetry::sorts::Sorts;
use mandala_symmetry::{
    Action, Breach, Candidate, Certificate, Detected, Domain, DomainKind, Family, Permutation,
    ProofBudget, Renaming, Symmetry, certify, detect, largest, propose,
};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

/// A model and its text.
pub struct Loaded {
    pub model: Model,
    pub sources: Sources,
}

pub fn load(text: &str, defines: &[&str]) -> Loaded {
    load_with(text, defines, |_| {})
}

/// The same, unless the text is no model.
pub fn try_load(text: &str, defines: &[&str]) -> Option<Loaded> {
    let mut sources = Sources::default();
    let (model, _) = parse(&mut sources, text, defines);
    let model = verify(model?).ok()?;
    Some(Loaded { model, sources })
}

fn parse(
    sources: &mut Sources,
    text: &str,
    defines: &[&str],
) -> (Option<UncheckedModel>, Vec<Diagnostic>) {
    let file = sources.add(SourceText::new("model.pml", text));
    let mut options = ParseOptions::default();
    defines.iter().for_each(|d| options.define(d));
    mandala_promela::load(sources, file, &options)
}

/// The same, after a change of what the front end says.
pub fn load_with(text: &str, defines: &[&str], change: impl FnOnce(&mut UncheckedModel)) -> Loaded {
    let mut sources = Sources::default();
    let (model, diagnostics) = parse(&mut sources, text, defines);
    let said: Vec<_> = diagnostics.iter().map(|d| d.one_line(&sources)).collect();
    let mut model = model.unwrap_or_else(|| panic!("{said:?}\n{text}"));
    change(&mut model);
    let model = verify(model);
    let model = model.unwrap_or_else(|e| panic!("{e:?}"));
    Loaded { model, sources }
}

/// A model with a formula of computation tree logic beside it.
pub fn load_watched(text: &str, formula: &str) -> Loaded {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("model.pml", text));
    let options = ParseOptions {
        stated: vec![Stated {
            form: StatedForm::Ctl,
            name: None,
            file: sources.add(SourceText::new("--ctl", formula)),
        }],
        ..ParseOptions::default()
    };
    let (model, diagnostics) = mandala_promela::load(&mut sources, file, &options);
    let said: Vec<_> = diagnostics.iter().map(|d| d.one_line(&sources)).collect();
    let model = model.unwrap_or_else(|| panic!("{said:?}\n{formula}"));
    let model = verify(model);
    let model = model.unwrap_or_else(|e| panic!("{e:?}"));
    Loaded { model, sources }
}

/// A model in Murphi.
pub fn load_murphi(text: &str, defines: &[&str]) -> Loaded {
    let Loaded { model, sources } = load_rules(text, defines);
    let model = written_out(model).expect("a small model");
    Loaded { model, sources }
}

/// A Murphi model as it is, with parameters, loops and calls.
pub fn load_rules(text: &str, defines: &[&str]) -> Loaded {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("model.m", text));
    let mut options = mandala_murphi::ParseOptions::default();
    defines.iter().for_each(|d| options.define(d));
    let (model, diagnostics) = mandala_murphi::load(&mut sources, file, &options);
    let said: Vec<_> = diagnostics.iter().map(|d| d.one_line(&sources)).collect();
    let model = model.unwrap_or_else(|| panic!("{said:?}\n{text}"));
    let model = verify(model);
    let model = model.unwrap_or_else(|e| panic!("{e:?}"));
    Loaded { model, sources }
}

/// One of the models that come with the project.
pub fn bundled(name: &str, defines: &[&str]) -> Loaded {
    load(&bundled_text(name), defines)
}

pub fn bundled_text(name: &str) -> String {
    let root = env!("CARGO_MANIFEST_DIR");
    let path = format!("{root}/../../models/{name}/{name}.pml");
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

impl Loaded {
    pub fn template(&self, name: &str) -> TemplateId {
        let position = self.model.templates.iter().position(|t| t.name == name);
        TemplateId::from(position.unwrap_or_else(|| panic!("no template `{name}`")))
    }

    pub fn candidate(&self, families: &[(&str, &[u32])]) -> Candidate {
        let family = |(name, numbers): &(&str, &[u32])| Family {
            template: self.template(name),
            numbers: numbers.to_vec(),
        };
        Candidate {
            families: families.iter().map(family).collect(),
            ..Candidate::default()
        }
    }

    /// The observers of the first property that is a claim and the first that is about events.
    pub fn observers(&self) -> Observers {
        let mut observers = Observers::default();
        let is_bare = |o: &Observers| o.claim.is_none() && o.asked.is_none();
        for (id, property) in (0..).map(PropertyId).zip(&self.model.properties) {
            match &property.kind {
                PropertyKind::Never { .. } | PropertyKind::NoRun(_) if is_bare(&observers) => {
                    observers.claim = self.model.claim_of(id);
                }
                PropertyKind::Ctl { .. } if is_bare(&observers) => observers.asked = Some(id),
                PropertyKind::Events { observer } => {
                    observers.events.get_or_insert(*observer);
                }
                PropertyKind::Never { .. }
                | PropertyKind::NoRun(_)
                | PropertyKind::Ctl { .. }
                | PropertyKind::Invariant { .. }
                | PropertyKind::Cover { .. }
                | PropertyKind::Remark { .. }
                | PropertyKind::Query { .. }
                | PropertyKind::Reachable { .. } => {}
            }
        }
        observers
    }

    pub fn certify(&self, families: &[(&str, &[u32])]) -> Result<Certificate, Vec<Breach>> {
        certify(&self.model, self.observers(), &self.candidate(families))
    }

    /// What the processes are instances of in the first state, on the way of least choices, after which
    /// no more are made for a while.
    pub fn census(&self) -> Vec<TemplateId> {
        let interpreter = Interpreter::new(&self.model, Observers::default());
        let mut at = interpreter.start().expect("a start");
        let mut most = Vec::new();
        for _ in 0..100 {
            let processes = at.state.processes.iter().map(|p| p.template);
            let processes: Vec<TemplateId> = processes.collect();
            if processes.len() > most.len() {
                most = processes;
            }
            let chains = interpreter.macro_steps(&at);
            let next = chains.iter().filter_map(|c| c.successor());
            match next.max_by_key(|n| n.state.processes.len()) {
                Some(next) => at = next.clone(),
                None => break,
            }
        }
        most
    }

    /// The symmetry of any kind that is found without being told.
    pub fn symmetry(&self) -> Symmetry {
        let budget = ProofBudget::of_steps(200_000_000);
        detect(&self.model, self.observers(), &self.census(), &budget)
    }

    /// The group that is found must have that order, and brute force must agree.
    #[track_caller]
    pub fn has_order(&self, order: u64) -> Symmetry {
        let found = self.symmetry();
        let refused = found.refused.iter();
        let refused = refused.map(|(g, b)| format!("{g:?}: {}", self.reasons(b)));
        let refused: Vec<String> = refused.collect();
        let domains = found.domains.refused.iter();
        let domains = domains.map(|r| format!("{}: {}", r.label, self.reasons(&r.breaches)));
        let domains: Vec<String> = domains.collect();
        let Some(certificate) = &found.certificate else {
            assert_eq!(order, 1, "{refused:#?} {domains:#?} {:?}", found.graph);
            return found;
        };
        let got = certificate.order().to_string();
        let group = certificate.group().expect("renamings keep to domains");
        assert_eq!(group.order(), certificate.order());
        assert_eq!(
            got,
            order.to_string(),
            "{refused:#?} {domains:#?} {:?}",
            found.graph
        );
        match judge_group(self, certificate, 1_500) {
            Judgement::Symmetric { checks, .. } => assert!(checks > 0),
            Judgement::Asymmetric(state) => panic!("{state}"),
        }
        found
    }

    /// What is found without being told.
    pub fn detect(&self) -> Detected {
        let proposals = propose(
            &self.model,
            self.observers(),
            &self.census(),
            &ProofBudget::unlimited(),
        );
        largest(
            &self.model,
            self.observers(),
            &proposals,
            &ProofBudget::unlimited(),
        )
    }

    /// The domains of a certificate in short, sorted, with a star at those that begin later.
    pub fn summary(&self, certificate: &Certificate) -> Vec<String> {
        let one = |domain: &Domain| {
            let star = if domain.settled.is_empty() { "" } else { "*" };
            match &domain.kind {
                DomainKind::Processes { template, numbers } => {
                    let name = &self.model.template(*template).name;
                    format!("{name} x{}{star}", numbers.len())
                }
                DomainKind::Names {
                    label, first, size, ..
                } => {
                    format!("{label} {first}..{}{star}", first + i64::from(*size) - 1)
                }
            }
        };
        let mut all: Vec<String> = certificate.domains().iter().map(one).collect();
        all.sort();
        all
    }

    /// What is found must be these domains, and brute force must agree.
    #[track_caller]
    pub fn finds(&self, expected: &[&str]) -> Certificate {
        let detected = self.detect();
        let reasons = detected.refused.iter();
        let reasons = reasons.map(|r| format!("{}: {}", r.label, self.reasons(&r.breaches)));
        let reasons: Vec<String> = reasons.collect();
        let Some(certificate) = detected.certificate else {
            panic!("{reasons:#?}");
        };
        assert_eq!(self.summary(&certificate), expected, "{reasons:#?}");
        match judge_certificate(self, &certificate, 1_500) {
            Judgement::Symmetric { checks, .. } => assert!(checks > 0),
            Judgement::Asymmetric(state) => panic!("{state}"),
        }
        certificate
    }

    pub fn reasons(&self, breaches: &[Breach]) -> String {
        let lines: Vec<_> = breaches.iter().map(|b| b.describe(&self.sources)).collect();
        lines.join("\n")
    }
}

/// A step as it counts: where it leads and what went wrong.
type Outcome = (Option<Configuration>, Vec<String>);

/// What brute force finds.
#[derive(Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Every exchange maps steps to steps in every state looked at.
    Symmetric { states: usize, checks: usize },
    /// There is a state where one does not.
    Asymmetric(String),
}

/// Domains of the processes of families, always settled.
pub fn families(candidate: &Candidate) -> Vec<Domain> {
    let domain = |family: &Family| Domain {
        kind: DomainKind::Processes {
            template: family.template,
            numbers: family.numbers.clone(),
        },
        settled: Vec::new(),
        residents: Vec::new(),
    };
    candidate.families.iter().map(domain).collect()
}

/// Looks at up to `limit` states and asks, for every exchange of neighbours in a family whose members are
/// there, whether the image of the state does the images of its steps.
pub fn judge(loaded: &Loaded, sorts: &Sorts, candidate: &Candidate, limit: usize) -> Judgement {
    judge_domains(loaded, sorts, &families(candidate), limit)
}

/// The same for what a certificate says.
pub fn judge_certificate(loaded: &Loaded, certificate: &Certificate, limit: usize) -> Judgement {
    judge_domains(loaded, certificate.sorts(), certificate.domains(), limit)
}

/// The same for any domains, in the states in which they are settled; and whether these stay settled.
pub fn judge_domains(
    loaded: &Loaded,
    sorts: &Sorts,
    domains: &[Domain],
    limit: usize,
) -> Judgement {
    judge_moves(loaded, sorts, domains, limit, |state| {
        exchanges(domains, state)
    })
}

/// The same for all that a certificate says, whether its domains are full or not.
pub fn judge_group(loaded: &Loaded, certificate: &Certificate, limit: usize) -> Judgement {
    let domains = certificate.domains();
    let (model, sorts) = (&loaded.model, certificate.sorts());
    let action = Action::new(model, sorts);
    judge_moves(loaded, sorts, domains, limit, |state| {
        let mut moves = Vec::new();
        for (number, domain) in domains.iter().enumerate() {
            if domain.is_settled(state) {
                moves.extend(certificate.generators_of(number));
            }
        }
        if domains.iter().all(|d| d.is_settled(state)) {
            moves.extend(certificate.renamings().iter().cloned());
        }
        moves.retain(|g| action.apply(g, state).is_some());
        moves
    })
}

/// The same for any renamings.
pub fn judge_moves(
    loaded: &Loaded,
    sorts: &Sorts,
    domains: &[Domain],
    limit: usize,
    moves: impl Fn(&State) -> Vec<Renaming>,
) -> Judgement {
    let interpreter = Interpreter::new(&loaded.model, loaded.observers());
    let action = Action::new(&loaded.model, sorts);
    let start = interpreter.start().expect("a start");
    let mut outcomes = HashMap::new();
    let mut seen = HashSet::from([start.clone()]);
    let mut open = VecDeque::from([start]);
    let mut checks = 0;
    while let Some(at) = open.pop_front() {
        for exchange in moves(&at.state) {
            let image = moved(&action, &exchange, &at);
            let ours: HashSet<Outcome> = steps(&interpreter, &at, &mut outcomes)
                .into_iter()
                .map(|(next, wrong)| (next.map(|n| moved(&action, &exchange, &n)), wrong))
                .collect();
            let theirs: HashSet<Outcome> = steps(&interpreter, &image, &mut outcomes)
                .into_iter()
                .collect();
            let here = interpreter.verdict_here(&at).map(|v| kind(&v));
            let there = interpreter.verdict_here(&image).map(|v| kind(&v));
            checks += 1;
            if ours != theirs || here != there {
                return Judgement::Asymmetric(format!("{exchange:?} at {at:?}"));
            }
        }
        for (next, _) in steps(&interpreter, &at, &mut outcomes) {
            let Some(next) = next else { continue };
            for domain in domains {
                if domain.is_settled(&at.state) && !domain.is_settled(&next.state) {
                    return Judgement::Asymmetric(format!("{domain:?} ends at {at:?}"));
                }
            }
            if seen.len() < limit && seen.insert(next.clone()) {
                open.push_back(next);
            }
        }
        outcomes.clear();
    }
    Judgement::Symmetric {
        states: seen.len(),
        checks,
    }
}

/// The exchanges of neighbours that may be applied to a state.
pub fn exchanges(domains: &[Domain], state: &State) -> Vec<Renaming> {
    let mut all = Vec::new();
    for domain in domains {
        let settled = domain.is_settled(state);
        match &domain.kind {
            DomainKind::Processes { template, numbers } => {
                let lives = |n: &u32| {
                    let process = state.processes.get(*n as usize);
                    settled && process.is_some_and(|p| p.template == *template)
                };
                let live: Vec<u32> = numbers.iter().copied().filter(lives).collect();
                let pairs = live.windows(2).map(|w| Permutation::swap(w[0], w[1]));
                all.extend(pairs.map(Renaming::of_processes));
            }
            DomainKind::Names { .. } if settled => all.extend(domain.kind.exchanges()),
            DomainKind::Names { .. } => {}
        }
    }
    all
}

fn moved(action: &Action<'_>, swap: &Renaming, at: &Configuration) -> Configuration {
    Configuration {
        state: action.apply(swap, &at.state).expect("both are there"),
        turn: Action::turn(swap, at.turn),
    }
}

fn steps(
    interpreter: &Interpreter<'_>,
    at: &Configuration,
    known: &mut HashMap<Configuration, Vec<Outcome>>,
) -> Vec<Outcome> {
    if let Some(outcomes) = known.get(at) {
        return outcomes.clone();
    }
    let chains = interpreter.macro_steps(at);
    let outcomes: Vec<Outcome> = chains.iter().map(outcome).collect();
    known.insert(at.clone(), outcomes.clone());
    outcomes
}

fn outcome(chain: &MacroStep) -> Outcome {
    let last = chain.steps.last().expect("at least one");
    let wrong: BTreeSet<String> = last.violations.iter().map(kind).collect();
    (chain.successor().cloned(), wrong.into_iter().collect())
}

/// A violation without its place.
fn kind(violation: &Violation) -> String {
    match violation {
        Violation::Fault(fault) => {
            let text = format!("{:?}", fault.kind);
            text.split(' ').next().unwrap_or("").to_string()
        }
        other => {
            let text = format!("{other:?}");
            text.split(' ').next().unwrap_or("").to_string()
        }
    }
}
