//! The threads of a search.
//!
//! A search goes on in *phases*: a level, or what is done between two checkpoints. Between phases the coordinator in the calling thread owns
//! all workers and can look at everything they have without a lock. For a phase each worker but the first is
//! sent to a thread of its own and comes back when it is done. A thread is started when the first phase comes that is
//! worth it, and waits between phases.

use crate::frontier::Frontier;
use crate::monitor::{Follower, Monitor};
use crate::shared::Shared;
use mandala_reduce::Reducer;

use crate::worker::Worker;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

/// How long the calling thread waits for the others before it checks the limits again.
const NAP: Duration = Duration::from_millis(5);

/// How often a thread looks before it goes to sleep: some tens of microseconds, which is what it takes to wake it. The
/// levels of many models take no more than a few hundred.
const LOOKS: u32 = 1_000;

/// A worker on the way from one thread to another.
type Sent<'p, F, R> = Box<Worker<'p, F, R>>;

/// The threads beside the calling one.
pub(crate) struct Threads<'scope, 'p, F, R> {
    threads: Vec<Thread<'scope, 'p, F, R>>,
    /// Workers that are not at work.
    pub resting: Vec<Sent<'p, F, R>>,
    /// Where they come back, and what threads send them back by.
    back: Receiver<Sent<'p, F, R>>,
    return_by: Sender<Sent<'p, F, R>>,
}

/// A thread, and where a worker is sent to it.
struct Thread<'scope, 'p, F, R> {
    sender: Sender<Sent<'p, F, R>>,
    handle: ScopedJoinHandle<'scope, ()>,
}

impl<'scope, 'p: 'scope, F, R> Threads<'scope, 'p, F, R>
where
    F: Frontier + 'scope,
    R: Reducer + Send + 'scope,
{
    /// None yet.
    pub(crate) fn new() -> Self {
        let (return_by, back) = channel();
        Threads {
            threads: Vec::new(),
            resting: Vec::new(),
            back,
            return_by,
        }
    }

    /// Starts a thread for a worker.
    pub(crate) fn start<'env>(
        &mut self,
        scope: &'scope Scope<'scope, 'env>,
        shared: &'scope Shared<'p>,
        pool: &'scope F::Pool,
        worker: Worker<'p, F, R>,
    ) {
        let (sender, receiver) = channel::<Sent<'p, F, R>>();
        let back = self.return_by.clone();
        let handle = scope.spawn(move || {
            while let Some(mut worker) = soon(&receiver).or_else(|| receiver.recv().ok()) {
                let status = &shared.statuses[worker.number];
                worker.work(shared, pool, &mut Follower { shared, status });
                if back.send(worker).is_err() {
                    break;
                }
            }
        });
        self.threads.push(Thread { sender, handle });
        self.resting.push(Box::new(worker));
    }

    /// Whether there are threads.
    pub(crate) fn is_started(&self) -> bool {
        !self.threads.is_empty()
    }

    /// Sends all workers to work.
    pub(crate) fn send_out(&mut self) {
        for (thread, worker) in self.threads.iter().zip(self.resting.drain(..)) {
            // A thread that is gone has panicked, which is noticed when it is waited for.
            let _ = thread.sender.send(worker);
        }
    }

    /// Waits until all workers are back. Checks the limits meanwhile.
    pub(crate) fn gather(&mut self, monitor: &mut dyn Monitor) {
        while self.resting.len() < self.threads.len() {
            if let Some(worker) = soon(&self.back) {
                self.resting.push(worker);
                continue;
            }
            match self.back.recv_timeout(NAP) {
                Ok(worker) => self.resting.push(worker),
                Err(RecvTimeoutError::Timeout) if self.is_complete() => {
                    monitor.check(0);
                }
                // Leaving the scope makes the panic known.
                Err(_) => return,
            }
        }
    }

    /// Whether all threads still live.
    fn is_complete(&self) -> bool {
        !self
            .threads
            .iter()
            .any(|thread| thread.handle.is_finished())
    }
}

/// What comes in so soon that it is not worth sleeping.
fn soon<T>(receiver: &Receiver<T>) -> Option<T> {
    (0..LOOKS).find_map(|_| {
        std::hint::spin_loop();
        receiver.try_recv().ok()
    })
}
