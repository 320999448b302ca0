//! A walk where the user chooses every step. Works on a terminal and on a pipe alike.

use super::walk::{Ended, Walk};
use crate::exit::{Failure, Status};
use mandala_interpreter::simulate::Dice;
use std::io::BufRead;

const HELP: &str = "\
  NUMBER   take that step (an empty line takes the only one)
  u        take the last step back
  r        take a step by chance
  v        show all variables
  q        quit
";

/// What the user wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Take(usize),
    Only,
    Undo,
    Random,
    Values,
    Help,
    Quit,
    Nonsense,
}

fn parse(line: &str) -> Wanted {
    match line.trim() {
        "" => Wanted::Only,
        "u" | "undo" => Wanted::Undo,
        "r" | "random" => Wanted::Random,
        "v" | "values" => Wanted::Values,
        "?" | "h" | "help" => Wanted::Help,
        "q" | "quit" | "exit" => Wanted::Quit,
        other => match other.parse::<usize>() {
            Ok(number) if number > 0 => Wanted::Take(number - 1),
            _ => Wanted::Nonsense,
        },
    }
}

/// Asks and walks until the user has had enough.
pub fn run(walk: &mut Walk<'_>, input: &mut impl BufRead) -> Result<Status, Failure> {
    walk.say("Choose the steps yourself; ? shows how\n")?;
    let mut dice = Dice::new(1);
    show_choices(walk)?;
    loop {
        walk.say("> ")?;
        let mut line = String::new();
        let read = input.read_line(&mut line).unwrap_or(0);
        let wanted = if read == 0 {
            Wanted::Quit
        } else {
            parse(&line)
        };
        if wanted == Wanted::Quit {
            walk.say("\n")?;
            return Ok(Status::Fine);
        }
        answer(walk, wanted, &mut dice)?;
    }
}

fn answer(walk: &mut Walk<'_>, wanted: Wanted, dice: &mut Dice) -> Result<(), Failure> {
    let choices = walk.session().moves().len();
    match wanted {
        Wanted::Take(index) if index < choices => step(walk, |walk| walk.take(index)),
        Wanted::Only if choices == 1 => step(walk, |walk| walk.take(0)),
        Wanted::Random if choices > 0 => step(walk, |walk| walk.take_any(dice)),
        Wanted::Undo => match walk.undo()? {
            Ended::No => show_choices(walk),
            Ended::Yes => walk.say("This is the start\n"),
        },
        Wanted::Values => walk.say(&walk.values()),
        Wanted::Help => walk.say(HELP),
        Wanted::Take(_) | Wanted::Only | Wanted::Random if choices == 0 => {
            walk.say("There is no step to take here; u takes the last one back\n")
        }
        _ => walk.say(&format!(
            "Choose a number from 1 to {choices}, or ? for help\n"
        )),
    }
}

fn step(
    walk: &mut Walk<'_>,
    take: impl FnOnce(&mut Walk<'_>) -> Result<Ended, Failure>,
) -> Result<(), Failure> {
    take(walk)?;
    walk.flush()?;
    walk.tell_violation()?;
    show_choices(walk)
}

fn show_choices(walk: &Walk<'_>) -> Result<(), Failure> {
    match walk.session().moves().is_empty() {
        true => walk.say("No step is possible here\n"),
        false => walk.say(&walk.offers()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_wishes() {
        assert_eq!(parse("3\n"), Wanted::Take(2));
        assert_eq!(parse("  u "), Wanted::Undo);
        assert_eq!(parse("\n"), Wanted::Only);
        for nonsense in ["0", "-1", "x", "99999999999999999999999"] {
            assert_eq!(parse(nonsense), Wanted::Nonsense);
        }
    }
}
