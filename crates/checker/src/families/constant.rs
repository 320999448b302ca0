//! The place of a constant in the text of a model.
//!
//! Three sizes cannot show that nothing else depends on the constant: a condition like `N > 100` has the same value for all of them. So the constant must not stand anywhere
//! but where it is declared and where it is the size of the family, `scalarset(N)` or `active [N]`.

use mandala_model::model::Language;
use mandala_model::source::{FileId, Sources, Span};
use mandala_views::{Condition, Refused};

/// A word or a character of a text, and where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Token<'t> {
    text: &'t str,
    at: usize,
    /// Whether it is the first one of its line.
    first: bool,
}

/// Refuses a text that has the constant where it is no size.
///
/// # Errors
///
/// The first such place.
pub(super) fn require_only_sizes(
    sources: &Sources,
    language: Language,
    constant: &str,
) -> Result<(), Refused> {
    if language == Language::Cubicle {
        return Ok(());
    }
    for (id, file) in sources.files() {
        // Definitions from outside are texts of their own, which have nothing but the value.
        let tokens = tokens(file.text(), language);
        if let Some(token) = misplaced(&tokens, language, constant) {
            return Err(used(id, token, constant));
        }
    }
    Ok(())
}

fn used(file: FileId, token: Token<'_>, constant: &str) -> Refused {
    let span = Span::new(file, token.at, token.at + token.text.len());
    let message = format!("`{constant}` is used for something else than the size of the family");
    Refused::at(Condition::Size, span, message)
}

/// The first place where the constant is used for something else.
fn misplaced<'t>(tokens: &[Token<'t>], language: Language, constant: &str) -> Option<Token<'t>> {
    let is_size = match language {
        Language::Murphi => is_size_in_murphi,
        _ => is_size_in_promela,
    };
    let places = (0..tokens.len()).filter(|place| tokens[*place].text == constant);
    let mut misplaced = places.filter(|place| !is_size(tokens, *place));
    misplaced.next().map(|place| tokens[place])
}

fn text<'t>(tokens: &[Token<'t>], place: Option<usize>) -> &'t str {
    place.and_then(|p| tokens.get(p)).map_or("", |t| t.text)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// `N: 3;` and `scalarset(N)`.
fn is_size_in_murphi(tokens: &[Token<'_>], at: usize) -> bool {
    let after = |by| text(tokens, Some(at + by));
    let before = |by| text(tokens, at.checked_sub(by));
    let begins = before(1) == ";" || before(1).eq_ignore_ascii_case("const");
    let declared = begins && after(1) == ":" && is_number(after(2)) && after(3) == ";";
    let size = before(1) == "(" && before(2).eq_ignore_ascii_case("scalarset") && after(1) == ")";
    declared || size
}

/// `#define N 3`, `#ifndef N` and `active [N]`.
fn is_size_in_promela(tokens: &[Token<'_>], at: usize) -> bool {
    let after = |by: usize| tokens.get(at + by);
    let before = |by| text(tokens, at.checked_sub(by));
    let directive = at.checked_sub(2).is_some_and(|p| tokens[p].first) && before(2) == "#";
    let ends = |by| after(by).is_none_or(|token| token.first);
    let defined =
        before(1) == "define" && after(1).is_some_and(|t| !t.first && is_number(t.text)) && ends(2);
    let asked = matches!(before(1), "ifndef" | "ifdef") && ends(1);
    let size = before(1) == "[" && before(2) == "active" && text(tokens, Some(at + 1)) == "]";
    directive && (defined || asked) || size
}

/// The words and characters of a text without comments and strings.
fn tokens(text: &str, language: Language) -> Vec<Token<'_>> {
    let line_comment = match language {
        Language::Murphi => "--",
        _ => "//",
    };
    let mut tokens = Vec::new();
    let (mut at, mut first) = (0, true);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with(line_comment) {
            rest.find('\n').unwrap_or(rest.len())
        } else if c == '"' {
            string_length(rest)
        } else if c == '\'' {
            character_length(rest)
        } else if c.is_whitespace() {
            first = first || c == '\n';
            c.len_utf8()
        } else {
            let length = word_length(rest).max(c.len_utf8());
            tokens.push(Token {
                text: &rest[..length],
                at,
                first,
            });
            first = false;
            length
        };
        at += length;
    }
    tokens
}

fn word_length(text: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// The length of a character between quotes, which may be a double quote; that of the quote alone where there is none.
fn character_length(text: &str) -> usize {
    let mut rest = text.char_indices().skip(1);
    let is_escaped = matches!(rest.next(), Some((_, '\\'))) && rest.next().is_some();
    match (is_escaped, rest.next()) {
        (_, Some((end, '\''))) => end + 1,
        _ => 1,
    }
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' | '\n' => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_misplaced(text: &str, language: Language) -> Option<usize> {
        let tokens = tokens(text, language);
        misplaced(&tokens, language, "N").map(|token| token.at)
    }

    #[test]
    fn sizes_and_declarations_are_no_other_use() {
        let murphi = "const N: 3; -- N\n type S: Scalarset(N); /* N */ put \"N\";";
        assert_eq!(first_misplaced(murphi, Language::Murphi), None);
        let promela =
            "#ifndef N\n#define N 3 /* N */\n#endif\nactive [N] proctype P() { skip } // N";
        assert_eq!(first_misplaced(promela, Language::Promela), None);
    }

    #[test]
    fn every_other_use_is_found() {
        let murphi = [
            "const N: 3; M: N;",
            "const N: 3; M: true ? N : 3;",
            "x: 0 .. N",
            "scalarset(N + 1)",
            "if N > 9 then",
        ];
        for text in murphi {
            let last = text.rfind('N');
            assert_eq!(first_misplaced(text, Language::Murphi), last, "{text}");
        }
        let promela = [
            "#if N",
            "#define M N",
            "#define N 2 * 3\n",
            "byte x[N]",
            "active [N + 1]",
            "x < N",
            "#ifdef N || M",
            "x = '\"'; y = N",
            "x = '\\''; y = N",
        ];
        for text in promela {
            assert_eq!(
                first_misplaced(text, Language::Promela),
                text.rfind('N'),
                "{text}"
            );
        }
    }
}
