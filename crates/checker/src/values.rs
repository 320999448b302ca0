//! What is said of a question about probabilities.

use crate::outcome::Verdict;
use mandala_engine::{Amount, Valued};

/// The verdict, and the value as far as it is known, with the greatest one if there are several.
pub(crate) fn told(valued: Valued) -> (Verdict, Option<(Amount, Option<Amount>)>) {
    match valued {
        Valued::Truth(true) => (Verdict::Holds, None),
        Valued::Truth(false) => {
            let why = "it does not hold in all states that it is asked about";
            (Verdict::Missed(why.into()), None)
        }
        Valued::Amount(amount) => (Verdict::Value, Some((amount, None))),
        Valued::Range(least, most) => (Verdict::Value, Some((least, Some(most)))),
        Valued::Unknown(why, known) => {
            let known = known.map(|(least, most)| {
                let several = least != most;
                (least, several.then_some(most))
            });
            (Verdict::Unknown(why), known)
        }
    }
}
