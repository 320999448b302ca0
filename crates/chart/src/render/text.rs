//! A chart as lines of characters: the number of the step, the lanes, and what happens in words.

use super::told;
use crate::{Action, Chart, Fate, LaneId, Row};
use unicode_width::UnicodeWidthStr;

/// No lane is wider: longer names are cut.
const WIDEST: usize = 18;
/// No lane is narrower: there has to be room for an arrow with a number on it.
const NARROWEST: usize = 9;

/// The whole chart.
pub fn render(chart: &Chart) -> String {
    let page = Page::new(chart);
    let mut lines = vec![page.head()];
    for (index, row) in chart.rows.iter().enumerate() {
        if chart.repeats_from == Some(index) {
            lines.push(page.across("from here on it repeats forever"));
        }
        lines.push(page.row(index, row));
    }
    if chart.repeats_from == Some(chart.rows.len()) {
        lines.push(page.across("the last state repeats forever"));
    }
    lines.extend(page.outcome());
    lines.extend(unread(chart));
    let mut text = String::new();
    for line in lines {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Messages that are still in their channels at the end.
fn unread(chart: &Chart) -> Vec<String> {
    let messages = chart.messages.iter().enumerate();
    let unread = messages.filter(|(_, message)| message.fate == Fate::Unread);
    let told = unread.map(|(id, _)| format!("  {}  {}", id + 1, told(chart, id, "holds")));
    let told: Vec<String> = told.collect();
    match told.is_empty() {
        true => Vec::new(),
        false => std::iter::once("never received".into())
            .chain(told)
            .collect(),
    }
}

/// Where everything stands.
struct Page<'c> {
    chart: &'c Chart,
    /// The width of the column with the numbers of steps.
    number: usize,
    /// The width of a lane.
    lane: usize,
}

impl<'c> Page<'c> {
    fn new(chart: &'c Chart) -> Self {
        let numbers = chart.rows.iter().map(|row| row.number);
        let numbers = numbers.chain(chart.outcome.iter().map(|outcome| outcome.number));
        let numbers = numbers.map(|number| number.to_string().len());
        let names = chart.lanes.iter().map(|lane| lane.name.width() + 2);
        Page {
            chart,
            number: numbers.max().unwrap_or(1),
            lane: names.max().unwrap_or(0).clamp(NARROWEST, WIDEST),
        }
    }

    fn head(&self) -> String {
        let mut line = " ".repeat(self.number + 2);
        for lane in &self.chart.lanes {
            let name = cut(&lane.name, self.lane - 1);
            let room = self.lane - name.width();
            line.push_str(&" ".repeat(room / 2));
            line.push_str(&name);
            line.push_str(&" ".repeat(room - room / 2));
        }
        line
    }

    /// The lanes in a row, without what happens in it.
    fn lanes(&self, index: usize) -> Vec<char> {
        let mut line = vec![' '; self.chart.lanes.len() * self.lane];
        for (id, lane) in self.chart.lanes.iter().enumerate() {
            let begun = lane.begins.is_none_or(|begins| begins < index);
            let ended = lane.ends.is_some_and(|ends| ends < index);
            if begun && !ended {
                line[self.middle(id)] = '│';
            }
        }
        line
    }

    fn middle(&self, lane: LaneId) -> usize {
        lane * self.lane + self.lane / 2
    }

    fn row(&self, index: usize, row: &Row) -> String {
        let mut line = self.lanes(index);
        let words = self.draw(&mut line, &row.action);
        let lanes: String = line.into_iter().collect();
        format!(
            "{:>width$}  {lanes}  {words}",
            row.number,
            width = self.number
        )
    }

    /// Draws what happens into a line of lanes, and says it.
    fn draw(&self, line: &mut [char], action: &Action) -> String {
        let messages = &self.chart.messages;
        match action {
            Action::Send { message, .. } => {
                self.mark(line, messages[*message].from, '●', &label(*message));
                told(self.chart, *message, "!")
            }
            Action::Receive { message, by, .. } => {
                let from = messages[*message].from;
                self.arrow(line, from, *by, '─', &label(*message));
                told(self.chart, *message, "?")
            }
            Action::Inspect { message, by } => {
                self.mark(line, *by, '○', &label(*message));
                format!("reads {}", told(self.chart, *message, "holds"))
            }
            Action::Lose { message, at } => {
                self.mark(line, *at, '×', &label(*message));
                format!("lost: {}", told(self.chart, *message, "held"))
            }
            Action::Rendezvous {
                from,
                to,
                channel,
                text,
            } => {
                self.arrow(line, *from, *to, '═', "");
                format!("{channel} ! {text}")
            }
            Action::Spawn { from, to } => {
                self.arrow(line, *from, *to, '╌', "");
                format!("run {}", self.chart.lanes[*to].name)
            }
            Action::End { lane } => {
                line[self.middle(*lane)] = '┴';
                format!("{} ends", self.chart.lanes[*lane].name)
            }
            Action::Local { lanes, text } => {
                self.touch(line, lanes);
                text.clone()
            }
        }
    }

    /// Marks a step of some lanes.
    fn touch(&self, line: &mut [char], lanes: &[LaneId]) {
        let all: Vec<LaneId> = match lanes.is_empty() {
            true => (0..self.chart.lanes.len()).collect(),
            false => lanes.to_vec(),
        };
        for lane in all {
            line[self.middle(lane)] = '■';
        }
    }

    fn mark(&self, line: &mut [char], lane: LaneId, mark: char, label: &str) {
        let at = self.middle(lane);
        line[at] = mark;
        for (offset, letter) in label.chars().enumerate() {
            if let Some(cell) = line.get_mut(at + 1 + offset) {
                *cell = letter;
            }
        }
    }

    fn arrow(&self, line: &mut [char], from: LaneId, to: LaneId, stroke: char, label: &str) {
        let (start, end) = (self.middle(from), self.middle(to));
        if start == end {
            return self.mark(line, to, '↺', label);
        }
        let (left, right) = (start.min(end), start.max(end));
        line[left + 1..right].fill(stroke);
        match start < end {
            true => line[right - 1] = '▶',
            false => line[left + 1] = '◀',
        }
        line[end] = '│';
        let middle = (left + right + 1 - label.len()) / 2;
        for (offset, letter) in label.chars().enumerate() {
            line[middle + offset] = letter;
        }
    }

    fn across(&self, words: &str) -> String {
        let width = (self.chart.lanes.len() * self.lane).max(words.width() + 4);
        let rest = width - words.width() - 2;
        let (left, right) = ("╌".repeat(rest / 2), "╌".repeat(rest - rest / 2));
        format!("{}  {left} {words} {right}", " ".repeat(self.number))
    }

    fn outcome(&self) -> Option<String> {
        let outcome = self.chart.outcome.as_ref()?;
        let mut line = self.lanes(self.chart.rows.len());
        if let Some(lane) = outcome.lane {
            line[self.middle(lane)] = '✗';
        }
        let lanes: String = line.into_iter().collect();
        let (number, width) = (outcome.number, self.number);
        Some(format!("{number:>width$}  {lanes}  ✗ {}", outcome.text))
    }
}

/// The number of a message, as people count them.
fn label(message: usize) -> String {
    (message + 1).to_string()
}

/// As much of a name as fits.
fn cut(name: &str, width: usize) -> String {
    if name.width() <= width {
        return name.to_owned();
    }
    let mut cut = String::new();
    for letter in name.chars() {
        if cut.width() + 2 > width {
            break;
        }
        cut.push(letter);
    }
    cut + "…"
}
