//! Tests of the resolved form.
