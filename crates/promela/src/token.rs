//! Tokens: what the lexer makes, the preprocessor passes on and the parser reads.

use mandala_model::source::Span;
use std::fmt;
use std::sync::Arc;

/// One token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
    /// The text of a word or number, the inside of a string or character constant, the message of a
    /// bad token, what the end is the end of if not of a file; nothing for punctuation.
    pub(crate) text: Option<Arc<str>>,
    /// The previous token is on an earlier line. A statement separator may be implied here.
    pub(crate) newline_before: bool,
    /// First token of its logical line (spliced lines and comments do not end a line): a `#` here
    /// starts a directive.
    pub(crate) line_start: bool,
    /// A macro name that was met while its own expansion was running; never expanded again.
    pub(crate) no_expand: bool,
    /// A bad token was reported and dropped just before: what is wrong here may be its fault.
    pub(crate) after_bad: bool,
    /// Where the parameter stands in the body of an `inline` for which this token, a part of an
    /// argument, was put in.
    pub(crate) parameter: Option<Span>,
    /// The macro without parameters that it is the first token of, the outermost one.
    pub(crate) begins: Option<Arc<str>>,
    /// The macro without parameters that it is the last token of, the outermost one.
    pub(crate) ends: Option<Arc<str>>,
}

impl Token {
    /// The text of the token, as it would be written.
    pub(crate) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_else(|| self.kind.symbol())
    }

    /// Where the token stands in the statement that it is a part of: an argument of an `inline`
    /// is written at the call, but the statement is in the body.
    pub(crate) fn place(&self) -> Span {
        self.parameter.unwrap_or(self.span)
    }

    /// True for names and keywords: the preprocessor makes no difference between them.
    pub(crate) fn is_word(&self) -> bool {
        self.kind.is_word()
    }

    /// The token as written, quotes included.
    pub(crate) fn spelling(&self) -> String {
        match self.kind {
            TokenKind::Str => format!("\"{}\"", self.text()),
            TokenKind::Char => format!("'{}'", self.text()),
            _ => self.text().to_string(),
        }
    }
}

/// Says what a token is in an error message.
impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            TokenKind::Eof => f.write_str(self.text.as_deref().unwrap_or("the end of the file")),
            TokenKind::Str => f.write_str("a string"),
            TokenKind::Number => write!(f, "the number {}", self.text()),
            TokenKind::Name => write!(f, "the name `{}`", self.text()),
            _ => write!(f, "`{}`", self.spelling()),
        }
    }
}

/// Writes the enum of token kinds together with the text of each, so that the two cannot drift
/// apart and keywords can be looked up.
macro_rules! token_kinds {
    (special { $($special:ident),* $(,)? }
     punctuation { $($punct:ident $symbol:literal),* $(,)? }
     keywords { $($keyword:ident $word:literal),* $(,)? }) => {
        /// What a token is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum TokenKind { $($special,)* $($punct,)* $($keyword,)* }

        impl TokenKind {
            /// The text of punctuation and keywords.
            pub(crate) fn symbol(self) -> &'static str {
                match self {
                    $(TokenKind::$special => "",)*
                    $(TokenKind::$punct => $symbol,)*
                    $(TokenKind::$keyword => $word,)*
                }
            }

            /// The keyword that is written like this.
            pub(crate) fn keyword(word: &str) -> Option<TokenKind> {
                match word {
                    $($word => Some(TokenKind::$keyword),)*
                    _ => None,
                }
            }

            /// True for names and keywords.
            pub(crate) fn is_word(self) -> bool {
                matches!(self, TokenKind::Name $(| TokenKind::$keyword)*)
            }
        }
    };
}

token_kinds! {
    special { Eof, Bad, Name, Number, Char, Str }
    punctuation {
        LParen "(", RParen ")", LBracket "[", RBracket "]", LBrace "{", RBrace "}",
        Comma ",", Semi ";", Colon ":", Sep "::", Dot ".", DotDot "..", At "@",
        Assign "=", EqEq "==", NotEq "!=", Lt "<", Le "<=", Gt ">", Ge ">=",
        Shl "<<", Shr ">>", Plus "+", Minus "-", Star "*", Slash "/", Percent "%",
        Incr "++", Decr "--", Amp "&", AmpAmp "&&", Pipe "|", PipePipe "||", Caret "^", Tilde "~",
        Bang "!", BangBang "!!", Query "?", QueryQuery "??", Arrow "->",
        Hash "#", HashHash "##", Backslash "\\", CommentEnd "*/",
    }
    keywords {
        Active "active", Assert "assert", Atomic "atomic", Bit "bit", Bool "bool", Break "break",
        Byte "byte", CCode "c_code", CDecl "c_decl", CExpr "c_expr", CState "c_state",
        CTrack "c_track", Chan "chan", DProctype "D_proctype", DStep "d_step", Do "do",
        Else "else", Empty "empty", Enabled "enabled", Eval "eval", False "false", Fi "fi",
        For "for", Full "full", GetPriority "get_priority", Goto "goto", Hidden "hidden", If "if",
        Init "init", Inline "inline", Int "int", Len "len", Local "local", Ltl "ltl",
        Mtype "mtype", NEmpty "nempty", Never "never", NFull "nfull", NoTrace "notrace",
        NonProgress "np_", Od "od", Of "of", PcValue "pc_value", Pid "pid", Printf "printf",
        Printm "printm", Priority "priority", Proctype "proctype", Provided "provided",
        Return "return", Run "run", Select "select", SetPriority "set_priority", Short "short",
        Show "show", Skip "skip", Timeout "timeout", Trace "trace", True "true",
        Typedef "typedef", Unless "unless", Unsigned "unsigned", Xr "xr", Xs "xs",
    }
}
