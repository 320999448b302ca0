//! Message sequence charts, row by row, for the script to draw.

use mandala_chart::{Action, Chart, Fate, chart};
use mandala_report::document::Document;
use serde::Serialize;

/// A chart.
#[derive(Debug, Serialize)]
pub struct ChartData {
    lanes: Vec<LaneData>,
    rows: Vec<RowData>,
    repeats_from: Option<usize>,
    outcome: Option<OutcomeData>,
}

#[derive(Debug, Serialize)]
struct LaneData {
    name: String,
    begins: Option<usize>,
    ends: Option<usize>,
}

#[derive(Debug, Serialize)]
struct OutcomeData {
    text: String,
    lane: Option<usize>,
}

/// A row: what is done, by whom and to whom. A message that arrives has the row in which it was sent, one that is sent has what becomes of it.
#[derive(Debug, Default, Serialize)]
struct RowData {
    step: usize,
    number: u32,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<usize>,
    lanes: Vec<usize>,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    sent: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fate: Option<&'static str>,
}

/// The charts of all runs of a document: those of counterexamples first, then those of witnesses.
pub fn all(document: &Document) -> Vec<ChartData> {
    let counterexamples = document.counterexamples();
    let counterexamples = counterexamples.map(|(violation, trace)| chart(trace, Some(violation)));
    let witnesses = document
        .properties
        .iter()
        .filter_map(|p| p.witness.as_ref());
    let witnesses = witnesses.map(|trace| chart(trace, None));
    counterexamples.chain(witnesses).map(|c| data(&c)).collect()
}

fn data(chart: &Chart) -> ChartData {
    let lanes = chart.lanes.iter().map(|lane| LaneData {
        name: lane.name.clone(),
        begins: lane.begins,
        ends: lane.ends,
    });
    let rows = chart.rows.iter().map(|row| RowData {
        step: row.step,
        number: row.number,
        ..action(chart, &row.action)
    });
    ChartData {
        lanes: lanes.collect(),
        rows: rows.collect(),
        repeats_from: chart.repeats_from,
        outcome: chart.outcome.as_ref().map(|outcome| OutcomeData {
            text: outcome.text.clone(),
            lane: outcome.lane,
        }),
    }
}

fn action(chart: &Chart, action: &Action) -> RowData {
    match action {
        Action::Send { message, .. } => RowData {
            fate: Some(match chart.messages[*message].fate {
                Fate::Received { .. } => "received",
                Fate::Lost { .. } => "lost",
                Fate::Unread => "unread",
            }),
            to: match chart.messages[*message].fate {
                Fate::Received { by, .. } => Some(by),
                Fate::Lost { .. } | Fate::Unread => None,
            },
            ..of_message(chart, *message, "send")
        },
        Action::Receive { message, by, .. } => RowData {
            to: Some(*by),
            ..of_message(chart, *message, "receive")
        },
        Action::Inspect { message, by } => RowData {
            to: Some(*by),
            ..of_message(chart, *message, "inspect")
        },
        Action::Lose { message, at } => RowData {
            to: Some(*at),
            ..of_message(chart, *message, "lose")
        },
        Action::Rendezvous {
            from,
            to,
            channel,
            text,
        } => RowData {
            kind: "rendezvous",
            from: Some(*from),
            to: Some(*to),
            text: format!("{channel}: {text}"),
            ..RowData::default()
        },
        Action::Spawn { from, to } => RowData {
            kind: "spawn",
            from: Some(*from),
            to: Some(*to),
            text: "run".into(),
            ..RowData::default()
        },
        Action::End { lane } => RowData {
            kind: "end",
            from: Some(*lane),
            text: "ends".into(),
            ..RowData::default()
        },
        Action::Local { lanes, text } => RowData {
            kind: "local",
            lanes: lanes.clone(),
            text: text.clone(),
            ..RowData::default()
        },
    }
}

fn of_message(chart: &Chart, message: usize, kind: &'static str) -> RowData {
    let told = &chart.messages[message];
    RowData {
        kind,
        from: Some(told.from),
        text: format!("{}: {}", told.channel, told.text),
        sent: Some(told.sent),
        ..RowData::default()
    }
}
