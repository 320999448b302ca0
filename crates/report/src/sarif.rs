//! Results in the static analysis results interchange format (SARIF 2.1.0), which code hosts show beside the source, with the run to a violation
//! step by step.

use crate::document::Actor;
use crate::document::{
    ClaimSteps, Document, FailureDocument, Finding, Place, Step, Tool, Trace, Verdict, Violation,
    ViolationKind,
};
use crate::suite::text::detail;
use crate::suite::{SuiteReport, TestOutcome, TestResult};
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Write;

/// The schema of the format.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The rules that results are about: their ids, and what they say.
const RULES: [(&str, &str); 10] = [
    ("assertion", "An assertion fails in some run."),
    (
        "invariant",
        "A condition on all states does not hold in some reachable state.",
    ),
    (
        "deadlock",
        "In some reachable state no process can move, and one should be able to.",
    ),
    (
        "claim",
        "Some run is accepted by a never claim, or violates a formula.",
    ),
    (
        "events",
        "The messages of some run are not as an observer of messages demands.",
    ),
    (
        "liveness",
        "What must happen does not, or what must stay possible is possible no more.",
    ),
    ("runtime-error", "A step fails at run time."),
    ("undecided", "A property was not decided."),
    ("model", "The text of the model is wrong."),
    (
        "expectation",
        "Something else was found than the header of the model expects.",
    ),
];

/// The result of a check.
pub fn write(document: &Document) -> Result<String, serde_json::Error> {
    let violated = document.counterexamples();
    let violated = violated.map(|(violation, trace)| violation_result(document, violation, trace));
    let undecided = document.properties.iter();
    let undecided = undecided.filter(|p| p.verdict == Verdict::Unknown);
    let undecided = undecided.map(|property| {
        let reason = property.reason.as_deref().unwrap_or("no reason is known");
        SarifResult {
            kind: "open",
            level: "none",
            ..SarifResult::new(
                "undecided",
                format!("{} is not decided: {reason}", property.name),
            )
        }
        .at(vec![file(&document.model.path)])
    });
    let results = violated.chain(undecided).collect();
    let warnings = document
        .warnings
        .iter()
        .map(|text| notification("warning", text));
    log(&document.tool, results, true, warnings.collect())
}

/// That there is no result, and why.
pub fn write_failure(failure: &FailureDocument) -> Result<String, serde_json::Error> {
    let findings = failure.error.findings.iter().map(finding_result).collect();
    let what = notification("error", &failure.error.message);
    log(&failure.tool, findings, false, vec![what])
}

/// The result of a suite: what did not come out as it is expected.
pub fn write_suite(report: &SuiteReport) -> Result<String, serde_json::Error> {
    let results = report.tests.iter().flat_map(test_results).collect();
    let done = report.tests.iter();
    let done = done.map(|test| &test.outcome);
    let all_done = !done
        .into_iter()
        .any(|outcome| *outcome == TestOutcome::Interrupted);
    log(&report.tool, results, all_done, Vec::new())
}

fn test_results(test: &TestResult) -> Vec<SarifResult> {
    let Some(detail) = detail(&test.outcome) else {
        return Vec::new();
    };
    let message = format!("expected: {}; {detail}", test.text);
    let place = location(&test.model, Some((test.line, None)));
    let expectation = SarifResult::new("expectation", message).at(vec![place]);
    match &test.outcome {
        TestOutcome::Passed | TestOutcome::Interrupted => Vec::new(),
        TestOutcome::Undecided { .. } => vec![SarifResult {
            kind: "open",
            level: "none",
            rule_id: "undecided",
            ..expectation
        }],
        TestOutcome::Wrong { findings, .. } if !findings.is_empty() => {
            findings.iter().map(finding_result).collect()
        }
        TestOutcome::Wrong { .. } => vec![expectation],
        TestOutcome::Failed { document, .. } => {
            let shown = document.counterexamples().next();
            let flows = shown.map(|(violation, trace)| code_flow(document, violation, trace));
            vec![SarifResult {
                code_flows: flows.into_iter().collect(),
                ..expectation
            }]
        }
    }
}

fn violation_result(document: &Document, violation: &Violation, trace: &Trace) -> SarifResult {
    let mut message = format!("{}: {}", violation.property, violation.message);
    if let Some(text) = &violation.text {
        let _ = write!(message, " (`{text}`)");
    }
    for value in &violation.values {
        let _ = write!(message, "\n{} = {}", value.name, value.value);
    }
    for note in &violation.notes {
        let _ = write!(message, "\n{note}");
    }
    let place = match (&violation.place, trace.steps.last()) {
        (Some(place), _) => at_place(place),
        (None, Some(step)) => location(&step.file, Some((step.line, None))),
        (None, None) => file(&document.model.path),
    };
    SarifResult {
        code_flows: vec![code_flow(document, violation, trace)],
        ..SarifResult::new(rule_of(violation.kind), message).at(vec![place])
    }
}

fn finding_result(finding: &Finding) -> SarifResult {
    SarifResult {
        level: match finding.severity.as_str() {
            "warning" => "warning",
            _ => "error",
        },
        ..SarifResult::new("model", finding.message.clone()).at(vec![at_place(&finding.place)])
    }
}

fn rule_of(kind: ViolationKind) -> &'static str {
    match kind {
        ViolationKind::Assertion => "assertion",
        ViolationKind::Invariant => "invariant",
        ViolationKind::Deadlock => "deadlock",
        ViolationKind::Claim => "claim",
        ViolationKind::Events => "events",
        ViolationKind::Liveness => "liveness",
        ViolationKind::RuntimeError => "runtime-error",
    }
}

/// The run to a violation, as a way through the source.
fn code_flow(document: &Document, violation: &Violation, trace: &Trace) -> Value {
    let hidden = document.claim_steps(violation.property_id) == ClaimSteps::Hidden;
    let steps = trace.steps.iter();
    let steps = steps.filter(|step| !hidden || step.actor == Actor::Process);
    let steps: Vec<Value> = steps.map(step_location).collect();
    // A way has at least one place.
    let start = json!({ "location": with_message(file(&document.model.path), "the first state") });
    let steps = if steps.is_empty() { vec![start] } else { steps };
    json!({ "threadFlows": [{ "locations": steps }] })
}

fn step_location(step: &Step) -> Value {
    let mut text = match (step.pid, step.is_rule()) {
        (Some(pid), false) => format!("{}({pid}): {}", step.process, step.statement),
        _ => step.statement.clone(),
    };
    if let Some(partner) = &step.partner {
        let _ = write!(
            text,
            ", with {}({}): {}",
            partner.process, partner.pid, partner.statement
        );
    }
    for change in &step.changes {
        let (from, to) = (change.from.as_deref(), change.to.as_deref());
        let (from, to) = (from.unwrap_or("-"), to.unwrap_or("-"));
        let _ = write!(text, "\n{}: {from} → {to}", change.name);
    }
    let place = location(&step.file, Some((step.line, None)));
    json!({ "location": with_message(place, &text) })
}

fn at_place(place: &Place) -> Value {
    location(&place.file, Some((place.line, Some(place.column))))
}

fn file(path: &str) -> Value {
    location(path, None)
}

/// A place in a file: its line and column, if they are known.
fn location(path: &str, place: Option<(u32, Option<u32>)>) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(path) } });
    // Lines and columns begin with 1.
    if let Some((line, column)) = place.filter(|(line, _)| *line > 0) {
        physical["region"] = json!({ "startLine": line });
        if let Some(column) = column.filter(|column| *column > 0) {
            physical["region"]["startColumn"] = json!(column);
        }
    }
    json!({ "physicalLocation": physical })
}

fn with_message(mut location: Value, text: &str) -> Value {
    location["message"] = json!({ "text": text });
    location
}

/// The path as a reference: what a reference gives a meaning to is written in hexadecimal.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => {
                uri.push(byte.into())
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

fn notification(level: &str, text: &str) -> Value {
    json!({ "level": level, "message": { "text": text } })
}

/// One result of a run of the tool.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    kind: &'static str,
    level: &'static str,
    message: Value,
    locations: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_flows: Vec<Value>,
}

impl SarifResult {
    fn new(rule_id: &'static str, message: String) -> Self {
        SarifResult {
            rule_id,
            kind: "fail",
            level: "error",
            message: json!({ "text": message }),
            locations: Vec::new(),
            code_flows: Vec::new(),
        }
    }

    fn at(self, locations: Vec<Value>) -> Self {
        SarifResult { locations, ..self }
    }
}

/// The whole document.
fn log(
    tool: &Tool,
    results: Vec<SarifResult>,
    successful: bool,
    notifications: Vec<Value>,
) -> Result<String, serde_json::Error> {
    let rules = RULES.iter();
    let rules = rules.map(|(id, text)| json!({ "id": id, "shortDescription": { "text": text } }));
    let rules: Vec<Value> = rules.collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": tool.name, "version": tool.version, "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": successful,
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
        }],
    });
    let mut text = serde_json::to_string_pretty(&document)?;
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("models/a b.pml"), "models/a%20b.pml");
        assert_eq!(uri("/x/é#1.pml"), "file:///x/%C3%A9%231.pml");
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
        assert_eq!(uri("a:b"), "a%3Ab");
    }

    #[test]
    fn every_kind_of_violation_has_its_rule() {
        for kind in [
            ViolationKind::Assertion,
            ViolationKind::Invariant,
            ViolationKind::Deadlock,
            ViolationKind::Claim,
            ViolationKind::Events,
            ViolationKind::Liveness,
            ViolationKind::RuntimeError,
        ] {
            assert!(RULES.iter().any(|(id, _)| *id == rule_of(kind)));
        }
    }
}
