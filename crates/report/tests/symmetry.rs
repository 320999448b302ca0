//! The part of the document about symmetry: the text against snapshots, the JSON against the contract.

use mandala_report::document::*;
use mandala_report::text::View;
use mandala_report::{Colour, json, text};

fn processes(template: &str, numbers: &[u32]) -> Domain {
    Domain {
        name: template.into(),
        kind: DomainKind::Processes,
        full: true,
        size: numbers.len() as u32,
        members: numbers.iter().map(|n| format!("{template} {n}")).collect(),
        source: DomainSource::Found,
        declared: None,
        settled: Vec::new(),
    }
}

fn channels(array: &str, size: u32) -> Domain {
    Domain {
        name: array.into(),
        kind: DomainKind::Names,
        size,
        members: (0..size).map(|i| format!("{array}[{i}]")).collect(),
        settled: vec![Settled {
            process: "init".into(),
            file: Some("models/three-tier.pml".into()),
            line: Some(99),
        }],
        ..processes(array, &[])
    }
}

fn declared(name: &str, size: u32, line: u32) -> Domain {
    Domain {
        name: name.into(),
        kind: DomainKind::Names,
        full: true,
        size,
        members: (1..=size).map(|i| format!("{name} {i}")).collect(),
        source: DomainSource::Declared,
        declared: Some(SourceLine {
            file: "models/three-tier.pml".into(),
            line,
        }),
        settled: Vec::new(),
    }
}

fn refused(what: &str, reason: &str, line: Option<u32>) -> Refused {
    Refused {
        what: what.into(),
        reason: reason.into(),
        decided: true,
        file: line.map(|_| "models/three-tier.pml".into()),
        line,
        pair: None,
    }
}

/// Two servers with three clients each.
fn three_tier() -> Symmetry {
    Symmetry {
        strategy: "auto".into(),
        order: "72".into(),
        structure: "S3 wr S2".into(),
        generators: vec![
            "(Client 3 Client 4)(reply[0] reply[1])".into(),
            "(Client 4 Client 5)(reply[1] reply[2])".into(),
            "(Server 2 Server 6)(desk[0] desk[1])(Client 3 Client 7)".into(),
        ],
        source: "declared and found".into(),
        domains: vec![
            processes("Client", &[3, 4, 5, 7, 8, 9]),
            processes("Server", &[2, 6]),
            channels("desk", 2),
            channels("reply", 6),
            declared("Ticket", 3, 12),
        ],
        expand: Some("representatives".into()),
        bound: "72".into(),
        canonicalising: Some(Canonicalising {
            states: 40_000,
            not_canonical: 0,
            seconds: Some(0.045),
            share: Some(0.18),
        }),
        refused: vec![
            refused(
                "Printer 10..12",
                "`_pid < 11` compares names by size",
                Some(31),
            ),
            refused("Database 1", "there is only one", None),
        ],
        ..Symmetry::off()
    }
}

fn document(symmetry: Symmetry) -> Document {
    let stats = Stats {
        states: 2656,
        transitions: 12_345,
        depth: 40,
        seconds: 0.25,
        peak_bytes: 2_500_000,
        bytes_per_state: 11.5,
        violations: 0,
        ..Stats::default()
    };
    Document {
        schema: SCHEMA.into(),
        tool: Tool::mandala(),
        model: model(),
        verdict: Verdict::Holds,
        properties: vec![PropertyResult {
            id: PropertyId::Safety,
            name: "safety".into(),
            kind: PropertyKind::Safety,
            verdict: Verdict::Holds,
            instances: None,
            reason: None,
            violations: 0,
            stats: Some(stats),
            levels: Vec::new(),
            symmetry: None,
            witness: None,
            value: None,
            greatest: None,
            chain: None,
        }],
        not_selected: Vec::new(),
        violation: None,
        trace: None,
        further: Vec::new(),
        stats,
        search: Search {
            engine: "explicit".into(),
            order: "breadth first".into(),
            workers: 1,
            ..Search::default()
        },
        symmetry,
        reduction: Reduction {
            partial_order: "off".into(),
            left_out: None,
            simplification: "off".into(),
        },
        coverage: Coverage {
            complete: true,
            ..Coverage::default()
        },
        threads: None,
        every: None,
        unreached: Vec::new(),
        warnings: Vec::new(),
    }
}

fn model() -> ModelSource {
    ModelSource {
        path: "models/three-tier.pml".into(),
        language: "promela".into(),
        defines: Vec::new(),
        dialect: None,
        threads: None,
        stated: Vec::new(),
        digest: "0123456789abcdef".into(),
    }
}

fn group(symmetry: Symmetry) -> SymmetryDocument {
    SymmetryDocument {
        schema: SYMMETRY_SCHEMA.into(),
        tool: Tool::mandala(),
        model: model(),
        property_id: PropertyId::Safety,
        property: "safety".into(),
        symmetry,
        further: Vec::new(),
    }
}

/// Only the block about symmetry.
fn block(symmetry: Symmetry) -> String {
    text::symmetry::section(&document(symmetry), Colour::Off).unwrap_or_default()
}

#[test]
fn a_check_says_what_was_used_what_it_took_and_what_broke_the_rest() {
    insta::assert_snapshot!(text::render(
        &document(three_tier()),
        &View::new(Colour::Off)
    ));
}

#[test]
fn nothing_is_said_of_symmetry_that_is_off() {
    assert_eq!(block(Symmetry::off()), "");
}

#[test]
fn a_model_with_nothing_that_might_be_symmetric_is_not_lectured_unless_asked() {
    let trivial = |strategy: &str| Symmetry {
        strategy: strategy.into(),
        note: Some("there are no two of a kind".into()),
        ..Symmetry::off()
    };
    assert_eq!(block(trivial("auto")), "");
    insta::assert_snapshot!(block(trivial("full")), @r"
    Symmetry (full)
      nothing is reduced: there are no two of a kind
    ");
}

#[test]
fn a_strategy_that_finds_nothing_says_why() {
    let nothing = Symmetry {
        strategy: "segmented".into(),
        note: Some("the processes of `user` may end".into()),
        refused: vec![refused("user 0..1", "a `user` may end here", Some(11))],
        ..Symmetry::off()
    };
    insta::assert_snapshot!(block(nothing), @r"
    Symmetry (segmented)
      nothing is reduced: the processes of `user` may end
      not user 0..1: line 11: a `user` may end here
    ");
}

#[test]
fn a_share_that_nobody_has_looked_at_is_not_told() {
    let canonicalising = three_tier().canonicalising.map(|c| Canonicalising {
        seconds: None,
        share: None,
        ..c
    });
    let symmetry = Symmetry {
        canonicalising,
        ..three_tier()
    };
    assert!(block(three_tier()).contains("of the time spent on finding them"));
    assert!(!block(symmetry).contains("of the time"));
}

#[test]
fn every_guarantee_has_its_own_words() {
    let with = |guarantee, not_canonical| {
        let canonicalising = three_tier()
            .canonicalising
            .map(|c| Canonicalising { not_canonical, ..c });
        let symmetry = Symmetry {
            guarantee,
            exact: false,
            canonicalising,
            refused: Vec::new(),
            ..three_tier()
        };
        block(symmetry)
            .lines()
            .nth(2)
            .unwrap_or_default()
            .to_string()
    };
    assert_eq!(
        with(Guarantee::Canonical, 7),
        "  2,656 representatives, for some orbits perhaps several: not canonical are 7"
    );
    assert_eq!(
        with(Guarantee::Several, 0),
        "  2,656 representatives, for some orbits perhaps several"
    );
    assert_eq!(
        with(Guarantee::MayMiss, 0),
        "  2,656 representatives, some perhaps for several orbits: violations may be missed"
    );
}

#[test]
fn a_flood_tells_how_much_smaller_it_got() {
    let flood = Symmetry {
        strategy: "flood".into(),
        images: Some(103_105),
        achieved: Some(38.82),
        refused: Vec::new(),
        ..three_tier()
    };
    let text = block(flood);
    let line = "  they stand for 103,105 states: 38.8 times as many, of at most 72\n";
    assert!(text.contains(line), "{text}");
}

#[test]
fn the_main_array_and_the_way_of_expanding_are_named() {
    let sorted = Symmetry {
        strategy: "sorted".into(),
        main_array: Some("level".into()),
        expand: Some("originals".into()),
        ended_stay: true,
        restated: vec!["reset to a value that is no name, where it is not read: P:from".into()],
        ..three_tier()
    };
    let text = block(sorted);
    assert!(text.contains("processes that have ended stay"), "{text}");
    assert!(text.contains("where it is not read: P:from"), "{text}");
    assert!(
        text.contains(
            "  sorted by `level`, originals expanded, 18 % of the time spent on finding them\n"
        ),
        "{text}"
    );
}

#[test]
fn shares_of_next_to_no_time_are_not_told() {
    let mut document = document(three_tier());
    document.stats.seconds = 0.0004;
    let text = text::render(&document, &View::new(Colour::Off));
    assert!(!text.contains("of the time"), "{text}");
}

#[test]
fn many_reasons_are_cut_short_and_the_text_says_so() {
    let mut symmetry = three_tier();
    symmetry.refused = (1..=9).map(|n| refused("P 1..2", "no", Some(n))).collect();
    let text = block(symmetry);
    assert!(text.contains("line 4: no\n  and 5 more reasons"), "{text}");
    assert!(!text.contains("line 5: no"), "{text}");
}

#[test]
fn a_property_that_leaves_another_group_is_told_apart() {
    let mut document = document(three_tier());
    document.properties[0].symmetry = Some(Symmetry {
        order: "2".into(),
        structure: "S2".into(),
        domains: vec![processes("Server", &[2, 6])],
        source: "found".into(),
        ..three_tier()
    });
    let text = text::render(&document, &View::new(Colour::Off));
    let line = "  for `safety`: S2 on Server 2,6; order 2 (found)\n";
    assert!(text.contains(line), "{text}");
}

#[test]
fn the_whole_symmetry_is_shown_on_request() {
    let mut document = group(three_tier());
    document.symmetry.domains[2].settled[0].line = None;
    document.further = vec![PropertySymmetry {
        property_id: PropertyId::Stated(0),
        property: "first".into(),
        symmetry: Symmetry {
            strategy: "auto".into(),
            refused: vec![refused("Client 3..5", "`first` names Client 3", Some(50))],
            ..Symmetry::off()
        },
    }];
    insta::assert_snapshot!(text::symmetry::whole(&document, Colour::Off));
}

#[test]
fn images_that_no_run_comes_to_are_told_as_such() {
    let flooded = |images: u64| {
        let symmetry = Symmetry {
            images: Some(images),
            achieved: Some(images as f64 / 868.0),
            bound: "3".into(),
            ..three_tier()
        };
        block(symmetry)
    };
    assert!(flooded(4_588).contains("5.3 times as many, with some that cannot be reached"));
    assert!(flooded(2_356).contains("2.7 times as many, of at most 3"));
}

#[test]
fn what_properties_cost_is_told_with_their_lines() {
    let told = |lines: &[u32], observer| {
        let line = |line: &u32| SourceLine {
            file: "models/three-tier.pml".into(),
            line: *line,
        };
        let symmetry = Symmetry {
            property_cost: Some(PropertyCost {
                order: "362880".into(),
                times: "9".into(),
                assertions: lines.iter().map(line).collect(),
                observer,
            }),
            ..three_tier()
        };
        let text = text::symmetry::whole(&group(symmetry), Colour::Off);
        let (_, text) = text.split_once("Properties\n  ").unwrap();
        text.lines().next().unwrap().to_string()
    };
    assert_eq!(
        told(&[27], false),
        "the assertion in line 27 tells apart what the system does not: the system alone has order 362,880, \
         9 times as much"
    );
    let start = |text: String| text.split_once(" apart").unwrap().0.to_string();
    assert_eq!(
        start(told(&[3, 5, 8], false)),
        "the assertions in lines 3, 5 and 8 tell"
    );
    assert_eq!(start(told(&[], true)), "the property tells");
    assert_eq!(
        start(told(&[3], true)),
        "the assertion in line 3 and the property tell"
    );
    assert_eq!(start(told(&[], false)), "the assertions together tell");
}

#[test]
fn a_set_that_is_moved_in_some_ways_only_is_told_as_such() {
    let mut document = group(three_tier());
    document.symmetry.domains[0].full = false;
    let text = text::symmetry::whole(&document, Colour::Off);
    let lines = text
        .lines()
        .filter(|l| l.contains("that the generators say"));
    assert_eq!(lines.count(), 1, "{text}");
}

#[test]
fn a_model_without_symmetry_says_so() {
    let text = text::symmetry::whole(&group(Symmetry::off()), Colour::Off);
    assert_eq!(text, "no symmetry  models/three-tier.pml\n");
}

#[test]
fn many_generators_are_cut_short_in_the_text_only() {
    let mut document = group(three_tier());
    document.symmetry.generators = (0..59).map(|n| format!("(P {n} P {})", n + 1)).collect();
    let text = text::symmetry::whole(&document, Colour::Off);
    assert!(text.contains("(P 29 P 30)\n  and 29 more\n"), "{text}");
    let json = json::write_symmetry(&document).unwrap();
    assert!(json.contains("(P 58 P 59)"), "{json}");
}

#[test]
fn names_cannot_play_with_the_terminal() {
    let mut document = group(three_tier());
    document.symmetry.structure = "\x1b[31mS3".into();
    document.symmetry.generators = vec!["(\x07a b)".into()];
    document.symmetry.domains[0].members = vec!["\x1b]P".into()];
    let text = text::symmetry::whole(&document, Colour::Off);
    assert!(!text.contains(['\x1b', '\x07']), "{text:?}");
}

#[test]
fn both_documents_survive_the_round_trip() {
    let mut report = document(three_tier());
    report.properties[0].symmetry = Some(three_tier());
    let text = json::write(&report).unwrap();
    assert_eq!(json::read(&text).unwrap(), report);
    let group = group(three_tier());
    let text = json::write_symmetry(&group).unwrap();
    assert!(text.starts_with("{\n  \"schema\": \"mandala-symmetry/1\""));
    let read: SymmetryDocument = serde_json::from_str(&text).unwrap();
    assert_eq!(read, group);
}

#[test]
fn a_report_from_before_these_fields_can_still_be_read() {
    let text = json::write(&document(Symmetry::off())).unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let old = serde_json::json!({
        "strategy": "off", "order": "1", "exact": true, "generators": [],
        "structure": "trivial", "source": "none"
    });
    value["symmetry"] = old;
    let read = json::read(&value.to_string()).unwrap();
    assert_eq!(read.symmetry, Symmetry::off());
}

#[test]
fn the_contract_of_the_symmetry_object_is_kept() {
    let text = json::write(&document(three_tier())).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let paths = [
        "strategy",
        "guarantee",
        "order",
        "exact",
        "structure",
        "generators/0",
        "source",
        "domains/0/name",
        "domains/0/kind",
        "domains/0/full",
        "domains/0/size",
        "domains/0/members/5",
        "domains/0/source",
        "domains/2/settled/0/line",
        "domains/4/declared/line",
        "main_array",
        "expand",
        "bound",
        "achieved",
        "images",
        "ended_stay",
        "restated",
        "canonicalising/states",
        "canonicalising/not_canonical",
        "canonicalising/seconds",
        "canonicalising/share",
        "property_cost",
        "detection",
        "refused/0/what",
        "refused/0/reason",
        "refused/0/file",
        "refused/0/line",
        "note",
    ];
    for path in paths {
        let pointer = format!("/symmetry/{path}");
        assert!(value.pointer(&pointer).is_some(), "{path} is missing");
    }
    let words = [
        ("guarantee", "canonical"),
        ("order", "72"),
        ("domains/0/kind", "processes"),
        ("domains/4/source", "declared"),
    ];
    for (path, word) in words {
        assert_eq!(value.pointer(&format!("/symmetry/{path}")).unwrap(), word);
    }
}
