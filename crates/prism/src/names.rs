//! Formulas put in where they are named, and modules made of others by renaming. Formulas come first, so a renaming reaches what they say.

use crate::ast::{Body, Contents, Declaration, Definition, Expr, ExprKind, Ident, Module, Range};
use crate::limits;
use mandala_model::findings::{Fallible, Findings, error, error_help};
use mandala_model::source::Span;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A formula without names of others, with its size.
struct Known {
    value: Expr,
    size: usize,
    height: u32,
}

/// Formulas by their names.
pub(crate) struct Formulas {
    known: HashMap<Arc<str>, Known>,
    /// How many nodes expressions may still get.
    room: usize,
}

impl Formulas {
    /// Puts formulas into each other.
    pub(crate) fn of(definitions: Vec<Definition>, findings: &mut Findings) -> Self {
        let mut formulas = Formulas {
            known: HashMap::new(),
            room: limits::NODES,
        };
        let names: Vec<Arc<str>> = definitions.iter().map(|d| d.name.name.clone()).collect();
        let uses = definitions.iter().map(|d| names_in(&d.value)).collect();
        let (order, circular) = order(&names, uses);
        for number in circular {
            let name = &definitions[number].name;
            let message = format!("the formula `{}` is defined by itself", name.name);
            findings.push(*error(name.span, message));
        }
        let mut definitions: Vec<Option<Definition>> = definitions.into_iter().map(Some).collect();
        for number in order {
            let Some(mut definition) = definitions[number].take() else {
                continue;
            };
            let height = findings.note(formulas.put_into(&mut definition.value));
            if let Some(height) = height {
                let size = size(&definition.value);
                let value = definition.value;
                let known = Known {
                    value,
                    size,
                    height,
                };
                formulas.known.insert(definition.name.name, known);
            }
        }
        formulas
    }

    /// Whether it is the name of a formula.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// The names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.known.keys().map(|name| &**name)
    }

    /// Puts formulas in the place of their names, and tells how high the tree is then.
    pub(crate) fn put_into(&mut self, expr: &mut Expr) -> Fallible<u32> {
        self.put_into_part(expr, 1)
    }

    fn put_into_part(&mut self, expr: &mut Expr, depth: u32) -> Fallible<u32> {
        if let ExprKind::Name(name) = &expr.kind
            && let Some(known) = self.known.get(name)
        {
            self.room = self.room.checked_sub(known.size).ok_or_else(|| {
                let message = format!(
                    "expressions have more than {} parts when formulas are put in",
                    limits::NODES
                );
                error(expr.span, message)
            })?;
            require_height(depth + known.height, expr.span)?;
            let height = known.height;
            expr.kind = known.value.kind.clone();
            return Ok(height);
        }
        require_height(depth, expr.span)?;
        let mut height = 0;
        let mut result = Ok(());
        expr.each_part_mut(&mut |part| {
            if result.is_ok() {
                match self.put_into_part(part, depth + 1) {
                    Ok(inner) => height = height.max(inner),
                    Err(wrong) => result = Err(wrong),
                }
            }
        });
        result.map(|()| height + 1)
    }

    /// The same for all expressions of a module.
    fn put_into_contents(&mut self, contents: &mut Contents) -> Fallible<()> {
        let mut result = Ok(());
        each_expr(contents, &mut |expr| {
            if result.is_ok() {
                result = self.put_into(expr).map(drop);
            }
        });
        result
    }
}

fn require_height(height: u32, span: Span) -> Fallible<()> {
    match height > limits::HEIGHT {
        true => {
            let message = format!("this is nested more than {} deep", limits::HEIGHT);
            Err(error(span, message))
        }
        false => Ok(()),
    }
}

fn size(expr: &Expr) -> usize {
    let mut all = 1;
    expr.each_part(&mut |part| all += size(part));
    all
}

/// The names in an expression.
pub(crate) fn names_in(expr: &Expr) -> Vec<Arc<str>> {
    let mut names = Vec::new();
    collect(expr, &mut names);
    names
}

fn collect(expr: &Expr, names: &mut Vec<Arc<str>>) {
    if let ExprKind::Name(name) = &expr.kind {
        names.push(name.clone());
    }
    expr.each_part(&mut |part| collect(part, names));
}

/// The numbers of things in an order in which each comes behind those that it uses, and the numbers of those that use themselves.
pub(crate) fn order(names: &[Arc<str>], uses: Vec<Vec<Arc<str>>>) -> (Vec<usize>, Vec<usize>) {
    let numbers: HashMap<&str, usize> = names.iter().map(|n| &**n).zip(0..).collect();
    let mut users = vec![Vec::new(); names.len()];
    let mut missing = vec![0_usize; names.len()];
    for (user, used) in uses.iter().enumerate() {
        for name in used {
            if let Some(&number) = numbers.get(&**name) {
                users[number].push(user);
                missing[user] += 1;
            }
        }
    }
    let mut order: Vec<usize> = (0..names.len()).filter(|n| missing[*n] == 0).collect();
    let mut at = 0;
    while at < order.len() {
        for &user in &users[order[at]] {
            missing[user] -= 1;
            if missing[user] == 0 {
                order.push(user);
            }
        }
        at += 1;
    }
    let circular = (0..names.len()).filter(|n| missing[*n] > 0).collect();
    (order, circular)
}

/// A module with all that is in it.
#[derive(Clone, Debug)]
pub(crate) struct WholeModule {
    pub(crate) name: Ident,
    pub(crate) contents: Contents,
    /// What names become of the module that it is made of; none if it is made of no other.
    pub(crate) renaming: BTreeMap<Arc<str>, Arc<str>>,
}

/// All modules, in the order of the text.
pub(crate) fn modules(
    modules: Vec<Module>,
    formulas: &mut Formulas,
    findings: &mut Findings,
) -> Vec<WholeModule> {
    let names: Vec<Arc<str>> = modules.iter().map(|m| m.name.name.clone()).collect();
    let uses = modules.iter().map(|module| match &module.body {
        Body::Own(_) => Vec::new(),
        Body::Renamed { base, .. } => vec![base.name.clone()],
    });
    let (order, circular) = order(&names, uses.collect());
    for number in circular {
        let name = &modules[number].name;
        let message = format!("the module `{}` is made of itself", name.name);
        findings.push(*error(name.span, message));
    }
    let mut whole: Vec<Option<WholeModule>> = modules.iter().map(|_| None).collect();
    for number in order {
        let module = &modules[number];
        let made = match &module.body {
            Body::Own(contents) => own(module, contents, formulas),
            Body::Renamed { base, pairs } => {
                renamed(module, (base, pairs), &names, &whole, formulas)
            }
        };
        whole[number] = findings.note(made);
    }
    whole.into_iter().flatten().collect()
}

fn own(module: &Module, contents: &Contents, formulas: &mut Formulas) -> Fallible<WholeModule> {
    let mut contents = contents.clone();
    formulas.put_into_contents(&mut contents)?;
    Ok(WholeModule {
        name: module.name.clone(),
        contents,
        renaming: BTreeMap::new(),
    })
}

fn renamed(
    module: &Module,
    (base, pairs): (&Ident, &[(Ident, Ident)]),
    names: &[Arc<str>],
    whole: &[Option<WholeModule>],
    formulas: &mut Formulas,
) -> Fallible<WholeModule> {
    let Some(number) = names.iter().position(|name| *name == base.name) else {
        let message = format!("there is no module `{}`", base.name);
        return Err(error(base.span, message));
    };
    let mut renaming = BTreeMap::new();
    for (old, new) in pairs {
        if formulas.has(&old.name) {
            let message = format!("the formula `{}` cannot be renamed", old.name);
            let help = "rename what it speaks of: formulas are put in before modules are renamed";
            return Err(error_help(old.span, message, help));
        }
        if renaming
            .insert(old.name.clone(), new.name.clone())
            .is_some()
        {
            let message = format!("`{}` is renamed twice", old.name);
            return Err(error(old.span, message));
        }
    }
    let Some(original) = &whole[number] else {
        // What is wrong there is said there.
        return Err(error(base.span, format!("`{}` cannot be read", base.name)));
    };
    let mut contents = original.contents.clone();
    formulas.take_room(&contents, module.name.span)?;
    rename_contents(&mut contents, &renaming);
    for declared in &mut contents.variables {
        require_renamed(declared, &renaming, &module.name)?;
        declared.name.span = module.name.span;
    }
    Ok(WholeModule {
        name: module.name.clone(),
        contents,
        renaming,
    })
}

/// A variable of a module that is made of another one has a name of its own.
fn require_renamed(
    declared: &Declaration,
    renaming: &BTreeMap<Arc<str>, Arc<str>>,
    module: &Ident,
) -> Fallible<()> {
    let name = &declared.name.name;
    match renaming.values().any(|new| new == name) {
        true => Ok(()),
        false => {
            let message = format!("the variable `{name}` of `{}` has no new name", module.name);
            let help = format!("rename it: `[ {name}=..., ... ]`");
            Err(error_help(module.span, message, help))
        }
    }
}

impl Formulas {
    /// Takes the room that a copy of a module needs.
    fn take_room(&mut self, contents: &Contents, span: Span) -> Fallible<()> {
        let mut needed = 0;
        let mut contents = contents.clone();
        each_expr(&mut contents, &mut |expr| needed += size(expr));
        self.room = self.room.checked_sub(needed).ok_or_else(|| {
            let message = format!("expressions have more than {} parts", limits::NODES);
            error(span, message)
        })?;
        Ok(())
    }
}

fn rename_contents(contents: &mut Contents, renaming: &BTreeMap<Arc<str>, Arc<str>>) {
    let rename = |name: &mut Arc<str>| {
        if let Some(new) = renaming.get(name) {
            *name = new.clone();
        }
    };
    for declared in &mut contents.variables {
        rename(&mut declared.name.name);
    }
    for command in &mut contents.commands {
        if let Some(action) = &mut command.action {
            rename(&mut action.name);
        }
        let assignments = command.updates.iter_mut().flat_map(|u| &mut u.assignments);
        assignments.for_each(|(name, _)| rename(&mut name.name));
    }
    each_expr(contents, &mut |expr| rename_in(expr, &rename));
}

fn rename_in(expr: &mut Expr, rename: &dyn Fn(&mut Arc<str>)) {
    if let ExprKind::Name(name) = &mut expr.kind {
        rename(name);
    }
    expr.each_part_mut(&mut |part| rename_in(part, rename));
}

/// Calls `visit` on every outermost expression of a module.
fn each_expr(contents: &mut Contents, visit: &mut dyn FnMut(&mut Expr)) {
    for declared in &mut contents.variables {
        if let Range::Between(low, high) = &mut declared.range {
            visit(low);
            visit(high);
        }
        declared.init.iter_mut().for_each(&mut *visit);
    }
    for command in &mut contents.commands {
        visit(&mut command.guard);
        for update in &mut command.updates {
            update.weight.iter_mut().for_each(&mut *visit);
            update.assignments.iter_mut().for_each(|(_, e)| visit(e));
        }
    }
}
