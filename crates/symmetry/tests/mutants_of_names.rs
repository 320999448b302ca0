//! Models that are symmetric in names, in variables that belong to processes one by one, or only
//! once they have started, and what becomes of them when one thing is changed: none that brute force shows
//! to be asymmetric may be certified.

use crate::common::{Judgement, Loaded, bundled_text, judge_certificate, judge_domains, load};
use mandala_symmetry::{Candidate, Certificate, certify};
use std::collections::BTreeSet;

/// A symmetric model and its mutants: each replaces the first occurrence of a text.
struct Base {
    name: &'static str,
    text: String,
    defines: &'static [&'static str],
    mutants: &'static [(&'static str, &'static str)],
}

/// Clients that are told their names.
const TICKETS: &str = "
    mtype = { ask, grant };
    chan desk = [2] of { mtype, byte };
    chan answer[3] = [1] of { mtype, byte };
    byte inside; byte owner = 255; bool used[3]; byte rounds; byte pad;
    ltl safe { [] (inside <= 1) }
    proctype Client(byte me) {
        byte told = 255;
        do
        :: desk ! ask, me -> answer[me] ? grant, told ->
            assert(told == me);
            owner = me; used[me] = true; inside++;
            inside--;
            atomic { owner = 255; used[me] = false; told = 255; desk ! grant, me }
        od
    }
    active proctype Server() {
        byte whom = 255;
        do
        :: desk ? ask, whom -> answer[whom] ! grant, whom; desk ?? grant, eval(whom); whom = 255
        od
    }
    init { pad = 1; atomic { run Client(0); run Client(1); run Client(2) } }";

/// Names that nobody is, chosen and compared.
const COLOURS: &str = "
    byte tint[2] = 9; byte uses[4]; bool clash; byte seen;
    active [2] proctype Painter() {
        byte mine = 9;
        do
        :: mine == 9 -> if :: mine = 1 :: mine = 2 :: mine = 3 fi; uses[mine]++; tint[_pid] = mine
        :: mine != 9 -> uses[mine]--; atomic { tint[_pid] = 9; mine = 9 }
        :: tint[0] == tint[1] && tint[0] != 9 -> clash = true
        :: mine != 9 && uses[mine] > 1 -> clash = false
        :: seen < 1 -> seen = 1
        od
    }";

/// Channels that are declared one by one and given to processes.
const HANDED: &str = "
    chan in0 = [1] of { byte }; chan in1 = [1] of { byte }; chan in2 = [1] of { byte };
    chan pool = [1] of { chan, byte }; chan none = [0] of { byte }; byte count;
    proctype Worker(chan own) {
        byte n; chan mine = none;
        do
        :: pool ! own, n :: own ? n :: mine = own; mine = none :: n = 1 - n
        od
    }
    proctype Master() {
        chan to = none; byte n;
        do :: pool ? to, n; to ! n; to = none :: count < 1 -> count++ :: count == 1 -> count = 0 od
    }
    init { atomic { run Master(); run Worker(in0); run Worker(in1); run Worker(in2) } }";

/// Channels that are declared one by one and looked up by a name.
const LOOKED_UP: &str = "
    chan box1 = [1] of { pid }; chan box2 = [1] of { pid }; chan box3 = [1] of { pid };
    chan net = [1] of { pid, pid }; chan none = [0] of { pid };
    proctype Client(chan own) {
        pid from = 0; pid to = 0;
        do
        :: atomic { own ? from; assert(from != 0); from = 0 }
        :: atomic { if :: to = 1 :: to = 2 :: to = 3 fi; net ! _pid, to; to = 0 }
        od
    }
    proctype Mailer() {
        pid from = 0; pid to = 0; chan box = none;
        do
        :: atomic { net ? from, to; if :: to == 1 -> box = box1 :: to == 2 -> box = box2 :: to == 3 -> box = box3 fi };
            atomic { box ! from; box = none; from = 0; to = 0 }
        od
    }
    init { atomic { run Client(box1); run Client(box2); run Client(box3); run Mailer() } }";

/// The same, where the name is the number of a process.
fn mailboxes() -> String {
    let text = LOOKED_UP.replace("= [1] of { pid };", "= [1] of { pid, pid };");
    let text = text.replace(
        "own ? from; assert(from != 0);",
        "own ? from, to; assert(to == _pid); to = 0;",
    );
    text.replace("box ! from;", "box ! from, to;")
        .replace("none = [0] of { pid }", "none = [0] of { pid, pid }")
}

/// Numbers of processes that are counted from 0 in arrays.
const SHIFTED: &str = "
    bool flag[3]; pid last = 255; byte who = 255; byte n;
    active proctype Zero() { do :: n < 1 -> n = 1 :: n = 0 od }
    active [3] proctype P() {
        byte l = 255;
        do
        :: flag[_pid - 1] = 1 - flag[_pid - 1]
        :: last = _pid
        :: atomic { l = _pid - 1; flag[l] = 0; l = 255 }
        :: last != 255 && flag[last - 1] -> last = 255
        :: who = _pid + 2
        :: who == _pid + 2 -> who = 255
        :: last == 1 || last == 2 || last == 3 -> n = 0
        od
    }";

/// Processes with their names, which start late and one at a time, from a loop.
const LOOPED: &str = "
    byte level[4]; byte turn = 255; byte critical; bool go;
    proctype P(byte me) {
        byte k;
        do
        :: k == 0 -> level[me] = 1; turn = me; k = 1
        :: atomic { k == 1 && (turn != me || level[1] + level[2] + level[3] == 1) -> critical++; k = 2 }
        :: atomic { k == 2 -> critical--; level[me] = 0; k = 0 }
        :: k == 0 && go -> assert(level[me] == 0)
        od
    }
    init {
        byte i = 1;
        do :: i <= 3 -> run P(i); i++ :: else -> break od;
        go = true; do :: level[1] + level[2] + level[3] == 3 -> go = false :: go -> go = true od
    }";

fn bases() -> Vec<Base> {
    let inline = |name, text: &str, mutants| Base {
        name,
        text: text.to_string(),
        defines: &[],
        mutants,
    };
    let bundled = |name, defines, mutants| Base {
        name,
        text: bundled_text(name),
        defines,
        mutants,
    };
    vec![
        inline(
            "tickets",
            TICKETS,
            &[
                ("told == me", "told == 1"),
                ("told == me", "told >= me"),
                ("told == me", "told == me && rounds < 3"),
                ("owner = me;", "owner = 2;"),
                ("owner = me;", "owner = me + 1;"),
                ("owner = me;", "owner = me; owner < 2;"),
                ("owner = me;", "owner = me; rounds = me;"),
                ("owner = me;", "owner = me; rounds = (rounds + me) % 3;"),
                (
                    "owner = me;",
                    "owner = me; rounds = me; rounds = rounds & 1;",
                ),
                ("used[me] = true", "used[0] = true"),
                ("used[me] = true", "used[2 - me] = true"),
                ("inside <= 1", "inside <= 1 && owner != 2"),
                ("inside <= 1", "inside <= 1 && !used[1]"),
                ("inside++;", "inside = inside + me;"),
                (
                    "inside++;",
                    "if :: me == 1 -> inside++ :: else -> inside = 1 fi;",
                ),
                ("inside++;", "if :: me == 1 -> skip :: else fi; inside++;"),
                ("answer[whom] ! grant, whom", "answer[whom] ! grant, 1"),
                ("answer[whom] ! grant, whom", "answer[0] ! grant, whom"),
                ("desk ? ask, whom", "desk ? ask, eval(1)"),
                ("desk ! ask, me", "desk !! ask, me"),
                ("desk ?? grant, eval(whom)", "desk ?? grant, 2"),
                ("byte told = 255", "byte told = 1"),
                ("byte owner = 255", "byte owner = 1"),
                ("byte owner = 255", "byte owner = 255, spare"),
                ("pad = 1;", "owner = 1;"),
                ("pad = 1;", "used[1] = true;"),
                ("told = 255; desk", "told = 1; desk"),
                ("whom = 255\n", "whom = 0\n"),
            ],
        ),
        inline(
            "colours",
            COLOURS,
            &[
                (":: mine = 3 fi", ":: mine = 2 fi"),
                (":: mine = 3 fi", ":: mine = 0 fi"),
                ("uses[mine]++", "uses[mine] = uses[mine] + mine"),
                ("uses[mine]++", "uses[1]++"),
                ("tint[_pid] = mine", "tint[_pid] = 2"),
                ("tint[0] == tint[1]", "tint[0] < tint[1]"),
                ("tint[0] == tint[1]", "tint[0] == 3"),
                ("tint[0] == tint[1]", "tint[0] == tint[1] && _pid == 0"),
                ("uses[mine] > 1", "uses[mine] > mine"),
                ("uses[mine] > 1", "uses[1] > 1"),
                ("seen < 1 -> seen = 1", "seen != mine -> seen = mine"),
                ("seen < 1 -> seen = 1", "mine == 3 -> seen = 1"),
                ("seen < 1 -> seen = 1", "assert(tint[1] != 2)"),
                (
                    "seen < 1 -> seen = 1",
                    "atomic { mine != 9 -> seen = mine; seen = (seen == 9) }",
                ),
                ("byte tint[2] = 9", "byte tint[2] = 2"),
            ],
        ),
        inline(
            "handed",
            HANDED,
            &[
                ("pool ! own, n", "pool ! in0, n"),
                (":: own ? n", ":: in1 ? n"),
                (":: n = 1 - n", ":: own == in2 -> n = 1 - n"),
                (":: n = 1 - n", ":: len(in0) == 1 -> n = 1 - n"),
                ("to ! n", "in0 ! n"),
                ("to ! n", "to ! count"),
                ("to ! n; to = none", "to ! n; to = in0"),
                ("count < 1 ->", "nempty(in2) ->"),
                ("mine = own;", "mine = in1;"),
                ("run Worker(in2)", "run Worker(in1)"),
                ("chan in2 = [1]", "chan in2 = [2]"),
            ],
        ),
        inline(
            "looked up",
            LOOKED_UP,
            &[
                (":: to == 3 -> box = box3", ":: to == 3 -> box = box2"),
                (":: to == 3 -> box = box3", ":: to != 2 -> box = box3"),
                (":: to = 3 fi", ":: to = 2 fi"),
                ("net ! _pid, to", "net ! 1, to"),
                ("own ? from;", "box1 ? from;"),
                ("assert(from != 0)", "assert(from != 3)"),
                ("box ! from;", "box1 ! from;"),
                ("from = 0; to = 0 }\n", "from = 1; to = 0 }\n"),
                ("chan box2 = [1]", "chan box2 = [2]"),
            ],
        ),
        inline(
            "mailboxes",
            &mailboxes(),
            &[
                (":: to == 3 -> box = box3", ":: to == 3 -> box = box2"),
                (":: to == 3 -> box = box3", ":: to != 2 -> box = box3"),
                (":: to = 3 fi", ":: to = 2 fi"),
                ("net ! _pid, to", "net ! 1, to"),
                ("own ? from, to;", "box1 ? from, to;"),
                ("assert(to == _pid)", "assert(to != 3)"),
                ("assert(to == _pid)", "assert(from != 2)"),
                ("box ! from, to;", "box1 ! from, to;"),
                ("from = 0; to = 0 }\n", "from = 1; to = 0 }\n"),
                ("chan box2 = [1]", "chan box2 = [2]"),
                ("run Client(box2)", "run Client(box3)"),
            ],
        ),
        inline(
            "shifted",
            SHIFTED,
            &[
                (
                    "flag[_pid - 1] = 1 - flag[_pid - 1]",
                    "flag[_pid - 1] = 1 - flag[0]",
                ),
                ("flag[_pid - 1] = 1", "flag[3 - _pid] = 1"),
                ("flag[_pid - 1] = 1", "flag[_pid % 3] = 1"),
                ("last = _pid\n", "last = _pid - 1\n"),
                ("l = _pid - 1;", "l = _pid % 3;"),
                ("l = _pid - 1;", "l = 1;"),
                ("flag[last - 1]", "flag[last % 3]"),
                ("flag[last - 1]", "last < 3"),
                ("who = _pid + 2", "who = _pid + 1"),
                ("who == _pid + 2", "who == _pid + 1"),
                ("who = _pid + 2", "who = 4"),
                (
                    "last == 1 || last == 2 || last == 3",
                    "last == 1 || last == 2",
                ),
                ("n < 1 -> n = 1", "flag[0] -> n = 1"),
                ("n < 1 -> n = 1", "flag[0] && flag[1] && flag[2] -> n = 1"),
                ("n < 1 -> n = 1", "who == 5 -> n = 1"),
            ],
        ),
        inline(
            "looped",
            LOOPED,
            &[
                ("level[1] + level[2] + level[3] == 3", "level[1] == 1"),
                ("level[1] + level[2] + level[3] == 3", "turn == 2"),
                (":: go -> go = true", ":: go -> turn = 1"),
                (":: go -> go = true", ":: go -> level[0] = 1"),
                (
                    "|| level[1] + level[2] + level[3] == 1",
                    "|| level[1] + level[2] == 1",
                ),
                ("turn = me;", "turn = 1;"),
                ("turn != me", "turn > me"),
                ("assert(level[me] == 0)", "assert(level[1] == 0)"),
                ("assert(level[me] == 0)", "assert(me != 2)"),
                ("byte i = 1", "byte i = 0"),
                ("go = true; do", "go = true; turn = 3; do"),
            ],
        ),
        bundled(
            "three-tier",
            &["C1=1", "C2=1"],
            &[
                ("asker ! result;", "answer[0] ! result;"),
                ("asker = none\n", "asker = answer[1]\n"),
                ("in ? request, client;", "desk[0] ? request, client;"),
                ("database ! query, back;", "database ! query, answer[0];"),
                ("back ? result;", "answer[1] ? result;"),
                ("client ! response;", "reply[0] ! response;"),
                ("server ! request, back;", "desk[1] ! request, back;"),
                ("server ! request, back;", "server ! request, reply[0];"),
                ("back ? response", "reply[1] ? response"),
                ("back ? response", "back == reply[0]; back ? response"),
                ("back ? response", "len(desk[1]) == 0; back ? response"),
            ],
        ),
        bundled(
            "initialisation",
            &["N=2"],
            &[
                (":: tell(0) :: tell(1)\n#elif", ":: tell(0)\n#elif"),
                ("(other == me)", "(other == 0)"),
                ("(other == me)", "(other <= me)"),
                ("heard[me].from[other] =", "heard[other].from[me] ="),
                ("heard[me].from[other] =", "heard[1].from[other] ="),
                ("missing[me] = N - 1", "missing[0] = N - 1"),
                ("missing[me] = N - 1", "missing[me] = N - 1 + me"),
                ("partner[me] ! true", "partner[0] ! true"),
                ("missing[me] == 0;", "missing[1] == 0;"),
                ("assert(ready == N)", "assert(ready == N && me == 0)"),
                ("assert(ready == N)", "assert(missing[0] == 0)"),
                ("partner[me] ? true;", "partner[1] ? true;"),
                ("for (other : 0 .. N - 1)", "for (other : 1 .. N - 1)"),
                ("missing[q]--", "missing[me]--"),
                ("ready++;", "ready = ready + me + 1;"),
            ],
        ),
    ]
}

const STATES: usize = 1_000;

fn detect(base: &Base) -> (Loaded, Candidate, Certificate) {
    let loaded = load(&base.text, base.defines);
    let detected = loaded.detect();
    let certificate = detected.certificate.expect("some symmetry");
    (loaded, detected.candidate, certificate)
}

#[test]
fn the_models_before_mutation_are_symmetric() {
    for base in bases() {
        let (loaded, _, certificate) = detect(&base);
        match judge_certificate(&loaded, &certificate, STATES) {
            Judgement::Symmetric { checks, .. } => assert!(checks > 100, "{}", base.name),
            Judgement::Asymmetric(state) => panic!("{}: {state}", base.name),
        }
    }
}

#[test]
fn what_the_models_have_before_mutation() {
    let expected: &[(&str, &[&str])] = &[
        ("tickets", &["Client x3", "answer 0..2*"]),
        ("colours", &["uses 1..3"]),
        ("handed", &["Worker x3", "in0, in1, in2 0..2*"]),
        ("looked up", &["Client x3", "to 1..3*"]),
        ("mailboxes", &["Client x3*"]),
        ("shifted", &["P x3"]),
        ("looped", &["P x3", "level 1..3*"]),
        ("three-tier", &TIERS),
        (
            "initialisation",
            &["Component x2", "Partner x2", "heard 0..1*"],
        ),
    ];
    for (base, (name, domains)) in bases().iter().zip(expected) {
        let (loaded, _, certificate) = detect(base);
        assert_eq!(base.name, *name);
        assert_eq!(loaded.summary(&certificate), *domains, "{name}");
    }
}

const TIERS: [&str; 5] = [
    "Client x2",
    "Server x2",
    "answer 0..1*",
    "desk 0..1*",
    "reply 0..1*",
];

/// Mutants that brute force finds symmetric and the certifier refuses all the same: allowed, but known.
const FALSE_REFUSALS: &[&str] = &[
    "handed: chan in2 = [1] => chan in2 = [2]",
    "initialisation: heard[me].from[other] = => heard[other].from[me] =",
    "looked up: chan box2 = [1] => chan box2 = [2]",
    "mailboxes: chan box2 = [1] => chan box2 = [2]",
    "tickets: told == me => told >= me",
];

#[test]
fn no_asymmetric_mutant_is_certified() {
    let mut broken = 0;
    let mut failures = Vec::new();
    let mut false_refusals = BTreeSet::new();
    for base in bases() {
        let (_, candidate, original) = detect(&base);
        for (from, to) in base.mutants {
            let name = format!("{}: {from} => {to}", base.name);
            assert!(base.text.contains(from), "{name}");
            let loaded = load(&base.text.replacen(from, to, 1), base.defines);
            let proof = certify(&loaded.model, loaded.observers(), &candidate);
            let judgement = match &proof {
                Ok(certificate) => judge_certificate(&loaded, certificate, STATES),
                Err(_) => judge_domains(&loaded, original.sorts(), original.domains(), STATES),
            };
            match (proof, judgement) {
                (Ok(_), Judgement::Asymmetric(state)) => {
                    failures.push(format!("{name}: certified, but {state}"));
                }
                (Err(_), Judgement::Asymmetric(_)) => broken += 1,
                (Err(_), Judgement::Symmetric { .. }) => drop(false_refusals.insert(name)),
                (Ok(_), Judgement::Symmetric { .. }) => {}
            }
            // What is found in the mutant itself must be true, too.
            let found = loaded.detect();
            if let Some(certificate) = found.certificate
                && let Judgement::Asymmetric(state) =
                    judge_certificate(&loaded, &certificate, STATES)
            {
                let domains = loaded.summary(&certificate);
                failures.push(format!("{from} => {to}: found {domains:?}, but {state}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
    let known: BTreeSet<String> = FALSE_REFUSALS.iter().map(|s| s.to_string()).collect();
    assert_eq!(false_refusals, known);
    assert!(broken >= 90, "only {broken} mutants are asymmetric");
}

/// All models and their mutants, with what is defined.
pub fn all_texts() -> Vec<(String, &'static [&'static str])> {
    let all = texts_with_mutants().into_iter();
    let all = all.flat_map(|(text, mutants, defines)| {
        let texts = mutants.into_iter().chain([text]);
        texts.map(move |text| (text, defines))
    });
    all.collect()
}

/// Each model with its mutants, and with what is defined.
pub fn texts_with_mutants() -> Vec<(String, Vec<String>, &'static [&'static str])> {
    let with_mutants = |base: Base| {
        let mutants = base.mutants.iter();
        let mutants = mutants.map(|(from, to)| base.text.replacen(from, to, 1));
        (base.text.clone(), mutants.collect(), base.defines)
    };
    bases().into_iter().map(with_mutants).collect()
}
