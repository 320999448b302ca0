//! Footprints of edges with parameters: for each choice what its instance touches, without an instance.

use mandala_model::footprint::{Analysis, Birth, Footprint, ParametricFootprint};
use mandala_model::ids::{EdgeId, GlobalId, TemplateId};
use mandala_model::verify::verify;
use mandala_model::{SourceText, Sources};

const A: GlobalId = GlobalId(0);
const M: GlobalId = GlobalId(1);
const R: GlobalId = GlobalId(2);

/// What a rule of a model with three members touches.
fn rule(number: u32) -> ParametricFootprint {
    let mut sources = Sources::default();
    let text = include_str!("build/members.ir");
    let file = sources.add(SourceText::new("members.ir", text));
    let (model, diagnostics) = mandala_ir::load(&mut sources, file);
    let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let model = verify(model).expect("a right model");
    let edge = EdgeId {
        template: TemplateId(0),
        index: number,
    };
    Analysis::new(&model).taking_by(edge, &Birth::default(), false)
}

fn cells(parts: &mandala_model::footprint::Parts, id: GlobalId) -> Vec<u32> {
    let all = parts.globals.iter().filter(|(variable, _)| *variable == id);
    all.flat_map(|(_, cells)| cells.intervals().iter().cloned().flatten())
        .collect()
}

fn read(footprint: &Footprint, id: GlobalId) -> Vec<u32> {
    cells(&footprint.reads, id)
}

fn written(footprint: &Footprint, id: GlobalId) -> Vec<u32> {
    cells(&footprint.writes, id)
}

#[test]
fn an_index_is_that_of_the_choice() {
    let copies = rule(1);
    let one = copies.of_choice(&[2, 3]);
    assert_eq!((read(&one, A), written(&one, M)), (vec![2], vec![5]));
    assert!(copies.is_possible(&[2, 3]) && !copies.is_possible(&[2, 2]));
    assert!(written(&copies.of_choice(&[2, 2]), M).is_empty());
    let any = copies.of_choice(&[]);
    assert_eq!(
        (read(&any, A), written(&any, M)),
        (vec![0, 1, 2], vec![1, 2, 3, 5, 6, 7])
    );
}

#[test]
fn a_quantifier_reads_what_its_body_reads_for_the_values_that_matter() {
    let asks = rule(2);
    let one = asks.of_choice(&[2]);
    assert_eq!((read(&one, R), written(&one, R)), (vec![1, 5], vec![2]));
    assert_eq!(read(&asks.of_choice(&[]), R), [1, 3, 5]);
}

/// What an iteration has left behind is nothing that the next one may take for its own.
#[test]
fn a_variable_that_a_loop_carries_on_is_not_known() {
    assert_eq!(written(&rule(3).of_choice(&[1]), A), [0, 1, 2]);
}

#[test]
fn a_variable_that_stands_for_a_parameter_is_as_good_as_that() {
    let marks = rule(4);
    assert_eq!(written(&marks.of_choice(&[2]), M), [3, 5]);
    assert_eq!(written(&marks.of_choice(&[3]), M), [6, 7]);
}

/// Behind a loop over 1 and 2 a variable is what it was before, or one of these.
#[test]
fn a_variable_that_a_loop_carries_on_is_one_of_its_values() {
    let carries = rule(5);
    let of_x = |number| written(&carries.of_choice(&[number]), R);
    assert_eq!((of_x(1), of_x(3)), (vec![0, 2], vec![0, 2, 4]));
}

/// Where ways meet, a variable is what it is on one of them; two variables need not be the same then, though they may hold the same.
#[test]
fn where_ways_meet_a_variable_is_one_of_a_few() {
    let meets = rule(6);
    let one = meets.of_choice(&[1]);
    assert_eq!(written(&one, R), [0, 4]);
    assert_eq!(written(&one, M), [0, 2, 6, 8]);
    assert_eq!(written(&meets.of_choice(&[3]), R), [4]);
}
