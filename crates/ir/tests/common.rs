//! Reading, printing and comparing models.

use mandala_ir::spans::each_span;
use mandala_ir::{Text, load};
use mandala_model::diagnostic::has_errors;
use mandala_model::source::{FileId, SourceText, Sources, Span};
use mandala_model::template::Step;
use mandala_model::verify::verify;
use mandala_model::{Model, UncheckedModel};
use std::collections::BTreeSet;

/// What the reader makes of a text.
pub fn read(text: &str) -> Result<UncheckedModel, String> {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("m.ir", text));
    let (model, diagnostics) = load(&mut sources, file);
    assert_eq!(model.is_none(), has_errors(&diagnostics));
    let lines = diagnostics.iter().map(|d| d.one_line(&sources));
    model.ok_or_else(|| lines.collect::<Vec<_>>().join("\n"))
}

/// The model of a text that is right.
#[track_caller]
pub fn model(text: &str) -> Model {
    let model = read(text).unwrap_or_else(|errors| panic!("{errors}"));
    verify(model).expect("a valid model")
}

/// Both forms of a model can be read, and give the model back.
#[track_caller]
pub fn assert_round_trip(model: &Model, sources: &Sources) {
    let plain = Text::new(model).to_string();
    let back = read(&plain).unwrap_or_else(|errors| panic!("{errors}\n{plain}"));
    assert_same(&without_source(&back), &without_source(model));
    let back = verify(back).expect("a valid model");
    assert_eq!(Text::new(&back).to_string(), plain);
    let full = Text::new(model).full(sources).to_string();
    let back = read(&full).unwrap_or_else(|errors| panic!("{errors}\n{full}"));
    assert_same(&back, &moved(model));
}

/// Says which part differs, because whole models are too long to look at.
#[track_caller]
fn assert_same(left: &UncheckedModel, right: &UncheckedModel) {
    assert_eq!(left.globals, right.globals);
    assert_eq!(left.functions, right.functions);
    for (left, right) in left.templates.iter().zip(&right.templates) {
        assert_eq!(left.locals, right.locals);
        assert_eq!(left.locations, right.locations);
        for (left, right) in left.edges.iter().zip(&right.edges) {
            assert_eq!(left, right);
        }
        assert_eq!(left, right);
    }
    assert_eq!(left.conditions, right.conditions);
    assert_eq!(left.monitor_scratch, right.monitor_scratch);
    assert_eq!(left.monitors, right.monitors);
    assert_eq!(left.properties, right.properties);
    assert_eq!(left.scalarsets, right.scalarsets);
    assert_eq!(left, right);
}

/// The model without what the plain form leaves out: places in the source and texts of statements.
pub fn without_source(model: &UncheckedModel) -> UncheckedModel {
    let mut model = model.clone();
    each_span(&mut model, &mut |span| *span = Span::START);
    let edges = model.templates.iter_mut().flat_map(|t| &mut t.edges);
    let edges = edges.map(|edge| (&mut edge.text, &mut edge.step));
    let monitors = model
        .monitors
        .iter_mut()
        .map(|m| (&mut m.text, &mut m.step));
    for (text, step) in edges.chain(monitors) {
        text.clear();
        if let Step::Routine(routine) = step {
            let choices = routine.nodes.iter_mut().flat_map(|n| &mut n.choices);
            choices.for_each(|choice| choice.text.clear());
        }
    }
    let functions = model.functions.iter_mut();
    let nodes = functions.flat_map(|function| &mut function.body.nodes);
    nodes
        .flat_map(|node| &mut node.choices)
        .for_each(|choice| choice.text.clear());
    model.conditions.iter_mut().for_each(|c| c.text.clear());
    model
}

/// The model with the numbers that its files get behind that of the text.
fn moved(model: &UncheckedModel) -> UncheckedModel {
    let mut model = model.clone();
    let mut files = BTreeSet::new();
    each_span(&mut model, &mut |span| {
        files.insert(span.file);
    });
    each_span(&mut model, &mut |span| {
        let before = files.iter().filter(|file| **file < span.file).count();
        span.file = FileId(before as u32 + 1);
    });
    model
}
