//! Random systems in the language of Cubicle: shared variables that hold processes, arrays, cases, `forall_other`, `.`, and variables without an initial value.

use super::dice::RandomSource;

/// The text of a random system.
pub(super) fn text(seed: u64) -> String {
    let mut dice = RandomSource(seed ^ 0xc0b1c1e);
    let is_staged = dice.chance(50);
    let mut writer = Writer {
        dice,
        parameters: Vec::new(),
        is_staged,
    };
    writer.text()
}

struct Writer {
    dice: RandomSource,
    /// The parameters of the transition or the claim.
    parameters: Vec<&'static str>,
    /// Whether each transition is taken at most once, after processes have become different: then a view that is missing is not found another way.
    is_staged: bool,
}

impl Writer {
    fn level(&mut self) -> &'static str {
        self.dice.pick(&["A", "B", "C"])
    }

    fn relation(&mut self) -> &'static str {
        self.dice.pick(&["=", "<>"])
    }

    fn truth(&mut self) -> &'static str {
        self.dice.pick(&["True", "False"])
    }

    /// A process that is known by a name.
    fn process(&mut self) -> &'static str {
        let all = self.parameters.clone();
        self.dice.pick(&all)
    }

    /// A comparison about one process.
    fn about(&mut self, process: &str) -> String {
        match self.dice.below(4) {
            0 | 1 => format!("L[{process}] {} {}", self.relation(), self.level()),
            2 => format!("F[{process}] = {}", self.truth()),
            _ => format!(
                "{} {} {process}",
                self.dice.pick(&["P", "Q"]),
                self.relation()
            ),
        }
    }

    /// A comparison of shared variables.
    fn shared(&mut self) -> String {
        match self.dice.below(4) {
            0 => format!("Free = {}", self.truth()),
            1 => format!("S {} {}", self.relation(), self.level()),
            2 => format!("P {} Q", self.relation()),
            _ => format!("S {} {}", self.relation(), self.level()),
        }
    }

    fn comparison(&mut self) -> String {
        match self.parameters.is_empty() || self.dice.chance(35) {
            true => self.shared(),
            false => {
                let process = self.process();
                self.about(process)
            }
        }
    }

    fn formula(&mut self, depth: usize) -> String {
        match self.dice.below(8) {
            0 if depth < 2 => format!(
                "({} {} {})",
                self.formula(depth + 1),
                self.dice.pick(&["&&", "||"]),
                self.formula(depth + 1)
            ),
            1 if depth < 2 => format!("not ({})", self.formula(depth + 1)),
            2 | 3 if depth == 0 => format!("forall_other j. {}", self.about("j")),
            _ => self.comparison(),
        }
    }

    /// A value for `L[j]` or `S`, or for `F[j]` or `Free`.
    fn value(&mut self, is_level: bool) -> &'static str {
        match is_level {
            true => self.level(),
            false => self.truth(),
        }
    }

    fn element(&mut self, array: &str) -> String {
        let is_level = array == "L";
        let value = self.value(is_level);
        let process = match self.parameters.is_empty() {
            true => None,
            false => Some(self.process()),
        };
        match (process, self.dice.below(6)) {
            (Some(process), 0..=2) => format!("{array}[{process}] := {value}"),
            (Some(process), 3) => format!("{array}[{process}] := ."),
            (Some(process), _) => {
                let other = self.about("j");
                let second = self.value(is_level);
                format!(
                    "{array}[j] := case | j = {process} : {value} | {other} : {second} | _ : {array}[j]"
                )
            }
            (None, _) => {
                let other = self.about("j");
                format!("{array}[j] := case | {other} : {value} | _ : {array}[j]")
            }
        }
    }

    fn holder(&mut self, name: &str, other: &str) -> String {
        match (self.parameters.is_empty(), self.dice.below(5)) {
            (_, 0) => format!("{name} := {other}"),
            (_, 1) => format!("{name} := ."),
            (true, _) => format!("{name} := case | {} : {other} | _ : {name}", self.shared()),
            (false, 2) => format!(
                "{name} := case | {} : {other} | _ : {}",
                self.comparison(),
                self.process()
            ),
            (false, _) => format!("{name} := {}", self.process()),
        }
    }

    fn transition(&mut self, number: usize) -> String {
        let count = self.dice.below(3);
        self.parameters = ["x", "y"][..count].to_vec();
        let mut guard: Vec<String> = (0..1 + self.dice.below(3))
            .map(|_| self.formula(0))
            .collect();
        let mut updates = Vec::new();
        if self.is_staged {
            let (stage, next) = [("A", "B"), ("B", "C")][self.dice.below(2)];
            guard.push(format!("S = {stage}"));
            updates.push(format!("S := {next}"));
        }
        for (share, variable) in [
            (60, "L"),
            (30, "F"),
            (25, "S"),
            (25, "Free"),
            (30, "P"),
            (25, "Q"),
        ] {
            if !self.dice.chance(share) || (variable == "S" && self.is_staged) {
                continue;
            }
            updates.push(match variable {
                "L" | "F" => self.element(variable),
                "P" => self.holder("P", "Q"),
                "Q" => self.holder("Q", "P"),
                "S" => format!("S := {}", self.level()),
                _ => format!("Free := {}", self.truth()),
            });
        }
        let updates: String = updates.iter().map(|update| format!("{update}; ")).collect();
        format!(
            "transition t{number} ({}) requires {{ {} }} {{ {updates}}}",
            self.parameters.join(" "),
            guard.join(" && ")
        )
    }

    fn text(&mut self) -> String {
        // Without an initial value of `L` there are very many states to start in.
        let stage = if self.is_staged { 100 } else { 85 };
        let mut init = vec!["L[z] = A"];
        for (share, claim) in [
            (90, "F[z] = False"),
            (stage, "S = A"),
            (90, "Free = True"),
            (30, "P = Q"),
        ] {
            if self.dice.chance(share) {
                init.push(claim);
            }
        }
        let mut transitions: Vec<String> = (0..2 + self.dice.below(4))
            .map(|number| self.transition(number))
            .collect();
        if self.is_staged {
            for level in ["B", "C"] {
                transitions.push(format!(
                    "transition to{level} (x) requires {{ S = A && L[x] = A }} {{ L[x] := {level}; }}"
                ));
            }
        }
        self.parameters = ["x", "y", "w"][..1 + self.dice.below(3)].to_vec();
        let bad: Vec<String> = (0..1 + self.dice.below(3))
            .map(|_| self.comparison())
            .collect();
        format!(
            "type level = A | B | C\nvar Free : bool\nvar S : level\nvar P : proc\nvar Q : proc\narray L[proc] : level\narray F[proc] : bool\n\
             init (z) {{ {} }}\nunsafe ({}) {{ {} }}\n{}\n",
            init.join(" && "),
            self.parameters.join(" "),
            bad.join(" && "),
            transitions.join("\n")
        )
    }
}
