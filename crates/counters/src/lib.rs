//! Counter programs: states as numbers of members in each local state.
//!
//! Where any two members of a family can be exchanged, and no cell holds one, a state is up to symmetry its shared part and how many members are in which local state. Of a
//! counter program there are three uses: a search state by state (`mandala_counting`), relations over counters (`mandala_symbolic`), and a text in Promela ([`promela()`]).
//!
//! | file | what it has |
//! |---|---|
//! | `parts` | which cells of a state are whose, and what is refused |
//! | `local` | whether steps concern one member at most |
//! | `program` | counted states and their steps |
//! | `runs` | from a path of counted states to a run |
//! | `reachable`, `promela` | the steps that are possible, as a program |
//!
//! # Why
//!
//! The certificate says that all permutations of a family map steps to steps. A permutation moves the cells of members to each other and changes no value, as none means a member. So
//! two states are images of each other iff their shared parts are the same and each local state has as many members in both: counted states are orbits, exactly. A step of a member
//! that reads and writes shared cells and its own alone does the same whatever the others have, and whoever it is; how many members can make it is a count.
//!
//! Trusted is nothing here: a violation is replayed as a run of the model. That nothing is passed over rests on the certificate and on the footprints of the model.
mod local;
mod parts;
mod program;
mod promela;
mod reachable;
mod refusal;
mod runs;

pub use parts::{Family, Member, Parts, Split};
pub use program::{
    Counted, Firing, LocalId, MOST_STEPS, Mover, NoProgram, Program, SharedId, Step, TooWide,
};
pub use promela::{Place, promela};
pub use reachable::{Possible, Unknown};
pub use refusal::Refused;
pub use runs::Lost;
