//! What becomes of statements: brute force over the states has the last word.

use crate::common::{Loaded, bundled, load, load_rules};
use mandala_groups::Seeded;
use mandala_interpreter::{Configuration, Interpreter, MacroStep};
use mandala_model::ids::{EdgeId, TemplateId};
use mandala_model::step::{Actor, Observers};
use mandala_model::template::Edge;
use mandala_symmetry::{
    Action, ActionNumbers, Certificate, DomainKind, Followed, Permutation, ProofBudget, Renaming,
    Statements, derive, follow, passing,
};
use std::collections::{BTreeSet, HashSet, VecDeque};

/// How many states are looked at.
const STATES: usize = 400;

fn followed(loaded: &Loaded) -> Followed {
    let symmetry = loaded.symmetry();
    let certificate = symmetry.certificate.expect("a symmetry");
    let budget = ProofBudget::unlimited();
    follow(
        &loaded.model,
        loaded.observers(),
        &symmetry.candidate,
        &certificate,
        &budget,
    )
}

/// Somebody who looks at every step of some states.
struct Judge<'a> {
    loaded: &'a Loaded,
    statements: &'a Statements,
    numbers: ActionNumbers,
    /// The edges that no step begins with.
    hidden: BTreeSet<EdgeId>,
}

/// A step as it counts: where it leads, by which action it begins, and which actions take part that can begin one.
type Taken = (Option<Configuration>, Vec<u32>, BTreeSet<u32>);

impl<'a> Judge<'a> {
    fn new(loaded: &'a Loaded, statements: &'a Statements) -> Self {
        let (mut firsts, mut count) = (Vec::new(), 0);
        let mut hidden = BTreeSet::new();
        for (id, template) in (0..).map(TemplateId).zip(&loaded.model.templates) {
            let unseen = passing(&loaded.model, template);
            let edges = (0..).zip(&template.edges);
            let unseen = edges.filter(|(_, edge)| unseen.contains(&edge.source));
            hidden.extend(unseen.map(|(index, _)| EdgeId {
                template: id,
                index,
            }));
            let first = |edge: &Edge| {
                let first = count;
                count += edge.choices();
                first
            };
            firsts.push(template.edges.iter().map(first).collect());
        }
        Judge {
            loaded,
            statements,
            numbers: ActionNumbers { firsts, count },
            hidden,
        }
    }

    fn taken(&self, chain: &MacroStep) -> Taken {
        let mut taken = Vec::new();
        for step in &chain.steps {
            let own = match step.label.actor {
                Actor::Process(process) => Some((process, step.label.edge, step.label.choice)),
                Actor::Claim => None,
            };
            let partner = step.label.partner.map(|(process, edge)| (process, edge, 0));
            taken.extend(own.into_iter().chain(partner));
        }
        let number = |(process, edge, choice): &(u32, EdgeId, u32)| {
            let first = self.numbers.firsts[edge.template.index()][edge.index as usize];
            process * self.numbers.count + first + choice
        };
        let first = taken.iter().take(1).map(number).collect();
        let seen = taken
            .iter()
            .filter(|(_, edge, _)| !self.hidden.contains(edge));
        let all = seen.map(number).collect();
        (chain.successor().cloned(), first, all)
    }

    /// Whether the image of a state takes the images of all actions.
    fn agrees(&self, certificate: &Certificate, renaming: &Renaming, at: &Configuration) -> bool {
        let action = Action::new(&self.loaded.model, certificate.sorts());
        let moved = |at: &Configuration| Configuration {
            state: action.apply(renaming, &at.state).expect("all are there"),
            turn: Action::turn(renaming, at.turn),
        };
        let processes = at.state.processes.len() as u32;
        let images = self.statements.images(renaming, processes, &self.numbers);
        let images = images.expect("it is one of the group");
        let image = |action: &u32| images[*action as usize];
        let interpreter = Interpreter::new(&self.loaded.model, Observers::default());
        let ours = interpreter.macro_steps(at).into_iter().map(|chain| {
            let (next, first, all) = self.taken(&chain);
            let first: Vec<u32> = first.iter().map(image).collect();
            (
                next.as_ref().map(moved),
                first,
                all.iter().map(image).collect(),
            )
        });
        let theirs = interpreter.macro_steps(&moved(at)).into_iter();
        let theirs: HashSet<Taken> = theirs.map(|chain| self.taken(&chain)).collect();
        ours.collect::<HashSet<Taken>>() == theirs
    }

    /// Looks at some states with generators and with products of them.
    fn judge(&self, certificate: &Certificate) -> Result<usize, String> {
        let interpreter = Interpreter::new(&self.loaded.model, Observers::default());
        let action = Action::new(&self.loaded.model, certificate.sorts());
        let start = interpreter.start().expect("a start");
        let mut seen = HashSet::from([start.clone()]);
        let mut open = VecDeque::from([start]);
        let mut renamings = certificate.generators();
        renamings.extend(products(certificate));
        let mut checks = 0;
        while let Some(at) = open.pop_front() {
            let mut domains = certificate.domains().iter();
            let settled = domains.all(|domain| domain.is_settled(&at.state));
            let fits = |r: &&Renaming| settled && action.apply(r, &at.state).is_some();
            for renaming in renamings.iter().filter(fits) {
                checks += 1;
                if !self.agrees(certificate, renaming, &at) {
                    return Err(format!("{renaming:?} at {at:?}"));
                }
            }
            for chain in interpreter.macro_steps(&at) {
                let Some(next) = chain.successor() else {
                    continue;
                };
                if seen.len() < STATES && seen.insert(next.clone()) {
                    open.push_back(next.clone());
                }
            }
        }
        Ok(checks)
    }
}

/// Some elements of the group.
fn products(certificate: &Certificate) -> Vec<Renaming> {
    let group = certificate.group().expect("renamings keep to domains");
    let mut random = Seeded::new(7);
    let element = |_| renaming(certificate, group.random_element(&mut random).images());
    (0..6).map(element).collect()
}

/// The renaming that does that to the members of the domains.
fn renaming(certificate: &Certificate, images: &[u32]) -> Renaming {
    let mut processes: Vec<u32> = (0..256).collect();
    let mut names = Vec::new();
    let mut rest = images;
    let mut first = 0;
    for domain in certificate.domains() {
        let (own, others) = rest.split_at(domain.kind.size());
        let own: Vec<u32> = own.iter().map(|image| image - first).collect();
        match &domain.kind {
            DomainKind::Processes { numbers, .. } => {
                for (number, image) in numbers.iter().zip(&own) {
                    processes[*number as usize] = numbers[*image as usize];
                }
            }
            DomainKind::Names { .. } => names.extend(Permutation::from_images(own)),
        }
        first += domain.kind.size() as u32;
        rest = others;
    }
    let processes = Permutation::from_images(processes).expect("a permutation");
    Renaming::new(processes, names)
}

#[track_caller]
fn is_right(loaded: &Loaded, followed: &Followed) {
    let certificate = followed.certificate.as_ref().expect("something is left");
    let judge = Judge::new(loaded, &followed.statements);
    let checks = judge.judge(certificate).unwrap_or_else(|e| panic!("{e}"));
    assert!(checks > 0);
}

/// In all these models nothing is lost. In some, statements are exchanged.
#[test]
fn statements_of_bundled_models_are_followed() {
    let models: [(&str, &[&str], bool); 14] = [
        ("peterson", &["N=3"], false),
        ("mutex", &["N=3"], false),
        ("readers-writers", &["R=2", "W=2"], false),
        ("load-balancer", &["S=2", "C=2"], false),
        ("email", &["N=3"], false),
        ("philosophers", &["N=3"], false),
        ("milner", &["N=3"], false),
        ("leader-ring", &["N=3"], false),
        ("hypercube", &["D=2"], true),
        ("three-tier", &["C1=2", "C2=2"], false),
        ("token-ring", &["N=3"], true),
        ("two-hop", &["N=3"], true),
        ("hanoi", &[], false),
        ("mcs-lock", &[], false),
    ];
    for (name, defines, exchanges) in models {
        let loaded = bundled(name, defines);
        let before = loaded.symmetry().certificate.expect("a symmetry").order();
        let found = followed(&loaded);
        let lost = loaded.reasons(&found.lost);
        let order = found.certificate.as_ref().map(Certificate::order);
        is_right(&loaded, &found);
        assert_eq!(order, Some(before), "{name}: {lost}");
        assert_eq!(found.statements.exchanges_edges(), exchanges, "{name}");
    }
}

/// Rules stay rules: a renaming makes of an instance the one with renamed parameters, and its edge stays.
#[test]
fn instances_of_rules_follow_from_types() {
    let models: [(&str, &str, &[&str]); 4] = [
        ("german", "german", &["N=3", "D=2"]),
        ("two-phase-commit", "two-phase-commit", &["N=3"]),
        ("mcs-lock", "mcs-lock-union", &["N=3"]),
        ("leader-complete", "leader-complete", &["N=3"]),
    ];
    for (folder, name, defines) in models {
        let root = env!("CARGO_MANIFEST_DIR");
        let path = format!("{root}/../../models/{folder}/{name}.m");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        let loaded = load_rules(&text, defines);
        let derived = derive(&loaded.model, Observers::default());
        let certificate = derived
            .certificate
            .expect("scalarsets that keep their promise");
        let statements = Statements::derived(&loaded.model, &certificate, Some);
        let found = Followed {
            statements: statements.expect("a derivation says what is chosen"),
            certificate: Some(certificate),
            lost: Vec::new(),
        };
        is_right(&loaded, &found);
        let moved = Judge::new(&loaded, &found.statements);
        let certificate = found.certificate.as_ref().expect("it was proven");
        let moved = certificate.generators().into_iter().any(|renaming| {
            let images = found.statements.images(&renaming, 1, &moved.numbers);
            images.is_some_and(|images| !images.into_iter().eq(0..moved.numbers.count))
        });
        assert!(moved, "{name}: some rule is about one of several");
    }
}

/// One branch for each name: the exchange of names exchanges branches.
#[test]
fn branches_for_names_are_exchanged() {
    let loaded = load(
        "byte at; bit moved;
         active proctype P() { do
         :: d_step { moved = (at != 0); at = 0 }
         :: d_step { moved = (at != 1); at = 1 }
         :: d_step { moved = (at != 2); at = 2 }
         od }",
        &[],
    );
    let found = followed(&loaded);
    assert!(found.lost.is_empty() && found.statements.exchanges_edges());
    let order = found.certificate.as_ref().map(|c| c.order().to_string());
    assert_eq!(order.as_deref(), Some("6"));
    is_right(&loaded, &found);
    let cycle = Permutation::from_images(vec![1, 2, 0]).expect("a permutation");
    let cycle = Renaming::of_names(0, cycle);
    let numbers = ActionNumbers {
        firsts: vec![vec![0, 1, 2]],
        count: 3,
    };
    let images = found.statements.images(&cycle, 1, &numbers);
    let images = images.expect("one of the group");
    assert_eq!(images[..3], [1, 2, 0]);
    // It says nothing of what it does not know.
    let stranger = Renaming::of_processes(Permutation::swap(0, 1));
    assert_eq!(found.statements.images(&stranger, 1, &numbers), None);
}

/// All branches together do what all of them do renamed, but no branch does what one of them does: that is a symmetry, but no statement
/// can be followed.
#[test]
fn what_is_not_one_statement_is_given_up() {
    let loaded = load(
        "byte at; bit moved;
         active proctype P() { do
         :: atomic { moved = 0; if :: at = 0 :: at = 1 fi }
         :: atomic { moved = 0; if :: at = 2 :: at = 3 fi }
         od }",
        &[],
    );
    let before = loaded.symmetry().certificate.expect("a symmetry");
    let found = followed(&loaded);
    let order = found.certificate.as_ref().map(Certificate::order);
    assert!(order.is_none_or(|order| order < before.order()));
    assert!(loaded.reasons(&found.lost).contains("not one statement"));
}

/// Statements that do the same may be exchanged or not.
#[test]
fn statements_that_do_the_same_are_all_alike() {
    let loaded = load(
        "byte at; bit moved;
         active [2] proctype P() { do
         :: d_step { moved = (at != 1); at = 1 }
         :: d_step { moved = (at != 0); at = 0 }
         :: d_step { moved = (at != 0); at = 0 }
         :: d_step { moved = (at != 1); at = 1 }
         od }",
        &[],
    );
    let found = followed(&loaded);
    is_right(&loaded, &found);
    assert!(found.lost.is_empty());
}
