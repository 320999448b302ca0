//! Footprints of edges of a model built by hand, and of random expressions, which must not depend
//! on anything outside of theirs.

use crate::build::*;
use mandala_model::Model;
use mandala_model::expr::*;
use mandala_model::footprint::{Analysis, Aspect, Footprint, Footprints, Writes};
use mandala_model::ids::*;
use mandala_model::template::*;
use mandala_model::types::*;
use mandala_model::verify::verify;
use std::collections::BTreeSet;

fn edge_of(template: u32, index: u32) -> EdgeId {
    EdgeId {
        template: TemplateId(template),
        index,
    }
}

fn taking(template: u32, index: u32) -> Footprint {
    let model = verify(sample()).expect("a valid model");
    Footprints::of(&model)
        .taking(edge_of(template, index))
        .clone()
}

fn enabling(template: u32, index: u32) -> Footprint {
    let model = verify(sample()).expect("a valid model");
    Footprints::of(&model)
        .enabling(edge_of(template, index))
        .clone()
}

/// What an expression of the users reads.
fn reads(expression: Expr) -> Footprint {
    let model = verify(sample()).expect("a valid model");
    Analysis::new(&model).expression(&expression, Some(TemplateId(USER)))
}

/// `id:first..end` for every interval.
fn globals(cells: &mandala_model::footprint::Cells<GlobalId>) -> Vec<String> {
    let intervals = cells.iter().flat_map(|(id, set)| {
        let intervals = set.intervals().iter();
        intervals.map(move |i| format!("{id}:{}..{}", i.start, i.end))
    });
    intervals.collect()
}

fn aspects(of: &[Aspect]) -> BTreeSet<Aspect> {
    of.iter().copied().collect()
}

#[test]
fn a_constant_index_is_one_cell_and_another_is_all() {
    let one = reads(read(element(global(FLAGS), int(1))));
    assert_eq!(globals(&one.reads.globals), ["g1:1..2"]);
    let some = reads(read(element(global(FLAGS), read(local(1)))));
    assert_eq!(globals(&some.reads.globals), ["g1:0..2"]);
    assert!(some.reads.locals.contains(LocalId(1), 0));
    let outside = reads(read(element(global(FLAGS), int(7))));
    assert_eq!(globals(&outside.reads.globals), ["g1:0..2"]);
}

#[test]
fn fields_are_told_apart() {
    let field_x = reads(read(field(global(PAIR), 0)));
    assert_eq!(globals(&field_x.reads.globals), ["g2:0..1"]);
    let element_of_y = reads(read(element(field(global(PAIR), 1), int(1))));
    assert_eq!(globals(&element_of_y.reads.globals), ["g2:2..3"]);
    let some_of_y = reads(read(element(field(global(PAIR), 1), read(local(0)))));
    assert_eq!(globals(&some_of_y.reads.globals), ["g2:1..3"]);
}

#[test]
fn a_guarded_step_reads_guard_and_values_and_writes_targets() {
    let enter = taking(USER, 0);
    assert_eq!(globals(&enter.reads.globals), ["g0:0..1", "g1:0..2"]);
    assert_eq!(globals(&enter.writes.globals), ["g1:0..2"]);
    assert!(enter.asserts && !enter.prints && !enter.meets && !enter.exits);
    assert!(enter.reads.locals.contains(LocalId(0), 0));
    assert!(!enabling(USER, 0).reads.locals.contains(LocalId(0), 0));
    assert!(enabling(USER, 0).writes.is_empty());
    assert_eq!(
        enter.writes.aspects,
        aspects(&[Aspect::Locations, Aspect::LastMover])
    );
}

#[test]
fn else_depends_on_the_edges_before_it() {
    assert_eq!(enabling(USER, 1).reads, enabling(USER, 0).reads);
    // It stays where it is.
    assert_eq!(
        taking(USER, 1).writes.aspects,
        aspects(&[Aspect::LastMover])
    );
}

#[test]
fn an_edge_depends_on_the_escapes_before_it() {
    assert!(enabling(USER, 3).reads.aspects.contains(&Aspect::Timeout));
    assert_eq!(enabling(USER, 2).reads.aspects, aspects(&[Aspect::Timeout]));
}

#[test]
fn a_channel_is_known_by_a_variable_that_never_changes() {
    let hand_over = taking(USER, 3);
    assert!(!hand_over.meets && !hand_over.writes.channels.any);
    assert_eq!(globals(&hand_over.writes.channels.globals), ["g3:0..1"]);
    assert_eq!(globals(&hand_over.reads.channels.globals), ["g3:0..1"]);
    assert!(taking(USER, 5).meets);
    let (take, meet) = (taking(USER, 4), taking(USER, 5));
    let (take, meet) = (&take.writes.channels, &meet.writes.channels);
    assert!(!take.globals.overlaps(&meet.globals));
}

#[test]
fn a_channel_variable_that_is_assigned_may_be_any_channel() {
    let mut model = sample();
    let step = perform(int(1), vec![assign(global(QUEUE), read(global(MEET)))]);
    model.templates[1].edges[0].step = step;
    let model = verify(model).expect("a valid model");
    let footprints = Footprints::of(&model);
    let hand_over = footprints.taking(edge_of(USER, 3));
    assert!(hand_over.writes.channels.any && hand_over.meets);
    assert!(hand_over.reads.aspects.contains(&Aspect::Population));
}

#[test]
fn a_rendezvous_send_looks_for_a_partner() {
    let mut model = sample();
    model.templates[0].edges[3].step = send(read(global(MEET)), vec![read(local(1))]);
    let model = verify(model).expect("a valid model");
    let enabling = Analysis::new(&model).enabling(edge_of(USER, 3));
    assert!(enabling.meets);
    assert!(enabling.reads.locals.contains(LocalId(1), 0));
    assert!(enabling.reads.aspects.contains(&Aspect::Locations));
}

#[test]
fn a_receive_binds_and_one_that_stays_leaves_the_channel_alone() {
    let take = taking(USER, 4);
    assert!(take.writes.locals.contains(LocalId(1), 0));
    assert!(!take.reads.locals.contains(LocalId(1), 0));
    let mut model = sample();
    if let Step::Receive { keep, .. } = &mut model.templates[0].edges[4].step {
        *keep = Keep::Stay;
    }
    let model = verify(model).expect("a valid model");
    let peek = Analysis::new(&model).taking(edge_of(USER, 4));
    assert!(peek.writes.channels.globals.is_empty() && !peek.writes.channels.any);
    assert!(!peek.reads.channels.globals.is_empty());
}

#[test]
fn a_routine_does_what_its_choices_do() {
    let routine = taking(USER, 6);
    assert_eq!(globals(&routine.writes.globals), ["g2:2..3"]);
    assert!(routine.writes.locals.contains(LocalId(1), 0));
    assert!(enabling(USER, 6).reads.locals.contains(LocalId(1), 0));
}

#[test]
fn creation_and_end_change_the_population() {
    let all = aspects(&[
        Aspect::Population,
        Aspect::Locations,
        Aspect::Priorities,
        Aspect::LastMover,
    ]);
    let create = taking(INIT, 0);
    assert_eq!(create.spawns, BTreeSet::from([TemplateId(USER)]));
    assert_eq!(create.writes.aspects, all);
    assert!(create.writes.locals.is_empty() && create.reads.locals.is_empty());
    let end = taking(INIT, 2);
    assert!(end.exits);
    assert_eq!(end.writes.aspects, all);
    assert_eq!(end.reads.aspects, aspects(&[Aspect::Population]));
}

#[test]
fn creation_reads_what_initial_values_read() {
    let mut model = sample();
    model.templates[0].locals[1].initial = Initial::Fill(read(global(LETTER)));
    let model = verify(model).expect("a valid model");
    let create = Analysis::new(&model).taking(edge_of(INIT, 0));
    assert!(create.reads.globals.contains(GlobalId(LETTER), 0));
}

#[test]
fn questions_about_others_are_named() {
    let questions = taking(INIT, 1);
    assert_eq!(
        questions.reads.aspects,
        aspects(&[Aspect::Population, Aspect::Locations])
    );
    let variable = (TemplateId(USER), LocalId(1));
    assert!(questions.reads.remote.contains(variable, 0));
    assert!(questions.writes.aspects.contains(&Aspect::Priorities));
    assert!(questions.prints);
    let enabled = reads(expr(ExprKind::Enabled(Box::new(int(0)))));
    assert!(enabled.reads.aspects.contains(&Aspect::Enabled));
    let model = verify(sample()).expect("a valid model");
    let provided = Footprints::of(&model);
    let provided = provided.provided(TemplateId(USER));
    assert_eq!(provided.reads.aspects, aspects(&[Aspect::LastMover]));
}

#[test]
fn claims_move_unseen() {
    assert!(taking(CLAIM, 1).writes.is_empty());
    let polled = taking(CLAIM, 1).reads.channels;
    assert_eq!(globals(&polled.globals), ["g3:0..1"]);
}

#[test]
fn scratch_variables_are_no_part_of_the_state() {
    let mut model = sample();
    model.globals[TURN as usize].storage = Storage::Scratch;
    let model = verify(model).expect("a valid model");
    let enter = Analysis::new(&model).taking(edge_of(USER, 0));
    assert_eq!(globals(&enter.reads.globals), ["g1:0..2"]);
}

/// A generator of random numbers that is good enough to choose among few cases.
struct RandomSource(u64);

impl RandomSource {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % sides
    }

    /// A place in one of the variables of [`sample`] that have numbers in them.
    fn place(&mut self, depth: u64) -> Place {
        match self.roll(6) {
            0 => global(TURN),
            1 => field(global(PAIR), 0),
            2 => element(field(global(PAIR), 1), self.index(depth)),
            3 => element(global(FLAGS), self.index(depth)),
            4 => local(0),
            _ => local(1),
        }
    }

    fn index(&mut self, depth: u64) -> Expr {
        if self.roll(2) == 0 {
            return int(self.roll(3) as i64);
        }
        self.expression(depth)
    }

    fn expression(&mut self, depth: u64) -> Expr {
        if depth == 0 {
            return int(self.roll(3) as i64);
        }
        let depth = depth - 1;
        match self.roll(4) {
            0 => read(self.place(depth)),
            1 => int(self.roll(4) as i64 - 1),
            2 => {
                let condition = Box::new(self.expression(depth));
                let (yes, no) = (self.expression(depth), self.expression(depth));
                expr(ExprKind::Conditional(
                    condition,
                    Box::new(yes),
                    Box::new(no),
                ))
            }
            _ => {
                let operators = [BinaryOp::Add, BinaryOp::Less, BinaryOp::And, BinaryOp::Or];
                let operator = operators[self.roll(4) as usize];
                binary(operator, self.expression(depth), self.expression(depth))
            }
        }
    }
}

/// The cells of the globals, then those of the locals of one user.
struct Cells<'m> {
    model: &'m Model,
    cells: Vec<i64>,
}

impl<'m> Cells<'m> {
    fn random(model: &'m Model, dice: &mut RandomSource) -> Self {
        let locals = &model.templates[0].locals;
        let globals = model.cell_offset(&model.globals, model.globals.len());
        let count = globals + model.cell_offset(locals, locals.len());
        Cells {
            model,
            cells: (0..count).map(|_| dice.roll(3) as i64).collect(),
        }
    }

    /// The variables with the place of their first cell.
    fn variables(&self) -> Vec<(Root, &Type, usize)> {
        let globals = self.model.globals.iter().enumerate();
        let globals = globals.map(|(i, v)| (Root::Global(GlobalId::from(i)), &v.ty));
        let locals = self.model.templates[0].locals.iter().enumerate();
        let locals = locals.map(|(i, v)| (Root::Local(LocalId::from(i)), &v.ty));
        let mut first = 0;
        let place = |(root, ty)| {
            let start = first;
            first += self.model.cells(ty);
            (root, ty, start)
        };
        globals.chain(locals).map(place).collect()
    }

    /// Where the cell is; `None` if an index is outside.
    fn address(&self, place: &Place) -> Option<usize> {
        let variables = self.variables();
        let (_, mut ty, mut at) = variables.into_iter().find(|v| v.0 == place.root)?;
        for projection in &place.path {
            match (ty, projection) {
                (Type::Record(id), Projection::Field(field)) => {
                    let fields = &self.model.record(*id).fields;
                    at += self.model.cell_offset(fields, *field as usize);
                    ty = &fields[*field as usize].ty;
                }
                (Type::Array { element, length }, Projection::Index(index)) => {
                    let index = self.value(index)?;
                    if !(0..i64::from(*length)).contains(&index) {
                        return None;
                    }
                    at += self.model.cells(element) * index as usize;
                    ty = element;
                }
                _ => return None,
            }
        }
        Some(at)
    }

    fn value(&self, expression: &Expr) -> Option<i64> {
        let truth = |e: &Expr| self.value(e).map(|v| v != 0);
        match &expression.kind {
            ExprKind::Const(value) => Some(*value),
            ExprKind::Read(place) => Some(self.cells[self.address(place)?]),
            ExprKind::Conditional(condition, yes, no) => {
                self.value(if truth(condition)? { yes } else { no })
            }
            ExprKind::Binary(BinaryOp::And, a, b) => Some((truth(a)? && truth(b)?).into()),
            ExprKind::Binary(BinaryOp::Or, a, b) => Some((truth(a)? || truth(b)?).into()),
            ExprKind::Binary(BinaryOp::Less, a, b) => {
                Some((self.value(a)? < self.value(b)?).into())
            }
            ExprKind::Binary(_, a, b) => Some(self.value(a)? + self.value(b)?),
            _ => None,
        }
    }

    /// The numbers of the cells that the test accepts.
    fn which(&self, test: impl Fn(&Root, u32) -> bool) -> Vec<usize> {
        let mut chosen = Vec::new();
        for (root, ty, first) in self.variables() {
            let cells = 0..self.model.cells(ty);
            chosen.extend(cells.filter(|c| test(&root, *c as u32)).map(|c| first + c));
        }
        chosen
    }
}

fn holds(parts: &mandala_model::footprint::Parts, root: &Root, cell: u32) -> bool {
    match root {
        Root::Global(id) => parts.globals.contains(*id, cell),
        Root::Local(id) => parts.locals.contains(*id, cell),
        _ => false,
    }
}

#[test]
fn random_expressions_depend_on_their_footprints_only() {
    let model = verify(sample()).expect("a valid model");
    let analysis = Analysis::new(&model);
    let mut dice = RandomSource(2024);
    let mut faults = 0;
    for _ in 0..3000 {
        let expression = dice.expression(4);
        let reads = analysis
            .expression(&expression, Some(TemplateId(USER)))
            .reads;
        let mut state = Cells::random(&model, &mut dice);
        let before = state.value(&expression);
        for cell in state.which(|root, cell| !holds(&reads, root, cell)) {
            state.cells[cell] = dice.roll(5) as i64;
        }
        assert_eq!(before, state.value(&expression), "{expression:?}");
        faults += usize::from(before.is_none());
    }
    assert!((1..1500).contains(&faults), "{faults} of 3000 failed");
}

#[test]
fn random_assignments_write_their_footprints_only() {
    let mut dice = RandomSource(4711);
    for _ in 0..500 {
        let (place, value) = (dice.place(3), dice.expression(3));
        let mut model = sample();
        let effect = assign(place.clone(), value.clone());
        model.templates[0].edges[0].step = perform(int(1), vec![effect]);
        let model = verify(model).expect("a valid model");
        let writes = Analysis::new(&model).taking(edge_of(USER, 0)).writes;
        let state = Cells::random(&model, &mut dice);
        let written = state.which(|root, cell| holds(&writes, root, cell));
        let target = state.address(&place);
        assert!(target.is_none_or(|at| written.contains(&at)), "{place:?}");
    }
}

#[test]
fn what_a_quiet_node_sees_decides_whether_the_edge_can_be_taken() {
    for (quiet, expected) in [(false, 0), (true, 2)] {
        let mut model = empty();
        model.globals = ["a", "b"]
            .map(|n| variable(n, byte(), Initial::Default))
            .into();
        let mut last = node(vec![choice(when(read(global(0))), None)]);
        last.quiet = quiet;
        // What is assigned on the way counts as well.
        let first = perform(int(1), vec![assign(global(0), read(global(1)))]);
        let nodes = vec![node(vec![choice(first, Some(1))]), last];
        let step = Step::Routine(Routine::new(nodes));
        model.templates = vec![template("p", Role::Process, 1, vec![edge(0, 0, step)])];
        let model = verify(model).expect("a valid model");
        let footprints = Footprints::of(&model);
        let enabling = footprints.enabling(edge_of(0, 0));
        assert_eq!(globals(&enabling.reads.globals).len(), expected);
        assert!(enabling.writes.is_empty());
    }
}

#[test]
fn a_step_that_fails_may_report_something() {
    let mut model = empty();
    let message = "no".into();
    let step = perform(int(1), vec![Effect::Fail { message }]);
    model.templates = vec![template("p", Role::Process, 1, vec![edge(0, 0, step)])];
    let model = verify(model).expect("a valid model");
    assert!(Footprints::of(&model).taking(edge_of(0, 0)).asserts);
}

/// Who asks for writes alone gets those of the footprints, but for what is no variable and no channel.
#[test]
fn writes_alone_are_those_of_footprints() {
    let mut sources = mandala_model::Sources::default();
    let text = include_str!("build/members.ir");
    let file = sources.add(mandala_model::SourceText::new("members.ir", text));
    let (members, _) = mandala_ir::load(&mut sources, file);
    let mut written = 0;
    for model in [sample(), members.expect("a right text")] {
        let model = verify(model).expect("a valid model");
        let (footprints, writes) = (Footprints::of(&model), Writes::of(&model));
        for (template, of) in model.runnables() {
            for index in 0..of.edges.len() as u32 {
                let edge = EdgeId { template, index };
                let mut expected = footprints.taking(edge).writes.clone();
                written += usize::from(!expected.globals.is_empty());
                expected.aspects.clear();
                let mut own = writes.of_edge(edge).clone();
                own.aspects.clear();
                assert_eq!(own, expected, "{edge:?}");
            }
        }
    }
    assert!(written > 3, "edges that write variables");
}
