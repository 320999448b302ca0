//! What is asked in which way, and what is refused.

use crate::common::{
    Lists, compare, finally, finally_within, probability, proposition, ratio, reward,
};
use dashu_ratio::RBig;
use mandala_markov::{
    Answer, Bounds, Kind, MarkovError, Numbers, Process, ProcessBuilder, ProcessError, Settings,
    answer,
};
use mandala_temporal::pctl::{
    Accumulation, Comparison, FilterOperation, FilterSubject, Measure, Optimum, PathFormula, Query,
    StateFormula,
};

fn ask(process: &Process, query: &Query) -> Result<Answer, MarkovError> {
    answer(process, query, &Settings::default())
}

/// Two choices in state 0: a coin for state 1 or 2, or state 2 at once.
fn two_ways() -> Lists {
    let mut lists = Lists::new(Kind::Decisions, 3);
    lists.choice(0, &[(1, ratio(1, 2)), (2, ratio(1, 2))]);
    lists.choice(0, &[(2, RBig::ONE)]);
    lists.labels = vec![vec![1], vec![2]];
    lists.earned = vec![1, 0, 0];
    lists
}

fn holds(process: &Process, formula: StateFormula) -> bool {
    ask(process, &Query::Holds(formula)) == Ok(Answer::Truth(true))
}

#[test]
fn a_comparison_is_about_the_value_that_decides_it() {
    let process = two_ways().process(0);
    let one = || probability(None, finally(proposition(0)));
    let half = ratio(1, 2);
    assert!(holds(
        &process,
        compare(one(), Comparison::AtMost, half.clone())
    ));
    assert!(!holds(
        &process,
        compare(one(), Comparison::Less, half.clone())
    ));
    assert!(!holds(
        &process,
        compare(one(), Comparison::AtLeast, half.clone())
    ));
    assert!(holds(
        &process,
        compare(one(), Comparison::AtLeast, RBig::ZERO)
    ));
    assert!(!holds(
        &process,
        compare(one(), Comparison::More, RBig::ZERO)
    ));
    let most = probability(Some(Optimum::Greatest), finally(proposition(0)));
    assert!(holds(&process, compare(most, Comparison::AtLeast, half)));
}

#[test]
fn comparisons_are_nested() {
    let process = two_ways().process(0);
    // Wherever state 2 cannot be avoided for certain.
    let sure = compare(
        probability(None, finally(proposition(1))),
        Comparison::AtLeast,
        RBig::ONE,
    );
    let not_sure = StateFormula::Not(Box::new(sure));
    let soon = PathFormula::Next(Box::new(PathFormula::State(not_sure)));
    let query = Query::Value(probability(Some(Optimum::Greatest), soon));
    let Ok(Answer::Value(value)) = ask(&process, &query) else {
        panic!("a value");
    };
    assert_eq!(value.bounds, Bounds::exactly(0.5));
}

#[test]
fn a_value_on_the_threshold_is_compared_exactly() {
    // A third, which no floating-point number is.
    let mut lists = Lists::new(Kind::DiscreteChain, 4);
    lists.choice(0, &[(1, ratio(1, 4)), (2, ratio(1, 2)), (3, ratio(1, 4))]);
    lists.choice(3, &[(0, RBig::ONE)]);
    lists.labels = vec![vec![1]];
    let process = lists.process(0);
    let third = ratio(1, 3);
    let one = || probability(None, finally(proposition(0)));
    assert!(holds(
        &process,
        compare(one(), Comparison::AtLeast, third.clone())
    ));
    assert!(!holds(&process, compare(one(), Comparison::More, third)));
}

#[test]
fn filters_take_values_together() {
    let mut lists = two_ways();
    lists.kind = Kind::DiscreteChain;
    lists.choices[0].pop();
    let process = lists.process(0);
    let filter = |operation, subject| {
        ask(
            &process,
            &Query::Filter {
                operation,
                subject,
                states: StateFormula::Constant(true),
            },
        )
    };
    let measure = || FilterSubject::Measure(probability(None, finally(proposition(0))));
    let exact = |operation| match filter(operation, measure()) {
        Ok(Answer::Value(value)) => value.bounds,
        other => panic!("{other:?}"),
    };
    assert_eq!(exact(FilterOperation::Min), Bounds::ZERO);
    assert_eq!(exact(FilterOperation::Max), Bounds::ONE);
    assert_eq!(exact(FilterOperation::Sum), Bounds::exactly(1.5));
    assert_eq!(exact(FilterOperation::Average), Bounds::exactly(0.5));
    let formula = || FilterSubject::Formula(proposition(1));
    assert_eq!(
        filter(FilterOperation::Count, formula()),
        Ok(Answer::Count(1))
    );
    assert_eq!(
        filter(FilterOperation::Exists, formula()),
        Ok(Answer::Truth(true))
    );
    assert_eq!(
        filter(FilterOperation::ForAll, formula()),
        Ok(Answer::Truth(false))
    );
    assert!(matches!(
        filter(FilterOperation::Count, measure()),
        Err(MarkovError::Meaningless(_))
    ));
    assert!(matches!(
        filter(FilterOperation::State, measure()),
        Err(MarkovError::Meaningless(_))
    ));
}

#[test]
fn several_starts_have_a_least_and_a_greatest_value() {
    let mut builder = ProcessBuilder::new(Kind::DiscreteChain, 1, 0);
    builder.start(0);
    builder.start(1);
    builder.branch(1, &ratio(1, 4)).unwrap();
    builder.branch(2, &ratio(3, 4)).unwrap();
    builder.close_choice(&[]).unwrap();
    builder.close_state(&[], &[]).unwrap();
    builder.close_state(&[0], &[]).unwrap();
    builder.close_state(&[], &[]).unwrap();
    let process = builder.finish().unwrap();
    let query = Query::Value(probability(None, finally(proposition(0))));
    match ask(&process, &query) {
        Ok(Answer::Range(least, most)) => {
            assert_eq!(
                (least.bounds, most.bounds),
                (Bounds::exactly(0.25), Bounds::ONE)
            );
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(process.deadlocks().count(), 2);
}

#[test]
fn what_has_several_values_asks_for_one() {
    let process = two_ways().process(0);
    for measure in [
        probability(None, finally(proposition(0))),
        reward(None, Accumulation::Total),
    ] {
        let answered = ask(&process, &Query::Value(measure));
        assert!(matches!(answered, Err(MarkovError::Meaningless(_))));
    }
}

#[test]
fn what_cannot_be_answered_is_refused_by_name() {
    let process = two_ways().process(0);
    let average = ask(&process, &Query::Value(Measure::LongRun(proposition(0))));
    assert!(matches!(average, Err(MarkovError::Unsupported(_))));
    let again = PathFormula::Not(Box::new(finally(proposition(0))));
    let nested = PathFormula::Until {
        left: Box::new(PathFormula::State(StateFormula::Constant(true))),
        right: Box::new(again),
        within: mandala_temporal::pctl::Interval {
            from: RBig::ZERO,
            to: None,
        },
    };
    let query = Query::Value(probability(Some(Optimum::Least), nested));
    let Err(why) = ask(&process, &query) else {
        panic!("refused");
    };
    assert!(why.to_string().contains("linear temporal logic"), "{why}");
    let unknown = ask(&process, &Query::Holds(proposition(7)));
    assert!(matches!(unknown, Err(MarkovError::Meaningless(_))));
}

#[test]
fn an_exact_value_at_a_time_is_refused() {
    let mut lists = Lists::new(Kind::ContinuousChain, 2);
    lists.choice(0, &[(1, RBig::ONE)]);
    lists.labels = vec![vec![1]];
    let settings = Settings {
        numbers: Numbers::Exact,
        ..Settings::default()
    };
    let query = Query::Value(probability(None, finally_within(proposition(0), RBig::ONE)));
    let answered = answer(&lists.process(0), &query, &settings);
    assert!(matches!(answered, Err(MarkovError::Unsupported(_))));
}

#[test]
fn more_work_than_allowed_is_not_done() {
    let mut lists = Lists::new(Kind::DiscreteChain, 2);
    lists.choice(0, &[(0, ratio(1, 2)), (1, ratio(1, 2))]);
    lists.labels = vec![vec![1]];
    let steps = RBig::from(u64::MAX);
    let query = Query::Value(probability(None, finally_within(proposition(0), steps)));
    assert_eq!(
        ask(&lists.process(0), &query),
        Err(MarkovError::TooMuchWork)
    );
}

#[test]
fn a_process_is_refused_where_it_is_wrong() {
    let mut builder = ProcessBuilder::new(Kind::Decisions, 0, 1);
    builder.branch(0, &ratio(1, 3)).unwrap();
    builder.branch(1, &ratio(1, 3)).unwrap();
    let wrong = builder.close_choice(&[RBig::ZERO]);
    assert_eq!(
        wrong,
        Err(ProcessError::Sum {
            state: 0,
            sum: ratio(2, 3)
        })
    );
    let negative = RBig::from(-1);
    let wrong = builder.branch(0, &negative);
    assert!(matches!(
        wrong,
        Err(ProcessError::Negative { state: 0, .. })
    ));
    let mut builder = ProcessBuilder::new(Kind::DiscreteChain, 0, 0);
    for _ in 0..2 {
        builder.branch(0, &RBig::ONE).unwrap();
        if let Err(wrong) = builder.close_choice(&[]) {
            assert_eq!(wrong, ProcessError::SecondChoice { state: 0 });
        }
    }
    builder.close_state(&[], &[]).unwrap();
    assert!(matches!(
        builder.clone().finish(),
        Err(ProcessError::NoStart)
    ));
    builder.start(3);
    let wrong = builder.finish();
    assert!(matches!(
        wrong,
        Err(ProcessError::NoSuchState { target: 3 })
    ));
}
