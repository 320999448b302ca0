//! Facts about a model that are derived once, whatever is asked about it.
//!
//! Many candidates are looked at before one is kept. What a process does depends on none of them, and what
//! follows for one candidate is asked for again when its graph is built, and when its renamings are certified. All
//! of this is a function of the model, the observers and the candidate alone: that it is kept changes no answer.

use crate::breach::Breach;
use crate::budget::ProofBudget;
use crate::case::{Grounds, Places};
use crate::domain::Candidate;
use crate::execute::{Actor, Forms, forms, questions};
use crate::lasting::Lasting;
use crate::locations::{lasting, populated, spawned};
use crate::path::{EdgeForm, Path};
use mandala_model::Model;
use mandala_model::ids::{PropertyId, TemplateId};
use mandala_model::step::Observers;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What a proof about a candidate stands on, or why there is none.
pub(crate) type Founded<'m> = Result<Rc<Grounds<'m>>, Vec<Breach>>;

/// What somebody does, or why that cannot be said.
type Found = Result<Rc<Forms>, Breach>;

/// What is asked of states, or why that cannot be said.
type Asked = Result<Rc<[EdgeForm]>, Breach>;

/// A template, a location, and which of the edges there.
type EdgePlace = (TemplateId, usize, usize);

/// A model, and what has been found out about it so far.
pub(crate) struct Evidence<'m> {
    pub model: &'m Model,
    /// The observers that run along, and the monitors.
    pub observers: Vec<TemplateId>,
    /// The property whose conditions are asked of states.
    asked: Option<PropertyId>,
    pub lasting: Lasting,
    /// The templates of which there can be processes.
    pub populated: BTreeSet<TemplateId>,
    /// Those of which processes can be made after the start.
    pub spawned: BTreeSet<TemplateId>,
    forms: RefCell<BTreeMap<(TemplateId, Actor), Found>>,
    questions: OnceCell<Asked>,
    paths: RefCell<BTreeMap<EdgePlace, BTreeSet<Rc<Path>>>>,
    grounds: RefCell<Vec<(Candidate, Places, Founded<'m>)>>,
}

impl<'m> Evidence<'m> {
    pub fn new(model: &'m Model, observers: Observers) -> Self {
        let observers = model.proven(observers);
        let claim = observers.claim.map(|claim| model.runnable(claim));
        let running = [claim, observers.events, model.monitor_template()].into_iter();
        Evidence {
            model,
            observers: running.flatten().collect(),
            // What has indices is asked by what chooses them.
            asked: observers.asked.filter(|id| {
                let kind = &model.properties[id.index()].kind;
                kind.indices().is_empty()
            }),
            lasting: lasting(model),
            populated: populated(model),
            spawned: spawned(model),
            forms: RefCell::default(),
            questions: OnceCell::new(),
            paths: RefCell::default(),
            grounds: RefCell::default(),
        }
    }

    /// What somebody does.
    pub fn forms(&self, template: TemplateId, actor: Actor, budget: &ProofBudget) -> Found {
        let who = (template, actor);
        if let Some(known) = self.forms.borrow().get(&who) {
            return known.clone();
        }
        let found = forms(self.model, &self.lasting, who, budget).map(|mut found| {
            self.share(template, &mut found);
            Rc::new(found)
        });
        // What failed when the budget was over may succeed with another.
        if found.is_ok() || !budget.is_over() {
            self.forms.borrow_mut().insert(who, found.clone());
        }
        found
    }

    /// What is asked of states, one condition after the other.
    pub fn questions(&self, budget: &ProofBudget) -> Asked {
        if let Some(known) = self.questions.get() {
            return known.clone();
        }
        let found: Asked = match self.asked {
            Some(id) => {
                let property = &self.model.properties[id.index()];
                questions(self.model, &self.lasting, property, budget).map(Rc::from)
            }
            None => Ok(Rc::from([])),
        };
        if found.is_ok() || !budget.is_over() {
            return self.questions.get_or_init(|| found).clone();
        }
        found
    }

    /// Lets equal paths of several processes be one.
    fn share(&self, template: TemplateId, forms: &mut Forms) {
        let mut paths = self.paths.borrow_mut();
        for (location, edges) in forms.iter_mut().enumerate() {
            for (edge, form) in edges.iter_mut().enumerate() {
                let known = paths.entry((template, location, edge)).or_default();
                for path in &mut form.paths {
                    match known.get(path) {
                        Some(same) => *path = Rc::clone(same),
                        None => drop(known.insert(Rc::clone(path))),
                    }
                }
            }
        }
    }

    /// What a proof about the candidate stands on if what is done at some places is not listened to.
    pub fn grounds(
        &self,
        candidate: &Candidate,
        unheard: &Places,
        find: impl FnOnce() -> Result<Grounds<'m>, Vec<Breach>>,
    ) -> Founded<'m> {
        let same = |(c, u, _): &&(Candidate, Places, _)| c == candidate && u == unheard;
        if let Some((.., known)) = self.grounds.borrow().iter().find(same) {
            return known.clone();
        }
        let found = find().map(Rc::new);
        let decided = |breaches: &Vec<Breach>| !breaches.iter().any(|b| b.undecided);
        if found.as_ref().err().is_none_or(decided) {
            let entry = (candidate.clone(), unheard.clone(), found.clone());
            self.grounds.borrow_mut().push(entry);
        }
        found
    }
}
