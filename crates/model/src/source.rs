//! Source texts and places in them.
//!
//! Every file that takes part in a model (the model itself and what it includes) is one
//! [`SourceText`] of a [`Sources`]; a [`Span`] is a byte range in one of them. Spans survive
//! preprocessing and macro expansion, so that an error or a trace step always names a line that
//! the user wrote.

use std::fmt;
use std::path::{Path, PathBuf};

/// Names one file of a [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A byte range in one source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The empty place at the beginning of the first file, for code that no text has.
    pub const START: Span = Span {
        file: FileId(0),
        start: 0,
        end: 0,
    };

    /// The span of `start..end` in `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Span {
            file,
            start: start as u32,
            end: end as u32,
        }
    }

    /// The smallest span that covers both. Spans of different files do not join: the first is kept.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// One file's text, with the starts of its lines.
#[derive(Clone, Debug)]
pub struct SourceText {
    path: PathBuf,
    text: String,
    line_starts: Vec<u32>,
}

impl SourceText {
    /// Wraps a text that was read from `path` (or would have been).
    pub fn new(path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1))
            .collect();
        SourceText {
            path: path.into(),
            text,
            line_starts,
        }
    }

    /// Where the text came from, as the user named it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text itself.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Line and column (both from 1, columns in characters) of a byte offset.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let line = self.line_starts.partition_point(|&start| start <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let end = (offset as usize).min(self.text.len());
        let column = self
            .text
            .get(start..end)
            .map_or(1, |s| s.chars().count() + 1);
        (line as u32 + 1, column as u32)
    }

    /// The text of a line (from 1) without its line end.
    pub fn line(&self, line: u32) -> &str {
        let index = (line as usize).saturating_sub(1);
        let Some(&start) = self.line_starts.get(index) else {
            return "";
        };
        let end = self
            .line_starts
            .get(index + 1)
            .map_or(self.text.len(), |&e| e as usize);
        self.text[start as usize..end].trim_end_matches(['\n', '\r'])
    }
}

/// All files of one model.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceText>,
}

impl Sources {
    /// Adds a file and names it.
    pub fn add(&mut self, text: SourceText) -> FileId {
        self.files.push(text);
        FileId(self.files.len() as u32 - 1)
    }

    /// The file of that name.
    pub fn file(&self, id: FileId) -> &SourceText {
        &self.files[id.0 as usize]
    }

    /// All files, the model itself first.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceText)> {
        self.files
            .iter()
            .enumerate()
            .map(|(i, f)| (FileId(i as u32), f))
    }

    /// Where a span starts.
    pub fn location(&self, span: Span) -> Location<'_> {
        let file = self.file(span.file);
        let (line, column) = file.line_column(span.start);
        Location {
            path: file.path(),
            line,
            column,
        }
    }

    /// The text that a span covers.
    pub fn snippet(&self, span: Span) -> &str {
        let text = self.file(span.file).text();
        text.get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }
}

/// A place as people write it: `path:line:column`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location<'a> {
    /// The file.
    pub path: &'a Path,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
}

impl fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.path.display(), self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one() {
        let text = SourceText::new("m.pml", "ab\ncé d\n");
        assert_eq!(text.line_column(0), (1, 1));
        assert_eq!(text.line_column(3), (2, 1));
        assert_eq!(text.line_column(6), (2, 3));
        assert_eq!(text.line(2), "cé d");
        assert_eq!(text.line(9), "");
    }
}
