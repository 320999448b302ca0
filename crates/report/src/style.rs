//! Colours, used sparingly: the verdict, what changed, and what is of lesser interest.

use anstyle::{AnsiColor, Style};
use std::fmt::Display;
use std::time::Duration;

/// Whether a text carries colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// It does, as ANSI escape sequences.
    On,
    /// It does not.
    Off,
}

/// What a piece of text is, which decides how it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tone {
    /// Good news.
    Good,
    /// Bad news.
    Bad,
    /// Neither.
    Doubtful,
    /// The title of a section.
    Title,
    /// What a reader looks for.
    Strong,
    /// What a reader looks at only if needed.
    Faint,
    /// Who moves.
    Name,
}

impl Tone {
    fn style(self) -> Style {
        match self {
            Tone::Good => AnsiColor::Green.on_default().bold(),
            Tone::Bad => AnsiColor::Red.on_default().bold(),
            Tone::Doubtful => AnsiColor::Yellow.on_default().bold(),
            Tone::Title | Tone::Strong => Style::new().bold(),
            Tone::Faint => Style::new().dimmed(),
            Tone::Name => AnsiColor::Cyan.on_default(),
        }
    }
}

impl Colour {
    /// The text in that tone.
    pub fn paint(self, tone: Tone, text: impl Display) -> String {
        match self {
            Colour::Off => text.to_string(),
            Colour::On => {
                let style = tone.style();
                format!("{style}{text}{style:#}")
            }
        }
    }
}

/// The text with every character that steers a terminal made visible, so that neither a model nor a
/// message can play with it. Each becomes one of the same length: byte offsets stay what they were.
/// Line ends and tabs become blanks.
pub fn tame(text: &str) -> String {
    text.chars().map(tame_char).collect()
}

/// As [`tame`], but line ends and tabs stay.
pub fn tame_lines(text: &str) -> String {
    let keep = |c| matches!(c, '\n' | '\t');
    text.chars()
        .map(|c| if keep(c) { c } else { tame_char(c) })
        .collect()
}

fn tame_char(c: char) -> char {
    match c {
        '\n' | '\r' | '\t' => ' ',
        c if c.is_ascii_control() => '?',
        c if c.is_control() => '\u{b7}',
        // Line ends of other alphabets, and marks that turn the direction of writing.
        '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c => c,
    }
}

/// A number with a comma between groups of three digits.
pub fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 step`, `2 steps`.
pub fn counted(number: impl Into<u128>, noun: &str) -> String {
    let number = number.into();
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// A share as percent.
pub fn percent(share: f64) -> String {
    match share * 100.0 {
        p if p > 0.0 && p < 1.0 => "under 1 %".into(),
        p => format!("{p:.0} %"),
    }
}

/// A number of bytes with a unit that fits.
pub fn bytes(number: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "kB", "MB", "GB", "TB"];
    let mut value = number as f64;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    match unit {
        0 => format!("{number} {}", UNITS[0]),
        _ if value < 9.95 => format!("{value:.1} {}", UNITS[unit]),
        _ => format!("{value:.0} {}", UNITS[unit]),
    }
}

/// A time with a precision that fits.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 0.001 => "under 1 ms".into(),
        s if s < 0.9995 => format!("{:.0} ms", s * 1000.0),
        s if s < 60.0 => format!("{s:.1} s"),
        s => format!("{} min {:.0} s", (s / 60.0) as u64, (s % 60.0).floor()),
    }
}

/// A number of bytes as somebody has stated it: `8 MB`, `1.5 GB`, `100 MiB`. Rounded only if no unit
/// gives a short number.
pub fn stated_bytes(number: u64) -> String {
    let decimal = stated_in(number, 1000, &["bytes", "kB", "MB", "GB", "TB"]);
    let binary = || stated_in(number, 1024, &["bytes", "KiB", "MiB", "GiB", "TiB"]);
    decimal.or_else(binary).unwrap_or_else(|| bytes(number))
}

/// In the largest unit that is not larger than the number, if that takes at most three decimals.
fn stated_in(number: u64, base: u64, units: &[&str]) -> Option<String> {
    let mut size: u64 = 1;
    let mut unit = 0;
    while number / size >= base && unit + 1 < units.len() {
        size *= base;
        unit += 1;
    }
    let thousandths = u128::from(number) * 1000;
    let exact = thousandths.is_multiple_of(u128::from(size));
    exact.then(|| format!("{} {}", number as f64 / size as f64, units[unit]))
}

/// A time as somebody has stated it: `1 s`, `250 ms`, `5 min`, `2 h`.
pub fn stated_duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match time.subsec_nanos() {
        0 if seconds > 0 && seconds.is_multiple_of(3600) => format!("{} h", seconds / 3600),
        0 if seconds > 0 && seconds.is_multiple_of(60) => format!("{} min", seconds / 60),
        _ if seconds > 0 => format!("{} s", time.as_secs_f64()),
        _ => format!("{} ms", f64::from(time.subsec_nanos()) / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(grouped(0u64), "0");
        assert_eq!(grouped(999u64), "999");
        assert_eq!(grouped(542_921u64), "542,921");
        assert_eq!(grouped(1_000_000u64), "1,000,000");
        assert_eq!(counted(1u64, "step"), "1 step");
        assert_eq!(counted(2u64, "step"), "2 steps");
        assert_eq!(bytes(512), "512 bytes");
        assert_eq!(bytes(999_999), "1.0 MB");
        assert_eq!(bytes(12_300_000), "12 MB");
        assert_eq!(duration(0.0002), "under 1 ms");
        assert_eq!(duration(0.0423), "42 ms");
        assert_eq!(duration(0.9999), "1.0 s");
        assert_eq!(duration(61.9), "1 min 1 s");
        assert_eq!(percent(0.0), "0 %");
        assert_eq!(percent(0.001), "under 1 %");
        assert_eq!(percent(0.184), "18 %");
    }

    #[test]
    fn limits_are_repeated_as_they_were_stated() {
        assert_eq!(stated_bytes(512), "512 bytes");
        assert_eq!(stated_bytes(8_000_000), "8 MB");
        assert_eq!(stated_bytes(1_500_000_000), "1.5 GB");
        assert_eq!(stated_bytes(100 << 20), "100 MiB");
        assert_eq!(stated_bytes(12_345_678_901), "12 GB");
        assert_eq!(stated_bytes(u64::MAX), bytes(u64::MAX));
        let stated = |milliseconds| stated_duration(Duration::from_millis(milliseconds));
        assert_eq!(stated(1_000), "1 s");
        assert_eq!(stated(1_500), "1.5 s");
        assert_eq!(stated(250), "250 ms");
        assert_eq!(stated(90_000), "90 s");
        assert_eq!(stated(300_000), "5 min");
        assert_eq!(stated(7_200_000), "2 h");
    }

    #[test]
    fn control_characters_are_tamed_in_place() {
        let wild = "a\x1b[31mé\0\u{9b}\u{202e}";
        assert_eq!(tame(wild), "a?[31mé?\u{b7}\u{fffd}");
        assert_eq!(tame(wild).len(), wild.len());
        assert_eq!(tame_lines("a\tb\r\n"), "a\tb \n");
    }

    #[test]
    fn colour_is_absent_when_off() {
        assert_eq!(Colour::Off.paint(Tone::Bad, "no"), "no");
        assert_eq!(
            Colour::On.paint(Tone::Bad, "no"),
            "\u{1b}[1m\u{1b}[31mno\u{1b}[0m"
        );
    }
}
