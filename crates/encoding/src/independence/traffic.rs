//! The messages that an edge may send and receive, and those that it certainly does.
//!
//! A run that comes back to a state has taken from each channel as many messages as it has put there. So an edge that sends can be repeated for ever only beside
//! one that receives from the same channel, and the other way round.

use mandala_model::expr::Expr;
use mandala_model::footprint::{Analysis, Birth, Channels};
use mandala_model::ids::{EdgeId, TemplateId};
use mandala_model::template::{Keep, Step};

/// Some channels, as the processes of a template refer to them.
#[derive(Clone, Debug)]
pub(super) struct Port {
    template: TemplateId,
    channels: Channels,
}

/// What an edge does with channels by sending and receiving.
#[derive(Clone, Debug)]
pub(super) struct Traffic {
    /// Where it may put messages.
    pub sends: Port,
    /// Where it may take messages away.
    pub receives: Port,
    /// A channel where it puts a message whenever it is taken, and takes none away.
    pub surely_sends: Option<Port>,
    /// A channel where it takes a message away whenever it is taken, and puts none.
    pub surely_receives: Option<Port>,
}

/// Which way a message goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    In,
    Out,
}

impl Port {
    fn none(template: TemplateId) -> Self {
        Port {
            template,
            channels: Channels::default(),
        }
    }

    /// Whether some channel may be one of both.
    pub fn meets(&self, other: &Port) -> bool {
        let (mine, theirs) = (&self.channels, &other.channels);
        let unknown = self.is_unknown() && !other.is_empty();
        let unknown = unknown || other.is_unknown() && !self.is_empty();
        let own = self.template == other.template && mine.locals.overlaps(&theirs.locals);
        unknown || own || mine.globals.overlaps(&theirs.globals)
    }

    fn is_unknown(&self) -> bool {
        self.channels.any || !self.channels.references.is_empty()
    }

    fn is_empty(&self) -> bool {
        self.channels == Channels::default()
    }
}

impl Traffic {
    /// What that edge does.
    pub fn of(analysis: &Analysis<'_>, id: EdgeId, step: &Step) -> Self {
        let port = |channel: &Expr| Port {
            template: id.template,
            channels: analysis.channels_behind(channel, id.template, &Birth::default()),
        };
        let [mut sends, mut receives] = [(); 2].map(|()| Port::none(id.template));
        each_exchange(step, &mut |way, channel| {
            let all = match way {
                Way::In => &mut sends,
                Way::Out => &mut receives,
            };
            all.channels.add(&port(channel).channels);
        });
        let first = first_exchange(step).map(|(way, channel)| (way, port(channel)));
        let surely = |wanted: Way, undone_by: &Port| {
            let (way, port) = first.as_ref()?;
            (*way == wanted && !port.meets(undone_by)).then(|| port.clone())
        };
        Traffic {
            surely_sends: surely(Way::In, &receives),
            surely_receives: surely(Way::Out, &sends),
            sends,
            receives,
        }
    }

    /// Whether two steps compete: for room in a channel, or for its messages.
    pub fn competes(&self, other: &Traffic) -> bool {
        self.sends.meets(&other.sends) || self.receives.meets(&other.receives)
    }
}

/// The message that a step puts or takes away at the least.
fn first_exchange(step: &Step) -> Option<(Way, &Expr)> {
    match step {
        Step::Send { channel, .. } => Some((Way::In, channel)),
        Step::Receive { channel, keep, .. } => {
            (*keep == Keep::Remove).then_some((Way::Out, channel))
        }
        Step::Routine(routine) => match routine.nodes.first()?.choices.as_slice() {
            [only] => first_exchange(&only.step),
            _ => None,
        },
        Step::Guarded { .. } | Step::Else | Step::Exit | Step::Call(_) => None,
    }
}

/// Every message that a step may put or take away.
fn each_exchange<'s>(step: &'s Step, visit: &mut impl FnMut(Way, &'s Expr)) {
    match step {
        Step::Routine(routine) => {
            let choices = routine.nodes.iter().flat_map(|node| &node.choices);
            choices.for_each(|choice| each_exchange(&choice.step, visit));
        }
        step => first_exchange(step)
            .into_iter()
            .for_each(|(way, channel)| visit(way, channel)),
    }
}
