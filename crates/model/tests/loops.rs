//! Loops over known values: their code does what the table says.

use crate::build::*;
use crate::verify::Break;
use mandala_model::UncheckedModel;
use mandala_model::expr::Expr;
use mandala_model::ids::{LocalId, NodeId};
use mandala_model::loops::Loop;
use mandala_model::parameters::{Progression, Values};
use mandala_model::template::{Choice, Role, Routine, Step};
use mandala_model::types::{Initial, Storage};
use mandala_model::verify::{Rule, verify};

/// Ways to break the invariant about loops.
pub const BREAKS: &[Break] = &[
    (Rule::Loops, "a head that is no node", |m| {
        *m = looping();
        routine(m).loops[0].head = NodeId(7);
    }),
    (Rule::Loops, "a head that is another node", |m| {
        *m = looping();
        routine(m).loops[0].head = NodeId(0);
    }),
    (Rule::Loops, "two loops with one head", |m| {
        *m = looping();
        let twin = routine(m).loops[0].clone();
        routine(m).loops.push(twin);
    }),
    (Rule::Loops, "a loop that says to end later", |m| {
        *m = looping();
        routine(m).loops[0].values.0[0].count += 1;
    }),
    (Rule::Loops, "a loop that says to begin later", |m| {
        *m = looping();
        routine(m).loops[0].values.0[0].first += 1;
    }),
    (
        Rule::Loops,
        "a head that does not take the next value",
        |m| {
            *m = looping();
            if let Step::Guarded { effects, .. } = &mut routine(m).nodes[1].choices[0].step {
                effects.pop();
            }
        },
    ),
    (Rule::Loops, "a head that may block", |m| {
        *m = looping();
        routine(m).nodes[1].quiet = true;
    }),
    (Rule::Loops, "a way out that may not be taken", |m| {
        *m = looping();
        routine(m).nodes[1].choices[1].step = when(int(0));
    }),
    (Rule::Loops, "a variable that is remembered", |m| {
        *m = looping();
        m.templates[0].locals[0].storage = Storage::State;
    }),
    (
        Rule::Loops,
        "a value that the variable has no room for",
        |m| {
            *m = looping();
            let wide = each(Progression::range(250, 10));
            let routine = routine(m);
            routine.nodes[1] = head(&wide);
            routine.loops = vec![wide];
        },
    ),
];

fn each(values: Progression) -> Loop {
    Loop {
        head: NodeId(1),
        variable: LocalId(0),
        position: LocalId(1),
        values: Values(vec![values]),
        span: SPAN,
    }
}

fn head(each: &Loop) -> mandala_model::template::Node {
    let choice = |guard: Expr, effects, next| Choice {
        step: perform(guard, effects),
        next,
        text: "for".into(),
        span: SPAN,
    };
    node(vec![
        choice(each.goes_on(), each.takes_next().to_vec(), Some(NodeId(1))),
        choice(int(1), Vec::new(), None),
    ])
}

/// A rule with a loop from 1 to 3.
fn looping() -> UncheckedModel {
    let each = each(Progression::range(1, 3));
    let begin = Choice {
        step: perform(int(1), vec![each.begins()]),
        next: Some(NodeId(1)),
        text: "for".into(),
        span: SPAN,
    };
    let routine = Routine {
        nodes: vec![node(vec![begin]), head(&each)],
        loops: vec![each],
    };
    let rule = edge(0, 0, Step::Routine(routine));
    let mut rules = template("rules", Role::Process, 1, vec![rule]);
    for name in ["i", "position"] {
        let mut local = variable(name, byte(), Initial::Default);
        local.storage = Storage::Scratch;
        rules.locals.push(local);
    }
    let mut model = empty();
    model.templates.push(rules);
    model
}

fn routine(model: &mut UncheckedModel) -> &mut Routine {
    match &mut model.templates[0].edges[0].step {
        Step::Routine(routine) => routine,
        _ => panic!("a routine"),
    }
}

#[test]
fn a_loop_is_valid() {
    assert!(verify(looping()).is_ok());
}
