//! What stays possible, on random models: the explicit engine in all its ways agrees with the reference engine.

use mandala_checker::check;
use mandala_checker::frontend::{LoadedModel, ModelInput, load};
use mandala_checker::options::{CheckOptions, Deadlock, EngineChoice, SearchOrder, SymmetryChoice};
use mandala_checker::watch::Nobody;
use mandala_report::Document;
use mandala_report::document::{Verdict, ViolationKind};
use std::fmt::Write;
use std::num::NonZeroU32;

/// Numbers that look random, the same for the same seed.
struct RandomSource(u64);

impl RandomSource {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// Three interchangeable processes, and a number that they share. Steps are drawn at random, so that some
/// models have states from which there is no way back.
fn model(seed: u64) -> String {
    let mut dice = RandomSource(seed);
    let mut text = String::from(
        "type Who: scalarset(3);\n\
         var at: array [Who] of 0..2; x: 0..4; owner: Who;\n\
         startstate for w: Who do at[w] := 0; end; x := 0; end;\n\
         ruleset w: Who do\n",
    );
    for number in 0..5 {
        let [from, to] = [dice.below(3), dice.below(3)];
        let [here, there] = [dice.below(5), dice.below(5)];
        let holds = ["x <= ", "x = ", "x != "][dice.below(3) as usize];
        let owner = match dice.below(4) {
            0 => "owner := w;",
            1 => "undefine owner;",
            _ => "",
        };
        let mine = ["", " & !isundefined(owner) & owner = w"][usize::from(dice.below(5) == 0)];
        let _ = writeln!(
            text,
            "rule \"{number}\" at[w] = {from} & {holds}{here}{mine} ==> at[w] := {to}; x := {there}; {owner} end;"
        );
    }
    text.push_str("end;\n");
    for number in 0..5 {
        let _ = writeln!(text, "liveness \"x {number}\" x = {number};");
    }
    text.push_str("liveness \"no owner\" isundefined(owner);\n");
    text
}

fn loaded(text: &str) -> LoadedModel {
    let input = ModelInput {
        path: "random.m".into(),
        text: text.into(),
        defines: Vec::new(),
        dialect: None,
        read: |_| Err(std::io::Error::other("there is no other file")),
    };
    load(input).unwrap_or_else(|error| panic!("{text}{error:?}"))
}

fn checked(loaded: &LoadedModel, options: CheckOptions) -> Document {
    let options = CheckOptions {
        deadlock: Deadlock::Ignore,
        ..options
    };
    check(loaded, &options, &mut Nobody).unwrap_or_else(|refusal| panic!("{refusal:?}"))
}

/// The verdicts, and how long the runs to losses are.
fn told(document: &Document) -> (Vec<(String, Verdict)>, Vec<usize>) {
    let properties = document.properties.iter();
    let lost = document.counterexamples();
    let lost = lost.filter(|(violation, _)| violation.kind == ViolationKind::Liveness);
    (
        properties.map(|p| (p.name.clone(), p.verdict)).collect(),
        lost.map(|(_, trace)| trace.steps.len()).collect(),
    )
}

fn ways() -> [CheckOptions; 4] {
    let off = SymmetryChoice::Off;
    [
        CheckOptions::default(),
        CheckOptions {
            symmetry: off,
            interpret: true,
            ..CheckOptions::default()
        },
        CheckOptions {
            order: SearchOrder::DepthFirst,
            ..CheckOptions::default()
        },
        CheckOptions {
            symmetry: off,
            workers: NonZeroU32::new(3).unwrap_or(NonZeroU32::MIN),
            ..CheckOptions::default()
        },
    ]
}

#[test]
fn all_ways_agree() {
    let (mut lost, mut kept, mut reduced) = (0, 0, 0);
    for seed in 0..150 {
        let text = model(seed);
        let loaded = loaded(&text);
        let reference = CheckOptions {
            engine: EngineChoice::REFERENCE,
            symmetry: SymmetryChoice::Off,
            ..CheckOptions::default()
        };
        let all = checked(&loaded, reference);
        let expected = told(&all);
        for way in ways() {
            let document = checked(&loaded, way.clone());
            assert_eq!(told(&document), expected, "{way:?}\n{text}");
            reduced += usize::from(document.stats.states < all.stats.states);
        }
        lost += expected.1.len();
        let holds = |(_, verdict): &&(String, Verdict)| *verdict == Verdict::Holds;
        kept += expected.0.iter().filter(holds).count() - 1;
    }
    assert!(lost > 150 && kept > 150, "{lost} lost, {kept} kept");
    assert!(reduced > 100, "{reduced} searches of orbits");
}
