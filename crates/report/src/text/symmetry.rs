//! The symmetry of a model, for people: a short block in the report of a check, and the whole of it for
//! `mandala symmetry`.

mod numbers;

use crate::document::{
    Canonicalising, Document, Domain, DomainKind, DomainSource, Guarantee, Refused, Stats,
    Symmetry, SymmetryDocument,
};
use crate::style::{Colour, Tone, counted, grouped, percent, tame};
use crate::text::titled::titled;
use numbers::{decimal, members};

/// How many reasons a report of a check gives.
const REASONS: usize = 4;
/// From how many seconds on shares of the time mean something.
const MEASURABLE: f64 = 0.01;
/// How many generators are written out.
const GENERATORS: usize = 30;

/// The section of a check; nothing if symmetry is off, or nobody has asked for it and nothing might have been symmetric.
pub fn section(document: &Document, colour: Colour) -> Option<String> {
    let symmetry = &document.symmetry;
    let unasked = symmetry.strategy == "auto" && !has_something_to_say(document);
    if symmetry.strategy == "off" || unasked {
        return None;
    }
    let mut lines = match is_partial(symmetry) {
        true => Vec::new(),
        false => vec![summary(symmetry)],
    };
    lines.extend(asymmetry(symmetry));
    lines.extend(use_of(symmetry, &document.stats));
    for property in &document.properties {
        let own = property.symmetry.as_ref();
        lines.extend(own.map(|s| format!("for `{}`: {}", tame(&property.name), summary(s))));
    }
    lines.extend(property_cost(symmetry));
    lines.extend(reasons(symmetry));
    lines.extend(budget_end(symmetry));
    let title = format!("Symmetry ({})", tame(&symmetry.strategy));
    Some(titled(&title, lines, colour))
}

/// Whether the symmetry of single statements is used.
fn is_partial(symmetry: &Symmetry) -> bool {
    matches!(symmetry.strategy.as_str(), "adaptive" | "virtual")
}

/// How far the model is from being symmetric, in one line.
fn asymmetry(symmetry: &Symmetry) -> Option<String> {
    let found = symmetry.asymmetry.as_ref()?;
    let statements = counted(found.statements, "statement");
    let verb = match found.breaking {
        1 => "treats",
        _ => "treat",
    };
    let breaking = grouped(found.breaking);
    let told = format!("{breaking} of {statements} {verb} interchangeable members differently");
    Some(match (symmetry.strategy.as_str(), &found.kind) {
        ("adaptive", _) => {
            format!("{told}; a state has a partition of those that its run has treated alike")
        }
        ("virtual", Some(kind)) => {
            format!(
                "{told}, and the orbits are bisimilar all the same: the model is {}",
                tame(kind)
            )
        }
        ("virtual", None) => told,
        _ => format!("{told}: `--symmetry adaptive` uses what the others keep"),
    })
}

fn has_something_to_say(document: &Document) -> bool {
    let own = document
        .properties
        .iter()
        .filter_map(|p| p.symmetry.as_ref());
    let mut all = own.chain([&document.symmetry]);
    all.any(|s| !s.is_trivial() || !s.refused.is_empty())
}

/// What is used, in one line.
fn summary(symmetry: &Symmetry) -> String {
    group(symmetry).unwrap_or_else(|| {
        let note = symmetry.note.as_deref();
        let why = note.unwrap_or("no symmetry was found");
        format!("nothing is reduced: {}", tame(why))
    })
}

/// The group in one line, if there is one.
fn group(symmetry: &Symmetry) -> Option<String> {
    if symmetry.is_trivial() {
        return None;
    }
    let domains: Vec<String> = symmetry.domains.iter().map(on).collect();
    Some(format!(
        "{} on {}; order {} ({})",
        tame(&symmetry.structure),
        domains.join(", "),
        decimal(&symmetry.order),
        tame(&symmetry.source)
    ))
}

fn on(domain: &Domain) -> String {
    tame(&members(&domain.members))
}

/// What the symmetry was good for, and what it took.
fn use_of(symmetry: &Symmetry, stats: &Stats) -> Vec<String> {
    let Some(canonicalising) = &symmetry.canonicalising else {
        return Vec::new();
    };
    let mut lines = vec![promise(symmetry, canonicalising, stats.states)];
    lines.extend(achieved(symmetry));
    lines.extend(how(symmetry, canonicalising, stats));
    if symmetry.ended_stay {
        lines.push("processes that have ended stay in the states; neither processes nor properties can observe that".into());
    }
    lines.extend(symmetry.restated.iter().map(|words| tame(words)));
    lines
}

/// What differs from the usual, and the time that was spent, unless there was too little of it to tell.
fn how(symmetry: &Symmetry, canonicalising: &Canonicalising, stats: &Stats) -> Option<String> {
    let mut parts = Vec::new();
    if let Some(main_array) = &symmetry.main_array {
        parts.push(format!("sorted by `{}`", tame(main_array)));
    }
    if symmetry.expand.as_deref() == Some("originals") {
        parts.push("originals expanded".into());
    }
    if let Some(share) = canonicalising.share.filter(|_| stats.seconds >= MEASURABLE) {
        let share = percent(share);
        parts.push(format!("{share} of the time spent on finding them"));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn promise(symmetry: &Symmetry, canonicalising: &Canonicalising, states: u64) -> String {
    let representatives = counted(states, "representative");
    match symmetry.guarantee {
        _ if symmetry.exact => format!("{representatives}, one for each orbit"),
        Guarantee::Canonical if canonicalising.not_canonical == 0 => {
            format!("{representatives}, for some orbits several: not everything could be exchanged")
        }
        Guarantee::Canonical => format!(
            "{representatives}, for some orbits perhaps several: not canonical are {}",
            grouped(canonicalising.not_canonical)
        ),
        Guarantee::Several => format!("{representatives}, for some orbits perhaps several"),
        Guarantee::MayMiss => {
            format!("{representatives}, some perhaps for several orbits: violations may be missed")
        }
    }
}

fn achieved(symmetry: &Symmetry) -> Option<String> {
    let (images, achieved) = symmetry.images.zip(symmetry.achieved)?;
    let told = format!(
        "they stand for {}: {achieved:.1} times as many",
        counted(images, "state")
    );
    // Images that break links are stored as well, though no run comes to them.
    let beyond = symmetry
        .bound
        .parse::<f64>()
        .is_ok_and(|bound| achieved > bound);
    Some(match beyond {
        true => format!("{told}, with some that cannot be reached"),
        false => format!("{told}, of at most {}", decimal(&symmetry.bound)),
    })
}

/// What is told apart by properties alone, in one line.
fn property_cost(symmetry: &Symmetry) -> Option<String> {
    let cost = symmetry.property_cost.as_ref()?;
    let lines: Vec<String> = cost.assertions.iter().map(|a| a.line.to_string()).collect();
    let assertions = match lines.as_slice() {
        [] => None,
        [line] => Some(format!("the assertion in line {line}")),
        [lines @ .., last] => Some(format!(
            "the assertions in lines {} and {last}",
            lines.join(", ")
        )),
    };
    let observer = cost.observer.then(|| "the property".to_string());
    let who: Vec<String> = assertions.into_iter().chain(observer).collect();
    let (who, verb) = match (who.len(), lines.len()) {
        (0, _) => ("the assertions together".into(), "tell"),
        (1, 0 | 1) => (who.join(""), "tells"),
        _ => (who.join(" and "), "tell"),
    };
    Some(format!(
        "{who} {verb} apart what the system does not: the system alone has order {}, {} times as much",
        decimal(&cost.order),
        decimal(&cost.times)
    ))
}

fn reasons(symmetry: &Symmetry) -> Vec<String> {
    let shown = symmetry.refused.iter().take(REASONS);
    let shown = shown.map(|r| match r.decided {
        true => format!("not {}", reason(r)),
        false => reason(r),
    });
    let mut lines: Vec<String> = shown.collect();
    let more = symmetry.refused.len().saturating_sub(REASONS) as u64;
    if more > 0 {
        let reasons = counted(more, "more reason");
        lines.push(format!("and {reasons}: `mandala symmetry` shows them"));
    }
    lines
}

fn reason(refused: &Refused) -> String {
    let place = match refused.line {
        Some(line) => format!("line {line}: "),
        None => String::new(),
    };
    let what = tame(&refused.what);
    format!("{what}: {place}{}", tame(&refused.reason))
}

/// What `mandala symmetry` shows, but for the places in the source that break the rest.
pub fn whole(document: &SymmetryDocument, colour: Colour) -> String {
    let symmetry = &document.symmetry;
    let mut sections = vec![headline(document, colour)];
    sections.extend(interchangeable(symmetry, colour));
    sections.extend(generators(symmetry, colour));
    sections.extend(proof(symmetry, colour));
    sections.extend(properties(symmetry, colour));
    sections.extend(further(document, colour));
    sections.extend(placeless(symmetry, colour));
    sections.extend(budget(symmetry, colour));
    sections.join("\n")
}

fn headline(document: &SymmetryDocument, colour: Colour) -> String {
    let symmetry = &document.symmetry;
    let group = match symmetry.is_trivial() {
        true => colour.paint(Tone::Doubtful, "no symmetry"),
        false => {
            let structure = tame(&symmetry.structure);
            let order = decimal(&symmetry.order);
            colour.paint(Tone::Good, format_args!("{structure}, order {order}"))
        }
    };
    let path = tame(&document.model.path);
    let note = symmetry.note.as_deref().map(tame);
    let note = note.map_or(String::new(), |note| format!(": {note}"));
    format!("{group}  {path}{note}\n")
}

fn interchangeable(symmetry: &Symmetry, colour: Colour) -> Option<String> {
    if symmetry.domains.is_empty() {
        return None;
    }
    let names: Vec<String> = symmetry.domains.iter().map(on).collect();
    let width = names.iter().map(|n| n.chars().count()).max()?.min(40);
    let rows = names.iter().zip(&symmetry.domains);
    let lines = rows.map(|(name, domain)| {
        let kind = match domain.kind {
            DomainKind::Processes => "processes",
            DomainKind::Names => "names",
        };
        format!("{name:<width$}  {kind:<9}  {}", origin(domain))
    });
    Some(titled("Interchangeable", lines, colour))
}

/// Where a domain comes from, and from when on it is one.
fn origin(domain: &Domain) -> String {
    let mut text = match (domain.source, &domain.declared) {
        (DomainSource::Declared, Some(at)) => format!("declared at line {}", at.line),
        (source, _) => source.to_string(),
    };
    if !domain.full {
        text.push_str(", in the ways that the generators say");
    }
    for settled in &domain.settled {
        let process = tame(&settled.process);
        text.push_str(&match settled.line {
            Some(line) => format!(", once {process} has come to line {line}"),
            None => format!(", once {process} has come to its end"),
        });
    }
    text
}

fn generators(symmetry: &Symmetry, colour: Colour) -> Option<String> {
    if symmetry.generators.is_empty() {
        return None;
    }
    let shown = symmetry.generators.iter().take(GENERATORS);
    let mut lines: Vec<String> = shown.map(|g| tame(g)).collect();
    let more = symmetry.generators.len().saturating_sub(GENERATORS);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    Some(titled("Generators", lines, colour))
}

/// How much of the model its types decide.
fn proof(symmetry: &Symmetry, colour: Colour) -> Option<String> {
    let parts = symmetry.detection.as_ref()?.parts?;
    let (decided, all) = (parts.decided, counted(parts.all, "part"));
    let line = format!("types decide {decided} of {all} of the model");
    (parts.all > 0).then(|| titled("Proof", [line], colour))
}

fn properties(symmetry: &Symmetry, colour: Colour) -> Option<String> {
    let cost = property_cost(symmetry)?;
    Some(titled("Properties", [cost], colour))
}

fn further(document: &SymmetryDocument, colour: Colour) -> Option<String> {
    if document.further.is_empty() {
        return None;
    }
    let lines = document.further.iter().flat_map(|other| {
        let property = tame(&other.property);
        let group = group(&other.symmetry).unwrap_or_else(|| "no symmetry".into());
        let first = format!("{property}: {group}");
        let reasons = reasons(&other.symmetry).into_iter();
        std::iter::once(first).chain(reasons.map(|r| format!("  {r}")))
    });
    Some(titled("With other properties", lines, colour))
}

/// The reasons that are not at one place.
fn placeless(symmetry: &Symmetry, colour: Colour) -> Option<String> {
    let of = |decided: bool| {
        let placeless = symmetry.refused.iter();
        let placeless = placeless.filter(move |r| r.line.is_none() && r.decided == decided);
        placeless.map(reason).collect::<Vec<String>>()
    };
    let titles = [("Not interchangeable", true), (NOT_DECIDED, false)];
    let sections = titles.map(|(title, decided)| (title, of(decided)));
    let sections = sections.into_iter().filter(|(_, lines)| !lines.is_empty());
    let sections = sections.map(|(title, lines)| titled(title, lines, colour));
    let sections: Vec<String> = sections.collect();
    (!sections.is_empty()).then(|| sections.join("\n"))
}

/// The title over what was not decided, because the budget of a proof ended.
pub const NOT_DECIDED: &str = "Not decided";

/// The section about the budget, if that was not enough for everything.
fn budget(symmetry: &Symmetry, colour: Colour) -> Option<String> {
    let line = budget_end(symmetry)?;
    Some(titled("Budget", [line], colour))
}

/// The part of a proof at which the budget ended, if it was not enough for everything.
fn budget_end(symmetry: &Symmetry) -> Option<String> {
    let detection = symmetry.detection.as_ref()?;
    let part = detection.ended_at.as_ref()?;
    let place = part.line.map(|line| format!(" in line {line}"));
    Some(format!(
        "the budget of the proof ended after {} at {}{}; there may be more symmetry: --proof-effort raises it",
        counted(detection.steps, "step"),
        tame(&part.what),
        place.unwrap_or_default()
    ))
}
