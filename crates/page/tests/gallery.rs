//! What a page has in it, whatever browser shows it.

use crate::support::{Case, gallery};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// What may be on a page beside the trace.
const MOST_BYTES: usize = 1_000_000;

/// The data of a page.
pub fn data_of(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").expect("data");
    let (data, _) = rest.split_once("</script>").expect("their end");
    serde_json::from_str(data).expect("JSON")
}

/// What each page of the gallery draws is recorded in `gallery/`, beside the text and the chart that `mandala-chart` records. After a deliberate
/// change, run with `UPDATE_EXPECT=1` and read the difference.
#[test]
fn pages_draw_what_is_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gallery");
    let compare = |(name, case): (String, Case)| {
        let found = drawn(&data_of(&case.page()));
        let place = folder.join(format!("{name}.expected"));
        let expected = fs::read_to_string(&place).unwrap_or_default();
        if found != expected && std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&place, &found).expect("the expectation is written");
            return None;
        }
        (found != expected).then(|| format!("{}:\n{found}", place.display()))
    };
    let wrong: Vec<String> = gallery().into_iter().filter_map(compare).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Charts, group and graph of a page as text: a line for each row, state and step.
fn drawn(data: &Value) -> String {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut lines = Vec::new();
    for chart in list(&data["charts"]) {
        lines.push(format!("chart {}", chart["lanes"]));
        lines.extend(list(&chart["rows"]).iter().map(Value::to_string));
        lines.push(format!("outcome {}", chart["outcome"]));
        lines.push(format!("repeats from {}", chart["repeats_from"]));
    }
    for part in ["points", "rows", "cycles"] {
        lines.push(format!("group {part} {}", data["group"][part]));
    }
    let graph = &data["graph"];
    for part in ["names", "values", "labels", "permutations", "starts"] {
        lines.push(format!("graph {part} {}", graph[part]));
    }
    lines.extend(list(&graph["states"]).iter().map(|s| format!("state {s}")));
    let edges = list(&graph["edges"]);
    let edges = edges.chunks(4).map(|edge| format!("step {edge:?}"));
    lines.extend(edges.map(|edge| edge.replace("Number(", "").replace(')', "")));
    lines.join("\n") + "\n"
}

#[test]
fn every_page_has_its_model_its_run_its_chart_and_its_graph() {
    let models = gallery();
    assert!(models.len() >= 10, "only {} models", models.len());
    for (name, case) in models {
        let page = case.page();
        assert!(page.len() < MOST_BYTES, "{name}: {} bytes", page.len());
        assert_eq!(page, case.page(), "{name}: the same again");
        let data = data_of(&page);
        let document: mandala_report::Document =
            serde_json::from_value(data["document"].clone()).expect("the document");
        let told = |document: &mandala_report::Document| {
            (
                document.violation.clone(),
                document.trace.clone(),
                document.further.clone(),
            )
        };
        assert_eq!(told(&document), told(&case.document), "{name}");
        let text = case.loaded.sources.files().next().expect("a file").1.text();
        assert_eq!(data["sources"][0]["text"], text, "{name}");
        let runs = document.counterexamples().count();
        let witnesses = document
            .properties
            .iter()
            .filter(|p| p.witness.is_some())
            .count();
        let charts = data["charts"].as_array().expect("charts");
        assert_eq!(charts.len(), runs + witnesses, "{name}");
        let drawn = |what: &str| data["graph"][what].as_array().map_or(0, Vec::len);
        let (states, edges) = match case.graph.complete {
            true => (case.graph.states.len(), case.graph.edges.len()),
            false => (0, 0),
        };
        assert_eq!(
            (drawn("states"), drawn("edges")),
            (states, 4 * edges),
            "{name}"
        );
        for outside in ["http://", "https://", "src=", "@import", "url("] {
            let own = page.replace("http://www.w3.org/2000/svg", "");
            let (own, _) = own.split_once("id=\"data\">").expect("data");
            assert!(!own.contains(outside), "{name}: {outside}");
        }
    }
}

/// The sizes of a family that were searched are on the page.
#[test]
fn every_size_of_a_family_has_its_numbers() {
    let data = data_of(&Case::every("models/mcs-lock/mcs-lock.m").page());
    let every = &data["document"]["every"];
    assert_eq!(every["answer"], "refused");
    let sizes = every["searched"].as_array().expect("sizes");
    let views = sizes.iter().map(|size| size["views"].as_u64());
    assert_eq!(views.collect::<Vec<_>>(), [Some(4), Some(22), Some(111)]);
}

/// The states of a graph can be read off its page though only differences are there.
#[test]
fn states_are_told_by_what_differs() {
    let case = Case::bundled("models/lost-wakeup/lost-wakeup.pml", &[]);
    let data = data_of(&case.page());
    let graph = &data["graph"];
    let text = |table: &str, number: i64| {
        graph[table][number as usize]
            .as_str()
            .expect("a text")
            .to_owned()
    };
    for (number, state) in case.graph.states.iter().enumerate() {
        let mut chain = Vec::new();
        let mut at = Some(number as u64);
        while let Some(state) = at {
            let told = &graph["states"][state as usize];
            chain.push(told["d"].as_array().expect("differences"));
            at = told["p"].as_u64();
        }
        let mut values = std::collections::BTreeMap::new();
        for differences in chain.iter().rev() {
            for pair in differences.chunks(2) {
                let name = text("names", pair[0].as_i64().expect("a name"));
                match pair[1].as_i64().expect("a value") {
                    -1 => values.remove(&name),
                    value => values.insert(name, text("values", value)),
                };
            }
        }
        for value in &state.values {
            assert_eq!(
                values.get(&value.name),
                Some(&value.value),
                "state {number}"
            );
        }
        assert_eq!(values.len(), state.values.len() + state.processes.len());
    }
}

/// Large graphs that are drawn: one with many steps, and one with almost as many states as there may be.
#[test]
fn a_page_with_two_thousand_states_is_small() {
    let counters =
        "byte a, b; bool c[8]; active proctype P() { do :: a < 40 -> a++; c[a % 8] = !c[a % 8] od }
        active proctype Q() { do :: b < 44 -> b++ od }";
    for (case, least) in [
        (Case::bundled("models/peterson/peterson.pml", &["N=4"]), 900),
        (Case::of("counters.pml", counters, &[]), 1_800),
    ] {
        let states = case.graph.states.len();
        assert!((least..=2_000).contains(&states), "{states} states");
        let page = case.page();
        let bytes = page.len() - case.bytes_of_traces();
        assert!(bytes < MOST_BYTES, "{bytes} bytes");
        assert_eq!(data_of(&page)["graph"]["drawn"], true);
    }
}

#[test]
fn a_graph_that_is_too_large_is_not_drawn_and_says_so() {
    let case = Case::bundled("models/three-tier/three-tier.pml", &[]);
    let data = data_of(&case.page());
    assert_eq!(data["graph"]["drawn"], false);
    assert_eq!(data["graph"]["reason"], "there are more than 2,000 states");
    assert!(
        data["graph"]["states"]
            .as_array()
            .is_some_and(Vec::is_empty)
    );
    // The group is there all the same: three clients of each of two servers, with their channels.
    let rows: Vec<usize> = data["group"]["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| row.as_array().map_or(0, Vec::len))
        .collect();
    assert_eq!(rows, [2, 6]);
}
