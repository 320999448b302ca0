//! Rendezvous: two processes make one step, in all states at once.
//!
//! A sender that has come along its edge holds a message out. Every other process that is free to move then and has a receive that fits may
//! take it, each such receive a step of its own. What goes wrong with the message is the sender's affair alone; what goes wrong while it
//! is looked at or taken is a step that leads nowhere.

use crate::attempt::{Attempt, Path};
use crate::cells::ChannelCells;
use crate::diagrams::{Bdd, Made, without};
use crate::number::Number;
use crate::reachable_locations;
use crate::system::{Before, Builder, Tried};
use mandala_model::ids::{EdgeId, LocationId};
use mandala_model::template::{Edge, Keep};
use mandala_resolved::{Receipt, ResolvedExpr, ResolvedStep};
use oxidd::BooleanFunction;

/// What came of an edge as a send at a rendezvous.
pub(crate) struct Offered {
    /// Where it is one.
    pub somewhere: Bdd,
    /// Where somebody takes the message, or something goes wrong.
    pub taken: Bdd,
}

/// A message that a sender holds out.
struct Offer<'o> {
    sender: usize,
    edge: EdgeId,
    channel: &'o ChannelCells,
    message: Vec<Number>,
    /// What the sender has done.
    path: Path,
    turn: &'o Bdd,
}

/// A receive that may take a message.
struct Receiving<'o> {
    edge: &'o Edge,
    receipt: &'o Receipt,
}

impl<'o> Receiving<'o> {
    fn of(edge: &'o Edge, step: &'o ResolvedStep) -> Option<Self> {
        match step {
            ResolvedStep::Receive(receipt) if receipt.keep == Keep::Remove => {
                Some(Receiving { edge, receipt })
            }
            _ => None,
        }
    }
}

impl Builder<'_> {
    /// Holds a message out wherever the edge is open and a send at a rendezvous.
    pub(crate) fn offer(
        &mut self,
        sender: usize,
        open: &Bdd,
        id: EdgeId,
        edge: &Edge,
        turn: &Bdd,
    ) -> Made<Offered> {
        let mut offered = Offered {
            somewhere: self.context.d.no.clone(),
            taken: self.context.d.no.clone(),
        };
        let ResolvedStep::Send {
            channel: reference,
            message,
            ..
        } = self.context.code.step(id)
        else {
            return Ok(offered);
        };
        let mut start = self.start.clone();
        self.place(&mut start, sender, edge.source);
        // A channel that cannot be told is a fault that was noted when the edge was tried by the sender alone.
        let mut asking = self.trying(sender);
        for (here, channel) in asking.channels(&start, open, reference)? {
            if !channel.is_rendezvous() {
                continue;
            }
            let here = without(&here.and(open)?, &asking.halted)?;
            offered.somewhere = offered.somewhere.or(&here)?;
            let mut offering = self.trying(sender);
            let message = offering.held_out(&start, &here, channel, message, edge)?;
            let mut path = Path {
                condition: without(&here, &offering.halted)?,
                cells: start.cells.clone(),
            };
            self.arrive(&mut path, sender, edge);
            offered.taken = offered.taken.or(&offering.halted)?;
            self.note(offering, None, turn)?;
            let offer = Offer {
                sender,
                edge: id,
                channel,
                message,
                path,
                turn,
            };
            if offer.path.condition.satisfiable() {
                offered.taken = offered.taken.or(&self.hold_out_to_all(&offer)?)?;
            }
        }
        Ok(offered)
    }

    /// Puts a process at a location.
    pub(crate) fn place(&self, path: &mut Path, process: usize, location: LocationId) {
        let cell = self.context.layout.processes[process].location;
        let number = Number::constant(self.context.d, location.0.into());
        path.cells.insert(cell, number);
    }

    /// Where some other process takes what is held out, or goes wrong.
    fn hold_out_to_all(&mut self, offer: &Offer<'_>) -> Made<Bdd> {
        let layout = self.context.layout;
        let number = layout.processes[offer.sender].number();
        let mut taken = self.context.d.no.clone();
        for receiver in 0..layout.processes.len() {
            if layout.processes[receiver].number() == number {
                continue;
            }
            for location in reachable_locations::locations(self.template(receiver)) {
                taken = taken.or(&self.accept(offer, receiver, location)?)?;
            }
            self.context.d.pause()?;
        }
        Ok(taken)
    }

    /// Where a process at a location takes what is held out, or goes wrong.
    fn accept(&mut self, offer: &Offer<'_>, receiver: usize, location: LocationId) -> Made<Bdd> {
        let template = self.template(receiver);
        let code = self.context.code;
        let id = |index| self.edge_id(receiver, index);
        let mut receives = template.edges_from(location);
        let is_free = template.provided.is_none() && !self.context.model.prioritised;
        if is_free && receives.all(|(at, edge)| Receiving::of(edge, code.step(id(at))).is_none()) {
            return Ok(self.context.d.no.clone());
        }
        let mut asking = self.trying(receiver);
        let here = asking.is_at(&offer.path, receiver, location)?;
        let here = here.and(&offer.path.condition)?;
        let may_move = asking.may_move(&offer.path, here, template, location)?;
        let mut all = asking.halted.clone();
        self.note(asking, None, offer.turn)?;
        let mut before = Before::nothing(self.context, all.clone());
        for (index, edge) in template.edges_from(location) {
            before.close(edge)?;
            let open = without(&may_move, &before.closed)?;
            let id = self.edge_id(receiver, index);
            if let Some(receiving) = Receiving::of(edge, code.step(id))
                && open.satisfiable()
            {
                let taken = self.hand_over(offer, receiver, &open, id, &receiving)?;
                before.take(edge, &taken)?;
                all = all.or(&taken)?;
            }
        }
        Ok(all)
    }

    /// Lets a receive take what is held out wherever it fits, and says where it does or goes wrong.
    fn hand_over(
        &mut self,
        offer: &Offer<'_>,
        receiver: usize,
        open: &Bdd,
        id: EdgeId,
        receiving: &Receiving<'_>,
    ) -> Made<Bdd> {
        let Receiving { edge, receipt } = *receiving;
        let wanted = &receipt.wanted;
        let mut path = offer.path.clone();
        self.place(&mut path, receiver, edge.source);
        let asked = self.asked(offer, receiver, open, receiving)?;
        if !asked.satisfiable() {
            return Ok(asked);
        }
        let mut attempt = self.trying(receiver);
        path.condition = attempt.matches(&path, &asked, &offer.message, wanted, edge.span)?;
        attempt.go_on(&mut path)?;
        attempt.bind(&mut path, &receipt.bindings, &offer.message)?;
        attempt.go_on(&mut path)?;
        self.arrive(&mut path, receiver, edge);
        let taken = path.condition.or(&attempt.halted)?;
        let failed = attempt.failed.clone();
        self.note(attempt, None, offer.turn)?;
        if taken.satisfiable() {
            self.tried.push(Tried {
                edge: offer.edge,
                partner: Some(id),
                holder: receiver,
                control: edge.control,
                turn: offer.turn.clone(),
                taken: taken.clone(),
                failed,
                done: path,
            });
        }
        Ok(taken)
    }

    /// Where a receive is one from the channel of an offer. That its channel cannot be told is a fault of the receiver's own step, and is
    /// noted there.
    fn asked(
        &mut self,
        offer: &Offer<'_>,
        receiver: usize,
        open: &Bdd,
        receiving: &Receiving<'_>,
    ) -> Made<Bdd> {
        let mut asking = self.trying(receiver);
        let number = asking.evaluate(&offer.path, open, &receiving.receipt.channel)?;
        self.asked_timeout |= asking.asked_timeout;
        let same = asking.is_channel(&offer.path, &number, offer.channel)?;
        without(&same.and(open)?, &asking.halted)
    }
}

impl Attempt<'_> {
    /// The message of a send, as the channel would keep it.
    fn held_out(
        &mut self,
        path: &Path,
        under: &Bdd,
        channel: &ChannelCells,
        message: &[ResolvedExpr],
        edge: &Edge,
    ) -> Made<Vec<Number>> {
        match self.message(path, under, channel, message, edge.span)? {
            Some(sent) => self.kept(under, channel, &sent, edge.span),
            None => Ok(Vec::new()),
        }
    }
}
