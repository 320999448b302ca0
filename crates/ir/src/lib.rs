//! The text form of the intermediate representation: [`Text`] prints a model, [`load`] reads one. [`dot()`] draws automata.
//!
//! What is printed can be read, and gives the same model: with [`Text::full`] exactly, else but for places in the source
//! and the texts of statements, which are then those of the printed text itself. `mandala ir` prints this form, and every command
//! takes files that end in `.ir`.
//!
//! One thing a line, so that `grep` and `diff` work on it: every edge names its own source and
//! target, every variable starts with `global`, `local` or `field`. With [`Text::with_sources`],
//! edges and declarations end in a comment with their place in the user's files.
//!
//! # Grammar
//!
//! ```text
//! text      = "mandala-ir" VERSION
//!             "model" LANGUAGE "," ("wrapping 32" | "checked 64") ["," "prioritised"] ["," "last mover"]
//!             ["," "held start"] ["," "deadlock without change"]
//!             ["," ("dtmc" | "ctmc" | "mdp")]
//!             {file | enum | domain | coding | record | kind | global | function | template | start | condition | monitor | property | rewards | scalarset}
//! file      = "file" NUMBER PATH TEXT                                     (a file of the source, both as strings)
//! enum      = "enum" NAME "{" CONSTANT "=" NUMBER {"," CONSTANT "=" NUMBER} "}"
//! domain    = "domain" NAME "[" SIZE "]"
//! coding    = "coding" NAME shown
//! shown     = "from" NUMBER | "{" CONSTANT {"," CONSTANT} "}" | "members" | "pointers"
//!           | "parts" "(" NUMBER NAME shown {";" NUMBER NAME shown} ")"
//! record    = "record" NAME [place] "{" {"field" variable} "}"
//! kind      = "channel" KIND [place] "[" CAPACITY "]" "of" "{" type {"," type} "}"
//! global    = "global" variable
//! variable  = ["scratch"] NAME [place] ":" type ["=" (expr | "{" expr {"," expr} "}" | "new" KIND)]
//! type      = ("u" BITS | "i" BITS | "bool" | MIN ".." MAX | "process" | "chan" | ENUM | DOMAIN | CODING "(" MAX ")" | RECORD)
//!             {"[" LENGTH ["by" CODING ["from" VALUE]] "]"}               (the value of the first element, else 1)
//! function  = "function" NAME [place] "(" [given {"," given}] ")" ["returns" VARIABLE] "{" {"local" variable} {choice} "}"
//! given     = ["ref"] variable                                            (references come last)
//! template  = ("process" | "claim" | "events required" | "events forbidden")
//!             NAME [place] "(" [variable {"," variable}] ")" "{"
//!             {"local" variable} ["provided" expr] ["deterministic"] "entry" LOCATION {location} "}"
//! location  = "location" LOCATION [place] ["number" NUMBER] {LABEL} ["end"] ["progress"] ["accept"] ["silent"]
//!             ["edges" NUMBER] {edge}                                     (numbers that differ from what is usual)
//! edge      = LOCATION "->" LOCATION [place] ["number" NUMBER] ["escape" CLASS] ["hold"] ["twin"] {parameter}
//!             ["outcome" ALTERNATIVE "weight" quantity ["action" STRING]] ["text" STRING] step
//! quantity  = RATIONAL | "value" "(" expr ")" | "if" "(" expr "," quantity "," quantity ")"       (a rational number is a string: "1/2")
//!           | ("add" | "subtract" | "multiply" | "divide" | "min" | "max" | "power") "(" quantity "," quantity ")"
//!           | ("floor" | "ceiling") "(" quantity ")"
//! parameter = "for" VARIABLE "named" STRING [place] "of" numbers {"," numbers} ["positions" VARIABLE]
//! numbers   = NUMBER [".." NUMBER ["by" NUMBER]]
//! step      = "skip" | "when" expr | "do" effects | "when" expr "do" effects | "else" | "exit"
//!           | "send" expr ("!" | "!!") expr {"," expr}                    (!! keeps the channel sorted)
//!           | "receive" expr ("?" | "??") (patterns | "<" patterns ">")   (?? any match; <> stays)
//!           | "call" [cell "="] FUNCTION "(" [expr {"," expr}] [";" cell {"," cell}] ")"
//!           | "routine" "{" {choice | loop} "}"
//! choice    = NODE [node] ":" [place] ["text" STRING] step "->" (NODE | "done")
//! loop      = "loop" NODE [place] "for" NAME "counter" NAME "of" values    (the node is the head of a loop over the values)
//! node      = [place] ["quiet"] ["number" NUMBER]                         (at the first choice of the node)
//! patterns  = pattern {"," pattern}
//! pattern   = NUMBER | CONSTANT | "eval" "(" expr ")" | place | "_"
//! effects   = effect {";" effect}
//! effect    = cell "=" expr | [cell "="] "run" creation
//!           | "assert" "(" expr ")" | "set_priority" "(" expr "," expr ")"
//!           | "printf" "(" STRING {"," expr} ")" | "printm" "(" expr ")"
//!           | "fail" STRING | "abandon"
//!           | "insert" ARRAY "at" cell "=" expr "{" cell "=" expr {";" cell "=" expr} "}" "if" expr "else" STRING
//! creation  = TEMPLATE "(" [expr {"," expr}] ")" ["priority" NUMBER]
//! cell      = (NAME | TEMPLATE "[" expr "]" "::" NAME | "own_priority()") [place] {"." FIELD | "[" expr "]"}
//! start     = "start" creation
//! condition = "condition" CONDITION ["text" STRING] "=" expr
//! monitor   = "monitor" "local" variable                                  (a variable that monitors share)
//!           | "monitor" MONITOR [place] ["number" NUMBER] ["twin"] {parameter} ["text" STRING] step
//! property  = "property" NAME [place] question
//! question  = ("never" | "events") TEMPLATE
//!           | "ctl" formula
//!           | "query" ("holds" states | "value" measure | "filter" FILTER ("holds" states | "value" measure) "states" states)
//!           | ("invariant" | "reachable") ("none" | MONITOR {"," MONITOR})
//!           | "cover" ("none" | covered {"," covered}) | "remark" ("none" | passed {"," passed})
//!           | ("ltl" STRING ["next"] | "automaton" | "non-progress" | "accept") {index} {state}
//! covered   = MONITOR | passed
//! passed    = (MONITOR | TEMPLATE NUMBER | "function" FUNCTION) ":" NODE  (the number of an edge in its template)
//! index     = "index" variable "of" NUMBER {"," NUMBER}                   (the first transition chooses its value)
//! state     = "state" STATE ["labels" STRING {"," STRING}] ["accepting"] ["all"] {guard "->" STATE ["asserts"]}
//! guard     = "true" | "false" | ["!"] CONDITION | "(" guard ")" | guard ("&&" | "||") guard
//! formula   = "true" | "false" | CONDITION | "(" formula ")" | "!" formula | formula ("&&" | "||" | "->") formula
//!           | ("A" | "E") ("X" | "F" | "G") formula | ("A" | "E") "[" formula ("U" | "W") formula "]"
//! measure   = "probability" ["least" | "greatest"] "[" runs "]" | "share" "[" states "]"
//!           | "reward" STRUCTURE ["least" | "greatest"] ("until" "[" states "]" | "upto" RATIONAL | "at" RATIONAL | "total" | "average")
//! states    = "true" | "false" | CONDITION | "initial" | "deadlock" | "!" states | "(" states ("&&" | "||" | "->" | "==") states ")"
//!           | "(" measure ("<" | "<=" | ">=" | ">") RATIONAL ")"
//! runs      = "state" states | "not" runs | "next" runs | ("both" | "either") "(" runs "," runs ")"
//!           | "until" "(" runs "," runs "," RATIONAL "," (RATIONAL | "none") ")"                       (the earliest and the latest time)
//! rewards   = "rewards" (STRING | "none") [place] {"state" [place] earned | "step" (STRING | "none") [place] earned}
//! earned    = "when" expr "earns" quantity
//! scalarset = "scalarset" NAME [place] "=" FIRST ".." LAST ["unordered"] {use [place]}
//! use       = "processes" TEMPLATE | "holds" path | "indexes" path {"[]"} | "message" KIND "," FIELD
//! path      = [[TEMPLATE] "::"] NAME {"." FIELD}   (::x is a variable of monitors; all elements of the arrays on the way; the last [] is the index)
//! place     = "$" [FILE ":"] START "-" END         (a place in a file of the source, in bytes)
//! ```
//!
//! Expressions are written as in C, with these questions, whose parentheses tell them from
//! variables: `self()`, `processes()`, `last_mover()`, `timeout()`, `non_progress()`, `accepting()`,
//! `first(TEMPLATE)`, `enabled(p)`, `location_number(p)`, `priority(p)`, `len(q)`, `empty(q)`, `nempty(q)`, `full(q)`,
//! `nfull(q)`, `defined(x)`, `q?[patterns]`, `q??[patterns]`, `TEMPLATE[p]@LOCATION`. A quantifier is
//!
//! ```text
//! ("forall" | "forall_ordered" | "exists" | "exists_ordered" | "count" | "sum" | "first_of")
//! "(" NAME [place] ":" type "of" numbers {"," numbers} ":" expr ")"
//! ```
//!
//! of a type of one cell; those that are `_ordered`, and `first_of`, stop at the first value that decides, the others evaluate the expression for all. A place in the source stands behind an
//! operator, or behind what has none. A number is written as a
//! named constant or as `true` or `false` where the other side, the assigned place or the channel's
//! declaration says so and the name means nothing else; `-5` is a number, `-(5)` an operation. The local variables of a condition are
//! the indices of the first property that asks it.
//!
//! A name that an earlier variable in sight has too (or an earlier template, record, enum or
//! domain) is followed by `#` and a number: `i`, `i#2`. A name with other characters than letters, digits and `_` stands between
//! backquotes, and so does the name of a type that would be taken for another one. Comments begin with `//`. Types are declared before
//! they are used; else the order of declarations is free.

mod constants;
mod dot;
mod lexer;
mod operators;
mod print;
mod read;
pub mod spans;

pub use dot::dot;
pub use print::Text;
pub use read::load;

use mandala_model::types::Scalar;

/// The word that a text of this form begins with.
const HEAD: &str = "mandala-ir";

/// The version of the form, which stands in the first line of every text. A text of another version is refused.
pub const VERSION: u32 = 2;

/// The type that has that word for its name in every model.
fn scalar_of_word(word: &str) -> Option<Scalar> {
    match word {
        "bool" => Some(Scalar::Bool),
        "process" => Some(Scalar::Process),
        "chan" => Some(Scalar::Channel),
        _ => {
            let (kind, digits) = word.split_at_checked(1)?;
            let bits = digits.parse().ok().filter(|_| !digits.starts_with('+'))?;
            match kind {
                "u" => Some(Scalar::unsigned(bits)),
                "i" => Some(Scalar::signed(bits)),
                _ => None,
            }
        }
    }
}
