//! Files of automata: what is read, and what is refused by name.

use mandala_temporal::Hoa;

/// The part of the text that an error points at, and what it says.
fn refusal(text: &str) -> (String, String) {
    let error = Hoa::parse(text).expect_err(text);
    (text[error.place.clone()].to_string(), error.message)
}

fn file(header: &str, body: &str) -> String {
    format!("HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"x > 1\"\n{header}\n--BODY--\n{body}\n--END--\n")
}

#[test]
fn propositions_are_found_in_the_text() {
    let text = file(
        "name: \"two\" tool: \"none\" \"0.1\" acc-name: Buchi properties: very-weak\nAcceptance: 1 Inf(0)",
        "State: 0 \"start\" [!0] 0 [0] 1 /* a /* nested */ comment */ State: 1 {0} [t] 1",
    );
    let read = Hoa::parse(&text).expect("a right file");
    assert_eq!(&text[read.propositions[0].clone()], "x > 1");
    assert_eq!(read.automaton.states.len(), 2);
    assert_eq!(
        read.automaton.named(&read.names).to_string(),
        "never {\nS0:\n\tdo\n\t:: (! ((x > 1))) -> goto S0\n\t:: ((x > 1)) -> goto accept_S1\n\tod;\n\
         accept_S1:\n\tdo\n\t:: (1) -> goto accept_S1\n\tod;\n}\n"
    );
}

#[test]
fn what_is_not_supported_is_named() {
    let buchi = "Acceptance: 1 Inf(0)";
    for (text, place, words) in [
        (
            file("Acceptance: 1 Fin(0)", ""),
            "Fin",
            "`Fin` in `Acceptance:`",
        ),
        (file("Acceptance: 1 Inf(!0)", ""), "!", "negated set"),
        (
            file("Acceptance: 2 Inf(0)|Inf(1)", ""),
            "|",
            "`|` in `Acceptance:`",
        ),
        (
            file("Acceptance: 2 Inf(0)", ""),
            "2",
            "must name each of its sets",
        ),
        (file("", ""), "--BODY--", "no `Acceptance:`"),
        (
            file(&format!("{buchi} Start: 0&1"), ""),
            "&",
            "universal branching",
        ),
        (file(buchi, "State: 0 [0] 0&1"), "&", "universal branching"),
        (
            file(&format!("Controllable: 1 {buchi}"), ""),
            "Controllable:",
            "`Controllable:` is not supported",
        ),
        (file(buchi, "State: 0 [1] 0"), "1", "no proposition 1"),
        (file(buchi, "State: 0 [@a] 0"), "@a", "no `Alias: @a`"),
        (file(buchi, "State: 0 [0] 7"), "--END--", "no state 7"),
        (file(buchi, "State: 2 [0] 0"), "2", "not below `States:`"),
        (file(buchi, "State: 0 State: 0"), "0", "a second state 0"),
        (
            file(buchi, "State: 0 0"),
            "--END--",
            "1 transitions without labels, and there must be 2",
        ),
        (file(buchi, "State: 0 {1}"), "1", "no acceptance set 1"),
        (file(buchi, "State: 0 [0 0"), "0", "`]` after a label"),
        (file(buchi, "--ABORT--"), "--ABORT--", "`--ABORT--`"),
        (format!("{0}{0}", file(buchi, "")), "HOA:", "one automaton"),
        ("HOA: v2".into(), "v2", "the version `v1`"),
        ("never { }".into(), "never", "`HOA: v1`"),
        (String::new(), "", "the end of the file"),
        ("HOA: v1 /* open".into(), "/*", "no end"),
        ("HOA: v1 name: \"open".into(), "\"", "no end"),
        (
            "HOA: v1 States: 99999999999999999999".into(),
            "99999999999999999999",
            "too large",
        ),
        ("HOA: v1 States: 1000000".into(), "1000000", "100000 states"),
        ("HOA: v1 \u{e9}".into(), "\u{e9}", "no meaning"),
        ("HOA: v1 -".into(), "-", "no meaning"),
    ] {
        let (at, message) = refusal(&text);
        assert_eq!(at, place, "{message}\n{text}");
        assert!(message.contains(words), "{message}\n{text}");
    }
}

#[test]
fn labels_do_not_explode() {
    let doubling: String = (1..60)
        .map(|n| format!("Alias: @a{n} @a{0} & @a{0}\n", n - 1))
        .collect();
    let text = file(&format!("Alias: @a0 0\n{doubling}Acceptance: 0 t"), "");
    assert!(refusal(&text).1.contains("too large"));
    let deep = format!(
        "State: 0 [{}0{}] 0",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    assert!(
        refusal(&file("Acceptance: 0 t", &deep))
            .1
            .contains("nested")
    );
    let negations = format!("State: 0 [{}0] 0", "!".repeat(100_000));
    assert!(
        refusal(&file("Acceptance: 0 t", &negations))
            .1
            .contains("nested")
    );
}

#[test]
fn headers_come_in_any_order() {
    let headers = [
        "States: 1",
        "Start: 0",
        "Alias: @x 0 & !1",
        "AP: 2 \"a\" \"b\"",
        "Acceptance: 1 Inf(0)",
    ];
    let read = |headers: &[&str]| {
        let text = format!(
            "HOA: v1\n{}\n--BODY--\nState: 0 {{0}} [@x] 0\n--END--\n",
            headers.join("\n")
        );
        Hoa::parse(&text).expect("a right file").automaton
    };
    let reversed: Vec<&str> = headers.iter().rev().copied().collect();
    assert_eq!(read(&headers).states, read(&reversed).states);
}

/// Every prefix of a file, and a file with any byte changed, is read or refused.
#[test]
fn no_text_is_too_much() {
    let text = file(
        "Alias: @a !0\nAcceptance: 2 Inf(0)&Inf(1)",
        "State: 0 {1} [@a] 0 [0|t] 1 {0} State: [t] 1 1",
    );
    assert!(Hoa::parse(&text).is_ok());
    for end in 0..text.len() {
        assert!(Hoa::parse(&text[..end]).is_err() || end + 1 == text.len());
        for other in ['"', '}', '&', '9', '@', '\u{e9}', '-'] {
            let mut changed: Vec<char> = text.chars().collect();
            changed[end] = other;
            let _ = Hoa::parse(&changed.into_iter().collect::<String>());
        }
    }
}
