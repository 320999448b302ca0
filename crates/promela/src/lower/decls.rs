//! Declarations: types, constants, variables, channels, parameters.

use super::finished::FrameKind;
use super::names::Constant;
use super::{Frame, Lowered, Lowering, fail, fail_with};
use crate::ast::{
    BinaryOp, ChannelInit, Decl, DeclType, Expr as AstExpr, ExprKind as AstKind, Initializer,
    MtypeDecl, Proctype, Program, Typedef, UnaryOp, Unit, Var, Visibility,
};
use mandala_model::Diagnostic;
use mandala_model::expr::{Expr, ExprKind};
use mandala_model::ids::{ChannelKindId, EnumId, GlobalId, LocalId, RecordId, TemplateId};
use mandala_model::source::Span;
use mandala_model::template::{Role, Template};
use mandala_model::types::{
    ChannelKind, EnumType, Initial, RecordType, Scalar, Storage, Type, Variable, wrap,
};

/// The longest array and the deepest channel that are accepted.
const MOST_ELEMENTS: i64 = 1 << 16;

impl Lowering {
    /// The first pass: everything but bodies and formulas.
    pub(super) fn declare_units(&mut self, program: &Program) {
        for (index, unit) in program.units.iter().enumerate() {
            self.unit = index;
            match unit {
                Unit::Mtype(m) => self.declare_mtype(m),
                Unit::Typedef(t) => self.declare_typedef(t),
                Unit::Decl(d) => self.declare_globals(d),
                Unit::Proctype(p) => self.declare_proctype(p),
                _ => {}
            }
        }
    }

    /// Spin counts the constants of one declaration from the last to the first.
    fn declare_mtype(&mut self, decl: &MtypeDecl) {
        let subtype = decl.subtype.as_ref().map_or("", |s| &*s.name);
        let id = self.enumeration(subtype);
        let before = self.model.enums[id.index()].constants.len();
        for (i, name) in decl.names.iter().enumerate() {
            let value = (before + decl.names.len() - i) as i64;
            if let Some(first) = self.globals.constants.get(&*name.name) {
                let error = Diagnostic::error(
                    name.span,
                    format!("`{}` is declared twice as a constant", name.name),
                );
                let error = error.with_related(first.span, "first declared here");
                self.report(error);
                continue;
            }
            self.globals.constants.insert(
                name.name.to_string(),
                Constant {
                    value,
                    span: name.span,
                },
            );
            self.model.enums[id.index()]
                .constants
                .push((name.name.to_string(), value));
        }
        if self.model.enums[id.index()].constants.len() > 255 {
            self.report(Diagnostic::error(
                decl.span,
                "an `mtype` has at most 255 constants",
            ));
        }
    }

    fn enumeration(&mut self, subtype: &str) -> EnumId {
        if let Some(&id) = self.globals.enums.get(subtype) {
            return id;
        }
        let id = EnumId::from(self.model.enums.len());
        let name = if subtype.is_empty() {
            "mtype".to_owned()
        } else {
            format!("mtype:{subtype}")
        };
        self.model.enums.push(EnumType {
            name,
            constants: Vec::new(),
        });
        self.globals.enums.insert(subtype.to_owned(), id);
        id
    }

    /// The type of the elements of an array of truth values.
    fn truth_values(&mut self) -> EnumId {
        let enums = &mut self.model.enums;
        *self.truth.get_or_insert_with(|| {
            enums.push(EnumType {
                name: EnumType::TRUTH.to_owned(),
                constants: vec![("false".into(), 0), ("true".into(), 1)],
            });
            EnumId::from(enums.len() - 1)
        })
    }

    /// Whether it is the type of the elements of an array of truth values.
    pub(super) fn is_truth(&self, id: EnumId) -> bool {
        self.truth == Some(id)
    }

    fn declare_typedef(&mut self, typedef: &Typedef) {
        let fields = self.variables(&typedef.fields);
        for field in &fields {
            let values = match &field.initial {
                Initial::Fill(value) => std::slice::from_ref(value),
                Initial::List(values) => values,
                _ => &[],
            };
            if let Some(value) = values.iter().find(|v| !is_fixed(v)) {
                self.report(Diagnostic::error(
                    value.span,
                    "the initial value of a field must be a constant",
                ));
            }
        }
        let fields = self.within_limits(fields);
        if self.globals.records.contains_key(&*typedef.name.name) {
            self.report(Diagnostic::error(
                typedef.name.span,
                format!("the type `{}` is declared twice", typedef.name.name),
            ));
            return;
        }
        let id = RecordId::from(self.model.records.len());
        self.model.records.push(RecordType {
            name: typedef.name.name.to_string(),
            fields,
            span: typedef.span,
        });
        self.globals
            .records
            .insert(typedef.name.name.to_string(), id);
    }

    fn declare_globals(&mut self, decl: &Decl) {
        for variable in self.variables(std::slice::from_ref(decl)) {
            let id = GlobalId::from(self.model.globals.len());
            if let Some(&(first, _)) = self.globals.variables.get(&variable.name) {
                let message = format!("`{}` is declared twice", variable.name);
                let first = self.model.global(first).span;
                self.report(
                    Diagnostic::error(variable.span, message)
                        .with_related(first, "first declared here"),
                );
                continue;
            }
            if decl.visibility == Some(Visibility::Hidden) {
                self.hidden.push(id);
            }
            self.globals
                .variables
                .insert(variable.name.clone(), (id, self.unit));
            self.model.globals.push(variable);
        }
    }

    fn declare_proctype(&mut self, proctype: &Proctype) {
        let id = TemplateId::from(self.model.templates.len());
        if let Some(&first) = self.globals.templates.get(&*proctype.name.name) {
            let message = format!("the proctype `{}` is declared twice", proctype.name.name);
            let first = self.model.template(first).span;
            let error = Diagnostic::error(proctype.name.span, message)
                .with_related(first, "first declared here");
            self.report(error);
        }
        self.globals
            .templates
            .insert(proctype.name.name.to_string(), id);
        let template = Template::empty(&proctype.name.name, Role::Process, proctype.name.span);
        self.model.templates.push(template);
        let parameters = self.variables(&proctype.params);
        for parameter in &parameters {
            if parameter.initial != Initial::Default {
                self.report(Diagnostic::error(
                    parameter.span,
                    "a parameter cannot have an initial value",
                ));
            }
            if matches!(parameter.ty, Type::Array { .. }) {
                let error = Diagnostic::error(parameter.span, "a parameter cannot be an array");
                self.report(error.with_help("put the array into a typedef, or make it global"));
            }
        }
        let template = &mut self.model.templates[id.index()];
        template.parameters = parameters.len() as u32;
        template.locals = parameters;
        if let Some(at) = duplicate_name(&template.locals) {
            let (name, span) = (template.locals[at].name.clone(), template.locals[at].span);
            self.report(Diagnostic::error(
                span,
                format!("`{name}` is declared twice"),
            ));
        }
    }

    /// The variables of some declarations, in order.
    pub(super) fn variables(&mut self, decls: &[Decl]) -> Vec<Variable> {
        let mut found = Vec::new();
        for decl in decls {
            found.extend(
                decl.vars
                    .iter()
                    .map(|var| self.variable_or_stand_in(decl, var)),
            );
        }
        found
    }

    /// The declared variable; a number in its place if it is declared wrongly, so that its uses are
    /// not errors as well.
    pub(super) fn variable_or_stand_in(&mut self, decl: &Decl, var: &Var) -> Variable {
        let result = self.variable(decl, var);
        self.recover(result, || Variable {
            name: var.name.name.to_string(),
            ty: Type::Scalar(Scalar::signed(32)),
            indices: Vec::new(),
            initial: Initial::Default,
            storage: Storage::State,
            span: var.name.span,
        })
    }

    fn variable(&mut self, decl: &Decl, var: &Var) -> Lowered<Variable> {
        let ty = self.variable_type(decl, var)?;
        let initial = self.initial(decl, var, &ty)?;
        Ok(Variable {
            name: var.name.name.to_string(),
            ty,
            indices: Vec::new(),
            initial,
            storage: Storage::State,
            span: var.name.span,
        })
    }

    fn variable_type(&mut self, decl: &Decl, var: &Var) -> Lowered<Type> {
        let element = self.element_type(&decl.ty, decl.ty_span, var)?;
        let Some(size) = &var.size else {
            return Ok(element);
        };
        let length = self.bound(size)?;
        if !(1..=MOST_ELEMENTS).contains(&length) {
            return fail(
                size.span,
                format!("an array has 1 to {MOST_ELEMENTS} elements, not {length}"),
            );
        }
        // The verifier of Spin keeps the bits of an array in bytes, and so do we: a value other
        // than 0 and 1 survives there, but these two are shown as truth values.
        let element = match element {
            Type::Scalar(Scalar::Bool) => Type::Scalar(Scalar::Enum(self.truth_values())),
            Type::Scalar(Scalar::Int { bits: 1, .. }) => Type::Scalar(Scalar::unsigned(8)),
            other => other,
        };
        let ty = Type::Array {
            element: Box::new(element),
            length: length as u32,
        };
        self.check_cells(&ty, var.span)?;
        Ok(ty)
    }

    fn element_type(&mut self, ty: &DeclType, span: Span, var: &Var) -> Lowered<Type> {
        if let (Some(width), false) = (var.width, matches!(ty, DeclType::Unsigned)) {
            return fail_with(
                width.span,
                "only `unsigned` variables have a width",
                "write `unsigned x : 3`",
            );
        }
        if let DeclType::Unsigned = ty {
            return match var.width {
                Some(width) if (1..=32).contains(&width.bits) => {
                    Ok(Type::Scalar(Scalar::unsigned(width.bits as u8)))
                }
                Some(width) => fail(
                    width.span,
                    format!("a width is 1 to 32 bits, not {}", width.bits),
                ),
                None => fail_with(
                    var.span,
                    "an `unsigned` variable needs a width",
                    format!("write `unsigned {} : 8`", var.name.name),
                ),
            };
        }
        self.plain_type(ty, span)
    }

    pub(super) fn plain_type(&mut self, ty: &DeclType, span: Span) -> Lowered<Type> {
        Ok(Type::Scalar(match ty {
            DeclType::Bit => Scalar::unsigned(1),
            DeclType::Bool => Scalar::Bool,
            DeclType::Byte => Scalar::unsigned(8),
            DeclType::Short => Scalar::signed(16),
            DeclType::Int => Scalar::signed(32),
            DeclType::Unsigned => {
                return fail(span, "`unsigned` cannot be the type of a message field");
            }
            DeclType::Pid => Scalar::Process,
            DeclType::Chan => Scalar::Channel,
            DeclType::Mtype(name) => {
                Scalar::Enum(self.enumeration(name.as_ref().map_or("", |n| &*n.name)))
            }
            DeclType::User(name) => match self.globals.records.get(&*name.name) {
                Some(&id) => return Ok(Type::Record(id)),
                None => return fail(name.span, format!("there is no type `{}`", name.name)),
            },
        }))
    }

    fn initial(&mut self, decl: &Decl, var: &Var, ty: &Type) -> Lowered<Initial> {
        let is_record = matches!(ty, Type::Record(_))
            || matches!(ty, Type::Array { element, .. } if matches!(**element, Type::Record(_)));
        Ok(match &var.init {
            None => Initial::Default,
            // Spin drops the initial value of a structure.
            Some(Initializer::Expr(_)) if is_record => {
                self.report(Diagnostic::warning(
                    var.span,
                    "the initial value of a structure has no effect",
                ));
                Initial::Default
            }
            Some(Initializer::Expr(e)) => Initial::Fill(self.expr(e)?),
            Some(Initializer::List(values, span)) => {
                let Type::Array { length, .. } = ty else {
                    return fail(*span, format!("`{}` is not an array", var.name.name));
                };
                if is_record {
                    return fail(
                        *span,
                        "an array of structures cannot be initialised by a list",
                    );
                }
                if values.len() > *length as usize {
                    return fail(
                        *span,
                        format!("{} values for an array of {length} elements", values.len()),
                    );
                }
                Initial::List(
                    values
                        .iter()
                        .map(|v| self.expr(v))
                        .collect::<Lowered<_>>()?,
                )
            }
            Some(Initializer::Channel(init)) => {
                if decl.ty != DeclType::Chan {
                    return fail(
                        init.span,
                        format!(
                            "`{}` is not a channel: it is declared without `chan`",
                            var.name.name
                        ),
                    );
                }
                Initial::NewChannel(self.channel_kind(init)?)
            }
        })
    }

    fn channel_kind(&mut self, init: &ChannelInit) -> Lowered<ChannelKindId> {
        let capacity = self.constant(&init.capacity)?;
        if !(0..=255).contains(&capacity) {
            return fail(
                init.capacity.span,
                format!("a channel holds 0 to 255 messages, not {capacity}"),
            );
        }
        let mut types = Vec::new();
        let mut fields = Vec::new();
        for field in &init.fields {
            let ty = self.plain_type(&field.ty, field.span)?;
            self.check_message(fields.len(), &ty, capacity as u64, init.span)?;
            fields.extend(self.model.scalars(&ty));
            types.push(ty);
        }
        let kind = ChannelKind {
            capacity: capacity as u32,
            fields,
            span: init.span,
        };
        self.model.channel_kinds.push(kind);
        self.messages.push(types);
        Ok(ChannelKindId::from(self.model.channel_kinds.len() - 1))
    }

    /// The size of an array: a constant, or a variable that has a constant initial value.
    pub(super) fn bound(&mut self, size: &AstExpr) -> Lowered<i64> {
        if let AstKind::Var(v) = &size.kind
            && let Some(name) = v.as_plain_name()
            && let Some(&(id, _)) = self.globals.variables.get(&*name.name)
        {
            return match &self.model.global(id).initial {
                Initial::Fill(e) if e.as_constant().is_some() => {
                    let value = e.as_constant().unwrap_or(0);
                    let warning = Diagnostic::warning(
                        size.span,
                        format!(
                            "the size of an array is a variable; its initial value {value} is used"
                        ),
                    );
                    self.report(warning);
                    Ok(value)
                }
                _ => fail(size.span, "the size of an array must be a constant"),
            };
        }
        self.constant(size)
    }

    /// The value of a constant expression.
    pub(super) fn constant(&mut self, expr: &AstExpr) -> Lowered<i64> {
        match self.fold(expr) {
            Some(value) => Ok(value),
            None => fail(expr.span, "this must be a constant"),
        }
    }

    fn fold(&self, expr: &AstExpr) -> Option<i64> {
        Some(match &expr.kind {
            AstKind::Const(value, _) => i64::from(*value),
            AstKind::Var(v) => self.globals.constants.get(&*v.as_plain_name()?.name)?.value,
            AstKind::Unary(op, e) => fold_unary(*op, self.fold(e)?)?,
            AstKind::Binary(op, a, b) => fold_binary(*op, self.fold(a)?, self.fold(b)?)?,
            AstKind::Conditional(c, a, b) => self.fold(if self.fold(c)? != 0 { a } else { b })?,
            _ => return None,
        })
    }

    /// Declares the variables of a statement in the innermost block.
    pub(super) fn declare_local(&mut self, variable: Variable) -> LocalId {
        let frame = self
            .frame
            .as_mut()
            .expect("local variables are declared in a body");
        let template = &mut self.model.templates[frame.template.index()];
        let id = LocalId::from(template.locals.len());
        let (name, span) = (variable.name.clone(), variable.span);
        template.locals.push(variable);
        if let Some(first) = frame.scopes.declare(&name, id) {
            let first = template.locals[first.index()].span;
            let error =
                Diagnostic::error(span, format!("`{name}` is declared twice in this block"));
            self.report(error.with_related(first, "first declared here"));
        }
        id
    }

    /// Starts a body of a template that exists already.
    pub(super) fn enter_body(&mut self, template: TemplateId, kind: FrameKind) {
        let mut scopes = super::Scopes::default();
        scopes.enter();
        for (i, local) in self.model.template(template).locals.iter().enumerate() {
            scopes.declare(&local.name, LocalId::from(i));
        }
        self.frame = Some(Frame {
            template,
            scopes,
            kind,
        });
    }

    pub(super) fn new_template(&mut self, name: &str, role: Role, span: Span) -> TemplateId {
        self.model.templates.push(Template::empty(name, role, span));
        TemplateId::from(self.model.templates.len() - 1)
    }

    /// A number.
    pub(super) fn number(&self, value: i64, span: Span) -> Expr {
        Expr::constant(value, span)
    }
}

/// True if the value depends on nothing.
fn is_fixed(value: &Expr) -> bool {
    !value.any(|part| {
        !matches!(
            part.kind,
            ExprKind::Const(_) | ExprKind::Unary(..) | ExprKind::Binary(..)
        )
    })
}

fn duplicate_name(variables: &[Variable]) -> Option<usize> {
    (1..variables.len()).find(|&i| variables[..i].iter().any(|v| v.name == variables[i].name))
}

fn fold_unary(op: UnaryOp, value: i64) -> Option<i64> {
    Some(match op {
        UnaryOp::Not => i64::from(value == 0),
        UnaryOp::Neg => wrap(-value, 32, true),
        UnaryOp::BitNot => wrap(!value, 32, true),
        UnaryOp::Always
        | UnaryOp::Eventually
        | UnaryOp::Next
        | UnaryOp::InAllRuns
        | UnaryOp::InSomeRun => return None,
    })
}

fn fold_binary(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a.checked_div(b)?,
        BinaryOp::Rem => a.checked_rem(b)?,
        BinaryOp::Shl if (0..32).contains(&b) => a << b,
        BinaryOp::Shr if (0..32).contains(&b) => a >> b,
        BinaryOp::Shl | BinaryOp::Shr => return None,
        BinaryOp::Lt => i64::from(a < b),
        BinaryOp::Le => i64::from(a <= b),
        BinaryOp::Gt => i64::from(a > b),
        BinaryOp::Ge => i64::from(a >= b),
        BinaryOp::Eq => i64::from(a == b),
        BinaryOp::Ne => i64::from(a != b),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::BitOr => a | b,
        BinaryOp::And => i64::from(a != 0 && b != 0),
        BinaryOp::Or => i64::from(a != 0 || b != 0),
        _ => return None,
    };
    Some(wrap(value, 32, true))
}
