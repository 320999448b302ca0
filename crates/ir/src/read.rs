//! The reader.
//!
//! The text is read twice by the same functions. The first time collects the declarations: templates are mentioned before they are
//! declared, and conditions read the indices of properties that follow them. Names in expressions are not looked up then. The
//! second time makes the model.

mod chance;
mod cursor;
mod expressions;
mod functions;
mod monitors;
mod properties;
mod steps;
mod symmetry;
mod tables;
mod templates;
mod types;

use crate::constants::Constants;
use crate::lexer::{Key, Token, lex};
use crate::print::asking;
use crate::{HEAD, VERSION};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, Findings, error, error_help};
use mandala_model::model::{Arithmetic, Deadlock, Language, UncheckedModel};
use mandala_model::source::{FileId, SourceText, Sources, Span};
use mandala_model::verify::{VerifyError, verify};
use std::collections::HashMap;
use tables::{Known, Tables};

/// The greatest text that is read: spans have 32 bits.
const FILE_BYTES: usize = u32::MAX as usize / 2;

/// Reads the model in `file` and verifies it. There is a model unless one of the diagnostics is an error. The files of the source that the
/// text brings along are added to `sources`.
pub fn load(sources: &mut Sources, file: FileId) -> (Option<UncheckedModel>, Vec<Diagnostic>) {
    let mut findings = Findings::default();
    let model = read(sources, file, &mut findings);
    let model = model.and_then(|model| match verify(model) {
        Ok(model) => Some(model.into_unchecked()),
        Err(errors) => {
            errors.iter().for_each(|e| findings.push(broken(e, file)));
            None
        }
    });
    (model, findings.into_vec())
}

fn broken(error: &VerifyError, file: FileId) -> Diagnostic {
    let span = error.span.unwrap_or(Span::new(file, 0, 0));
    Diagnostic::error(span, error.to_string())
}

fn read(sources: &mut Sources, file: FileId, findings: &mut Findings) -> Option<UncheckedModel> {
    let text = sources.file(file).text().to_owned();
    if text.len() > FILE_BYTES {
        findings.push(*error(Span::new(file, 0, 0), "the file is too large"));
        return None;
    }
    let tokens = lex(file, &text, findings);
    let mut reader = Reader::new(&tokens, &text, None);
    findings.note(reader.version())?;
    reader.items(findings);
    if findings.has_errors() {
        return None;
    }
    let known = reader.into_known(sources);
    let mut reader = Reader::new(&tokens, &text, Some(&known));
    findings.note(reader.version())?;
    reader.items(findings);
    (!findings.has_errors()).then_some(reader.model)
}

/// Where an expression stands: what its names mean.
#[derive(Clone, Copy)]
enum Scope {
    /// There are no local variables.
    Outside,
    /// Those of a template.
    Template(usize),
    /// Those of a function, and its references.
    Function(usize),
    /// The indices of a property.
    Property(usize),
    /// The variables of monitors.
    Monitors,
}

struct Reader<'a> {
    tokens: &'a [Token],
    text: &'a str,
    /// The next token.
    at: usize,
    /// What is declared, when that is known.
    known: Option<&'a Known>,
    model: UncheckedModel,
    tables: Tables,
    /// The files of the source, by their numbers.
    files: HashMap<u64, SourceText>,
    scope: Scope,
    depth: u32,
    /// The variables of the quantifiers around, the outermost first.
    binders: Vec<Key>,
    /// The height of the tree of the expression that was read last.
    height: u32,
}

impl<'a> Reader<'a> {
    fn new(tokens: &'a [Token], text: &'a str, known: Option<&'a Known>) -> Self {
        Reader {
            tokens,
            text,
            at: 0,
            known,
            model: UncheckedModel::new(Language::Promela, Arithmetic::Wrapping32),
            tables: Tables::default(),
            files: HashMap::new(),
            scope: Scope::Outside,
            depth: 0,
            binders: Vec::new(),
            height: 0,
        }
    }

    fn into_known(self, sources: &mut Sources) -> Known {
        let mut files: Vec<(u64, SourceText)> = self.files.into_iter().collect();
        files.sort_by_key(|(number, _)| *number);
        let files = files.into_iter().map(|(number, file)| {
            let text = file.text().to_owned();
            (number, (sources.add(file), text))
        });
        Known {
            constants: Constants::of(&self.model),
            asking: asking(&self.model),
            files: files.collect(),
            model: self.model,
            tables: self.tables,
        }
    }

    /// The first line.
    fn version(&mut self) -> Fallible<()> {
        let start = self.here();
        let (first, second) = HEAD.split_once('-').unwrap_or((HEAD, ""));
        if !self.eat_word(first) || !self.eat("-") || !self.eat_word(second) {
            let message = format!("expected `{HEAD} {VERSION}` in the first line");
            return Err(error(start, message));
        }
        let version: u64 = self.natural()?;
        if version != u64::from(VERSION) {
            let message = format!(
                "this is version {version} of the form, and only version {VERSION} can be read"
            );
            let help = "print the model again with `mandala ir` of this version of Mandala";
            return Err(error_help(self.since(start), message, help));
        }
        Ok(())
    }

    fn items(&mut self, findings: &mut Findings) {
        if findings.note(self.header()).is_none() {
            self.skip_to_item(0);
        }
        while !self.at_end() && !findings.gave_up() {
            let start = self.at;
            (self.depth, self.scope) = (0, Scope::Outside);
            let result = self.item(findings);
            if findings.note(result).is_none() {
                self.skip_to_item(start);
            }
        }
    }

    /// After an error: on to the next line that begins with a declaration.
    fn skip_to_item(&mut self, start: usize) {
        self.at = self.at.max(start + 1);
        while !self.at_end() && !self.is_item() {
            self.advance();
        }
    }

    /// Whether a declaration begins here, at the beginning of a line.
    fn is_item(&self) -> bool {
        let known = self.word().is_some_and(|word| ITEMS.contains(&word));
        known && self.token().outermost
    }

    fn header(&mut self) -> Fallible<()> {
        self.expect_word("model")?;
        let languages = [
            Language::Promela,
            Language::Murphi,
            Language::Red,
            Language::Boolean,
            Language::Tts,
            Language::Cubicle,
            Language::Prism,
        ];
        let named = |word: &str| languages.into_iter().find(|l| l.to_string() == word);
        let Some(language) = self.word().and_then(named) else {
            return self
                .expected("`promela`, `murphi`, `red`, `boolean`, `tts`, `cubicle` or `prism`");
        };
        self.advance();
        self.expect(",")?;
        self.model.language = language;
        self.model.arithmetic = self.arithmetic()?;
        while self.eat(",") {
            self.flag()?;
        }
        Ok(())
    }

    fn arithmetic(&mut self) -> Fallible<Arithmetic> {
        let start = self.here();
        let found = match self.word() {
            Some("wrapping") => (Arithmetic::Wrapping32, 32),
            Some("checked") => (Arithmetic::Checked64, 64),
            _ => return self.expected("`wrapping 32` or `checked 64`"),
        };
        self.advance();
        match self.natural::<u64>()? == found.1 {
            true => Ok(found.0),
            false => Err(error(start, "expected `wrapping 32` or `checked 64`")),
        }
    }

    fn flag(&mut self) -> Fallible<()> {
        if self.eat_word("prioritised") {
            self.model.prioritised = true;
        } else if self.eat_word("last") {
            self.expect_word("mover")?;
            self.model.tracks_last_mover = true;
        } else if self.eat_word("held") {
            self.expect_word("start")?;
            self.model.start_held = true;
        } else if self.eat_word("deadlock") {
            self.expect_word("without")?;
            self.expect_word("change")?;
            self.model.deadlock = Deadlock::NoChange;
        } else if let Some(kind) = self.eat_stochastic() {
            self.model.stochastic = Some(kind);
        } else {
            return self.expected(
                "`prioritised`, `last mover`, `held start`, `deadlock without change`, `dtmc`, `ctmc` or `mdp`",
            );
        }
        Ok(())
    }

    fn item(&mut self, findings: &mut Findings) -> Fallible<()> {
        let Some(word) = self.word().filter(|word| ITEMS.contains(word)) else {
            return self.expected(&format!(
                "a declaration, which begins with one of: {}",
                ITEMS.join(", ")
            ));
        };
        let word = word.to_owned();
        if !["process", "claim", "events"].contains(&word.as_str()) {
            self.advance();
        }
        match word.as_str() {
            "file" => self.file(),
            "enum" => self.enumeration(),
            "domain" => self.domain(),
            "coding" => self.coding(),
            "record" => self.record(),
            "channel" => self.channel_kind(),
            "global" => self.global(),
            "function" => self.function(),
            "start" => self.start(),
            "condition" => self.condition(),
            "monitor" => self.monitor(),
            "property" => self.property(),
            "scalarset" => self.scalarset(),
            "rewards" => self.rewards(),
            _ => self.declared_template(findings),
        }
    }

    /// A file of the source, with its text.
    fn file(&mut self) -> Fallible<()> {
        let span = self.here();
        let number = self.natural()?;
        let (path, text) = (self.string()?, self.string()?);
        let before = self.files.insert(number, SourceText::new(path, text));
        match before {
            None => Ok(()),
            Some(_) => Err(error(
                span,
                format!("there are two files with the number {number}"),
            )),
        }
    }

    /// Reads something in a scope of its own.
    fn within<T>(
        &mut self,
        scope: Scope,
        read: impl FnOnce(&mut Self) -> Fallible<T>,
    ) -> Fallible<T> {
        let outer = std::mem::replace(&mut self.scope, scope);
        let result = read(self);
        self.scope = outer;
        result
    }
}

/// The words that declarations begin with.
const ITEMS: [&str; 17] = [
    "file",
    "enum",
    "domain",
    "coding",
    "record",
    "channel",
    "global",
    "function",
    "process",
    "claim",
    "events",
    "start",
    "condition",
    "monitor",
    "property",
    "scalarset",
    "rewards",
];
