//! What can be chosen, what is said about it, and where the limits are.

use crate::common::{Case, bundled, load};
use mandala_explicit::{AfterViolation, Extent, Limit, Options, search_reduced};
use mandala_reduce::{Description, Settings, Strategy, Unsupported, reducer};

fn peterson() -> Case {
    let model = bundled("peterson", &["N=3"]);
    Case::of_families(model, &[("Process", 1..4)])
}

fn settings(main_array: Option<&str>) -> Settings {
    Settings {
        main_array: main_array.map(String::from),
        ..Settings::default()
    }
}

fn description(case: &Case, strategy: Strategy, main: Option<&str>) -> Description {
    let reducer = reducer(&case.model, &case.certificate, strategy, &settings(main));
    reducer.expect("supported").description()
}

/// The main arrays that are taken.
fn main_arrays(case: &Case, strategy: Strategy, main: Option<&str>) -> Vec<String> {
    let domains = description(case, strategy, main).domains.into_iter();
    domains.filter_map(|domain| domain.main_array).collect()
}

#[test]
fn the_widest_array_is_the_main_one() {
    let case = peterson();
    assert_eq!(main_arrays(&case, Strategy::Sorted, None), ["level"]);
    assert_eq!(
        main_arrays(&case, Strategy::PcSorted, None),
        ["control locations"]
    );
    assert!(main_arrays(&case, Strategy::Auto, None).is_empty());
    let mutex = Case::of_families(bundled("mutex", &["N=3"]), &[("Process", 0..3)]);
    assert_eq!(
        main_arrays(&mutex, Strategy::Segmented, None),
        ["control locations"]
    );
}

#[test]
fn a_main_array_can_be_named() {
    let case = peterson();
    assert_eq!(
        main_arrays(&case, Strategy::Sorted, Some("k")),
        ["Process.k"]
    );
    let counts = ["level", "k", "ahead"].map(|name| {
        let found = case.search_with(Strategy::Sorted, &settings(Some(name)));
        assert_eq!(
            case.search_with(Strategy::Segmented, &settings(Some(name)))
                .statistics
                .states,
            1976
        );
        found.statistics.states
    });
    assert!(
        counts[0] != counts[1] && counts[1] != counts[2],
        "{counts:?}"
    );
    assert!(counts.iter().all(|count| *count > 1976), "{counts:?}");
}

#[test]
fn what_is_no_main_array_is_refused() {
    let case = peterson();
    let refused = |strategy, name| {
        let settings = settings(Some(name));
        let made = reducer(&case.model, &case.certificate, strategy, &settings);
        made.err()
    };
    for name in ["nothing", "turn", "critical"] {
        let error = Unsupported::NoSuchMainArray(name.to_string());
        assert_eq!(refused(Strategy::Sorted, name), Some(error));
    }
    for strategy in [Strategy::Auto, Strategy::PcSorted, Strategy::Flood] {
        let error = Unsupported::NoUseForMainArray(strategy);
        assert_eq!(refused(strategy, "level"), Some(error));
    }
}

#[test]
fn over_a_budget_representatives_are_not_canonical_and_that_is_said() {
    let case = peterson();
    for strategy in [Strategy::Full, Strategy::Shuffle, Strategy::Flood] {
        let settings = Settings {
            permutations: 3,
            ..Settings::default()
        };
        let found = case.search_with(strategy, &settings);
        assert!(
            found.statistics.states > 1976,
            "{strategy}: {}",
            found.statistics.states
        );
        assert!(found.reduction.not_canonical > 0, "{strategy}");
    }
}

#[test]
fn strategies_that_keep_states_respect_the_limit_on_memory() {
    let case = peterson();
    let options = Options {
        on_violation: AfterViolation::GoOn,
        ..Options::default()
    };
    for strategy in [Strategy::Flood, Strategy::Markers, Strategy::FirstMet] {
        let settings = Settings {
            memory: 40_000,
            ..Settings::default()
        };
        let mut make = || {
            let reducer = reducer(&case.model, &case.certificate, strategy, &settings);
            reducer.expect("supported")
        };
        let found = search_reduced(&case.program, &options, &mut make, &mut |_| {});
        let (outcome, reducers) = found.expect("the options go together");
        let reducer = &reducers[0];
        assert_eq!(outcome.extent, Extent::Limited(Limit::Memory), "{strategy}");
        assert!(
            (1..60_000).contains(&reducer.bytes()),
            "{strategy}: {}",
            reducer.bytes()
        );
        assert!(reducer.description().kept_states > 0, "{strategy}");
    }
}

/// A reason why a domain is left out, and a search that is right all the same.
fn left_out(text: &str, why: &str, states: u64) {
    let case = Case::of_families(load(text, &[]), &[("Guest", 0..2)]);
    let settings = Settings::default();
    let mut make = || {
        let reducer = reducer(&case.model, &case.certificate, Strategy::Auto, &settings);
        reducer.expect("supported")
    };
    let options = Options::default();
    let found = search_reduced(&case.program, &options, &mut make, &mut |_| {});
    let (outcome, reducers) = found.expect("the options go together");
    assert_eq!(outcome.statistics.states, states);
    let reasons = reducers[0].description().left_out;
    assert_eq!(reasons, [("Guest".to_string(), why.to_string())]);
}

#[test]
fn what_has_no_place_in_a_view_is_left_out() {
    let cube = "
        typedef Row { bool at[2] };
        typedef Plane { Row row[2] };
        Plane plane[2];
        pid friend = 255;
        active [2] proctype Guest() {
            do
            :: friend = _pid
            :: atomic { friend != 255 -> plane[_pid].row[friend].at[_pid] = true; friend = 255 }
            od
        }";
    // All of the eight bits but those that need a third guest, and who is the friend.
    left_out(cube, "they index an array together with two others", 3 * 16);
}

/// Guests who befriend each other or nobody, where several values stand for nobody.
fn guests(nobody: impl Iterator<Item = u32>) -> Case {
    let strangers: Vec<String> = nobody.map(|v| format!(":: friend = {v}")).collect();
    let text = format!(
        "short friend; bool met[3];
        active [3] proctype Guest() {{
            do
            :: friend = _pid
            :: friend == _pid -> met[_pid] = !met[_pid]
            {}
            od
        }}",
        strangers.join("\n")
    );
    Case::of_families(load(&text, &[]), &[("Guest", 0..3)])
}

#[test]
fn values_that_nobody_expects_get_a_code() {
    let case = guests(1000..1003);
    let states = case.reachable(usize::MAX);
    let (orbits, _) = case.orbits(&states);
    let found = case.search(Strategy::Auto);
    assert_eq!(found.statistics.states, orbits);
    assert_eq!(found.reduction.not_canonical, 0);
}

#[test]
fn odd_values_leave_a_state_as_it_is() {
    // There are more of them than codes in reserve.
    let case = guests(1000..1040);
    let states = case.reachable(usize::MAX);
    let (orbits, _) = case.orbits(&states);
    let found = case.search(Strategy::Auto);
    assert!(found.statistics.states > orbits && found.statistics.states <= states.len() as u64);
    assert!(found.reduction.not_canonical > 0);
}
