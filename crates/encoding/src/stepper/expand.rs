//! From one remembered state to the next ones.
//!
//! # The algorithm
//!
//! A search remembers only some configurations: not those in the middle of an atomic sequence,
//! nor those between a move of the claim and the move of the system that follows it. So a step of the
//! search is a *chain* of moves, and all chains from a state are walked depth first. Each configuration on the
//! way has its moves collected into one list, which is used as a stack; to try the next move of
//! a configuration is to go back along the log of changes to where the configuration was, and to perform the
//! move. Nothing is copied, and chains of any length take no stack of the machine.
//!
//! # Chains that meet
//!
//! An atomic sequence can loop, and two ways through it can meet again, so configurations on the
//! way must be told apart somehow. Most chains have one or two moves, and to look each of
//! their configurations up would cost more than to walk them. Only from the [`PATIENCE`]th move of a chain on are
//! configurations packed and looked up, and only where several edges lead, as each cycle of edges has such a place;
//! elsewhere, ways that meet are walked twice, which is what Spin does everywhere, and harmless. (To look everything up
//! from that move on took a quarter of the time of the election in a ring.)
//!
//! Where fairness matters, ways on which others take part are no second visit ([`Ways`]): the one who is left out would never have acted.
//!
//! # Chains without end
//!
//! Nothing says that an atomic sequence ends: it can count for as long as there are numbers. So every
//! [`PATROL`] moves the sink is asked whether to go on, and told how much memory the chain takes. One that comes back to a configuration on
//! it need not end, either, which matters to who asks about whole runs ([`Stepper::has_atomic_cycle`]).
//!
//! # Rejected
//!
//! Recursion: an atomic loop of a hundred thousand rounds is legal. A work list of packed
//! configurations: packing and unpacking each of them costs more than a typical move.

use super::collect::{Kind, Move};
use super::passed::{Met, Passed};
use super::{Incomplete, PATROL, Progress, Sink, Stepper, Stop};
use crate::arrival::{Party, Taker};
use mandala_model::step::{Turn, Violation, Ways};

/// How many moves a chain may have before its configurations are looked up.
pub(crate) const PATIENCE: u32 = 6;

/// Room for more moves or configurations than this is given up after use.
const LARGE: usize = 1 << 10;

/// What is kept while the chains from a state are walked.
#[derive(Debug, Default)]
pub(super) struct Expansion {
    /// The moves of all configurations on the current chain, one after the other.
    pub moves: Vec<Move>,
    /// The configurations on the current chain.
    pub open: Vec<Open>,
    /// The configurations looked up so far.
    pub seen: Passed,
    /// What is added to the one that is looked up, kept so that nothing is allocated for each.
    rest: Vec<u8>,
}

/// A configuration whose moves are being tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    /// Its first move in the list.
    pub first: usize,
    /// The move to be tried next.
    pub next: usize,
    /// How many changes lead to it.
    pub changes: usize,
    /// How many moves lead to it.
    pub length: u32,
    /// How many configurations before it on the chain were looked up.
    pub passed: usize,
}

impl Expansion {
    /// Forgets which configurations have been passed.
    pub fn forget(&mut self) {
        self.seen.clear();
        if self.moves.capacity() > LARGE {
            self.moves.shrink_to(LARGE);
            self.open.shrink_to(LARGE);
        }
    }

    /// How many configurations on the current chain were looked up.
    pub fn passed(&self) -> usize {
        self.seen.chain_length()
    }

    /// Gives up the current chain.
    pub fn abandon(&mut self) {
        self.open.clear();
        self.moves.clear();
    }

    /// How much memory all this takes.
    pub fn bytes(&self) -> usize {
        let open = self.open.capacity() * size_of::<Open>();
        self.seen.memory() + open + self.moves.capacity() * size_of::<Move>()
    }
}

impl Stepper<'_> {
    /// Tells all states that follow a remembered one, and what goes wrong there or on the way.
    ///
    /// # Errors
    ///
    /// If a successor is too large, or the sink did not want to go on.
    ///
    /// # Panics
    ///
    /// If the bytes are no state of this program.
    pub fn expand(
        &mut self,
        packed: &[u8],
        turn: Turn,
        sink: &mut impl Sink,
    ) -> Result<(), Incomplete> {
        if turn == Turn::Free
            && let Some(outcome) = self.expand_natively(packed, sink)
        {
            return outcome;
        }
        self.load(packed);
        self.warm_up();
        self.expansion.forget();
        self.begin_progress();
        self.enter(turn, 0, sink);
        self.take_all(sink);
        self.check_end_late(turn, sink);
        self.verdict_on_expansion()
    }

    /// Nothing has happened yet in the state that is to be expanded.
    pub(super) fn begin_progress(&mut self) {
        self.party = Party::default();
        self.once.weight = 1;
        self.progress = Progress {
            compared: self.program.rules.no_change,
            ..Progress::default()
        };
    }

    /// Makes all moves that wait, and those that follow them.
    pub(super) fn take_all(&mut self, sink: &mut impl Sink) {
        let mut moves = 0u32;
        while let Some(step) = self.next_move() {
            moves += 1;
            if moves.is_multiple_of(PATROL) && self.patrol(sink).is_err() {
                break;
            }
            self.take(step, sink);
        }
    }

    /// All moves have been tried. If that is when it is known whether something can happen: was there a move that counts?
    pub(super) fn check_end_late(&mut self, turn: Turn, sink: &mut impl Sink) {
        if turn != Turn::Free || !self.program.rules.end_is_seen_late() {
            return;
        }
        let goes_on = match self.program.rules.no_change {
            true => self.progress.changed,
            false => self.progress.moved,
        };
        if !goes_on && !self.stopped {
            self.undo(0);
            self.check_end();
            self.tell_violations(sink);
        }
    }

    pub(super) fn verdict_on_expansion(&mut self) -> Result<(), Incomplete> {
        self.already_told = 0;
        let oversize = std::mem::take(&mut self.oversize);
        if std::mem::take(&mut self.stopped) {
            return Err(Incomplete::Stopped);
        }
        match oversize {
            true => Err(Incomplete::Oversize),
            false => Ok(()),
        }
    }

    /// Asks whether to go on. If not, there are no moves left to make.
    #[cold]
    pub(super) fn patrol(&mut self, sink: &mut impl Sink) -> Result<(), Stop> {
        if !self.is_in_vain() && sink.keep_going(self.bytes()) {
            return Ok(());
        }
        self.fault = None;
        self.stopped = true;
        self.expansion.abandon();
        Err(Stop)
    }

    /// Goes back to the last configuration that has a move left, and gives the move with how many lead
    /// up to it.
    #[inline]
    pub(super) fn next_move(&mut self) -> Option<(Move, u32)> {
        loop {
            let open = self.expansion.open.last_mut()?;
            let (next, changes, length, first) = (open.next, open.changes, open.length, open.first);
            open.next += 1;
            if let Some(step) = self.expansion.moves.get(next) {
                let step = *step;
                self.undo(changes);
                return Some((step, length));
            }
            self.expansion.seen.go_back(open.passed);
            self.expansion.moves.truncate(first);
            self.expansion.open.pop();
        }
    }

    /// Performs a move and goes on from there.
    #[inline]
    pub(super) fn take(&mut self, (step, length): (Move, u32), sink: &mut impl Sink) {
        self.timeout = step.timeout;
        if length == 0 {
            self.once.weight = step.weight;
        }
        let next = match step.kind {
            Kind::Process => self.take_process(step, sink),
            kind => self.take_claim(step, kind, sink),
        };
        match next {
            Err(Stop) => self.end_step(step, sink),
            Ok(_) => self.progress.moved = true,
        }
        self.tell_violations(sink);
        match next {
            Ok(Next::Remembered(turn)) => self.tell(turn, sink),
            Ok(Next::Passed(turn)) => self.enter(turn, length + 1, sink),
            Ok(Next::Nothing) | Err(Stop) => {}
        }
    }

    /// A step has come to its end without a state after it.
    #[cold]
    fn end_step(&mut self, step: Move, sink: &mut impl Sink) {
        if std::mem::take(&mut self.blocked) {
            // As if it had not been tried.
            self.violations.clear();
            return;
        }
        if std::mem::take(&mut self.abandoned) {
            self.progress.leave();
            self.tell_abandoned(step, sink);
        }
        self.report_fault();
    }

    fn tell_abandoned(&mut self, step: Move, sink: &mut impl Sink) {
        // The shape may have been changed by the step, but not the process that has made it.
        let taken = self.template(step.process as usize).first_edge + step.edge;
        self.coverage.take_edge(taken as usize, self.once.weight);
        if self.already_told > 0 {
            self.already_told -= 1;
            return;
        }
        sink.abandoned(self.once.weight);
    }

    #[inline]
    fn take_process(&mut self, step: Move, sink: &mut impl Sink) -> Result<Next, Stop> {
        Ok(match self.perform(step, sink)? {
            Some(holder) => Next::Passed(Turn::Held(holder)),
            None => Next::Remembered(self.program.open_turn()),
        })
    }

    fn take_claim(&mut self, step: Move, kind: Kind, sink: &mut impl Sink) -> Result<Next, Stop> {
        let holds = self.perform_claim(step, sink)?;
        self.check_claim(sink);
        Ok(match kind {
            Kind::DeadEnd => Next::Nothing,
            _ if holds => Next::Passed(Turn::Claim),
            Kind::ClaimAlone if !self.program.rules.keeps_stutter => Next::Passed(Turn::Stutter),
            Kind::ClaimAlone | Kind::Stutter => Next::Remembered(Turn::Stutter),
            Kind::Claim | Kind::Process => Next::Passed(Turn::Free),
        })
    }

    /// Collects the moves of a configuration.
    #[inline]
    pub(super) fn enter(&mut self, turn: Turn, length: u32, sink: &mut impl Sink) {
        let passed = self.expansion.passed();
        if length >= PATIENCE && self.may_meet(turn) && !self.visit(turn) {
            return;
        }
        let first = self.expansion.moves.len();
        match turn {
            Turn::Free if length == 0 => {
                self.begin_first_moves();
                self.enter_free(sink);
                self.once.reduces = false;
            }
            Turn::Free => self.enter_free(sink),
            Turn::Held(process) => {
                if !self.collect_process(process as usize, false) {
                    let turn = self.program.open_turn();
                    self.tell(turn, sink);
                }
            }
            Turn::Claim => self.enter_claim(sink),
            Turn::Stutter => self.collect_claim(Kind::Stutter, true),
        }
        self.tell_violations(sink);
        self.expansion.open.push(Open {
            first,
            next: first,
            changes: self.log.len(),
            length,
            passed,
        });
    }

    /// Collects the moves of the state that is expanded, whichever twins there are.
    pub(super) fn enter_with_all_moves(&mut self, turn: Turn, sink: &mut impl Sink) {
        let twins = std::mem::take(self.twins());
        self.enter(turn, 0, sink);
        *self.twins() = twins;
    }

    #[inline]
    fn enter_free(&mut self, sink: &mut impl Sink) {
        self.evaluate_monitors(sink);
        let found = self.collect_all(false) || self.collect_all(true);
        let late = self.program.rules.end_is_seen_late();
        if !found && !late && self.program.layout.claim.is_none() {
            self.check_end();
        }
    }

    /// The claim moves first, and knows whether the system can follow without a time-out. If it
    /// cannot, what the claim can do only without one leads nowhere.
    fn enter_claim(&mut self, sink: &mut impl Sink) {
        if self.can_move(false, sink) {
            return self.collect_claim(Kind::Claim, false);
        }
        let kind = match self.can_move(true, sink) {
            true => Kind::Claim,
            false => Kind::ClaimAlone,
        };
        let first = self.expansion.moves.len();
        self.collect_claim(kind, true);
        let with_timeout = self.expansion.moves.len();
        self.collect_claim(Kind::DeadEnd, false);
        let taken: Vec<u32> = self.expansion.moves[first..with_timeout]
            .iter()
            .map(|m| m.edge)
            .collect();
        let mut index = 0;
        self.expansion.moves.retain(|step| {
            index += 1;
            index <= with_timeout || !taken.contains(&step.edge)
        });
    }

    /// Whether chains may meet in the working state, or be here for the second time.
    fn may_meet(&self, turn: Turn) -> bool {
        match turn {
            Turn::Held(process) => self.location(process as usize).meeting,
            Turn::Free | Turn::Claim | Turn::Stutter => true,
        }
    }

    /// Looks the working state up among those passed on the way from the current one. Says whether it is new.
    #[cold]
    pub(super) fn visit(&mut self, turn: Turn) -> bool {
        self.note_look_up(turn);
        let whose = match turn {
            Turn::Free => 0,
            Turn::Claim => 1,
            Turn::Stutter => 2,
            Turn::Held(process) => 3 + process,
        };
        let mut rest = std::mem::take(&mut self.expansion.rest);
        rest.clear();
        rest.extend(whose.to_le_bytes());
        self.add_company(&mut rest);
        let mut seen = std::mem::take(&mut self.expansion.seen);
        let met = seen.insert(self.pack(), &rest);
        (self.expansion.seen, self.expansion.rest) = (seen, rest);
        self.has_atomic_cycle |= met == Met::OnTheWay && matches!(turn, Turn::Held(_));
        met == Met::First
    }

    /// Who has taken part in the moves that lead to the working state, as far as that tells ways apart: the first, then everybody once.
    fn add_company(&self, key: &mut Vec<u8>) {
        let with_edge = match self.ways {
            Ways::Alike => return,
            Ways::ByProcess => false,
            Ways::ByEdge => true,
        };
        let natively =
            (0..=Party::MOST).filter(|process| self.party.all & Party::bit(*process) != 0);
        let first = (self.party.all != 0).then_some(self.party.first);
        let natively = first
            .into_iter()
            .chain(natively)
            .map(|process| (process, 0));
        let takers = self.takers();
        let takers = takers.map(|taker| (taker.process, if with_edge { taker.action } else { 0 }));
        let mut members: Vec<(u32, u32)> = natively.chain(takers).collect();
        let first = members.first().copied();
        members.sort_unstable();
        members.dedup();
        for (process, edge) in first.into_iter().chain(members) {
            key.extend(process.to_le_bytes());
            key.extend(edge.to_le_bytes());
        }
    }

    /// Nothing can happen any more: is anybody or anything left unfinished?
    fn check_end(&mut self) {
        let count = self.shape.processes.len();
        if (0..count).any(|p| !self.location(p).end) {
            self.violations.push(Violation::Deadlock);
        } else if count > 0 && !self.events_complete() {
            self.violations.push(Violation::EventsIncomplete);
        }
    }

    fn events_complete(&self) -> bool {
        let (Some(observer), Some(cell)) = (&self.program.parts.events, self.program.layout.events)
        else {
            return true;
        };
        let template = &self.program.parts.templates[observer.template.index()];
        let at = template.locations.get(self.cells[cell as usize] as usize);
        !observer.required || at.is_none_or(|location| location.end)
    }

    /// Whether the claim is where it must not get.
    pub(super) fn claim_ended(&self) -> bool {
        self.program.layout.claim.as_ref().is_some_and(|claim| {
            let template = &self.program.parts.templates[claim.template.index()];
            template.locations[self.cells[claim.base as usize] as usize].end
        })
    }

    /// Who has taken part in the moves of the current chain.
    pub(crate) fn takers(&self) -> impl Iterator<Item = Taker> + '_ {
        let expansion = &self.expansion;
        let made = expansion.open.iter().map(|open| open.next.checked_sub(1));
        let made = made.filter_map(|last| expansion.moves.get(last?));
        let made = made.filter(|step| step.kind == Kind::Process);
        made.flat_map(|step| {
            let own = (step.process, step.edge, step.choice);
            let partner = step.partner.map(|(process, edge)| (process, edge, 0));
            [Some(own), partner]
                .into_iter()
                .flatten()
                .map(|(process, edge, choice)| Taker {
                    process,
                    action: self.first_action_of(process, edge) + choice,
                })
        })
    }

    /// The number of the first action of an edge of what the process is, or was before it left, an instance of.
    fn first_action_of(&self, process: u32, edge: u32) -> u32 {
        let here = self.shape.processes.get(process as usize);
        let template = here.map(|slot| slot.template);
        let template = template.or_else(|| {
            let origin = self.program.shapes.get(self.origin_shape)?;
            origin
                .processes
                .get(process as usize)
                .map(|slot| slot.template)
        });
        template.map_or(0, |id| {
            let template = &self.program.parts.templates[id.index()];
            template.edges[edge as usize].first_action
        })
    }

    /// Whether the working state is an accepting one.
    pub(crate) fn is_accepting(&self) -> bool {
        self.program.layout.claim.as_ref().is_some_and(|claim| {
            let template = &self.program.parts.templates[claim.template.index()];
            template.locations[self.cells[claim.base as usize] as usize].accept
        })
    }

    #[inline]
    pub(super) fn tell_violations(&mut self, sink: &mut impl Sink) {
        if !self.violations.is_empty() {
            self.note_violation();
            self.violations
                .drain(..)
                .for_each(|violation| sink.violation(violation));
        }
    }
}

/// What comes after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// A configuration that a search remembers.
    Remembered(Turn),
    /// One that it does not.
    Passed(Turn),
    /// Nothing.
    Nothing,
}
