//! Edges, steps and effects.

use super::Scope;
use super::expressions::order_mark;
use mandala_model::expr::Expr;
use mandala_model::function::Call;
use mandala_model::ids::{MonitorId, TemplateId};
use mandala_model::loops::Loop;
use mandala_model::monitor::Monitor;
use mandala_model::parameters::{Parameter, Progression, Values};
use mandala_model::template::{
    Control, Edge, Effect, Insertion, Keep, Node, Print, Routine, SendOrder, Step,
};

impl Scope<'_> {
    /// The edge in one line, with a routine in several.
    pub(super) fn edge(&self, edge: &Edge) -> Vec<String> {
        self.code(&self.edge_head(edge), &edge.step)
    }

    /// The monitor in the same way.
    pub(super) fn monitor(&self, id: MonitorId, monitor: &Monitor) -> Vec<String> {
        let mut head = format!("monitor {id}{}", self.attribute(monitor.span));
        self.push_rest(
            &mut head,
            (monitor.statement, monitor.twin),
            &monitor.parameters,
        );
        self.code(&(head + &self.text(&monitor.text)), &monitor.step)
    }

    /// A step behind what it begins with.
    fn code(&self, first: &str, step: &Step) -> Vec<String> {
        match step {
            Step::Routine(routine) => {
                let mut lines = vec![format!("{first} routine {{")];
                lines.extend(self.routine(routine));
                lines.push("}".into());
                lines
            }
            step => vec![format!("{first} {}", self.step(step))],
        }
    }

    fn edge_head(&self, edge: &Edge) -> String {
        let mut head = format!("{} -> {}", edge.source, edge.target);
        head.push_str(&self.attribute(edge.span));
        if edge.statement > 0 {
            head.push_str(&format!(" number {}", edge.statement));
        }
        if edge.escape > 0 {
            head.push_str(&format!(" escape {}", edge.escape));
        }
        head.push_str(match edge.control {
            Control::Release => "",
            Control::Hold => " hold",
        });
        self.push_rest(&mut head, (0, edge.twin), &edge.parameters);
        if let Some(outcome) = &edge.outcome {
            head.push_str(&self.outcome(outcome));
        }
        head + &self.text(&edge.text)
    }

    /// Adds a number that is not 0, that it is a twin, and parameters.
    fn push_rest(&self, head: &mut String, (number, twin): (u32, bool), parameters: &[Parameter]) {
        if number > 0 {
            head.push_str(&format!(" number {number}"));
        }
        if twin {
            head.push_str(" twin");
        }
        for parameter in parameters {
            head.push_str(&self.parameter(parameter));
        }
    }

    /// A parameter: the variable that holds its value, and the values.
    fn parameter(&self, parameter: &Parameter) -> String {
        let local = self.local_name(parameter.local);
        let values = progressions(&parameter.values);
        let positions = parameter.positions_of.map_or_else(String::new, |array| {
            format!(" positions {}", self.names.globals[array.index()])
        });
        let (name, span) = (&parameter.name, self.attribute(parameter.span));
        format!(" for {local} named {name:?}{span} of {values}{positions}")
    }

    /// The statement as a person would write it, where everything is printed.
    pub(super) fn text(&self, text: &str) -> String {
        match self.spans {
            true => format!(" text {text:?}"),
            false => String::new(),
        }
    }

    pub(super) fn routine(&self, routine: &Routine) -> Vec<String> {
        let mut lines = Vec::new();
        for (index, node) in routine.nodes.iter().enumerate() {
            let mut head = format!("  n{index}{}", self.node_head(node));
            for choice in &node.choices {
                let mut step = self.step(&choice.step);
                if self.spans {
                    let text = self.text(&choice.text);
                    step = format!("{}{text} {step}", self.attribute(choice.span).trim_start());
                }
                let next = choice.next.map_or("done".into(), |node| node.to_string());
                lines.push(format!("{head}: {step} -> {next}"));
                head = format!("  n{index}");
            }
        }
        lines.extend(routine.loops.iter().map(|each| self.each(each)));
        lines
    }

    /// A loop: its head, its variable, the variable that counts, and the values.
    fn each(&self, each: &Loop) -> String {
        let (head, span) = (each.head, self.attribute(each.span));
        let variable = self.local_name(each.variable);
        let position = self.local_name(each.position);
        let values = progressions(&each.values);
        format!("  loop {head}{span} for {variable} counter {position} of {values}")
    }

    /// What there is to say of a node, at its first choice.
    fn node_head(&self, node: &Node) -> String {
        let mut head = self.attribute(node.span);
        if node.quiet {
            head.push_str(" quiet");
        }
        if node.number > 0 {
            head.push_str(&format!(" number {}", node.number));
        }
        head
    }

    fn step(&self, step: &Step) -> String {
        match step {
            Step::Guarded { guard, effects } => self.guarded(guard, effects),
            Step::Else => "else".into(),
            Step::Exit => "exit".into(),
            Step::Send {
                channel,
                order,
                message,
            } => self.send(channel, *order, message),
            Step::Receive {
                channel,
                order,
                keep,
                patterns,
            } => {
                let patterns = self.patterns(channel, patterns);
                let (channel, mark) = (self.channel(channel), order_mark(*order));
                match keep {
                    Keep::Remove => format!("receive {channel} {mark} {patterns}"),
                    Keep::Stay => format!("receive {channel} {mark} <{patterns}>"),
                }
            }
            Step::Call(call) => self.call(call),
            // The verifier lets routines stand on edges only.
            Step::Routine(routine) => self.routine(routine).join(" "),
        }
    }

    /// A guard that is always true is left out, unless its place in the source is printed.
    fn guarded(&self, guard: &Expr, effects: &[Effect]) -> String {
        let always = guard.as_constant() == Some(1) && !self.spans;
        let effects: Vec<String> = effects.iter().map(|e| self.effect(e)).collect();
        match (always, effects.is_empty()) {
            (true, true) => "skip".into(),
            (true, false) => format!("do {}", effects.join("; ")),
            (false, true) => format!("when {}", self.expression(guard, None)),
            (false, false) => {
                let guard = self.expression(guard, None);
                format!("when {guard} do {}", effects.join("; "))
            }
        }
    }

    /// `call y = f(1, x; place)`
    fn call(&self, call: &Call) -> String {
        let function = self.model.function(call.function);
        let parameters = function.locals.iter().take(function.parameters as usize);
        let scalars = parameters.flat_map(|p| self.model.scalars(&p.ty));
        let arguments = call.arguments.iter().zip(scalars);
        let arguments = arguments.map(|(value, scalar)| self.expression(value, Some(scalar)));
        let arguments = arguments.collect::<Vec<_>>().join(", ");
        let places: Vec<String> = call.references.iter().map(|p| self.place(p)).collect();
        let places = match places.is_empty() {
            true => String::new(),
            false => format!("; {}", places.join(", ")),
        };
        let result = call.result.as_ref();
        let result = result.map_or_else(String::new, |place| format!("{} = ", self.place(place)));
        let name = &self.names.functions[call.function.index()];
        format!("call {result}{name}({arguments}{places})")
    }

    fn send(&self, channel: &Expr, order: SendOrder, message: &[Expr]) -> String {
        let mark = match order {
            SendOrder::Last => "!",
            SendOrder::Sorted => "!!",
        };
        let values = message.iter().enumerate();
        let values = values.map(|(i, value)| self.expression(value, self.field(channel, i)));
        let values = values.collect::<Vec<_>>().join(", ");
        format!("send {} {mark} {values}", self.channel(channel))
    }

    fn insertion(&self, insertion: &Insertion) -> String {
        let cells = insertion.cells.iter().map(|(place, value)| {
            let value = self.expression(value, self.cell(place));
            format!("{} = {value}", self.place(place))
        });
        format!(
            "insert {} at {} = {} {{ {} }} if {} else {:?}",
            self.names.globals[insertion.array.index()],
            self.place(&insertion.position),
            self.expression(&insertion.first_free, None),
            cells.collect::<Vec<_>>().join("; "),
            self.expression(&insertion.has_room, None),
            insertion.message
        )
    }

    fn effect(&self, effect: &Effect) -> String {
        match effect {
            Effect::Assign { place, value } => {
                let value = self.expression(value, self.cell(place));
                format!("{} = {value}", self.place(place))
            }
            Effect::Assert { condition } => format!("assert({})", self.expression(condition, None)),
            Effect::Print { text } => self.print(text),
            Effect::Spawn {
                template,
                arguments,
                priority,
                result,
            } => {
                let creation = self.creation(*template, arguments, *priority);
                let target = result.as_ref().map(|place| self.place(place));
                target.map_or_else(
                    || format!("run {creation}"),
                    |place| format!("{place} = run {creation}"),
                )
            }
            Effect::SetPriority { process, priority } => {
                let process = self.expression(process, None);
                format!(
                    "set_priority({process}, {})",
                    self.expression(priority, None)
                )
            }
            Effect::Fail { message } => format!("fail {message:?}"),
            Effect::Abandon => "abandon".into(),
            Effect::Insert(insertion) => self.insertion(insertion),
        }
    }

    /// A new process: `user(0) priority 3`.
    pub(super) fn creation(&self, id: TemplateId, arguments: &[Expr], priority: u8) -> String {
        let name = &self.names.templates[id.index()];
        let arguments = self.list(arguments);
        match priority {
            1 => format!("{name}({arguments})"),
            _ => format!("{name}({arguments}) priority {priority}"),
        }
    }

    fn print(&self, text: &Print) -> String {
        match text {
            Print::Format { format, arguments } if arguments.is_empty() => {
                format!("printf({format:?})")
            }
            Print::Format { format, arguments } => {
                format!("printf({format:?}, {})", self.list(arguments))
            }
            Print::Name(value) => format!("printm({})", self.expression(value, None)),
        }
    }

    fn list(&self, expressions: &[Expr]) -> String {
        let texts = expressions.iter().map(|e| self.expression(e, None));
        texts.collect::<Vec<_>>().join(", ")
    }
}

/// Numbers in order: `1..3, 5`.
pub(super) fn progressions(values: &Values) -> String {
    let runs = values.0.iter().copied().map(progression);
    runs.collect::<Vec<_>>().join(", ")
}

/// Numbers at the same distance from each other: `1..3`, `0..6 by 2`, `5`.
fn progression(run: Progression) -> String {
    let last = run.last().unwrap_or(run.first);
    match (run.count, run.step) {
        (1, _) => run.first.to_string(),
        (_, 1) => format!("{}..{last}", run.first),
        (_, step) => format!("{}..{last} by {step}", run.first),
    }
}
