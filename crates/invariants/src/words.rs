//! The constant in the text of a model: it stands where it gets its value and where it is the size of the family, and nowhere else (condition 5).
//!
//! Comments and texts between quotes are blanked. What is then before and behind the constant, without white space, has to be one of few things.

use crate::family::NotConfirmed;
use mandala_model::model::Language;
use mandala_model::source::{FileId, Sources, Span};

/// Requires a constant to be nothing but a size.
///
/// # Errors
///
/// The first place where it is something else.
pub(crate) fn require_only_size(
    sources: &Sources,
    language: Language,
    constant: &str,
) -> Result<(), NotConfirmed> {
    // The number of processes of Cubicle has no name in the text.
    if language == Language::Cubicle {
        return Ok(());
    }
    for (id, file) in sources.files() {
        if let Some(at) = other_use(file.text(), language, constant) {
            return Err(other(id, at, constant));
        }
    }
    Ok(())
}

fn other(file: FileId, at: usize, constant: &str) -> NotConfirmed {
    let span = Span::new(file, at, at + constant.len());
    NotConfirmed::at(
        span,
        format!("`{constant}` is used for something else than the size of the family"),
    )
}

fn other_use(text: &str, language: Language, constant: &str) -> Option<usize> {
    let code = blanked(text, language);
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut uses = code.match_indices(constant).map(|(at, _)| at);
    uses.find(|at| {
        let (before, behind) = (&code[..*at], &code[at + constant.len()..]);
        let is_word = !before.ends_with(is_part) && !behind.starts_with(is_part);
        is_word
            && match language {
                Language::Murphi => !is_size_in_murphi(before, behind),
                _ => !is_size_in_promela(before, behind),
            }
    })
}

/// `scalarset(N)`, and `N: 3;` where a declaration may stand.
fn is_size_in_murphi(before: &str, behind: &str) -> bool {
    let before = squeezed(before.chars().rev()).to_ascii_lowercase();
    let behind = squeezed(behind.chars());
    let size = before.starts_with("(tesralacs") && behind.starts_with(')');
    let value = behind.strip_prefix(':').map(digits);
    let declared = value.is_some_and(|(count, rest)| count > 0 && rest.starts_with(';'));
    size || declared && (before.starts_with(';') || before.starts_with("tsnoc"))
}

/// `active [N]`, and a line `#define N 3`, `#ifdef N` or `#ifndef N`.
fn is_size_in_promela(before: &str, behind: &str) -> bool {
    let size = squeezed(before.chars().rev()).starts_with("[evitca")
        && squeezed(behind.chars()).starts_with(']');
    let line = before.rsplit('\n').next().unwrap_or_default();
    let rest = behind.split('\n').next().unwrap_or_default().trim();
    let directive = line.trim().strip_prefix('#').map(str::trim);
    size || match directive {
        Some("define") => matches!(digits(rest), (1.., "")),
        Some("ifdef" | "ifndef") => rest.is_empty(),
        _ => false,
    }
}

/// A few characters without white space.
fn squeezed(characters: impl Iterator<Item = char>) -> String {
    let kept = characters.filter(|c| !c.is_whitespace());
    kept.take(40).collect()
}

/// How many digits a text begins with, and what follows.
fn digits(text: &str) -> (usize, &str) {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    (text.len() - rest.len(), rest)
}

/// The text with spaces in the place of comments, texts and characters between quotes. Ends of lines stay.
fn blanked(text: &str, language: Language) -> String {
    let line_comment = match language {
        Language::Murphi => "--",
        _ => "//",
    };
    let mut blanked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            _ if rest.starts_with(line_comment) => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => quoted(rest, first),
            _ => 0,
        };
        if length == 0 {
            blanked.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let blank = |byte| if byte == b'\n' { '\n' } else { ' ' };
        blanked.extend(rest[..length].bytes().map(blank));
        rest = &rest[length..];
    }
    blanked
}

/// The length of what begins with a quote: up to the next one in the same line, if there is one; otherwise the quote is nothing special.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return 0,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_no_other_use() {
        let murphi = "const N: 3; -- N\n type S: Scalarset ( N ); /* N */ put \"N\"; NN := N_;";
        assert_eq!(other_use(murphi, Language::Murphi, "N"), None);
        let promela =
            "#ifndef N\n# define N 3 /* N */\n#endif\nactive [ N ] proctype P() { skip } // N";
        assert_eq!(other_use(promela, Language::Promela, "N"), None);
    }

    #[test]
    fn whatever_else_is_one() {
        let murphi = [
            "const N: 3; M: N;",
            "const N: 3; M: true ? N : 3;",
            "x: 0 .. N",
            "scalarset(N + 1)",
            "if N > 9 then",
            "put \"\\\"\"; x := N",
            "it's N",
        ];
        let promela = [
            "#if N",
            "#define M N",
            "#define N 2 * 3\n",
            "#define N M",
            "byte x[N]",
            "active [N + 1]",
            "x < N",
            "#ifdef N || M",
            "x = '\"'; y = N; z = '\"'",
            "x = '\\''; y = N",
            "printf(\"// \\\" \"); y = N",
        ];
        let murphi = murphi.iter().map(|text| (Language::Murphi, text));
        let promela = promela.iter().map(|text| (Language::Promela, text));
        for (language, text) in murphi.chain(promela) {
            assert_eq!(other_use(text, language, "N"), text.rfind('N'), "{text}");
        }
    }
}
