//! A chart as a picture: arrows of messages begin where they are sent and end where they are received.

use super::told;
use crate::{Action, Chart, Fate, LaneId, Row};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// How wide a character of the font is, about.
const LETTER: usize = 7;
/// How high a row is.
const ROW: usize = 26;
/// Where the first row is.
const TOP: usize = 56;
/// Where the first lane is, behind the numbers of the steps.
const LEFT: usize = 48;

const HEAD: &str = r##"<style>text{font:12px ui-monospace,monospace;fill:#222}.n{fill:#888}.l{stroke:#bbb}.a{stroke:#246;fill:none;marker-end:url(#h)}.s{stroke:#246;stroke-dasharray:4 3;marker-end:url(#h)}.u{stroke:#b60;stroke-dasharray:2 3}.d{fill:#246}.v{fill:#b00;font-weight:bold}.c{stroke:#888;stroke-dasharray:6 4}.b{fill:#fff;fill-opacity:.85}</style>
<defs><marker id="h" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#246"/></marker></defs>
"##;

/// The whole picture.
pub fn render(chart: &Chart) -> String {
    let mut picture = Picture::new(chart);
    picture.lanes();
    for (index, row) in chart.rows.iter().enumerate() {
        if chart.repeats_from == Some(index) {
            picture.across(index, "from here on it repeats forever");
        }
        picture.row(index, row);
    }
    if chart.repeats_from == Some(chart.rows.len()) {
        picture.across(chart.rows.len(), "the last state repeats forever");
    }
    picture.outcome();
    picture.finish()
}

struct Picture<'c> {
    chart: &'c Chart,
    /// How far lanes are apart.
    distance: usize,
    body: String,
}

impl<'c> Picture<'c> {
    fn new(chart: &'c Chart) -> Self {
        let names = chart.lanes.iter().map(|lane| lane.name.width());
        let messages = chart.messages.iter();
        let messages = messages.map(|m| m.channel.width() + m.text.width() + 3);
        let widest = names.chain(messages).max().unwrap_or(0) * LETTER + 24;
        Picture {
            chart,
            distance: widest.clamp(120, 260),
            body: String::new(),
        }
    }

    fn x(&self, lane: LaneId) -> usize {
        LEFT + self.distance / 2 + lane * self.distance
    }

    fn y(&self, row: usize) -> usize {
        TOP + row * ROW
    }

    fn width(&self) -> usize {
        LEFT + self.chart.lanes.len().max(1) * self.distance
    }

    fn bottom(&self) -> usize {
        self.y(self.chart.rows.len())
    }

    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.body.write_fmt(element);
        self.body.push('\n');
    }

    fn lanes(&mut self) {
        for (id, lane) in self.chart.lanes.iter().enumerate() {
            let x = self.x(id);
            let top = lane.begins.map_or(30, |row| self.y(row));
            let bottom = lane.ends.map_or(self.bottom(), |row| self.y(row));
            self.add(format_args!(
                r#"<line class="l" x1="{x}" y1="{top}" x2="{x}" y2="{bottom}"/>"#
            ));
            self.add(format_args!(
                r#"<text x="{x}" y="20" text-anchor="middle">{}</text>"#,
                escaped(&lane.name)
            ));
        }
    }

    fn row(&mut self, index: usize, row: &Row) {
        let y = self.y(index);
        let number = row.number;
        self.add(format_args!(
            r#"<text class="n" x="{}" y="{}" text-anchor="end">{number}</text>"#,
            LEFT - 12,
            y + 4
        ));
        match &row.action {
            Action::Send { message, .. } => self.send(*message, index),
            Action::Receive { by, .. } => self.dot(*by, y),
            Action::Inspect { message, by } => {
                self.dot(*by, y);
                let words = format!("reads {}", told(self.chart, *message, "holds"));
                self.label(self.x(*by) + 8, y, "start", &words);
            }
            Action::Lose { message, at } => {
                let words = format!("lost: {}", told(self.chart, *message, "held"));
                self.label(self.x(*at) + 8, y, "start", &words);
            }
            Action::Rendezvous {
                from,
                to,
                channel,
                text,
            } => self.line("a", (*from, y), (*to, y), &format!("{channel} ! {text}")),
            Action::Spawn { from, to } => self.line("s", (*from, y), (*to, y), "run"),
            Action::End { lane } => self.label(self.x(*lane) + 8, y, "start", "ends"),
            Action::Local { lanes, text } => self.local(lanes, y, text),
        }
    }

    fn local(&mut self, lanes: &[LaneId], y: usize, text: &str) {
        lanes.iter().for_each(|lane| self.dot(*lane, y));
        let first = lanes.iter().min().map_or(LEFT, |lane| self.x(*lane) + 8);
        self.label(first, y, "start", text);
    }

    /// A message from where it is sent to where it ends.
    fn send(&mut self, message: usize, row: usize) {
        let words = told(self.chart, message, "!");
        let message = &self.chart.messages[message];
        let start = (message.from, self.y(row));
        match message.fate {
            Fate::Received { by, row } => self.line("a", start, (by, self.y(row)), &words),
            Fate::Lost { row } => self.line("u", start, (message.from, self.y(row)), &words),
            Fate::Unread => {
                let end = (message.from, self.bottom());
                self.line("u", start, end, &format!("{words} (never received)"));
            }
        }
        self.dot(message.from, start.1);
    }

    fn line(&mut self, class: &str, from: (LaneId, usize), to: (LaneId, usize), words: &str) {
        let (x1, x2) = (self.x(from.0), self.x(to.0));
        let (y1, y2) = (from.1, to.1);
        if from.0 == to.0 {
            let bend = x1 + 24;
            self.add(format_args!(
                r#"<path class="{class}" d="M{x1},{y1} C{bend},{y1} {bend},{y2} {x2},{y2}"/>"#
            ));
            return self.label(x1 + 26, y1, "start", words);
        }
        self.add(format_args!(
            r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#
        ));
        let anchor = if x1 < x2 { "start" } else { "end" };
        let x = if x1 < x2 { x1 + 8 } else { x1 - 8 };
        self.label(x, y1, anchor, words);
    }

    fn dot(&mut self, lane: LaneId, y: usize) {
        let x = self.x(lane);
        self.add(format_args!(
            r#"<circle class="d" cx="{x}" cy="{y}" r="3"/>"#
        ));
    }

    fn label(&mut self, x: usize, y: usize, anchor: &str, words: &str) {
        let y = y - 5;
        self.add(format_args!(
            r#"<text x="{x}" y="{y}" text-anchor="{anchor}">{}</text>"#,
            escaped(words)
        ));
    }

    fn across(&mut self, row: usize, words: &str) {
        let y = self.y(row) - ROW / 2;
        let right = self.width();
        self.add(format_args!(
            r#"<line class="c" x1="{LEFT}" y1="{y}" x2="{right}" y2="{y}"/>"#
        ));
        self.label(LEFT, y, "start", words);
    }

    fn outcome(&mut self) {
        let Some(outcome) = &self.chart.outcome else {
            return;
        };
        let x = outcome.lane.map_or(LEFT, |lane| self.x(lane));
        let y = self.bottom() + 20;
        self.add(format_args!(
            r#"<text class="v" x="{x}" y="{y}">✗ {}</text>"#,
            escaped(&outcome.text)
        ));
    }

    fn finish(self) -> String {
        // What stands beside the last lane is as wide as its text.
        let words = self.chart.rows.iter().filter_map(|row| match &row.action {
            Action::Local { text, .. } => Some(text.width()),
            _ => None,
        });
        let outcome = self.chart.outcome.iter().map(|o| o.text.width() + 2);
        let beside = words.chain(outcome).max().unwrap_or(0) * LETTER;
        let (width, height) = (self.width() + beside, self.bottom() + 40);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n{HEAD}{}</svg>\n",
            self.body
        )
    }
}

/// A text as XML holds it. What XML cannot hold is a blank.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}
