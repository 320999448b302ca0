//! The Markov chain or decision process that the graph of all states is.
//!
//! A step is an outcome of an alternative of the process that makes it ([`mandala_model::chance`]). The alternatives that are possible in a state are the choices of a decision process; in a chain of
//! discrete time each is taken with the same probability; in one of continuous time all rates are added up. Steps that lead to the same state are added up, and a step that leads back to its state stays, as it may earn something.
//! Every weight is computed exactly, so it is known whether probabilities add up to 1.

use dashu_ratio::RBig;
use mandala_engine::EngineError;
use mandala_interpreter::Interpreter;
use mandala_markov::{Kind, Process, ProcessBuilder, ProcessError};
use mandala_model::chance::{Alternative, Outcome, Quantity, Stochastic};
use mandala_model::expr::Expr;
use mandala_model::ids::TemplateId;
use mandala_model::property::PropertyKind;
use mandala_model::source::Span;
use mandala_model::step::{Actor, Observers};
use mandala_model::{Model, State};
use mandala_statespace::{Arrow, SpaceState, StateSpace};
use mandala_temporal::pctl::{Measure, Query};

/// What a chain is made of.
pub(crate) struct Maker<'a> {
    model: &'a Model,
    interpreter: Interpreter<'a>,
    kind: Kind,
    /// The conditions that the question asks, by number.
    asked: Vec<usize>,
    /// The structures of rewards that it asks for, by number.
    structures: Vec<usize>,
}

/// The steps of one alternative in a state.
struct Group<'a> {
    process: u32,
    template: TemplateId,
    alternative: Alternative,
    span: Span,
    branches: Vec<(u32, RBig, &'a Outcome)>,
}

impl<'a> Maker<'a> {
    /// For a question about a model with chance.
    pub(crate) fn new(
        model: &'a Model,
        stochastic: Stochastic,
        (kind, query): (&PropertyKind, &Query),
    ) -> Self {
        let mut structures = Vec::new();
        query.each_measure(&mut |measure| {
            if let Measure::Reward { structure, .. } = measure {
                structures.push(*structure);
            }
        });
        structures.sort_unstable();
        structures.dedup();
        let asked = kind.conditions().into_iter();
        Maker {
            model,
            interpreter: Interpreter::new(model, Observers::default()),
            kind: match stochastic {
                Stochastic::Dtmc => Kind::DiscreteChain,
                Stochastic::Ctmc => Kind::ContinuousChain,
                Stochastic::Mdp => Kind::Decisions,
            },
            asked: asked.map(|condition| condition.index()).collect(),
            structures,
        }
    }

    /// The chain.
    pub(crate) fn chain(&self, space: &StateSpace) -> Result<Process, EngineError> {
        let conditions = self.model.conditions.len();
        let structures = self.model.rewards.len();
        let mut builder = ProcessBuilder::new(self.kind, conditions, structures);
        for start in &space.starts {
            builder.start(start.to);
        }
        for state in &space.states {
            self.add(&mut builder, state)?;
        }
        builder.finish().map_err(defect)
    }

    /// Adds a state with all its choices.
    fn add(&self, builder: &mut ProcessBuilder, state: &SpaceState) -> Result<(), EngineError> {
        let groups = self.groups(state)?;
        let none = vec![RBig::ZERO; self.model.rewards.len()];
        match self.kind {
            Kind::Decisions => {
                for group in &groups {
                    let mut earned = none.clone();
                    self.add_group(builder, (state, group), &RBig::ONE, &mut earned)?;
                    builder.close_choice(&earned).map_err(defect)?;
                }
            }
            Kind::DiscreteChain | Kind::ContinuousChain if !groups.is_empty() => {
                let share = match self.kind {
                    Kind::DiscreteChain => RBig::ONE / RBig::from(groups.len()),
                    _ => RBig::ONE,
                };
                let mut earned = none;
                for group in &groups {
                    self.add_group(builder, (state, group), &share, &mut earned)?;
                }
                builder.close_choice(&earned).map_err(defect)?;
            }
            Kind::DiscreteChain | Kind::ContinuousChain => {}
        }
        let rewards = self.state_rewards(state)?;
        let holding = self.holding(&state.state)?;
        builder.close_state(&holding, &rewards).map_err(defect)?;
        Ok(())
    }

    /// Adds the outcomes of an alternative, with that share of their weights, to the choice that is open, and what they earn to what it earns.
    fn add_group(
        &self,
        builder: &mut ProcessBuilder,
        (state, group): (&SpaceState, &Group<'_>),
        share: &RBig,
        earned: &mut [RBig],
    ) -> Result<(), EngineError> {
        self.require_one(&state.state, group)?;
        for (target, weight, outcome) in &group.branches {
            let weight = weight * share;
            builder.branch(*target, &weight).map_err(defect)?;
            for &structure in &self.structures {
                let reward = self.step_reward(&state.state, structure, outcome)?;
                earned[structure] += &weight * reward;
            }
        }
        Ok(())
    }

    /// Probabilities add up to 1.
    fn require_one(&self, state: &State, group: &Group<'_>) -> Result<(), EngineError> {
        let weights = group.branches.iter().map(|(_, weight, _)| weight);
        let sum = weights.fold(RBig::ZERO, |sum, weight| sum + weight);
        if self.kind == Kind::ContinuousChain || sum == RBig::ONE {
            return Ok(());
        }
        let what = format!("the probabilities of this command add up to {sum}, not to 1");
        Err(self.wrong(state, group.span, &what))
    }

    /// The steps of a state, by their alternatives, in the order in which these come.
    fn groups(&self, from: &SpaceState) -> Result<Vec<Group<'a>>, EngineError> {
        let mut groups: Vec<Group<'a>> = Vec::new();
        for arrow in &from.arrows {
            let (process, template, outcome, span) = self.outcome(arrow)?;
            let weight = self
                .interpreter
                .quantity(&from.state, Some(process), &outcome.weight);
            let weight = weight.map_err(|what| self.wrong(&from.state, span, &what.to_string()))?;
            if weight < RBig::ZERO {
                let what = format!("this probability or rate is negative: {weight}");
                return Err(self.wrong(&from.state, span, &what));
            }
            let key = (process, template, outcome.alternative);
            let known = groups
                .iter_mut()
                .find(|it| (it.process, it.template, it.alternative) == key);
            let branch = (arrow.to, weight, outcome);
            match known {
                Some(group) => group.branches.push(branch),
                None => groups.push(Group {
                    process,
                    template,
                    alternative: outcome.alternative,
                    span,
                    branches: vec![branch],
                }),
            }
        }
        Ok(groups)
    }

    /// Whose step that is, and what it is an outcome of.
    fn outcome(&self, arrow: &Arrow) -> Result<(u32, TemplateId, &'a Outcome, Span), EngineError> {
        let [label] = arrow.labels.as_slice() else {
            return Err(EngineError::Unsupported(
                "probabilities of steps of several statements".into(),
            ));
        };
        let template = self.model.template(label.edge.template);
        let edge = &template.edges[label.edge.index as usize];
        match (label.actor, &edge.outcome) {
            (Actor::Process(process), Some(outcome)) => {
                Ok((process, label.edge.template, outcome, edge.span))
            }
            _ => Err(EngineError::NotTaken {
                what: "a step without a probability in a model with chance".into(),
                span: Some(edge.span),
            }),
        }
    }

    /// Whether a condition holds in a state, or what is wrong with it.
    fn holds(&self, state: &State, condition: &Expr) -> Result<bool, String> {
        let value = self.interpreter.evaluate(state, None, condition);
        value
            .map(|value| value != 0)
            .map_err(|_| "this condition has no value".into())
    }

    /// The conditions that hold, of those that are asked.
    fn holding(&self, state: &State) -> Result<Vec<usize>, EngineError> {
        let mut holding = Vec::new();
        for &number in &self.asked {
            let condition = &self.model.conditions[number].condition;
            let holds = self.holds(state, condition);
            if holds.map_err(|what| self.wrong(state, condition.span, &what))? {
                holding.push(number);
            }
        }
        Ok(holding)
    }

    /// What being in a state earns by each structure that is asked for.
    fn state_rewards(&self, state: &SpaceState) -> Result<Vec<RBig>, EngineError> {
        let mut rewards = vec![RBig::ZERO; self.model.rewards.len()];
        for &structure in &self.structures {
            for item in &self.model.rewards[structure].states {
                let earned = self.earned((&item.guard, &item.amount), &state.state);
                let earned = earned.map_err(|what| self.wrong(&state.state, item.span, &what))?;
                rewards[structure] += earned;
            }
        }
        Ok(rewards)
    }

    /// What a step earns by a structure.
    fn step_reward(
        &self,
        state: &State,
        structure: usize,
        outcome: &Outcome,
    ) -> Result<RBig, EngineError> {
        let mut reward = RBig::ZERO;
        let items = self.model.rewards[structure].steps.iter();
        for item in items.filter(|item| item.action == outcome.action) {
            let earned = self.earned((&item.guard, &item.amount), state);
            reward += earned.map_err(|what| self.wrong(state, item.span, &what))?;
        }
        Ok(reward)
    }

    /// That much where a condition holds, and nothing elsewhere.
    fn earned(&self, (guard, amount): (&Expr, &Quantity), state: &State) -> Result<RBig, String> {
        if !self.holds(state, guard)? {
            return Ok(RBig::ZERO);
        }
        let amount = self.interpreter.quantity(state, None, amount);
        let amount = amount.map_err(|what| what.to_string())?;
        match amount < RBig::ZERO {
            true => Err(format!("this reward is negative: {amount}")),
            false => Ok(amount),
        }
    }

    /// What is wrong in a state.
    fn wrong(&self, state: &State, span: Span, what: &str) -> EngineError {
        let values = self.interpreter.values(state);
        let values = values
            .iter()
            .map(|(name, value)| format!("{name} = {value}"));
        let values: Vec<String> = values.collect();
        EngineError::NotTaken {
            what: format!("{what}, in the state {}", values.join(", ")),
            span: Some(span),
        }
    }
}

/// What is wrong with a process is known before it is made.
fn defect(error: ProcessError) -> EngineError {
    match error {
        ProcessError::NoStart => EngineError::Search("no run of the model begins".into()),
        ProcessError::TooLarge => EngineError::Unsupported(error.to_string()),
        _ => EngineError::Defect(error.to_string()),
    }
}
