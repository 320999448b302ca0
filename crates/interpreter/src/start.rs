//! The state that runs start in.

use crate::attempt::Attempt;
use crate::frame::Home;
use crate::{Configuration, Interpreter};
use mandala_model::State;
use mandala_model::ids::TemplateId;
use mandala_model::step::{Fault, Turn};

/// A claim has no say in priorities; it gets the ordinary one.
const CLAIM_PRIORITY: u8 = 1;

impl<'m> Interpreter<'m> {
    /// Where runs start: globals get their values in order, then the processes of the start are made in
    /// order, then the observers take their places. If the start is held, this is no state but what comes before the
    /// states that runs start in: its moves lead there.
    pub fn start(&self) -> Result<Configuration, Fault> {
        let globals = &self.model.globals;
        let mut state = empty();
        state.globals = vec![0; self.model.cell_offset(globals, globals.len())];
        let mut attempt = Attempt::new(self, state, None, false);
        attempt.initialise(Home::Globals, globals, 0)?;
        for process in &self.model.start {
            let span = self.model.template(process.template).span;
            attempt.spawn(process.template, &process.arguments, process.priority, span)?;
        }
        if let Some(claim) = self.observers.claim {
            attempt.place_claim(self.model.runnable(claim))?;
        }
        let events = self.observers.events;
        attempt.state.events = events.map(|observer| self.model.template(observer).entry);
        Ok(Configuration {
            state: attempt.state,
            turn: match self.model.start_held {
                true => Turn::Held(0),
                false => self.open_turn(),
            },
        })
    }

    /// Whose turn it is where nobody holds control.
    pub(crate) fn open_turn(&self) -> Turn {
        match self.observers.claim {
            Some(_) => Turn::Claim,
            None => Turn::Free,
        }
    }
}

impl Attempt<'_> {
    fn place_claim(&mut self, template: TemplateId) -> Result<(), Fault> {
        self.state.claim = Some(self.newborn(template, CLAIM_PRIORITY));
        let locals = &self.model.template(template).locals;
        self.initialise(Home::Claim, locals, 0)
    }
}

fn empty() -> State {
    State {
        globals: Vec::new(),
        processes: Vec::new(),
        channels: Vec::new(),
        last_mover: 0,
        claim: None,
        events: None,
    }
}
