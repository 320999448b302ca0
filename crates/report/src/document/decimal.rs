//! Numbers of any size as strings of decimal digits: not every reader of JSON keeps all digits of a large number.

use serde::{Deserialize, Deserializer, Serializer, de};

/// Writes a number.
pub fn serialize<S: Serializer>(number: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

/// Reads a number.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
    let digits = String::deserialize(deserializer)?;
    digits.parse().map_err(de::Error::custom)
}
