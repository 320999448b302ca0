//! Results for programs: the same columns as comma-separated values and in the JSON document.

use serde_json::{Map, Value};

/// A named value; null if it was not measured.
pub(crate) type Cell = (&'static str, Value);

/// The rows as objects.
pub(crate) fn objects(rows: Vec<Vec<Cell>>) -> Vec<Map<String, Value>> {
    let object = |row: Vec<Cell>| row.into_iter().map(|(name, value)| (name.into(), value));
    rows.into_iter().map(|row| object(row).collect()).collect()
}

/// The rows as comma-separated values, with the names of the columns before them.
pub(crate) fn comma_separated(rows: &[Vec<Cell>]) -> String {
    let mut lines = Vec::new();
    for row in rows {
        if lines.is_empty() {
            let names: Vec<&str> = row.iter().map(|(name, _)| *name).collect();
            lines.push(names.join(","));
        }
        let values: Vec<String> = row.iter().map(|(_, value)| written(value)).collect();
        lines.push(values.join(","));
    }
    lines.join("\n")
}

fn written(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if text.contains([',', '"', '\n']) => {
            format!("\"{}\"", text.replace('"', "\"\""))
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_have_the_same_columns() {
        let row = |speed: Value| vec![("model", "email/4".into()), ("speed", speed)];
        let rows = vec![row(2.5.into()), row(Value::Null)];
        assert_eq!(comma_separated(&rows), "model,speed\nemail/4,2.5\nemail/4,");
        let objects = objects(rows);
        assert_eq!(objects[0]["speed"], 2.5);
        assert_eq!(objects[1]["speed"], Value::Null);
    }

    #[test]
    fn a_comma_in_a_text_is_none_between_values() {
        assert_eq!(written(&"a, \"b\"".into()), "\"a, \"\"b\"\"\"");
        assert_eq!(written(&"a b".into()), "a b");
        assert_eq!(written(&Value::Null), "");
    }
}
