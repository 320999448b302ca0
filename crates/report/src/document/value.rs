//! Values of questions about probabilities, with their bounds.

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A value, known to be between two numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// It is not less than this.
    pub lower: Bound,
    /// It is not more than this.
    pub upper: Bound,
    /// The number as a fraction, or `infinity`, if it is known exactly.
    pub exact: Option<String>,
}

/// A bound of a value: a number, or the text `infinity`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound(pub f64);

/// Numbers about the Markov chain or decision process that the graph of all states was read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain {
    /// How many choices its states have.
    pub choices: u64,
    /// How many branches these have.
    pub branches: u64,
    /// How many states runs start in.
    pub starts: u64,
}

/// How many digits of a bound people see.
const DIGITS: usize = 12;

/// More digits than any number has, so that none are rounded away before we do it.
const ALL_DIGITS: usize = 780;

impl Serialize for Bound {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.is_finite() {
            true => serializer.serialize_f64(self.0),
            false => serializer.serialize_str("infinity"),
        }
    }
}

impl<'de> Deserialize<'de> for Bound {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl Visitor<'_> for Reader {
    type Value = Bound;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or `infinity`")
    }

    fn visit_f64<E>(self, number: f64) -> Result<Bound, E> {
        Ok(Bound(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Bound, E> {
        Ok(Bound(number as f64))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Bound, E> {
        Ok(Bound(number as f64))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Bound, E> {
        match text {
            "infinity" => Ok(Bound(f64::INFINITY)),
            other => Err(E::custom(format!("{other:?} is no bound"))),
        }
    }
}

impl fmt::Display for Value {
    /// The value for people: its fraction with a decimal number, or both bounds, rounded outwards.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lower = decimal(self.lower.0, Side::Below);
        let upper = decimal(self.upper.0, Side::Above);
        match &self.exact {
            Some(exact) if *exact == lower => write!(f, "exactly {exact}"),
            Some(exact) if lower == upper => write!(f, "exactly {exact} = {lower}"),
            Some(exact) => write!(f, "exactly {exact}, between {lower} and {upper}"),
            None => write!(f, "between {lower} and {upper}"),
        }
    }
}

/// On which side of a number its decimal form may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Below,
    Above,
}

/// A number that is not negative, with few digits: the closest such number on that side of it.
fn decimal(number: f64, side: Side) -> String {
    if number.is_infinite() {
        return "infinity".into();
    }
    let all = format!("{number:.ALL_DIGITS$e}");
    let (digits, exponent) = all.split_once('e').unwrap_or((&all, "0"));
    let digits: Vec<u8> = digits
        .bytes()
        .filter(|it| *it != b'.')
        .map(|it| it - b'0')
        .collect();
    let mut exponent: i32 = exponent.parse().unwrap_or(0);
    let (kept, rest) = digits.split_at(DIGITS);
    let mut kept = kept.to_vec();
    if side == Side::Above && rest.iter().any(|it| *it != 0) && increment(&mut kept) {
        exponent += 1;
    }
    while kept.len() > 1 && kept.last() == Some(&0) {
        kept.pop();
    }
    placed(&kept, exponent)
}

/// Adds one to the last digit, and says whether the number has become a power of ten.
fn increment(digits: &mut [u8]) -> bool {
    for digit in digits.iter_mut().rev() {
        if *digit < 9 {
            *digit += 1;
            return false;
        }
        *digit = 0;
    }
    if let Some(first) = digits.first_mut() {
        *first = 1;
    }
    true
}

/// Digits with the point where it belongs, or with an exponent if that is far away.
fn placed(digits: &[u8], exponent: i32) -> String {
    let text: String = digits.iter().map(|it| char::from(b'0' + it)).collect();
    let count = text.len() as i32;
    match exponent {
        -5..=-1 => format!("0.{}{text}", "0".repeat((-exponent - 1) as usize)),
        0..=14 if exponent + 1 >= count => {
            format!("{text}{}", "0".repeat((exponent + 1 - count) as usize))
        }
        0..=14 => {
            let (whole, part) = text.split_at((exponent + 1) as usize);
            format!("{whole}.{part}")
        }
        _ if count == 1 => format!("{text}e{exponent}"),
        _ => {
            let (whole, part) = text.split_at(1);
            format!("{whole}.{part}e{exponent}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(number: f64) -> [String; 2] {
        [Side::Below, Side::Above].map(|side| decimal(number, side))
    }

    #[test]
    fn few_digits_are_on_the_right_side() {
        assert_eq!(both(0.1), ["0.1", "0.100000000001"]);
        assert_eq!(both(0.3), ["0.299999999999", "0.3"]);
        assert_eq!(both(0.875), ["0.875", "0.875"]);
        assert_eq!(both(0.0), ["0", "0"]);
        assert_eq!(both(120.0), ["120", "120"]);
        assert_eq!(both(1.0_f64.next_down()), ["0.999999999999", "1"]);
        assert_eq!(
            both(2.0 / 3.0 * 1e-9),
            ["6.66666666666e-10", "6.66666666667e-10"]
        );
        assert_eq!(both(1e20), ["1e20", "1e20"]);
        assert_eq!(both(f64::INFINITY), ["infinity", "infinity"]);
    }

    #[test]
    fn a_value_is_told_with_its_fraction_or_with_both_bounds() {
        let value = |lower, upper, exact: Option<&str>| {
            let value = Value {
                lower: Bound(lower),
                upper: Bound(upper),
                exact: exact.map(str::to_owned),
            };
            value.to_string()
        };
        assert_eq!(value(0.5, 0.5, Some("1/2")), "exactly 1/2 = 0.5");
        assert_eq!(value(75.0, 75.0, Some("75")), "exactly 75");
        assert_eq!(value(0.25, 0.5, None), "between 0.25 and 0.5");
        let third = 1.0 / 3.0;
        assert_eq!(
            value(third, f64::next_up(third), Some("1/3")),
            "exactly 1/3, between 0.333333333333 and 0.333333333334"
        );
        assert_eq!(
            value(f64::INFINITY, f64::INFINITY, Some("infinity")),
            "exactly infinity"
        );
    }

    #[test]
    fn a_bound_is_read_as_it_is_written() {
        for bound in [Bound(0.1), Bound(3.0), Bound(f64::INFINITY)] {
            let text = serde_json::to_string(&bound).unwrap();
            assert_eq!(
                serde_json::from_str::<Bound>(&text).unwrap(),
                bound,
                "{text}"
            );
        }
    }
}
