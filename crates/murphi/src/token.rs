//! Tokens: what the lexer makes and the parser reads.

use mandala_model::source::Span;
use std::fmt;
use std::sync::Arc;

/// One token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
    /// A name, keyword or number as written, the inside of a string; empty for punctuation.
    pub(crate) text: Arc<str>,
}

/// Says what a token is in an error message.
impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            TokenKind::Eof => f.write_str("the end of the file"),
            TokenKind::Text => f.write_str("a string"),
            TokenKind::Name | TokenKind::Number => write!(f, "`{}`", self.text),
            kind => write!(f, "`{}`", kind.symbol()),
        }
    }
}

/// What a token is. Words that only CMurphi reserves (`choose`, `multiset`, `undefined` and the like)
/// are names here: the parser knows them where they mean something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TokenKind {
    Eof,
    Name,
    Number,
    Text,
    Alias,
    Array,
    Assert,
    Assume,
    Begin,
    Boolean,
    By,
    Case,
    Clear,
    Const,
    Cover,
    Do,
    Else,
    Elsif,
    End,
    EndAlias,
    EndExists,
    EndFor,
    EndForall,
    EndFunction,
    EndIf,
    EndProcedure,
    EndRecord,
    EndRule,
    EndRuleset,
    EndStartstate,
    EndSwitch,
    EndWhile,
    Enum,
    Error,
    Exists,
    For,
    Forall,
    Function,
    If,
    Invariant,
    IsUndefined,
    Liveness,
    Of,
    Procedure,
    Put,
    Real,
    Record,
    Return,
    Rule,
    Ruleset,
    Scalarset,
    Startstate,
    Switch,
    Then,
    To,
    Type,
    Undefine,
    Union,
    Var,
    While,
    Amp,
    AmpAmp,
    Arrow,
    Assign,
    Bang,
    Caret,
    Colon,
    Comma,
    Dot,
    DotDot,
    Equal,
    Greater,
    GreaterEqual,
    Implies,
    LeftBrace,
    LeftBracket,
    LeftParen,
    Less,
    LessEqual,
    Minus,
    NotEqual,
    Percent,
    Pipe,
    PipePipe,
    Plus,
    Question,
    RightBrace,
    RightBracket,
    RightParen,
    Semicolon,
    ShiftLeft,
    ShiftRight,
    Slash,
    Star,
    Tilde,
}

/// The words of the language, in lower case. They are recognised in any case.
const KEYWORDS: [(&str, TokenKind); 56] = [
    ("alias", TokenKind::Alias),
    ("array", TokenKind::Array),
    ("assert", TokenKind::Assert),
    ("assume", TokenKind::Assume),
    ("begin", TokenKind::Begin),
    ("boolean", TokenKind::Boolean),
    ("by", TokenKind::By),
    ("case", TokenKind::Case),
    ("clear", TokenKind::Clear),
    ("const", TokenKind::Const),
    ("cover", TokenKind::Cover),
    ("do", TokenKind::Do),
    ("else", TokenKind::Else),
    ("elsif", TokenKind::Elsif),
    ("end", TokenKind::End),
    ("endalias", TokenKind::EndAlias),
    ("endexists", TokenKind::EndExists),
    ("endfor", TokenKind::EndFor),
    ("endforall", TokenKind::EndForall),
    ("endfunction", TokenKind::EndFunction),
    ("endif", TokenKind::EndIf),
    ("endprocedure", TokenKind::EndProcedure),
    ("endrecord", TokenKind::EndRecord),
    ("endrule", TokenKind::EndRule),
    ("endruleset", TokenKind::EndRuleset),
    ("endstartstate", TokenKind::EndStartstate),
    ("endswitch", TokenKind::EndSwitch),
    ("endwhile", TokenKind::EndWhile),
    ("enum", TokenKind::Enum),
    ("error", TokenKind::Error),
    ("exists", TokenKind::Exists),
    ("for", TokenKind::For),
    ("forall", TokenKind::Forall),
    ("function", TokenKind::Function),
    ("if", TokenKind::If),
    ("invariant", TokenKind::Invariant),
    ("isundefined", TokenKind::IsUndefined),
    ("liveness", TokenKind::Liveness),
    ("of", TokenKind::Of),
    ("procedure", TokenKind::Procedure),
    ("put", TokenKind::Put),
    ("real", TokenKind::Real),
    ("record", TokenKind::Record),
    ("return", TokenKind::Return),
    ("rule", TokenKind::Rule),
    ("ruleset", TokenKind::Ruleset),
    ("scalarset", TokenKind::Scalarset),
    ("startstate", TokenKind::Startstate),
    ("switch", TokenKind::Switch),
    ("then", TokenKind::Then),
    ("to", TokenKind::To),
    ("type", TokenKind::Type),
    ("undefine", TokenKind::Undefine),
    ("union", TokenKind::Union),
    ("var", TokenKind::Var),
    ("while", TokenKind::While),
];

/// Punctuation, longer signs before their beginnings, with the signs that Rumur adds.
pub(crate) const SIGNS: [(&str, TokenKind); 51] = [
    ("==>", TokenKind::Arrow),
    ("⇒", TokenKind::Arrow),
    (":=", TokenKind::Assign),
    ("≔", TokenKind::Assign),
    ("..", TokenKind::DotDot),
    (">=", TokenKind::GreaterEqual),
    ("≥", TokenKind::GreaterEqual),
    (">>", TokenKind::ShiftRight),
    ("->", TokenKind::Implies),
    ("→", TokenKind::Implies),
    ("<=", TokenKind::LessEqual),
    ("≤", TokenKind::LessEqual),
    ("<<", TokenKind::ShiftLeft),
    ("!=", TokenKind::NotEqual),
    ("≠", TokenKind::NotEqual),
    ("==", TokenKind::Equal),
    ("&&", TokenKind::AmpAmp),
    ("∧", TokenKind::AmpAmp),
    ("||", TokenKind::PipePipe),
    ("∨", TokenKind::PipePipe),
    ("¬", TokenKind::Bang),
    ("÷", TokenKind::Slash),
    ("∕", TokenKind::Slash),
    ("−", TokenKind::Minus),
    ("×", TokenKind::Star),
    ("∀", TokenKind::Forall),
    ("∃", TokenKind::Exists),
    ("&", TokenKind::Amp),
    ("!", TokenKind::Bang),
    ("^", TokenKind::Caret),
    (":", TokenKind::Colon),
    (",", TokenKind::Comma),
    (".", TokenKind::Dot),
    ("=", TokenKind::Equal),
    (">", TokenKind::Greater),
    ("{", TokenKind::LeftBrace),
    ("[", TokenKind::LeftBracket),
    ("(", TokenKind::LeftParen),
    ("<", TokenKind::Less),
    ("-", TokenKind::Minus),
    ("%", TokenKind::Percent),
    ("|", TokenKind::Pipe),
    ("+", TokenKind::Plus),
    ("?", TokenKind::Question),
    ("}", TokenKind::RightBrace),
    ("]", TokenKind::RightBracket),
    (")", TokenKind::RightParen),
    (";", TokenKind::Semicolon),
    ("/", TokenKind::Slash),
    ("*", TokenKind::Star),
    ("~", TokenKind::Tilde),
];

impl TokenKind {
    /// The keyword that a word is, in whatever case it is written.
    pub(crate) fn keyword(word: &str) -> Option<TokenKind> {
        let lower = word.to_ascii_lowercase();
        let index = KEYWORDS.binary_search_by(|(text, _)| (*text).cmp(lower.as_str()));
        index.ok().map(|index| KEYWORDS[index].1)
    }

    /// The token as it is written, or what it is.
    pub(crate) fn symbol(self) -> &'static str {
        let found = KEYWORDS
            .iter()
            .chain(plain_signs())
            .find(|(_, kind)| *kind == self);
        match self {
            TokenKind::Eof => "the end of the file",
            TokenKind::Name => "a name",
            TokenKind::Number => "a number",
            TokenKind::Text => "a string",
            _ => found.map_or("", |(text, _)| text),
        }
    }

    /// True for the words of the language.
    pub(crate) fn is_keyword(self) -> bool {
        KEYWORDS.iter().any(|(_, kind)| *kind == self)
    }
}

/// The signs that can be typed on every keyboard; `=` before its other form `==`.
fn plain_signs() -> impl Iterator<Item = &'static (&'static str, TokenKind)> {
    SIGNS
        .iter()
        .filter(|(text, _)| text.is_ascii() && *text != "==")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted_and_found_in_any_case() {
        assert!(KEYWORDS.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(TokenKind::keyword("RuleSet"), Some(TokenKind::Ruleset));
        assert_eq!(TokenKind::keyword("choose"), None);
    }

    #[test]
    fn signs_stand_before_their_beginnings() {
        for (index, (sign, _)) in SIGNS.iter().enumerate() {
            let hidden = SIGNS[..index]
                .iter()
                .find(|(early, _)| sign.starts_with(early));
            assert_eq!(hidden, None, "`{sign}` is never found");
        }
    }

    #[test]
    fn every_kind_has_a_symbol() {
        for (_, kind) in KEYWORDS.iter().chain(SIGNS.iter()) {
            assert!(!kind.symbol().is_empty(), "{kind:?}");
            assert!(kind.symbol().is_ascii());
        }
        assert_eq!(TokenKind::Equal.symbol(), "=");
    }
}
