//! Validation of JUnit and SARIF documents against the schemas that others have published for them.
//!
//! The schemas are in packages that are fetched for them (`.ci/schemas`), which the gate does. Where they are not, a test that needs one says so and validates nothing.
#![allow(clippy::print_stdout)]

use roxmltree::{Document, Node};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use uppsala::XsdValidator;

/// The schemas, if they have been fetched.
static SCHEMAS: LazyLock<Option<Schemas>> = LazyLock::new(Schemas::fetched);

struct Schemas {
    /// SARIF 2.1.0, by the OASIS technical committee.
    sarif: Value,
    /// JUnit as Ant and most others read it.
    ant: String,
    /// JUnit as Jenkins reads it.
    jenkins: String,
}

impl Schemas {
    fn fetched() -> Option<Self> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.ci/schemas/Cargo.toml");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["metadata", "--offline", "--locked", "--format-version", "1"]);
        let found = cargo.arg("--manifest-path").arg(&manifest).output().ok()?;
        let Ok(metadata) = serde_json::from_slice::<Value>(&found.stdout) else {
            println!(
                "not validated: the schemas are not there; `cargo fetch --manifest-path .ci/schemas/Cargo.toml` fetches them"
            );
            return None;
        };
        let text = |package: &str, file: &str| {
            let packages = metadata["packages"].as_array().expect("packages");
            let package = packages.iter().find(|p| p["name"] == package);
            let manifest = package.expect("it is required")["manifest_path"].as_str();
            let path = PathBuf::from(manifest.expect("a path")).with_file_name(file);
            std::fs::read_to_string(path).expect("the package has its schema")
        };
        Some(Schemas {
            sarif: serde_json::from_str(&text("serde-sarif", "src/schema.json")).expect("JSON"),
            ant: text("junit-report", "tests/JUnit-alternative.xsd"),
            jenkins: text("junit-report", "tests/JUnit.xsd"),
        })
    }
}

/// Panics unless the document is valid for both schemas of JUnit.
#[track_caller]
pub fn assert_junit(text: &str) {
    let Some(schemas) = &*SCHEMAS else { return };
    let wrong = wrong_in_junit(schemas, text);
    assert!(wrong.is_empty(), "{wrong:?}\n{text}");
}

fn wrong_in_junit(schemas: &Schemas, text: &str) -> Vec<String> {
    let mut wrong = wrong_in_xml(&schemas.jenkins, text);
    wrong.extend(wrong_in_xml(&schemas.ant, text));
    // The validator does not look inside of what extends another type. So each suite is looked at as a document of its own, without what it has only as a part
    // of another one.
    let document = Document::parse(text).expect("XML");
    for suite in document.root_element().children().filter(Node::is_element) {
        let mut alone = text[suite.range()].to_string();
        for name in ["id", "package"] {
            let value = suite.attribute(name).unwrap_or_default();
            alone = alone.replacen(&format!(" {name}=\"{value}\""), "", 1);
        }
        wrong.extend(wrong_in_xml(&schemas.ant, &alone));
    }
    wrong
}

/// Panics unless the document is valid for the schema of SARIF.
#[track_caller]
pub fn assert_sarif(document: &Value) {
    let Some(schemas) = &*SCHEMAS else { return };
    let wrong = wrong_in_sarif(&schemas.sarif, document);
    assert!(wrong.is_empty(), "{wrong:?}\n{document}");
}

fn wrong_in_xml(schema: &str, text: &str) -> Vec<String> {
    let schema = uppsala::parse(schema).expect("XML");
    let schema = XsdValidator::from_schema(&schema).expect("a schema");
    let wrong = match uppsala::parse(text) {
        Ok(document) => schema.validate(&document),
        Err(error) => return vec![error.to_string()],
    };
    wrong.iter().map(|error| format!("{error:?}")).collect()
}

fn wrong_in_sarif(schema: &Value, document: &Value) -> Vec<String> {
    let mut validator = Validator {
        root: schema,
        wrong: Vec::new(),
    };
    validator.validate(schema, document, "$");
    validator.wrong
}

/// A validator for what the schema of SARIF uses of JSON Schema. It knows each keyword of that schema; any other one is refused.
struct Validator<'s> {
    root: &'s Value,
    wrong: Vec<String>,
}

impl<'s> Validator<'s> {
    fn validate(&mut self, schema: &'s Value, value: &Value, at: &str) {
        for (keyword, rule) in schema.as_object().expect("a schema") {
            if !self.is_kept(schema, (keyword, rule), value, at) {
                self.wrong.push(format!("{at}: {keyword} {rule}: {value}"));
            }
        }
    }

    /// Whether a value keeps one rule; what is wrong inside of it is noted.
    fn is_kept(
        &mut self,
        schema: &'s Value,
        (keyword, rule): (&str, &'s Value),
        value: &Value,
        at: &str,
    ) -> bool {
        match keyword {
            "$schema" | "$id" | "title" | "description" | "default" | "definitions" => true,
            "$ref" => {
                let way = rule.as_str().and_then(|way| way.strip_prefix('#'));
                let meant = way.and_then(|way| self.root.pointer(way));
                self.validate(meant.expect("a definition"), value, at);
                true
            }
            "type" => has_type(rule.as_str().expect("a type"), value),
            "enum" => rule.as_array().expect("values").contains(value),
            "anyOf" | "oneOf" => {
                let schemas = rule.as_array().expect("schemas").iter();
                let valid = schemas.filter(|schema| self.is_valid(schema, value, at));
                match (keyword, valid.count()) {
                    ("anyOf", count) => count > 0,
                    (_, count) => count == 1,
                }
            }
            "minimum" => value.as_f64().is_none_or(|n| Some(n) >= rule.as_f64()),
            "maximum" => value.as_f64().is_none_or(|n| Some(n) <= rule.as_f64()),
            "pattern" | "format" => value.as_str().is_none_or(|text| has_form(rule, text)),
            _ => match value {
                Value::Object(members) => self.are_kept(schema, (keyword, rule), members, at),
                Value::Array(elements) => self.is_kept_by_all((keyword, rule), elements, at),
                _ => true,
            },
        }
    }

    fn is_valid(&self, schema: &'s Value, value: &Value, at: &str) -> bool {
        let mut inner = Validator {
            root: self.root,
            wrong: Vec::new(),
        };
        inner.validate(schema, value, at);
        inner.wrong.is_empty()
    }

    fn are_kept(
        &mut self,
        schema: &'s Value,
        (keyword, rule): (&str, &'s Value),
        members: &Map<String, Value>,
        at: &str,
    ) -> bool {
        let declared = &schema["properties"];
        match keyword {
            "required" => {
                let mut names = rule.as_array().expect("names").iter();
                names.all(|name| members.contains_key(name.as_str().expect("a name")))
            }
            "properties" => {
                for (name, member) in members {
                    if let Some(schema) = rule.get(name) {
                        self.validate(schema, member, &format!("{at}.{name}"));
                    }
                }
                true
            }
            "additionalProperties" => {
                let others = members
                    .iter()
                    .filter(|(name, _)| declared.get(name).is_none());
                match rule {
                    Value::Bool(allowed) => *allowed || others.count() == 0,
                    schema => {
                        for (name, member) in others {
                            self.validate(schema, member, &format!("{at}.{name}"));
                        }
                        true
                    }
                }
            }
            "items" | "minItems" | "uniqueItems" => true,
            other => panic!("`{other}` is not known"),
        }
    }

    fn is_kept_by_all(
        &mut self,
        (keyword, rule): (&str, &'s Value),
        elements: &[Value],
        at: &str,
    ) -> bool {
        match keyword {
            "items" => {
                for (index, element) in elements.iter().enumerate() {
                    self.validate(rule, element, &format!("{at}[{index}]"));
                }
                true
            }
            "minItems" => Some(elements.len() as u64) >= rule.as_u64(),
            "uniqueItems" => {
                let mut pairs = elements.iter().enumerate();
                rule == false || pairs.all(|(index, one)| !elements[..index].contains(one))
            }
            "required" | "properties" | "additionalProperties" => true,
            other => panic!("`{other}` is not known"),
        }
    }
}

fn has_type(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("`{other}` is not known"),
    }
}

/// Whether a text has the form that is asked for: that of a reference, which is the only one of what Mandala writes.
fn has_form(rule: &Value, text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii() && !c.is_ascii_control() && !" <>\"{}|\\^`".contains(c);
    match rule.as_str() {
        Some("uri") => text.contains(':') && text.chars().all(is_plain),
        Some("uri-reference") => text.chars().all(is_plain),
        other => panic!("the form {other:?} is not known"),
    }
}

const JUNIT_CASE: &str = r#"<testsuites><testsuite id="0" name="a" package="p" timestamp="2020-01-01T00:00:00"
    hostname="h" tests="1" failures="0" errors="0" time="0"><properties><property name="a" value="b"/></properties>
    <testcase name="n" classname="c" time="0"/><system-out/><system-err/></testsuite></testsuites>"#;

#[test]
fn junit_that_is_not_valid_is_noticed() {
    let Some(schemas) = &*SCHEMAS else { return };
    let wrong = [
        ("classname=\"c\"", ""),
        ("time=\"0\"/>", "time=\"soon\"/>"),
        ("<system-out/><system-err/>", "<system-err/><system-out/>"),
        (
            "<properties><property name=\"a\" value=\"b\"/></properties>",
            "<property/>",
        ),
        ("errors=\"0\"", "errors=\"0\" skipped=\"0\""),
        ("2020-01-01T", "2020-01-01 "),
        ("tests=\"1\"", "tests=\"one\""),
        ("hostname=\"h\"", ""),
        ("<testcase ", "<testcase other=\"1\" "),
        ("time=\"0\"/>", "time=\"0\"><skipped/></testcase>"),
    ];
    for (part, other) in wrong {
        let text = JUNIT_CASE.replacen(part, other, 1);
        assert_ne!(text, JUNIT_CASE);
        assert_ne!(wrong_in_junit(schemas, &text), [""; 0], "{text}");
    }
    assert_junit(JUNIT_CASE);
}

#[test]
fn sarif_that_is_not_valid_is_noticed() {
    let Some(schemas) = &*SCHEMAS else { return };
    let text = r#"{"$schema": "https://example.org/s", "version": "2.1.0", "runs": [{"tool": {"driver": {"name": "n"}},
        "results": [{"ruleId": "r", "level": "error", "message": {"text": "t"}, "locations": [{"physicalLocation":
        {"artifactLocation": {"uri": "a.pml"}, "region": {"startLine": 1}}}]}]}]}"#;
    let valid: Value = serde_json::from_str(text).expect("JSON");
    assert_sarif(&valid);
    for (part, other) in [
        ("2.1.0", "2.0.0"),
        ("\"level\": \"error\"", "\"level\": \"bad\""),
        ("\"startLine\": 1", "\"startLine\": 0"),
        ("\"startLine\": 1", "\"startLine\": \"1\""),
        ("\"name\": \"n\"", "\"names\": \"n\""),
        ("{\"text\": \"t\"}", "{}"),
        ("\"a.pml\"", "\"a b\""),
        ("\"ruleId\"", "\"rule\""),
        ("\"tool\": {\"driver\": {\"name\": \"n\"}},", ""),
    ] {
        let text = text.replacen(part, other, 1);
        let document: Value = serde_json::from_str(&text).expect("JSON");
        assert_ne!(document, valid);
        assert_ne!(wrong_in_sarif(&schemas.sarif, &document), [""; 0], "{text}");
    }
}
