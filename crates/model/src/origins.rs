//! Which edge of a model an edge of a rewritten one stands for.
//!
//! A step or a count of a rewritten model is told in terms of the model before by way of this table, and in no other way.

use crate::Model;
use crate::ids::{EdgeId, TemplateId};
use crate::step::StepLabel;

/// For every edge of a rewritten model, the edge of the model before that it stands for; nothing for an edge that the rewrite has added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origins {
    /// By what can run, and edge.
    edges: Vec<Vec<Option<EdgeId>>>,
}

impl Origins {
    /// Those of a model in which every edge stands for itself, those of the automata of properties included.
    pub fn own(model: &Model) -> Self {
        let edges = model.runnables().map(|(template, of)| {
            let indices = 0..of.edges.len() as u32;
            indices
                .map(|index| Some(EdgeId { template, index }))
                .collect()
        });
        Origins {
            edges: edges.collect(),
        }
    }

    /// Notes that an edge was added behind those that a template has.
    pub fn add(&mut self, template: TemplateId) {
        self.edges[template.index()].push(None);
    }

    /// The edge that an edge stands for, if it stands for one.
    pub fn of(&self, edge: EdgeId) -> Option<EdgeId> {
        let template = self.edges.get(edge.template.index())?;
        *template.get(edge.index as usize)?
    }

    /// The step that a step stands for, if it stands for one.
    pub fn of_step(&self, label: &StepLabel) -> Option<StepLabel> {
        let partner = match label.partner {
            Some((process, edge)) => Some((process, self.of(edge)?)),
            None => None,
        };
        Some(StepLabel {
            edge: self.of(label.edge)?,
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
            edges.map(|edge| edge.and_then(|e| self.of(e))).collect()
        });
        Origins {
            edges: edges.collect(),
        }
    }

    /// What was counted for the edges of the rewritten model, by what can run and edge, as counts for the edges of the model before, which is
    /// `model`.
    pub fn counts(&self, counted: &[Vec<u64>], model: &Model) -> Vec<Vec<u64>> {
        let all = model.runnables();
        let mut counts: Vec<Vec<u64>> = all.map(|(_, t)| vec![0; t.edges.len()]).collect();
        for (origins, counted) in self.edges.iter().zip(counted) {
            for (origin, counted) in origins.iter().zip(counted) {
                if let Some(origin) = origin {
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

    /// Two templates with two edges and one; the second has got another.
    fn rewritten() -> Origins {
        Origins {
            edges: vec![
                vec![Some(edge(0, 0)), Some(edge(0, 1))],
                vec![Some(edge(1, 0)), None],
            ],
        }
    }

    #[test]
    fn what_was_added_stands_for_nothing() {
        let origins = rewritten();
        assert_eq!(origins.of(edge(0, 1)), Some(edge(0, 1)));
        assert_eq!(origins.of(edge(1, 1)), None);
        assert_eq!(origins.of(edge(2, 0)), None);
    }

    #[test]
    fn origins_go_back_over_several_rewrites() {
        let moved = Origins {
            edges: vec![
                vec![Some(edge(1, 1)), Some(edge(0, 0))],
                vec![Some(edge(1, 0)), None],
            ],
        };
        let both = rewritten().followed_by(&moved);
        let expected = vec![vec![None, Some(edge(0, 0))], vec![Some(edge(1, 0)), None]];
        assert_eq!(both.edges, expected);
    }
}
