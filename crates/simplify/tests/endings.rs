//! Models in which processes that have ended stay, compared with the models themselves state by state.

use crate::common::verified;
use mandala_interpreter::Interpreter;
use mandala_model::claim::Claim;
use mandala_model::ids::{PropertyId, TemplateId};
use mandala_model::property::PropertyKind;
use mandala_model::source::{SourceText, Sources};
use mandala_model::step::Observers;
use mandala_model::template::Step;
use mandala_model::verify::verify;
use mandala_model::{Model, State};
use mandala_promela::ParseOptions;
use mandala_simplify::{Endings, Runs, ends_among_others, keep_ended};
use std::collections::HashSet;

fn model(text: &str) -> Model {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("test.pml", text));
    let (model, diagnostics) = mandala_promela::load(&mut sources, file, &ParseOptions::default());
    let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
    verify(model).expect("the front end makes verified models")
}

/// All states that a search remembers, and those of them that are deadlocks.
fn states(model: &Model) -> (HashSet<State>, HashSet<State>) {
    let interpreter = Interpreter::new(model, Observers::default());
    let start = interpreter.start().expect("the model starts");
    let mut seen = HashSet::from([start.state.clone()]);
    let mut deadlocks = HashSet::new();
    let mut open = vec![start];
    while let Some(from) = open.pop() {
        if interpreter.verdict_here(&from).is_some() {
            deadlocks.insert(from.state.clone());
        }
        for step in interpreter.macro_steps(&from) {
            let Some(next) = step.successor() else {
                continue;
            };
            if seen.insert(next.state.clone()) {
                open.push(next.clone());
            }
        }
    }
    (seen, deadlocks)
}

fn has_ended(model: &Model, state: &State) -> bool {
    let last = state.processes.last();
    last.is_some_and(|process| {
        let template = model.template(process.template);
        let mut edges = template.edges_from(process.location);
        edges.any(|(_, edge)| edge.step == Step::Exit)
    })
}

/// The state after all leavings that are possible.
fn left(model: &Model, mut state: State) -> State {
    while has_ended(model, &state) {
        state.processes.pop();
    }
    state
}

/// The states of the rewritten model are those of the model in which nobody can leave.
fn same_behaviour(text: &str) {
    let model = model(text);
    let kept = match verified(keep_ended(&model, Observers::default(), Runs::All)) {
        Endings::Kept(kept) => *kept,
        other => panic!("{other:?}"),
    };
    let (all, deadlocks) = states(&model);
    let waiting: HashSet<State> = all.into_iter().filter(|s| !has_ended(&model, s)).collect();
    let (found, found_deadlocks) = states(&kept);
    let mapped: HashSet<State> = found.into_iter().map(|s| left(&model, s)).collect();
    assert_eq!(mapped, waiting);
    let mapped: HashSet<State> = found_deadlocks
        .into_iter()
        .map(|s| left(&model, s))
        .collect();
    assert_eq!(mapped, deadlocks);
}

/// The rewriting is refused, with a reason that contains these words.
fn refused(text: &str, words: &str) {
    match verified(keep_ended(&model(text), Observers::default(), Runs::All)) {
        Endings::Observed(observed) => {
            assert!(observed.how.contains(words), "{}", observed.how);
        }
        other => panic!("{other:?}"),
    }
}

const LOCK: &str = "bool lock;
    active [3] proctype P() { atomic { !lock -> lock = true }; lock = false }";

#[test]
fn processes_that_exist_from_the_start() {
    same_behaviour(LOCK);
}

#[test]
fn processes_that_wait_for_ever() {
    same_behaviour(
        "byte n; active [3] proctype P() { n++; (n == 2) } active proctype Q() { n == 3 }",
    );
}

#[test]
fn time_outs_come_when_all_others_are_done() {
    same_behaviour(
        "byte n; active proctype T() { timeout -> n = 7; timeout -> n = 8 }
         active [2] proctype P() { n++ }",
    );
    same_behaviour("byte n; active [2] proctype P() { n++; if :: timeout -> n = 9 :: n == 9 fi }");
}

#[test]
fn processes_that_init_makes_in_one_go() {
    same_behaviour(
        "byte n; proctype P(byte id) { n = n + id; n > 2 }
         init { atomic { run P(1); run P(2); run P(3) }; n = 0 }",
    );
    same_behaviour(
        "byte n; proctype P(byte id) { n = n + id }
         init { byte i; atomic { do :: i < 3 -> run P(i); i++ :: else -> break od } }",
    );
}

#[test]
fn messages_between_processes_that_end() {
    same_behaviour(
        "chan c = [1] of { byte }; chan d = [0] of { byte };
         active [2] proctype P() { c ! _pid; d ! 1 } active [2] proctype Q() { byte x; c ? x; d ? x }",
    );
}

#[test]
fn nothing_is_to_be_done_where_nobody_ends() {
    let endless = model("bool b; active [2] proctype P() { do :: b = !b od }");
    let kept = keep_ended(&endless, Observers::default(), Runs::All);
    assert_eq!(kept, Ok(Endings::Never));
}

#[test]
fn questions_about_processes_are_refused() {
    refused(
        "active [2] proctype P() { _nr_pr == 1 }",
        "number of processes",
    );
    refused(
        "active proctype P() { L: skip } active proctype Q() { P@L }",
        "where a process is",
    );
    refused(
        "active proctype P() { byte x = 1; x = 2 } active proctype Q() { P:x == 2 }",
        "where a process is",
    );
    refused(
        "bool b; active [2] proctype P() provided (b) { skip }",
        "condition",
    );
}

/// What is left of a state if all processes are taken out that have ended, wherever they are. Numbers of processes are gone then, too.
fn living(model: &Model, mut state: State) -> State {
    let ended = |process: &mandala_model::state::ProcessState| {
        let template = model.template(process.template);
        let mut edges = template.edges_from(process.location);
        edges.any(|(_, edge)| edge.step == Step::Exit)
    };
    state.processes.retain(|process| !ended(process));
    state
}

/// Up to the numbers of processes, the rewritten model has the states and the deadlocks of the model.
fn same_up_to_numbers(text: &str) {
    let model = model(text);
    let kept = match verified(keep_ended(&model, Observers::default(), Runs::All)) {
        Endings::Kept(kept) => *kept,
        other => panic!("{other:?}"),
    };
    let living = |states: HashSet<State>| -> HashSet<State> {
        states.into_iter().map(|s| living(&model, s)).collect()
    };
    let ((all, stuck), (found, found_stuck)) = (states(&model), states(&kept));
    assert_eq!(living(found), living(all));
    assert_eq!(living(found_stuck), living(stuck));
}

#[test]
fn processes_that_are_made_when_others_may_have_left() {
    same_up_to_numbers(
        "byte n; proctype P() { n++ } init { run P(); run P(); run P(); n == 3; n = 7 }",
    );
    same_up_to_numbers(
        "byte n, made; proctype P() { n++; n-- }
         active proctype M() { do :: made < 3 -> made++; run P() :: made == 3 -> break od }",
    );
    same_up_to_numbers(
        "byte n; proctype Q() { n++ } proctype P() { run Q(); n < 3 }
         init { byte i; for (i : 1 .. 2) { run P() } n = n + 10 }",
    );
    // The processes that are there at the start may ask for their numbers.
    same_up_to_numbers(
        "byte n; proctype P() { n > 1; n-- } active [2] proctype Q() { n = n + _pid; run P() }",
    );
    same_up_to_numbers("byte n; proctype P() { n++ } init { atomic { run P(); n == 1; run P() } }");
}

/// Numbers that would be given again.
#[test]
fn numbers_of_late_processes_are_refused() {
    let left = "one that has left";
    refused(
        "byte n; proctype P() { n = _pid } init { run P(); run P() }",
        left,
    );
    refused(
        "byte n; proctype P() { n = _pid; if :: n < 3 -> run P() :: else fi } init { atomic { run P() } }",
        left,
    );
    // Whoever starts before init does and has a greater number may leave before init's first step.
    refused(
        "byte n; proctype P() { n = _pid } init { atomic { run P() } } active proctype Q() { skip }",
        left,
    );
    // Between two atomic sequences others can move.
    refused(
        "byte n; proctype P() { n = _pid } init { atomic { run P() }; atomic { run P() } }",
        left,
    );
    // A blocked atomic sequence lets others move.
    refused(
        "byte n; proctype P() { n = n + _pid } init { atomic { run P(); n == 1; run P() } }",
        left,
    );
    refused(
        "byte n; proctype P() { skip } init { n = run P(); n = run P() }",
        left,
    );
    refused(
        "byte n; proctype P() { byte me = _pid; n = me } init { run P(); run P() }",
        left,
    );
    refused(
        "byte a[4]; proctype P() { a[_pid] = 1 } init { run P(); run P() }",
        left,
    );
    refused(
        "chan c = [1] of { byte }; byte a[4]; proctype P() { c ? a[_pid] } init { run P(); run P() }",
        left,
    );
    refused(
        "byte n; proctype P() { d_step { n = 1; n = _pid } } init { run P(); run P() }",
        left,
    );
    refused(
        "proctype P() { skip } init { run P(); run P(); _nr_pr == 1 }",
        "number of processes",
    );
    refused(
        "byte n; proctype P() { n++ } init { run P(); timeout; run P() }",
        "waits until all have left",
    );
}

/// Where numbers have to be used again, or may have to.
#[test]
fn processes_without_end_are_refused() {
    let again = "numbers have to be used again";
    refused(
        "proctype P() { skip } active proctype M() { do :: run P() od }",
        again,
    );
    // A counter that starts again, and one that somebody else sets back.
    refused(
        "byte i; proctype P() { skip }
         active proctype M() { do :: i < 3 -> i++; run P() :: i == 3 -> i = 0 od }",
        again,
    );
    refused(
        "byte i; proctype P() { i = 0 } active proctype M() { do :: i < 3 -> i++; run P() od }",
        again,
    );
    // A cycle that does not count.
    refused(
        "byte i; proctype P() { skip }
         active proctype M() { do :: i < 3 -> i++ :: run P() od }",
        again,
    );
    // A counter of several, and one that begins anew at 256.
    refused(
        "byte i; proctype P() { skip } active [2] proctype M() { do :: i < 3 -> i++; run P() od }",
        again,
    );
    refused(
        "byte i; proctype P() { skip } active proctype M() { do :: i < 256 -> i++; run P() od }",
        again,
    );
    refused(
        "short i; proctype P() { skip } active proctype M() { do :: i < 256 -> i++; run P() od }",
        "more than 255",
    );
    refused(
        "short i; proctype P() { chan c = [1] of { bit }; chan d = [1] of { bit }; c ! 1; d ! 1 }
         active proctype M() { do :: i < 130 -> i++; run P() od }",
        "more than 255",
    );
    refused(
        "byte n; proctype P() { n++; if :: n < 3 -> run P() :: else fi } init { run P() }",
        "of their own kind",
    );
}

/// Workers that ask and wait for the answer.
fn asking(worker: &str, server: &str) -> String {
    format!(
        "chan jobs = [2] of {{ byte, chan }}; byte done; chan other = [1] of {{ byte }};
         active [2] proctype W() {{ chan reply = [1] of {{ byte }}; byte r; {worker} }}
         active proctype S() {{ byte n; chan c; end: do :: jobs ? n, c -> {server} od }}"
    )
}

#[test]
fn channels_that_are_handed_over_are_kept() {
    let kept = |text: &str| {
        let kept = verified(keep_ended(&model(text), Observers::default(), Runs::All));
        assert!(matches!(kept, Endings::Kept(_)), "{text}: {kept:?}");
    };
    kept(&asking("jobs ! 1, reply; reply ? r", "c ! n"));
    kept(&asking(
        "jobs ! 1, reply; reply ? r; jobs ! 2, reply; reply ? r",
        "c ! n; c = 0",
    ));
    kept(&asking(
        "do :: jobs ! 1, reply; reply ? r :: break od",
        "if :: c ! n :: c = 0 fi",
    ));
    // Nobody else has it.
    kept(&asking("reply ! 1; reply ? r; len(reply) == 0", "c ! n"));
}

/// Whoever gets a channel as an argument was made after its process, and leaves before it.
#[test]
fn channels_that_are_passed_down_are_kept() {
    let kept = |text: &str| {
        let kept = verified(keep_ended(&model(text), Observers::default(), Runs::All));
        assert!(matches!(kept, Endings::Kept(_)), "{text}: {kept:?}");
    };
    kept(
        "proctype P(chan in, out) { byte x; in ? x; out ! x }
         init { chan a = [1] of { byte }; chan b = [1] of { byte }; run P(a, b); run P(b, a); a ! 1 }",
    );
    kept(
        "proctype Q(byte k; chan c) { c ! k } proctype P(chan c) { run Q(1, c); len(c) > 0 }
         init { byte x; chan a = [1] of { byte }; run P(a); a ? x }",
    );
    refused(
        "chan g; proctype P(chan c) { g = c } active proctype R() { byte x; g ? x }
         init { chan a = [1] of { byte }; run P(a); a ! 1 }",
        "more than an answer",
    );
    refused(
        "chan q = [1] of { chan }; proctype P(chan c) { q ! c } active proctype R() { chan c; q ? c; c ! 1 }
         init { chan a = [1] of { byte }; run P(a) }",
        "more than an answer",
    );
    refused(
        "byte g; proctype P(byte c) { g = c } init { chan a = [1] of { byte }; run P(a) }",
        "more than an answer",
    );
    refused(
        "byte g; proctype P(chan c) { g = c + 1 } init { chan a = [1] of { byte }; run P(a) }",
        "more than an answer",
    );
    refused(
        "proctype P(chan c) { chan d = c; d ! 1 } init { chan a = [1] of { byte }; run P(a) }",
        "more than an answer",
    );
}

/// The unsound neighbours of each rule.
#[test]
fn channels_that_others_may_use_when_their_process_has_left_are_refused() {
    let asks = "jobs ! 1, reply; reply ? r";
    refused(
        &asking("jobs ! 1, reply", "c ! n"),
        "still have its channel",
    );
    refused(
        &asking("jobs ! 1, reply; if :: reply ? r :: skip fi", "c ! n"),
        "still have",
    );
    refused(
        &asking("jobs ! 1, reply; jobs ! 2, reply; reply ? r", "c ! n"),
        "twice",
    );
    refused(
        &asking("jobs ! 1, reply; reply ? r; other ! reply", "c ! n"),
        "more than an answer",
    );
    refused(
        &asking("jobs ! 1, reply; len(reply) == 1; reply ? r", "c ! n"),
        "more than an answer",
    );
    refused(
        &asking("jobs ! reply, reply; reply ? r", "c ! n"),
        "more than an answer",
    );
    let again = "used here again";
    refused(&asking(asks, "c ! n; c ! n"), again);
    refused(&asking(asks, "c ! n; len(c) == 0"), again);
    refused(&asking(asks, "other ! c"), again);
    refused(&asking(asks, "n = c; c ! n"), again);
    refused(&asking(asks, "c ? n"), again);
    refused(&asking(asks, "d_step { c ! n }"), again);
    let copied = "copied, compared or sorted";
    refused(&asking(asks, "jobs ? <n, c>; c ! n"), copied);
    refused(&asking(asks, "jobs ? n, eval(c)"), copied);
    refused(&asking("jobs !! 1, reply; reply ? r", "c ! n"), copied);
    refused(
        &asking(asks, "if :: jobs ? [1, 3] -> c ! n :: else fi"),
        "is compared here",
    );
    refused(
        "chan jobs = [2] of { byte, chan }; chan g;
         active [2] proctype W() { chan reply = [1] of { byte }; byte r; jobs ! 1, reply; reply ? r }
         active proctype S() { byte n; jobs ? n, g; g ! n }",
        copied,
    );
    refused(
        "chan jobs = [2] of { byte, byte };
         active [2] proctype W() { chan reply = [1] of { byte }; byte r; jobs ! 1, reply; reply ? r }
         active proctype S() { byte n, b; jobs ? n, b }",
        "more than an answer",
    );
}

/// The rewriting with the first claim of the model.
fn with_claim(text: &str, runs: Runs) -> Endings {
    let model = model(text);
    let claims = model
        .properties
        .iter()
        .enumerate()
        .find_map(|(index, property)| match &property.kind {
            PropertyKind::Never { claim } => Some(Claim::Template(*claim)),
            PropertyKind::NoRun(_) => Some(Claim::Automaton(PropertyId::from(index))),
            _ => None,
        });
    let observers = Observers {
        claim: claims,
        ..Observers::default()
    };
    verified(keep_ended(&model, observers, runs))
}

#[test]
fn claims_that_cannot_count_steps_are_no_obstacle() {
    let system = "byte n; active [2] proctype P() { n++ }";
    for claim in [
        "ltl f { [] (n < 3) }",
        "ltl f { <> (n == 2) && (n < 1 U n == 1) }",
        "never { do :: n < 2 :: else -> break od }",
        "never { do :: n == 2 -> break :: true od; accept: do :: n == 2 od }",
        "never { T0: if :: !(n < 2) -> goto accept_S :: (1) -> goto T0 fi; accept_S: if :: !(n < 2) -> goto accept_S fi }",
    ] {
        let text = format!("{system} {claim}");
        let found = with_claim(&text, Runs::All);
        assert!(matches!(found, Endings::Kept(_)), "{claim}: {found:?}");
        let fair = with_claim(&text, Runs::Fair);
        assert!(
            matches!(fair, Endings::Observed(o) if o.how.contains("fair")),
            "{claim}"
        );
    }
    for (claim, words) in [
        ("ltl f { [] (n < 2 -> X (n < 2)) }", "next"),
        ("never { n < 2; n < 2; n < 2 }", "count steps"),
        (
            "never { do :: n == 1 -> n == 1 -> break :: else od }",
            "count steps",
        ),
        (
            "never { byte k; do :: k < 5 -> k++ :: else -> break od }",
            "count steps",
        ),
        (
            "never { do :: _nr_pr == 1 -> break :: else od }",
            "number of processes",
        ),
        (
            "never { do :: P[0]@end -> break :: else od }",
            "where a process is",
        ),
    ] {
        let text = format!("{system} {claim}").replace("P() { n++ }", "P() { n++; end: skip }");
        let found = with_claim(&text, Runs::All);
        assert!(
            matches!(&found, Endings::Observed(o) if o.how.contains(words)),
            "{claim}: {found:?}"
        );
    }
    let waiting = "byte n; active [2] proctype P() { n++ } active proctype T() { timeout -> n = 9 } ltl f { [] (n < 10) }";
    let found = with_claim(waiting, Runs::All);
    assert!(matches!(found, Endings::Observed(o) if o.how.contains("waits until")));
}

/// What a property asks that is not checked is asked by nobody.
#[test]
fn other_properties_are_not_asked() {
    let text = "byte n; active [2] proctype P() { n++; end: skip } ltl f { [] !P[0]@end }";
    let kept = verified(keep_ended(&model(text), Observers::default(), Runs::All));
    assert!(matches!(kept, Endings::Kept(_)));
}

/// That a process ends matters if it is one of several, one of any number, or takes channels along.
#[test]
fn the_end_of_one_of_a_kind_tells_nothing() {
    let asked = |text: &str, started: &[u32]| {
        let started: Vec<TemplateId> = started.iter().copied().map(TemplateId).collect();
        ends_among_others(&model(text), &started)
    };
    let looping = "proctype P() { end: do :: skip od } init { run P(); run P() }";
    assert!(!asked(looping, &[1, 0, 0]));
    assert!(asked("byte x; active [2] proctype P() { x++ }", &[0, 0]));
    assert!(asked(
        "byte x; proctype P() { x++ } init { run P() }",
        &[1, 0]
    ));
    let owner = "active [2] proctype P() { end: do :: skip od }
        active proctype Q() { chan c = [1] of { byte }; c!1 }";
    assert!(asked(owner, &[0, 0, 1]));
    let alone = owner.replace("chan c = [1] of { byte }; c!1", "skip");
    assert!(!asked(&alone, &[0, 0, 1]));
}
