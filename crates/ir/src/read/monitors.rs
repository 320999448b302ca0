//! Monitors and the variables that they share.

use super::tables::declare;
use super::{Reader, Scope};
use mandala_model::findings::Fallible;
use mandala_model::ids::LocalId;
use mandala_model::monitor::Monitor;
use mandala_model::source::Span;
use mandala_model::template::Step;

impl Reader<'_> {
    pub(super) fn monitor(&mut self) -> Fallible<()> {
        if self.eat_word("local") {
            return self.monitor_local();
        }
        let own = self.here();
        let number = self.numbered("m", "`local` or a monitor")?;
        self.in_order(number, self.model.monitors.len(), own)?;
        let monitor = self.within(Scope::Monitors, |reader| reader.check(own))?;
        self.model.monitors.push(monitor);
        Ok(())
    }

    fn monitor_local(&mut self) -> Fallible<()> {
        let span = self.here();
        let (key, variable) = self.variable(Scope::Monitors)?;
        let id = LocalId::from(self.model.monitor_scratch.len());
        declare(&mut self.tables.monitor_locals, key, id, span)?;
        self.model.monitor_scratch.push(variable);
        Ok(())
    }

    /// A monitor behind its number, which stands at that place.
    fn check(&mut self, start: Span) -> Fallible<Monitor> {
        let mut monitor = Monitor {
            parameters: Vec::new(),
            step: Step::Else,
            text: String::new(),
            statement: 0,
            span: start,
            twin: false,
        };
        let (mut span, mut text) = (None, None);
        while self.part_of_monitor(&mut monitor, &mut span, &mut text)? {}
        let (step, own) = self.step()?;
        monitor.step = step;
        monitor.text = text.unwrap_or(own);
        monitor.span = span.unwrap_or(self.since(start));
        Ok(monitor)
    }

    /// One of the attributes of a monitor, if there is one more.
    fn part_of_monitor(
        &mut self,
        monitor: &mut Monitor,
        span: &mut Option<Span>,
        text: &mut Option<String>,
    ) -> Fallible<bool> {
        if let Some(given) = self.place_in_source()? {
            *span = Some(given);
        } else if self.eat_word("text") {
            *text = Some(self.string()?);
        } else if self.eat_word("number") {
            monitor.statement = self.natural()?;
        } else if self.eat_word("twin") {
            monitor.twin = true;
        } else if self.is_word("for") {
            let parameter = self.parameter()?;
            monitor.parameters.push(parameter);
        } else {
            return Ok(false);
        }
        Ok(true)
    }
}
