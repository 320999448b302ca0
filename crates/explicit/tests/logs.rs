//! The graph of all states, put together from what workers have written down, and made by visiting all states once more.

use crate::common::{COUNTERS, model};
use crate::resume::{Folder, checkpoints};
use mandala_encoding::Program;
use mandala_explicit::{
    Answer, ExplicitOutcome, Extent, Fairness, GraphQuestion, Limit, Limits, Options, Proposition,
    Query, SearchOrder, Whom, search,
};
use mandala_model::expr::Expr;
use mandala_model::property::PropertyKind;
use mandala_model::step::Observers;
use mandala_model::template::Step;
use mandala_temporal::Ctl;

/// The condition that the model's claim looks at.
fn program(text: &str) -> Program {
    let model = model(text);
    let claims = model.properties.iter().filter_map(|p| match p.kind {
        PropertyKind::Never { claim } => Some(claim),
        _ => None,
    });
    let conditions = claims.map(|claim| match &model.template(claim).edges[0].step {
        Step::Guarded { guard, .. } => guard.clone(),
        other => panic!("{other:?} is no condition"),
    });
    let conditions: Vec<Expr> = conditions.collect();
    Program::compile_with(&model, Observers::default(), &conditions).expect("small")
}

/// Whether the condition stays possible for ever.
fn asking(fairness: Fairness) -> Options {
    Options {
        questions: vec![GraphQuestion {
            what: Query::Formula(Ctl::proposition(0).always_possible()),
            fairness,
            whom: Whom::Processes,
            instances: None,
        }],
        propositions: vec![Proposition::Condition(0)],
        share_from: 1,
        ..Options::default()
    }
}

fn ask(text: &str, options: &Options) -> ExplicitOutcome {
    search(&program(text), options, &mut |_| {}).expect("it can be searched")
}

/// Models in which the condition stays possible, and in which it does not.
fn models() -> [(String, bool); 4] {
    let never =
        |condition: &str| format!("never {{ accept: if :: {condition} -> goto accept fi }}");
    let traps = "byte x, y;
        active proctype p() { do :: x < 9 -> x++ :: x > 2 -> x-- od }
        active proctype q() { do :: y < 7 -> y++ :: y == 5 && x == 8 -> break od }";
    [
        (format!("{COUNTERS} {}", never("a == 3 && b == 40")), true),
        (format!("{COUNTERS} {}", never("a == 60")), false),
        (format!("{traps} {}", never("y < 7")), false),
        (format!("{traps} {}", never("x == 9")), true),
    ]
}

#[test]
fn logs_tell_what_a_second_visit_tells() {
    for (number, (text, holds)) in models().into_iter().enumerate() {
        let folder = Folder::new(&format!("logs-{number}"));
        let visiting = Options {
            // A search that writes checkpoints keeps no logs.
            checkpoints: checkpoints(&folder.0, false),
            ..asking(Fairness::None)
        };
        let expected = ask(&text, &visiting).answers;
        assert_eq!(matches!(expected[..], [Answer::Holds(_)]), holds, "{text}");
        for order in [SearchOrder::BreadthFirst, SearchOrder::DepthFirst] {
            for workers in [1, 3] {
                let options = Options {
                    order,
                    workers,
                    ..asking(Fairness::None)
                };
                assert_eq!(
                    ask(&text, &options).answers,
                    expected,
                    "{order:?} {workers} {text}"
                );
            }
        }
    }
}

#[test]
fn logs_are_given_up_where_memory_is_short() {
    let counters = COUNTERS.replace("50", "200");
    let plain = ask(&counters, &Options::default());
    let peak = plain.statistics.peak_bytes;
    let limits = Limits {
        memory: Some(peak + peak / 4),
        ..Limits::default()
    };
    let options = Options {
        limits,
        ..asking(Fairness::None)
    };
    let text = format!("{counters} never {{ accept: if :: a == 3 -> goto accept fi }}");
    let outcome = ask(&text, &options);
    assert_eq!(outcome.extent, Extent::Complete);
    // What a second visit needs is more than that.
    assert_eq!(outcome.answers, [Answer::Unknown(Limit::Memory)]);
}
