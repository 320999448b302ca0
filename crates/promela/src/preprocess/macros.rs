//! Macros: how they are expanded.

use super::{Expansion, Preprocessor};
use crate::lexer::lex;
use crate::limits;
use crate::token::{Token, TokenKind};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::source::{FileId, Span};
use std::rc::Rc;
use std::sync::Arc;

/// A macro as defined.
#[derive(Debug)]
pub(super) struct Macro {
    pub(super) name: Token,
    /// `None`: used without parentheses.
    pub(super) params: Option<Vec<Arc<str>>>,
    /// The last parameter takes all remaining arguments.
    pub(super) variadic: bool,
    pub(super) body: Vec<Token>,
}

impl Macro {
    fn param(&self, token: &Token) -> Option<usize> {
        let text = token.text.as_ref().filter(|_| token.is_word())?;
        self.params.as_ref()?.iter().position(|p| p == text)
    }

    /// True if defining it again like this changes nothing.
    pub(super) fn same_as(&self, other: &Macro) -> bool {
        let texts = |m: &Macro| m.body.iter().map(Token::spelling).collect::<Vec<_>>();
        self.params == other.params && texts(self) == texts(other)
    }
}

/// An argument of a macro call, as written and (when first needed) expanded.
struct Argument {
    tokens: Vec<Token>,
    expanded: Option<Vec<Token>>,
}

impl Preprocessor<'_> {
    /// The next token after macro expansion.
    pub(super) fn next_expanded(&mut self) -> Option<Token> {
        loop {
            let mut token = self.fetch()?;
            let Some(name) = token
                .text
                .clone()
                .filter(|_| token.is_word() && !token.no_expand)
            else {
                return Some(token);
            };
            let Some(definition) = self.definition(&name) else {
                return Some(self.builtin(token));
            };
            if self.disabled.contains(&name) {
                token.no_expand = true;
                return Some(token);
            }
            if !self.start_expansion(&token, &definition) {
                return Some(token);
            }
        }
    }

    /// `__LINE__` and `__FILE__`; every other word stays what it is.
    fn builtin(&mut self, mut token: Token) -> Token {
        let (kind, text) = match token.text() {
            "__LINE__" => (
                TokenKind::Number,
                self.sources.location(token.span).line.to_string(),
            ),
            "__FILE__" => (
                TokenKind::Str,
                self.sources.location(token.span).path.display().to_string(),
            ),
            _ => return token,
        };
        token.kind = kind;
        token.text = Some(text.into());
        token
    }

    /// Pushes the expansion of a macro; false if this is not a use (a function-like macro's name
    /// without a parenthesis after it).
    fn start_expansion(&mut self, token: &Token, definition: &Rc<Macro>) -> bool {
        let tokens = if definition.params.is_some() {
            if !self.at_call() {
                return false;
            }
            self.expand_call(token, definition)
        } else {
            Some(named(
                token,
                self.substitute(token.span, definition, &mut []),
            ))
        };
        // A wrong call stands for its name, so that what is around it still parses.
        let name = || {
            vec![Token {
                no_expand: true,
                ..token.clone()
            }]
        };
        self.push_expansion(token, tokens.unwrap_or_else(name));
        true
    }

    fn push_expansion(&mut self, of: &Token, mut tokens: Vec<Token>) {
        self.spend(tokens.len() + 1, of.span);
        match tokens.first_mut() {
            Some(first) => first.newline_before = of.newline_before,
            None => self.newline_before_next |= of.newline_before,
        }
        self.disabled.extend(of.text.clone());
        self.expansions.push(Expansion {
            tokens: tokens.into_iter(),
            of: of.text.clone(),
        });
    }

    /// Consumes the parenthesis that makes a name a call.
    fn at_call(&mut self) -> bool {
        match self.fetch() {
            Some(token) if token.kind == TokenKind::LParen => {
                self.newline_after_call |= token.newline_before;
                true
            }
            Some(token) => {
                self.unread(token);
                false
            }
            None => false,
        }
    }

    fn expand_call(&mut self, name: &Token, definition: &Rc<Macro>) -> Option<Vec<Token>> {
        let arguments = self.collect_arguments(name, definition)?;
        let mut arguments = self.match_arguments(name, definition, arguments)?;
        Some(self.substitute(name.span, definition, &mut arguments))
    }

    /// Reads to the closing parenthesis of a call, splitting at commas outside of parentheses.
    fn collect_arguments(&mut self, name: &Token, definition: &Macro) -> Option<Vec<Vec<Token>>> {
        let most = definition.params.as_ref().map_or(0, Vec::len);
        let mut arguments = vec![Vec::new()];
        let mut depth = 0;
        let mut later_line = false;
        while let Some(mut token) = self.fetch() {
            later_line |= std::mem::take(&mut token.newline_before);
            if later_line {
                token.span = name.span;
            }
            let in_rest = definition.variadic && arguments.len() == most;
            match token.kind {
                TokenKind::RParen if depth == 0 => {
                    self.newline_after_call |= later_line;
                    return Some(arguments);
                }
                TokenKind::Comma if depth == 0 && !in_rest => {
                    arguments.push(Vec::new());
                    continue;
                }
                TokenKind::LParen => depth += 1,
                TokenKind::RParen => depth -= 1,
                _ => {}
            }
            arguments.last_mut()?.push(token);
        }
        // The rest of the model was taken for arguments: nothing else can be said about it.
        let message = format!("the call of macro `{}` has no closing `)`", name.text());
        self.diagnostics.give_up(name.span, message);
        None
    }

    fn match_arguments(
        &mut self,
        name: &Token,
        definition: &Macro,
        mut arguments: Vec<Vec<Token>>,
    ) -> Option<Vec<Argument>> {
        let expected = definition.params.as_ref().map_or(0, Vec::len);
        if expected == 0 && arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        if definition.variadic && arguments.len() + 1 == expected {
            arguments.push(Vec::new());
        }
        if arguments.len() != expected {
            let message = format!(
                "macro `{}` takes {}, but this call has {}",
                name.text(),
                count_of(expected, "argument"),
                arguments.len()
            );
            let defined = (definition.name.span, "defined here");
            self.error(Diagnostic::error(name.span, message).with_related(defined.0, defined.1));
            return None;
        }
        let argument = |tokens| Argument {
            tokens,
            expanded: None,
        };
        Some(arguments.into_iter().map(argument).collect())
    }

    /// The body of a macro with the arguments in place of the parameters.
    fn substitute(&mut self, at: Span, of: &Macro, arguments: &mut [Argument]) -> Vec<Token> {
        let mut output: Vec<Token> = Vec::with_capacity(of.body.len());
        let mut body = of.body.iter().peekable();
        while let Some(token) = body.next() {
            let pasting = body.peek().is_some_and(|t| t.kind == TokenKind::HashHash);
            let param = of.param(token);
            let next_param = body.peek().and_then(|t| of.param(t));
            match (token.kind, param, next_param) {
                (TokenKind::HashHash, ..) => {
                    let Some(right) = body.next() else { break };
                    let right = match of.param(right) {
                        Some(i) => arguments[i].tokens.clone(),
                        None => vec![placed(right, at)],
                    };
                    self.paste(&mut output, right, at);
                }
                (TokenKind::Hash, _, Some(i)) => {
                    body.next();
                    output.push(stringized(token, &arguments[i].tokens, at));
                }
                (_, Some(i), _) if pasting => output.extend_from_slice(&arguments[i].tokens),
                (_, Some(i), _) => output.extend_from_slice(self.expanded(&mut arguments[i], at)),
                _ => output.push(placed(token, at)),
            }
        }
        output
    }

    fn expanded<'b>(&mut self, argument: &'b mut Argument, at: Span) -> &'b [Token] {
        if argument.expanded.is_none() {
            argument.expanded = Some(self.expand_list(argument.tokens.clone(), at));
        }
        argument.expanded.as_deref().unwrap_or_default()
    }

    /// Expands tokens on their own, without looking at what follows them.
    pub(super) fn expand_list(&mut self, tokens: Vec<Token>, at: Span) -> Vec<Token> {
        if self.argument_depth >= limits::MACRO_ARGUMENT_DEPTH {
            let message = format!(
                "macro calls are nested more than {} deep in their arguments",
                limits::MACRO_ARGUMENT_DEPTH
            );
            self.diagnostics.give_up(at, message);
            return tokens;
        }
        self.spend(tokens.len(), at);
        let alone = vec![Expansion {
            tokens: tokens.into_iter(),
            of: None,
        }];
        let outer = std::mem::replace(&mut self.expansions, alone);
        let outer_isolated = std::mem::replace(&mut self.isolated, true);
        let outer_newline = std::mem::take(&mut self.newline_before_next);
        self.argument_depth += 1;
        let mut output = Vec::new();
        while let Some(token) = self.next_expanded() {
            output.push(token);
        }
        self.argument_depth -= 1;
        self.newline_before_next = outer_newline;
        self.isolated = outer_isolated;
        self.expansions = outer;
        output
    }

    /// `left ## right`: joins the last token of the output with the first of `right`.
    fn paste(&mut self, output: &mut Vec<Token>, mut right: Vec<Token>, at: Span) {
        if right.is_empty() {
            return;
        }
        let Some(left) = output.pop() else {
            output.append(&mut right);
            return;
        };
        let text = left.spelling() + &right[0].spelling();
        let mut joined = lex(FileId(0), &text).tokens;
        if joined.len() == 1 && joined[0].kind != TokenKind::Bad {
            right[0] = placed(&joined.remove(0), at);
        } else {
            let message = format!("`{text}`, made with `##`, is not a token");
            self.error(Diagnostic::error(at, message));
            right[0] = left;
        }
        output.append(&mut right);
    }
}

/// The expansion of a macro without parameters, whose ends know its name. Where it stands at the end of another one, that one counts.
fn named(of: &Token, mut tokens: Vec<Token>) -> Vec<Token> {
    if let Some(first) = tokens.first_mut() {
        first.begins = of.begins.clone().or_else(|| of.text.clone());
    }
    if let Some(last) = tokens.last_mut() {
        last.ends = of.ends.clone().or_else(|| of.text.clone());
    }
    tokens
}

/// A copy of a token as part of an expansion.
fn placed(token: &Token, span: Span) -> Token {
    Token {
        span,
        newline_before: false,
        line_start: false,
        ..token.clone()
    }
}

/// `#param`: the argument's text as a string.
fn stringized(hash: &Token, tokens: &[Token], at: Span) -> Token {
    let texts: Vec<String> = tokens.iter().map(Token::spelling).collect();
    let text = texts.join(" ").replace('\\', "\\\\").replace('"', "\\\"");
    Token {
        kind: TokenKind::Str,
        text: Some(text.into()),
        ..placed(hash, at)
    }
}

pub(crate) fn count_of(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
