//! Typed indices into the tables of a model.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident, $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into the table that it names a row of.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            fn from(index: usize) -> Self {
                $name(index as u32)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    )*};
}

ids! {
    /// A global variable.
    GlobalId, "g";
    /// A local variable of a template; the parameters come first.
    LocalId, "l";
    /// A record type.
    RecordId, "record";
    /// A set of named constants.
    EnumId, "enum";
    /// A kind of channel: its capacity and the types of its messages.
    ChannelKindId, "kind";
    /// A finite set of interchangeable names.
    DomainId, "domain";
    /// A way to show the values of cells.
    CodingId, "coding";
    /// A template of the model or, behind all of these, the automaton of a property as it runs, or the monitors ([`crate::Model::template`]).
    TemplateId, "template";
    /// A control location of one template.
    LocationId, "s";
    /// A node of a routine.
    NodeId, "n";
    /// A function.
    FunctionId, "function";
    /// A condition that properties ask of states.
    ConditionId, "c";
    /// The variable of a quantifier, by the number of quantifiers around it in its expression.
    BinderId, "b";
    /// A property of the model.
    PropertyId, "property";
    /// A monitor: a check of single states.
    MonitorId, "m";
}

/// An edge, named by its template and its index there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EdgeId {
    /// The template that has the edge.
    pub template: TemplateId,
    /// Its index in the template's table of edges.
    pub index: u32,
}

/// A piece of code: the step of an edge, the check of a monitor, or the body of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CodeId {
    /// The step of that edge.
    Edge(EdgeId),
    /// The check of that monitor.
    Monitor(MonitorId),
    /// The body of that function.
    Function(FunctionId),
}

impl From<EdgeId> for CodeId {
    fn from(edge: EdgeId) -> Self {
        CodeId::Edge(edge)
    }
}

impl From<MonitorId> for CodeId {
    fn from(monitor: MonitorId) -> Self {
        CodeId::Monitor(monitor)
    }
}

impl From<FunctionId> for CodeId {
    fn from(function: FunctionId) -> Self {
        CodeId::Function(function)
    }
}
