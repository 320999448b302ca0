//! The words and signs of the language.

use mandala_syntax::{Comments, Kind};

/// A token of the language.
pub(crate) type Token = mandala_syntax::Token<TokenKind>;

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Name,
    Number,
    Eof,
    // Words.
    Define,
    Process,
    Global,
    Local,
    Pointer,
    Discrete,
    Mode,
    When,
    May,
    Goto,
    Initially,
    Risk,
    And,
    Or,
    Not,
    Implies,
    Forall,
    Exists,
    True,
    False,
    Null,
    Me,
    // Signs.
    Arrow,
    DotDot,
    Equal,
    NotEqual,
    LessEqual,
    Less,
    GreaterEqual,
    Greater,
    Assign,
    Plus,
    Minus,
    Star,
    Slash,
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    Comma,
    Semicolon,
    Colon,
}

impl Kind for TokenKind {
    const NUMBER: Self = TokenKind::Number;
    const END: Self = TokenKind::Eof;
    const WORDS: &'static [(&'static str, Self)] = &[
        ("process", TokenKind::Process),
        ("global", TokenKind::Global),
        ("local", TokenKind::Local),
        ("pointer", TokenKind::Pointer),
        ("discrete", TokenKind::Discrete),
        ("mode", TokenKind::Mode),
        ("when", TokenKind::When),
        ("may", TokenKind::May),
        ("goto", TokenKind::Goto),
        ("initially", TokenKind::Initially),
        ("risk", TokenKind::Risk),
        ("and", TokenKind::And),
        ("or", TokenKind::Or),
        ("not", TokenKind::Not),
        ("implies", TokenKind::Implies),
        ("forall", TokenKind::Forall),
        ("exists", TokenKind::Exists),
        ("true", TokenKind::True),
        ("false", TokenKind::False),
        ("NULL", TokenKind::Null),
        ("P", TokenKind::Me),
    ];
    const SIGNS: &'static [(&'static str, Self)] = &[
        ("#define", TokenKind::Define),
        ("->", TokenKind::Arrow),
        ("..", TokenKind::DotDot),
        ("==", TokenKind::Equal),
        ("!=", TokenKind::NotEqual),
        ("=>", TokenKind::Implies),
        ("<=", TokenKind::LessEqual),
        (">=", TokenKind::GreaterEqual),
        ("<", TokenKind::Less),
        (">", TokenKind::Greater),
        (":=", TokenKind::Assign),
        ("=", TokenKind::Assign),
        ("&&", TokenKind::And),
        ("||", TokenKind::Or),
        ("!", TokenKind::Not),
        ("+", TokenKind::Plus),
        ("-", TokenKind::Minus),
        ("*", TokenKind::Star),
        ("/", TokenKind::Slash),
        ("(", TokenKind::LeftParen),
        (")", TokenKind::RightParen),
        ("[", TokenKind::LeftBracket),
        ("]", TokenKind::RightBracket),
        ("{", TokenKind::LeftBrace),
        ("}", TokenKind::RightBrace),
        (",", TokenKind::Comma),
        (";", TokenKind::Semicolon),
        (":", TokenKind::Colon),
    ];
    const COMMENTS: Comments = Comments::Slashes;

    fn of_name(_name: &str) -> Self {
        TokenKind::Name
    }

    /// Signs and words that mean the same are shown alike.
    fn shown(self, text: &str) -> &str {
        match self {
            TokenKind::Name | TokenKind::Number => text,
            kind => kind.symbol(),
        }
    }

    fn symbol(self) -> &'static str {
        let mut all = Self::WORDS.iter().chain(Self::SIGNS);
        match self {
            TokenKind::Assign => "=",
            _ => all
                .find(|(_, kind)| *kind == self)
                .map_or("", |(text, _)| *text),
        }
    }

    fn help(found: char) -> Option<&'static str> {
        (found == '#').then_some("the only line of that kind is `#define NAME VALUE`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_model::source::FileId;
    use mandala_syntax::lex;

    fn check(text: &str, expected: &str) {
        let shown = match lex::<TokenKind>(FileId(0), text) {
            Ok(tokens) => {
                let tokens = tokens.iter().map(ToString::to_string);
                tokens.collect::<Vec<_>>().join(" ").replace('`', "")
            }
            Err(error) => format!("{}: {}", error.span.start, error.message),
        };
        assert_eq!(shown, expected);
    }

    #[test]
    fn longest_signs_win() {
        check(
            "a->b<=c:=d=>e==f",
            "a -> b <= c = d implies e == f the end of the text",
        );
        check("0..5", "0 .. 5 the end of the text");
        check("!a != b", "not a != b the end of the text");
    }

    #[test]
    fn comments_are_dropped() {
        check("a // b\n/* c\n */ d", "a d the end of the text");
        check("a /* b", "2: this comment is never closed");
    }

    #[test]
    fn what_is_no_token_is_named() {
        check("a é", "2: `é` is not part of the language");
        check("#include", "0: `#` is not part of the language");
    }
}
