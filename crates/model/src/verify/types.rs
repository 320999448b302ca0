//! Invariants 1 to 6: types, and the shapes of initial values.

use super::{Findings, MAX_CELLS, Rule};
use crate::model::UncheckedModel;
use crate::source::Span;
use crate::types::{
    ChannelKind, Coding, CodingKind, CodingPart, EnumType, Initial, Scalar, Type, Variable,
};

/// Checks all types and variables of the model.
pub(super) fn check(model: &UncheckedModel, findings: &mut Findings) {
    let mut checker = Checker {
        model,
        findings,
        record_cells: Vec::new(),
    };
    checker.tables();
    checker.records();
    checker.variables(&model.globals, 0, "the globals");
    for function in &model.functions {
        checker.findings.enter_function(&function.name);
        checker.variables(&function.locals, function.parameters, "the frame");
        checker.variables(&function.references, 0, "what is passed");
    }
    for template in &model.templates {
        checker.findings.enter_template(&template.name);
        checker.variables(&template.locals, template.parameters, "the locals");
    }
    checker.findings.leave_template();
    checker.variables(&model.monitor_scratch, 0, "the variables of monitors");
    for property in &model.properties {
        checker.variables(property.kind.indices(), 0, "the indices of a property");
    }
}

struct Checker<'a> {
    model: &'a UncheckedModel,
    findings: &'a mut Findings,
    /// The cells of the records looked at so far; a field may use these records only.
    record_cells: Vec<u64>,
}

impl Checker<'_> {
    fn tables(&mut self) {
        for domain in &self.model.domains {
            self.findings
                .require(domain.size > 0, Rule::Sizes, None, || {
                    format!("the domain {} is empty", domain.name)
                });
        }
        for enumeration in &self.model.enums {
            self.constants(enumeration);
        }
        for kind in &self.model.channel_kinds {
            self.channel_kind(kind);
        }
    }

    fn constants(&mut self, enumeration: &EnumType) {
        let mut seen = [false; 256];
        // A truth value that is false is a value, not the lack of one.
        let least = usize::from(!enumeration.is_truth());
        for (name, value) in &enumeration.constants {
            let slot = usize::try_from(*value)
                .ok()
                .filter(|v| (least..256).contains(v));
            let fresh = slot.is_some_and(|v| !std::mem::replace(&mut seen[v], true));
            self.findings.require(fresh, Rule::Constants, None, || {
                format!("the constant {name} has the number {value}, which is taken or not from {least} to 255")
            });
        }
    }

    fn channel_kind(&mut self, kind: &ChannelKind) {
        let fields = kind.fields.len() as u64;
        self.findings
            .require(fields > 0, Rule::Sizes, kind.span, || {
                "a message without fields".into()
            });
        let cells = fields.saturating_mul(u64::from(kind.capacity));
        self.bounded(cells, "the messages of a channel", kind.span);
        for scalar in &kind.fields {
            self.scalar(*scalar, kind.span);
        }
    }

    fn records(&mut self) {
        for record in &self.model.records {
            let fields = &record.fields;
            self.findings
                .require(!fields.is_empty(), Rule::RecordOrder, record.span, || {
                    format!("the record {} has no fields", record.name)
                });
            let cells = self.variables(fields, 0, &record.name);
            self.record_cells.push(cells);
        }
    }

    /// Checks the variables, of which the first are parameters, and returns how many cells they
    /// all take.
    fn variables(&mut self, variables: &[Variable], parameters: u32, what: &str) -> u64 {
        let mut cells = 0u64;
        for (index, variable) in variables.iter().enumerate() {
            cells = cells.saturating_add(self.cells(&variable.ty, variable.span));
            self.indices(variable);
            if index < parameters as usize {
                self.parameter(variable);
            } else {
                self.initial(variable);
            }
        }
        let span = variables.last().map(|v| v.span);
        self.bounded(cells, what, span);
        cells
    }

    fn bounded(&mut self, cells: u64, what: &str, span: impl Into<Option<Span>>) {
        self.findings
            .require(cells <= MAX_CELLS, Rule::Sizes, span, || {
                format!("{what}: {cells} cells, more than {MAX_CELLS}")
            });
    }

    /// Checks a type and returns how many cells it takes, without overflow whatever it says.
    fn cells(&mut self, ty: &Type, span: Span) -> u64 {
        match ty {
            Type::Scalar(scalar) => {
                self.scalar(*scalar, span);
                1
            }
            Type::Record(id) => {
                let known = id.index() < self.model.records.len();
                self.findings
                    .require(known, Rule::TypeIds, span, || format!("there is no {id}"));
                let cells = self.record_cells.get(id.index()).copied();
                self.findings
                    .require(!known || cells.is_some(), Rule::RecordOrder, span, || {
                        format!("a field uses {id}, which comes later")
                    });
                cells.unwrap_or(1)
            }
            Type::Array { element, length } => {
                self.findings.require(*length > 0, Rule::Sizes, span, || {
                    "an array without elements".into()
                });
                let cells = self.cells(element, span);
                cells.saturating_mul(u64::from(*length))
            }
        }
    }

    fn scalar(&mut self, scalar: Scalar, span: Span) {
        let (holds, rule) = match scalar {
            Scalar::Int { bits, .. } => ((1..=32).contains(&bits), Rule::Scalars),
            Scalar::Range { min, max } => {
                let proper = min <= max && max.checked_sub(min).is_some();
                (proper, Rule::Scalars)
            }
            Scalar::Coded { coding, max } => {
                let known = self.model.codings.get(coding.index());
                match known {
                    Some(coding) => (has_values(coding, max), Rule::Scalars),
                    None => (false, Rule::TypeIds),
                }
            }
            Scalar::Enum(id) => (id.index() < self.model.enums.len(), Rule::TypeIds),
            Scalar::Id(id) => (id.index() < self.model.domains.len(), Rule::TypeIds),
            Scalar::Bool | Scalar::Process | Scalar::Channel => return,
        };
        self.findings.require(holds, rule, span, || {
            format!("{scalar:?} is not a type of one cell")
        });
    }

    fn initial(&mut self, variable: &Variable) {
        let span = variable.span;
        if let Initial::NewChannel(kind) = variable.initial {
            let known = kind.index() < self.model.channel_kinds.len();
            self.findings
                .require(known, Rule::TypeIds, span, || format!("there is no {kind}"));
        }
        let fits = initial_fits(variable);
        self.findings.require(fits, Rule::InitialShape, span, || {
            format!(
                "the initial value of {} does not fit its type",
                variable.name
            )
        });
    }

    /// What stands for positions in arrays exists, and there are arrays for it.
    fn indices(&mut self, variable: &Variable) {
        let codings = self.model.codings.len();
        let known = variable
            .indices
            .iter()
            .all(|index| index.coding.index() < codings);
        let fits = known && variable.indices.len() <= dimensions(&variable.ty);
        self.findings
            .require(fits, Rule::TypeIds, variable.span, || {
                format!(
                    "the indices of {} are not shown by what is there",
                    variable.name
                )
            });
    }

    fn parameter(&mut self, variable: &Variable) {
        let plain = variable.initial == Initial::Default;
        self.findings
            .require(plain, Rule::InitialShape, variable.span, || {
                format!("the parameter {} has an initial value", variable.name)
            });
    }
}

fn initial_fits(variable: &Variable) -> bool {
    match &variable.initial {
        // The fields of a record bring their own initial values.
        Initial::Default => innermost(&variable.ty).is_none_or(holds_zero),
        Initial::Fill(_) => innermost(&variable.ty).is_some(),
        Initial::List(values) => match &variable.ty {
            Type::Array { element, length } => {
                matches!(**element, Type::Scalar(_))
                    && (1..=*length as usize).contains(&values.len())
            }
            Type::Scalar(_) | Type::Record(_) => false,
        },
        Initial::NewChannel(_) => innermost(&variable.ty) == Some(Scalar::Channel),
    }
}

/// The type of all the cells, unless there is a record in between.
fn innermost(ty: &Type) -> Option<Scalar> {
    match ty {
        Type::Scalar(scalar) => Some(*scalar),
        Type::Array { element, .. } => innermost(element),
        Type::Record(_) => None,
    }
}

/// How many indices there are before the first record or cell.
fn dimensions(ty: &Type) -> usize {
    match ty {
        Type::Array { element, .. } => 1 + dimensions(element),
        Type::Scalar(_) | Type::Record(_) => 0,
    }
}

fn holds_zero(scalar: Scalar) -> bool {
    match scalar {
        Scalar::Range { min, max } => (min..=max).contains(&0),
        _ => true,
    }
}

/// Whether values from 1 to `max` can be shown.
fn has_values(coding: &Coding, max: i64) -> bool {
    match &coding.kind {
        _ if max <= 0 => max == 0,
        CodingKind::Numbers { first } => first.checked_add(max - 1).is_some(),
        CodingKind::Names(names) => max <= names.len() as i64,
        CodingKind::Members | CodingKind::Pointers => true,
        CodingKind::Parts(parts) => {
            let whole = |part: &CodingPart| !matches!(part.coding.kind, CodingKind::Parts(_));
            let from_one = parts.first().is_some_and(|part| part.first > 0);
            from_one && parts.is_sorted_by(|a, b| a.first < b.first) && parts.iter().all(whole)
        }
    }
}
