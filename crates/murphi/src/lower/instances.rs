//! Parameters put in: one instance for each combination of their values.

use super::constants::Values;
use super::{Lowering, Meaning};
use crate::limits;
use crate::typed::{Binder, Binding};
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::source::Span;

/// What is done with an instance. The text says which one it is: ` [i = 1, j = RED]`.
type Use<'u, 'p> = &'u mut dyn FnMut(&mut Lowering<'p>, &str) -> Fallible<()>;

impl<'p> Lowering<'p> {
    /// Does something for each combination of the values of the parameters among the binders.
    pub(super) fn instances(
        &mut self,
        binders: &[Binder],
        name: &str,
        span: Span,
        each: Use<'_, 'p>,
    ) -> Fallible<()> {
        let parameters = self.parameters_of(binders)?;
        let count = self.count_instances(&parameters, name, span)?;
        for number in 0..count {
            let text = self.bind_instance(&parameters, number);
            each(self, &text)?;
        }
        Ok(())
    }

    fn parameters_of<'b>(&self, binders: &'b [Binder]) -> Fallible<Vec<(&'b Binding, Values)>> {
        let mut parameters = Vec::new();
        for binder in binders {
            if let Binder::Each(binding) = binder {
                let Some(values) = self.values(binding) else {
                    return Err(error(binding.span, "the values are not known here"));
                };
                parameters.push((&**binding, values));
            }
        }
        Ok(parameters)
    }

    fn count_instances(
        &self,
        parameters: &[(&Binding, Values)],
        name: &str,
        span: Span,
    ) -> Fallible<u128> {
        let counts = parameters.iter().map(|(_, values)| values.count);
        let count = counts.fold(1, u128::saturating_mul);
        if count <= limits::INSTANCES as u128 {
            return Ok(count);
        }
        let factor = |(binding, values): &(&Binding, Values)| {
            let name = &self.program.variable(binding.variable).name;
            format!("{} for `{name}`", values.count)
        };
        let factors: Vec<String> = parameters.iter().map(factor).collect();
        let message = format!(
            "{name} has {count} instances ({}), but {} is the limit",
            factors.join(", "),
            limits::INSTANCES
        );
        let help = "use smaller types for the parameters of the ruleset";
        let outermost = parameters.first().map_or(span, |(binding, _)| binding.span);
        Err(error_help(outermost, message, help))
    }

    /// Gives the parameters the values of an instance; the last one changes fastest.
    fn bind_instance(&mut self, parameters: &[(&Binding, Values)], number: u128) -> String {
        let mut rest = number;
        let mut texts = Vec::new();
        for (binding, values) in parameters.iter().rev() {
            let value = values.get(rest % values.count);
            rest /= values.count;
            texts.push(self.bind_value(binding, value, values));
        }
        texts.reverse();
        match texts.is_empty() {
            true => String::new(),
            false => format!(" [{}]", texts.join(", ")),
        }
    }

    /// Gives a variable a value, and says so.
    pub(super) fn bind_value(&mut self, binding: &Binding, value: i128, values: &Values) -> String {
        let bound = self.constant_of(value, values.ty, binding.span);
        self.variables
            .insert(binding.variable, Meaning::Value(bound));
        let name = &self.program.variable(binding.variable).name;
        format!("{name} = {}", self.value_name(value, values.ty))
    }
}
