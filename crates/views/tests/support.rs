//! Models for tests: read, and looked at by views.

use mandala_encoding::{Arrival, Program, Sink};
use mandala_model::instantiate::rules;
use mandala_model::step::{Observers, Turn, Violation};
use mandala_model::verify::verify;
use mandala_model::{Model, SourceText, Sources, UncheckedModel};
use mandala_views::{
    Abstraction, Failed, Family, Needs, Parts, Refused, SizedModel, Wish, abstraction, conditions,
    family, require_alike,
};

/// The sizes that models are compared for.
pub const SIZES: [u32; 3] = [3, 4, 5];

/// The model that a text is with a constant of that value. The name of the file says in which language it is.
pub fn model(name: &str, text: &str, defines: &[String]) -> UncheckedModel {
    loaded(name, text, defines).0
}

/// The same with its sources.
pub fn loaded(name: &str, text: &str, defines: &[String]) -> (UncheckedModel, Sources) {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new(name, text));
    let (model, diagnostics) = match name.rsplit('.').next() {
        Some("cub") => {
            let options = mandala_cubicle::ParseOptions {
                defines: defines.to_vec(),
                ..Default::default()
            };
            mandala_cubicle::load(&mut sources, file, &options)
        }
        Some("m") => {
            let mut options = mandala_murphi::ParseOptions::default();
            defines.iter().for_each(|d| options.define(d));
            mandala_murphi::load(&mut sources, file, &options)
        }
        _ => {
            let mut options = mandala_promela::ParseOptions::default();
            defines.iter().for_each(|d| options.define(d));
            mandala_promela::load(&mut sources, file, &options)
        }
    };
    match model {
        Some(model) => (model, sources),
        None => panic!("{name}: {diagnostics:?}"),
    }
}

/// What can be said of a model without a search.
pub struct Subject {
    pub models: Vec<UncheckedModel>,
    pub family: Family,
    pub needs: Needs,
}

/// Reads a model for three sizes, keeps its invariants, and checks the conditions.
pub fn subject(
    name: &str,
    text: &str,
    constant: &str,
    defines: &[&str],
) -> Result<Subject, Refused> {
    let models = SIZES.map(|size| {
        let mut all: Vec<String> = defines.iter().map(ToString::to_string).collect();
        all.push(format!("{constant}={size}"));
        mandala_views::invariants_only(model(name, text, &all), |_| true)
    });
    let sized: Vec<SizedModel<'_>> = models
        .iter()
        .zip(SIZES)
        .map(|(model, size)| SizedModel { model, size })
        .collect();
    let family = family(&sized, constant)?.expect("a family of that size");
    require_alike(&sized, &family, constant)?;
    let needs = conditions(&checked(models[0].clone()), &family)?;
    Ok(Subject {
        models: models.to_vec(),
        family,
        needs,
    })
}

/// Reads a model, and takes it for one that satisfies the conditions with so many participants.
pub fn unchecked(name: &str, text: &str, participants: usize, view: usize) -> Option<Subject> {
    if let Ok(mut subject) = subject(name, text, "N", &[]) {
        (subject.needs.participants, subject.needs.view) = (participants, view);
        return Some(subject);
    }
    let models = SIZES.map(|size| {
        let model = model(name, text, &[format!("N={size}")]);
        mandala_views::invariants_only(model, |_| true)
    });
    let sized: Vec<SizedModel<'_>> = models
        .iter()
        .zip(SIZES)
        .map(|(model, size)| SizedModel { model, size })
        .collect();
    let family = family(&sized, "N").ok()??;
    // Views have no messages, and no processes that come and go.
    if !models[0].channel_kinds.is_empty() {
        return None;
    }
    let mut needs = Needs::default();
    (needs.participants, needs.view) = (participants, view);
    Some(Subject {
        models: models.to_vec(),
        family,
        needs,
    })
}

pub fn checked(model: UncheckedModel) -> Model {
    rules(verify(model).expect("a front end makes models")).expect("calls are few")
}

impl Subject {
    pub fn base(&self) -> SizedModel<'_> {
        SizedModel {
            model: &self.models[0],
            size: SIZES[0],
        }
    }

    /// The views of a size.
    pub fn views(&self, k: usize) -> Result<Abstraction, Failed> {
        let found = abstraction(self.base(), &self.family, &self.needs, k, &mut |_| {
            Wish::GoOn
        });
        found.map(|found| found.expect("nobody stops it"))
    }
}

impl Subject {
    /// The views of a size, if there are not more configurations than that.
    pub fn views_within(&self, k: usize, most: u64) -> Option<Abstraction> {
        let mut limited = |reach: &mandala_views::Reach| match reach.configurations < most {
            true => Wish::GoOn,
            false => Wish::Stop,
        };
        let found = abstraction(self.base(), &self.family, &self.needs, k, &mut limited);
        found.ok()?
    }
}

/// The states of a model of one size, in parts.
pub struct Concrete {
    pub states: Vec<mandala_views::Split>,
    pub violated: bool,
}

struct Collect<'p> {
    program: &'p Program,
    packed: Vec<(Vec<u8>, Turn)>,
    violated: bool,
}

impl Sink for Collect<'_> {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, turn: Turn) {
        self.packed.push((arrival.packed().to_vec(), turn));
    }

    fn violation(&mut self, violation: Violation) {
        self.violated |= violation != Violation::Deadlock;
    }
}

impl Concrete {
    /// Visits all states, one by one, or as many as are wanted.
    pub fn explore(model: UncheckedModel, family: &Family, size: usize, most: usize) -> Self {
        let model = checked(mandala_views::invariants_only(model, |_| true));
        let parts = Parts::of(&model, family, size);
        let program = Program::compile(&model, Observers::default()).expect("it is small");
        let mut stepper = program.interpreting_stepper();
        let mut sink = Collect {
            program: &program,
            packed: Vec::new(),
            violated: false,
        };
        stepper.start(&mut sink).expect("states are small");
        let mut known: std::collections::HashSet<(Vec<u8>, Turn)> = Default::default();
        let mut open = std::mem::take(&mut sink.packed);
        let mut states = Vec::new();
        while let Some((state, turn)) = open.pop() {
            if states.len() >= most || !known.insert((state.clone(), turn)) {
                continue;
            }
            let decoded = sink.program.decode(&state).expect("a state");
            states.push(parts.split(&decoded));
            stepper
                .expand(&state, turn, &mut sink)
                .expect("states are small");
            open.append(&mut sink.packed);
        }
        Concrete {
            states,
            violated: sink.violated,
        }
    }
}
