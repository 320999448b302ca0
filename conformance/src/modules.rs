//! The modules of a crate, which of them use which, and the cycles among them.
//!
//! A module is a file. An edge is a path outside `cfg(test)`: an import or a path in code. It leads to the module that defines the first item of the
//! path that is no module, so whoever imports a name from a module that only re-exports it depends on the module that defines it. A re-export
//! by itself (`pub use`) is no edge: it passes a name on and uses nothing. Calls of methods are none either, as no path stands there.
//!
//! This reads tokens, not the grammar, and knows what the sources of this workspace have. What it does not understand gives no edge.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

/// The path of a module in its crate; that of the root is empty.
pub type ModulePath = Vec<String>;

/// The modules of a crate.
#[derive(Debug, Default)]
pub struct Modules(BTreeMap<ModulePath, Module>);

/// What a file has, as far as paths are concerned.
#[derive(Debug, Default)]
struct Module {
    children: BTreeSet<String>,
    items: BTreeSet<String>,
    /// Names that are imported, with the paths that they stand for.
    imports: BTreeMap<String, Vec<String>>,
    /// Paths of which everything is imported.
    globs: Vec<Vec<String>>,
    /// Paths that are used.
    used: Vec<Vec<String>>,
}

/// No path leads through more imports than that.
const MOST_IMPORTS: u32 = 12;

impl Modules {
    /// Reads the modules under a folder with a `lib.rs` or `main.rs`.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let mut modules = Modules::default();
        let library = folder.join("lib.rs");
        let root = match library.exists() {
            true => library,
            false => folder.join("main.rs"),
        };
        modules.add(Vec::new(), &root, folder)?;
        Ok(modules)
    }

    /// Reads a file and those of its children, which are in `folder`.
    fn add(&mut self, path: ModulePath, file: &Path, folder: &Path) -> io::Result<()> {
        let mut module = Module::of(&fs::read_to_string(file)?);
        let declared = std::mem::take(&mut module.children);
        for child in declared {
            let inside = folder.join(&child);
            let beside = folder.join(format!("{child}.rs"));
            let file = match beside.exists() {
                true => beside,
                false => inside.join("mod.rs"),
            };
            if file.exists() {
                let path = [path.as_slice(), std::slice::from_ref(&child)].concat();
                self.add(path, &file, &inside)?;
                module.children.insert(child);
            }
        }
        self.0.insert(path, module);
        Ok(())
    }

    /// The groups of more than `most` modules each of which depends on each other one, by their names, the largest first.
    pub fn cycles(&self, most: usize) -> Vec<Vec<String>> {
        let below: BTreeMap<&ModulePath, BTreeSet<ModulePath>> =
            self.0.keys().map(|path| (path, self.below(path))).collect();
        let mut cycles: Vec<Vec<String>> = Vec::new();
        let mut known: BTreeSet<&ModulePath> = BTreeSet::new();
        for (path, reached) in &below {
            if known.contains(*path) {
                continue;
            }
            let meets =
                |other: &&ModulePath| reached.contains(*other) && below[*other].contains(*path);
            let group: Vec<&ModulePath> = below.keys().copied().filter(meets).collect();
            known.extend(&group);
            if group.len() > most {
                cycles.push(group.into_iter().map(|path| path.join("::")).collect());
            }
        }
        cycles.sort_by_key(|cycle| std::cmp::Reverse(cycle.len()));
        cycles
    }

    /// The modules that a module depends on, perhaps by way of others.
    fn below(&self, path: &ModulePath) -> BTreeSet<ModulePath> {
        let mut below = BTreeSet::new();
        let mut waiting = vec![path.clone()];
        while let Some(next) = waiting.pop() {
            for used in self.direct(&next) {
                if below.insert(used.clone()) {
                    waiting.push(used);
                }
            }
        }
        below
    }

    /// The modules that a module uses itself.
    pub fn direct(&self, path: &ModulePath) -> BTreeSet<ModulePath> {
        let used = self.0[path].used.iter();
        let used = used.filter_map(|used| self.definer(path, used, 0));
        used.filter(|module| module != path).collect()
    }

    /// The module that defines what a path means that stands in the module `place`; none if it is of another crate.
    fn definer(&self, place: &ModulePath, path: &[String], imports: u32) -> Option<ModulePath> {
        if imports > MOST_IMPORTS {
            return None;
        }
        let (first, rest) = path.split_first()?;
        let module = &self.0[place];
        match first.as_str() {
            "crate" => self.inside(Vec::new(), rest, imports),
            "self" => self.inside(place.clone(), rest, imports),
            "super" => {
                let above = place[..place.len().checked_sub(1)?].to_vec();
                match rest.first().is_some_and(|next| next == "super") {
                    true => self.definer(&above, rest, imports),
                    false => self.inside(above, rest, imports),
                }
            }
            name if module.children.contains(name) || module.items.contains(name) => {
                self.inside(place.clone(), path, imports)
            }
            name => self.imported(place, name, rest, imports),
        }
    }

    /// The same for a path that begins with a name that the module `place` imports.
    fn imported(
        &self,
        place: &ModulePath,
        name: &str,
        rest: &[String],
        imports: u32,
    ) -> Option<ModulePath> {
        let module = &self.0[place];
        let within = |path: &[String], rest: &[String]| {
            let whole = [path, rest].concat();
            self.definer(place, &whole, imports + 1)
        };
        match module.imports.get(name) {
            Some(path) if path.len() == 1 && path[0] == name => None,
            Some(path) => within(path, rest),
            None => {
                let own = [&[name.to_string()], rest].concat();
                let mut globs = module.globs.iter();
                globs.find_map(|glob| within(glob, &own))
            }
        }
    }

    /// The module that defines what a path means inside of the module `place`.
    fn inside(&self, place: ModulePath, path: &[String], imports: u32) -> Option<ModulePath> {
        let module = self.0.get(&place)?;
        let Some((first, rest)) = path.split_first() else {
            return Some(place);
        };
        if module.children.contains(first) {
            let child = [place.as_slice(), std::slice::from_ref(first)].concat();
            return self.inside(child, rest, imports);
        }
        if module.items.contains(first) {
            return Some(place);
        }
        let found = self.imported(&place, first, rest, imports);
        match module.imports.contains_key(first) {
            true => found,
            false => found.or(Some(place)),
        }
    }
}

impl Module {
    fn of(text: &str) -> Self {
        let tokens = without_tests(&tokens(text));
        let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
        let mut module = Module::default();
        let mut at = 0;
        while at < tokens.len() {
            at = module.item(&tokens, at);
        }
        module
    }

    /// Notes what begins at a token, and says where to go on.
    fn item(&mut self, tokens: &[&str], at: usize) -> usize {
        let next = tokens.get(at + 1).copied().unwrap_or_default();
        match tokens[at] {
            "mod" if tokens.get(at + 2) == Some(&";") => {
                self.children.insert(next.to_string());
                return at + 3;
            }
            "use" if next != "<" => {
                let is_public = at > 0 && matches!(tokens[at - 1], "pub" | ")");
                let end = end_of_import(tokens, at);
                self.import(&tokens[at + 1..end], &[], is_public);
                return end;
            }
            "struct" | "enum" | "fn" | "trait" | "type" | "const" | "static" if is_name(next) => {
                self.items.insert(next.to_string());
            }
            "macro_rules" => {
                let name = tokens.get(at + 2).copied().unwrap_or_default();
                self.items.insert(name.to_string());
            }
            first if is_name(first) && next == "::" && (at == 0 || tokens[at - 1] != "::") => {
                self.used.extend(path_at(tokens, at));
            }
            _ => {}
        }
        at + 1
    }

    /// Notes the trees of an import, each behind the path `before`.
    fn import(&mut self, trees: &[&str], before: &[String], is_public: bool) {
        for tree in split_trees(trees) {
            let mut path = before.to_vec();
            let mut alias = None;
            let mut tokens = tree.iter().enumerate();
            while let Some((at, token)) = tokens.next() {
                match *token {
                    "::" => {}
                    "self" if !path.is_empty() => {}
                    "{" => {
                        self.import(&tree[at + 1..tree.len() - 1], &path, is_public);
                        path.clear();
                        break;
                    }
                    "*" => {
                        self.globs.push(path.clone());
                        alias = Some(String::new());
                    }
                    "as" => alias = tokens.next().map(|(_, name)| (*name).to_string()),
                    name => path.push(name.to_string()),
                }
            }
            self.import_path(path, alias, is_public);
        }
    }

    fn import_path(&mut self, path: Vec<String>, alias: Option<String>, is_public: bool) {
        let Some(last) = path.last() else { return };
        if !is_public {
            self.used.push(path.clone());
        }
        let name = alias.unwrap_or_else(|| last.clone());
        self.imports.insert(name, path);
    }
}

/// The path that begins at a token, if it has two segments.
fn path_at(tokens: &[&str], at: usize) -> Option<Vec<String>> {
    let mut path = vec![tokens[at].to_string()];
    let mut at = at + 1;
    while tokens.get(at) == Some(&"::") && tokens.get(at + 1).is_some_and(|next| is_name(next)) {
        path.push(tokens[at + 1].to_string());
        at += 2;
    }
    (path.len() > 1).then_some(path)
}

/// Where the import that begins at a token ends.
fn end_of_import(tokens: &[&str], at: usize) -> usize {
    let end = tokens[at..].iter().position(|token| *token == ";");
    end.map_or(tokens.len(), |length| at + length)
}

/// The trees that are separated by commas.
fn split_trees<'a, 't>(trees: &'a [&'t str]) -> Vec<&'a [&'t str]> {
    let mut depth = 0;
    let parts = trees.split(|token| {
        match *token {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        *token == "," && depth == 0
    });
    parts.filter(|tree| !tree.is_empty()).collect()
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// The tokens without items under `cfg(test)`.
fn without_tests(tokens: &[String]) -> Vec<String> {
    const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let here = &tokens[at..];
        if here.len() >= TEST.len() && here.iter().zip(TEST).all(|(a, b)| a == b) {
            at = end_of_item(tokens, at + TEST.len());
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

/// Where the item ends that begins at a token, its attributes included.
fn end_of_item(tokens: &[String], start: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        match (depth, token.as_str()) {
            (0, "}") => return at + 1,
            (0, ";" | ",") => return at + 1,
            (-1, _) => return at,
            _ => {}
        }
    }
    tokens.len()
}

/// Names, `::` and single other characters. Comments are left out; literals are a `"`.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = length_of_token(rest, first);
        let token = &rest[..length];
        rest = &rest[length..];
        let is_literal = is_string(token) || (first == '\'' && length > 1);
        if is_literal {
            tokens.push("\"".to_string());
        } else if !first.is_whitespace() && !token.starts_with("//") && !token.starts_with("/*") {
            tokens.push(token.to_string());
        }
    }
    tokens
}

fn is_string(token: &str) -> bool {
    token.contains('"')
}

/// How many bytes the next token, comment or literal has.
fn length_of_token(rest: &str, first: char) -> usize {
    let until = |end: &str, from: usize| {
        rest[from..]
            .find(end)
            .map_or(rest.len(), |at| from + at + end.len())
    };
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return until("*/", 2);
    }
    if let Some(length) = length_of_string(rest) {
        return length;
    }
    if first == '\'' {
        return length_of_quote(rest);
    }
    if rest.starts_with("::") {
        return 2;
    }
    if is_name(rest) {
        let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
        return rest.find(|c| !is_inside(c)).unwrap_or(rest.len());
    }
    first.len_utf8()
}

/// How many bytes a string has, raw or not, if one begins here.
fn length_of_string(rest: &str) -> Option<usize> {
    let opening = rest.strip_prefix('b').unwrap_or(rest);
    let raw = opening
        .strip_prefix('r')
        .map(|after| after.trim_start_matches('#'));
    if let Some(text) = raw.and_then(|after| after.strip_prefix('"')) {
        let before = rest.len() - text.len();
        let marks = rest[..before].matches('#').count();
        let end = format!("\"{}", "#".repeat(marks));
        return Some(
            text.find(&end)
                .map_or(rest.len(), |at| before + at + end.len()),
        );
    }
    let text = opening.strip_prefix('"')?;
    let before = rest.len() - text.len();
    let mut is_escaped = false;
    let end = text.find(|c| {
        let ends = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    });
    Some(end.map_or(rest.len(), |at| before + at + 1))
}

/// How many bytes a character has; one if it is the quote of a lifetime.
fn length_of_quote(rest: &str) -> usize {
    let mut characters = rest.char_indices().skip(1);
    let (Some((_, first)), Some((second, next))) = (characters.next(), characters.next()) else {
        return 1;
    };
    match first == '\\' {
        true => rest[second + next.len_utf8()..]
            .find('\'')
            .map_or(1, |at| second + next.len_utf8() + at + 1),
        false if next == '\'' => second + 1,
        false => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The modules of a crate that is written here: paths with texts, the root first.
    fn modules(files: &[(&str, &str)]) -> Modules {
        let mut modules = Modules::default();
        for (path, text) in files {
            let path = path.split("::").filter(|part| !part.is_empty());
            let path = path.map(str::to_string).collect();
            modules.0.insert(path, Module::of(text));
        }
        modules
    }

    #[test]
    fn imports_and_inline_paths_are_edges() {
        let found = modules(&[
            ("", "mod a; mod b; mod c; mod d;"),
            ("a", "use crate::b::{self, B as Other}; struct A;"),
            ("b", "struct B; fn f() { crate::c::g::<u8>(); }"),
            ("c", "fn g() -> super::d::D { super::d::D }"),
            ("d", "use super::a::A; struct D;"),
        ]);
        assert_eq!(found.cycles(3), [["a", "b", "c", "d"]]);
        assert!(found.cycles(4).is_empty());
    }

    #[test]
    fn re_exports_tests_comments_and_literals_are_none() {
        let found = modules(&[
            ("", "mod a; mod b; pub use a::A; pub(crate) use b::B;"),
            (
                "a",
                "use crate::B; struct A; // crate::b::x\nfn f() { \"crate::b\"; '\\''; }",
            ),
            (
                "b",
                "struct B<'a>; #[cfg(test)] mod tests { use crate::A; } /* crate::a::A */",
            ),
        ]);
        assert!(found.cycles(1).is_empty());
        let of_a = found.direct(&vec!["a".to_string()]);
        assert_eq!(of_a.into_iter().collect::<Vec<_>>(), [["b"]]);
    }

    #[test]
    fn a_re_export_leads_to_the_definition() {
        let found = modules(&[
            ("", "mod a; mod b; pub use a::inner::A; pub use std::fmt;"),
            ("a", "pub mod inner; use crate::b::*;"),
            (
                "a::inner",
                "pub struct A; fn f() { super::super::b::h() } use crate::fmt::Debug;",
            ),
            ("b", "use crate::A; fn h() {}"),
        ]);
        assert_eq!(found.cycles(1), [["a::inner", "b"]]);
        let of_inner = found.direct(&vec!["a".to_string(), "inner".to_string()]);
        assert_eq!(of_inner.into_iter().collect::<Vec<_>>(), [["b"]]);
    }
}
