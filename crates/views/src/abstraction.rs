//! The abstraction: all views that configurations of a bounded size can have.
//!
//! ```text
//! V := the views of the states that models with k .. k+w members start in
//! repeat: for each configuration of k .. k+w members all of whose views are in V:
//!           make every step inside of it, and add the views of what follows to V
//! ```
//!
//! (Abdulla, Haziza, Holik: All for the price of few.) Views are taken one after the other. When one is taken, the configurations are made whose other views have
//! all been taken before, by adding one member at a time to the view; so each configuration is made once. The members that may be added are
//! looked up by what is left of a view when one member is taken away.

use crate::conditions::Needs;
use crate::family::{Family, SizedModel};
use crate::parts::Split;
use crate::resized::Outside;
use crate::space::{Configuration, Failed, Followed, Pool, Sized, Steps};
use mandala_model::step::Violation;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// How many members a view has.
    pub k: usize,
    /// How many more a configuration has at the most.
    pub w: usize,
    /// How many views there are.
    pub views: u64,
    /// How many configurations have been looked at, views included.
    pub configurations: u64,
    /// How many steps have been made in them.
    pub steps: u64,
}

/// Something that goes wrong in a configuration, which need not be a part of a state that is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbstractViolation {
    /// What.
    pub violation: Violation,
    /// Where.
    pub configuration: Split,
}

/// All views of one size.
#[derive(Debug)]
pub struct Abstraction {
    /// How large it is, and what it took.
    pub reach: Reach,
    /// For each property or place that something goes wrong with, the first configuration where it does.
    pub violations: Vec<AbstractViolation>,
    /// The views, in the order in which they were met.
    pub views: Vec<Split>,
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Yes.
    GoOn,
    /// No: the answer is not wanted any more, or a limit is reached.
    Stop,
}

/// Makes all views of `k` members.
///
/// Gives nothing if it was told to stop.
///
/// # Errors
///
/// If the model needs more than the encoding has.
pub fn abstraction(
    base: SizedModel<'_>,
    family: &Family,
    needs: &Needs,
    k: usize,
    watch: &mut dyn FnMut(&Reach) -> Wish,
) -> Result<Option<Abstraction>, Failed> {
    let w = needs.participants;
    let sizes = || k..=k + w;
    let of = |size, outside| Sized::new(base, family, size, outside);
    let starts: Result<Vec<Sized>, Failed> = sizes().map(|m| of(m, Outside::Never)).collect();
    let models: Result<Vec<Sized>, Failed> = sizes().map(|m| of(m, Outside::Possible)).collect();
    let (starts, models) = (starts?, models?);
    let mut search = Search {
        needs,
        k,
        pool: Pool::default(),
        steps: models.iter().map(Steps::new).collect(),
        known: HashSet::new(),
        waiting: VecDeque::new(),
        taken: HashSet::new(),
        room: HashMap::new(),
        reach: Reach {
            k,
            w,
            ..Reach::default()
        },
        violations: Vec::new(),
        order: Vec::new(),
    };
    for sized in &starts {
        let found = Steps::new(sized).start()?;
        search.note(found, None);
    }
    // Makes a state of each size to put configurations into.
    for steps in &mut search.steps {
        steps.start()?;
    }
    match search.run(watch)? {
        Wish::Stop => Ok(None),
        Wish::GoOn => Ok(Some(search.finish())),
    }
}

struct Search<'s> {
    needs: &'s Needs,
    k: usize,
    pool: Pool,
    /// The steps of configurations, by how many members there are more than in a view.
    steps: Vec<Steps<'s>>,
    known: HashSet<Configuration>,
    waiting: VecDeque<Configuration>,
    taken: HashSet<Configuration>,
    /// For each view without one of its members, the members that may be added.
    room: HashMap<Configuration, Vec<u32>>,
    reach: Reach,
    violations: Vec<AbstractViolation>,
    order: Vec<Configuration>,
}

impl Search<'_> {
    fn run(&mut self, watch: &mut dyn FnMut(&Reach) -> Wish) -> Result<Wish, Failed> {
        while let Some(view) = self.waiting.pop_front() {
            if watch(&self.reach) == Wish::Stop {
                return Ok(Wish::Stop);
            }
            self.take(&view);
            let mut level = BTreeSet::from([view]);
            for more in 0..self.steps.len() {
                if more > 0 {
                    level = self.extended(&level);
                }
                for configuration in &level {
                    self.reach.configurations += 1;
                    let steps = &mut self.steps[more];
                    let found = steps.follow(&self.pool, configuration, self.needs)?;
                    self.note(found, Some(configuration));
                    if self.reach.configurations.is_multiple_of(1024)
                        && watch(&self.reach) == Wish::Stop
                    {
                        return Ok(Wish::Stop);
                    }
                }
            }
        }
        Ok(Wish::GoOn)
    }

    fn take(&mut self, view: &Configuration) {
        for (place, member) in view.members.iter().enumerate() {
            if place > 0 && view.members[place - 1] == *member {
                continue;
            }
            let mut rest = view.clone();
            rest.members.remove(place);
            self.room.entry(rest).or_default().push(*member);
        }
        self.taken.insert(view.clone());
    }

    /// The configurations with one member more all of whose views have been taken.
    fn extended(&self, level: &BTreeSet<Configuration>) -> BTreeSet<Configuration> {
        let mut larger = BTreeSet::new();
        for configuration in level {
            let rest = Configuration {
                shared: configuration.shared,
                members: configuration.members[..self.k - 1].to_vec(),
            };
            for member in self.room.get(&rest).into_iter().flatten() {
                let with = configuration.with(*member);
                if !larger.contains(&with) && self.fits(configuration, *member, &with) {
                    larger.insert(with);
                }
            }
        }
        larger
    }

    /// Whether all views that a new member is in have been taken.
    fn fits(&self, configuration: &Configuration, member: u32, with: &Configuration) -> bool {
        let mut fits = true;
        configuration.each_part(self.k - 1, &mut |rest| {
            fits = fits && self.taken.contains(&rest.with(member));
        });
        let marks = &self.steps[0].parts();
        fits && marks.is_possible(&self.pool.members(with))
    }

    /// Adds the views of what follows a configuration.
    fn note(&mut self, found: Followed, at: Option<&Configuration>) {
        for violation in found.violations {
            self.violate(violation, at);
        }
        self.reach.steps += found.successors.len() as u64;
        for split in found.successors {
            let successor = self.pool.configuration(split);
            let k = self.k;
            let (known, waiting, order) = (&mut self.known, &mut self.waiting, &mut self.order);
            successor.each_part(k, &mut |view| {
                if known.insert(view.clone()) {
                    waiting.push_back(view.clone());
                    order.push(view);
                }
            });
            self.reach.views = self.known.len() as u64;
        }
    }

    fn violate(&mut self, violation: Violation, at: Option<&Configuration>) {
        let mut known = self.violations.iter();
        if known.any(|known| known.violation == violation) {
            return;
        }
        let configuration = match at {
            Some(at) => self.pool.split(at),
            None => Split {
                shared: Box::default(),
                members: Vec::new(),
            },
        };
        self.violations.push(AbstractViolation {
            violation,
            configuration,
        });
    }

    fn finish(self) -> Abstraction {
        Abstraction {
            reach: self.reach,
            violations: self.violations,
            views: self.order.iter().map(|v| self.pool.split(v)).collect(),
        }
    }
}
