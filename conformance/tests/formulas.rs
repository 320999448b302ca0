//! Formulas of temporal logic beside models in Murphi and pointer automata: what is known of the models, what other words for the same
//! question say, and random formulas. All engines have to agree, with symmetry and without, and every run that is shown is replayed.
//!
//! [`Dose`] says how many random ones and from which seed on.
#![allow(clippy::print_stdout)]

use mandala_checker::frontend::LoadedModel;
use mandala_checker::options::Choice;
use mandala_conformance::dose::Dose;
use mandala_conformance::forever::{self, Fairness, Manner, Opinion, STATED};
use mandala_conformance::random::RandomSource;
use mandala_conformance::{branching, formula, promises, red};
use mandala_model::stated::StatedForm::{self, AlwaysPossible, Ctl, Ltl};
use std::path::Path;

/// How many states a model may have.
const STATES: u64 = 20_000;

/// How many answers about random models a usual dose has.
const USUAL: u64 = 100;

/// A bundled model with some settings.
struct Subject {
    path: &'static str,
    defines: &'static [&'static str],
}

const MCS: Subject = Subject {
    path: "mcs-lock/mcs-lock.red",
    defines: &["N=2"],
};

/// Who waits has not made itself known, so nobody hands over.
const UNKNOWN: Subject = Subject {
    defines: &["N=2", "BUG=2"],
    ..MCS
};

/// Who waits does not wait.
const IMPATIENT: Subject = Subject {
    defines: &["N=2", "BUG=1"],
    ..MCS
};

const CYCLE: Subject = Subject {
    path: "double-cycle/double-cycle.red",
    defines: &["N=3"],
};

const COMMIT: Subject = Subject {
    path: "two-phase-commit/two-phase-commit.m",
    defines: &["N=2"],
};

/// Commits before everybody has voted.
const HASTY: Subject = Subject {
    defines: &["N=2", "BUG=1"],
    ..COMMIT
};

const PETERSON: Subject = Subject {
    path: "peterson/peterson.m",
    defines: &["N=3"],
};

const GERMAN: Subject = Subject {
    path: "german/german.m",
    defines: &["N=2", "D=1"],
};

impl Subject {
    fn load(&self, form: StatedForm, property: &str) -> LoadedModel {
        let path = promises::folder().join(self.path);
        let text = std::fs::read_to_string(&path).expect("the model is there");
        forever::load_stated(&path, &text, self.defines, (form, property))
            .unwrap_or_else(|why| panic!("{}: {property}: {why}", self.path))
    }

    /// Whether the property is violated, as all say.
    fn violated(&self, form: StatedForm, property: &str, fairness: Fairness) -> bool {
        let loaded = self.load(form, property);
        let asked = format!("{} {:?} {property}", self.path, self.defines);
        let answer = unanimous(&loaded, fairness, &MANNERS);
        let answer = answer.unwrap_or_else(|why| panic!("{asked}: {why}"));
        answer.unwrap_or_else(|| panic!("{asked}: there is no answer"))
    }
}

const MANNERS: [Manner; 3] = [Manner::PLAIN, Manner::USUAL, Manner::REFERENCE];

/// Whether the property is violated, if anybody can tell.
///
/// # Errors
///
/// Who says something else, or what goes wrong.
fn unanimous(
    loaded: &LoadedModel,
    fairness: Fairness,
    manners: &[Manner],
) -> Result<Option<bool>, String> {
    let mut first: Option<(Manner, bool)> = None;
    for &manner in manners {
        let opinion = forever::ask(loaded, STATED, manner, fairness, STATES)?;
        let Some(violated) = opinion.violated() else {
            continue;
        };
        match first {
            None => first = Some((manner, violated)),
            Some((_, known)) if known == violated => {}
            Some((other, _)) => {
                return Err(format!(
                    "{fairness:?}: {manner:?} says {opinion:?}, {other:?} does not"
                ));
            }
        }
    }
    Ok(first.map(|(_, violated)| violated))
}

#[track_caller]
fn holds(subject: &Subject, form: StatedForm, property: &str, fairness: Fairness) {
    let violated = subject.violated(form, property, fairness);
    assert!(
        !violated,
        "{} {:?}: {property}",
        subject.path, subject.defines
    );
}

#[track_caller]
fn fails(subject: &Subject, form: StatedForm, property: &str, fairness: Fairness) {
    let violated = subject.violated(form, property, fairness);
    assert!(
        violated,
        "{} {:?}: {property}",
        subject.path, subject.defines
    );
}

const EXCLUSION: &str = "not exists i, j: i < j and critical[i] and critical[j]";

#[test]
fn a_lock_excludes_and_can_always_be_given_back() {
    holds(&MCS, Ctl, &format!("AG {EXCLUSION}"), Fairness::Off);
    holds(&MCS, Ltl, &format!("[] {EXCLUSION}"), Fairness::Off);
    fails(&IMPATIENT, Ctl, &format!("AG ({EXCLUSION})"), Fairness::Off);
    fails(&IMPATIENT, Ltl, &format!("[] ({EXCLUSION})"), Fairness::Off);
    holds(&MCS, Ctl, "AG EF (forall i: idle[i])", Fairness::Off);
    holds(&MCS, Ctl, "AG (wait[1] => EF critical[1])", Fairness::Off);
    fails(&UNKNOWN, Ctl, "AG EF (forall i: idle[i])", Fairness::Off);
    holds(&MCS, Ctl, "forall i: EF critical[i]", Fairness::Off);
    holds(&MCS, Ctl, "E[not critical[1] U critical[2]]", Fairness::Off);
    fails(&MCS, Ctl, "A[not critical[1] U critical[2]]", Fairness::Off);
    holds(
        &MCS,
        Ctl,
        "EX swap[1] and AX exists i: swap[i]",
        Fairness::Off,
    );
}

#[test]
fn who_waits_for_a_lock_gets_it_if_everybody_has_a_turn() {
    let answered = "[] (wait[1] => <> critical[1])";
    fails(&MCS, Ltl, answered, Fairness::Off);
    holds(&MCS, Ltl, answered, Fairness::Weak);
    holds(&MCS, Ltl, answered, Fairness::Strong);
    holds(
        &MCS,
        Ltl,
        "forall i: [] (wait[i] => <> critical[i])",
        Fairness::Weak,
    );
    holds(
        &MCS,
        Ctl,
        "forall i: AG (wait[i] => AF critical[i])",
        Fairness::Weak,
    );
    fails(&MCS, Ctl, "AG (wait[1] => AF critical[1])", Fairness::Off);
    fails(
        &UNKNOWN,
        Ltl,
        "[] (wait[1] => <> critical[1])",
        Fairness::Strong,
    );
    holds(&MCS, Ltl, "not critical[1] W swap[1]", Fairness::Off);
    holds(&MCS, Ltl, "X swap[1] or X idle[1]", Fairness::Off);
}

#[test]
fn a_cycle_is_never_closed_to_newcomers() {
    let emptied = "AG EF (tail == NULL)";
    holds(&CYCLE, Ctl, emptied, Fairness::Off);
    fails(&CYCLE, Ltl, "[]<> (tail == NULL)", Fairness::Off);
    holds(&CYCLE, Ltl, "tail == NULL", Fairness::Off);
}

/// Every round of the protocol has an end, whoever moves: each participant votes once, is heard once and learns the outcome once.
#[test]
fn commits_are_decided_again_and_again() {
    let all = |phase: &str| format!("forall p: Participant do member[p].phase = {phase} end");
    let mixed = "exists p: Participant; q: Participant do
        member[p].phase = COMMITTED & member[q].phase = ABORTED end";
    holds(&COMMIT, Ctl, &format!("AG !({mixed})"), Fairness::Off);
    holds(&COMMIT, Ltl, &format!("[] !({mixed})"), Fairness::Off);
    fails(&HASTY, Ctl, &format!("AG !({mixed})"), Fairness::Off);
    fails(&HASTY, Ltl, &format!("[] !({mixed})"), Fairness::Off);
    holds(
        &COMMIT,
        Ctl,
        &format!("AG EF ({})", all("COMMITTED")),
        Fairness::Off,
    );
    holds(
        &COMMIT,
        Ctl,
        &format!("AG EF ({})", all("WORKING")),
        Fairness::Off,
    );
    holds(
        &COMMIT,
        Ltl,
        "[] <> isundefined(decision) & []<> !isundefined(decision)",
        Fairness::Off,
    );
    // Nobody has to vote yes, and somebody always may lose patience.
    fails(
        &COMMIT,
        Ltl,
        &format!("<> ({})", all("COMMITTED")),
        Fairness::Off,
    );
    holds(
        &COMMIT,
        Ctl,
        &format!("EG !({})", all("COMMITTED")),
        Fairness::Off,
    );
    let each = "forall p: Participant do AG EF member[p].phase = COMMITTED end";
    holds(&COMMIT, Ctl, each, Fairness::Off);
}

/// All rules are of one process, which is never passed over: only fairness to rules says something. Without it two processes may go in and out
/// for ever while the third one has not signed.
#[test]
fn fairness_in_a_system_of_rules_is_fairness_to_rules() {
    let served = "forall p: Process do [] (floor[p] = 1 -> <> floor[p] = N) end";
    fails(&PETERSON, Ltl, served, Fairness::Off);
    fails(&PETERSON, Ltl, served, Fairness::Weak);
    fails(&PETERSON, Ltl, served, Fairness::Strong);
    holds(&PETERSON, Ltl, served, Fairness::WeakAction);
    holds(&PETERSON, Ltl, served, Fairness::StrongAction);
    let each = "forall p: Process do AG (floor[p] = 1 -> AF floor[p] = N) end";
    holds(&PETERSON, Ctl, each, Fairness::WeakAction);
    fails(&PETERSON, Ctl, each, Fairness::Weak);
}

#[test]
fn a_cache_can_always_get_the_line() {
    let one = "exists c: Cache do line[c].right = EXCLUSIVE end";
    holds(&GERMAN, Ctl, &format!("AG EF ({one})"), Fairness::Off);
    holds(&GERMAN, Ctl, &format!("AG EF !({one})"), Fairness::Off);
    // A cache whose copy is shared can do nothing but ask for an exclusive one, but nobody has to ask for a copy at all.
    holds(&GERMAN, Ltl, &format!("<> ({one})"), Fairness::Off);
    let each = "forall c: Cache do <> line[c].right = EXCLUSIVE end";
    fails(&GERMAN, Ltl, each, Fairness::Off);
}

/// A formula about each process names none: the claim chooses one, or one for each quantifier, and what is left can be exchanged.
#[test]
fn a_formula_about_each_keeps_the_symmetry() {
    let lock = Subject {
        defines: &["N=3"],
        ..MCS
    };
    let cases = [
        (&lock, "forall i: [] (wait[i] => <> critical[i])"),
        (
            &MCS,
            "forall i, j: [] (i == j or not critical[i] or not critical[j])",
        ),
        (
            &COMMIT,
            "forall p: Participant do []<> member[p].phase = WORKING end",
        ),
        (
            &COMMIT,
            "forall p: Participant; q: Participant do
                [] !(member[p].phase = COMMITTED & member[q].phase = ABORTED) end",
        ),
        (
            &GERMAN,
            "forall c: Cache do [] (line[c].right = EXCLUSIVE -> <> line[c].right != EXCLUSIVE) end",
        ),
    ];
    for (subject, formula) in cases {
        let loaded = subject.load(Ltl, formula);
        let ask = |manner| {
            let opinion = forever::ask(&loaded, STATED, manner, Fairness::Off, STATES);
            opinion.unwrap_or_else(|why| panic!("{formula}: {why}"))
        };
        let (usual, plain) = (ask(Manner::USUAL), ask(Manner::PLAIN));
        assert!(usual.is_reduced(), "{formula}: {usual:?}");
        assert_eq!(usual.violated(), plain.violated(), "{formula}");
        assert!(usual.violated().is_some(), "{formula}: {usual:?}");
    }
}

/// A model, how to say that something holds for each or for some of its names, and conditions about one of them.
type Named = (
    &'static Subject,
    fn(&str) -> String,
    fn(&str) -> String,
    &'static [&'static str],
);

const NAMED: [Named; 3] = [
    (
        &MCS,
        |body| format!("forall i: ({body})"),
        |body| format!("not (exists i: not ({body}))"),
        &["(wait[i])", "(critical[i])", "(next[i] == NULL)"],
    ),
    (
        &COMMIT,
        |body| format!("forall p: Participant do {body} end"),
        |body| format!("!(exists p: Participant do !({body}) end)"),
        &[
            "(member[p].phase = WORKING)",
            "(member[p].collected)",
            "(isundefined(member[p].vote))",
            "(isundefined(decision))",
        ],
    ),
    (
        &PETERSON,
        |body| format!("forall p: Process do {body} end"),
        |body| format!("!(exists p: Process do !({body}) end)"),
        &["(floor[p] = 1)", "(floor[p] = N)", "(floor[p] = 0)"],
    ),
];

/// In front of a formula, `forall` is a choice of the claim. In other words the formula is written out, and says the same.
#[test]
fn what_holds_for_each_fails_for_none() {
    let dose = Dose::of("formulas about each of several", USUAL / 3);
    let mut violated = 0;
    for seed in dose.seeds() {
        let (subject, each, none, conditions) = NAMED[seed as usize % NAMED.len()];
        let conditions: Vec<String> = conditions.iter().map(ToString::to_string).collect();
        let mut dice = RandomSource::new(seed ^ 0x4541_4348);
        let body = formula::random(&mut dice, &conditions, formula::Next::Allowed);
        let implies = if subject.path.ends_with("red") {
            "=>"
        } else {
            "->"
        };
        let body = in_words(&body.to_string(), implies);
        let fairness = dice.pick(&[Fairness::Off, Fairness::WeakAction]);
        let chosen = subject.violated(Ltl, &each(&body), fairness);
        let written_out = subject.violated(Ltl, &none(&body), fairness);
        assert_eq!(chosen, written_out, "seed {seed}: {fairness:?}: {body}");
        violated += u64::from(chosen);
    }
    assert!(violated > 0 && violated < dose.size);
    assert!(!dose.is_large || (violated * 10 > dose.size && violated * 10 < dose.size * 9));
}

/// The same questions in other words.
#[test]
fn what_is_possible_and_what_is_a_risk_are_formulas_too() {
    let conditions: [(&Subject, &[&str]); 3] = [
        (
            &MCS,
            &[
                "critical[1] and wait[2]",
                "tail == NULL",
                "prev[1]->locked == 1",
                "false",
            ],
        ),
        (&UNKNOWN, &["forall i: idle[i]", "next[1]->critical"]),
        (
            &COMMIT,
            &[
                "isundefined(decision)",
                "!isundefined(decision) & decision = ABORT",
                "false",
            ],
        ),
    ];
    for (subject, conditions) in conditions {
        for condition in conditions {
            let always = subject.violated(AlwaysPossible, condition, Fairness::Off);
            let formula = format!("AG EF ({condition})");
            let ctl = subject.violated(Ctl, &formula, Fairness::Off);
            assert_eq!(always, ctl, "{condition}");
        }
    }
}

/// A risk that follows NULL is one, and so is a condition that must not be true where it has no value.
#[test]
fn a_risk_is_what_must_never_be() {
    let text = |risk: &str| {
        format!(
            "process count = 2; global pointer g; local pointer p; local discrete d: 0..2;
             mode a true {{ when d < 2 may d = d + 1; p = P; when d == 1 may g = P; }} risk {risk};"
        )
    };
    let risks = [
        ("d[1] == 3", false),
        ("d[1] == 2 and d[2] == 2", true),
        ("g->d == 1 and d[1] == 0 and d[2] == 0", true),
        ("p[1]->d == 2 and p[1] == 2", true),
        ("g != NULL and d[1] == 0 and d[2] == 0", false),
    ];
    for (risk, expected) in risks {
        let formulas = [
            (Ltl, format!("[] not ({risk})")),
            (Ctl, format!("AG not ({risk})")),
        ];
        for (form, formula) in formulas {
            let path = Path::new("risk.red");
            let loaded = forever::load_stated(path, &text(risk), &[], (form, &formula));
            let loaded = loaded.expect("it is right");
            for (property, limit) in [("risk", STATES), (STATED, STATES)] {
                let opinion = forever::ask(&loaded, property, Manner::USUAL, Fairness::Off, limit);
                let violated = opinion.expect("it is asked").violated();
                assert_eq!(violated, Some(expected), "{property}: {formula}");
            }
            assert_eq!(
                unanimous(&loaded, Fairness::Off, &MANNERS),
                Ok(Some(expected))
            );
        }
    }
}

/// The answer about a system of rules in some manner.
fn rules(text: &str, property: &str, manner: Manner, fairness: Fairness) -> Opinion {
    let loaded = forever::load_stated(Path::new("rules.m"), text, &[], (Ltl, property));
    let loaded = loaded.unwrap_or_else(|why| panic!("{property}: {why}"));
    let opinion = forever::ask(&loaded, STATED, manner, fairness, STATES);
    opinion.unwrap_or_else(|why| panic!("{property}: {manner:?}: {why}"))
}

/// Whichever element is chosen, the same rule with the element at another position is another rule: always to choose the one that is down is
/// fair to both. Positions are not told apart, so this can be said by nobody but the reference engine.
#[test]
fn fairness_to_rules_that_choose_elements_is_not_guessed() {
    let text = "type R: record k: 0..1; id: 0..1; end; var m: multiset[2] of R; bad: boolean;
        startstate var r: R; begin bad := false; undefine m; r.k := 0; r.id := 0; multisetadd(r, m);
            r.k := 1; r.id := 1; multisetadd(r, m); end;
        choose i: m do choose j: m do rule \"touch\" m[i].id != m[j].id ==> begin
            if m[i].k = 0 then m[i].k := 1; m[j].k := 0; else bad := true; end; end; end; end;";
    for fairness in [Fairness::WeakAction, Fairness::StrongAction] {
        let exact = rules(text, "<> bad", Manner::REFERENCE, fairness);
        assert_eq!(exact.violated(), Some(true));
        for manner in [Manner::PLAIN, Manner::USUAL] {
            let opinion = rules(text, "<> bad", manner, fairness);
            assert!(matches!(opinion, Opinion::NotAvailable(_)), "{opinion:?}");
        }
    }
}

/// One element goes, one comes and takes its name: everything is as before, but at other positions.
#[test]
fn a_cycle_may_come_back_with_elements_in_another_order() {
    let text = "type V: enum {A, B, C}; var m: multiset[3] of V; p: 0..2;
        startstate begin undefine m; p := 0; multisetadd(A, m); multisetadd(B, m); end;
        rule p = 0 ==> begin multisetadd(C, m); p := 1; end;
        choose i: m do
            rule p = 1 & m[i] = A ==> begin multisetremove(i, m); p := 2; end;
            rule p = 2 & m[i] = C ==> begin m[i] := A; p := 0; end;
        end;";
    let mut dice = RandomSource::new(0);
    let others = (0..6).map(|_| Manner::random(&mut dice));
    for manner in MANNERS.into_iter().chain(others) {
        for formula in ["<>[] p = 0", "forall v: V do <>[] (p = 0 & v = v) end"] {
            let opinion = rules(text, formula, manner, Fairness::Off);
            let is_right = opinion.violated().is_none_or(|violated| violated);
            assert!(is_right, "{manner:?}: {opinion:?}");
        }
    }
}

/// A claim that asks for an undefined value fails, however runs are looked for.
#[test]
fn an_undefined_value_is_a_violation_with_fairness_too() {
    let text = "var x: 0..2; y: 0..2; z: boolean;
        startstate x := 0; undefine y; z := false; end;
        rule x < 2 ==> x := x + 1; end;
        rule true ==> z := !z; end;";
    for fairness in Fairness::ALL {
        for manner in MANNERS {
            let opinion = rules(text, "<> (y = 1)", manner, *fairness);
            assert_eq!(opinion.violated(), Some(true), "{fairness:?}, {manner:?}");
        }
    }
}

#[derive(Debug, Default)]
struct Tally {
    agreed: u64,
    violated: u64,
}

impl Tally {
    /// Verdicts that are always the same would be the same everywhere.
    fn require(&self, dose: Dose) {
        let Tally { agreed, violated } = *self;
        assert!(violated > 0 && violated < agreed);
        assert!(!dose.is_large || (violated * 10 > agreed && violated * 10 < agreed * 9));
    }
}

/// Conditions about pointer automata, most of which are the same for all processes.
const RED: [&str; 8] = [
    "(exists i: one[i])",
    "(forall i: one[i] or level[i] < 2)",
    "(head == NULL)",
    "(head->level > 0)",
    "(exists i: next[i] == i)",
    "(exists i: next[i]->flag == 1)",
    "(two[1])",
    "(turn == 1 and prev[2] != NULL)",
];

#[test]
fn random_formulas_on_random_pointer_automata_have_one_answer() {
    let dose = Dose::of("random formulas on pointer automata", USUAL);
    let conditions: Vec<String> = RED.iter().map(ToString::to_string).collect();
    let mut tally = Tally::default();
    let mut seed = dose.first;
    while tally.agreed < dose.size {
        let text = red::model(seed);
        let mut dice = RandomSource::new(seed ^ 0x0052_4544);
        let property = random(&mut dice, &conditions, "=>");
        let path = Path::new("random.red");
        match forever::load_stated(path, &text, &[], (property.0, &property.1)) {
            Ok(loaded) => {
                let compared = compare(&loaded, &mut dice, 1_000, &mut tally);
                compared.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{property:?}\n{text}"));
            }
            Err(why) => assert!(
                why.contains("no state satisfies"),
                "seed {seed}: {why}\n{text}"
            ),
        }
        seed += 1;
    }
    println!("{} models: {tally:?}", seed - dose.first);
    tally.require(dose);
}

/// Conditions about two-phase commit and about Peterson's algorithm.
const COMMITTED: [&str; 5] = [
    "(isundefined(decision))",
    "(!isundefined(decision) & decision = COMMIT)",
    "(exists p: Participant do member[p].phase = ABORTED end)",
    "(forall p: Participant do member[p].collected end)",
    "(exists p: Participant do !isundefined(member[p].vote) & member[p].vote = NO end)",
];
const CLIMBING: [&str; 4] = [
    "(exists p: Process do floor[p] = 1 end)",
    "(forall p: Process do floor[p] = 0 end)",
    "(exists p: Process do floor[p] = N end)",
    "(isundefined(last[1]))",
];

#[test]
fn random_formulas_on_systems_of_rules_have_one_answer() {
    let dose = Dose::of("random formulas on systems of rules", USUAL);
    let subjects: [(&Subject, &[&str]); 3] = [
        (&COMMIT, &COMMITTED),
        (&HASTY, &COMMITTED),
        (&PETERSON, &CLIMBING),
    ];
    let mut tally = Tally::default();
    let mut seed = dose.first;
    while tally.agreed < dose.size {
        let (subject, conditions) = subjects[seed as usize % subjects.len()];
        let conditions: Vec<String> = conditions.iter().map(ToString::to_string).collect();
        let mut dice = RandomSource::new(seed ^ 0x4d55_5250);
        let (form, property) = random(&mut dice, &conditions, "->");
        let loaded = subject.load(form, &property);
        let compared = compare(&loaded, &mut dice, STATES, &mut tally);
        compared.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{property}"));
        seed += 1;
    }
    println!("{} formulas: {tally:?}", seed - dose.first);
    tally.require(dose);
}

/// A formula of either logic, with the sign for implication of the language.
fn random(dice: &mut RandomSource, conditions: &[String], implies: &str) -> (StatedForm, String) {
    let (form, text) = match dice.chance(50) {
        true => (Ctl, branching::random(dice, conditions)),
        false => {
            let formula = formula::random(dice, conditions, formula::Next::Allowed);
            (Ltl, formula.to_string())
        }
    };
    (form, in_words(&text, implies))
}

/// A formula with that sign for implication.
fn in_words(formula: &str, implies: &str) -> String {
    let text = formula.replace(" <-> ", " equivalent ");
    text.replace(" -> ", &format!(" {implies} "))
}

/// Asks in several manners about all runs, and about fair ones.
fn compare(
    loaded: &LoadedModel,
    dice: &mut RandomSource,
    limit: u64,
    tally: &mut Tally,
) -> Result<(), String> {
    let fairness = dice.pick(&[Fairness::Weak, Fairness::Strong, Fairness::WeakAction]);
    for fairness in [Fairness::Off, fairness] {
        let plain = forever::ask(loaded, STATED, Manner::PLAIN, fairness, limit)?;
        let Some(violated) = plain.violated() else {
            continue;
        };
        let manners = [
            Manner::USUAL,
            Manner::random(dice),
            Manner::USUAL.partly(),
            Manner::REFERENCE,
        ];
        for manner in manners {
            let opinion = forever::ask(loaded, STATED, manner, fairness, limit)?;
            let other = opinion.violated().is_some_and(|other| other != violated);
            let reference = manner == Manner::REFERENCE;
            let missing = reference && opinion.violated().is_none() && opinion != Opinion::TooLarge;
            if other || missing {
                return Err(format!("{fairness:?}: {plain:?}, {manner:?}: {opinion:?}"));
            }
        }
        tally.agreed += 1;
        tally.violated += u64::from(violated);
    }
    Ok(())
}
