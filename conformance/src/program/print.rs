//! The text of a program. Every operator has its parentheses, so no table of precedence is needed
//! and none can be wrong.

use super::{
    Bracket, Declaration, Expr, Keeping, Order, Pattern, Place, Process, Program, Reach, Statement,
};
use std::fmt::{self, Display, Formatter, Write};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for line in self.macros.iter().chain(&self.notes) {
            writeln!(f, "{line}")?;
        }
        if !self.words.is_empty() {
            writeln!(f, "mtype = {{ {} }};", self.words.join(", "))?;
        }
        for record in &self.records {
            writeln!(f, "{record}")?;
        }
        for global in &self.globals {
            writeln!(f, "{global};")?;
        }
        for inline in &self.inlines {
            let head = format!("inline {}({})", inline.name, inline.parameters.join(", "));
            body(f, &head, &inline.body)?;
        }
        for process in &self.processes {
            body(f, &head(process)?, &process.body)?;
        }
        if let Some(init) = &self.init {
            body(f, "init", init)?;
        }
        if let Some(never) = &self.never {
            body(f, "never", never)?;
        }
        for formula in &self.formulas {
            writeln!(f, "{formula}")?;
        }
        match &self.events {
            Some(events) => body(f, events.kind, &events.body),
            None => Ok(()),
        }
    }
}

fn head(process: &Process) -> Result<String, fmt::Error> {
    let mut head = String::new();
    match process.active {
        0 => {}
        1 => head.push_str("active "),
        n => write!(head, "active [{n}] ")?,
    }
    write!(
        head,
        "proctype {}({})",
        process.name,
        process.parameters.join("; ")
    )?;
    if let Some(priority) = process.priority {
        write!(head, " priority {priority}")?;
    }
    if let Some(condition) = &process.provided {
        write!(head, " provided ({condition})")?;
    }
    Ok(head)
}

fn body(f: &mut Formatter<'_>, head: &str, statements: &[Statement]) -> fmt::Result {
    writeln!(f, "{head} {{")?;
    sequence(f, statements, 1)?;
    writeln!(f, "}}")
}

/// Statements, one a line. An empty sequence is not a sentence of the language, but `skip` is.
fn sequence(f: &mut Formatter<'_>, statements: &[Statement], depth: usize) -> fmt::Result {
    if statements
        .iter()
        .all(|s| matches!(s, Statement::Declare(_)))
    {
        for statement in statements {
            write!(f, "{}", indent(depth))?;
            write_statement(f, statement, depth)?;
            writeln!(f, ";")?;
        }
        return writeln!(f, "{}skip", indent(depth));
    }
    for (position, statement) in statements.iter().enumerate() {
        write!(f, "{}", indent(depth))?;
        write_statement(f, statement, depth)?;
        let last = position + 1 == statements.len();
        writeln!(f, "{}", if last { "" } else { ";" })?;
    }
    Ok(())
}

fn indent(depth: usize) -> String {
    "  ".repeat(depth)
}

fn write_statement(f: &mut Formatter<'_>, statement: &Statement, depth: usize) -> fmt::Result {
    match statement {
        Statement::Word(word) => f.write_str(word),
        Statement::Declare(declaration) => write!(f, "{declaration}"),
        Statement::Assign(place, value) => write!(f, "{place} = {value}"),
        Statement::Count(place, step) => write!(f, "{place}{step}"),
        Statement::Guard(condition) => write!(f, "{condition}"),
        Statement::Assert(condition) => write!(f, "assert({condition})"),
        Statement::Print(values) => print_statement(f, values),
        Statement::Send(channel, order, message) => {
            let mark = if *order == Order::Sorted { "!!" } else { "!" };
            write!(f, "{channel}{mark}{}", list(message))
        }
        Statement::Receive(channel, reach, keeping, patterns) => {
            receive(f, channel, *reach, *keeping, patterns)
        }
        Statement::Run(into, process, arguments) => {
            if let Some(place) = into {
                write!(f, "{place} = ")?;
            }
            write!(f, "run {process}({})", list(arguments))
        }
        Statement::Labelled(label, inner) => {
            write!(f, "{label}: ")?;
            write_statement(f, inner, depth)
        }
        Statement::Inline(name, arguments) => write!(f, "{name}({})", list(arguments)),
        Statement::Select(variable, from, to) => write!(f, "select ({variable} : {from} .. {to})"),
        compound => write_compound(f, compound, depth),
    }
}

fn write_compound(f: &mut Formatter<'_>, statement: &Statement, depth: usize) -> fmt::Result {
    match statement {
        Statement::If(branches) => selection(f, ("if", "fi"), branches, depth),
        Statement::Do(branches) => selection(f, ("do", "od"), branches, depth),
        Statement::Block(bracket, inner) => {
            f.write_str(match bracket {
                Bracket::Plain => "",
                Bracket::Atomic => "atomic ",
                Bracket::DStep => "d_step ",
            })?;
            braces(f, inner, depth)
        }
        Statement::For(variable, from, to, inner) => {
            write!(f, "for ({variable} : {from} .. {to}) ")?;
            braces(f, inner, depth)
        }
        Statement::ForIn(variable, array, inner) => {
            write!(f, "for ({variable} in {array}) ")?;
            braces(f, inner, depth)
        }
        Statement::Unless(main, escape) => {
            braces(f, main, depth)?;
            f.write_str(" unless ")?;
            braces(f, escape, depth)
        }
        _ => Ok(()),
    }
}

fn braces(f: &mut Formatter<'_>, statements: &[Statement], depth: usize) -> fmt::Result {
    writeln!(f, "{{")?;
    sequence(f, statements, depth + 1)?;
    write!(f, "{}}}", indent(depth))
}

fn selection(
    f: &mut Formatter<'_>,
    (open, close): (&str, &str),
    branches: &[Vec<Statement>],
    depth: usize,
) -> fmt::Result {
    writeln!(f, "{open}")?;
    for branch in branches {
        writeln!(f, "{}::", indent(depth))?;
        sequence(f, branch, depth + 1)?;
    }
    write!(f, "{}{close}", indent(depth))
}

fn print_statement(f: &mut Formatter<'_>, values: &[Expr]) -> fmt::Result {
    let places = "%d ".repeat(values.len());
    let comma = if values.is_empty() { "" } else { ", " };
    write!(f, "printf(\"{places}\\n\"{comma}{})", list(values))
}

fn receive(
    f: &mut Formatter<'_>,
    channel: &Place,
    reach: Reach,
    keeping: Keeping,
    patterns: &[Pattern],
) -> fmt::Result {
    let mark = mark(reach);
    let patterns = list(patterns);
    match keeping {
        Keeping::Taken => write!(f, "{channel}{mark}{patterns}"),
        Keeping::Copied => write!(f, "{channel}{mark}<{patterns}>"),
    }
}

fn mark(reach: Reach) -> &'static str {
    match reach {
        Reach::First => "?",
        Reach::Any => "??",
    }
}

fn list(items: &[impl Display]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    items.join(", ")
}

impl Display for Declaration {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.name)?;
        if let Some(first) = &self.first {
            write!(f, " = {first}")?;
        }
        self.channel
            .as_ref()
            .map_or(Ok(()), |channel| write!(f, " = {channel}"))
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.before)?;
        match &self.index {
            None => {}
            Some((index, mask)) => match index.as_ref() {
                Expr::Number(n) => write!(f, "[{}]", *n as u32 & mask)?,
                index => write!(f, "[{index} & {mask}]")?,
            },
        }
        f.write_str(&self.after)
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            // Spin leaves out the space of `0 - -1` in an argument of an inline.
            Expr::Number(n) if *n < 0 => write!(f, "({n})"),
            Expr::Number(n) => write!(f, "{n}"),
            Expr::Word(word) => f.write_str(word),
            Expr::Place(place) | Expr::Channel(place) => write!(f, "{place}"),
            Expr::Unary(operator, operand) => write!(f, "({operator} {operand})"),
            Expr::Binary(operator, left, right) => write!(f, "({left} {operator} {right})"),
            Expr::Conditional(condition, yes, no) => write!(f, "({condition} -> {yes} : {no})"),
            Expr::OfChannel(function, channel) => write!(f, "{function}({channel})"),
            Expr::Poll(channel, reach, patterns) => {
                write!(f, "{channel}{}[{}]", mark(*reach), list(patterns))
            }
            Expr::Call(name, arguments) => write!(f, "{name}({})", list(arguments)),
            Expr::AtLabel(process, number, label) => write!(f, "{process}[{number}]@{label}"),
        }
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Into(place) => write!(f, "{place}"),
            Pattern::Constant(constant) => write!(f, "{constant}"),
            Pattern::Eval(value) => write!(f, "eval({value})"),
            Pattern::Anything => f.write_str("_"),
        }
    }
}
