//! Declared symmetry: names are resolved, sizes computed, and what can be said about a declaration by
//! looking at types alone is said here. Whether it is true is for others to prove.
//!
//! A use such as `ID route[ID].via {_, ID}` states several things at once. It is first turned into
//! [`Fact`]s about what it starts with ([`facts`]), then each fact is stated about every place that
//! this stands for ([`places`]): one variable, all local variables of that name, or every variable
//! and message of a type.

mod facts;
mod places;

use super::{Lowered, Lowering, fail, fail_with};
use crate::ast::{Bounds, Expr, Ident, Program, ScalarsetDecl, SymmetryDecl};
use crate::suggest::closest;
use mandala_model::Diagnostic;
use mandala_model::diagnostic::has_errors;
use mandala_model::ids::TemplateId;
use mandala_model::source::Span;
use mandala_model::symmetry::{Scalarset, ScalarsetUse, UseKind};
use std::collections::HashMap;

/// The most names that a set may have: arrays cannot be longer.
const MOST_NAMES: i64 = 1 << 16;

/// How many places all declarations together may name: a type can be in very many.
const MOST_USES: usize = 1 << 16;

/// Adds the declarations of a program to its model. Mistakes elsewhere would only lead to more here.
pub(super) fn declare(lowering: &mut Lowering, program: &Program) {
    if has_errors(&lowering.diagnostics) {
        return;
    }
    let mut declarer = Declarer {
        lowering,
        sets: Vec::new(),
        stated: HashMap::new(),
    };
    // All sets come first: a use may mention a set that is declared behind it.
    let sets: Vec<Option<SetId>> = program.symmetry.iter().map(|d| declarer.set(d)).collect();
    for (declaration, set) in program.symmetry.iter().zip(sets) {
        if let (SymmetryDecl::Scalarset(declaration), Some(set)) = (declaration, set) {
            declarer.uses(declaration, set);
        }
    }
    let sets = std::mem::take(&mut declarer.sets);
    lowering.model.scalarsets = sets.into_iter().map(|declared| declared.set).collect();
}

/// The number of a set.
type SetId = usize;

/// A set that was declared.
struct DeclaredSet {
    /// Its name, unless it is there for processes that were said to be symmetric.
    name: Option<Ident>,
    set: Scalarset,
}

/// What was stated before: about which set, where, and whether in so many words.
struct Stated {
    set: SetId,
    span: Span,
    explicit: bool,
}

struct Declarer<'l> {
    lowering: &'l mut Lowering,
    sets: Vec<DeclaredSet>,
    stated: HashMap<UseKind, Stated>,
}

impl Declarer<'_> {
    /// Makes the sets of a declaration; the one that has a name, to which uses can be added.
    fn set(&mut self, declaration: &SymmetryDecl) -> Option<SetId> {
        match declaration {
            SymmetryDecl::Scalarset(declaration) => {
                let result = self.new_set(declaration);
                self.lowering.recover(result.map(Some), || None)
            }
            SymmetryDecl::Symmetric(proctypes) => {
                for name in proctypes {
                    let result = self.symmetric(name);
                    self.lowering.recover(result, || ());
                }
                None
            }
        }
    }

    fn symmetric(&mut self, name: &Ident) -> Lowered<()> {
        let template = self.proctype(name)?;
        let mut set = Scalarset::of_processes(template, &name.name, name.span);
        set.uses.clear();
        self.sets.push(DeclaredSet { name: None, set });
        let kind = UseKind::Processes(template);
        self.state(self.sets.len() - 1, kind, name.span, true)
    }

    fn new_set(&mut self, declaration: &ScalarsetDecl) -> Lowered<SetId> {
        let name = &declaration.name;
        if let Ok(first) = self.set_of(name) {
            let message = format!("the scalarset `{}` is declared twice", name.name);
            return twice(name.span, message, self.sets[first].set.span);
        }
        let (first, size) = self.range(&declaration.bounds)?;
        let set = Scalarset {
            name: name.name.to_string(),
            span: declaration.span,
            first,
            size,
            uses: Vec::new(),
            unordered: false,
        };
        let name = Some(name.clone());
        self.sets.push(DeclaredSet { name, set });
        Ok(self.sets.len() - 1)
    }

    /// The first name and how many there are.
    fn range(&mut self, bounds: &Bounds) -> Lowered<(i64, u32)> {
        let (first, size, span) = match bounds {
            Bounds::Size(size) => (0, self.bound(size)?, size.span),
            Bounds::Range(from, to) => {
                let (first, last) = (self.bound(from)?, self.bound(to)?);
                let span = from.span.to(to.span);
                if last < first {
                    return fail(span, format!("there are no names from {first} to {last}"));
                }
                (first, last - first + 1, span)
            }
        };
        if !(1..=MOST_NAMES).contains(&size) {
            let message = format!("a scalarset has 1 to {MOST_NAMES} names, not {size}");
            return fail(span, message);
        }
        Ok((first, size as u32))
    }

    fn bound(&mut self, expr: &Expr) -> Lowered<i64> {
        let help = "a macro must be defined above; a variable is not a constant";
        let constant = self.lowering.constant(expr);
        constant.map_err(|error| Box::new(error.with_help(help)))
    }

    /// The set of that name.
    fn set_of(&self, name: &Ident) -> Lowered<SetId> {
        let known = self.sets.iter().map(|declared| declared.name.as_ref());
        let is_it = |known: Option<&Ident>| known.is_some_and(|k| k.name == name.name);
        if let Some(set) = known.clone().position(is_it) {
            return Ok(set);
        }
        let message = format!("there is no scalarset `{}`", name.name);
        match closest(&name.name, known.flatten().map(|k| &*k.name)) {
            Some(similar) => fail_with(name.span, message, format!("is `{similar}` meant?")),
            None => fail(name.span, message),
        }
    }

    fn uses(&mut self, declaration: &ScalarsetDecl, set: SetId) {
        if declaration.uses.is_empty() {
            return self.without_uses(&declaration.name);
        }
        for used in &declaration.uses {
            let result = self.use_of(used, set);
            self.lowering.recover(result, || ());
        }
    }

    fn without_uses(&mut self, name: &Ident) {
        let message = format!(
            "nothing is said about where the names of `{0}` occur",
            name.name
        );
        let help =
            "name one place at least: `: turn` holds a name, `: flag[ID]` is indexed by names, \
                    `: P` means the numbers of the processes `P`"
                .replace("ID", &name.name);
        self.lowering
            .report(Diagnostic::error(name.span, message).with_help(help));
    }

    fn proctype(&self, name: &Ident) -> Lowered<TemplateId> {
        let known = &self.lowering.globals.templates;
        if let Some(&template) = known.get(&*name.name) {
            return Ok(template);
        }
        let message = format!("there is no proctype `{}`", name.name);
        match closest(&name.name, known.keys().map(String::as_str)) {
            Some(similar) => fail_with(name.span, message, format!("is `{similar}` meant?")),
            None => fail(name.span, message),
        }
    }

    /// Adds a use to a set. What is said of a type is said of all its variables, so only what is
    /// `explicit` can be said twice.
    fn state(&mut self, set: SetId, kind: UseKind, span: Span, explicit: bool) -> Lowered<()> {
        match self.stated.get(&kind) {
            Some(before) if before.explicit && explicit && before.set == set => {
                return twice(span, "this is declared twice", before.span);
            }
            Some(before) if before.set != set => return self.contradiction(before, set, span),
            Some(_) => return Ok(()),
            None if self.stated.len() >= MOST_USES => {
                let message = format!("the declarations name more than {MOST_USES} places");
                return fail(span, message);
            }
            None => {}
        }
        self.sets[set].set.uses.push(ScalarsetUse {
            kind: kind.clone(),
            span,
        });
        self.stated.insert(
            kind,
            Stated {
                set,
                span,
                explicit,
            },
        );
        Ok(())
    }

    fn contradiction(&self, before: &Stated, set: SetId, span: Span) -> Lowered<()> {
        let [now, then] = [set, before.set].map(|id| &self.sets[id]);
        let message = match (&now.name, &then.name) {
            (Some(now), Some(then)) => format!(
                "names of `{}` where there are names of `{}` already",
                now.name, then.name
            ),
            _ => "these processes are declared symmetric twice".to_string(),
        };
        twice(span, message, before.span)
    }
}

/// Two declarations where there can be one.
fn twice<T>(span: Span, message: impl Into<String>, first: Span) -> Lowered<T> {
    let error = Diagnostic::error(span, message);
    Err(Box::new(error.with_related(first, "first declared here")))
}
