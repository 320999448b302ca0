//! What all tests of the front end need.

use mandala_model::diagnostic::has_errors;
use mandala_model::model::Model;
use mandala_model::source::{SourceText, Sources};
use mandala_model::verify::verify;
use mandala_red::{RedOptions, load};

/// The model, or the complaints in one line each. Whatever passes the front end must pass the verifier.
pub(crate) fn read(text: &str, constants: &[&str]) -> Result<Model, Vec<String>> {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("m.red", text));
    let mut options = RedOptions::default();
    constants.iter().for_each(|given| options.define(given));
    let (model, diagnostics) = load(&mut sources, file, &options);
    assert_eq!(model.is_none(), has_errors(&diagnostics), "{diagnostics:?}");
    match model {
        Some(model) => Ok(verify(model).unwrap_or_else(|errors| panic!("{errors:?}"))),
        None => Err(diagnostics.iter().map(|d| d.one_line(&sources)).collect()),
    }
}

/// A model with everything that the language has.
pub(crate) const EVERYTHING: &str = "
#define N 3
#define MOST (N + 1)
process count = N;
global pointer tail, other;
global discrete turn: -1..MOST;
local pointer next, prev;
local discrete flag, level: 0..5;

mode idle level <= 5 {
  when tail == NULL and not (turn > 2) may tail = P; level = level + 1; goto busy;
  when tail != P || turn / 2 == 1 may next = tail; tail->prev = P; tail->prev->level = 2 * level - 1; goto busy;
}

mode busy prev != P or flag == false {
  when next != NULL && next->idle may next->next->flag = true;
  when next->mode < 1 => tail->busy may turn = turn - 1; tail = tail + 1; goto idle;
  when level[2] >= 1 may level[1] = -turn + 2; ;
}

initially idle[1] and forall i: (i == 1 or idle[i]) and next[i] == i and turn >= 0 and turn < 2;
risk exists i, j: i != j and busy[i] and busy[j] and next[i]->level == 5;
risk tail == NULL and mode[1] == 1;
";
