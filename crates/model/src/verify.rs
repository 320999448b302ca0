//! The verifier: the only way from an [`UncheckedModel`] to a [`Model`].
//!
//! Whoever holds a [`Model`] may rely on every invariant below, so engines index tables and match
//! on roles without asking again. A [`VerifyError`] therefore **always means a defect of the front
//! end** (or of the pass) that made the model, never a mistake of the user: what a user can get
//! wrong is said earlier, as a [`crate::Diagnostic`] about the source text.
//!
//! What can only be known in a run is not an invariant but a [`crate::step::FaultKind`]: an index
//! outside its array, a message with the wrong number of fields, a channel reference to nothing.
//!
//! # The invariants
//!
//! Types and variables ([`Rule::TypeIds`] to [`Rule::InitialOrder`]):
//!
//! 1. Every id inside a type is a row of its table, and so is every coding that stands for the indices of a variable, which has
//!    an array for each.
//! 2. A record has at least one field, and its fields use earlier records only.
//! 3. Sizes are sane: arrays, domains and message types have at least one element; the globals,
//!    the locals of one template, the scratch variables of monitors, and one channel's messages each take at most [`MAX_CELLS`] cells.
//! 4. An integer has 1 to 32 bits; a range has `min <= max`, and `max - min` fits 63 bits; each value of a
//!    coded cell has a name, or a number that fits 64 bits.
//! 5. The constants of an enum have different numbers from 1 to 255 (0 means none).
//! 6. An initial value fits the type of its variable: `Fill` wants a scalar or an array of
//!    scalars, `List` an array of scalars with no fewer elements than values (and one value at
//!    least), `NewChannel` channel references, `Default` no range without 0. Parameters have
//!    `Default`: the creator gives their values.
//! 7. An initial value reads only what comes before it: a global earlier globals, a local all
//!    globals and earlier locals, a record's field no variable at all.
//!
//! Templates ([`Rule::Locations`] to [`Rule::Texts`]):
//!
//! 8. A template has a location, its entry is one, and its parameters are among its locals.
//! 9. The ranges of edges that the locations give divide the table of edges: every edge is in the
//!    range of its source, and in no other.
//! 10. The target of every edge is a location.
//! 11. At a location, edges of an escape (class > 0) come before those of none (class 0).
//! 12. A routine has a node, each node a choice, each `next` is a node; no choice is an exit or
//!     another routine.
//! 13. Messages and patterns have at least one field.
//! 14. Every edge, every monitor and every choice has a text.
//!
//! Expressions and places ([`Rule::VariableIds`] to [`Rule::ProcessReferences`]):
//!
//! 15. The variable of a place exists: a global, a local of the template or function where the place stands, a scratch variable of
//!     monitors if it stands in a monitor, a reference parameter of the function where it stands, or a local of the other template that it
//!     names.
//! 16. The path of a place fits its type: a field of a record that has it, an index of an array;
//!     and it ends in one cell.
//! 17. Locals, the process's own number and its own priority are used only where there is one:
//!     not in initial values of globals or fields or arguments of the start; a condition may use the
//!     indices of every property that asks it; and a claim, an observer of events, a monitor or a function that a monitor calls has
//!     locals, but no number and no priority.
//! 18. A question about another process (a local variable, a location, the first instance) names a
//!     template of role process, and a location of it.
//!
//! The whole ([`Rule::Creation`] to [`Rule::Flags`]):
//!
//! 19. What is created, at the start or later, is of a template of role process, has one argument
//!     for each cell of the parameters, and a priority from 1 to 255.
//! 20. At most 255 processes are there at the start.
//! 21. Observers only observe. A claim neither sends nor receives, makes no processes and sets no
//!     priorities, and never fails; an observer of events has sends, receives and edges that are always possible and
//!     do nothing. Neither has parameters or a `provided`. An exit in one is never taken: it only
//!     marks the end.
//! 22. A property names a template of the role that it needs, or monitors, or nodes of routines, or conditions. Some property names each condition
//!     of the table, and exactly one each monitor. Its automaton has the states that it names, and each of its indices is a scalar and has values
//!     that fit.
//! 23. `tracks_last_mover` is set if an expression asks for the last mover, `prioritised` if a
//!     priority is set or given that is not 1.
//!
//! Hints ([`Rule::Scalarsets`]):
//!
//! 24. A declared set of names has a name, the last of them fits 64 bits, and what is said to use them exists:
//!     a template of role process, a variable with cells or an index at the end of the path, a field of a message.
//!     Names that are unordered are indices of global variables alone.
//!
//! Systems of rules ([`Rule::Monitors`] to [`Rule::Parameters`]):
//!
//! 25. A monitor is a guarded step or a routine. Neither it nor a function that it calls sends or receives, makes processes or sets priorities. The
//!     variables of monitors are scratch variables without first values. No template has the role of monitors.
//! 26. A model with monitors, quiet nodes, a held start, or deadlocks without change has neither
//!     observers of events nor priorities, and nobody asks whether a process is enabled. A held start has a process.
//! 27. An edge with parameters is a guarded step or a routine of a template of role process that may have a choice, and belongs to no escape. Each
//!     parameter of an edge or a monitor has values, and a scratch variable of its own with room for all of them; there are fewer than 2^32 - 1
//!     choices.
//!
//! Quantifiers ([`Rule::Quantifiers`]):
//!
//! 28. The number of the variable of a quantifier is the number of quantifiers around it in its expression, and a bound variable names one of those around
//!     it. A quantifier has a value at least and fewer than 2^31, which fit the type of its variable. One that counts or adds is strict, one that
//!     looks for the first value is ordered.
//!
//! Loops ([`Rule::Loops`]):
//!
//! 29. The head of a loop is a node of its routine, and of no other loop, whose choices take the next value of the loop and lead on behind the last one. Its variable and
//!     its position are two scratch variables with room for all values and their number.
//!
//! Functions ([`Rule::Functions`] to [`Rule::Calls`]):
//!
//! 30. The variables of a function are scratch variables without initial values; its parameters and its result are among them.
//! 31. A call is a choice of a routine: that of a monitor, of an edge of a template of role process, or of a function. It names a function, has one
//!     argument for each cell of its parameters, passes a place of exactly the type of each reference parameter, and has a place for the result if and
//!     only if there is a result: one of its type, or both are cells. What is passed or gets a result is a part of a variable, of whatever type.
//!
//! Chance ([`Rule::Chance`]):
//!
//! 32. An edge with an outcome is a guarded step or a routine without parameters of a template of role process that may have a choice; it belongs to
//!     no escape. A weight that is a constant is positive. Outcomes, rewards and queries are in models that say how chance and choice are mixed alone, and a query
//!     names structures of rewards that there are.

mod actions;
mod chance;
mod expressions;
mod functions;
mod properties;
mod quantifiers;
mod rules;
mod structure;
mod symmetry;
mod types;

use crate::ids::MonitorId;
use crate::model::{Model, UncheckedModel};
use crate::monitor::Monitor;
use crate::source::Span;
use std::fmt;

/// How many cells the globals, the locals of a process or the messages in a channel may take.
pub const MAX_CELLS: u64 = 1 << 20;

/// How many processes there may be at the start.
pub const MAX_START: usize = 255;

/// An invariant; the number is the one in the list of the [module's documentation](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// Ids inside types exist.
    TypeIds = 1,
    /// Records use earlier records.
    RecordOrder,
    /// Sizes are sane.
    Sizes,
    /// Scalars are sane.
    Scalars,
    /// Numbers of constants are sane.
    Constants,
    /// Initial values fit their types.
    InitialShape,
    /// Initial values read earlier variables only.
    InitialOrder,
    /// Locations, entry and parameters exist.
    Locations,
    /// The table of edges is divided among the locations.
    EdgeRanges,
    /// Targets exist.
    Targets,
    /// Escapes come first.
    Escapes,
    /// Routines are whole.
    Routines,
    /// Messages have fields.
    Messages,
    /// Statements have texts.
    Texts,
    /// Variables exist.
    VariableIds,
    /// Paths fit types.
    Paths,
    /// Own things are used by processes.
    Own,
    /// Other processes are named properly.
    ProcessReferences,
    /// Creations fit templates.
    Creation,
    /// The start is not too large.
    StartCount,
    /// Observers observe.
    Observers,
    /// Properties name observers.
    Properties,
    /// Flags are set.
    Flags,
    /// Declared symmetry is about what exists.
    Scalarsets,
    /// Monitors only look at states.
    Monitors,
    /// Systems of rules have no other observers.
    Alone,
    /// Parameters of edges and monitors have room.
    Parameters,
    /// Quantifiers have values, and their variables stand inside.
    Quantifiers,
    /// The code of loops does what they say.
    Loops,
    /// Functions have frames.
    Functions,
    /// Calls fit functions.
    Calls,
    /// Outcomes, rewards and queries make sense.
    Chance,
}

impl Rule {
    /// All of them, in order.
    pub const ALL: [Rule; 32] = [
        Rule::TypeIds,
        Rule::RecordOrder,
        Rule::Sizes,
        Rule::Scalars,
        Rule::Constants,
        Rule::InitialShape,
        Rule::InitialOrder,
        Rule::Locations,
        Rule::EdgeRanges,
        Rule::Targets,
        Rule::Escapes,
        Rule::Routines,
        Rule::Messages,
        Rule::Texts,
        Rule::VariableIds,
        Rule::Paths,
        Rule::Own,
        Rule::ProcessReferences,
        Rule::Creation,
        Rule::StartCount,
        Rule::Observers,
        Rule::Properties,
        Rule::Flags,
        Rule::Scalarsets,
        Rule::Monitors,
        Rule::Alone,
        Rule::Parameters,
        Rule::Quantifiers,
        Rule::Loops,
        Rule::Functions,
        Rule::Calls,
        Rule::Chance,
    ];

    /// Its number in the list.
    pub fn number(self) -> u8 {
        self as u8
    }
}

/// An invariant that a model breaks: a defect of the front end that made the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// Which invariant.
    pub rule: Rule,
    /// How it is broken.
    pub message: String,
    /// The template in which that is, by name.
    pub template: Option<String>,
    /// The edge in that template's table.
    pub edge: Option<u32>,
    /// The monitor in which that is.
    pub monitor: Option<MonitorId>,
    /// The function in which that is, by name.
    pub function: Option<String>,
    /// Where in the source it comes from.
    pub span: Option<Span>,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(template) = &self.template {
            write!(f, "template {template}")?;
            if let Some(edge) = self.edge {
                write!(f, ", edge {edge}")?;
            }
            write!(f, ": ")?;
        }
        if let Some(monitor) = self.monitor {
            write!(f, "monitor {monitor}: ")?;
        }
        if let Some(function) = &self.function {
            write!(f, "function {function}: ")?;
        }
        let number = self.rule.number();
        write!(f, "{} (invariant {number} of the IR)", self.message)
    }
}

impl std::error::Error for VerifyError {}

/// Checks every invariant of the [module's documentation](self).
///
/// # Errors
///
/// All the broken invariants that could be looked at: what would have to index by a broken id is
/// left for the next attempt.
pub fn verify(model: UncheckedModel) -> Result<Model, Vec<VerifyError>> {
    // Each pass may rely on what the passes before it have established, so the first that finds
    // something is the last that runs.
    let passes = [
        types::check,
        structure::check,
        expressions::check,
        actions::check,
        properties::check,
        symmetry::check,
        rules::check,
        functions::check,
        chance::check,
    ];
    for pass in passes {
        let mut findings = Findings::default();
        pass(&model, &mut findings);
        if !findings.errors.is_empty() {
            return Err(findings.errors);
        }
    }
    Ok(Model::verified(model))
}

/// What has been found so far, and where the check is now.
#[derive(Default)]
struct Findings {
    errors: Vec<VerifyError>,
    template: Option<String>,
    edge: Option<u32>,
    monitor: Option<MonitorId>,
    function: Option<String>,
}

impl Findings {
    /// Records a broken invariant unless `holds`.
    fn require(
        &mut self,
        holds: bool,
        rule: Rule,
        span: impl Into<Option<Span>>,
        message: impl FnOnce() -> String,
    ) {
        if !holds {
            self.errors.push(VerifyError {
                rule,
                message: message(),
                template: self.template.clone(),
                edge: self.edge,
                monitor: self.monitor,
                function: self.function.clone(),
                span: span.into(),
            });
        }
    }

    /// From here on, findings are about the whole model.
    fn leave_template(&mut self) {
        (self.template, self.edge) = (None, None);
        (self.monitor, self.function) = (None, None);
    }

    /// Checks each monitor; findings are about it meanwhile.
    fn each_monitor<'m>(
        &mut self,
        model: &'m UncheckedModel,
        mut check: impl FnMut(&'m Monitor, &mut Self),
    ) {
        self.leave_template();
        for (id, monitor) in (0..).map(MonitorId).zip(&model.monitors) {
            self.monitor = Some(id);
            check(monitor, self);
        }
        self.leave_template();
    }

    /// From here on, findings are about this template.
    fn enter_template(&mut self, name: &str) {
        self.leave_template();
        self.template = Some(name.to_string());
    }

    /// From here on, findings are about this function.
    fn enter_function(&mut self, name: &str) {
        self.leave_template();
        self.function = Some(name.to_string());
    }
}
