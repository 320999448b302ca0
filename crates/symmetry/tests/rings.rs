//! Groups that are less than all permutations: rings, cubes, and what is left of a family that is almost symmetric.
//! Found without being told; brute force over the states has the last word.

use crate::common::{Judgement, Loaded, bundled, bundled_text, judge_moves, load};
use mandala_symmetry::{
    Difference, Level, LookAlikes, Permutation, ProofBudget, Renaming, certify_renamings, detect,
};
use std::num::NonZeroU32;

#[test]
fn rings_can_be_turned() {
    for n in 3..=5 {
        let size = format!("N={n}");
        bundled("philosophers", &[&size]).has_order(n);
        bundled("milner", &[&size]).has_order(n);
    }
    for n in 2..=4 {
        bundled("leader-ring", &[&format!("N={n}")]).has_order(n);
    }
}

#[test]
fn cubes_can_be_turned_and_reflected() {
    for (d, order) in [(1, 2), (2, 8), (3, 48)] {
        bundled("hypercube", &[&format!("D={d}")]).has_order(order);
    }
}

#[test]
fn what_is_fully_symmetric_stays_so() {
    bundled("peterson", &["N=3"]).has_order(6);
    bundled("readers-writers", &["R=3", "W=2"]).has_order(12);
    bundled("load-balancer", &["S=2", "C=3"]).has_order(12);
    bundled("email", &["N=3"]).has_order(6);
}

/// Who takes forks in any order can be reflected, too; forks move differently from philosophers then.
#[test]
fn forks_that_are_taken_in_any_order() {
    let text = "
#define NONE 255
byte owner[N] = NONE;
#define RIGHT ((_pid + 1) % N)
active [N] proctype Philosopher() {
    do
    :: d_step { owner[_pid] == NONE -> owner[_pid] = _pid }
    :: d_step { owner[RIGHT] == NONE -> owner[RIGHT] = _pid }
    :: d_step { owner[_pid] == _pid && owner[RIGHT] == _pid -> owner[_pid] = NONE; owner[RIGHT] = NONE }
    od
}";
    for n in [3, 4, 5] {
        load(text, &[&format!("N={n}")]).has_order(2 * n);
    }
}

/// The names that an array is indexed by need not be those of processes.
#[test]
fn rings_of_links() {
    let text = "
bit busy[N];
active [N] proctype Node() {
    do
    :: d_step { busy[(_pid + N - 1) % N] && !busy[(_pid + 1) % N] -> busy[(_pid + N - 1) % N] = 0; busy[(_pid + 1) % N] = 1 }
    :: d_step { busy[(_pid + 1) % N] == 0 -> busy[(_pid + 1) % N] = 1 }
    od
}";
    for n in [3, 5] {
        load(text, &[&format!("N={n}")]).has_order(n);
    }
}

/// Pairs of partners: `_pid ^ 1` inside, and the pairs among each other.
#[test]
fn partners_and_teams() {
    let partners = "
bit flag[N];
active [N] proctype P() { do :: d_step { !flag[_pid ^ 1] -> flag[_pid] = 1 - flag[_pid] } od }";
    load(partners, &["N=4"]).has_order(8);
    load(partners, &["N=6"]).has_order(48);
    let teams = "
byte score[N / 2];
active [N] proctype P() { do :: d_step { score[_pid / 2] < 2 -> score[_pid / 2]++ } :: d_step { score[_pid / 2] > 0 -> score[_pid / 2]-- } od }";
    load(teams, &["N=4"]).has_order(8);
}

#[test]
fn labels_can_be_flipped() {
    let text = "
bit label[N];
active [N] proctype P() { do :: d_step { label[_pid] == label[(_pid + 1) % N] -> label[_pid] = 1 - label[_pid] } od }";
    load(text, &["N=3"]).has_order(6);
    load(text, &["N=4"]).has_order(8);
}

/// Colours of the nodes of a ring without direction: rotations, reflections, colours, and the bit by which nodes
/// agree with each neighbour.
#[test]
fn colours_can_be_exchanged() {
    let text = "
byte colour[N];
#define L ((_pid + N - 1) % N)
#define R ((_pid + 1) % N)
active [N] proctype P() { do
    :: atomic { colour[L] == colour[R] -> if :: colour[L] = 0 :: colour[L] = 1 :: colour[L] = 2 fi }
    :: atomic { colour[L] == colour[R] -> if :: colour[R] = 0 :: colour[R] = 1 :: colour[R] = 2 fi }
    od }";
    load(text, &["N=3"]).has_order(36);
    load(text, &["N=5"]).has_order(60);
}

/// Marks may be fields of records, and compared after both have been turned over.
#[test]
fn marks_can_be_turned_over() {
    bundled("two-hop", &["N=3"]).has_order(72);
    bundled("token-ring", &["N=4"]).has_order(8);
}

/// A ring in which one is different has nothing left, and the line is named.
#[test]
fn what_tells_look_alikes_apart() {
    let lefty = bundled("philosophers", &["N=4", "LEFTY=1"]);
    let found = lefty.has_order(1);
    assert_eq!(found.differences.len(), 3, "{:?}", found.differences);
    let lines = found
        .differences
        .iter()
        .filter_map(|d| d.statement.as_ref());
    assert!(lines.count() > 0);

    let odd = load(
        "byte x; active [4] proctype P() { do\n:: x == 0 -> x = 1\n:: _pid == 2 && x == 1 -> x = 0\nod }",
        &[],
    );
    let found = odd.has_order(6);
    let [difference] = &found.differences[..] else {
        panic!("{:?}", found.differences);
    };
    assert_eq!(difference.who, LookAlikes::Processes(0, 2));
    let (span, _) = difference.statement.clone().expect("a statement");
    assert_eq!(odd.sources.location(span).line, 3);
}

/// Names are told apart as processes are, and the shortest statement that does so is named.
#[test]
fn what_tells_names_apart() {
    let loaded = load(
        "bool taken[4]; byte x;
active [2] proctype P() { byte i = 255; do
:: atomic { select(i : 0 .. 3); !taken[i] -> taken[i] = true };
if
:: i == 2 -> x = 1
:: else
fi;
d_step { taken[i] = false; if :: i == 2 -> x = 0 :: else fi; i = 255 }
od }",
        &[],
    );
    let found = loaded.has_order(12);
    let [difference] = &found.differences[..] else {
        panic!("{:?}", found.differences);
    };
    let LookAlikes::Names { values, .. } = &difference.who else {
        panic!("{difference:?}");
    };
    assert_eq!(*values, (0, 2));
    let (span, text) = difference.statement.clone().expect("a statement");
    assert_eq!(
        (loaded.sources.location(span).line, text.as_str()),
        (5, "i == 2")
    );
}

/// The conditions on all moves, the order of edges, and what new processes hold at first are part of the graph: what does not
/// keep to them is not even proposed.
#[test]
fn the_graph_has_all_that_is_compared() {
    let models = [
        // Two of three may move; only they change places.
        (
            "byte x; active [3] proctype P() provided (x == 0 || _pid != 1) { do :: x = 1 - x od }",
            2,
        ),
        // The first of two that are possible closes the other.
        (
            "bool f[4]; byte x; active [4] proctype P() {
                do :: { x = 1 - x; x = 0 } unless { f[0] -> f[_pid] = 0 } od }",
            6,
        ),
        // Only one of the four names is given to those that are made again and again; they change places, too, and so do
        // the values of `f`.
        (
            "bool f[4]; byte n; proctype Q() { byte i = 2; end: f[i] = 1 - f[i]; n--; false }
            active proctype P() { byte i; do
                :: atomic { n < 2 -> n++; run Q() }
                :: atomic { select(i : 0 .. 3); f[i] = 1 - f[i]; i = 255 } od }",
            24,
        ),
    ];
    for (text, order) in models {
        let found = load(text, &[]).has_order(order);
        assert!(found.refused.is_empty(), "{text}: {:?}", found.refused);
        assert!(found.attempts.iter().any(|a| a.proposed > 0), "{text}");
    }
}

fn turn(n: u32, by: u32) -> Renaming {
    let images = (0..n).map(|p| (p + by) % n).collect();
    Renaming::of_processes(Permutation::from_images(images).expect("a rotation"))
}

/// Whether a rotation of a family by one passes, and what brute force says of it.
fn rotation(loaded: &Loaded, name: &str, n: u32) -> (bool, bool) {
    let numbers: Vec<u32> = (0..n).collect();
    let candidate = loaded.candidate(&[(name, &numbers)]);
    let turn = turn(n, 1);
    let examined = certify_renamings(
        &loaded.model,
        loaded.observers(),
        &candidate,
        std::slice::from_ref(&turn),
    );
    let Ok(examined) = examined else {
        return (false, false);
    };
    let Some(certificate) = &examined.certificate else {
        return (false, false);
    };
    let sorts = certificate.sorts();
    let judged = judge_moves(loaded, sorts, certificate.domains(), 1_500, |_| {
        vec![turn.clone()]
    });
    let symmetric = matches!(judged, Judgement::Symmetric { .. });
    (examined.verdicts[0].is_ok(), symmetric)
}

/// Rings with one thing changed. Who passes is symmetric; most do not pass.
#[test]
fn almost_symmetric_rings() {
    let mutants = [
        (
            "philosophers",
            "Philosopher",
            "!taken[fork] ->",
            "!taken[fork] && _pid != 1 ->",
        ),
        (
            "philosophers",
            "Philosopher",
            "!taken[fork] ->",
            "!taken[0] ->",
        ),
        (
            "philosophers",
            "Philosopher",
            "#define FIRST RIGHT",
            "#define FIRST ((_pid + 1 + (_pid == 2)) % N)",
        ),
        (
            "philosophers",
            "Philosopher",
            "#define LEFT _pid",
            "#define LEFT (_pid & 1)",
        ),
        (
            "milner",
            "Cycler",
            "assert(expected == _pid)",
            "assert(expected <= _pid)",
        ),
        ("milner", "Cycler", "(expected + 1) % N", "(expected + 1)"),
        (
            "milner",
            "Cycler",
            "expected = (expected + 1) % N",
            "expected = 0",
        ),
        (
            "milner",
            "Cycler",
            "token[(_pid + 1) % N] ! true",
            "token[(_pid + 1) % 2] ! true",
        ),
        ("milner", "Cycler", "byte expected;", "bit expected;"),
        (
            "leader-ring",
            "Node",
            "other > name ->",
            "other > name + _pid ->",
        ),
        ("leader-ring", "Node", "leaders++", "leaders = _pid"),
        (
            "leader-ring",
            "Node",
            "((_pid + 1) % N)",
            "((_pid + 1) % N - (_pid == 1))",
        ),
    ];
    let mut refused = 0;
    for (model, template, from, to) in mutants {
        let text = bundled_text(model);
        let changed = text.replacen(from, to, 1);
        assert_ne!(text, changed, "{from}");
        let loaded = load(&changed, &["N=3"]);
        let (certified, symmetric) = rotation(&loaded, template, 3);
        assert!(!certified || symmetric, "{model}: {to}");
        refused += usize::from(!certified);
    }
    assert_eq!(refused, mutants.len());
    for (model, template) in [
        ("philosophers", "Philosopher"),
        ("milner", "Cycler"),
        ("leader-ring", "Node"),
    ] {
        let loaded = load(&bundled_text(model), &["N=3"]);
        assert_eq!(rotation(&loaded, template, 3), (true, true), "{model}");
    }
}

/// A renaming has to keep to the domains.
#[test]
fn renamings_that_make_no_sense_are_refused() {
    let loaded = bundled("philosophers", &["N=4"]);
    let candidate = loaded.candidate(&[("Philosopher", &[0, 1, 2])]);
    let strange = [
        turn(4, 1),
        Renaming::of_processes(Permutation::swap(2, 3)),
        Renaming::of_names(0, Permutation::swap(0, 1)),
        Renaming::of_names(3, Permutation::swap(0, 1)),
    ];
    let examined = certify_renamings(&loaded.model, loaded.observers(), &candidate, &strange);
    let examined = examined.unwrap_or_else(|b| panic!("{}", loaded.reasons(&b)));
    assert!(examined.certificate.is_none());
    assert!(examined.verdicts.iter().all(Result::is_err));
}

/// Values that might be names as well do not disturb what is found otherwise.
#[test]
fn data_do_not_disturb() {
    for name in [
        "mutex",
        "broken-lock",
        "mcs-lock",
        "partial-maps",
        "database",
        "lost-wakeup",
    ] {
        bundled(name, &["N=3"]).has_order(6);
    }
    bundled("alternating-bit", &[]).has_order(1);
}

#[test]
fn large_instances() {
    for (name, define, order) in [
        ("hypercube", "D=4", "384"),
        ("peterson", "N=12", "479001600"),
        ("philosophers", "N=20", "20"),
        ("milner", "N=20", "20"),
        ("leader-ring", "N=6", "6"),
    ] {
        let found = bundled(name, &[define]).symmetry();
        let found = found.certificate.map(|c| c.order().to_string());
        assert_eq!(found.as_deref(), Some(order), "{name}");
    }
}

/// What was done is told: how large the graph was, and what came of it.
#[test]
fn levels_are_told() {
    let found = bundled("philosophers", &["N=4"]).symmetry();
    assert_eq!(found.level, Level::Proposals);
    let first = &found.attempts[0];
    assert_eq!(first.level, Level::Proposals);
    assert_eq!(first.graph, found.graph);
    assert!(
        first
            .graph
            .is_some_and(|(vertices, edges)| vertices > 4 && edges > 4)
    );
    assert!(first.complete && first.is_kept);
    assert_eq!(first.automorphisms.to_string(), "4");
    assert_eq!((first.proposed, first.certified), (1, 1));
    let later = &found.attempts[1..];
    assert!(!later.is_empty() && later.iter().all(|a| !a.is_kept));

    let found = bundled("mutex", &["N=3"]).symmetry();
    assert_eq!(found.level, Level::Domains);
}

/// Without steps nothing is found and nothing is known to be wrong; with some, what was found is kept; with the same number
/// of steps, the same is found.
#[test]
fn budgets_are_respected() {
    let cube = bundled("hypercube", &["D=3"]);
    let census = cube.census();
    let within = |budget: &ProofBudget| detect(&cube.model, cube.observers(), &census, budget);
    let nothing = within(&ProofBudget::of_steps(0));
    assert!(nothing.certificate.is_none() && nothing.attempts.is_empty());
    let breaches = nothing.domains.refused.iter().flat_map(|r| &r.breaches);
    assert!(breaches.clone().count() > 0);
    assert!(breaches.into_iter().all(|b| b.undecided));

    let endless = ProofBudget::unlimited();
    let all = within(&endless).certificate.expect("a cube");
    let whole = endless.spent();
    assert_eq!(all.order().to_string(), "48");
    let all = all.group().expect("renamings keep to domains");
    for eighths in 1..=8 {
        let budgets = [(); 2].map(|()| ProofBudget::of_steps(whole * eighths / 8));
        let orders = budgets.each_ref().map(|budget| {
            let some = within(budget).certificate;
            let order = some.as_ref().map(|c| c.order());
            let group = some.and_then(|c| c.group());
            assert!(group.is_none_or(|g| g.is_subgroup_of(&all)));
            order
        });
        assert_eq!(orders[0], orders[1]);
        assert_eq!(budgets[0].spent(), budgets[1].spent());
        assert_eq!(budgets[0].ended_at(), budgets[1].ended_at());
    }
    let enough = ProofBudget::of_steps(whole + 1);
    let order = within(&enough).certificate.map(|c| c.order().to_string());
    assert_eq!(order.as_deref(), Some("48"));
    assert_eq!(enough.ended_at(), None);
}

/// A budget of one step ends at the first statement that is executed, and says which that is; a higher effort is enough.
#[test]
fn the_part_at_which_a_budget_ends_is_named() {
    let cube = bundled("hypercube", &["D=3"]);
    let census = cube.census();
    let within = |budget: &ProofBudget| detect(&cube.model, cube.observers(), &census, budget);
    let one = ProofBudget::of_steps(1);
    let found = within(&one);
    assert!(found.certificate.is_none());
    let part = one.ended_at().expect("one step is not enough");
    assert!(
        part.span.is_some() && part.what.starts_with('`'),
        "{part:?}"
    );
    let breaches: Vec<_> = found
        .domains
        .refused
        .iter()
        .flat_map(|r| &r.breaches)
        .collect();
    assert!(!breaches.is_empty());
    for breach in breaches {
        assert!(breach.undecided && breach.message.contains(&part.what));
        assert_eq!(breach.span, part.span);
    }
    let much = NonZeroU32::new(10_000_000).expect("not zero");
    let found = within(&ProofBudget::of_steps(1).with_effort(much));
    let order = found.certificate.map(|c| c.order().to_string());
    assert_eq!(order.as_deref(), Some("48"));
}

/// What was proven of one family is kept if the budget ends before the other.
#[test]
fn what_is_proven_within_the_budget_is_kept() {
    let library = bundled("readers-writers", &["R=7", "W=6"]);
    let census = library.census();
    let within =
        |budget: &ProofBudget| detect(&library.model, library.observers(), &census, budget);
    let endless = ProofBudget::unlimited();
    let all = within(&endless).certificate.expect("two families");
    let whole = endless.spent();
    assert_eq!(all.order().to_string(), (5_040 * 720).to_string());
    let all = all.group().expect("renamings keep to domains");
    for part in 0..=60 {
        let found = within(&ProofBudget::of_steps(whole * part / 50));
        let refused = found.domains.refused.iter().flat_map(|r| &r.breaches);
        assert!(refused.into_iter().all(|b| b.undecided));
        let Some(certificate) = found.certificate else {
            continue;
        };
        let full = (0..2).filter(|d| certificate.is_full(*d)).count();
        assert_eq!(
            (
                certificate.domains().len(),
                full + found.domains.refused.len()
            ),
            (2, 2)
        );
        let group = certificate.group().expect("renamings keep to domains");
        assert!(group.is_subgroup_of(&all));
    }
}

/// A certificate can be made to say less, never to say more.
#[test]
fn certificates_can_be_narrowed() {
    let found = bundled("philosophers", &["N=4"]).symmetry();
    let ring = found.certificate.expect("a ring");
    let twice = ring.renamings()[0].then(&ring.renamings()[0]);
    let half_turn = ring.narrowed(vec![twice]).expect("a part of the group");
    assert_eq!(half_turn.order().to_string(), "2");
    assert!(half_turn.narrowed(ring.renamings().to_vec()).is_none());
    let swap = Renaming::of_processes(Permutation::swap(0, 1));
    assert!(ring.narrowed(vec![swap]).is_none());
}

/// However it is written that a label becomes the other one.
#[test]
fn flips_in_other_words() {
    let flips = [
        "1 - label[_pid]",
        "!label[_pid]",
        "(label[_pid] == 1 -> 0 : 1)",
        "(label[_pid] -> 0 : 1)",
        "(label[_pid] != 1)",
    ];
    for flip in flips {
        let text = format!(
            "bit label[N];
active [N] proctype P() {{ do :: d_step {{ label[_pid] == label[(_pid + 1) % N] -> label[_pid] = {flip} }} od }}"
        );
        load(&text, &["N=3"]).has_order(6);
        // One of both is singled out.
        let odd = text.replace("od", ":: d_step { label[_pid] == 1 -> label[_pid] = 0 } od");
        load(&odd, &["N=3"]).has_order(3);
    }
}

/// A statement of everybody may name one of them; who is not spoken of at all is not told apart.
#[test]
fn a_statement_of_all_that_names_one() {
    let text = "byte n, who[4]; bool cs[4];
active [4] proctype Client() { do
:: atomic { n == 0 -> n++; cs[_pid] = 1 };
assert(!(cs[3] && n > 1));
if :: _pid == 2 -> who[2] = 1 :: else fi;
atomic { cs[_pid] = 0; n-- }
od }";
    let loaded = load(text, &[]);
    let found = loaded.has_order(2);
    let line = |d: &Difference| {
        let statement = d.statement.as_ref();
        statement.map(|(span, _)| loaded.sources.location(*span).line)
    };
    let told = found.differences.iter().map(|d| (d.who.clone(), line(d)));
    let told: Vec<_> = told.collect();
    let names = LookAlikes::Names {
        label: "who".into(),
        values: (0, 2),
    };
    assert_eq!(
        told,
        [
            (LookAlikes::Processes(0, 2), Some(5)),
            (LookAlikes::Processes(0, 3), Some(4)),
            (names, Some(5)),
        ]
    );
}

#[test]
fn what_stands_apart_from_the_names_is_nobody() {
    let ring = |waits: &str| {
        let text = format!(
            "byte g = 255;
            proctype P(byte me) {{ do :: g = me :: atomic {{ {waits} == g; g = 255 }} od }}
            init {{ atomic {{ run P(0); run P(1); run P(2); run P(3) }} }}"
        );
        load(&text, &[])
    };
    // The numbers of processes are permuted apart from the names: 4! times 8, 4! times 4.
    ring("(me ^ 3)").has_order(24 * 8);
    ring("(me + 1) % 4").has_order(24 * 4);
}

#[test]
fn a_parameter_that_nobody_reads_does_not_tie_its_process_down() {
    let text = "byte x; proctype P(byte me) { do :: x < 2 -> x++ :: x > 0 -> x-- od }
        init { atomic { run P(0); run P(1); run P(2) } }";
    load(text, &[]).has_order(6 * 6);
}
