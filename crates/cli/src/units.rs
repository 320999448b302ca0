//! Sizes and times as people type them.

use std::time::Duration;

/// A number of bytes: `512`, `64K`, `2G`, `1.5GB`; the letters mean powers of 1000, and with an `i`
/// (`100MiB`) powers of 1024.
pub fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text)?;
    let unit = unit.trim_end_matches(['b', 'B']);
    let (letter, base) = match unit.strip_suffix('i') {
        Some(letter) => (letter, 1024.0),
        None => (unit, 1000.0),
    };
    let power = match letter.to_ascii_lowercase().as_str() {
        "" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        _ => return Err("a size looks like 512M or 2G".into()),
    };
    let bytes = number * f64::powi(base, power);
    match bytes >= 1.0 && bytes < u64::MAX as f64 {
        true => Ok(bytes as u64),
        false => Err("the size must be at least one byte and fit the machine".into()),
    }
}

/// The program itself takes about ten megabytes, with a model and its machine code.
pub const LEAST_MEMORY: u64 = 16_000_000;

/// A size that a search has a chance with.
pub fn memory(text: &str) -> Result<u64, String> {
    match size(text)? {
        little if little < LEAST_MEMORY => {
            Err("it takes at least 16M: the program itself needs more than half of that".into())
        }
        enough => Ok(enough),
    }
}

/// A time: `10s`, `5m`, `1h`, `250ms`; a number alone means seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text)?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        "d" => number * 86_400.0,
        _ => return Err("a time looks like 10s, 5m or 2h".into()),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| "the time is too long".into())
}

/// A count: `1000`, `10_000`, `50k`, `2M`.
pub fn count(text: &str) -> Result<u64, String> {
    let plain = text.replace(['_', ','], "");
    let (digits, factor) = match plain.as_bytes().last() {
        Some(b'k' | b'K') => (&plain[..plain.len() - 1], 1_000),
        Some(b'M') => (&plain[..plain.len() - 1], 1_000_000),
        _ => (plain.as_str(), 1),
    };
    let number: u64 = digits
        .parse()
        .map_err(|_| "a count looks like 1000, 50k or 2M".to_string())?;
    match number.checked_mul(factor) {
        Some(0) => Err("the count must be at least 1".into()),
        Some(count) => Ok(count),
        None => Err("the count is too large".into()),
    }
}

/// The number at the start, not negative, and what follows it.
fn split(text: &str) -> Result<(f64, &str), String> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number = number
        .parse()
        .map_err(|_| "a number is expected".to_string())?;
    Ok((number, unit.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size("512"), Ok(512));
        assert_eq!(size("64K"), Ok(64_000));
        assert_eq!(size("64Ki"), Ok(64 << 10));
        assert_eq!(size("1.5G"), Ok(1_500_000_000));
        assert_eq!(size("2GB"), Ok(2_000_000_000));
        assert_eq!(size("100MiB"), Ok(100 << 20));
        for wrong in ["", "G", "-1", "0", "2X", "1e9", "99999999999999T"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn durations() {
        assert_eq!(duration("10"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        for wrong in ["", "s", "10 parsecs", "-1s", "99999999999999999999d"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn counts() {
        assert_eq!(count("1000"), Ok(1000));
        assert_eq!(count("10_000"), Ok(10_000));
        assert_eq!(count("50k"), Ok(50_000));
        assert_eq!(count("2M"), Ok(2_000_000));
        for wrong in [
            "",
            "0",
            "k",
            "-1",
            "1.5",
            "99999999999999999999",
            "9999999999999999999M",
        ] {
            assert!(count(wrong).is_err(), "{wrong}");
        }
    }
}
