//! The cells of variables and their names, as a person writes them: `a[2].x`, `cache[Node_1].state`. The elements of an array whose indices are shown by a coding of its own name are variables of the source, and
//! have the names of these alone.

use crate::expr::{Place, Projection, Root};
use crate::ids::{FunctionId, TemplateId};
use crate::model::{Model, UncheckedModel};
use crate::parameters::Parameter;
use crate::state::Value;
use crate::symmetry::VariableRef;
use crate::template::Edge;
use crate::types::{ArrayIndex, Scalar, Type, Variable};
use std::collections::BTreeSet;

/// Where a place stands: what its local variables are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// Outside of all templates and functions.
    Outside,
    /// In a template.
    Template(TemplateId),
    /// In the body of a function.
    Function(FunctionId),
}

/// A way into a variable: how far it has got.
#[derive(Clone, Copy)]
struct Way<'m> {
    /// The variable or field whose part comes next.
    holder: &'m Variable,
    /// How many of its indices are behind.
    depth: usize,
    ty: &'m Type,
}

impl<'m> Way<'m> {
    fn into(holder: &'m Variable) -> Self {
        Way {
            holder,
            depth: 0,
            ty: &holder.ty,
        }
    }

    /// What stands for the index that comes next.
    fn index(self) -> Option<ArrayIndex> {
        self.holder.indices.get(self.depth).copied()
    }

    fn element(self, ty: &'m Type) -> Self {
        Way {
            depth: self.depth + 1,
            ty,
            ..self
        }
    }
}

impl UncheckedModel {
    /// The type and the name of a cell of a variable. Cells that nobody can name have none: those of an element that is
    /// there only because positions start at 0.
    pub fn cell_name(&self, variable: &Variable, offset: usize) -> Option<(Scalar, String)> {
        let mut name = variable.name.clone();
        let (mut way, mut offset) = (Way::into(variable), offset);
        loop {
            match way.ty {
                Type::Scalar(scalar) => return Some((*scalar, name)),
                Type::Array { element, .. } => {
                    let size = self.cells(element).max(1);
                    let position = self.position_text(way.index(), offset / size)?;
                    match self.is_gathered(way) {
                        true => name = position,
                        false => name += &format!("[{position}]"),
                    }
                    offset %= size;
                    way = way.element(element);
                }
                Type::Record(id) => {
                    let mut fields = self.record(*id).fields.iter();
                    let field = fields.find(|field| {
                        let size = self.cells(&field.ty);
                        let inside = offset < size;
                        offset -= if inside { 0 } else { size };
                        inside
                    })?;
                    name += &format!(".{}", field.name);
                    way = Way::into(field);
                }
            }
        }
    }

    /// Whether an array is made of variables that have names of their own: its indices are shown by a coding that has its name.
    fn is_gathered(&self, way: Way<'_>) -> bool {
        let coding = way.index().map(|index| &self.codings[index.coding.index()]);
        coding.is_some_and(|coding| coding.name == way.holder.name)
    }

    fn position_text(&self, index: Option<ArrayIndex>, position: usize) -> Option<String> {
        match index {
            Some(index) => index.show(&self.codings, position as i64),
            None => Some(position.to_string()),
        }
    }
}

impl Model {
    /// The names of all variables, global and local.
    pub fn variable_names(&self) -> BTreeSet<&str> {
        let locals = self.templates.iter().flat_map(|template| &template.locals);
        let all = self.globals.iter().chain(locals);
        all.map(|variable| variable.name.as_str()).collect()
    }

    /// The text of an edge with the values of its parameters in that choice: `send [i = Node_1, d = 2]`.
    pub fn instance_text(&self, template: TemplateId, edge: &Edge, choice: u32) -> String {
        if edge.parameters.is_empty() {
            return edge.text.clone();
        }
        let values = self.parameter_texts(template, edge, choice).into_iter();
        let values: Vec<String> = values
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        format!("{} [{}]", edge.text, values.join(", "))
    }

    /// The names of the parameters of an edge and their values in that choice, as a person writes them.
    pub fn parameter_texts(
        &self,
        template: TemplateId,
        edge: &Edge,
        choice: u32,
    ) -> Vec<(String, String)> {
        let locals = &self.template(template).locals;
        let parameters = edge.parameters.iter().zip(edge.chosen(choice));
        let text = |(parameter, value): (&Parameter, Value)| {
            let text = self.text_of(&locals[parameter.local.index()].ty, value);
            (parameter.name.clone(), text)
        };
        parameters.map(text).collect()
    }

    /// The type of the cell that a place is which stands there, and what stands for its indices, the first one first.
    pub fn place_types(
        &self,
        site: Site,
        place: &Place,
    ) -> Option<(Scalar, Vec<Option<ArrayIndex>>)> {
        let variable = match (&place.root, site) {
            (Root::Global(id), _) => self.globals.get(id.index()),
            (Root::Local(id), Site::Template(template)) => {
                self.variable(VariableRef::Local(template, *id))
            }
            (Root::Local(id), Site::Function(id_of)) => self.function(id_of).locals.get(id.index()),
            (Root::Reference(number), Site::Function(id_of)) => {
                self.function(id_of).references.get(*number as usize)
            }
            _ => None,
        };
        let (mut way, mut indices) = (Way::into(variable?), Vec::new());
        for projection in &place.path {
            way = match (way.ty, projection) {
                (Type::Record(id), Projection::Field(field)) => {
                    Way::into(self.record(*id).fields.get(*field as usize)?)
                }
                (Type::Array { element, .. }, Projection::Index(_)) => {
                    indices.push(way.index());
                    way.element(element)
                }
                _ => return None,
            };
        }
        match way.ty {
            Type::Scalar(scalar) => Some((*scalar, indices)),
            Type::Record(_) | Type::Array { .. } => None,
        }
    }
}
