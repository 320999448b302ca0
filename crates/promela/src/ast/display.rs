//! Statements and expressions as one line of text, for traces and messages.
//!
//! The text is the user's own in a normal form: names and constants as written, one space around
//! binary operators, parentheses only where they are needed. Compound statements are shown by their
//! head (`do`, `atomic`), because their parts are steps of their own; a label is not shown with its
//! statement.

use super::{
    Decl, DeclType, Expr, ExprKind, Field, ForRange, Initializer, InlineCall, Literal, Receive,
    ReceiveArg, ReceiveArgKind, ReceiveOp, RemoteRef, RunExpr, Send, Stmt, StmtKind, UnaryOp, Var,
    VarRef, Visibility,
};
use std::fmt::{self, Display, Formatter};

/// Binds tighter than every binary operator.
const OPERAND: u8 = u8::MAX;

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_expr(f, self, 0)
    }
}

/// Writes an expression, in parentheses if it binds less tightly than `lowest`.
fn write_expr(f: &mut Formatter<'_>, expr: &Expr, lowest: u8) -> fmt::Result {
    if let Some(name) = &expr.written {
        return f.write_str(name);
    }
    match &expr.kind {
        ExprKind::Const(value, literal) => write_literal(f, *value, *literal),
        ExprKind::Var(var) => var.fmt(f),
        ExprKind::Predefined(which) => f.write_str(which.name()),
        ExprKind::Unary(op, operand) => {
            f.write_str(op.symbol())?;
            if runs_together(*op, operand) {
                return write!(f, "({operand})");
            }
            write_expr(f, operand, OPERAND)
        }
        ExprKind::Binary(op, left, right) => {
            let level = op.precedence();
            let (open, close) = if level < lowest { ("(", ")") } else { ("", "") };
            f.write_str(open)?;
            write_expr(f, left, level)?;
            write!(f, " {} ", op.symbol())?;
            write_expr(f, right, level + 1)?;
            f.write_str(close)
        }
        ExprKind::Conditional(condition, yes, no) => write!(f, "({condition} -> {yes} : {no})"),
        ExprKind::Run(run) => write_run(f, run),
        ExprKind::Len(channel) => write!(f, "len({channel})"),
        ExprKind::Probe(probe, channel) => write!(f, "{}({channel})", probe.name()),
        ExprKind::Enabled(pid) => write!(f, "enabled({pid})"),
        ExprKind::PcValue(pid) => write!(f, "pc_value({pid})"),
        ExprKind::GetPriority(pid) => write!(f, "get_priority({pid})"),
        ExprKind::Poll(receive) => write_poll(f, receive),
        ExprKind::RemoteLabel(remote, label) => write!(f, "{remote}@{}", label.name),
        ExprKind::RemoteVar(remote, field) => write!(f, "{remote}:{field}"),
        ExprKind::Error => f.write_str("<error>"),
    }
}

/// True if the operator and the start of the operand would read as one token: `--x`, `!!x`.
fn runs_together(op: UnaryOp, operand: &Expr) -> bool {
    match &operand.kind {
        ExprKind::Unary(inner, _) => *inner == op && matches!(op, UnaryOp::Neg | UnaryOp::Not),
        ExprKind::Const(value, Literal::Number) => op == UnaryOp::Neg && *value < 0,
        _ => false,
    }
}

fn write_literal(f: &mut Formatter<'_>, value: i32, literal: Literal) -> fmt::Result {
    match literal {
        Literal::Number => write!(f, "{value}"),
        Literal::True => f.write_str("true"),
        Literal::False => f.write_str("false"),
        Literal::Skip => f.write_str("skip"),
        Literal::Char => match u8::try_from(value) {
            Ok(byte) => write!(f, "'{}'", byte.escape_ascii()),
            Err(_) => write!(f, "{value}"),
        },
    }
}

fn write_run(f: &mut Formatter<'_>, run: &RunExpr) -> fmt::Result {
    write!(f, "run {}({})", run.process.name, list(&run.args))?;
    match &run.priority {
        Some(priority) => write!(f, " priority {}", priority.value),
        None => Ok(()),
    }
}

fn write_poll(f: &mut Formatter<'_>, receive: &Receive) -> fmt::Result {
    let op = if receive.op == ReceiveOp::Random {
        "??"
    } else {
        "?"
    };
    write!(
        f,
        "{}{op}[{}]",
        receive.channel,
        Args(&receive.args, receive.call_form)
    )
}

/// Values with commas between them.
fn list<T: Display>(values: &[T]) -> impl Display {
    let texts: Vec<String> = values.iter().map(T::to_string).collect();
    texts.join(", ")
}

/// The fields of a message: `a,b` or `a(b)`.
struct Args<'a, T>(&'a [T], bool);

impl<T: Display> Display for Args<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.0.iter().map(T::to_string).collect();
        match (self.1, texts.split_first()) {
            (true, Some((first, rest))) => write!(f, "{first}({})", rest.join(",")),
            _ => f.write_str(&texts.join(",")),
        }
    }
}

impl Display for VarRef {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, field) in self.fields.iter().enumerate() {
            let dot = if index > 0 { "." } else { "" };
            write!(f, "{dot}{field}")?;
        }
        Ok(())
    }
}

impl Display for Field {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.index {
            Some(index) => write!(f, "{}[{index}]", self.name.name),
            None => f.write_str(&self.name.name),
        }
    }
}

impl Display for RemoteRef {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.pid {
            Some(pid) => write!(f, "{}[{pid}]", self.process.name),
            None => f.write_str(&self.process.name),
        }
    }
}

impl Display for ReceiveArg {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ReceiveArgKind::Var(var) => var.fmt(f),
            ReceiveArgKind::Const(value) => value.fmt(f),
            ReceiveArgKind::Eval(value) => write!(f, "eval({value})"),
        }
    }
}

impl Display for Send {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let op = if self.sorted { "!!" } else { "!" };
        write!(
            f,
            "{}{op}{}",
            self.channel,
            Args(&self.args, self.call_form)
        )
    }
}

impl Display for Receive {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (open, close) = match self.op {
            ReceiveOp::Fifo => ("?", ""),
            ReceiveOp::Random => ("??", ""),
            ReceiveOp::FifoKeep => ("?<", ">"),
            ReceiveOp::RandomKeep => ("??<", ">"),
        };
        write!(
            f,
            "{}{open}{}{close}",
            self.channel,
            Args(&self.args, self.call_form)
        )
    }
}

impl Display for Stmt {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            StmtKind::Decl(decl) => decl.fmt(f),
            StmtKind::ExclusiveReceive(channels) => write!(f, "xr {}", list(channels)),
            StmtKind::ExclusiveSend(channels) => write!(f, "xs {}", list(channels)),
            StmtKind::Labelled(_, stmt) => stmt.fmt(f),
            StmtKind::Assign(var, value) => write!(f, "{var} = {value}"),
            StmtKind::Increment(var) => write!(f, "{var}++"),
            StmtKind::Decrement(var) => write!(f, "{var}--"),
            StmtKind::Send(send) => send.fmt(f),
            StmtKind::Receive(receive) => receive.fmt(f),
            StmtKind::Expr(condition) => condition.fmt(f),
            StmtKind::Goto(label) => write!(f, "goto {}", label.name),
            StmtKind::For(var, range, _) => write_for(f, var, range),
            StmtKind::Select(s) => write!(f, "select ({} : {} .. {})", s.var, s.from, s.to),
            StmtKind::Unless(main, escape) => write!(f, "{main} unless {escape}"),
            StmtKind::Printf(format, args) => write_printf(f, format, args),
            StmtKind::Printm(value) => write!(f, "printm({value})"),
            StmtKind::Assert(condition) => write!(f, "assert({condition})"),
            StmtKind::SetPriority(pid, value) => write!(f, "set_priority({pid}, {value})"),
            StmtKind::InlineCall(call) => call.fmt(f),
            StmtKind::Return(value) => write!(f, "return {value}"),
            head => f.write_str(head_word(head)),
        }
    }
}

/// The word for statements that are shown without their parts.
fn head_word(kind: &StmtKind) -> &'static str {
    match kind {
        StmtKind::Else => "else",
        StmtKind::Break => "break",
        StmtKind::Atomic(_) => "atomic",
        StmtKind::DStep(_) => "d_step",
        StmtKind::Block(_) => "{ ... }",
        StmtKind::If(_) => "if",
        StmtKind::Do(_) => "do",
        _ => "<error>",
    }
}

fn write_for(f: &mut Formatter<'_>, var: &VarRef, range: &ForRange) -> fmt::Result {
    match range {
        ForRange::Range(from, to) => write!(f, "for ({var} : {from} .. {to})"),
        ForRange::In(over) => write!(f, "for ({var} in {over})"),
    }
}

fn write_printf(f: &mut Formatter<'_>, format: &str, args: &[Expr]) -> fmt::Result {
    let comma = if args.is_empty() { "" } else { ", " };
    write!(f, "printf(\"{format}\"{comma}{})", list(args))
}

impl Display for InlineCall {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(var) = &self.result {
            write!(f, "{var} = ")?;
        }
        write!(f, "{}({})", self.name.name, list(&self.args))
    }
}

impl Display for Decl {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let visibility = match self.visibility {
            Some(Visibility::Hidden) => "hidden ",
            Some(Visibility::Show) => "show ",
            Some(Visibility::Local) => "local ",
            None => "",
        };
        write!(f, "{visibility}{} {}", self.ty, list(&self.vars))
    }
}

impl Display for DeclType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DeclType::Bit => "bit",
            DeclType::Bool => "bool",
            DeclType::Byte => "byte",
            DeclType::Short => "short",
            DeclType::Int => "int",
            DeclType::Unsigned => "unsigned",
            DeclType::Pid => "pid",
            DeclType::Chan => "chan",
            DeclType::Mtype(None) => "mtype",
            DeclType::Mtype(Some(subtype)) => return write!(f, "mtype:{}", subtype.name),
            DeclType::User(name) => &name.name,
        })
    }
}

impl Display for Var {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name.name)?;
        if let Some(width) = self.width {
            write!(f, " : {}", width.bits)?;
        }
        if let Some(size) = &self.size {
            write!(f, "[{size}]")?;
        }
        match &self.init {
            Some(init) => write!(f, " = {init}"),
            None => Ok(()),
        }
    }
}

impl Display for Initializer {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Initializer::Expr(value) => value.fmt(f),
            Initializer::List(values, _) => write!(f, "{{ {} }}", list(values)),
            Initializer::Channel(channel) => {
                let types: Vec<String> = channel
                    .fields
                    .iter()
                    .map(|field| field.ty.to_string())
                    .collect();
                write!(f, "[{}] of {{ {} }}", channel.capacity, types.join(", "))
            }
        }
    }
}
