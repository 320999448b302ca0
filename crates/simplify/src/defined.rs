//! Removal of the question whether a value is defined, where it always is.
//!
//! In a model of rules every use of a variable asks whether it is defined, and it is a run-time error if not. Most variables get a value in every start state and keep one for
//! ever. To ask them nothing is the same; but where a condition asks several of them one after the other, it looks as if their order mattered. So elements of arrays are
//! not asked; a single variable is.
//!
//! # Why verdicts carry over
//!
//! Cells of one variable, or of one field in it, are a *class*. A class is defined if no cell of it is 0, which stands for "undefined", in any state that runs start in, which the
//! caller says, and if no step behind the start puts 0 into a cell of it. That is so in every state of every run then, and in the middle of every step; so a question whether a cell of
//! the class is defined never fails, and its value is that of the cell. What is asked while the start states are made is left as it is.

use crate::reverify::{RewriteDefect, reverify};
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, Projection, Root, UnaryOp};
use mandala_model::ids::{GlobalId, LocationId};
use mandala_model::template::{Effect, Step, Template};
use mandala_model::types::{Scalar, Type};
use mandala_model::{Model, UncheckedModel};
use std::collections::BTreeSet;

/// The cells of a global variable that are reached through these fields.
pub type CellClass = (GlobalId, Vec<u32>);

/// The model of rules that does not ask whether cells of those classes are defined that always are, or nothing if it asks none. No cell of the classes is undefined in
/// any state that runs start in.
///
/// # Errors
///
/// If the verifier refuses the result.
pub fn drop_needless_questions(
    model: &Model,
    mut defined: BTreeSet<CellClass>,
) -> Result<Option<Model>, RewriteDefect> {
    let [template] = &model.templates[..] else {
        return Ok(None);
    };
    let is_start = |location: LocationId| location == template.entry;
    let returns = template.edges.iter().any(|edge| is_start(edge.target));
    if !model.start_held || returns || !model.functions.is_empty() {
        return Ok(None);
    }
    let later = template.edges.iter().filter(|e| !is_start(e.source));
    let steps: Vec<&Step> = later.map(|edge| &edge.step).collect();
    loop {
        let before = defined.len();
        for step in &steps {
            let keeper = Keeper { model, template };
            keeper.step(step, &mut defined);
        }
        if defined.len() == before {
            break;
        }
    }
    let mut found = false;
    let mut drop = |expr: &mut Expr| {
        if let ExprKind::Unary(UnaryOp::Defined, inner) = &mut expr.kind
            && is_element(inner)
            && class_of(inner).is_some_and(|class| defined.contains(&class))
        {
            expr.kind = std::mem::replace(&mut inner.kind, ExprKind::Const(0));
            found = true;
        }
    };
    let mut rewritten = UncheckedModel::clone(model);
    let entry = template.entry;
    for edge in &mut rewritten.templates[0].edges {
        if edge.source != entry {
            edge.step.each_expr_mut(&mut drop);
        }
    }
    for monitor in &mut rewritten.monitors {
        monitor.step.each_expr_mut(&mut drop);
    }
    for condition in &mut rewritten.conditions {
        condition.condition.each_mut(&mut drop);
    }
    match found {
        true => reverify("the removal of needless questions", rewritten).map(Some),
        false => Ok(None),
    }
}

/// All classes of cells of the global variables, with the types of the cells: for each cell of the globals in turn, its class.
pub fn cell_classes(model: &Model) -> Vec<CellClass> {
    let mut classes = Vec::new();
    for (id, variable) in model.globals.iter().enumerate() {
        add_classes(
            model,
            &variable.ty,
            &(GlobalId::from(id), Vec::new()),
            &mut classes,
        );
    }
    classes
}

fn add_classes(model: &Model, ty: &Type, class: &CellClass, classes: &mut Vec<CellClass>) {
    match ty {
        Type::Scalar(_) => classes.push(class.clone()),
        Type::Array { element, length } => {
            (0..*length).for_each(|_| add_classes(model, element, class, classes));
        }
        Type::Record(id) => {
            for (field, variable) in (0..).zip(&model.record(*id).fields) {
                let mut inner = class.clone();
                inner.1.push(field);
                add_classes(model, &variable.ty, &inner, classes);
            }
        }
    }
}

/// Whether an expression reads an element of an array. There is no order among the questions that one variable is asked.
fn is_element(expr: &Expr) -> bool {
    let is_index = |part: &Projection| matches!(part, Projection::Index(_));
    matches!(&expr.kind, ExprKind::Read(place) if place.path.iter().any(is_index))
}

/// The class of the cell that an expression reads.
fn class_of(expr: &Expr) -> Option<CellClass> {
    match &expr.kind {
        ExprKind::Read(place) => class_of_place(place),
        _ => None,
    }
}

fn class_of_place(place: &Place) -> Option<CellClass> {
    let Root::Global(id) = place.root else {
        return None;
    };
    let fields = place.path.iter().filter_map(|part| match part {
        Projection::Field(field) => Some(*field),
        Projection::Index(_) => None,
    });
    Some((id, fields.collect()))
}

/// Looks for what may become undefined.
struct Keeper<'m> {
    model: &'m Model,
    template: &'m Template,
}

impl Keeper<'_> {
    fn step(&self, step: &Step, defined: &mut BTreeSet<CellClass>) {
        match step {
            Step::Guarded { effects, .. } => {
                effects
                    .iter()
                    .for_each(|effect| self.effect(effect, defined));
            }
            Step::Routine(routine) => {
                let choices = routine.nodes.iter().flat_map(|node| &node.choices);
                choices.for_each(|choice| self.step(&choice.step, defined));
            }
            Step::Else => {}
            Step::Send { .. } | Step::Receive { .. } | Step::Exit | Step::Call(_) => {
                defined.clear();
            }
        }
    }

    fn effect(&self, effect: &Effect, defined: &mut BTreeSet<CellClass>) {
        match effect {
            Effect::Assign { place, value } => match class_of_place(place) {
                Some(class) if !self.is_positive(value, defined) => drop(defined.remove(&class)),
                Some(_) => {}
                None if matches!(place.root, Root::Local(_)) => {}
                None => defined.clear(),
            },
            Effect::Insert(insertion) => {
                defined.retain(|(variable, _)| *variable != insertion.array);
            }
            Effect::Spawn { .. } | Effect::SetPriority { .. } => defined.clear(),
            Effect::Assert { .. }
            | Effect::Print { .. }
            | Effect::Fail { .. }
            | Effect::Abandon => {}
        }
    }

    /// Whether what is stored cannot be 0, if it has a value that can be stored.
    fn is_positive(&self, expr: &Expr, defined: &BTreeSet<CellClass>) -> bool {
        match &expr.kind {
            ExprKind::Const(value) => *value != 0,
            ExprKind::Unary(UnaryOp::Defined, _) => true,
            ExprKind::Read(_) => class_of(expr).is_some_and(|class| defined.contains(&class)),
            // `e == 0 ? out of range : e`.
            ExprKind::Conditional(condition, yes, no) => {
                let positive = |e: &Expr| self.is_positive(e, defined);
                positive(yes) && (positive(no) || is_zero_test(condition, no))
            }
            ExprKind::Binary(BinaryOp::Add, left, right) => {
                let (from, by) = (self.is_natural(left), right.as_constant());
                from && by.is_some_and(|by| by > 0)
            }
            _ => false,
        }
    }

    /// Whether a value is no less than 0.
    fn is_natural(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Const(value) => *value >= 0,
            ExprKind::Unary(UnaryOp::Not, _) => true,
            ExprKind::Unary(UnaryOp::Defined, inner) => self.is_natural(inner),
            ExprKind::Binary(op, ..) => {
                op.is_comparison() || matches!(op, BinaryOp::And | BinaryOp::Or)
            }
            ExprKind::Read(place) => self.is_coded(place),
            _ => false,
        }
    }

    /// Whether a place holds values of which 0 is the least.
    fn is_coded(&self, place: &Place) -> bool {
        let mut ty = match &place.root {
            Root::Global(id) => &self.model.global(*id).ty,
            Root::Local(id) => &self.template.locals[id.index()].ty,
            _ => return false,
        };
        for part in &place.path {
            ty = match (ty, part) {
                (Type::Array { element, .. }, Projection::Index(_)) => element,
                (Type::Record(id), Projection::Field(field)) => {
                    &self.model.record(*id).fields[*field as usize].ty
                }
                _ => return false,
            };
        }
        matches!(ty, Type::Scalar(Scalar::Coded { .. }))
    }
}

/// Whether a condition asks whether an expression is 0.
fn is_zero_test(condition: &Expr, expr: &Expr) -> bool {
    match &condition.kind {
        ExprKind::Binary(BinaryOp::Equal, left, right) => {
            right.as_constant() == Some(0) && left.kind == expr.kind
        }
        _ => false,
    }
}
