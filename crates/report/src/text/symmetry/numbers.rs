//! Numbers of any length, and names that differ in a number.

/// The number of digits from which on a number is rounded.
const LONGEST: usize = 18;

/// A number in decimal, made readable: `40,320`, `8.3e81`.
pub fn decimal(digits: &str) -> String {
    if digits.len() > LONGEST && digits.bytes().all(|b| b.is_ascii_digit()) {
        return format!("{}.{}e{}", &digits[..1], &digits[1..2], digits.len() - 1);
    }
    match digits.parse::<u128>() {
        Ok(number) => crate::style::grouped(number),
        Err(_) => crate::style::tame(digits),
    }
}

/// Names in one word, where they differ in a number only: `Client 3..5,7`, `reply[0..5]`.
pub fn members(names: &[String]) -> String {
    let parts: Vec<_> = names.iter().filter_map(|name| split(name)).collect();
    let Some(&(before, _, after)) = parts.first() else {
        return names.join(", ");
    };
    let alike = parts.iter().all(|&(b, _, a)| (b, a) == (before, after));
    if parts.len() < names.len() || !alike {
        return names.join(", ");
    }
    let numbers: Vec<u64> = parts.iter().map(|&(_, number, _)| number).collect();
    let runs = numbers.chunk_by(|a, b| a.checked_add(1) == Some(*b));
    let runs: Vec<String> = runs.map(run).collect();
    format!("{before}{}{after}", runs.join(","))
}

fn run(numbers: &[u64]) -> String {
    match numbers {
        [first, .., last] => format!("{first}..{last}"),
        numbers => numbers.iter().map(u64::to_string).collect(),
    }
}

/// A name at its last number.
fn split(name: &str) -> Option<(&str, u64, &str)> {
    let end = name.rfind(|c: char| c.is_ascii_digit())? + 1;
    let start = name[..end].rfind(|c: char| !c.is_ascii_digit());
    let start = start.map_or(0, |at| {
        at + name[at..].chars().next().map_or(1, char::len_utf8)
    });
    Some((&name[..start], name[start..end].parse().ok()?, &name[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(names: &[&str]) -> String {
        members(&names.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn names_with_numbers_are_told_as_ranges() {
        assert_eq!(joined(&["P 1", "P 2", "P 3"]), "P 1..3");
        assert_eq!(joined(&["P 3", "P 4", "P 5", "P 7"]), "P 3..5,7");
        assert_eq!(joined(&["reply[0]", "reply[1]"]), "reply[0..1]");
        assert_eq!(joined(&["é1", "é2"]), "é1..2");
        assert_eq!(joined(&["P 1", "Q 2"]), "P 1, Q 2");
        assert_eq!(joined(&["red", "P 2"]), "red, P 2");
        assert_eq!(joined(&[]), "");
        let endless = "9".repeat(30);
        assert_eq!(joined(&[&endless, "1"]), format!("{endless}, 1"));
    }

    #[test]
    fn numbers_of_any_length_are_readable() {
        assert_eq!(decimal("24"), "24");
        assert_eq!(decimal("40320"), "40,320");
        assert_eq!(decimal("2432902008176640000"), "2.4e18");
        assert_eq!(decimal("nonsense"), "nonsense");
        assert_eq!(
            decimal("és much more than eighteen"),
            "és much more than eighteen"
        );
    }
}
