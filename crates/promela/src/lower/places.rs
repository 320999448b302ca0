//! References to variables.

use super::finished::FrameKind;
use super::{Lowered, Lowering, fail, fail_with};
use crate::ast::{Field, Ident, VarRef};
use crate::suggest::closest;
use mandala_model::Diagnostic;
use mandala_model::expr::{Expr, ExprKind, Place, Projection, Root};
use mandala_model::ids::{GlobalId, TemplateId};
use mandala_model::source::Span;
use mandala_model::types::{Scalar, Type, Variable};

/// What a name in an expression refers to.
pub(super) enum Meaning {
    /// A variable or a part of one.
    Place(Place, Type),
    /// An `mtype` constant.
    Constant(i64),
}

impl Lowering {
    /// What a reference refers to.
    pub(super) fn meaning(&mut self, var: &VarRef) -> Lowered<Meaning> {
        let root = var.root();
        let Some((place_root, variable)) = self.find_variable(root)? else {
            return match self.globals.constants.get(&*root.name) {
                Some(c) if var.as_plain_name().is_some() => Ok(Meaning::Constant(c.value)),
                Some(_) => fail(
                    var.span,
                    format!("`{}` is a constant: it has no parts", root.name),
                ),
                None => self.undeclared(root),
            };
        };
        let mut place = Place::variable(place_root, var.span);
        let ty = self.follow(&mut place, variable.ty, &var.fields)?;
        Ok(Meaning::Place(place, ty))
    }

    /// A reference to a variable or a part of one.
    pub(super) fn place(&mut self, var: &VarRef) -> Lowered<(Place, Type)> {
        match self.meaning(var)? {
            Meaning::Place(place, ty) => Ok((place, ty)),
            Meaning::Constant(_) => fail(
                var.span,
                format!("`{}` is a constant: it cannot be changed", var.root().name),
            ),
        }
    }

    /// A reference to one cell.
    pub(super) fn cell(&mut self, var: &VarRef) -> Lowered<(Place, Scalar)> {
        let (place, ty) = self.place(var)?;
        match ty {
            Type::Scalar(scalar) => Ok((place, scalar)),
            Type::Record(_) => fail(
                var.span,
                "a structure stands where a single value is needed; name one of its fields",
            ),
            Type::Array { .. } => fail_with(
                var.span,
                format!("the array `{}` needs an index here", var.root().name),
                format!("write `{}[..]`", var.root().name),
            ),
        }
    }

    /// The value of a channel variable.
    pub(super) fn channel(&mut self, var: &VarRef) -> Lowered<Expr> {
        let (place, scalar) = self.cell(var)?;
        if scalar != Scalar::Channel {
            return fail(var.span, format!("`{}` is not a channel", var.root().name));
        }
        let span = place.span;
        Ok(Expr::new(ExprKind::Read(place), span))
    }

    /// The cells of a reference: one, or all those of a structure.
    pub(super) fn cells_of(&mut self, place: &Place, ty: &Type) -> Vec<(Place, Scalar)> {
        match ty {
            Type::Scalar(scalar) => vec![(place.clone(), *scalar)],
            Type::Record(id) => {
                let fields: Vec<Type> = self
                    .model
                    .record(*id)
                    .fields
                    .iter()
                    .map(|f| f.ty.clone())
                    .collect();
                fields
                    .iter()
                    .enumerate()
                    .flat_map(|(i, ty)| self.part(place, Projection::Field(i as u32), ty))
                    .collect()
            }
            Type::Array { element, length } => {
                let index = |i| Projection::Index(Expr::constant(i, place.span));
                (0..i64::from(*length))
                    .flat_map(|i| self.part(place, index(i), element))
                    .collect()
            }
        }
    }

    fn part(&mut self, place: &Place, step: Projection, ty: &Type) -> Vec<(Place, Scalar)> {
        let mut part = place.clone();
        part.path.push(step);
        self.cells_of(&part, ty)
    }

    fn find_variable(&mut self, name: &Ident) -> Lowered<Option<(Root, Variable)>> {
        if let Some(frame) = &self.frame
            && let Some(id) = frame.scopes.find(&name.name)
        {
            let variable = self.model.template(frame.template).locals[id.index()].clone();
            return Ok(Some((Root::Local(id), variable)));
        }
        if &*name.name == "_" {
            let id = self.scratch(name.span);
            return Ok(Some((Root::Global(id), self.model.global(id).clone())));
        }
        let Some(&(id, unit)) = self.globals.variables.get(&*name.name) else {
            return Ok(None);
        };
        let variable = self.model.global(id).clone();
        if unit > self.unit {
            let error = Diagnostic::error(
                name.span,
                format!("`{}` is used before it is declared", name.name),
            );
            return Err(Box::new(error.with_related(variable.span, "declared here")));
        }
        Ok(Some((Root::Global(id), variable)))
    }

    /// The predefined variable `_`, which can be written but not read.
    pub(super) fn scratch(&mut self, span: Span) -> GlobalId {
        if let Some(&(id, _)) = self.globals.variables.get("_") {
            return id;
        }
        let id = GlobalId::from(self.model.globals.len());
        self.model.globals.push(Variable {
            name: "_".into(),
            ty: Type::Scalar(Scalar::signed(32)),
            indices: Vec::new(),
            initial: mandala_model::types::Initial::Default,
            storage: mandala_model::types::Storage::Scratch,
            span,
        });
        self.globals.variables.insert("_".into(), (id, 0));
        id
    }

    /// The variable in which the number of a process made inside an expression waits.
    pub(super) fn new_process_number(&mut self, span: Span) -> GlobalId {
        const NAME: &str = "(new process)";
        let known = self.model.globals.iter().position(|g| g.name == NAME);
        known.map(GlobalId::from).unwrap_or_else(|| {
            self.model.globals.push(Variable {
                name: NAME.into(),
                ty: Type::Scalar(Scalar::Process),
                indices: Vec::new(),
                initial: mandala_model::types::Initial::Default,
                storage: mandala_model::types::Storage::Scratch,
                span,
            });
            GlobalId::from(self.model.globals.len() - 1)
        })
    }

    fn undeclared<T>(&self, name: &Ident) -> Lowered<T> {
        if ["_pid", "_last", "_nr_pr", "np_"].contains(&&*name.name) {
            let message = format!("`{}` is no variable that a message can go to", name.name);
            let help = format!("write `eval({})` to compare with its value", name.name);
            return Err(Box::new(
                Diagnostic::error(name.span, message).with_help(help),
            ));
        }
        let locals: Vec<&str> = self.frame.iter().flat_map(|f| f.scopes.names()).collect();
        let globals = self
            .globals
            .variables
            .keys()
            .chain(self.globals.constants.keys())
            .map(String::as_str);
        let mut error = Diagnostic::error(name.span, format!("`{}` is not declared", name.name));
        if let Some(similar) = closest(&name.name, globals.chain(locals)) {
            error = error.with_help(format!("is `{similar}` meant?"));
        } else if is_like_a_constant(&name.name) {
            let declaration = format!("mtype = {{ {} }}", name.name);
            error = error.with_help(format!(
                "a symbolic constant has to be declared: `{declaration}`, or `#define {} 1`",
                name.name
            ));
        } else if !self.globals.constants.is_empty() {
            let declaration = format!("mtype = {{ .., {} }}", name.name);
            error = error.with_help(format!(
                "if it is a message, it is declared with the others: `{declaration}`"
            ));
        } else {
            error = error.with_help(format!(
                "declare it first: `byte {0};`, or `chan {0} = [1] of {{ byte }};` if it is a channel",
                name.name
            ));
        }
        Err(Box::new(error))
    }

    /// Follows indices and fields from a variable of type `ty`; the type of what they lead to.
    fn follow(&mut self, place: &mut Place, mut ty: Type, fields: &[Field]) -> Lowered<Type> {
        for (i, field) in fields.iter().enumerate() {
            if i > 0 {
                ty = self.follow_field(place, &ty, &field.name)?;
            }
            if let Some(index) = &field.index {
                let Type::Array { element, length } = ty else {
                    return fail(field.span, format!("`{}` is not an array", field.name.name));
                };
                let index = self.expr(index)?;
                check_index(&index, length)?;
                place.path.push(Projection::Index(index));
                ty = *element;
            }
        }
        Ok(ty)
    }

    fn follow_field(&mut self, place: &mut Place, ty: &Type, name: &Ident) -> Lowered<Type> {
        let Type::Record(id) = ty else {
            return fail(
                name.span,
                format!("there is no field `{}`: this is not a structure", name.name),
            );
        };
        let record = self.model.record(*id);
        let Some(at) = record.fields.iter().position(|f| *f.name == *name.name) else {
            let mut error = Diagnostic::error(
                name.span,
                format!("`{}` has no field `{}`", record.name, name.name),
            );
            if let Some(similar) =
                closest(&name.name, record.fields.iter().map(|f| f.name.as_str()))
            {
                error = error.with_help(format!("is `{similar}` meant?"));
            }
            return Err(Box::new(error));
        };
        place.path.push(Projection::Field(at as u32));
        Ok(record.fields[at].ty.clone())
    }

    /// Whether a remote reference is `P[pid]:_p`, where a process is: what `pc_value(pid)` says.
    pub(super) fn is_location(&self, template: TemplateId, field: &Field) -> bool {
        let name = &*field.name.name;
        let mut locals = self.model.template(template).locals.iter();
        name == "_p" && field.index.is_none() && locals.all(|v| v.name != name)
    }

    /// `P[pid]:x`: a variable of another process.
    pub(super) fn remote_place(
        &mut self,
        template: TemplateId,
        process: Expr,
        field: &Field,
    ) -> Lowered<Place> {
        let locals = &self.model.template(template).locals;
        let Some(at) = locals.iter().position(|v| *v.name == *field.name.name) else {
            let name = &self.model.template(template).name;
            return fail(
                field.name.span,
                format!("`{name}` has no variable `{}`", field.name.name),
            );
        };
        let ty = locals[at].ty.clone();
        let root = Root::Remote {
            template,
            process: Box::new(process),
            local: at.into(),
        };
        let mut place = Place::variable(root, field.span);
        match self.follow(&mut place, ty, std::slice::from_ref(field))? {
            Type::Scalar(_) => Ok(place),
            _ => fail(
                field.span,
                format!("`{}` is not a single value", field.name.name),
            ),
        }
    }

    pub(super) fn in_events(&self) -> bool {
        self.frame
            .as_ref()
            .is_some_and(|f| f.kind == FrameKind::Events)
    }

    pub(super) fn in_process(&self) -> bool {
        self.frame
            .as_ref()
            .is_some_and(|f| f.kind == FrameKind::Process)
    }
}

/// An index that is known to be outside is worth an error before anything runs.
fn check_index(index: &Expr, length: u32) -> Lowered<()> {
    match index.as_constant() {
        Some(value) if !(0..i64::from(length)).contains(&value) => fail(
            index.span,
            format!("the index {value} is outside the array, which has {length} elements"),
        ),
        _ => Ok(()),
    }
}

/// Whether a name is written as constants are: `REQUEST`, `Ack`.
fn is_like_a_constant(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
}
