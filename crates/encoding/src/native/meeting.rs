//! A rendezvous: the sender goes first, then each receiver that takes the message, one after the other.

use super::edges::Here;
use super::journal::Journal;
use super::operand::Operand;
use super::translator::{Ended, Translator};
use crate::code::{Action, CompiledEdge, ReceiveSite, Relation, SendSite, Source};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::Switch;

/// A send that is under way.
struct Offer<'e> {
    sender: Here,
    sending: u32,
    edge: &'e CompiledEdge,
    channel: u32,
    /// What the sender has changed.
    journal: Journal,
}

impl Translator<'_, '_> {
    /// Translates a send at a rendezvous, and goes on where everything has been undone.
    pub fn meeting(
        &mut self,
        sender: Here,
        sending: u32,
        send: SendSite,
        channel: u32,
    ) -> Result<(), Ended> {
        if !self.receivers_are_known(sender.process) {
            return Err(self.give_up());
        }
        let edge = &self.plan.template(sender.process).edges[sending as usize];
        self.message = self.sent(send, channel, sender.process)?;
        self.advance(sender.process, edge);
        let offer = Offer {
            sender,
            sending,
            edge,
            channel,
            journal: std::mem::take(&mut self.journal),
        };
        let met = self.builder.declare_var(types::I8);
        self.define(met, types::I8, 0);
        // Once somebody has taken the message, the interpreter cannot try the edge as if nothing had happened.
        self.hatch_open = false;
        match self.plan.stand_ins.is_empty() {
            true => {
                for receiver in (0..self.plan.real.processes.len() as u32).rev() {
                    if receiver != sender.process && self.may_accept(receiver, channel) {
                        self.receiver(&offer, receiver, met);
                    }
                }
            }
            false => self.all_in_turn(&mut |this, process, who| {
                this.receiver_in_turn(&offer, (process, who), met);
            }),
        }
        self.hatch_open = true;
        self.undo(&offer.journal);
        let met = self.builder.use_var(met);
        self.conclude(sender, edge, met);
        Ok(())
    }

    /// Translates all ways in which a process takes the message, or one of that number for whom a stand-in moves.
    fn receiver_in_turn(
        &mut self,
        offer: &Offer<'_>,
        (process, who): (u32, Option<Value>),
        met: cranelift_frontend::Variable,
    ) {
        let Some(who) = who else {
            if process != offer.sender.process && self.may_accept(process, offer.channel) {
                self.receiver(offer, process, met);
            }
            return;
        };
        let template = self.plan.process(process).template;
        let partner = self.plan.stand_ins.partners[&template.0];
        if !self.may_accept(partner, offer.channel) {
            return;
        }
        let end = self.block();
        let sender = self.process_number(offer.sender.process);
        let sender = self.value(sender);
        let is_another = self.builder.ins().icmp(IntCC::NotEqual, who, sender);
        self.proceed_if(is_another, end);
        self.stand_for_process(partner, who);
        self.receiver(offer, partner, met);
        self.jump(end);
        self.switch_to(end);
    }

    /// What the meeting means for the edges after it.
    fn conclude(&mut self, sender: Here, edge: &CompiledEdge, met: Value) {
        if sender.asked {
            let moved = self.builder.use_var(self.moved);
            let either = self.builder.ins().bor(moved, met);
            self.builder.def_var(self.moved, either);
        }
        if sender.escapes {
            let (class, none) = (i64::from(edge.escape), 0);
            let class = self.builder.ins().iconst(types::I32, class);
            let none = self.builder.ins().iconst(types::I32, none);
            let escape = self.builder.ins().select(met, class, none);
            self.builder.def_var(self.escape, escape);
        }
    }

    /// Whether it takes no code to find out which channels others receive from.
    fn receivers_are_known(&self, sender: u32) -> bool {
        let stand_ins = &self.plan.stand_ins;
        let shares = |p: &u32| {
            stand_ins
                .movers
                .contains_key(&self.plan.process(*p).template.0)
        };
        let processes = 0..self.plan.real.processes.len() as u32;
        let single = processes.filter(|p| *p != sender && !shares(p));
        single
            .chain(stand_ins.partners.values().copied())
            .filter(|p| !self.plan.retired[*p as usize])
            .all(|process| {
                let mut edges = self.plan.template(process).edges.iter();
                edges.all(|edge| match edge.action {
                    Action::Receive(receive) if receive.remove => {
                        let source = receive.channel.source;
                        !matches!(source, Source::Code(..))
                            || self.plan.constant_source(source, process).is_some()
                    }
                    _ => true,
                })
            })
    }

    fn accept(&self, edge: &CompiledEdge, receiver: u32, channel: u32) -> Option<ReceiveSite> {
        let Action::Receive(receive @ ReceiveSite { remove: true, .. }) = edge.action else {
            return None;
        };
        let reference = self.plan.constant_source(receive.channel.source, receiver);
        let kind = |channel| self.plan.slot(channel).kind;
        let is_meant = |meant: u32| match self.references.contains_key(&channel) {
            true => kind(meant) == kind(channel),
            false => meant == channel,
        };
        let possible =
            reference.is_none_or(|reference| self.plan.channel(reference).is_some_and(is_meant));
        possible.then_some(receive)
    }

    fn may_accept(&self, receiver: u32, channel: u32) -> bool {
        let mut edges = self.plan.template(receiver).edges.iter();
        !self.plan.retired[receiver as usize]
            && edges.any(|edge| self.accept(edge, receiver, channel).is_some())
    }

    /// Translates all ways in which a process takes the message.
    fn receiver(&mut self, offer: &Offer<'_>, receiver: u32, met: cranelift_frontend::Variable) {
        let template = self.plan.template(receiver);
        let end = self.block();
        let before = self.add_process(receiver, end);
        let facts = self.facts.clone();
        if self.guard(template.provided, receiver, end).is_err() {
            self.switch_to(end);
            self.go_back_in_tuple(&before);
            self.facts = facts;
            return;
        }
        let mut switch = Switch::new();
        let mut places = Vec::new();
        for (location, place) in template.locations.iter().enumerate() {
            let edges = &template.edges[place.edges.start as usize..place.edges.end as usize];
            if edges
                .iter()
                .any(|edge| self.accept(edge, receiver, offer.channel).is_some())
            {
                let block = self.block();
                switch.set_entry(location as u128, block);
                places.push((location as u32, block));
            }
        }
        let here = self.load(self.plan.process(receiver).base);
        let here = self.value(here);
        switch.emit(&mut self.builder, here, end);
        for (location, block) in places {
            self.switch_to(block);
            self.facts = facts.clone();
            let base = self.plan.process(receiver).base;
            self.facts
                .cells
                .insert(base, Operand::Constant(location.into()));
            self.receiver_at(offer, receiver, location, met, end);
        }
        self.switch_to(end);
        self.go_back_in_tuple(&before);
        self.facts = facts;
    }

    fn receiver_at(
        &mut self,
        offer: &Offer<'_>,
        receiver: u32,
        location: u32,
        met: cranelift_frontend::Variable,
        end: Block,
    ) {
        let template = self.plan.template(receiver);
        let range = template.locations[location as usize].edges.clone();
        let edges = &template.edges[range.start as usize..range.end as usize];
        let escapes = edges.iter().any(|edge| edge.escape > 0);
        let escape = self.builder.declare_var(types::I32);
        if escapes {
            self.define(escape, types::I32, 0);
        }
        let facts = self.facts.clone();
        for index in range {
            let edge = &template.edges[index as usize];
            if escapes {
                let sender_escape = std::mem::replace(&mut self.escape, escape);
                self.close(edge, end);
                self.escape = sender_escape;
            }
            let Some(receive) = self.accept(edge, receiver, offer.channel) else {
                continue;
            };
            let next = self.block();
            self.facts = facts.clone();
            if self
                .hand_over(offer, receiver, index, receive, next)
                .is_ok()
            {
                self.define(met, types::I8, 1);
                if escapes {
                    self.define(escape, types::I32, edge.escape.into());
                }
                self.jump(next);
            }
            self.switch_to(next);
        }
        self.jump(end);
    }

    fn hand_over(
        &mut self,
        offer: &Offer<'_>,
        receiver: u32,
        receiving: u32,
        receive: ReceiveSite,
        next: Block,
    ) -> Result<(), Ended> {
        let accept = &self.plan.template(receiver).edges[receiving as usize];
        let patterns = &self.plan.program.code.patterns[receive.patterns as usize];
        let reference = self.source(receive.channel.source, receiver)?;
        let offered = self.channel_reference(offer.channel);
        self.proceed_if_related(reference, Relation(2), offered, next)?;
        if patterns.arity as usize != self.message.len() {
            return Err(self.redo());
        }
        for &(field, source) in &patterns.matched {
            let wanted = self.source(source, receiver)?;
            let found = self.message[field as usize];
            self.proceed_if_related(found, Relation(2), wanted, next)?;
        }
        if offer.edge.alone.is_some() {
            let moved = self.builder.use_var(self.moved);
            let first = self.builder.ins().icmp_imm(IntCC::Equal, moved, 0);
            self.require(first);
        }
        self.journal = Journal::default();
        if let Some(bind) = receive.bind {
            self.run(bind, receiver)?;
        }
        self.advance(receiver, accept);
        self.forget_scratch();
        // The bytes say where the sender is only now.
        self.pack_changes_with(&offer.journal);
        self.count(offer.sender.process, offer.sending);
        self.count(receiver, receiving);
        let before = self.join_party(receiver);
        self.tell_or_hold(receiver, accept);
        self.set_party(before);
        let journal = std::mem::take(&mut self.journal);
        self.undo(&journal);
        Ok(())
    }
}
