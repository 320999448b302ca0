//! Diagnostics of a model, shown in its text.
//!
//! Every finding gets an excerpt with the place marked, further places that matter, and help. A
//! text that is not made for people (a line of thousands of characters, a thousand errors) is not
//! poured over the terminal: such a line is not quoted and only the first findings are shown.

use crate::style::{Colour, Tone, counted, grouped, tame, tame_lines};
use ariadne::{Color, Config, IndexType, Label, Report, ReportKind, Source};
use mandala_model::{Diagnostic, FileId, Severity, Sources, Span};
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

/// How many findings are shown.
const SHOWN: usize = 25;
/// Longer lines are not quoted.
const LONGEST_LINE: usize = 400;

/// All findings, errors first, and how many there are.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, colour: Colour) -> String {
    let mut ordered: Vec<&Diagnostic> = diagnostics.iter().collect();
    ordered.sort_by_key(|d| std::cmp::Reverse(d.severity));
    let mut excerpts = Excerpts::new(sources);
    let mut text = String::new();
    for diagnostic in ordered.iter().take(SHOWN) {
        let kind = kind_of(diagnostic.severity);
        text.push_str(&excerpts.show(diagnostic, kind, colour));
        text.push('\n');
    }
    text.push_str(&summary(diagnostics, colour));
    text
}

/// The findings one by one, as things to know rather than as something wrong: what they say is called by `title`.
pub fn notes(
    title: &'static str,
    notes: &[Diagnostic],
    sources: &Sources,
    colour: Colour,
) -> String {
    let mut excerpts = Excerpts::new(sources);
    let kind = (ReportKind::Custom(title, Color::Yellow), Color::Yellow);
    let shown = notes.iter().take(SHOWN);
    let mut texts: Vec<String> = shown.map(|n| excerpts.show(n, kind, colour)).collect();
    let more = notes.len().saturating_sub(SHOWN) as u64;
    if more > 0 {
        texts.push(format!("and {} more\n", grouped(more)));
    }
    texts.join("\n")
}

/// What a finding is called, and the colour of its mark.
type Kind = (ReportKind<'static>, Color);

fn kind_of(severity: Severity) -> Kind {
    match severity {
        Severity::Error => (ReportKind::Error, Color::Red),
        Severity::Warning => (ReportKind::Warning, Color::Yellow),
    }
}

fn summary(diagnostics: &[Diagnostic], colour: Colour) -> String {
    let count = |severity| {
        diagnostics
            .iter()
            .filter(|d| d.severity == severity)
            .count() as u64
    };
    let mut parts = Vec::new();
    if count(Severity::Error) > 0 {
        let errors = counted(count(Severity::Error), "error");
        parts.push(colour.paint(Tone::Bad, errors));
    }
    if count(Severity::Warning) > 0 {
        let warnings = counted(count(Severity::Warning), "warning");
        parts.push(colour.paint(Tone::Doubtful, warnings));
    }
    let note = match diagnostics.len() > SHOWN {
        true => format!("; the first {SHOWN} are shown"),
        false => String::new(),
    };
    match parts.is_empty() {
        true => String::new(),
        false => format!("{}{note}\n", parts.join(", ")),
    }
}

/// A place as the renderer wants it: a file and a range of bytes.
type Marked = (usize, Range<usize>);

/// The texts to quote from, tamed once each.
struct Excerpts<'s> {
    sources: &'s Sources,
    texts: HashMap<usize, Source>,
}

impl<'s> Excerpts<'s> {
    fn new(sources: &'s Sources) -> Self {
        Excerpts {
            sources,
            texts: HashMap::new(),
        }
    }

    fn show(&mut self, diagnostic: &Diagnostic, kind: Kind, colour: Colour) -> String {
        self.excerpt(diagnostic, kind, colour)
            .unwrap_or_else(|| self.one_line(diagnostic))
    }

    /// The finding with an excerpt; nothing if the text cannot be quoted.
    fn excerpt(&mut self, diagnostic: &Diagnostic, kind: Kind, colour: Colour) -> Option<String> {
        let spans = diagnostic.related.iter().map(|(span, _)| *span);
        let spans: Vec<Span> = std::iter::once(diagnostic.span).chain(spans).collect();
        if !spans.iter().all(|span| self.is_quotable(*span)) {
            return None;
        }
        let report = self.report(diagnostic, kind, colour);
        let mut bytes = Vec::new();
        report.write(&mut *self, &mut bytes).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        let lines = text.lines().map(|line| format!("{}\n", line.trim_end()));
        Some(lines.collect())
    }

    fn report(
        &self,
        diagnostic: &Diagnostic,
        (kind, main): Kind,
        colour: Colour,
    ) -> Report<'static, Marked> {
        let config = Config::default()
            .with_index_type(IndexType::Byte)
            .with_color(colour == Colour::On);
        let mut report = Report::build(kind, self.marked(diagnostic.span))
            .with_config(config)
            .with_message(tame(&diagnostic.message))
            .with_labels(self.labels(diagnostic, main));
        if let Some(help) = &diagnostic.help {
            report = report.with_help(tame(help));
        }
        report.finish()
    }

    /// All marks: those of the main place's file first, and those of one file from top to bottom,
    /// so that they share one excerpt.
    fn labels(&self, diagnostic: &Diagnostic, main: Color) -> Vec<Label<Marked>> {
        let place = self.marked(diagnostic.span);
        let mut marks = vec![(place.clone(), diagnostic.label.as_str(), main)];
        for (span, what) in &diagnostic.related {
            marks.push((self.marked(*span), what, Color::Blue));
        }
        marks.sort_by_key(|((file, range), _, _)| (*file != place.0, *file, range.start));
        let labels = marks.into_iter();
        labels
            .map(|(place, what, color)| label(place, what, color))
            .collect()
    }

    /// The span, brought inside its file and to whole characters, without blanks at its end.
    fn marked(&self, span: Span) -> Marked {
        let text = self.sources.file(span.file).text();
        let start = floor(text, span.start as usize);
        let end = ceil(text, span.end as usize).max(start);
        let length = text[start..end].trim_end().len();
        // A mark without width is hard to see.
        let length = match text[start..].chars().next() {
            Some(first) if length == 0 && first != '\n' => first.len_utf8(),
            _ => length,
        };
        (span.file.0 as usize, start..start + length)
    }

    /// Whether the lines where the span starts and ends, which are the ones shown, are short.
    fn is_quotable(&self, span: Span) -> bool {
        let file = self.sources.file(span.file);
        [span.start, span.end].iter().all(|&offset| {
            let (line, _) = file.line_column(offset);
            file.line(line).len() <= LONGEST_LINE
        })
    }

    fn one_line(&self, diagnostic: &Diagnostic) -> String {
        let mut text = tame(&diagnostic.one_line(self.sources));
        if !diagnostic.label.is_empty() {
            text.push_str(&format!(" ({})", tame(&diagnostic.label)));
        }
        if let Some(help) = &diagnostic.help {
            text.push_str(&format!("\n  help: {}", tame(help)));
        }
        text.push('\n');
        text
    }
}

/// A mark without words would not be drawn.
fn label(place: Marked, what: &str, color: Color) -> Label<Marked> {
    let what = if what.is_empty() { "here" } else { what };
    Label::new(place).with_message(tame(what)).with_color(color)
}

fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn ceil(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

impl ariadne::Cache<usize> for &mut Excerpts<'_> {
    type Storage = String;

    fn fetch(&mut self, id: &usize) -> Result<&Source, impl fmt::Debug> {
        let sources = self.sources;
        let tamed = || Source::from(tame_lines(sources.file(FileId(*id as u32)).text()));
        Ok::<_, fmt::Error>(&*self.texts.entry(*id).or_insert_with(tamed))
    }

    fn display<'a>(&self, id: &'a usize) -> Option<impl fmt::Display + 'a> {
        let path = self.sources.file(FileId(*id as u32)).path();
        Some(tame(&path.display().to_string()))
    }
}
