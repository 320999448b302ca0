//! Pages in a browser: they open, step by keys and clicks, ask for nothing, and fit a phone. `.ci/page` runs this, and installs Chromium where that is possible; where none is installed, this says so.
//! With `MANDALA_SCREENSHOTS=FOLDER` pictures of all pages stay there.

use crate::attack;
use crate::support::chromium::Chromium;
use crate::support::{Case, gallery};
use mandala_report::document::{Actor, Step};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

const DESK: (u32, u32) = (1400, 900);
const PHONE: (u32, u32) = (390, 844);

struct Studio {
    browser: Chromium,
    folder: PathBuf,
    pictures: Option<PathBuf>,
}

impl Studio {
    fn open() -> Option<Self> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        Some(Studio {
            browser: Chromium::start(&folder.join("profile"))?,
            pictures: std::env::var_os("MANDALA_SCREENSHOTS").map(PathBuf::from),
            folder,
        })
    }

    fn show(&mut self, name: &str, case: &Case, size: (u32, u32), dark: bool) {
        let file = self.folder.join(format!("{name}.html"));
        fs::write(&file, case.page()).expect("the page is written");
        self.browser.open(&file, size, dark);
        self.require_quiet(name);
    }

    /// Nothing was complained of, asked for, or wider than the window.
    fn require_quiet(&mut self, name: &str) {
        let complaints = self.browser.complaints();
        assert!(complaints.is_empty(), "{name}: {}", complaints.join("\n"));
        // A phone makes its window as wide as what is in it, so that says nothing.
        let wide = self
            .number("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assert!(wide <= 0, "{name}: {wide} points wider than the window");
        let broken = self.browser.evaluate("window.broken === undefined");
        assert_eq!(broken, true, "{name}: a text became a script");
    }

    fn picture(&mut self, name: &str) {
        if let Some(folder) = &self.pictures {
            // What sticks to the top of the window would stand in the middle.
            self.browser
                .evaluate("document.activeElement.blur(); window.scrollTo(0, 0)");
            let file = folder.join(format!("{name}.png"));
            self.browser.screenshot(&file);
        }
    }

    fn number(&mut self, expression: &str) -> i64 {
        let value = self.browser.evaluate(expression);
        value
            .as_f64()
            .unwrap_or_else(|| panic!("{expression}: {value}")) as i64
    }

    fn text(&mut self, selector: &str) -> String {
        let value = self
            .browser
            .evaluate(&format!("document.querySelector('{selector}').textContent"));
        value.as_str().unwrap_or_default().to_owned()
    }

    /// The step that the stepper is at.
    fn at(&mut self) -> i64 {
        self.number("Number(document.getElementById('slider').value)")
    }
}

#[test]
#[ignore = "needs a browser: .ci/page"]
fn pages_open_step_and_ask_for_nothing() {
    let Some(mut studio) = Studio::open() else {
        let _ = writeln!(
            std::io::stderr(),
            "no Chromium is installed: pages are not opened"
        );
        return;
    };
    for (name, case) in gallery() {
        studio.show(&name, &case, DESK, false);
        step_through(&mut studio, &name, &case);
        studio.picture(&name);
        studio.show(&name, &case, PHONE, true);
        studio.picture(&format!("{name}-phone"));
    }
    explore_states(&mut studio);
    fit_a_phone(&mut studio);
    show_every_size(&mut studio);
    studio.show("attack", &attack::case(), DESK, false);
    studio.browser.press("ArrowLeft");
    studio.require_quiet("attack");
    assert!(
        studio
            .text("#source")
            .contains("</script><script>window.broken")
    );
    legible(&mut studio);
}

/// With keys, by clicks on steps, buttons and the chart: the same place everywhere.
fn step_through(studio: &mut Studio, name: &str, case: &Case) {
    let steps = case
        .document
        .counterexamples()
        .next()
        .map_or(0, |(_, trace)| trace.steps.len());
    let steps = steps as i64;
    assert_eq!(
        studio.number("Number(document.getElementById('slider').max)"),
        steps,
        "{name}"
    );
    assert_eq!(studio.at(), steps, "{name}: what goes wrong comes first");
    studio.browser.press("Home");
    assert_eq!(studio.at(), 0, "{name}");
    pass_over_bookkeeping(studio, name, case);
    for step in 1..=steps.min(4) {
        studio.browser.press("ArrowRight");
        assert_eq!(studio.at(), step, "{name}");
        require_step(studio, name, case, step as usize);
    }
    studio.browser.press("ArrowLeft");
    assert_eq!(studio.at(), steps.min(4) - 1, "{name}");
    studio.browser.click("#last");
    assert_eq!(studio.at(), steps, "{name}");
    studio.browser.click("#steps button:first-child");
    assert_eq!(studio.at(), 0, "{name}");
    if studio
        .browser
        .evaluate("!document.getElementById('chart').hidden")
        == true
    {
        let row = studio.number("Number(document.querySelector('.chart-row').dataset.step)");
        studio.browser.evaluate(
            "document.querySelector('.chart-row').dispatchEvent(new MouseEvent('click'))",
        );
        assert_eq!(studio.at(), row + 1, "{name}: a row of the chart");
    }
    studio.browser.press("End");
    studio.browser.evaluate("(() => { const all = document.getElementById('bookkeeping'); if (all.checked) all.click(); })()");
    studio.require_quiet(name);
}

/// What only leads a process on is passed over until all steps are asked for.
fn pass_over_bookkeeping(studio: &mut Studio, name: &str, case: &Case) {
    let Some((_, trace)) = case.document.counterexamples().next() else {
        return;
    };
    let idle = |step: &Step| step.bookkeeping || step.actor == Actor::Claim;
    let shown = trace.steps.iter().position(|step| !idle(step));
    studio.browser.press("ArrowRight");
    let first = shown.map_or(trace.steps.len(), |index| index + 1);
    assert_eq!(studio.at(), first as i64, "{name}");
    studio.browser.press("ArrowLeft");
    assert_eq!(studio.at(), 0, "{name}");
    if trace.steps.iter().any(idle) {
        studio.browser.click("#bookkeeping");
    }
}

/// The statement is marked in the source, and what it changes in the list of variables.
fn require_step(studio: &mut Studio, name: &str, case: &Case, step: usize) {
    let (_, trace) = case.document.counterexamples().next().expect("a run");
    let made = &trace.steps[step - 1];
    let marked = studio.browser.evaluate(
        "[...document.querySelectorAll('.source .line.now .no')].map(e => Number(e.textContent))",
    );
    let marked: Vec<u64> = marked
        .as_array()
        .expect("lines")
        .iter()
        .filter_map(|l| l.as_u64())
        .collect();
    assert!(
        marked.contains(&made.line.into()),
        "{name}, step {step}: {marked:?}"
    );
    let changes = studio.number("document.querySelectorAll('#values tr.changed').length");
    let lasting = made
        .changes
        .iter()
        .filter(|change| change.to.is_some())
        .count();
    assert_eq!(changes, lasting as i64, "{name}, step {step}");
    for change in &made.changes {
        let shown = studio.text("#changes");
        assert!(shown.contains(&change.name), "{name}, step {step}: {shown}");
    }
}

/// The graph: by keys and clicks from state to state; a generator is chosen; dark.
fn explore_states(studio: &mut Studio) {
    let case = Case::bundled("models/peterson/peterson.pml", &["N=3"]);
    studio.show("states", &case, DESK, true);
    assert_eq!(
        studio.number("document.querySelectorAll('.node').length"),
        case.graph.states.len() as i64
    );
    studio
        .browser
        .evaluate("document.querySelector('.viewer svg').focus()");
    studio.browser.press("ArrowDown");
    assert!(
        studio
            .text(".viewer .side h3")
            .starts_with("State 1, level 1")
    );
    studio.browser.click(".node[data-state=\"7\"]");
    assert!(studio.text(".viewer .side h3").starts_with("State 7"));
    studio.browser.click(".viewer .side .next");
    assert!(!studio.text(".viewer .side h3").starts_with("State 7,"));
    studio.browser.click(".generators button:last-child");
    assert_eq!(
        studio.number("document.querySelectorAll('.bundle.still').length"),
        0
    );
    assert!(studio.number("document.querySelectorAll('.move').length") >= 3);
    studio.picture("states-dark");
    studio.require_quiet("states");
    let case = Case::bundled("models/three-tier/three-tier.pml", &[]);
    studio.show("group", &case, DESK, false);
    studio.picture("group");
    studio.show("group", &case, PHONE, false);
    studio.picture("group-phone");
}

/// Long names of folders do not make the page wider than a phone, and all lanes of a chart are seen at once.
fn fit_a_phone(studio: &mut Studio) {
    let folder = "a_folder_with_a_long_name/".repeat(6);
    let text = "chan q = [2] of { byte }; active proctype Sender() { byte mine; q!1; mine = 1 }
        active proctype Receiver() { byte x; q?x; assert(x == 2) }";
    let case = Case::of(&format!("{folder}far.pml"), text, &[]);
    studio.show("far", &case, PHONE, false);
    studio.picture("far-phone");
    let hidden = "(() => { const box = document.getElementById('chart-body'); return box.scrollWidth - box.clientWidth; })()";
    assert_eq!(studio.number(hidden), 0);
    let shown = studio.text(".why .place");
    assert!(shown.starts_with("far.pml:"), "{shown}");
    // The variables of a process that has ended are gone.
    let text = "byte n; proctype Short(byte mine) { n++ } init { run Short(7); n == 1 && _nr_pr == 1; assert(false) }";
    studio.show("ended", &Case::of("ended.pml", text, &[]), DESK, false);
    let values = studio.text("#values");
    assert!(!values.contains("mine"), "{values}");
    studio.require_quiet("ended");
}

/// Every size of a family: a table, and for a refused model a plot of each column.
fn show_every_size(studio: &mut Studio) {
    for (name, path, plots) in [
        ("every-refused", "models/mcs-lock/mcs-lock.m", 3),
        ("every-holds", "models/msi/msi.m", 0),
    ] {
        for size in [DESK, PHONE] {
            studio.show(name, &Case::every(path), size, false);
            let drawn = studio.number("document.querySelectorAll('.growth').length");
            assert_eq!(drawn, plots, "{name}");
            let is_advice = studio.text(".saturation").contains("advice and no proof");
            assert_eq!(is_advice, plots > 0, "{name}");
        }
        studio.picture(name);
    }
}

/// Texts stand out from what is behind them, in light and in dark: 4.5 to 1 for all, as the guidelines for accessible contents want it; and everything that can be pressed has a name.
fn legible(studio: &mut Studio) {
    let (_, case) = gallery()
        .into_iter()
        .find(|(name, _)| name == "spawn.pml")
        .expect("in the gallery");
    for dark in [false, true] {
        studio.show("legible", &case, DESK, dark);
        let faint = studio.browser.evaluate(CONTRAST);
        assert_eq!(faint, serde_json::json!([]), "dark: {dark}");
        let unnamed = studio.number("[...document.querySelectorAll('button, input, select, [role=region], [role=img], [role=application]')].filter(e => !e.hidden && !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels && e.labels.length)).length");
        assert_eq!(unnamed, 0);
    }
}

/// The texts whose colour is too near to what is behind them.
const CONTRAST: &str = "(() => {
  const parse = c => (c.match(/[0-9.]+/g) || []).map(Number);
  const lum = ([r, g, b]) => { const f = v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }; return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
  const behind = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] === 1) return c; } return [255, 255, 255]; };
  const faint = new Set();
  const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || !e.getClientRects().length || e.closest('button:disabled')) continue;
    const style = getComputedStyle(e);
    const ink = parse(e.closest('svg') ? style.fill : style.color);
    if (ink.length < 3 || ink[3] === 0) continue;
    const [a, b] = [lum(ink), lum(behind(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const shape = e.closest('.node-number, .bundle');
    if (ratio < 4.5 && !shape) faint.add(`${e.tagName}.${e.getAttribute('class')} ${walk.currentNode.data.trim().slice(0, 20)} ${ratio.toFixed(2)}`);
  }
  return [...faint];
})()";
