//! A chart as a sequence diagram of Mermaid.

use crate::{Action, Chart, Fate, LaneId, Row};

/// The whole diagram.
pub fn render(chart: &Chart) -> String {
    let participants = chart.lanes.iter().enumerate();
    let mut lines: Vec<String> = participants
        .map(|(id, lane)| format!("participant L{id} as {}", plain(&lane.name)))
        .collect();
    for (index, row) in chart.rows.iter().enumerate() {
        if chart.repeats_from == Some(index) {
            lines.push("loop forever".into());
        }
        lines.push(line(chart, row));
    }
    match chart.repeats_from {
        Some(from) if from < chart.rows.len() => lines.push("end".into()),
        Some(_) => lines.extend(across(chart, "the last state repeats forever")),
        None => {}
    }
    if let Some(outcome) = &chart.outcome {
        let text = format!("{}. ✗ {}", outcome.number, outcome.text);
        lines.extend(match outcome.lane {
            Some(lane) => Some(note(&[lane], &text)),
            None => across(chart, &text),
        });
    }
    let lines = lines.iter().map(|line| format!("    {line}\n"));
    format!("sequenceDiagram\n{}", lines.collect::<String>())
}

fn line(chart: &Chart, row: &Row) -> String {
    let step = row.number;
    let told = |message: usize| {
        let told = &chart.messages[message];
        format!("{}: {}", told.channel, told.text)
    };
    match &row.action {
        Action::Send { message, .. } => {
            let fate = match chart.messages[*message].fate {
                Fate::Received { .. } => "",
                Fate::Lost { .. } => " (lost later)",
                Fate::Unread => " (never received)",
            };
            let text = format!("{step}. sends {}{fate}", told(*message));
            note(&[chart.messages[*message].from], &text)
        }
        Action::Receive { message, by, .. } => {
            let text = format!("{step}. {}", told(*message));
            arrow(chart.messages[*message].from, "-)", *by, &text)
        }
        Action::Inspect { message, by } => {
            note(&[*by], &format!("{step}. reads {}", told(*message)))
        }
        Action::Lose { message, at } => {
            let text = format!("{step}. lost: {}", told(*message));
            arrow(chart.messages[*message].from, "-x", *at, &text)
        }
        Action::Rendezvous {
            from,
            to,
            channel,
            text,
        } => arrow(*from, "->>", *to, &format!("{step}. {channel}: {text}")),
        Action::Spawn { from, to } => arrow(*from, "-->>", *to, &format!("{step}. run")),
        Action::End { lane } => note(&[*lane], &format!("{step}. ends")),
        Action::Local { lanes, text } => {
            let text = format!("{step}. {text}");
            match lanes.is_empty() {
                true => across(chart, &text).unwrap_or_default(),
                false => note(lanes, &text),
            }
        }
    }
}

fn arrow(from: LaneId, stroke: &str, to: LaneId, text: &str) -> String {
    format!("L{from}{stroke}L{to}: {}", plain(text))
}

/// A note over some lanes. Mermaid knows notes over one and notes that go from one to another.
fn note(lanes: &[LaneId], text: &str) -> String {
    let text = plain(text);
    match (lanes.iter().min(), lanes.iter().max()) {
        (Some(first), Some(last)) if first != last => format!("Note over L{first},L{last}: {text}"),
        (Some(only), _) => format!("Note over L{only}: {text}"),
        _ => String::new(),
    }
}

fn across(chart: &Chart, text: &str) -> Option<String> {
    let last = chart.lanes.len().checked_sub(1)?;
    Some(note(&[0, last], text))
}

/// A text without what means something to Mermaid, or to the page that it is shown on.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '#' | ';' | '<' | '>' | '%' | '"' => plain.push_str(&format!("#{};", letter as u32)),
            letter if letter.is_control() => plain.push(' '),
            letter => plain.push(letter),
        }
    }
    plain
}
