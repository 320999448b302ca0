//! The syntax tree as compact s-expressions: structure visible, spans left out.

use mandala_promela::ast::*;

/// One line a unit.
pub(crate) fn program(program: &Program) -> String {
    program
        .units
        .iter()
        .map(unit)
        .collect::<Vec<_>>()
        .join("\n")
}

fn unit(unit: &Unit) -> String {
    match unit {
        Unit::Proctype(p) => proctype(p),
        Unit::Init(i) => format!("(init{} {})", priority(&i.priority), sequence(&i.body)),
        Unit::Never(n) => format!("(never{} {})", optional_name(&n.name), sequence(&n.body)),
        Unit::Trace(t) => {
            let word = if t.negated { "notrace" } else { "trace" };
            format!("({word} {})", sequence(&t.body))
        }
        Unit::Ltl(l) => format!("(ltl{} {})", optional_name(&l.name), expr(&l.formula)),
        Unit::Typedef(t) => format!("(typedef {} {})", t.name.name, decls(&t.fields)),
        Unit::Mtype(m) => {
            let names: Vec<&str> = m.names.iter().map(|n| &*n.name).collect();
            format!("(mtype{} {})", optional_name(&m.subtype), names.join(" "))
        }
        Unit::Decl(d) => decl(d),
        Unit::Inline(i) => {
            let params: Vec<&str> = i.params.iter().map(|n| &*n.name).collect();
            format!("(inline {} ({}))", i.name.name, params.join(" "))
        }
    }
}

fn proctype(p: &Proctype) -> String {
    let word = if p.deterministic {
        "D_proctype"
    } else {
        "proctype"
    };
    let active = match &p.active {
        Active::No => String::new(),
        Active::One => " active".to_string(),
        Active::Count(count) => format!(" (active {})", expr(count)),
    };
    let provided = p
        .provided
        .as_ref()
        .map_or(String::new(), |e| format!(" (provided {})", expr(e)));
    let (name, params) = (&p.name.name, decls(&p.params));
    let priority = priority(&p.priority);
    format!(
        "({word} {name}{active} ({params}){priority}{provided} {})",
        sequence(&p.body)
    )
}

fn priority(priority: &Option<Priority>) -> String {
    priority.map_or(String::new(), |p| format!(" (priority {})", p.value))
}

fn optional_name(name: &Option<Ident>) -> String {
    name.as_ref()
        .map_or(String::new(), |n| format!(" {}", n.name))
}

fn decls(decls: &[Decl]) -> String {
    decls.iter().map(decl).collect::<Vec<_>>().join(" ")
}

fn decl(decl: &Decl) -> String {
    let visibility = match decl.visibility {
        None => "",
        Some(Visibility::Hidden) => "hidden ",
        Some(Visibility::Show) => "show ",
        Some(Visibility::Local) => "local ",
    };
    let vars: Vec<String> = decl.vars.iter().map(var).collect();
    format!("({visibility}{} {})", decl.ty, vars.join(" "))
}

fn var(var: &Var) -> String {
    let mut text = var.name.name.to_string();
    if let Some(width) = var.width {
        text += &format!(":{}", width.bits);
    }
    if let Some(size) = &var.size {
        text += &format!("[{}]", expr(size));
    }
    match &var.init {
        None => text,
        Some(Initializer::Expr(e)) => format!("{text}={}", expr(e)),
        Some(Initializer::List(values, _)) => format!("{text}={{{}}}", exprs(values)),
        Some(Initializer::Channel(c)) => {
            let types: Vec<String> = c.fields.iter().map(|field| field.ty.to_string()).collect();
            format!("{text}=[{}]of{{{}}}", expr(&c.capacity), types.join(" "))
        }
    }
}

fn sequence(sequence: &Sequence) -> String {
    let stmts: Vec<String> = sequence.stmts.iter().map(stmt).collect();
    format!("[{}]", stmts.join(" "))
}

/// One statement.
pub(crate) fn stmt(s: &Stmt) -> String {
    match &s.kind {
        StmtKind::Decl(d) => decl(d),
        StmtKind::ExclusiveReceive(channels) => format!("(xr {})", var_refs(channels)),
        StmtKind::ExclusiveSend(channels) => format!("(xs {})", var_refs(channels)),
        StmtKind::Labelled(label, body) => format!("(label {} {})", label.name, stmt(body)),
        StmtKind::Assign(v, e) => format!("(= {} {})", var_ref(v), expr(e)),
        StmtKind::Increment(v) => format!("(++ {})", var_ref(v)),
        StmtKind::Decrement(v) => format!("(-- {})", var_ref(v)),
        StmtKind::Send(send) => {
            let op = if send.sorted { "!!" } else { "!" };
            let form = if send.call_form { "()" } else { "" };
            format!(
                "({op}{form} {} {})",
                var_ref(&send.channel),
                exprs(&send.args)
            )
        }
        StmtKind::Receive(r) => receive(r, ""),
        StmtKind::Expr(e) => expr(e),
        StmtKind::Else => "else".to_string(),
        StmtKind::Atomic(body) => format!("(atomic {})", sequence(body)),
        StmtKind::DStep(body) => format!("(d_step {})", sequence(body)),
        StmtKind::Block(body) => format!("(block {})", sequence(body)),
        StmtKind::If(options) => format!("(if {})", sequences(options)),
        StmtKind::Do(options) => format!("(do {})", sequences(options)),
        StmtKind::Break => "break".to_string(),
        StmtKind::Goto(label) => format!("(goto {})", label.name),
        StmtKind::For(v, ForRange::Range(a, b), body) => {
            format!(
                "(for {} {} {} {})",
                var_ref(v),
                expr(a),
                expr(b),
                sequence(body)
            )
        }
        StmtKind::For(v, ForRange::In(over), body) => {
            format!(
                "(for-in {} {} {})",
                var_ref(v),
                var_ref(over),
                sequence(body)
            )
        }
        StmtKind::Select(s) => {
            let word = if s.textual { "select-text" } else { "select" };
            format!(
                "({word} {} {} {})",
                var_ref(&s.var),
                expr(&s.from),
                expr(&s.to)
            )
        }
        StmtKind::Unless(main, escape) => format!("(unless {} {})", stmt(main), stmt(escape)),
        StmtKind::Printf(format, args) => {
            format!("(printf {format:?}{}{})", space(args), exprs(args))
        }
        StmtKind::Printm(e) => format!("(printm {})", expr(e)),
        StmtKind::Assert(e) => format!("(assert {})", expr(e)),
        StmtKind::SetPriority(pid, p) => format!("(set_priority {} {})", expr(pid), expr(p)),
        StmtKind::InlineCall(call) => {
            let result = call
                .result
                .as_ref()
                .map_or(String::new(), |v| format!("{} = ", var_ref(v)));
            format!(
                "(call {result}{}({}) {})",
                call.name.name,
                call.args.join("; "),
                sequence(&call.body)
            )
        }
        StmtKind::Return(e) => format!("(return {})", expr(e)),
        StmtKind::Error => "<error>".to_string(),
    }
}

fn space(args: &[Expr]) -> &'static str {
    if args.is_empty() { "" } else { " " }
}

fn sequences(options: &[Sequence]) -> String {
    options.iter().map(sequence).collect::<Vec<_>>().join(" ")
}

fn exprs(exprs: &[Expr]) -> String {
    exprs.iter().map(expr).collect::<Vec<_>>().join(" ")
}

fn var_refs(vars: &[VarRef]) -> String {
    vars.iter().map(var_ref).collect::<Vec<_>>().join(" ")
}

fn receive(r: &Receive, suffix: &str) -> String {
    let op = match r.op {
        ReceiveOp::Fifo => "?",
        ReceiveOp::Random => "??",
        ReceiveOp::FifoKeep => "?<>",
        ReceiveOp::RandomKeep => "??<>",
    };
    let form = if r.call_form { "()" } else { "" };
    let args: Vec<String> = r.args.iter().map(receive_arg).collect();
    format!(
        "({op}{suffix}{form} {} {})",
        var_ref(&r.channel),
        args.join(" ")
    )
}

fn receive_arg(arg: &ReceiveArg) -> String {
    match &arg.kind {
        ReceiveArgKind::Var(v) => var_ref(v),
        ReceiveArgKind::Const(e) => expr(e),
        ReceiveArgKind::Eval(e) => format!("(eval {})", expr(e)),
    }
}

fn var_ref(v: &VarRef) -> String {
    v.fields.iter().map(field).collect::<Vec<_>>().join(".")
}

fn field(f: &Field) -> String {
    let index = f
        .index
        .as_ref()
        .map_or(String::new(), |e| format!("[{}]", expr(e)));
    format!("{}{index}", f.name.name)
}

fn remote(r: &RemoteRef) -> String {
    let pid = r
        .pid
        .as_ref()
        .map_or(String::new(), |e| format!("[{}]", expr(e)));
    format!("{}{pid}", r.process.name)
}

fn expr(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Const(value, Literal::Number) => value.to_string(),
        ExprKind::Const(value, Literal::Char) => format!("char:{value}"),
        ExprKind::Const(_, Literal::True) => "true".to_string(),
        ExprKind::Const(_, Literal::False) => "false".to_string(),
        ExprKind::Const(_, Literal::Skip) => "skip".to_string(),
        ExprKind::Var(v) => var_ref(v),
        ExprKind::Predefined(which) => which.name().to_string(),
        ExprKind::Unary(op, a) => format!("({} {})", op.symbol().trim(), expr(a)),
        ExprKind::Binary(op, a, b) => format!("({} {} {})", op.symbol(), expr(a), expr(b)),
        ExprKind::Conditional(c, a, b) => format!("(?: {} {} {})", expr(c), expr(a), expr(b)),
        ExprKind::Run(run) => {
            let (args, gap) = (exprs(&run.args), space(&run.args));
            format!(
                "(run {}{gap}{args}{})",
                run.process.name,
                priority(&run.priority)
            )
        }
        ExprKind::Len(v) => format!("(len {})", var_ref(v)),
        ExprKind::Probe(probe, v) => format!("({} {})", probe.name(), var_ref(v)),
        ExprKind::Enabled(e) => format!("(enabled {})", expr(e)),
        ExprKind::PcValue(e) => format!("(pc_value {})", expr(e)),
        ExprKind::GetPriority(e) => format!("(get_priority {})", expr(e)),
        ExprKind::Poll(r) => receive(r, "[]"),
        ExprKind::RemoteLabel(r, label) => format!("(@ {} {})", remote(r), label.name),
        ExprKind::RemoteVar(r, f) => format!("(: {} {})", remote(r), field(f)),
        ExprKind::Error => "<error>".to_string(),
    }
}
