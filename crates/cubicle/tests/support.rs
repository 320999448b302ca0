//! Reading texts.

use mandala_cubicle::{ParseOptions, load};
use mandala_model::model::UncheckedModel;
use mandala_model::source::{SourceText, Sources};

/// A system with one of everything.
pub(crate) const EVERYTHING: &str = r"
(* a comment (* inside *) of another *)
type msg = Empty | Req
type state =
  | Idle | Busy

var Turn : proc
var Free : bool
array Chan[proc] : msg
array State[proc] : state
array Last[proc] : proc

init (z) { Chan[z] = Empty && Idle = State[z] && (Free = True || Turn = z) }

unsafe (x y) { State[x] = Busy && not (State[y] = Idle) }
invariant () { Free = True && Free = False }

transition send (i, j)
requires { Chan[i] = Empty && forall_other k. (Chan[k] <> Req || State[k] = Idle) }
{
  Chan[i] := Req;
  Last[i] := j;
}

transition swap (i j)
{
  Turn := .;
  State[p] := case | p = i : State[j] | State[p] = Idle : Busy | _ : State[i];
  Chan[p] := case | p = j : Req | _ : Chan[p];
  Last[p] := case | State[p] = Idle : p | _ : Turn
}
";

/// What comes of a text with that number of processes: a model, or what is wrong with it.
pub(crate) fn read(text: &str, processes: &str) -> Result<UncheckedModel, Vec<String>> {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("m.cub", text));
    let options = ParseOptions {
        defines: vec![format!("N={processes}")],
        stated: Vec::new(),
    };
    let (model, diagnostics) = load(&mut sources, file, &options);
    let told = diagnostics.iter().map(|d| d.one_line(&sources)).collect();
    model.ok_or(told)
}
