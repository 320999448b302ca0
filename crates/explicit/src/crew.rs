//! The threads of a search.
//!
//! A search goes on in *phases*: a level, or what is done between two checkpoints. Between phases all workers are in the
//! hands of the thread of the caller, which can look at everything they have without a lock. For a phase each helper is
//! sent to a thread of its own and comes back when it is done. A thread is started when the first phase comes that is
//! worth it, and waits between phases.

use crate::frontier::Frontier;
use crate::reducer::Reducer;
use crate::shared::Shared;
use crate::watch::{Helper, Overseer};
use crate::worker::Worker;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

/// How long the caller's thread waits for the others before it looks at the limits again.
const NAP: Duration = Duration::from_millis(5);

/// How often a thread looks before it goes to sleep: some tens of microseconds, which is what it takes to wake it. The
/// levels of many models take no more than a few hundred.
const LOOKS: u32 = 1_000;

/// A worker on the way from one thread to another.
type Sent<'p, F, R> = Box<Worker<'p, F, R>>;

/// The threads but the caller's.
pub(crate) struct Crew<'scope, 'p, F, R> {
    /// One for each thread: where a worker is sent.
    seats: Vec<Seat<'scope, 'p, F, R>>,
    /// Workers that are not at work.
    pub resting: Vec<Sent<'p, F, R>>,
    /// Where they come back.
    back: Receiver<Sent<'p, F, R>>,
    door: Sender<Sent<'p, F, R>>,
}

/// A thread.
struct Seat<'scope, 'p, F, R> {
    sender: Sender<Sent<'p, F, R>>,
    thread: ScopedJoinHandle<'scope, ()>,
}

impl<'scope, 'p: 'scope, F, R> Crew<'scope, 'p, F, R>
where
    F: Frontier + 'scope,
    R: Reducer + Send + 'scope,
{
    /// Nobody yet.
    pub fn new() -> Self {
        let (door, back) = channel();
        Crew {
            seats: Vec::new(),
            resting: Vec::new(),
            back,
            door,
        }
    }

    /// Starts a thread for a worker.
    pub fn hire<'env>(
        &mut self,
        scope: &'scope Scope<'scope, 'env>,
        shared: &'scope Shared<'p>,
        pool: &'scope F::Pool,
        worker: Worker<'p, F, R>,
    ) {
        let (sender, receiver) = channel::<Sent<'p, F, R>>();
        let back = self.door.clone();
        let thread = scope.spawn(move || {
            while let Some(mut worker) = soon(&receiver).or_else(|| receiver.recv().ok()) {
                let desk = &shared.desks[worker.number];
                worker.work(shared, pool, &mut Helper { shared, desk });
                if back.send(worker).is_err() {
                    break;
                }
            }
        });
        self.seats.push(Seat { sender, thread });
        self.resting.push(Box::new(worker));
    }

    /// Whether there are threads.
    pub fn is_hired(&self) -> bool {
        !self.seats.is_empty()
    }

    /// Sends everybody to work.
    pub fn send_out(&mut self) {
        for (seat, worker) in self.seats.iter().zip(self.resting.drain(..)) {
            // A thread that is gone has panicked, which is noticed when it is waited for.
            let _ = seat.sender.send(worker);
        }
    }

    /// Waits until everybody is back. Looks after the limits meanwhile.
    pub fn gather(&mut self, overseer: &mut dyn Overseer) {
        while self.resting.len() < self.seats.len() {
            if let Some(worker) = soon(&self.back) {
                self.resting.push(worker);
                continue;
            }
            match self.back.recv_timeout(NAP) {
                Ok(worker) => self.resting.push(worker),
                Err(RecvTimeoutError::Timeout) if self.is_complete() => {
                    overseer.look(0);
                }
                // Leaving the scope makes the panic known.
                Err(_) => return,
            }
        }
    }

    /// Whether all threads still live.
    fn is_complete(&self) -> bool {
        !self.seats.iter().any(|seat| seat.thread.is_finished())
    }
}

/// What comes in so soon that it is not worth sleeping.
fn soon<T>(receiver: &Receiver<T>) -> Option<T> {
    (0..LOOKS).find_map(|_| {
        std::hint::spin_loop();
        receiver.try_recv().ok()
    })
}
