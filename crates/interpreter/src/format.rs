//! Texts with values in them, in the manner of C's `printf`.
//!
//! `%d` and `%i` show a number, `%u`, `%x`, `%X` and `%o` its 32 bits, `%c` a character, `%e` and `%s`
//! the name of a constant; a width and the flags `-` and `0` are obeyed. A backslash stands for what
//! it stands for in C. What cannot be understood is shown as it is written.

use crate::view::View;
use mandala_model::expr::{Expr, ExprKind};
use mandala_model::state::Value;
use mandala_model::step::Fault;
use mandala_model::template::Print;
use mandala_model::types::Scalar;
use std::iter::Peekable;
use std::str::Chars;

/// No field of a text is wider: a model's author cannot have meant it.
const MAX_WIDTH: usize = 256;

/// A value to show, with its name if it is a constant that has one.
pub(crate) struct Argument {
    pub value: Value,
    pub name: Option<String>,
}

impl View<'_> {
    /// The text that is shown.
    pub(crate) fn print(&self, print: &Print) -> Result<String, Fault> {
        match print {
            Print::Format { format, arguments } => {
                let arguments: Result<Vec<_>, _> =
                    arguments.iter().map(|a| self.argument(a)).collect();
                Ok(formatted(format, &arguments?))
            }
            Print::Name(expr) => Ok(self.argument(expr)?.name_or_number()),
        }
    }

    fn argument(&self, expr: &Expr) -> Result<Argument, Fault> {
        let value = self.evaluate(expr)?;
        let name = match self.scalar_of(expr)? {
            Some(Scalar::Coded { coding, .. }) => Some(self.model.coding(coding).show(value)),
            Some(Scalar::Enum(id)) if !self.model.enumeration(id).is_truth() => {
                self.model.enumeration(id).name_of(value).map(str::to_owned)
            }
            _ => {
                let mut constants = self.model.enums.iter().filter(|e| !e.is_truth());
                let name = constants.find_map(|e| e.name_of(value));
                name.map(str::to_owned)
            }
        };
        Ok(Argument { value, name })
    }

    /// The type of a variable, if the expression is one.
    fn scalar_of(&self, expr: &Expr) -> Result<Option<Scalar>, Fault> {
        let ExprKind::Read(place) = &expr.kind else {
            return Ok(None);
        };
        Ok(Some(self.cell(place)?.scalar))
    }
}

impl Argument {
    fn name_or_number(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.value.to_string())
    }
}

/// `format` with the arguments in their places.
pub(crate) fn formatted(format: &str, arguments: &[Argument]) -> String {
    let mut text = String::new();
    let mut arguments = arguments.iter();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => text.push_str(&escape(rest.next())),
            '%' => {
                let directive = Directive::read(&mut rest);
                text.push_str(&directive.show(&mut arguments));
            }
            _ => text.push(c),
        }
    }
    text
}

fn escape(letter: Option<char>) -> String {
    let meant = match letter {
        Some('n') => '\n',
        Some('t') => '\t',
        Some('r') => '\r',
        Some('a') => '\u{7}',
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('v') => '\u{b}',
        Some('0') => '\0',
        Some(c @ ('\\' | '"' | '\'')) => c,
        Some(other) => return format!("\\{other}"),
        None => '\\',
    };
    meant.to_string()
}

/// What comes after a `%`.
struct Directive {
    flags: String,
    digits: String,
    conversion: Option<char>,
}

impl Directive {
    fn read(rest: &mut Peekable<Chars<'_>>) -> Self {
        let mut directive = Directive {
            flags: String::new(),
            digits: String::new(),
            conversion: None,
        };
        while let Some(flag) = rest.next_if(|c| matches!(c, '-' | '0')) {
            directive.flags.push(flag);
        }
        while let Some(digit) = rest.next_if(char::is_ascii_digit) {
            directive.digits.push(digit);
        }
        directive.conversion = rest.next();
        directive
    }

    fn show<'a>(&self, arguments: &mut impl Iterator<Item = &'a Argument>) -> String {
        let known = self.conversion.filter(|c| "diuxXoces".contains(*c));
        let Some((conversion, argument)) = known.and_then(|c| Some((c, arguments.next()?))) else {
            return self.as_written();
        };
        let bits = argument.value as u32;
        self.padded(match conversion {
            'd' | 'i' => argument.value.to_string(),
            'u' => bits.to_string(),
            'x' => format!("{bits:x}"),
            'X' => format!("{bits:X}"),
            'o' => format!("{bits:o}"),
            'c' => char::from(bits as u8).to_string(),
            _ => argument.name_or_number(),
        })
    }

    fn as_written(&self) -> String {
        match self.conversion {
            Some('%') => "%".to_owned(),
            Some(other) => format!("%{}{}{other}", self.flags, self.digits),
            None => format!("%{}{}", self.flags, self.digits),
        }
    }

    fn padded(&self, shown: String) -> String {
        let width = self.digits.parse().unwrap_or(0).min(MAX_WIDTH);
        if self.flags.contains('-') {
            return format!("{shown:<width$}");
        }
        if !self.flags.contains('0') {
            return format!("{shown:>width$}");
        }
        match shown.strip_prefix('-') {
            Some(digits) => format!("-{digits:0>rest$}", rest = width.saturating_sub(1)),
            None => format!("{shown:0>width$}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(format: &str, values: &[Value]) -> String {
        let argument = |value: &Value| Argument {
            value: *value,
            name: (*value == 7).then(|| "seven".to_owned()),
        };
        formatted(format, &values.iter().map(argument).collect::<Vec<_>>())
    }

    #[test]
    fn numbers_are_shown_in_every_base() {
        assert_eq!(
            show("%d %u %x %X %o", &[-1, -1, 255, 255, 8]),
            "-1 4294967295 ff FF 10"
        );
    }

    #[test]
    fn names_of_constants_are_shown_where_there_are_any() {
        assert_eq!(show("%e %s %e", &[7, 7, 8]), "seven seven 8");
    }

    #[test]
    fn widths_and_flags_are_obeyed() {
        assert_eq!(
            show("[%3d][%-3d][%03d][%04d]", &[5, 5, 5, -5]),
            "[  5][5  ][005][-005]"
        );
        assert_eq!(show("%99999999999999999999d", &[1]), "1");
    }

    #[test]
    fn escapes_mean_what_they_mean_in_c() {
        assert_eq!(show(r#"a\tb\n\"\\\q%c"#, &[65]), "a\tb\n\"\\\\qA");
        assert_eq!(show("end\\", &[]), "end\\");
    }

    #[test]
    fn what_is_not_understood_stays_as_written() {
        assert_eq!(show("100%% %d %5z %", &[]), "100% %d %5z %");
    }
}
