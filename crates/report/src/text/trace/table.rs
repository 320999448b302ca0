//! Groups of steps as a table: number, who, where, what, and what changed, one change a line.

use super::changes;
use super::given;
use super::group::Group;
use crate::document::{Event, EventKind, Step};
use crate::style::{Colour, Tone, tame};
use crate::text::titled::process;
use crate::text::view::{Detail, View};
use std::path::Path;
use textwrap::{Options, WordSeparator, WordSplitter};
use unicode_width::UnicodeWidthStr;

/// The widest that a column of the table gets.
const WIDEST: usize = 44;
/// Changes that would have less room than this stand below their statement.
const LEAST_ROOM: usize = 28;
/// How far lines are moved to the right in a section.
const INDENT: usize = 2;

/// The cells of a group.
struct Row {
    number: String,
    who: String,
    place: String,
    statement: String,
    changes: Vec<String>,
    /// First values, what was printed, and the other side of a rendezvous: lines of their own.
    below: Vec<String>,
}

/// The lines of some groups.
pub fn table(groups: &[Group<'_>], view: &View) -> Vec<String> {
    let rows: Vec<Row> = groups.iter().flat_map(|group| rows(group, view)).collect();
    let width = |cell: fn(&Row) -> &str| {
        let widths = rows.iter().map(|row| cell(row).width());
        widths.filter(|&w| w <= WIDEST).max().unwrap_or(0)
    };
    let columns = Columns {
        number: width(|r| &r.number),
        who: width(|r| &r.who),
        place: width(|r| &r.place),
        statement: width(|r| &r.statement),
        width: view
            .width
            .map_or(usize::MAX, |width| width.saturating_sub(INDENT)),
        colour: view.colour,
    };
    rows.iter().flat_map(|row| columns.lines(row)).collect()
}

/// Where the columns are.
struct Columns {
    number: usize,
    who: usize,
    place: usize,
    statement: usize,
    /// The last one that may be used.
    width: usize,
    colour: Colour,
}

impl Columns {
    /// Where statements begin.
    fn margin(&self) -> usize {
        let gaps = if self.who == 0 { 4 } else { 6 };
        self.number + self.who + self.place + gaps
    }

    fn head(&self, row: &Row) -> String {
        let number = format!("{:>1$}", row.number, self.number);
        let number = self.colour.paint(Tone::Faint, number);
        let who = match self.who {
            0 => String::new(),
            width => self.colour.paint(Tone::Name, padded(&row.who, width)) + "  ",
        };
        let place = padded(&row.place, self.place);
        let place = self.colour.paint(Tone::Faint, place);
        format!("{number}  {who}{place}  ")
    }

    fn lines(&self, row: &Row) -> Vec<String> {
        let margin = self.margin();
        let blank = " ".repeat(margin);
        let beside = margin + self.statement + 2;
        let fits = row.statement.width() <= self.statement;
        let mut lines: Vec<String> = wrapped(&row.statement, self.room(margin));
        lines[0] = self.head(row) + &lines[0];
        lines[1..]
            .iter_mut()
            .for_each(|line| line.insert_str(0, &blank));
        let start = match self.room(beside) >= LEAST_ROOM {
            true => beside,
            false => margin + 2,
        };
        let mut changes = row
            .changes
            .iter()
            .flat_map(|change| wrapped(change, self.room(start)))
            .map(|text| self.colour.paint(Tone::Strong, text));
        if fits && lines.len() == 1 && start == beside {
            let gap = " ".repeat(self.statement - row.statement.width() + 2);
            lines[0].extend(changes.next().map(|first| gap + &first));
        }
        lines.extend(changes.map(|text| " ".repeat(start) + &text));
        let below = row.below.iter();
        let below = below.flat_map(|text| wrapped(text, self.room(margin)));
        lines.extend(below.map(|text| blank.clone() + &text));
        lines
    }

    /// How many columns there are from one on.
    fn room(&self, start: usize) -> usize {
        self.width.saturating_sub(start).max(1)
    }
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// A text in lines of that width at most, at least one line. A word that is longer has a line of its own.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let options = Options::new(width)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation);
    let lines = textwrap::wrap(text, options).into_iter();
    let lines: Vec<String> = lines.map(|line| line.into_owned()).collect();
    match lines.is_empty() {
        true => vec![String::new()],
        false => lines,
    }
}

/// A group is one row, or one for each of its events if these are what is asked for.
fn rows(group: &Group<'_>, view: &View) -> Vec<Row> {
    let mut events = group.events().peekable();
    match view.detail == Detail::Messages && events.peek().is_some() {
        true => events.map(|event| event_row(group, event)).collect(),
        false => vec![row(group, view)],
    }
}

fn event_row(group: &Group<'_>, event: &Event) -> Row {
    Row {
        changes: Vec::new(),
        below: Vec::new(),
        statement: tame(&told(event)),
        ..head(group.first(), group)
    }
}

/// An event in words.
fn told(event: &Event) -> String {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let (channel, message) = (text(&event.channel), text(&event.message));
    let (from, to) = (text(&event.from), text(&event.to));
    match event.kind {
        EventKind::Send => format!("{channel} ! {message}"),
        EventKind::Receive => format!("{channel} ? {message}  from {from}"),
        EventKind::Inspect => format!("{channel} holds {message}  from {from}"),
        EventKind::Rendezvous => format!("{channel} ! {message}  to {to}"),
        EventKind::Lost => format!("{channel} is gone, and {message} from {from} with it"),
        EventKind::Spawn => format!("run {to}"),
        EventKind::End => "ends".into(),
    }
}

fn row(group: &Group<'_>, view: &View) -> Row {
    let lead = group.lead();
    let mut shown = group.changes();
    shown.retain(|change| view.shows(&change.name));
    let given = given::lines(&shown);
    let head = head(lead, group);
    let below = group.steps().iter().flat_map(|step| below(step));
    Row {
        changes: match &given {
            Some(_) => Vec::new(),
            None => changes::lines(&shown, &head.who),
        },
        below: given.into_iter().flatten().chain(below).collect(),
        statement: tame(&lead.statement),
        ..head
    }
}

fn head(step: &Step, group: &Group<'_>) -> Row {
    Row {
        number: group.numbers(),
        who: match step.pid {
            _ if step.is_rule() => String::new(),
            Some(pid) => process(&step.process, pid),
            None => tame(&step.process),
        },
        place: place(&step.file, step.line),
        statement: String::new(),
        changes: Vec::new(),
        below: Vec::new(),
    }
}

/// Only the name of the file: the headline has the way to it.
pub fn place(file: &str, line: u32) -> String {
    let name = Path::new(file).file_name();
    let name = name.map_or(file.into(), |n| n.to_string_lossy());
    format!("{}:{line}", tame(&name))
}

fn below(step: &Step) -> Vec<String> {
    let partner = step.partner.iter().map(|p| {
        let who = process(&p.process, p.pid);
        format!(
            "with {who}  {}  {}",
            place(&p.file, p.line),
            tame(&p.statement)
        )
    });
    let cut = step.truncated.iter().map(|cut| {
        let text = format!(
            "{} does not fit {}, which keeps {}",
            cut.value, cut.name, cut.kept
        );
        tame(&text)
    });
    let printed = step.printed.iter().flat_map(|text| text.lines());
    let printed = printed.map(|line| format!("prints: {}", tame(line)));
    partner.chain(cut).chain(printed).collect()
}
