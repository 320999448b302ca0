//! Declarations of symmetry: what becomes of them, and what does not become of the model around them.

use mandala_ir::Text;
use mandala_model::diagnostic::{Diagnostic, has_errors};
use mandala_model::model::Model;
use mandala_model::source::{SourceText, Sources};
use mandala_model::symmetry::Scalarset;
use mandala_model::verify::verify;
use mandala_promela::{ParseOptions, load};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A model that was read, with what was said about it.
struct Loaded {
    sources: Sources,
    model: Option<Model>,
    diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    fn new(text: &str) -> Loaded {
        Loaded::with(text, ParseOptions::default())
    }

    /// With a file of declarations beside it.
    fn beside(text: &str, declarations: &str) -> Loaded {
        let options = ParseOptions {
            declarations: Some(SourceText::new("m.sym", declarations)),
            ..ParseOptions::default()
        };
        Loaded::with(text, options)
    }

    fn with(text: &str, options: ParseOptions) -> Loaded {
        let mut sources = Sources::default();
        let file = sources.add(SourceText::new("m.pml", text));
        let (model, diagnostics) = load(&mut sources, file, &options);
        let verified = model.map(|m| verify(m).expect("a proper model"));
        assert_eq!(verified.is_none(), has_errors(&diagnostics));
        Loaded {
            sources,
            model: verified,
            diagnostics,
        }
    }

    fn model(&self) -> &Model {
        let shown = self.complaints();
        self.model.as_ref().unwrap_or_else(|| panic!("{shown:?}"))
    }

    fn complaints(&self) -> Vec<String> {
        let all = self.diagnostics.iter();
        all.map(|d| d.one_line(&self.sources)).collect()
    }

    /// The declarations in the text form, a line each.
    fn declared(&self) -> Vec<String> {
        let text = Text::new(self.model()).to_string();
        let lines = text.lines().skip_while(|l| !l.starts_with("scalarset"));
        lines.map(|line| line.trim().to_string()).collect()
    }

    fn sets(&self) -> &[Scalarset] {
        &self.model().scalarsets
    }
}

/// Processes with names, and everything that can hold or be indexed by them.
const MODEL: &str = "
#define N 3
mtype = { ask, grant };
typedef Packet { byte tag; byte from; byte via[2] }
typedef Row { byte cell[4]; chan out = [1] of { byte, Packet } }
byte turn, next[4], lock[4];
bool flag[4];
Row table[4];
chan net = [2] of { mtype, Packet, byte };
chan own[4] = [1] of { byte };
proctype Client(byte id; chan reply) { Packet p; flag[id] = true; { byte peer; peer = turn }; { byte peer; peer = 1 } }
proctype Server(byte id) { turn == id }
active [2] proctype Watcher() { turn == 0 }
init { byte i; run Client(1, net); run Server(1) }
";

/// What a declaration in front of [`MODEL`] becomes.
#[track_caller]
fn check(declaration: &str, expected: &[&str]) {
    let loaded = Loaded::new(&format!("{declaration}\n{MODEL}"));
    assert_eq!(loaded.declared(), expected, "{:?}", loaded.complaints());
}

#[test]
fn one_line_is_enough() {
    check(
        "//@ scalarset ID = 1..3: Client.id",
        &["scalarset ID = 1..3", "holds Client::id"],
    );
    check(
        "/*@scalarset ID[4]:flag[ID]*/",
        &["scalarset ID = 0..3", "indexes flag[]"],
    );
    check(
        "//@ symmetric Watcher",
        &["scalarset Watcher = 0..254", "processes Watcher"],
    );
}

#[test]
fn places_that_hold_names_or_are_indexed_by_them() {
    check(
        "//@ scalarset ID = 1..3: turn, flag[ID], ID next[], ID lock[ID], Server, Client.p.from",
        &[
            "scalarset ID = 1..3",
            "holds turn",
            "indexes flag[]",
            "holds next",
            "indexes lock[]",
            "holds lock",
            "processes Server",
            "holds Client::p.from",
        ],
    );
    check(
        "//@ scalarset ID[2]: ID Client.p.via[ID], table[].cell[ID], ID init.i",
        &[
            "scalarset ID = 0..1",
            "indexes Client::p.via[]",
            "holds Client::p.via",
            "indexes table.cell[]",
            "holds init::i",
        ],
    );
}

#[test]
fn every_local_variable_of_the_name_is_meant() {
    check(
        "//@ scalarset ID[3]: Client.peer",
        &[
            "scalarset ID = 0..2",
            "holds Client::peer",
            "holds Client::peer#4",
        ],
    );
}

#[test]
fn messages_carry_names_in_any_field() {
    check(
        "//@ scalarset ID[3]: net {_, {_, ID, ID}, ID}, own[ID] {ID}",
        &[
            "scalarset ID = 0..2",
            "message kind1, 2",
            "message kind1, 3",
            "message kind1, 4",
            "message kind1, 5",
            "indexes own[]",
            "message kind2, 0",
        ],
    );
    check(
        "//@ scalarset ID[3]: table[ID].out {ID, _}",
        &["scalarset ID = 0..2", "indexes table[]", "message kind0, 0"],
    );
}

#[test]
fn a_field_of_a_type_is_meant_wherever_the_type_is() {
    check(
        "//@ scalarset ID[2]: Packet.from, Packet.via[ID]",
        &[
            "scalarset ID = 0..1",
            "holds Client::p.from",
            "message kind0, 2",
            "message kind1, 2",
            "indexes Client::p.via[]",
        ],
    );
    // What is said of a type and of one variable of it is not said twice.
    check(
        "//@ scalarset ID[3]: Packet.tag, Client.p.tag, Row.out {ID, {ID, _, _}}",
        &[
            "scalarset ID = 0..2",
            "holds Client::p.tag",
            "message kind0, 1",
            "message kind1, 1",
            "message kind0, 0",
        ],
    );
}

#[test]
fn several_sets_meet_in_one_place() {
    check(
        "//@ scalarset ID = 1..3: ID turn, KEY lock[ID]; scalarset KEY[2]: KEY table[ID].cell[]",
        &[
            "scalarset ID = 1..3",
            "holds turn",
            "indexes lock[]",
            "indexes table[]",
            "scalarset KEY = 0..1",
            "holds lock",
            "holds table.cell",
        ],
    );
    check(
        "//@ scalarset A[2]: turn\n/*@ scalarset B = 1..1: Client.id scalarset C[4]: flag[C]; symmetric Watcher, Server; ; */",
        &[
            "scalarset A = 0..1",
            "holds turn",
            "scalarset B = 1..1",
            "holds Client::id",
            "scalarset C = 0..3",
            "indexes flag[]",
            "scalarset Watcher = 0..254",
            "processes Watcher",
            "scalarset Server = 0..254",
            "processes Server",
        ],
    );
}

/// The table in `docs/symmetry.md`, use by use.
#[test]
fn uses_of_the_manual() {
    let manual = include_str!("../../../docs/symmetry.md");
    let model = "
        typedef Packet { byte from, to }
        typedef Row { byte row[2], cell[2] }
        typedef Pair { byte first, second }
        byte turn, queue[2], next[2], lock[2];
        bool flag[2];
        Packet msg; Row grid[2];
        chan net = [1] of { mtype, byte, byte }, net2 = [1] of { byte, Pair };
        chan reply[2] = [1] of { byte };
        proctype Client(byte id) { skip }
        init { run Client(0) }
        //@ scalarset KEY[2]: KEY Client.id
        //@ scalarset ID[2]: ";
    let rows = manual.lines().skip_while(|l| !l.starts_with("| use |"));
    let rows = rows.skip(2).take_while(|l| l.starts_with('|'));
    let cells = rows.flat_map(|row| row.split('|').nth(1).unwrap_or("").split("`, `"));
    let uses: Vec<&str> = cells.map(|cell| cell.trim().trim_matches('`')).collect();
    assert!(uses.len() >= 13, "{uses:?}");
    for used in uses {
        let known = used.replace("Client.id", "init.i");
        let known = known.replace("net {_, {", "net2 {_, {");
        let text = format!("{model}{known}").replace("init {", "init { byte i;");
        let loaded = Loaded::new(&text);
        assert!(!loaded.sets()[1].uses.is_empty(), "{used}");
    }
}

#[test]
fn bounds_are_constant_expressions() {
    let range = |bounds: &str| {
        let loaded = Loaded::new(&format!("{MODEL}\n//@ scalarset ID{bounds}: turn"));
        (loaded.sets()[0].first, loaded.sets()[0].size)
    };
    assert_eq!(range("[2 * N - 1]"), (0, 5));
    assert_eq!(range(" = N .. N + 1"), (3, 2));
    assert_eq!(range("=grant..ask"), (1, 2));
    assert_eq!(range("[(N > 2 -> 7 : 8)]"), (0, 7));
}

#[test]
fn macros_are_those_of_the_place() {
    let text = "
byte a, b, c, d;
//@ scalarset NONE[2]: a
#define N 2 //@ scalarset ONE[N]: b
#define SIZE(x) (x + N)
#undef N
#define N 5
//@ scalarset TWO[SIZE(1)]: WHERE
#define WHERE d
active proctype P() { byte c = SIZE(
   1) /*@ scalarset THREE[SIZE(2)]: WHERE */; c++ }
#undef N
#define N 9
";
    let loaded = Loaded::new(&text.replace("WHERE\n#", "c\n#"));
    let sizes: Vec<u32> = loaded.sets().iter().map(|set| set.size).collect();
    assert_eq!(sizes, [2, 2, 6, 7]);
    assert_eq!(loaded.declared()[7], "holds d");
}

#[test]
fn macros_of_the_command_line_count() {
    let mut options = ParseOptions::default();
    options.define("N=4");
    let text = "byte t;\n//@ scalarset ID[N]: t\nactive proctype P() { t = 1 }";
    assert_eq!(Loaded::with(text, options).sets()[0].size, 4);
    assert_eq!(
        Loaded::new(text).complaints(),
        ["m.pml:2:18: error: this must be a constant"]
    );
}

#[test]
fn conditions_leave_declarations_out() {
    let text = "
byte t;
#if 0
//@ scalarset A[2]: t
//@ scalarset nonsense
#else //@ scalarset B[2]: t
#endif
#ifdef NO
/*@ scalarset C[2]: t */
#endif //@ symmetric P
active [2] proctype P() { t = 1 }
";
    let loaded = Loaded::new(text);
    let names: Vec<&str> = loaded.sets().iter().map(|set| set.name.as_str()).collect();
    assert_eq!(names, ["B", "P"]);
}

#[test]
fn included_files_declare_too() {
    let loader = |path: &Path| match path.to_str() {
        Some("names.h") => Ok("#define N 6\n/*@ scalarset ID[N]: turn */".to_string()),
        _ => Err(io::Error::other("no such file")),
    };
    let options = ParseOptions {
        loader: Box::new(loader),
        ..ParseOptions::default()
    };
    let text = "//@ symmetric P\n#include \"names.h\" //@ scalarset KEY[N]: lock\nbyte turn, lock;\nactive proctype P() { skip }";
    let loaded = Loaded::with(text, options);
    let places: Vec<String> = loaded
        .sets()
        .iter()
        .map(|set| format!("{} {}", set.name, loaded.sources.location(set.span)))
        .collect();
    assert_eq!(places, ["P m.pml:1:15", "ID names.h:2:5", "KEY m.pml:2:24"]);
}

#[test]
fn places_in_the_source_are_kept() {
    let text = "byte turn, flag[3]; /* é */ //@ scalarset ID[3]: turn, // who\nactive proctype P() { turn = 1; turn = flag[1] }";
    let text = text.replace(", //", ", flag[ID] //");
    let loaded = Loaded::new(&text);
    let set = &loaded.sets()[0];
    assert_eq!(
        loaded.sources.snippet(set.span),
        "scalarset ID[3]: turn, flag[ID]"
    );
    assert_eq!(loaded.sources.location(set.span).to_string(), "m.pml:1:33");
    let uses: Vec<&str> = set
        .uses
        .iter()
        .map(|u| loaded.sources.snippet(u.span))
        .collect();
    assert_eq!(uses, ["turn", "flag[ID]"]);
}

#[test]
fn an_accompanying_file_says_the_same() {
    let declarations = "// who may be exchanged\n#ifdef N\nscalarset ID = 1..N: Client.id\n   , turn\n#endif\nsymmetric Watcher;\n//@ scalarset KEY[2]: lock[KEY]\n";
    let model = format!("{MODEL}\n#undef N\n#define N 2\n");
    let loaded = Loaded::beside(&model, declarations);
    assert_eq!(
        loaded.declared(),
        [
            "scalarset KEY = 0..1",
            "indexes lock[]",
            "scalarset ID = 1..2",
            "holds Client::id",
            "holds turn",
            "scalarset Watcher = 0..254",
            "processes Watcher",
        ]
    );
    let place = |set: usize| loaded.sources.location(loaded.sets()[set].span).to_string();
    assert_eq!(place(0), "m.sym:7:5");
    assert_eq!(place(1), "m.sym:3:1");
    assert_eq!(place(2), "m.sym:6:11");
    assert_eq!(Loaded::beside(MODEL, "").sets(), []);
}

#[test]
fn mistakes_in_an_accompanying_file_are_found_there() {
    let complaints = |text: &str| Loaded::beside(MODEL, text).complaints();
    assert_eq!(
        complaints("scalarset ID[2]: tern"),
        ["m.sym:1:18: error: there is no variable, proctype or type `tern`"]
    );
    assert_eq!(
        complaints("byte x;\nscalarset ID[2]"),
        ["m.sym:1:1: error: expected `scalarset` or `symmetric`, found `byte`",]
    );
    assert_eq!(
        complaints("scalarset ID[2]:\n"),
        [
            "m.sym:1:17: error: expected what holds the names or is indexed by them, found the end of the file"
        ]
    );
    assert_eq!(
        complaints("scalarset ID[2]: turn,"),
        ["m.sym:1:23: error: expected another place after `,`, found the end of the file"]
    );
    let both = Loaded::beside(
        &format!("//@ scalarset ID[2]: turn\n{MODEL}"),
        "scalarset ID[3]: lock[ID]",
    );
    assert_eq!(
        both.complaints(),
        ["m.sym:1:11: error: the scalarset `ID` is declared twice"]
    );
}

#[test]
fn other_comments_stay_comments() {
    let text = "
/*@ requires x >= 0;
  @ ensures x == 1; @*/
// @author someone@scalarset.example  // @scalarset?
/* @scalarset */ //@ assert scalarset
byte x; // not: //@ scalarset ID[2]: x
active proctype P() { x = 1; printf(\"//@ scalarset ID[2]: x /*@ symmetric P */\\n\") }
";
    let loaded = Loaded::new(&text.replace("/* @scalarset */", "/* * @scalarset */"));
    assert_eq!((loaded.sets(), loaded.complaints()), (&[][..], Vec::new()));
}

#[test]
fn a_misspelt_keyword_is_noticed() {
    let loaded = Loaded::new(&format!("//@ scalerset ID[2]: turn\n{MODEL}"));
    assert_eq!(
        loaded.complaints(),
        ["m.pml:1:5: warning: `@scalerset` is no declaration: this is taken for a plain comment"]
    );
    assert_eq!(loaded.sets(), []);
}

/// The same text, with comments that mean nothing where declarations were.
fn without_declarations(text: &str) -> String {
    text.replace("//@", "//-").replace("/*@", "/*-")
}

#[test]
fn declarations_change_nothing_else() {
    let text = include_str!("seeds/symmetry.pml");
    let with = Loaded::new(text);
    let without = Loaded::new(&without_declarations(text));
    assert_eq!(with.sets().len(), 7);
    assert_eq!(without.sets(), []);
    let mut stripped = with.model().clone().into_unchecked();
    stripped.scalarsets.clear();
    assert_eq!(&stripped, &**without.model());
}

/// A folder for the files that Spin writes.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
#[allow(
    clippy::print_stderr,
    reason = "a test that finds nothing to test must say so"
)]
fn spin_accepts_models_with_declarations() {
    if Command::new("spin").arg("-V").output().is_err() {
        eprintln!("note: skipped, there is no spin");
        return;
    }
    let folder = scratch("declared");
    for text in [include_str!("seeds/symmetry.pml"), MODEL] {
        let text = format!("//@ symmetric Watcher\n{}", text.replace("Watcher, ", ""));
        assert!(!Loaded::new(&text).sets().is_empty());
        std::fs::write(folder.join("m.pml"), &text).expect("a file");
        let mut spin = Command::new("spin");
        let spin = spin.current_dir(&folder).args(["-a", "m.pml"]);
        let output = spin.output().expect("an answer");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let says_error = said.lines().any(|line| line.contains("Error"));
        assert!(output.status.success() && !says_error, "{said}");
    }
}
