//! Directives: lines that start with `#`.

use super::condition::evaluate;
use super::macros::Macro;
use super::{OpenFile, Preprocessor};
use crate::lexer::{Lexed, lex};
use crate::limits;
use crate::token::{Token, TokenKind};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::source::{FileId, SourceText, Span};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

/// An open `#if` with its `#elif` and `#else` parts.
pub(super) struct Condition {
    span: Span,
    /// What to do with the part that is being read.
    part: Part,
    else_seen: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Its tokens are used.
    Taken,
    /// Left out; a later part may be taken.
    Waiting,
    /// Left out, as all later parts: one was taken, or everything around it is left out.
    Done,
}

impl Condition {
    pub(super) fn is_active(&self) -> bool {
        self.part == Part::Taken
    }

    pub(super) fn span(&self) -> Span {
        self.span
    }
}

impl OpenFile {
    /// Takes the tokens of the directive that starts here, without the `#`.
    fn take_directive(&mut self) -> (Token, Vec<Token>) {
        let hash = self.text.tokens[self.at].clone();
        let rest = &self.text.tokens[self.at + 1..];
        let length = rest.iter().position(|t| t.line_start).unwrap_or(rest.len());
        let line = rest[..length].to_vec();
        self.at += 1 + length;
        (hash, line)
    }

    pub(super) fn is_active(&self) -> bool {
        self.conditions.last().is_none_or(Condition::is_active)
    }
}

impl Preprocessor<'_> {
    /// Executes the directive at which the innermost file stands.
    pub(super) fn directive(&mut self) {
        let Some(file) = self.files.last_mut() else {
            return;
        };
        let (hash, line) = file.take_directive();
        let active = file.is_active();
        let Some((name, rest)) = line.split_first() else {
            return;
        };
        if self.conditional(name, rest) || !active {
            return;
        }
        match name.text() {
            "define" => self.define(name, rest),
            "undef" => self.undefine(name, rest),
            "include" => self.include(name, rest),
            "error" => {
                let span = hash.span.to(end_of(name, rest));
                let said = self.sources.snippet(span).to_string();
                self.error(Diagnostic::error(span, said));
            }
            "line" | "pragma" | "ident" | "warning" => {}
            _ if name.kind == TokenKind::Number => {}
            other => {
                let message = if name.is_word() {
                    format!("`#{other}` is not a directive")
                } else {
                    "`#` must be followed by the name of a directive".to_string()
                };
                self.error(Diagnostic::error(hash.span.to(name.span), message));
            }
        }
    }

    /// Handles the directives that are obeyed even in parts that are left out.
    fn conditional(&mut self, name: &Token, rest: &[Token]) -> bool {
        match name.text() {
            "if" | "ifdef" | "ifndef" => self.open_condition(name, rest),
            "elif" => self.next_part(name, Some(rest)),
            "else" => self.next_part(name, None),
            "endif" => self.close_condition(name),
            _ => return false,
        }
        true
    }

    fn open_condition(&mut self, name: &Token, rest: &[Token]) {
        let part = match self.files.last().is_some_and(OpenFile::is_active) {
            false => Part::Done,
            true if self.holds(name, rest) => Part::Taken,
            true => Part::Waiting,
        };
        let condition = Condition {
            span: name.span,
            part,
            else_seen: false,
        };
        self.conditions().push(condition);
    }

    fn conditions(&mut self) -> &mut Vec<Condition> {
        // A directive is only executed while a file is open.
        let last = self.files.len() - 1;
        &mut self.files[last].conditions
    }

    fn holds(&mut self, name: &Token, rest: &[Token]) -> bool {
        match name.text() {
            "ifdef" => self.is_defined(name, rest),
            "ifndef" => !self.is_defined(name, rest),
            _ => self.condition_value(name, rest),
        }
    }

    fn is_defined(&mut self, name: &Token, rest: &[Token]) -> bool {
        match self.macro_name(name, rest) {
            Some(tested) => self.has_definition(&tested),
            None => false,
        }
    }

    fn has_definition(&mut self, name: &Token) -> bool {
        let name = name.text.as_ref();
        name.is_some_and(|name| self.definition(name).is_some())
    }

    /// The word after a directive that needs one.
    fn macro_name(&mut self, directive: &Token, rest: &[Token]) -> Option<Token> {
        if let Some(token) = rest.first().filter(|t| t.is_word()) {
            return Some(token.clone());
        }
        let message = format!("`#{}` needs the name of a macro", directive.text());
        let span = rest.first().map_or(directive.span, |t| t.span);
        self.error(Diagnostic::error(span, message));
        None
    }

    fn condition_value(&mut self, name: &Token, rest: &[Token]) -> bool {
        let tested = self.replace_defined(rest);
        let tokens = self.expand_list(tested, name.span);
        let end = rest.last().map_or(name.span, |t| t.span);
        match evaluate(&tokens, end) {
            Ok(value) => value != 0,
            Err((span, message)) => {
                self.error(Diagnostic::error(span, message));
                false
            }
        }
    }

    /// `defined X` and `defined(X)` become 1 or 0 before macros are expanded.
    fn replace_defined(&mut self, line: &[Token]) -> Vec<Token> {
        let mut output = Vec::with_capacity(line.len());
        let mut at = 0;
        while let Some(token) = line.get(at) {
            at += 1;
            if token.text() != "defined" {
                output.push(token.clone());
                continue;
            }
            let parenthesised = line.get(at).is_some_and(|t| t.kind == TokenKind::LParen);
            at += usize::from(parenthesised);
            let value = line.get(at).is_some_and(|t| self.has_definition(t));
            at += 1;
            at += usize::from(
                parenthesised && line.get(at).is_some_and(|t| t.kind == TokenKind::RParen),
            );
            let text: Arc<str> = if value { "1" } else { "0" }.into();
            output.push(Token {
                kind: TokenKind::Number,
                text: Some(text),
                ..token.clone()
            });
        }
        output
    }

    /// `#elif` (with a condition) and `#else` (without).
    fn next_part(&mut self, name: &Token, condition: Option<&[Token]>) {
        let Some(open) = self.conditions().last() else {
            return self.without_if(name);
        };
        if open.else_seen {
            let message = format!("`#{}` after `#else`", name.text());
            let first = open.span;
            self.error(
                Diagnostic::error(name.span, message).with_related(first, "in this condition"),
            );
            return;
        }
        let part = match (open.part, condition) {
            (Part::Waiting, None) => Part::Taken,
            (Part::Waiting, Some(rest)) if self.condition_value(name, rest) => Part::Taken,
            (Part::Waiting, Some(_)) => Part::Waiting,
            (Part::Taken | Part::Done, _) => Part::Done,
        };
        if let Some(open) = self.conditions().last_mut() {
            open.part = part;
            open.else_seen = condition.is_none();
        }
    }

    fn close_condition(&mut self, name: &Token) {
        if self.conditions().pop().is_none() {
            self.without_if(name);
        }
    }

    fn without_if(&mut self, name: &Token) {
        let message = format!("`#{}` without `#if`", name.text());
        self.error(Diagnostic::error(name.span, message));
    }

    fn define(&mut self, directive: &Token, rest: &[Token]) {
        let Some(name) = self.macro_name(directive, rest) else {
            return;
        };
        let body = &rest[1..];
        let has_params = body
            .first()
            .is_some_and(|t| t.kind == TokenKind::LParen && t.span.start == name.span.end);
        let definition = if has_params {
            match self.macro_params(&name, &body[1..]) {
                Some(definition) => definition,
                None => return,
            }
        } else {
            Macro {
                name,
                params: None,
                variadic: false,
                body: body.to_vec(),
            }
        };
        self.add_macro(definition);
    }

    /// The parameters of a macro up to the closing parenthesis, then its body.
    fn macro_params(&mut self, name: &Token, rest: &[Token]) -> Option<Macro> {
        let kind = |at: usize| rest.get(at).map(|t| t.kind);
        let mut params: Vec<Arc<str>> = Vec::new();
        let mut variadic = false;
        let mut at = 0;
        // `F()` has none; after a comma there must be one.
        while at > 0 || kind(at) != Some(TokenKind::RParen) {
            if (kind(at), kind(at + 1)) == (Some(TokenKind::DotDot), Some(TokenKind::Dot)) {
                params.push("__VA_ARGS__".into());
                variadic = true;
                at += 1;
            } else if let Some(word) = rest.get(at).filter(|t| t.is_word()) {
                params.extend(word.text.clone());
            } else {
                return self.bad_params(name, rest.get(at));
            }
            at += 1;
            match kind(at) {
                Some(TokenKind::RParen) => break,
                Some(TokenKind::Comma) if !variadic => at += 1,
                _ => return self.bad_params(name, rest.get(at)),
            }
        }
        let body = rest[at + 1..].to_vec();
        Some(Macro {
            name: name.clone(),
            params: Some(params),
            variadic,
            body,
        })
    }

    fn bad_params(&mut self, name: &Token, found: Option<&Token>) -> Option<Macro> {
        let span = found.map_or(name.span, |t| t.span);
        let message = format!(
            "the parameters of macro `{}` must be names with commas between them",
            name.text()
        );
        self.error(Diagnostic::error(span, message));
        None
    }

    fn add_macro(&mut self, definition: Macro) {
        let Some(name) = definition.name.text.clone() else {
            return;
        };
        let span = definition.name.span;
        let Some(old) = self.macros.get(&name).cloned() else {
            self.macros.insert(name, Rc::new(definition));
            return;
        };
        let first = old.name.span;
        let from_outside = self.command_line == Some(first.file);
        match definition.same_as(&old) {
            true => return,
            false if from_outside => {
                self.used.insert(name.clone());
                self.error(overridden(&name, span).with_related(first, "given here"));
            }
            false => {
                let warning = Diagnostic::warning(span, format!("macro `{name}` is defined again"));
                self.error(warning.with_related(first, "first defined here"));
            }
        }
        self.macros.insert(name, Rc::new(definition));
    }

    fn undefine(&mut self, directive: &Token, rest: &[Token]) {
        if let Some(text) = self.macro_name(directive, rest).and_then(|name| name.text) {
            self.macros.remove(&text);
        }
    }

    fn include(&mut self, directive: &Token, rest: &[Token]) {
        let Some((name, span)) = self.included_name(directive, rest) else {
            return;
        };
        if self.files.len() > limits::INCLUDE_DEPTH {
            let message = format!(
                "files include one another more than {} deep",
                limits::INCLUDE_DEPTH
            );
            self.diagnostics.give_up(span, message);
            return;
        }
        let from = self.files.last().map(|f| self.sources.file(f.id).path());
        let folder = from.and_then(|p| p.parent()).unwrap_or("".as_ref());
        let path = folder.join(name);
        match self.load(path.clone()) {
            Ok((file, text)) => {
                self.spend(text.tokens.len() + 1, span);
                self.open(file, text);
            }
            Err(error) => {
                let message = format!("cannot include `{}`: {error}", path.display());
                self.error(Diagnostic::error(span, message));
            }
        }
    }

    /// The file name of `#include "file"` or `#include <file>`.
    fn included_name(&mut self, directive: &Token, rest: &[Token]) -> Option<(String, Span)> {
        let span = end_of(directive, rest);
        match (rest.first(), rest.last()) {
            (Some(name), _) if name.kind == TokenKind::Str => {
                Some((name.text().to_string(), name.span))
            }
            (Some(open), Some(close))
                if open.kind == TokenKind::Lt && close.kind == TokenKind::Gt =>
            {
                let span = open.span.to(close.span);
                let inside = self.sources.snippet(span).trim_matches(['<', '>']);
                Some((inside.to_string(), span))
            }
            _ => {
                let message = "`#include` needs the name of a file between double quotes";
                self.error(Diagnostic::error(span, message));
                None
            }
        }
    }

    /// The tokens of an included file; a file that is included twice is read once.
    fn load(&mut self, path: PathBuf) -> std::io::Result<(FileId, Rc<Lexed>)> {
        if let Some((file, text)) = self.included.get(&path) {
            return Ok((*file, text.clone()));
        }
        let text = (self.options.loader)(&path)?;
        if text.len() > limits::FILE_BYTES {
            return Err(std::io::Error::other("the file is too large"));
        }
        let file = self.sources.add(SourceText::new(path.clone(), text));
        let text = Rc::new(lex(file, self.sources.file(file).text()));
        self.included.insert(path, (file, text.clone()));
        Ok((file, text))
    }
}

/// The span of a directive's last token.
fn end_of(name: &Token, rest: &[Token]) -> Span {
    rest.last().map_or(name.span, |t| name.span.to(t.span))
}

/// The complaint that a definition of the command line is lost at the place of another one.
fn overridden(name: &str, span: Span) -> Diagnostic {
    let message = format!("the model defines `{name}` itself, so `-D {name}` has no effect");
    Diagnostic::error(span, message).with_help(format!(
        "put `#ifndef {name}` before and `#endif` after this definition, and `-D {name}` comes first"
    ))
}
