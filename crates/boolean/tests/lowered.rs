//! What becomes of programs: how many places, transitions and variables are left.

use crate::support::read;
use mandala_coverability::decide::World;
use mandala_coverability::{Answer, Decider};

fn answer(text: &str) -> Answer {
    let program = read("m.bp", text, None).expect("it is right");
    let system = program.system().expect("it is small");
    let world = World::new(&system);
    let mut decider = Decider::new(&world);
    loop {
        if let Some(answer) = decider.advance() {
            return answer;
        }
    }
}

#[track_caller]
fn main(body: &str, threads: Option<u32>) {
    let found = answer(&format!(
        "decl g, h;\nvoid main() begin decl l, m;\n{body}\nend\n"
    ));
    match threads {
        Some(threads) => assert_eq!(found, Answer::Covered(threads)),
        None => assert!(matches!(found, Answer::Never(_)), "{found:?}"),
    }
}

#[test]
fn places_where_nothing_happens_are_gone() {
    let program = "void main() begin skip; L: skip; if * then goto L; else skip; fi; atomic_begin; skip; atomic_end; end";
    let system = read("m.bp", program, None).expect("it is right").system();
    assert_eq!(system.expect("it is small").transitions, []);
}

#[test]
fn assignments_are_parallel_and_constrained_by_their_results() {
    main("l, m := T, F; l, m := m, l; assert(!l & m);", None);
    main("l, m := *, * constrain 'l ^ 'm; assert(l = !m);", None);
    main("l := T; l := * constrain 'l = !l; assert(!l);", None);
    main("l, m := *, * constrain 'l | 'm; assert(l);", Some(1));
    main("l := T constrain F; assert(F);", None);
}

#[test]
fn each_star_is_its_own() {
    main("assume(*); assert(T);", None);
    main("assert(*);", Some(1));
    main("l := *; assert(l | !l);", None);
    main("assert(* | !*);", Some(1));
    main("assume(* & F); assert(F);", None);
}

#[test]
fn schoose_prefers_its_first_part() {
    main("l := T; m := schoose[l, T]; assert(m);", None);
    main("l := F; m := schoose[l, T]; assert(!m);", None);
    main("l := schoose[F, F]; assert(l);", Some(1));
    main("l := schoose[F, F]; assert(!l);", Some(1));
}

#[test]
fn operators_bind_as_they_should() {
    main("assert(F & F = F);", None);
    main("assert(T | T & F);", None);
    main("assert((T ^ T | T) = F);", None);
    main("assert(F => F => F);", None);
    main("assert(!F & T);", None);
}

#[test]
fn enforced_conditions_hold_around_statements() {
    main("enforce l; assert(l);", None);
    main("l := T; enforce l; l := *; assert(l);", None);
    main("abortif l; assert(!l);", None);
}

#[test]
fn variables_start_with_any_values() {
    main("assert(g);", Some(1));
    main("assert(l);", Some(1));
    main("l := T; dead l; assert(l);", Some(1));
}

#[test]
fn new_threads_have_copies_of_local_variables() {
    main(
        "l := T; g := F; start_thread goto L; end_thread; L: assert(l);",
        None,
    );
    main(
        "l := F; start_thread goto L; l := T; end_thread; L: assert(l);",
        Some(2),
    );
}

#[test]
fn who_is_inside_an_atomic_section_runs_alone() {
    let main_with = |begin: &str, end: &str, threads| {
        let text =
            "g := F; start_thread goto L; BEGIN g := T; g := F; END end_thread; L: assert(!g);";
        main(&text.replace("BEGIN", begin).replace("END", end), threads);
    };
    main_with("atomic_begin;", "atomic_end;", None);
    main_with("", "", Some(2));
}

#[test]
fn who_blocks_inside_an_atomic_section_blocks_everybody() {
    main(
        "g := F; atomic_begin; start_thread goto L; assume(g); atomic_end; end_thread; L: assert(F);",
        None,
    );
    main(
        "g := F; atomic_begin; start_thread goto L; assume(!g); atomic_end; end_thread; L: assert(F);",
        Some(2),
    );
}

#[test]
fn calls_give_results_back() {
    let found = answer(
        "bool<2> f(a, b) begin return b, a; end\nvoid main() begin decl l, m; l, m := f(T, F); assert(!l & m); end",
    );
    assert!(matches!(found, Answer::Never(_)), "{found:?}");
    let forgotten =
        answer("bool f() begin skip; end\nvoid main() begin decl l; l := f(); assert(l); end");
    assert_eq!(forgotten, Answer::Covered(1));
}

#[test]
fn recursion_is_looked_into_as_deep_as_said() {
    let program = |bound: &str| {
        format!(
            "decl a, b;\nvoid f() begin if {bound} then a, b := !a, a ^ b; f(); fi; end\nvoid main() begin a, b := F, F; f(); assert(T); end"
        )
    };
    let found = answer(&program("!(a & b)"));
    assert!(matches!(found, Answer::Never(_)), "{found:?}");
    assert_eq!(answer(&program("T")), Answer::Covered(1));
}
