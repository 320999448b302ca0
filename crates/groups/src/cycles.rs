//! Cycle notation: `(0 1 2)(3 4)`, with numbers or with names for the points.
//!
//! Points in a cycle are separated by blanks or commas. A name that contains a blank, a comma, a
//! parenthesis or a quotation mark is written in double quotes, with `\"` and `\\` for the two
//! awkward characters: `("client 1" "client 2")`. The identity is `()`. What is printed parses back to
//! the same permutation.

use crate::error::GroupError;
use crate::permutation::Permutation;
use std::collections::HashMap;
use std::fmt;

impl Permutation {
    /// Reads cycle notation with points written as numbers from 0.
    pub fn parse(text: &str, degree: usize) -> Result<Permutation, GroupError> {
        parse_with(text, degree, &|name| {
            name.parse()
                .ok()
                .filter(|&point: &u32| (point as usize) < degree)
        })
    }

    /// Reads cycle notation with the points called by `names`, of which there is one a point.
    pub fn parse_named<N: AsRef<str>>(text: &str, names: &[N]) -> Result<Permutation, GroupError> {
        let points: HashMap<&str, u32> = names.iter().map(AsRef::as_ref).zip(0..).collect();
        parse_with(text, names.len(), &|name| points.get(name).copied())
    }

    /// The permutation in cycle notation with the points called by `names`; a point without a name
    /// is printed as its number.
    pub fn display_with<'a, N: AsRef<str>>(&'a self, names: &'a [N]) -> impl fmt::Display + 'a {
        Named {
            permutation: self,
            names,
        }
    }
}

struct Named<'a, N> {
    permutation: &'a Permutation,
    names: &'a [N],
}

impl<N: AsRef<str>> fmt::Display for Named<'_, N> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_cycles(self.permutation, out, |point, out| {
            match self.names.get(point as usize) {
                Some(name) => write_name(name.as_ref(), out),
                None => write!(out, "{point}"),
            }
        })
    }
}

impl fmt::Display for Permutation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_cycles(self, out, |point, out| write!(out, "{point}"))
    }
}

fn write_cycles(
    permutation: &Permutation,
    out: &mut fmt::Formatter<'_>,
    mut write_point: impl FnMut(u32, &mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    let cycles = permutation.cycles();
    if cycles.is_empty() {
        return out.write_str("()");
    }
    for cycle in cycles {
        for (index, &point) in cycle.iter().enumerate() {
            out.write_str(if index == 0 { "(" } else { " " })?;
            write_point(point, out)?;
        }
        out.write_str(")")?;
    }
    Ok(())
}

fn needs_quotes(name: &str) -> bool {
    name.is_empty() || name.contains(|c: char| is_blank(c) || matches!(c, '(' | ')' | '"'))
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == ','
}

fn write_name(name: &str, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    if !needs_quotes(name) {
        return out.write_str(name);
    }
    let escaped = name.replace('\\', "\\\\").replace('"', "\\\"");
    write!(out, "\"{escaped}\"")
}

fn parse_with(
    text: &str,
    degree: usize,
    point_of: &dyn Fn(&str) -> Option<u32>,
) -> Result<Permutation, GroupError> {
    let mut reader = Reader { text, offset: 0 };
    let mut images: Vec<Option<u32>> = vec![None; degree];
    reader.skip_blanks();
    while reader.offset < text.len() {
        reader.cycle(&mut images, point_of)?;
        reader.skip_blanks();
    }
    let images = images
        .iter()
        .zip(0..)
        .map(|(image, point)| image.unwrap_or(point));
    Permutation::from_images(images.collect())
}

struct Reader<'t> {
    text: &'t str,
    offset: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.offset..]
    }

    fn skip_blanks(&mut self) {
        self.offset = self.text.len() - self.rest().trim_start_matches(is_blank).len();
    }

    fn fail<T>(&self, offset: usize, problem: impl Into<String>) -> Result<T, GroupError> {
        Err(GroupError::CycleSyntax {
            offset,
            problem: problem.into(),
        })
    }

    fn cycle(
        &mut self,
        images: &mut [Option<u32>],
        point_of: &dyn Fn(&str) -> Option<u32>,
    ) -> Result<(), GroupError> {
        if !self.rest().starts_with('(') {
            return self.fail(self.offset, "expected `(`");
        }
        self.offset += 1;
        let mut points = Vec::new();
        loop {
            self.skip_blanks();
            if self.rest().starts_with(')') {
                break;
            }
            points.push(self.fresh_point(images, point_of)?);
        }
        self.offset += 1;
        for (&from, &to) in points.iter().zip(points.iter().cycle().skip(1)) {
            images[from as usize] = Some(to);
        }
        Ok(())
    }

    /// The next point; it is marked as seen, so that a repetition is noticed where it stands.
    fn fresh_point(
        &mut self,
        images: &mut [Option<u32>],
        point_of: &dyn Fn(&str) -> Option<u32>,
    ) -> Result<u32, GroupError> {
        let start = self.offset;
        let name = self.name()?;
        let Some(point) = point_of(&name) else {
            return self.fail(start, format!("no point is called `{name}`"));
        };
        match &mut images[point as usize] {
            Some(_) => self.fail(start, format!("`{name}` occurs twice")),
            slot => {
                *slot = Some(point);
                Ok(point)
            }
        }
    }

    fn name(&mut self) -> Result<String, GroupError> {
        if self.rest().starts_with('"') {
            return self.quoted_name();
        }
        let ends_name = |c: char| is_blank(c) || matches!(c, '(' | ')' | '"');
        let length = self.rest().find(ends_name).unwrap_or(self.rest().len());
        if length == 0 {
            return self.fail(self.offset, "expected a point or `)`");
        }
        let name = self.rest()[..length].to_owned();
        self.offset += length;
        Ok(name)
    }

    fn quoted_name(&mut self) -> Result<String, GroupError> {
        let start = self.offset;
        let mut name = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((index, c)) = chars.next() {
            match c {
                '"' => {
                    self.offset += index + 1;
                    return Ok(name);
                }
                '\\' => name.extend(chars.next().map(|(_, escaped)| escaped)),
                other => name.push(other),
            }
        }
        self.fail(start, "the quotation mark is never closed")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip() {
        let g = Permutation::parse(" (0 2,1) (4 5)(3)", 6).unwrap();
        assert_eq!(g.images(), [2, 0, 1, 3, 5, 4]);
        assert_eq!(g.to_string(), "(0 2 1)(4 5)");
        assert_eq!(Permutation::parse("()", 6).unwrap().to_string(), "()");
        assert_eq!(Permutation::parse("", 6).unwrap(), Permutation::identity(6));
    }

    #[test]
    fn awkward_names_round_trip() {
        let names = ["a b", "f(1)", "x[2]", "say \"hi\\", "", "ü,"];
        let g = Permutation::parse("(0 1 2)(3 4 5)", 6).unwrap();
        let text = g.display_with(&names).to_string();
        assert_eq!(text, r#"("a b" "f(1)" x[2])("say \"hi\\" "" "ü,")"#);
        assert_eq!(Permutation::parse_named(&text, &names).unwrap(), g);
    }

    #[test]
    fn errors_say_where() {
        let problem = |text| match Permutation::parse(text, 3) {
            Err(GroupError::CycleSyntax { offset, .. }) => offset,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(problem("0 1"), 0);
        assert_eq!(problem("(0 1"), 4);
        assert_eq!(problem("(0 1) x"), 6);
        assert_eq!(problem("(0 1 0)"), 5);
        assert_eq!(problem("(0 1)(1 2)"), 6);
        assert_eq!(problem("(0 3)"), 3);
        assert_eq!(problem("(0 (1 2)"), 3);
        assert_eq!(problem("(\"0"), 1);
        assert_eq!(problem("(99999999999999999999 1)"), 1);
    }
}
