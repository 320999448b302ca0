//! A walk where the user chooses every step. Works on a terminal and on a pipe alike.

use super::input::Choices;
use super::walk::{Ended, Walk};
use crate::chart::ChartOutput;
use crate::console::Console;
use crate::exit::{Failure, Status};
use mandala_interpreter::simulate::RandomSource;
use mandala_report::document::Waiting;
use mandala_report::style::{Tone, counted, tame};
use mandala_report::text;

const HELP: &str = "\
  NUMBER   take that step (an empty line takes the only one)
  u [N]    take the last step back, or the last N
  n [N]    take the next step of the trace, or of those that were taken back; or the next N
  g K      go to where K steps are taken, back or forth; 0 is the start
  r [N]    take a random step, or N
  v [NAME] show all variables, or those whose names contain NAME
  w        show who cannot move, what they wait for, and who could change it
  t        show the steps so far
  m        show the steps so far as a message sequence chart
  q        quit
";

/// How many processes that cannot move are shown without being asked for.
const BLOCKED_SHOWN: usize = 8;

/// What the user wants.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wanted {
    Take(usize),
    Only,
    Back(usize),
    Forward(usize),
    GoTo(usize),
    Random(usize),
    Values(String),
    Waiting,
    Steps,
    Chart,
    Help,
    Quit,
    Nonsense,
}

fn parse(line: &str) -> Wanted {
    let mut words = line.split_whitespace();
    let Some(command) = words.next() else {
        return Wanted::Only;
    };
    let argument = words.next();
    if words.next().is_some() {
        return Wanted::Nonsense;
    }
    match (command, argument) {
        ("v" | "values", name) => Wanted::Values(name.unwrap_or_default().into()),
        ("w" | "waiting", None) => Wanted::Waiting,
        ("t" | "trace", None) => Wanted::Steps,
        ("m" | "msc", None) => Wanted::Chart,
        ("?" | "h" | "help", None) => Wanted::Help,
        ("q" | "quit" | "exit", None) => Wanted::Quit,
        (command, argument) => counted_command(command, argument).unwrap_or(Wanted::Nonsense),
    }
}

/// A command with a number, or one that is a number.
fn counted_command(command: &str, argument: Option<&str>) -> Option<Wanted> {
    let number = argument.map(str::parse::<usize>).transpose().ok()?;
    match (command, number) {
        ("u" | "undo", number) => Some(Wanted::Back(number.unwrap_or(1))),
        ("n" | "next", number) => Some(Wanted::Forward(number.unwrap_or(1))),
        ("r" | "random", number) => Some(Wanted::Random(number.unwrap_or(1))),
        ("g" | "go", Some(number)) => Some(Wanted::GoTo(number)),
        (index, None) => Some(Wanted::Take(index.parse::<usize>().ok()?.checked_sub(1)?)),
        _ => None,
    }
}

/// Asks and walks until the user has had enough.
pub fn run(walk: &mut Walk<'_>, console: &Console) -> Result<Status, Failure> {
    walk.say("Choose the steps yourself; ? shows how\n")?;
    if walk.known_ahead() > 0 {
        let steps = counted(walk.known_ahead() as u64, "step");
        walk.say(&format!(
            "The trace has {steps}: n takes the next one, g K goes to step K, and whatever else you choose leaves it\n"
        ))?;
    }
    let mut choices = Choices::open()?;
    let mut dice = RandomSource::new(1);
    show_choices(walk, console)?;
    while let Some(line) = choices.next(console)? {
        match parse(&line) {
            Wanted::Quit => break,
            wanted => answer(walk, wanted, &mut dice, console)?,
        }
    }
    Ok(Status::Fine)
}

fn answer(
    walk: &mut Walk<'_>,
    wanted: Wanted,
    dice: &mut RandomSource,
    console: &Console,
) -> Result<(), Failure> {
    let choices = walk.session().moves().len();
    match wanted {
        Wanted::Take(index) if index < choices => {
            walk.take(index)?;
            arrived(walk, console)
        }
        Wanted::Only if choices == 1 => {
            walk.take(0)?;
            arrived(walk, console)
        }
        Wanted::Random(number) if choices > 0 => {
            for _ in 0..number {
                if walk.take_any(dice)? == Ended::Yes {
                    break;
                }
            }
            arrived(walk, console)
        }
        Wanted::Back(_) if walk.length() == 0 => walk.say("This is the start\n"),
        Wanted::Back(number) => go_to(walk, walk.length().saturating_sub(number), console),
        Wanted::Forward(_) if walk.known_ahead() == 0 => {
            walk.say("There is no next step: choose one\n")
        }
        Wanted::Forward(number) => go_to(walk, walk.length().saturating_add(number), console),
        Wanted::GoTo(length) => go_to(walk, length, console),
        Wanted::Values(name) => match walk.values(&name) {
            none if none.is_empty() => walk.say("There is no such variable\n"),
            values => walk.say(&values),
        },
        Wanted::Waiting => show_waiting(walk, console),
        Wanted::Steps => walk.say(&walk.steps()),
        Wanted::Chart => walk.draw(&mut ChartOutput::on_standard_output()),
        Wanted::Help => walk.say(HELP),
        Wanted::Take(_) | Wanted::Only | Wanted::Random(_) if choices == 0 => {
            walk.say("There is no step to take here; u takes the last one back\n")
        }
        _ => walk.say(&format!(
            "Choose a number from 1 to {choices}, or ? for help\n"
        )),
    }
}

/// Goes to where so many steps are taken, or as near as is known.
fn go_to(walk: &mut Walk<'_>, length: usize, console: &Console) -> Result<(), Failure> {
    if length < walk.length() {
        walk.back_to(length)?;
        let taken = counted(length as u64, "step");
        walk.say(&format!("{taken} from the start\n"))?;
        return show_choices(walk, console);
    }
    while walk.length() < length && walk.forward()? {}
    walk.flush()?;
    if walk.length() < length {
        let known = counted(walk.length() as u64, "step");
        walk.say(&format!(
            "No more than {known} are known: choose the next\n"
        ))?;
    }
    arrived(walk, console)
}

fn arrived(walk: &mut Walk<'_>, console: &Console) -> Result<(), Failure> {
    walk.flush()?;
    walk.tell_violation()?;
    show_choices(walk, console)
}

fn show_choices(walk: &Walk<'_>, console: &Console) -> Result<(), Failure> {
    match walk.session().moves().is_empty() {
        true => walk.say("No step is possible here\n")?,
        false => walk.say(&walk.offers())?,
    }
    if let Some(note) = atomic_note(walk) {
        let note = console.output_colour().paint(Tone::Faint, note);
        return walk.say(&format!("       {note}\n"));
    }
    let blocked = walk.blocked();
    for waiting in blocked.iter().take(BLOCKED_SHOWN) {
        let line = console
            .output_colour()
            .paint(Tone::Faint, blocked_line(waiting));
        walk.say(&format!("       {line}\n"))?;
    }
    match blocked.len().checked_sub(BLOCKED_SHOWN) {
        Some(more @ 1..) => walk.say(&format!("       and {more} more; w shows all\n")),
        _ => Ok(()),
    }
}

/// A process that cannot move, in one line: what it waits for, with the values that matter.
fn blocked_line(waiting: &Waiting) -> String {
    let statements: Vec<String> = waiting.statements.iter().map(|s| tame(s)).collect();
    let mut values: Vec<String> = Vec::new();
    for value in waiting.guards.iter().flat_map(|guard| &guard.values) {
        let told = format!("{} = {}", tame(&value.name), tame(&value.value));
        if !values.contains(&told) {
            values.push(told);
        }
    }
    let values = match values.is_empty() {
        true => String::new(),
        false => format!("  ({})", values.join(", ")),
    };
    let (process, line) = (tame(&waiting.process), waiting.place.line);
    let statements = statements.join("  or  ");
    format!(
        "{process}({})  line {line}  waits for  {statements}{values}",
        waiting.pid
    )
}

/// Why other processes cannot move, if a process is inside an atomic sequence.
fn atomic_note(walk: &Walk<'_>) -> Option<String> {
    let process = walk.atomic_process()?;
    Some(format!(
        "{} is inside an atomic sequence: the other processes wait",
        tame(&process)
    ))
}

fn show_waiting(walk: &Walk<'_>, console: &Console) -> Result<(), Failure> {
    if let Some(note) = atomic_note(walk) {
        return walk.say(&format!("{note}\n"));
    }
    let lines = text::waiting(&walk.blocked(), console.output_colour());
    match lines.is_empty() {
        true => walk.say("No process waits here\n"),
        false => walk.say(&(lines.join("\n") + "\n")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_wishes() {
        assert_eq!(parse("3\n"), Wanted::Take(2));
        assert_eq!(parse("  u "), Wanted::Back(1));
        assert_eq!(parse("u 3"), Wanted::Back(3));
        assert_eq!(parse("n"), Wanted::Forward(1));
        assert_eq!(parse("g 0"), Wanted::GoTo(0));
        assert_eq!(parse("r 20"), Wanted::Random(20));
        assert_eq!(parse("v flag"), Wanted::Values("flag".into()));
        assert_eq!(parse("\n"), Wanted::Only);
        let nonsense = [
            "0",
            "-1",
            "x",
            "99999999999999999999999",
            "g",
            "u x",
            "3 4",
            "w 1",
            "n 1 2",
        ];
        for nonsense in nonsense {
            assert_eq!(parse(nonsense), Wanted::Nonsense, "{nonsense}");
        }
    }
}
