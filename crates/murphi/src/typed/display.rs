//! A program as text.
//!
//! Everything is shown as the checker understood it: constants by their values, ranges by their bounds,
//! operators of conditions doubled, conversions as `(value as type)`. Names are shown as declared, so
//! hidden ones look like those that hide them.

use super::{
    AliasId, AliasTarget, Argument, Binder, Binding, Domain, Expr, ExprKind, Field, Function,
    FunctionId, Place, Program, ProjectionKind, PropertyKind, Put, QuantifierKind, Root, Stmt,
    StmtKind, TypeId, TypeKind, VariableId, VariableKind,
};
use std::fmt::{self, Display, Formatter, Write};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut writer = self.writer();
        writer.program();
        f.write_str(&writer.text)
    }
}

impl Program {
    /// A place as text.
    pub(crate) fn show_place(&self, place: &Place) -> String {
        self.writer().place(place)
    }

    /// An expression as text.
    pub(crate) fn show_expr(&self, expr: &Expr) -> String {
        self.writer().expr(expr)
    }

    /// A constant as text.
    pub(crate) fn show_constant(&self, value: i128, ty: TypeId) -> String {
        self.writer().constant(value, ty)
    }

    /// A statement on one line: of one that has others inside, only how it begins.
    pub(crate) fn show_stmt(&self, stmt: &Stmt) -> String {
        let writer = self.writer();
        match &stmt.kind {
            StmtKind::If(clauses, _) => match clauses.first() {
                Some(clause) => format!("if {}", writer.expr(&clause.condition)),
                None => "if".to_string(),
            },
            StmtKind::Switch(value, ..) => format!("switch {}", writer.expr(value)),
            StmtKind::For(binding, _) => format!("for {}", writer.binding(binding)),
            StmtKind::While(condition, _) => format!("while {}", writer.expr(condition)),
            StmtKind::Alias(aliases, _) => {
                let aliases: Vec<String> = aliases.iter().map(|id| writer.alias(*id)).collect();
                format!("alias {}", aliases.join("; "))
            }
            _ => writer.simple_statement(stmt),
        }
    }

    fn writer(&self) -> Writer<'_> {
        Writer {
            program: self,
            text: String::new(),
            depth: 0,
        }
    }
}

struct Writer<'p> {
    program: &'p Program,
    text: String,
    depth: usize,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.text.push_str("  ");
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn inside(&mut self, write: impl FnOnce(&mut Self)) {
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }

    fn program(&mut self) {
        self.types();
        self.declarations();
        self.rules();
    }

    fn types(&mut self) {
        let types = &self.program.types;
        let set_name = |id| types.scalarset(id).name.as_deref().unwrap_or("_");
        for (id, set) in types.scalarsets() {
            let tied = match set.representative {
                representative if representative == id => String::new(),
                representative => format!(" = {}", set_name(representative)),
            };
            self.line(&format!("scalarset {}({}){tied}", set_name(id), set.size));
        }
        for (id, ty) in types.all() {
            if let (Some(name), true) = (&ty.name, types.has_shown_name(id)) {
                self.line(&format!("type {name}: {}", types.structure(id)));
            }
        }
    }

    fn declarations(&mut self) {
        for constant in &self.program.constants {
            let value = self.constant(constant.value, constant.ty);
            self.line(&format!("const {}: {value}", constant.name));
        }
        for id in &self.program.globals {
            let declared = self.declared(*id);
            self.line(&format!("var {declared}"));
        }
        for function in &self.program.functions {
            self.function(function);
        }
    }

    fn rules(&mut self) {
        for start in &self.program.start_states {
            self.head("startstate", start.name.as_deref(), &start.binders, None);
            self.body(&start.locals, &start.body);
        }
        for rule in &self.program.rules {
            let guard = rule.guard.as_ref();
            self.head("rule", rule.name.as_deref(), &rule.binders, guard);
            self.body(&rule.locals, &rule.body);
        }
        for property in &self.program.properties {
            let word = property_word(property.kind);
            let condition = Some(&property.condition);
            self.head(word, property.name.as_deref(), &property.binders, condition);
        }
    }

    fn head(
        &mut self,
        word: &str,
        name: Option<&str>,
        binders: &[Binder],
        condition: Option<&Expr>,
    ) {
        let mut text = word.to_string();
        if let Some(name) = name {
            let _ = write!(text, " \"{name}\"");
        }
        for binder in binders {
            let shown = match binder {
                Binder::Each(binding) => self.binding(binding),
                Binder::Alias(id) => format!("alias {}", self.alias(*id)),
            };
            let _ = write!(text, " [{shown}]");
        }
        if let Some(condition) = condition {
            let _ = write!(text, ": {}", self.expr(condition));
        }
        self.line(&text);
    }

    fn function(&mut self, function: &Function) {
        let parameters: Vec<String> = function
            .parameters
            .iter()
            .map(|id| self.declared(*id))
            .collect();
        let result = function
            .result
            .map(|ty| format!(": {}", self.ty(ty)))
            .unwrap_or_default();
        self.line(&format!(
            "function {}({}){result}",
            function.name,
            parameters.join("; ")
        ));
        self.body(&function.locals, &function.body);
    }

    fn body(&mut self, locals: &[VariableId], body: &[Stmt]) {
        self.inside(|writer| {
            for id in locals {
                let declared = writer.declared(*id);
                writer.line(&format!("var {declared}"));
            }
        });
        self.statements(body);
    }

    fn statements(&mut self, body: &[Stmt]) {
        self.inside(|writer| body.iter().for_each(|stmt| writer.statement(stmt)));
    }

    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::If(clauses, rest) => {
                for (index, clause) in clauses.iter().enumerate() {
                    let word = if index == 0 { "if" } else { "elsif" };
                    let condition = self.expr(&clause.condition);
                    self.line(&format!("{word} {condition}"));
                    self.statements(&clause.body);
                }
                self.otherwise(rest);
            }
            StmtKind::Switch(value, cases, rest) => {
                let value = self.expr(value);
                self.line(&format!("switch {value}"));
                for case in cases {
                    let values: Vec<String> = case.values.iter().map(|v| self.expr(v)).collect();
                    self.line(&format!("case {}", values.join(", ")));
                    self.statements(&case.body);
                }
                self.otherwise(rest);
            }
            StmtKind::For(binding, body) => {
                let binding = self.binding(binding);
                self.line(&format!("for {binding}"));
                self.statements(body);
            }
            StmtKind::While(condition, body) => {
                let condition = self.expr(condition);
                self.line(&format!("while {condition}"));
                self.statements(body);
            }
            StmtKind::Alias(aliases, body) => {
                let aliases: Vec<String> = aliases.iter().map(|id| self.alias(*id)).collect();
                self.line(&format!("alias {}", aliases.join("; ")));
                self.statements(body);
            }
            _ => {
                let text = self.simple_statement(stmt);
                self.line(&text);
            }
        }
    }

    fn otherwise(&mut self, rest: &[Stmt]) {
        if !rest.is_empty() {
            self.line("else");
            self.statements(rest);
        }
    }

    /// A statement that has no statements inside.
    fn simple_statement(&self, stmt: &Stmt) -> String {
        match &stmt.kind {
            StmtKind::Assign(place, value) => {
                format!("{} := {}", self.place(place), self.expr(value))
            }
            StmtKind::Undefine(place) => format!("undefine {}", self.place(place)),
            StmtKind::Clear(place) => format!("clear {}", self.place(place)),
            StmtKind::Call(function, arguments) => self.call(*function, arguments),
            StmtKind::Return(None) => "return".to_string(),
            StmtKind::Return(Some(value)) => format!("return {}", self.expr(value)),
            StmtKind::Put(Put::Text(text)) => format!("put \"{text}\""),
            StmtKind::Put(Put::Value(value)) => format!("put {}", self.expr(value)),
            StmtKind::Put(Put::Place(place)) => format!("put place {}", self.place(place)),
            StmtKind::Error(text) => format!("error \"{text}\""),
            StmtKind::Property {
                kind,
                message,
                condition,
            } => {
                let word = match kind {
                    PropertyKind::Invariant => "assert",
                    kind => property_word(*kind),
                };
                let message = message
                    .as_ref()
                    .map(|m| format!(" \"{m}\""))
                    .unwrap_or_default();
                format!("{word}{message}: {}", self.expr(condition))
            }
            StmtKind::MultisetAdd(value, place) => {
                format!("add {} to {}", self.expr(value), self.place(place))
            }
            StmtKind::MultisetRemove(slot, place) => {
                format!("remove {} from {}", self.variable(*slot), self.place(place))
            }
            StmtKind::MultisetRemoveWhere(binding, condition) => {
                format!(
                    "remove {} where {}",
                    self.binding(binding),
                    self.expr(condition)
                )
            }
            _ => String::new(),
        }
    }

    fn call(&self, function: FunctionId, arguments: &[Argument]) -> String {
        let arguments: Vec<String> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Value(value) => self.expr(value),
                Argument::Undefined => "undefined".to_string(),
                Argument::Reference(place) => format!("var {}", self.place(place)),
            })
            .collect();
        format!(
            "{}({})",
            self.program.function(function).name,
            arguments.join(", ")
        )
    }

    fn expr(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Constant(value) => self.constant(*value, expr.ty),
            ExprKind::Read(place) => self.place(place),
            ExprKind::Unary(op, operand) => format!("{}{}", op.symbol(), self.expr(operand)),
            ExprKind::Binary(op, left, right) => {
                format!("({} {} {})", self.expr(left), op.symbol(), self.expr(right))
            }
            ExprKind::Conditional(parts) => {
                let [condition, yes, no] = parts.as_ref();
                format!(
                    "({} ? {} : {})",
                    self.expr(condition),
                    self.expr(yes),
                    self.expr(no)
                )
            }
            ExprKind::Quantified(kind, binding, body) => {
                let word = match kind {
                    QuantifierKind::All => "forall",
                    QuantifierKind::Some => "exists",
                };
                format!("({word} {}: {})", self.binding(binding), self.expr(body))
            }
            ExprKind::Call(function, arguments) => self.call(*function, arguments),
            ExprKind::IsUndefined(place) => format!("isundefined({})", self.place(place)),
            ExprKind::IsMember(value, ty) => format!("({} is {})", self.expr(value), self.ty(*ty)),
            ExprKind::Count(binding, condition) => {
                format!(
                    "(count {}: {})",
                    self.binding(binding),
                    self.expr(condition)
                )
            }
            ExprKind::Convert(value) => format!("({} as {})", self.expr(value), self.ty(expr.ty)),
        }
    }

    fn constant(&self, value: i128, ty: TypeId) -> String {
        match self.program.types.kind(ty) {
            TypeKind::Boolean => (value != 0).to_string(),
            TypeKind::Enum(members) => {
                let member = usize::try_from(value)
                    .ok()
                    .and_then(|index| members.get(index));
                member.map_or_else(|| value.to_string(), |name| name.to_string())
            }
            _ => value.to_string(),
        }
    }

    fn binding(&self, binding: &Binding) -> String {
        let name = self.variable(binding.variable);
        match &binding.domain {
            Domain::Type(ty) => format!("{name}: {}", self.ty(*ty)),
            Domain::Steps { from, to, step } => {
                let step = step
                    .as_ref()
                    .map(|step| format!(" by {}", self.expr(step)))
                    .unwrap_or_default();
                format!("{name} := {} to {}{step}", self.expr(from), self.expr(to))
            }
            Domain::Elements(place) => format!("{name} in {}", self.place(place)),
        }
    }

    fn place(&self, place: &Place) -> String {
        let (mut text, mut ty) = match place.root {
            Root::Variable(id) => (self.variable(id), self.program.variable(id).ty),
            Root::Alias(id) => (
                self.program.alias(id).name.to_string(),
                self.program.alias(id).ty,
            ),
        };
        for projection in &place.projections {
            text += &match &projection.kind {
                ProjectionKind::Field(index) => format!(".{}", self.field(ty, *index)),
                ProjectionKind::Index(index) => format!("[{}]", self.expr(index)),
                ProjectionKind::Slot(slot) => format!("[{}]", self.variable(*slot)),
            };
            ty = projection.ty;
        }
        text
    }

    fn field(&self, record: TypeId, index: usize) -> &str {
        match self.program.types.kind(record) {
            TypeKind::Record(fields) => fields.get(index).map_or("?", |field: &Field| &field.name),
            _ => "?",
        }
    }

    fn variable(&self, id: VariableId) -> String {
        self.program.variable(id).name.to_string()
    }

    fn declared(&self, id: VariableId) -> String {
        let variable = self.program.variable(id);
        let word = if variable.kind == VariableKind::Reference {
            "var "
        } else {
            ""
        };
        format!("{word}{}: {}", variable.name, self.ty(variable.ty))
    }

    fn alias(&self, id: AliasId) -> String {
        let alias = self.program.alias(id);
        match &alias.target {
            AliasTarget::Place(place) => format!("{} at {}", alias.name, self.place(place)),
            AliasTarget::Value(value) => format!("{} = {}", alias.name, self.expr(value)),
        }
    }

    fn ty(&self, id: TypeId) -> String {
        self.program.types.describe(id)
    }
}

fn property_word(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Invariant => "invariant",
        PropertyKind::Assume => "assume",
        PropertyKind::Cover => "cover",
        PropertyKind::Liveness => "liveness",
    }
}
