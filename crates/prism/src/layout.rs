//! Where the values of variables are kept.
//!
//! Variables that are images of each other under the renamings by which modules are made of others become the elements of one array. So a permutation of modules is one of the
//! indices, which is what symmetry is proven of.

use crate::ast::Ident;
use crate::names::WholeModule;
use crate::terms::{Kind, Slot};
use mandala_model::expr::Expr;
use mandala_model::ids::{CodingId, GlobalId};
use mandala_model::model::UncheckedModel;
use mandala_model::types::{
    ArrayIndex, Coding, CodingKind, Initial, Scalar, Storage, Type, Variable as Global,
};
use std::collections::HashMap;
use std::sync::Arc;

/// A variable of the text.
pub(crate) struct Variable {
    pub(crate) name: Ident,
    /// The module that it belongs to, unless it is global.
    pub(crate) module: Option<Arc<str>>,
    pub(crate) kind: Kind,
    pub(crate) initial: i64,
}

/// All variables, and which of them are in one array.
pub(crate) struct Layout {
    pub(crate) variables: Vec<Variable>,
    /// The variables of each global of the model, by number.
    classes: Vec<Vec<usize>>,
}

impl Layout {
    pub(crate) fn of(variables: Vec<Variable>, modules: &[WholeModule]) -> Self {
        let numbers: HashMap<&str, usize> =
            variables.iter().map(|v| &*v.name.name).zip(0..).collect();
        let mut images: Vec<usize> = (0..variables.len()).collect();
        for (old, new) in modules.iter().flat_map(|module| &module.renaming) {
            let pair = numbers.get(&**old).zip(numbers.get(&**new));
            if let Some((old, new)) = pair
                && variables[*old].kind == variables[*new].kind
            {
                join(&mut images, *old, *new);
            }
        }
        let mut classes: Vec<Vec<usize>> = Vec::new();
        let mut class_of: HashMap<usize, usize> = HashMap::new();
        for number in 0..variables.len() {
            let first = root(&mut images, number);
            let class = *class_of.entry(first).or_insert(classes.len());
            match classes.get_mut(class) {
                Some(members) => members.push(number),
                None => classes.push(vec![number]),
            }
        }
        Layout { variables, classes }
    }

    /// Where each variable is kept.
    pub(crate) fn slots(&self) -> HashMap<Arc<str>, Slot> {
        let mut slots = HashMap::new();
        for (global, members) in self.classes.iter().enumerate() {
            for (element, &number) in (0..).zip(members) {
                let variable = &self.variables[number];
                let slot = Slot {
                    global: GlobalId::from(global),
                    element: (members.len() > 1).then_some(element),
                    kind: variable.kind,
                };
                slots.insert(variable.name.name.clone(), slot);
            }
        }
        slots
    }

    /// The module that a variable belongs to; none if it is global.
    pub(crate) fn owner(&self, name: &str) -> Option<&Arc<str>> {
        let mut variables = self.variables.iter();
        let variable = variables.find(|variable| *variable.name.name == *name);
        variable.and_then(|variable| variable.module.as_ref())
    }

    /// Declares them in the model, with these first values.
    pub(crate) fn declare(&self, model: &mut UncheckedModel, initial: &[i64]) {
        for members in &self.classes {
            let first = &self.variables[members[0]];
            let span = first.name.span;
            let values = members
                .iter()
                .map(|number| Expr::constant(initial[*number], span));
            let mut values: Vec<Expr> = values.collect();
            let scalar = Type::Scalar(scalar(first.kind));
            let (ty, indices, initial) = match members.len() {
                1 => (scalar, Vec::new(), Initial::Fill(values.remove(0))),
                length => {
                    let coding = CodingId::from(model.codings.len());
                    model.codings.push(self.coding(members));
                    let index = ArrayIndex { coding, before: 1 };
                    let ty = Type::Array {
                        element: Box::new(scalar),
                        length: length as u32,
                    };
                    (ty, vec![index], Initial::List(values))
                }
            };
            model.globals.push(Global {
                name: first.name.name.to_string(),
                ty,
                indices,
                initial,
                storage: Storage::State,
                span,
            });
        }
    }

    /// How the elements of an array are shown: by the names that they have in the text.
    fn coding(&self, members: &[usize]) -> Coding {
        let names = members
            .iter()
            .map(|number| self.variables[*number].name.name.to_string());
        let names: Vec<String> = names.collect();
        Coding {
            name: names[0].clone(),
            kind: CodingKind::Names(names),
        }
    }
}

pub(crate) fn scalar(kind: Kind) -> Scalar {
    match kind {
        Kind::Bool => Scalar::Bool,
        Kind::Int(min, max) => Scalar::Range { min, max },
    }
}

/// The least number of those that one is joined with.
fn root(images: &mut [usize], number: usize) -> usize {
    let mut at = number;
    while images[at] != at {
        images[at] = images[images[at]];
        at = images[at];
    }
    at
}

fn join(images: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(images, a), root(images, b));
    images[a.max(b)] = a.min(b);
}
