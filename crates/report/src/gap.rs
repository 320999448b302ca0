//! Groups for GAP.

use crate::document::{self, PermutationGroup};
use std::fmt::Write;

/// A program that defines the group as `G`, and fails if it does not have the order that it should have. Its points are counted from 1.
pub fn write(group: &PermutationGroup, about: &str) -> String {
    let mut text = String::new();
    put(
        &mut text,
        &format!(
            "# The symmetry of {}: {}.",
            plain(about),
            plain(&group.structure)
        ),
    );
    put(&mut text, "#");
    for (number, name) in (1..).zip(&group.points) {
        put(&mut text, &format!("# {number} = {}", plain(name)));
    }
    let generators: Vec<String> = group.generators.iter().map(|g| cycles(g)).collect();
    match generators.is_empty() {
        true => put(&mut text, "G := Group(());;"),
        false => put(
            &mut text,
            &format!("G := Group(\n  {});;", generators.join(",\n  ")),
        ),
    }
    let order = &group.order;
    put(
        &mut text,
        &format!("if Size(G) <> {order} then Error(\"the order is not {order}\"); fi;"),
    );
    text
}

fn put(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("writing to a string does not fail");
}

/// What stands behind `#` ends with the line.
fn plain(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(plain).collect()
}

fn cycles(images: &[u32]) -> String {
    let one = |point: &u32| (point + 1).to_string();
    let cycle = |cycle: &Vec<u32>| cycle.iter().map(one).collect::<Vec<_>>().join(",");
    let cycles = document::cycles(images);
    let cycles: Vec<String> = cycles.iter().map(cycle).collect();
    format!("({})", cycles.join(")("))
}
