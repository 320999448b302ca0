//! Exchanges of two processes that pointers between processes demand (F. Wang and K. Schmidt, section 7.1).
//!
//! Processes are to be numbered in the order in which pointers come to them: first the shared pointers in the order of their
//! declaration, then the pointers of the first process, of the second, and so on. Two processes that nobody before them points to are
//! told apart by whom they point to themselves. What is not a pointer does not count, so states without pointers stay as they are; and
//! of states with pointers several of one orbit may be left. Each pair is looked at once.

use crate::attempt::Context;
use crate::cells::Home;
use crate::diagrams::{Bdd, Made};
use crate::moves::Move;
use crate::number::Number;
use crate::stop::CellId;
use mandala_model::state::Value;
use oxidd::BooleanFunction;

/// A pointer, and what it holds if it points to the one or to the other.
struct Pointer {
    cell: CellId,
    first: Value,
    second: Value,
}

/// The pointers that matter when two change places.
#[derive(Default)]
struct Pointers {
    shared: Vec<Pointer>,
    /// Those of members before both.
    earlier: Vec<(Home, Pointer)>,
    /// Those of the two, each with the one of the other.
    own: Vec<(Pointer, CellId)>,
}

/// The states in which the two that a move exchanges should change places.
pub(crate) fn reversed(context: Context<'_>, exchange: &Move) -> Made<Bdd> {
    let pointers = pointers(context, exchange);
    let pointed = points_to_second(context, pointers.shared.iter())?;
    let mut nearer = context.d.yes.clone();
    for pointer in &pointers.shared {
        let held = context.layout.value(context.d, pointer.cell);
        let first = Number::constant(context.d, pointer.first);
        nearer = nearer.and(&held.less(context.d, &first)?)?;
    }
    let earlier = pointers.earlier.iter().map(|(_, pointer)| pointer);
    let by_earlier = points_to_second(context, earlier)?;
    let by_own = points_nearer(context, &pointers.own)?;
    Ok(pointed.or(&nearer.and(&by_earlier.or(&by_own)?)?)?)
}

/// Where one of those pointers points to the second, and none before it points to the first.
fn points_to_second<'p>(
    context: Context<'_>,
    pointers: impl Iterator<Item = &'p Pointer>,
) -> Made<Bdd> {
    let d = context.d;
    let (mut found, mut none_yet) = (d.no.clone(), d.yes.clone());
    for pointer in pointers {
        let held = context.layout.value(d, pointer.cell);
        found = found.or(&none_yet.and(&held.is(d, pointer.second)?)?)?;
        none_yet = held.is(d, pointer.first)?.imp_strict(&none_yet)?;
    }
    Ok(found)
}

/// Where the second points to an earlier one than the first does, by the first of their pointers that tells.
fn points_nearer(context: Context<'_>, own: &[(Pointer, CellId)]) -> Made<Bdd> {
    let d = context.d;
    let (mut found, mut same) = (d.no.clone(), d.yes.clone());
    for (pointer, other) in own {
        let limit = Number::constant(d, pointer.first);
        let mine = context.layout.value(d, pointer.cell);
        let theirs = context.layout.value(d, *other);
        let (mine_far, theirs_far) = (limit.less(d, &mine)?, limit.less(d, &theirs)?);
        let nearer = theirs_far.imp_strict(&theirs.less(d, &mine)?)?;
        found = found.or(&same.and(&nearer)?)?;
        let alike = mine.equals(d, &theirs)?.or(&mine_far.and(&theirs_far)?)?;
        same = same.and(&alike)?;
    }
    Ok(found)
}

/// The pointers that a move renames, sorted by where they are.
fn pointers(context: Context<'_>, exchange: &Move) -> Pointers {
    let layout = context.layout;
    let moved = exchange
        .origins
        .iter()
        .filter(|(to, origin)| **to != origin.cell);
    let first = moved.map(|(to, _)| layout.home(*to)).min();
    let first = first.unwrap_or(Home::Shared);
    let mut pointers = Pointers::default();
    for (&target, origin) in &exchange.origins {
        let mut names = origin.values.keys();
        let (Some(&a), Some(&b)) = (names.next(), names.next()) else {
            continue;
        };
        let pointer = Pointer {
            cell: target,
            first: a,
            second: b,
        };
        match (layout.home(target), target == origin.cell) {
            (Home::Shared, true) => pointers.shared.push(pointer),
            (home, true) if home < first => pointers.earlier.push((home, pointer)),
            (home, false) if home == first => pointers.own.push((pointer, origin.cell)),
            _ => {}
        }
    }
    pointers
        .earlier
        .sort_by_key(|(home, pointer)| (*home, pointer.cell));
    pointers
}
