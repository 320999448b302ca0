//! Making a model smaller while something stays true of it.
//!
//! Something is taken out, one thing at a time, large things first. A candidate need not be a right model: whoever
//! tests it will find that the property is gone.

use super::{Model, Statement};

/// The smallest model that is found and still has the property. The model itself must have it.
pub fn shrink(model: Model, has_property: &mut dyn FnMut(&Model) -> bool) -> Model {
    let mut best = model;
    let mut number = 0;
    let mut changed = false;
    loop {
        match smaller(&best, number) {
            Some(candidate) if has_property(&candidate) => {
                // The same number is the next thing to try.
                best = candidate;
                changed = true;
            }
            Some(_) => number += 1,
            None if changed => (number, changed) = (0, false),
            None => return best,
        }
    }
}

/// The model without the part of that number.
fn smaller(model: &Model, number: usize) -> Option<Model> {
    let mut model = model.clone();
    let mut at = number;
    if take_out(&mut model.parts, &mut at)
        || take_out(&mut model.properties, &mut at)
        || take_out(&mut model.declarations, &mut at)
    {
        return Some(model);
    }
    for part in &mut model.parts {
        if take_out(&mut part.locals, &mut at) || take_out_statement(&mut part.body, &mut at) {
            return Some(model);
        }
    }
    None
}

/// Takes out the item that the number falls on; else passes all of them.
fn take_out<T>(items: &mut Vec<T>, at: &mut usize) -> bool {
    if *at < items.len() {
        items.remove(*at);
        return true;
    }
    *at -= items.len();
    false
}

/// The same for statements at any depth, each of which can also give way to what is in it.
fn take_out_statement(statements: &mut Vec<Statement>, at: &mut usize) -> bool {
    if take_out(statements, at) {
        return true;
    }
    for index in 0..statements.len() {
        let Statement::Compound(branches, _) = &mut statements[index] else {
            continue;
        };
        if *at < branches.len() {
            let inside = branches.swap_remove(*at).1;
            statements.splice(index..=index, inside);
            return true;
        }
        *at -= branches.len();
        let mut bodies = branches.iter_mut().map(|(_, body)| body);
        if bodies.any(|body| take_out_statement(body, at)) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::murphi::model;

    #[test]
    fn only_what_matters_is_left() {
        let seeds = (0..100).map(model);
        let mut with_loop = seeds.filter(|model| model.to_string().contains("while "));
        let found = with_loop.next().expect("some model has a loop");
        let small = shrink(found, &mut |model| model.to_string().contains("while "));
        let lines = small.to_string().lines().count();
        assert!(lines <= 6, "{small}");
    }
}
