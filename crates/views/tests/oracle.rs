//! Small oracles.
