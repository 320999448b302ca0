//! Random formulas of computation tree logic.

use crate::random::RandomSource;

/// A random formula over some of the conditions, which must not be empty.
pub fn random(dice: &mut RandomSource, conditions: &[String]) -> String {
    grown(dice, conditions, 3)
}

fn grown(dice: &mut RandomSource, conditions: &[String], depth: usize) -> String {
    if depth == 0 || dice.chance(10) {
        return dice.pick(conditions);
    }
    let operand = |dice: &mut RandomSource| grown(dice, conditions, depth - 1);
    match dice.below(10) {
        0 => format!("!({})", operand(dice)),
        1 => {
            let operator = dice.pick(&["&&", "||", "->", "<->"]);
            format!("({}) {operator} ({})", operand(dice), operand(dice))
        }
        2..8 => {
            let operator = dice.pick(&["AX", "EX", "AF", "EF", "AG", "EG", "AF", "EG", "AG"]);
            format!("{operator} ({})", operand(dice))
        }
        _ => {
            let runs = dice.pick(&["A", "E"]);
            let operator = dice.pick(&["U", "W", "V"]);
            format!("{runs}[({}) {operator} ({})]", operand(dice), operand(dice))
        }
    }
}
