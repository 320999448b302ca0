//! Origins: the edge of a model that an edge of a rewritten one stands for, and likewise for monitors. Monitors are here as the edges that a verified model
//! shows them as ([`Model::edge_of`]).
//!
//! A step or a count of a rewritten model is told in terms of the model before by way of this table, and in no other way.

use crate::Model;
use crate::ids::{EdgeId, TemplateId};
use crate::step::StepLabel;

/// For every edge of a rewritten model, the edge of the model before that it stands for; nothing for an edge that the rewrite has added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origins {
    /// By what can run, and edge.
    edges: Vec<Vec<Option<Origin>>>,
}

/// The edge that an edge stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin {
    /// The edge.
    pub edge: EdgeId,
    /// The choice of its parameters, if the other edge is an instance of it; else 0, and both have the same choices.
    pub choice: u32,
}

impl From<EdgeId> for Origin {
    fn from(edge: EdgeId) -> Self {
        Origin { edge, choice: 0 }
    }
}

impl Origins {
    /// Those of a model in which every edge stands for itself, those of the automata of properties included.
    pub fn own(model: &Model) -> Self {
        let edges = model.runnables().map(|(template, of)| {
            let indices = 0..of.edges.len() as u32;
            indices
                .map(|index| Some(EdgeId { template, index }.into()))
                .collect()
        });
        Origins {
            edges: edges.collect(),
        }
    }

    /// Those of a model whose templates have edges that are made of these, and whose monitors are made of those. The automata of properties are
    /// those of the model before.
    pub fn made_of(edges: Vec<Vec<Origin>>, monitors: Vec<Origin>, model: &Model) -> Self {
        let automata = Origins::without_monitors(model).edges.into_iter();
        let automata = automata.skip(edges.len());
        let all = |edges: Vec<Origin>| edges.into_iter().map(Some).collect();
        let monitors = (!monitors.is_empty()).then(|| all(monitors));
        let edges = edges.into_iter().map(all).chain(automata);
        Origins {
            edges: edges.chain(monitors).collect(),
        }
    }

    /// Those of the same model without its monitors.
    pub fn without_monitors(model: &Model) -> Self {
        let mut origins = Origins::own(model);
        let monitors = usize::from(model.monitor_template().is_some());
        origins.edges.truncate(origins.edges.len() - monitors);
        origins
    }

    /// Notes that an edge was added behind those that a template has.
    pub fn add(&mut self, template: TemplateId) {
        self.edges[template.index()].push(None);
    }

    /// The edge that an edge stands for, if it stands for one.
    pub fn of(&self, edge: EdgeId) -> Option<Origin> {
        let template = self.edges.get(edge.template.index())?;
        *template.get(edge.index as usize)?
    }

    /// The step that a step stands for, if it stands for one.
    pub fn of_step(&self, label: &StepLabel) -> Option<StepLabel> {
        let partner = match label.partner {
            Some((process, edge)) => Some((process, self.of(edge)?.edge)),
            None => None,
        };
        let origin = self.of(label.edge)?;
        Some(StepLabel {
            edge: origin.edge,
            // An instance has one choice, the first.
            choice: origin.choice + label.choice,
            partner,
            ..*label
        })
    }

    /// The origins of a model that was made from the one that these are about.
    #[must_use]
    pub fn followed_by(&self, later: &Origins) -> Origins {
        let edges = later.edges.iter();
        let edges = edges.map(|edges| {
            let edges = edges.iter();
            edges.map(|edge| self.earlier((*edge)?)).collect()
        });
        Origins {
            edges: edges.collect(),
        }
    }

    fn earlier(&self, later: Origin) -> Option<Origin> {
        let origin = self.of(later.edge)?;
        Some(Origin {
            choice: origin.choice + later.choice,
            ..origin
        })
    }

    /// What was counted for the edges of the rewritten model, by what can run and edge, as counts for the edges of the model before, which is
    /// `model`.
    pub fn counts(&self, counted: &[Vec<u64>], model: &Model) -> Vec<Vec<u64>> {
        let all = model.runnables();
        let mut counts: Vec<Vec<u64>> = all.map(|(_, t)| vec![0; t.edges.len()]).collect();
        for (origins, counted) in self.edges.iter().zip(counted) {
            for (origin, counted) in origins.iter().zip(counted) {
                if let Some(Origin { edge: origin, .. }) = origin {
                    counts[origin.template.index()][origin.index as usize] += counted;
                }
            }
        }
        counts
    }

    /// How many edges everything that can run in the rewritten model has.
    pub fn sizes(&self) -> impl Iterator<Item = usize> + '_ {
        self.edges.iter().map(Vec::len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(template: u32, index: u32) -> EdgeId {
        EdgeId {
            template: TemplateId(template),
            index,
        }
    }

    fn own(template: u32, index: u32) -> Option<Origin> {
        Some(edge(template, index).into())
    }

    /// Two templates with two edges and one; the second has got another.
    fn rewritten() -> Origins {
        Origins {
            edges: vec![vec![own(0, 0), own(0, 1)], vec![own(1, 0), None]],
        }
    }

    #[test]
    fn what_was_added_stands_for_nothing() {
        let origins = rewritten();
        assert_eq!(origins.of(edge(0, 1)), own(0, 1));
        assert_eq!(origins.of(edge(1, 1)), None);
        assert_eq!(origins.of(edge(2, 0)), None);
    }

    #[test]
    fn origins_go_back_over_several_rewrites() {
        let moved = Origins {
            edges: vec![vec![own(1, 1), own(0, 0)], vec![own(1, 0), None]],
        };
        let both = rewritten().followed_by(&moved);
        let expected = vec![vec![None, own(0, 0)], vec![own(1, 0), None]];
        assert_eq!(both.edges, expected);
    }

    #[test]
    fn what_follows_instances_stands_for_what_they_do() {
        let instance = |choice| Origin {
            edge: edge(0, 0),
            choice,
        };
        let instances = Origins {
            edges: vec![vec![Some(instance(0)), Some(instance(1))], Vec::new()],
        };
        let reversed = Origins {
            edges: vec![vec![own(0, 1), own(0, 0), None], Vec::new()],
        };
        let both = instances.followed_by(&reversed);
        assert_eq!(both.of(edge(0, 0)), Some(instance(1)));
        assert_eq!(both.of(edge(0, 1)), Some(instance(0)));
        assert_eq!(both.of(edge(0, 2)), None);
    }
}
