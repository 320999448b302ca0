//! What `docs/ir.md` says of languages without a front end yet, checked against the types: a
//! Murphi model and a pointer automaton, lowered by hand.

use crate::build::*;
use mandala_model::UncheckedModel;
use mandala_model::expr::*;
use mandala_model::ids::*;
use mandala_model::model::{Arithmetic, Language, StartProcess};
use mandala_model::property::{Property, PropertyKind};
use mandala_model::template::*;
use mandala_model::text::Text;
use mandala_model::types::*;
use mandala_model::verify::verify;

fn range(max: i64) -> Type {
    Type::Scalar(Scalar::Range { min: 0, max })
}

fn flag() -> Type {
    Type::Scalar(Scalar::Bool)
}

fn global_variable(name: &str, ty: Type) -> Variable {
    variable(name, ty, Initial::Default)
}

fn both(left: Expr, right: Expr) -> Expr {
    binary(BinaryOp::And, left, right)
}

fn started(template: u32, arguments: Vec<Expr>) -> StartProcess {
    StartProcess {
        template: TemplateId(template),
        arguments,
        priority: 1,
    }
}

/// A claim that is at its end as soon as the condition holds: what must never happen.
fn never(condition: Expr) -> Template {
    let edges = vec![edge(0, 1, when(condition)), edge(0, 0, when(int(1)))];
    let mut claim = template("forbidden", Role::Claim, 2, edges);
    claim.locations[1].end = true;
    claim
}

fn forbid(model: &mut UncheckedModel, condition: Expr) {
    let claim = TemplateId::from(model.templates.len());
    model.templates.push(never(condition));
    model.properties.push(Property {
        name: "forbidden".into(),
        kind: PropertyKind::Never { claim },
        span: SPAN,
    });
}

fn lines(model: UncheckedModel) -> Vec<String> {
    let model = verify(model).expect("a valid model");
    let text = Text::new(&model).to_string();
    text.lines().map(|line| line.trim().to_string()).collect()
}

#[track_caller]
fn assert_line(lines: &[String], expected: &str) {
    let found = lines.iter().any(|line| line == expected);
    assert!(found, "no line `{expected}` in {lines:#?}");
}

mod two_phase_commit {
    use super::*;

    const MANAGERS: u32 = 3;
    const RM_STATE: u32 = 0;
    const TM_STATE: u32 = 1;
    const TM_PREPARED: u32 = 2;
    const MSG_PREPARED: u32 = 3;
    const MSG_COMMIT: u32 = 4;
    const MSG_ABORT: u32 = 5;
    const WORKING: i64 = 0;
    const PREPARED: i64 = 1;
    const COMMITTED: i64 = 2;
    const ABORTED: i64 = 3;

    fn of(array: u32, index: Expr) -> Place {
        element(global(array), index)
    }

    fn r() -> Expr {
        read(local(0))
    }

    fn rm_is(index: Expr, state: i64) -> Expr {
        equal(read(of(RM_STATE, index)), int(state))
    }

    fn becomes(state: i64) -> Effect {
        assign(of(RM_STATE, r()), int(state))
    }

    /// `ruleset r : RM do ... end`: a template with one location and a parameter.
    fn manager() -> Template {
        let initially = equal(read(global(TM_STATE)), int(0));
        let unheard = both(
            read(of(MSG_PREPARED, r())),
            read(of(TM_PREPARED, r())).negated(),
        );
        let heard = assign(of(TM_PREPARED, r()), int(1));
        let says = assign(of(MSG_PREPARED, r()), int(1));
        let told = |message, state| {
            let guard = both(read(global(message)), rm_is(r(), state).negated());
            edge(0, 0, perform(guard, vec![becomes(state)]))
        };
        let edges = vec![
            edge(0, 0, perform(both(initially, unheard), vec![heard])),
            edge(
                0,
                0,
                perform(rm_is(r(), WORKING), vec![becomes(PREPARED), says]),
            ),
            edge(0, 0, perform(rm_is(r(), WORKING), vec![becomes(ABORTED)])),
            told(MSG_COMMIT, COMMITTED),
            told(MSG_ABORT, ABORTED),
        ];
        let mut rules = template("RM_rules", Role::Process, 1, edges);
        let id = Type::Scalar(Scalar::Id(DomainId(0)));
        rules.parameters = 1;
        rules.locals = vec![variable("r", id, Initial::Default)];
        rules
    }

    /// The rules without parameters.
    fn transaction() -> Template {
        let initially = || equal(read(global(TM_STATE)), int(0));
        let prepared = |i| read(of(TM_PREPARED, int(i)));
        let all = both(both(prepared(0), prepared(1)), prepared(2));
        let decide = |state, message| {
            let message = assign(global(message), int(1));
            vec![assign(global(TM_STATE), int(state)), message]
        };
        let commit = perform(both(initially(), all), decide(1, MSG_COMMIT));
        let abort = perform(initially(), decide(2, MSG_ABORT));
        let edges = vec![edge(0, 0, commit), edge(0, 0, abort)];
        template("rules", Role::Process, 1, edges)
    }

    pub(super) fn model() -> UncheckedModel {
        let mut model = UncheckedModel::new(Language::Promela, Arithmetic::Checked64);
        model.domains = vec![Domain {
            name: "RM".into(),
            size: MANAGERS,
        }];
        model.globals = vec![
            global_variable("rmState", array(range(3), MANAGERS)),
            global_variable("tmState", range(2)),
            global_variable("tmPrepared", array(flag(), MANAGERS)),
            global_variable("msgPrepared", array(flag(), MANAGERS)),
            global_variable("msgCommit", flag()),
            global_variable("msgAbort", flag()),
        ];
        model.templates = vec![manager(), transaction()];
        let managers = (0..i64::from(MANAGERS)).map(|r| started(0, vec![int(r)]));
        model.start = managers.collect();
        model.start.push(started(1, Vec::new()));
        let some = |state| {
            let any = |i| rm_is(int(i), state);
            let two = binary(BinaryOp::Or, any(0), any(1));
            binary(BinaryOp::Or, two, any(2))
        };
        forbid(&mut model, both(some(ABORTED), some(COMMITTED)));
        model
    }
}

#[test]
fn a_ruleset_is_a_template_with_one_location() {
    let lines = lines(two_phase_commit::model());
    assert_line(&lines, "process RM_rules(r: RM) {");
    assert_line(
        &lines,
        "s0 -> s0 when rmState[r] == 0 do rmState[r] = 1; msgPrepared[r] = true",
    );
    assert_line(&lines, "start RM_rules(2)");
}

mod mcs_lock {
    use super::*;

    const PROCESSES: u32 = 2;
    const TAIL: u32 = 0;
    const NEXT: u32 = 1;
    const PREV: u32 = 2;
    const LOCKED: u32 = 3;

    /// `P`: pointers count processes from 1, for 0 is NULL.
    fn me() -> Expr {
        binary(BinaryOp::Add, expr(ExprKind::SelfId), int(1))
    }

    /// A local variable of the process that a pointer points to. NULL is an index outside.
    fn through(pointer: Expr, column: u32) -> Place {
        element(global(column), binary(BinaryOp::Subtract, pointer, int(1)))
    }

    fn own(column: u32) -> Place {
        element(global(column), expr(ExprKind::SelfId))
    }

    fn own_is(column: u32, value: i64) -> Expr {
        equal(read(own(column)), int(value))
    }

    fn always(effects: Vec<Effect>) -> Step {
        perform(int(1), effects)
    }

    fn lock() -> Template {
        let tail_is_me = || equal(read(global(TAIL)), me());
        let edges = vec![
            edge(0, 1, always(vec![assign(own(NEXT), int(0))])),
            edge(
                1,
                2,
                always(vec![
                    assign(own(PREV), read(global(TAIL))),
                    assign(global(TAIL), me()),
                ]),
            ),
            edge(2, 3, when(own_is(PREV, 0).negated())),
            edge(2, 6, when(own_is(PREV, 0))),
            edge(3, 4, always(vec![assign(own(LOCKED), int(1))])),
            edge(
                4,
                5,
                always(vec![assign(through(read(own(PREV)), NEXT), me())]),
            ),
            edge(5, 5, when(own_is(LOCKED, 1))),
            edge(5, 6, when(own_is(LOCKED, 0))),
            edge(6, 7, when(own_is(NEXT, 0))),
            edge(6, 9, when(own_is(NEXT, 0).negated())),
            edge(
                7,
                0,
                perform(tail_is_me(), vec![assign(global(TAIL), int(0))]),
            ),
            edge(7, 8, when(tail_is_me().negated())),
            edge(8, 8, when(own_is(NEXT, 0))),
            edge(8, 9, when(own_is(NEXT, 0).negated())),
            edge(
                9,
                0,
                always(vec![assign(through(read(own(NEXT)), LOCKED), int(0))]),
            ),
        ];
        let mut lock = template("lock", Role::Process, 10, edges);
        lock.locations.iter_mut().for_each(|l| l.end = true);
        lock
    }

    fn critical(process: i64) -> Expr {
        let at = |location| {
            expr(ExprKind::At {
                template: TemplateId(0),
                process: Box::new(int(process)),
                location: LocationId(location),
            })
        };
        (7..10).fold(at(6), |before, l| binary(BinaryOp::Or, before, at(l)))
    }

    pub(super) fn model() -> UncheckedModel {
        let mut model = UncheckedModel::new(Language::Promela, Arithmetic::Checked64);
        let pointer = || range(i64::from(PROCESSES));
        model.globals = vec![
            global_variable("L", pointer()),
            global_variable("next", array(pointer(), PROCESSES)),
            global_variable("prev", array(pointer(), PROCESSES)),
            global_variable("locked", array(range(1), PROCESSES)),
        ];
        model.templates = vec![lock()];
        model.start = vec![started(0, Vec::new()), started(0, Vec::new())];
        forbid(&mut model, both(critical(0), critical(1)));
        model
    }
}

#[test]
fn an_indirect_assignment_is_an_element_of_a_column() {
    let lines = lines(mcs_lock::model());
    assert_line(&lines, "s4 -> s5 do next[prev[self()] - 1] = self() + 1");
    assert_line(&lines, "s7 -> s0 when L == self() + 1 do L = 0");
    assert_line(&lines, "location s9 number 10 end");
}
