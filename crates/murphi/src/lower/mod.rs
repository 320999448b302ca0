//! Lowering: from the checked program to the intermediate representation.
//!
//! # The shape of a lowered model
//!
//! One template, `rules`, with one process and two locations. At `start` there is an edge for each start
//! state, at `run` one for each rule; the start is held, so it is no state itself. A rule with parameters
//! is one edge with [parameters]. Invariants, covers and
//! liveness properties are [monitors](properties).
//!
//! The elements of multisets are in variables of their own ([`pools`]); positions in them are parameters of rules.
//!
//! Cells hold raw values ([`shapes`]): 0 for undefined, then the values of the type in their order. Numbers
//! are cells plus a constant ([`number`]).
//!
//! A rule with a plain condition and straight code is a guarded step, which every engine is fast at. All
//! others are routines ([`flow`]). Functions stay functions ([`functions`]), except that small ones that only return an expression are put into
//! expressions ([`direct`]). A call inside of an expression comes before the statement, with its result in
//! a temporary ([`scratch`]). `&`, `|`, `->`, `?:` and
//! quantifiers evaluate no more than they have to, calls included.
//!
//! Operands, arguments and indices are evaluated from left to right, but the value of an assignment before
//! the place that it goes to. (Rumur leaves that to the C compiler.)

mod assign;
mod build;
mod calls;
mod choices;
mod claims;
mod conditions;
mod constants;
mod direct;
mod edges;
mod exprs;
mod flow;
mod functions;
mod instances;
mod loops;
mod multisets;
mod number;
mod numbering;
mod parameters;
mod places;
mod pools;
mod properties;
mod put;
mod quantifiers;
mod refuse;
mod rules;
mod scratch;
mod shapes;
mod stmts;
mod symmetry;
mod unions;
mod value;
mod weight;

use crate::limits;
use crate::typed::{AliasId, Dialect, FunctionId, Program, TypeId, VariableId};
use calls::Frame;
use choices::Choices;
use claims::LoweredClaim;
use edges::Edges;
use flow::{Flow, Label};
use functions::Functions;
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, error_help};
use mandala_model::ids::LocalId;
use mandala_model::model::UncheckedModel;
use mandala_model::parameters::{self as model_parameters, Parameter};
use mandala_model::source::Span;
use places::Spot;
use pools::Pool;
use scratch::Scratch;
use shapes::Shapes;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use value::Value;
use weight::Weights;

/// Lowers a program.
///
/// # Errors
///
/// If the model uses what cannot be lowered yet (copies of multisets), or becomes too large when its parameters are
/// put in.
pub fn lower(program: &Program) -> Result<UncheckedModel, Vec<Diagnostic>> {
    let refused = refuse::unsupported(program);
    if !refused.is_empty() {
        return Err(refused);
    }
    let mut lowering = Lowering::new(program);
    match lowering.whole().and_then(|()| lowering.claims()) {
        Ok(claims) => with_claims(lowering.into_model(), &claims),
        Err(error) => Err(vec![*error]),
    }
}

fn with_claims(
    mut model: UncheckedModel,
    claims: &[LoweredClaim<'_>],
) -> Result<UncheckedModel, Vec<Diagnostic>> {
    let added = claims
        .iter()
        .filter_map(|claim| claim.add(&mut model).err());
    let errors: Vec<Diagnostic> = added.map(|error| *error).collect();
    match errors.is_empty() {
        true => Ok(model),
        false => Err(errors),
    }
}

/// What a name stands for at the moment.
#[derive(Clone, Debug)]
enum Meaning {
    /// A variable or a part of one.
    Spot(Spot),
    /// A value: a parameter of a ruleset, what a loop goes through, an alias of a value.
    Value(Value),
}

/// What a failing `assume` statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Assuming {
    /// It makes the rule impossible.
    Disables,
    /// The rule is taken, but the state that it leads to is left out.
    Abandons,
}

struct Lowering<'p> {
    program: &'p Program,
    shapes: Shapes,
    scratch: Scratch,
    /// The temporaries of each type, for the declaration of symmetry.
    typed_locals: BTreeMap<LocalId, TypeId>,
    weights: Weights,
    /// Whether an assignment copies an undefined variable, as in CMurphi. In Rumur it is an error.
    copies_undefined: bool,
    /// Where the elements of multisets are.
    pools: Vec<Pool>,
    /// The elements of multisets that are chosen around the current rule.
    choices: Choices,
    /// The local variables with multisets that the current rule has used so far.
    used_multisets: BTreeSet<VariableId>,
    variables: HashMap<VariableId, Meaning>,
    aliases: HashMap<AliasId, Meaning>,
    /// For functions that only return an expression: whether it needs no code.
    direct: HashMap<FunctionId, bool>,
    /// Which functions have an `assume` statement, or call one that has.
    assuming_functions: Vec<bool>,
    /// Which functions remove elements of multisets, or call one that does.
    removing_functions: Vec<bool>,
    /// The parameters of the current edge.
    parameters: Vec<Parameter>,
    /// The values of the variables of the quantifiers around, the outermost first.
    bound: Vec<model_parameters::Values>,
    /// The variables of the loops around, with their raw values.
    loops: Vec<(LocalId, model_parameters::Values)>,
    /// The code of the current edge.
    flow: Flow,
    /// The rule or function that is being lowered.
    frames: Vec<Frame>,
    functions: Functions,
    /// The rule, start state or property that is being lowered.
    rule: Label,
    /// The statement that is being lowered.
    label: Label,
    assuming: Assuming,
    /// How large the code of all edges before the current one is.
    size: usize,
    edges: Edges,
    /// The number of each statement that can be covered.
    covers: BTreeMap<Span, usize>,
}

impl<'p> Lowering<'p> {
    fn new(program: &'p Program) -> Self {
        let whole = Label {
            text: "model".into(),
            span: Span::START,
        };
        Lowering {
            program,
            shapes: Shapes::new(&program.types),
            scratch: Scratch::default(),
            typed_locals: BTreeMap::new(),
            weights: Weights::new(program),
            copies_undefined: program.dialect == Dialect::CMurphi,
            pools: Vec::new(),
            choices: Choices::default(),
            used_multisets: BTreeSet::new(),
            variables: HashMap::new(),
            aliases: HashMap::new(),
            direct: HashMap::new(),
            assuming_functions: Vec::new(),
            removing_functions: Vec::new(),
            parameters: Vec::new(),
            bound: Vec::new(),
            loops: Vec::new(),
            flow: Flow::new(),
            frames: Vec::new(),
            functions: Functions::new(program),
            rule: whole.clone(),
            label: whole,
            assuming: Assuming::Disables,
            size: 0,
            edges: Edges::default(),
            covers: BTreeMap::new(),
        }
    }

    fn whole(&mut self) -> Fallible<()> {
        self.globals()?;
        self.find_assuming_functions();
        self.find_removing_functions();
        self.start_states()?;
        self.properties()?;
        self.rules()
    }

    /// Complains if the code has become too large.
    fn check_size(&self) -> Fallible<()> {
        if self.size + self.flow.size() <= limits::CODE {
            return Ok(());
        }
        let message = format!(
            "with `{}`, the rules have more than {} statements",
            self.rule.text,
            limits::CODE
        );
        let help = "divide the model, or write functions for what rules have in common";
        Err(error_help(self.rule.span, message, help))
    }
}
