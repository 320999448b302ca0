//! The compiled form and the reference interpreter agree on every state, every successor and every violation,
//! for one small model a feature. The counts keep the models honest: a model that blocks at once
//! would agree with everything.

use crate::common::{explore, explore_model, unchecked, verified};
use mandala_encoding::{Arrival, Incomplete, Program, Sink};
use mandala_interpreter::Interpreter;
use mandala_model::expr::{BinaryOp, Expr, ExprKind};
use mandala_model::model::Arithmetic;
use mandala_model::step::{FaultKind, Observers, Turn, Violation};
use mandala_model::template::{Effect, Step};
use mandala_model::types::{Scalar, Type};

/// The kinds of the faults among violations.
fn faults(violations: &[Violation]) -> Vec<FaultKind> {
    let kind = |violation: &Violation| match violation {
        Violation::Fault(fault) => Some(fault.kind),
        _ => None,
    };
    violations.iter().filter_map(kind).collect()
}

#[track_caller]
fn holds(text: &str, states: usize) {
    let explored = explore(text);
    assert_eq!(
        (explored.states, explored.violations.len()),
        (states, 0),
        "{:?}",
        explored.violations
    );
}

#[track_caller]
fn fails(text: &str, expected: FaultKind) {
    let explored = explore(text);
    assert!(
        faults(&explored.violations).contains(&expected),
        "{:?}",
        explored.violations
    );
}

#[test]
fn peterson_for_three() {
    holds(include_str!("models/peterson3.pml"), 10_907);
}

#[test]
fn counters_wrap_to_their_width() {
    // The counters would go on for ever; all but the first wrap early.
    let model = unchecked(
        "int i = 2147483000; byte b = 250; short s = 32760; unsigned u : 3; bit x; bool y;
         active proctype p() { do :: i++; b++; s = s + 3; u--; x = x + 1; y = !y; b = b * 7 - s / 3 od }",
    );
    let explored = explore_model(&verified(model), 5000);
    assert!(explored.states > 5000);
}

#[test]
fn expressions_of_all_kinds() {
    holds(
        "byte a[4]; int r; byte i;
         active proctype p() {
           byte k = 3;
           do
           :: i < 4 -> a[i] = (i * 5 + 1) % 7; i++
           :: else -> break
           od;
           r = (a[1] & 6) | (a[2] ^ 3); r = r + (a[3] << 2) - (a[0] >> 1); r = -r; r = ~r;
           r = (r > 3 -> a[k] : (r == -1 -> 7 : a[a[0]]));
           r = (a[0] < a[1]) + (a[1] <= 2) + (a[2] != a[3]) + (a[0] >= 1) + !(k == 3) ;
           r = (a[0] && a[1]) || (k > 9 && a[2]);
           assert(r == 1 && (a[0] == 1 || false))
         }",
        23,
    );
}

#[test]
fn records_and_arrays_in_them() {
    holds(
        "typedef inner { byte v[3]; short w = 7 }
         typedef outer { inner in[2]; bool done }
         outer g[2];
         active [2] proctype p() {
           outer mine; byte i = _pid;
           g[i].in[1 - i].v[i + 1] = 5 + i;
           mine.in[i].w = g[1 - i].in[i].v[2 - i];
           g[i].done = mine.in[i].w > 0;
           assert(g[i].in[0].w == 7)
         }",
        64,
    );
}

#[test]
fn buffered_channels() {
    holds(
        "mtype = { req, ack, nak };
         chan q = [2] of { mtype, byte, short }; chan r = [1] of { byte };
         active proctype s() { byte n; do :: q!req(n, -5) -> n = (n + 1) % 3 :: q!nak,1,2 :: r?n od }
         active proctype t() { byte v; short w; mtype m;
           do :: q?req,v,w -> r!v :: q?m(eval(v), 2) :: len(q) == 2 && q?[nak, 1, _] -> q?nak,_,_
              :: full(q) && nempty(r) -> skip :: q?<m,v,w> -> assert(w == -5 || m == nak) od }",
        4_792,
    );
}

#[test]
fn sorted_and_random_access() {
    holds(
        "chan q = [3] of { byte, byte };
         active proctype s() { do :: q!!2,1 :: q!!1,3 :: q!!2,0 od }
         active proctype t() { byte x; do :: q??1,x -> assert(x == 3) :: q??[2,1] -> q??2,eval(1) :: q?x,_ :: q??<2,x> od }",
        140,
    );
}

#[test]
fn rendezvous() {
    holds(
        "chan c = [0] of { byte, bool };
         active [2] proctype s() { byte n; do :: n < 3 -> c!n,true -> n++ :: c!7,false :: else -> n = 0 od }
         active [2] proctype r() { byte x; bool b; do :: c?x,b -> assert(b || x == 7) :: c?eval(x),true :: atomic { c?2,b -> x = 1; x = 0 } od }",
        7_781,
    );
}

#[test]
fn rendezvous_inside_atomic_hands_control_over() {
    holds(
        "chan c = [0] of { byte }; byte g;
         active proctype s() { do :: atomic { g = 1; c!1; g = 2; c!2; g = 3 } od }
         active proctype r() { byte x; do :: atomic { c?x -> g = g + 10; g = 0 } :: c?x od }
         active proctype o() { do :: g > 1 -> skip od }",
        11,
    );
}

#[test]
fn channels_are_values() {
    holds(
        "chan out = [1] of { chan };
         active proctype a() { chan mine = [1] of { byte }; byte x; out!mine; mine?x; assert(x == 5) }
         active proctype b() { chan c; out?c; c!5 }",
        10,
    );
}

#[test]
fn processes_come_and_go() {
    holds(
        "byte alive; chan done = [3] of { byte };
         proctype w(byte n; bool deep) { chan own = [1] of { byte }; byte kid; alive++; own!n;
           if :: deep -> kid = run w(n + 1, false) :: else fi;
           own?eval(n); done!_pid; alive-- }
         init { byte i; atomic { run w(1, true); run w(7, false) }; done?i; (_nr_pr == 1); assert(alive == 0) }",
        833,
    );
}

#[test]
fn atomic_loops_are_passed_through() {
    holds(
        "byte x, y;
         active proctype p() { atomic { do :: x < 40 -> x++ :: x < 40 -> y = (y + 1) % 4; x++ :: else -> break od }; x = 0; y = 0 }
         active proctype q() { do :: atomic { x == 40 -> y = 9 } ; y = 0 :: atomic { do :: y = 1 - (y > 0) :: y == 0 -> break od } od }",
        13,
    );
}

#[test]
fn routines() {
    holds(
        "byte a[3]; byte n; chan q = [2] of { byte };
         active [2] proctype p() { byte i;
           do
           :: d_step { n < 4 -> i = 0; do :: i < 3 -> a[i] = a[i] + i; i++ :: else -> break od; n++; i = 0 }
           :: d_step { q?i -> a[0] = i; i = 0 }
           :: d_step { nfull(q) && n > 2 -> q!n; a[2] = 0 }
           :: d_step { n == 4 -> n = 0; a[0] = 0; a[1] = 0 }
           od }",
        2_252,
    );
}

#[test]
fn hidden_variables_take_no_room() {
    holds(
        "hidden byte tmp; byte a = 1, b = 2;
         active [2] proctype p() { do :: d_step { tmp = a; a = b; b = tmp } :: a > b -> tmp = 7 od }",
        7,
    );
}

#[test]
fn escapes_and_else() {
    holds(
        "byte x; chan c = [0] of { byte };
         active proctype p() {
           do
           :: { do :: x < 3 -> x++ :: else -> x = 0 od } unless { x == 2 -> x = 5 }; x = 0
           :: { c!1 } unless { if :: x == 1 -> x = 4 :: c!2 fi }
           od }
         active proctype q() { byte y; do :: c?y -> x = y :: x = 1 od }",
        36,
    );
}

#[test]
fn timeouts() {
    holds(
        "byte n; chan q = [1] of { byte };
         active proctype p() { do :: q!1 :: timeout -> q?_ -> n = (n + 1) % 3 od }
         active proctype o() { do :: n == 2 -> n = 0 od }",
        12,
    );
}

#[test]
fn provided_clauses() {
    holds(
        "byte turn; byte n;
         active proctype a() provided (turn == 0) { do :: n = (n + 1) % 3 :: turn = 1 od }
         active proctype b() provided (turn == 1 && _pid == 1) { do :: turn = 0 :: n == 2 -> n = 1 od }",
        7,
    );
}

#[test]
fn priorities() {
    holds(
        "byte n;
         active proctype hi() priority 5 { do :: n > 2 -> n = 0 od }
         active proctype lo() { do :: n++ :: set_priority(_pid, 7); n = n; set_priority(_pid, 1) :: get_priority(0) > 5 -> skip od }",
        11,
    );
    // Spin refuses to combine priorities with rendezvous.
    let explored = explore(
        "byte n; chan c = [0] of { byte };
         active proctype hi() priority 5 { do :: n > 2 -> n = 0 :: c?_ od }
         active proctype lo() { do :: n++ :: c!1 :: _priority = 6; _priority = 1 od }",
    );
    assert_eq!((explored.states, explored.violations.len()), (8, 0));
}

#[test]
fn questions_about_other_processes() {
    holds(
        "byte n; bool e;
         active proctype a() { byte mine; end: do :: mine = (mine + 1) % 3 :: n == 1 -> n = 0 od }
         active proctype b() { work: do :: d_step { e = enabled(0); n = (pc_value(0) > 1) } :: a[0]:mine == 2 -> n = 2
           :: a[0]@end -> n = 0 :: a:mine == 1 -> e = 0 :: _last == 0 -> n = 0 od }",
        222,
    );
}

#[test]
fn deadlocks_and_ends() {
    let explored = explore(
        "chan c = [0] of { byte }; active proctype p() { c!1 } active proctype q() { end: c?2 }",
    );
    assert_eq!(explored.violations, [Violation::Deadlock]);
    holds(
        "chan c = [0] of { byte }; active proctype p() { end: c!1 } active proctype q() { end1: c?2 }",
        1,
    );
}

#[test]
fn assertions_are_recorded_and_the_run_goes_on() {
    let explored = explore(
        "byte x; active proctype p() { atomic { x = 1; assert(x == 2); x = 3 }; assert(x == 3); assert(false) }",
    );
    assert_eq!((explored.states, explored.violations.len()), (5, 2));
}

#[test]
fn run_time_errors() {
    fails(
        "byte a[3], i; active proctype p() { do :: a[i] = 1; i++ od }",
        FaultKind::IndexOutOfRange {
            index: 3,
            length: 3,
        },
    );
    fails(
        "byte i = 2; active proctype p() { do :: 4 / i == 2 -> i-- :: 4 % i > 9 -> skip :: else -> i-- od }",
        FaultKind::DivisionByZero,
    );
    fails(
        "int i = 30; active proctype p() { int x; do :: x = 1 << i; i++ od }",
        FaultKind::BadShift { by: 32 },
    );
    fails("chan c; active proctype p() { c!1 }", FaultKind::NoChannel);
    fails(
        "chan c = [1] of { byte }; chan d = [1] of { byte, byte }; active proctype p() { chan e = c; do :: e!1,2 :: e = d :: e = c od }",
        FaultKind::MessageArity {
            found: 2,
            expected: 1,
        },
    );
    fails(
        "chan c = [0] of { byte }; active proctype p() { c?[1] }",
        FaultKind::PollAtRendezvous,
    );
    fails(
        "chan c = [0] of { byte }; active proctype p() { d_step { c!1 } }",
        FaultKind::RendezvousInRoutine,
    );
    fails(
        "byte x; active proctype p() { d_step { x = 1; x == 2 } }",
        FaultKind::RoutineBlocked,
    );
    fails(
        "active proctype p() { d_step { do :: skip od } }",
        FaultKind::RoutineEndless,
    );
    fails(
        "active proctype p() { enabled(_pid) }",
        FaultKind::EnabledOfSelf,
    );
    fails(
        "proctype p() { run p(); false } init { run p() }",
        FaultKind::TooManyProcesses,
    );
    fails(
        "proctype p() { chan c = [1] of { byte }; chan d[2] = [1] of { byte }; run p(); false } init { run p() }",
        FaultKind::TooManyChannels,
    );
    fails(
        "byte n; active proctype p() { set_priority(_pid, n) }",
        FaultKind::BadPriority { value: 0 },
    );
    fails(
        "chan keep; proctype p() { chan c = [1] of { byte }; keep = c } init { run p(); _nr_pr == 1 -> keep!1 }",
        FaultKind::ChannelGone,
    );
}

#[test]
fn claims_that_end() {
    let text = "byte x; active proctype p() { do :: x = (x + 1) % 5 od }
        never { do :: x == 3 -> break :: else od }";
    let explored = explore(text);
    assert!(explored.violations.contains(&Violation::ClaimEnded));
}

#[test]
fn claims_follow_the_system_and_stutter() {
    let stutter = "byte x; active proctype p() { x = 1; x = 2 }
        never { byte n; do :: x == 2 && n < 3 -> n++ :: x < 2 :: n == 3 -> break od }";
    assert!(explore(stutter).violations.contains(&Violation::ClaimEnded));
    let timeout = "byte x; active proctype p() { do :: x < 2 -> x++ :: timeout -> x = 0 od }
        never { do :: timeout -> x = x :: !timeout && x < 2 :: atomic { x == 1 -> true } od }";
    assert_eq!(explore(timeout).violations, []);
    let ended = "active proctype p() { skip } never { skip }";
    assert!(explore(ended).violations.contains(&Violation::ClaimEnded));
}

#[test]
fn progress_is_seen_by_claims() {
    let explored = explore(
        "byte x; active proctype p() { do :: x == 0 -> progress: x = 1 :: x == 1 -> x = 0 od }
         never { do :: np_ -> skip :: !np_ && x == 1 -> break :: true od }",
    );
    assert_eq!(explored.violations, []);
    assert!(explored.states > 3);
}

#[test]
fn formulas() {
    let text = "bool a, b; active proctype p() { do :: a = !a :: a -> b = !b od } ltl x { [] (a -> <> b) }";
    assert!(explore(text).states > 4);
}

#[test]
fn observers_of_messages() {
    let required = "mtype = { m, n }; chan q = [2] of { mtype, byte }; chan r = [0] of { byte };
        active proctype s() { do :: q!m,1 :: q!n,2 od } active proctype t() { byte x; do :: q?m,x -> r!x :: q?n,_ od }
        active proctype u() { byte x; do :: r?x od }
        trace { do :: q!m,1; q?m,_; r!1 ; r?1 :: q!n,2; q?n,2 od }";
    let explored = explore(required);
    assert!(
        explored
            .violations
            .iter()
            .any(|v| matches!(v, Violation::UnexpectedEvent { .. }))
    );
    let forbidden = "mtype = { m, n }; chan q = [1] of { mtype };
        active proctype s() { do :: q!m :: q!n od } active proctype t() { do :: q?m :: q?n od }
        notrace { q!m; q?m; q!n }";
    let explored = explore(forbidden);
    assert!(
        explored
            .violations
            .iter()
            .any(|v| matches!(v, Violation::ForbiddenEvents { .. }))
    );
    let incomplete =
        "chan q = [2] of { byte }; active proctype s() { q!1; end: false } trace { q!1; q!2 }";
    assert_eq!(
        explore(incomplete).violations,
        [Violation::EventsIncomplete]
    );
}

#[test]
fn ranges_and_checked_arithmetic() {
    let mut model = unchecked(
        "int x, y = 3; active proctype p() { do :: x = x + y :: x = x * 1000000 :: y = y - 1 :: y = y << 40 od }",
    );
    model.arithmetic = Arithmetic::Checked64;
    model.globals[0].ty = Type::Scalar(Scalar::Range {
        min: -5,
        max: 1 << 60,
    });
    model.globals[1].ty = Type::Scalar(Scalar::Range { min: -2, max: 4 });
    let explored = explore_model(&verified(model), 300);
    let faults = faults(&explored.violations);
    assert!(explored.states > 300);
    assert!(faults.contains(&FaultKind::Overflow), "{faults:?}");
    assert!(
        faults
            .iter()
            .any(|kind| matches!(kind, FaultKind::ValueOutOfRange { .. })),
        "{faults:?}"
    );
}

/// The front end never writes to another process's variables; the IR may.
#[test]
fn remote_variables_can_be_written() {
    let mut model = unchecked(
        "byte who; active proctype a() { byte mine; do :: mine == 4 -> mine = 0 od }
         active proctype b() { do :: who = (who + 1) % 3 :: a[who]:mine -> skip od }",
    );
    for edge in &mut model.templates[1].edges {
        if let Step::Guarded { guard, effects } = &mut edge.step
            && let ExprKind::Read(place) = guard.kind.clone()
        {
            let value = Expr::constant(4, guard.span);
            *guard = guard.clone().negated();
            effects.push(Effect::Assign { place, value });
        }
    }
    let explored = explore_model(&verified(model), 1000);
    assert!(explored.states > 5, "{}", explored.states);
    assert!(faults(&explored.violations).contains(&FaultKind::NoSuchProcess));
}

#[test]
fn hundreds_of_shapes() {
    let model = verified(unchecked(
        "byte n; proctype a() { n++ } proctype b() { byte x; x = n } proctype c() { skip }
         init { do :: _nr_pr < 7 -> if :: run a() :: run b() :: run c() fi od }",
    ));
    assert!(explore_model(&model, 3000).states > 3000);
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut model = unchecked("byte x; active proctype p() { x = x + 1 }");
    for edge in &mut model.templates[0].edges {
        if let Step::Guarded { effects, .. } = &mut edge.step
            && let [Effect::Assign { place, value }] = effects.as_mut_slice()
        {
            let x = Expr::new(ExprKind::Read(place.clone()), value.span);
            for _ in 0..300 {
                let inner = std::mem::replace(value, x.clone());
                *value = Expr::binary(BinaryOp::Multiply, x.clone(), inner);
            }
        }
    }
    let model = verified(model);
    let refused = Program::compile(&model, Observers::default());
    assert!(refused.is_err_and(|error| error.message.contains("nests too deeply")));
}

#[test]
fn programs_are_shared_between_threads() {
    fn shared<T: Sync + Send>() {}
    shared::<Program>();
}

#[test]
fn a_program_that_begins_afresh_is_as_one_that_was_compiled_again() {
    let text = "proctype p() { skip } proctype q() { skip } init { if :: run p() :: run q() fi }";
    let model = verified(unchecked(text));
    let compile = || Program::compile(&model, Observers::default()).expect("it can be compiled");
    let interpreter = Interpreter::new(&model, Observers::default());
    let start = interpreter.start().expect("there is a start");
    let moves = interpreter.moves(&start).into_iter();
    let states: Vec<_> = moves.filter_map(|step| step.next).collect();
    let [p, q] = &states[..] else {
        panic!("{states:?}");
    };
    let used = compile();
    let second = (used.encode(&p.state), used.encode(&q.state)).1;
    let afresh = used.afresh();
    assert_eq!(afresh.most_processes(), compile().most_processes());
    assert_ne!(afresh.encode(&q.state), second, "it is the first shape now");
    assert_eq!(used.afresh().encode(&q.state), compile().encode(&q.state));
}

#[test]
fn bytes_that_are_no_state_are_refused() {
    let model = verified(unchecked("byte x; active proctype p() { x++ }"));
    let program =
        Program::compile(&model, Observers::default()).expect("the model can be compiled");
    for bytes in [
        &[][..],
        &[0],
        &[0, 1, 2, 3, 4, 5, 6, 7],
        &[9, 0, 0],
        &[0xff, 1],
    ] {
        assert_eq!(program.decode(bytes), None, "{bytes:?}");
    }
}

#[test]
fn a_routine_may_take_as_long_as_it_likes() {
    let text = "byte x; active proctype p() { int i; d_step { do :: i < 600000 -> i++ :: else -> break od; x = 1 } }
        active proctype q() { x = 2 }";
    let explored = explore(text);
    assert_eq!(explored.violations, []);
}

#[test]
fn a_routine_that_repeats_itself_is_endless() {
    fails(
        "byte x; active proctype p() { d_step { do :: x++ od } }",
        FaultKind::RoutineEndless,
    );
    // A long way into a long circle.
    fails(
        "int i; active proctype p() { d_step { do :: i < 9000 -> i++ :: else -> i = 3000 od } }",
        FaultKind::RoutineEndless,
    );
    // Only what is no part of the state tells the rounds apart.
    holds(
        "hidden int i; byte x; active proctype p() { d_step { i = 0; do :: i < 9000 -> i++ :: else -> break od; x = 1 } }",
        3,
    );
}

#[test]
fn what_a_long_routine_does_is_undone() {
    let text = "byte a[4]; byte n; int i;
        proctype child(byte me) { byte mine = me; a[me] = mine; n++ }
        active proctype low() { do :: n < 3 -> n++ :: n == 3 -> break od }
        active proctype high() {
            d_step { a[1] = 7; i = 0; do :: i < 5000 -> i++; a[i % 4]++ :: else -> break od;
                run child(2); do :: i > 0 -> i--; a[i % 3]++ :: else -> break od;
                run child(3); do :: i < 4000 -> i++; a[1]-- :: else -> i = 0; break od }
        }";
    let explored = explore(text);
    assert_eq!(faults(&explored.violations), []);
    assert!(explored.states > 20, "{}", explored.states);
}

#[test]
fn a_random_poll_says_where_the_message_is() {
    let text = "chan q = [4] of { byte }; byte s;
        active proctype p() { q!1; q!5; q!5; s = q??[5]; assert(s == 2); s = q??[7] + q?[5]; assert(s == 0);
            s = q?[1] + q??[1]; assert(s == 2); assert(!q??[7] && q??[5]); q?1; s = q??[5]; assert(s == 1); q?5; q?5 }";
    assert_eq!(explore(text).violations, []);
}

/// The source text that the first fault of a kind is reported at.
fn blamed(text: &str, kind: FaultKind) -> &str {
    let explored = explore(text);
    let mut spans = explored.violations.iter().filter_map(|v| match v {
        Violation::Fault(fault) if fault.kind == kind => Some(fault.span),
        _ => None,
    });
    let span = spans.next().expect("there is such a fault");
    &text[span.start as usize..span.end as usize]
}

#[test]
fn what_there_is_no_room_for_is_reported_where_it_is_made() {
    let processes = "proctype p() { run p(); false } init { run p() }";
    assert_eq!(blamed(processes, FaultKind::TooManyProcesses), "run p()");
    let channels = "proctype p() { chan c = [1] of { byte }; chan d[2] = [1] of { byte }; run p(); false } init { run p() }";
    assert_eq!(blamed(channels, FaultKind::TooManyChannels), "run p()");
    let inside = "proctype p() { d_step { skip; run p() }; false } init { run p() }";
    assert_eq!(blamed(inside, FaultKind::TooManyProcesses), "run p()");
}

/// Goes on for some questions.
struct Impatient {
    questions: u32,
    held: usize,
    successors: usize,
}

impl Sink for Impatient {
    fn successor(&mut self, _: &mut Arrival<'_, '_>, _: Turn) {
        self.successors += 1;
    }

    fn violation(&mut self, violation: Violation) {
        panic!("{violation:?}");
    }

    fn keep_going(&mut self, held: usize) -> bool {
        self.held = held;
        self.questions = self.questions.saturating_sub(1);
        self.questions > 0
    }
}

/// Expands the start of a model.
fn expand_start(text: &str, questions: u32) -> (Result<(), Incomplete>, Impatient) {
    let model = verified(unchecked(text));
    let program =
        Program::compile(&model, Observers::default()).expect("the model can be compiled");
    let interpreter = Interpreter::new(&model, Observers::default());
    let start = interpreter.start().expect("there is a start");
    let packed = program.encode(&start.state).expect("a state of the model");
    let mut sink = Impatient {
        questions,
        held: 0,
        successors: 0,
    };
    let done = program.stepper().expand(&packed, start.turn, &mut sink);
    (done, sink)
}

#[test]
fn a_chain_without_end_can_be_stopped() {
    let chain =
        "int x; active proctype p() { atomic { do :: x++ od } } active proctype q() { x = 1 }";
    let (done, sink) = expand_start(chain, 50);
    assert_eq!((done, sink.successors), (Err(Incomplete::Stopped), 1));
    // Every one of the 50,000 configurations is remembered.
    assert!(sink.held > 50_000 * 30, "{}", sink.held);

    let routine =
        "int x; active proctype p() { d_step { do :: x++ od } } active proctype q() { x = 1 }";
    let (done, sink) = expand_start(routine, 50);
    assert_eq!((done, sink.successors), (Err(Incomplete::Stopped), 1));
    assert!(sink.held < 1 << 17, "a loop holds nothing: {}", sink.held);
}

#[test]
fn a_stepper_that_was_stopped_goes_on_as_if_nothing_had_happened() {
    let text = "int x; active proctype p() { atomic { do :: x > 0 && x < 3000 -> x++ :: x == 0 -> break od } }";
    let model = verified(unchecked(text));
    let program =
        Program::compile(&model, Observers::default()).expect("the model can be compiled");
    let interpreter = Interpreter::new(&model, Observers::default());
    let mut start = interpreter.start().expect("there is a start");
    let easy = program.encode(&start.state).expect("a state of the model");
    start.state.globals[0] = 1;
    let hard = program.encode(&start.state).expect("a state of the model");
    let mut stepper = program.stepper();
    let mut outcomes = Vec::new();
    for (packed, questions) in [(&easy, 1), (&hard, 1), (&easy, 1), (&hard, 100)] {
        let mut sink = Impatient {
            questions,
            held: 0,
            successors: 0,
        };
        let done = stepper.expand(packed, start.turn, &mut sink);
        outcomes.push((done, sink.successors));
    }
    let stopped = (Err(Incomplete::Stopped), 0);
    assert_eq!(outcomes, [(Ok(()), 1), stopped, (Ok(()), 1), (Ok(()), 1)]);
}
