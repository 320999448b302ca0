//! Counter programs: states as numbers of members in each local state.
mod local;
mod parts;
mod program;
mod refusal;
mod runs;

pub use parts::{Family, Member, Parts, Split};
pub use program::{
    Counted, Firing, LocalId, MOST_STEPS, Mover, NoProgram, Program, SharedId, Step, TooWide,
};
pub use refusal::Refused;
pub use runs::Lost;
