//! The values that cells of names ever have: what is missing is added until nothing is.

use crate::check::{Examined, Missing, Mover};
use crate::proof::{Case, Proof};
use mandala_model::Model;
use mandala_model::state::Value;
use mandala_model::step::Observers;
use mandala_symmetry::sorts::{Classes, Shape, Sort};
use std::collections::BTreeSet;

/// Classes of cells with more values are not looked at.
const MOST: usize = 64;

/// How often values are added.
const ROUNDS: usize = 80;

/// The same proof with the values that cells of names have, of those that have few.
pub(super) fn with_values(model: &Model, observers: Observers, proof: &Proof) -> Proof {
    let mut proof = proof.clone();
    let is_name = |sort: &Sort| matches!(sort, Sort::Name(..) | Sort::Process(_));
    proof.values = proof
        .sorts
        .classes
        .map(&mut |sort| is_name(sort).then(BTreeSet::new));
    for _ in 0..ROUNDS {
        let found = missing(model, observers, &proof);
        if found.is_empty() {
            return proof;
        }
        let mut place = 0;
        proof.values = proof.values.map(&mut |values| {
            place += 1;
            let own = found.iter().filter(|(at, _)| *at == place - 1);
            let mut all = values.clone();
            for (_, more) in own {
                all = all.zip(more.clone()).map(|(mut all, more)| {
                    all.extend(more);
                    all
                });
            }
            all.filter(|all| all.len() <= MOST)
        });
        close(&mut proof);
    }
    proof.values = proof.sorts.classes.map(&mut |_| None);
    proof
}

/// For classes of cells, by their numbers, the values that are missing.
fn missing(
    model: &Model,
    observers: Observers,
    proof: &Proof,
) -> Vec<(usize, Option<BTreeSet<Value>>)> {
    let record = Missing::default();
    // So that everything is looked at, even where there is nothing to prove.
    let cases = proof.cases.iter().map(|case| Case {
        trusted: Default::default(),
        ..case.clone()
    });
    for case in cases {
        if let Some(mover) = Mover::of(proof, &case.moves) {
            let (mover, case, missing) = (&mover, &case, Some(&record));
            let examined = Examined {
                model,
                observers,
                proof,
                case,
                mover,
                missing,
            };
            // What fails is not of interest here.
            let _ = examined.run(&mut |_, _| Ok(()));
        }
    }
    let mut places = Vec::new();
    each_set(&proof.values, &mut |values| {
        places.push(values.map(std::ptr::from_ref))
    });
    let number = |at: *const BTreeSet<Value>| places.iter().position(|place| *place == Some(at));
    let record = record.into_inner().into_iter();
    record
        .filter_map(|(at, values)| Some((number(at)?, values)))
        .collect()
}

/// A set of values, if there is one.
type Known = Option<BTreeSet<Value>>;

fn each_set<'p>(values: &'p Classes<Known>, visit: &mut impl FnMut(Option<&'p BTreeSet<Value>>)) {
    let locals = values.locals.iter().flatten();
    values
        .globals
        .iter()
        .chain(locals)
        .for_each(|shape| each_of(shape, visit));
    values
        .fields
        .iter()
        .flatten()
        .for_each(|values| visit(values.as_ref()));
}

fn each_of<'p>(shape: &'p Shape<Known>, visit: &mut impl FnMut(Option<&'p BTreeSet<Value>>)) {
    match shape {
        Shape::Cell(values, _) => visit(values.as_ref()),
        Shape::Record(fields) => fields.iter().for_each(|field| each_of(field, visit)),
        Shape::Array { index, element, .. } => {
            visit(index.as_ref());
            each_of(element, visit);
        }
    }
}

/// Adds the images of all values.
fn close(proof: &mut Proof) {
    let movers: Vec<Mover> = proof
        .cases
        .iter()
        .filter_map(|case| Mover::of(proof, &case.moves))
        .collect();
    let mut sorts = Vec::new();
    proof.sorts.classes.map(&mut |sort| sorts.push(*sort));
    let mut place = 0;
    proof.values = proof.values.map(&mut |values| {
        place += 1;
        let mut values = values.clone()?;
        loop {
            let before = values.len();
            for mover in &movers {
                let pairs = mover.pairs(mover.sort(sorts[place - 1]));
                let images: Vec<Value> = pairs
                    .filter(|(a, _)| values.contains(a))
                    .map(|(_, b)| b)
                    .collect();
                values.extend(images);
            }
            if values.len() == before {
                return Some(values);
            }
        }
    });
}
