//! The typed intermediate representation of Mandala, and what every front end shares: source
//! texts, spans and diagnostics.
pub mod diagnostic;
pub mod source;
