//! Processes, how they come into being, and claims about them.

use super::super::tamper::Site;
use super::super::values::{join, word};
use super::Generator;
use super::actors::{Cell, Channel, Holds, Index, Naming};
use crate::program::{Bracket, Declaration, Expr, Statement};

impl Generator {
    pub(super) fn processes(&mut self) {
        let outer = self.scope.clone();
        self.family();
        self.scope = outer.clone();
        if self.cast.outsider {
            let body = self.outsider();
            let active = usize::from(!self.cast.has_init());
            self.program.add_process("W", active, Vec::new(), body);
        }
        self.scope = outer;
        if self.cast.has_init() {
            self.init();
        }
    }

    /// The processes that stand in the arrangement.
    fn family(&mut self) {
        let provided = self.dice.chance(8).then(|| self.permission()).flatten();
        self.scope.own = Some(self.cast.own().into());
        let parameters = self.parameters();
        let mut body = self.locals();
        body.extend(self.rounds());
        let active = match self.cast.naming {
            Naming::Number => self.cast.size() as usize,
            Naming::NumberLessOne | Naming::Told => 0,
        };
        self.program.add_process("P", active, parameters, body);
        if let Some(process) = self.program.processes.last_mut() {
            process.provided = provided;
        }
    }

    /// A condition on what belongs to the process itself, by its number, or on all together.
    fn permission(&mut self) -> Option<Expr> {
        let flags = self.cell(|c| matches!(c.holds, Holds::Number(_)) && c.indices.len() == 1);
        let own = flags.filter(|c| c.indices[0] == Index::Place && c.mirrored.is_none());
        match (own, self.cast.number("")) {
            (Some(flags), Some(_)) => {
                let own = flags.at(&[self.cast.own().to_string()], 0);
                Some(Expr::binary("==", word(own), Expr::Number(0)))
            }
            _ => self.quantified(),
        }
    }

    fn parameters(&mut self) -> Vec<String> {
        let mut parameters = Vec::new();
        if self.cast.naming == Naming::Told {
            parameters.push("byte me".to_string());
        }
        let told = self.cast.told.iter();
        parameters.extend(told.map(|(_, name)| format!("byte {name}")));
        if let Some((array, _)) = self.cast.link.clone() {
            parameters.push("chan out".into());
            let channels = self.scope.channels.iter();
            let same = channels.filter(|c| c.cell.name() == array).cloned();
            let linked: Vec<Channel> = same
                .map(|c| Channel {
                    cell: Cell::simple("out", c.cell.holds),
                    ..c
                })
                .collect();
            self.scope.channels.extend(linked);
        }
        parameters
    }

    fn locals(&mut self) -> Vec<Statement> {
        let mut cells = Vec::new();
        if self.dice.chance(30) {
            cells.push(Cell::simple("l", Holds::Place));
        }
        if self.dice.chance(20) {
            cells.push(Cell::simple("n", Holds::Number(1)));
        }
        for class in 0..self.cast.colours.len() {
            if self.dice.chance(40) {
                let name = format!("h{class}");
                cells.push(Cell::simple(&name, Holds::Colour(class)));
            }
            if self.dice.chance(15) {
                let index = Index::Colour(class);
                cells.push(Cell::array(&format!("s{class}"), index, Holds::Number(1)));
            }
        }
        let mut declared = vec![declaration("byte", "i", None)];
        for cell in &cells {
            let first = self.first_value(cell.holds);
            let length = cell.indices.first().map(|i| self.length(*i));
            let length = length.map_or(String::new(), |l| format!("[{l}]"));
            let name = format!("{}{length}", cell.name());
            declared.push(declaration(self.type_of(cell.holds), &name, first));
        }
        self.scope.cells.extend(cells);
        declared
    }

    /// A process that has no place.
    fn outsider(&mut self) -> Vec<Statement> {
        let mut body = vec![declaration("byte", "i", None)];
        body.extend(self.rounds());
        body
    }

    /// A loop of a few choices, each with its twists.
    fn rounds(&mut self) -> Vec<Statement> {
        let mut branches = Vec::new();
        let mut statements = Vec::new();
        if self.dice.chance(15) {
            statements.push(Statement::If(self.twisted(Generator::branch)));
        }
        branches.extend(self.twisted(Generator::lively));
        let classes = (0..self.cast.colours.len()).map(Holds::Colour);
        for holds in classes.chain([Holds::Place]) {
            let stirred = self.dice.chance(60);
            let stirring = self.twisted(|g| g.stir(holds));
            branches.extend(stirring.into_iter().flatten().filter(|_| stirred));
        }
        for _ in 0..self.dice.weighted(&[(2, 0), (4, 1), (2, 2)]) {
            branches.extend(self.twisted(Generator::branch));
        }
        let once = self.dice.chance(10);
        if !once && self.dice.chance(12) {
            branches.extend(self.twisted(|g| {
                let condition = Statement::Guard(g.condition());
                vec![condition, Statement::word("break")]
            }));
        }
        let rounds = match once {
            true => Statement::If(branches),
            false => Statement::Do(branches),
        };
        statements.push(Statement::Labelled("again".into(), Box::new(rounds)));
        statements
    }

    fn init(&mut self) {
        let mut births: Vec<Statement> = (0..self.cast.size()).map(|n| self.birth(n)).collect();
        // Whoever is told its place may come in any order.
        if self.cast.naming == Naming::Told && self.dice.chance(30) {
            births.reverse();
        }
        if self.cast.outsider {
            births.push(Statement::Run(None, "W".into(), Vec::new()));
        }
        self.program.init = Some(match self.dice.chance(85) {
            true => vec![Statement::Block(Bracket::Atomic, births)],
            false => births,
        });
    }

    /// Makes the process of a place.
    fn birth(&mut self, place: i32) -> Statement {
        let arrangement = self.cast.arrangement;
        let own = place.to_string();
        let mut arguments: Vec<String> = match self.cast.naming {
            Naming::Told => vec![own.clone()],
            _ => Vec::new(),
        };
        let told = self.cast.told.iter();
        arguments.extend(told.map(|(way, _)| arrangement.text(&own, *way, true)));
        let slip = self
            .tamper
            .pass(Site::Birth, || vec!["0".into(), "1".into()]);
        if let (Some(slip), Some(last)) = (slip, arguments.last_mut()) {
            *last = slip;
        }
        let link = self.cast.link.iter();
        arguments.extend(link.map(|(array, way)| {
            let index = arrangement.text(&own, *way, true);
            format!("{array}[{index}]")
        }));
        let arguments = arguments.into_iter().map(word).collect();
        Statement::Run(None, "P".into(), arguments)
    }

    /// Sometimes a never claim or a formula.
    pub(super) fn observers(&mut self) {
        if !self.dice.chance(20) {
            return;
        }
        let Some(wrong) = self.observation() else {
            return;
        };
        let slips = self.odd_conditions();
        let slip = self.tamper.pass(Site::Observation, || slips);
        let wrong = slip.map_or(wrong, word);
        // In a formula, an arrow means something else.
        let as_formula = !wrong.to_string().contains("->");
        if self.dice.chance(40) && as_formula {
            let formula = format!("ltl safe {{ [] (!({wrong})) }}");
            self.program.formulas.push(formula);
            return;
        }
        let found = vec![Statement::Guard(wrong), Statement::word("break")];
        let idle = vec![Statement::word("else")];
        self.program.never = Some(vec![Statement::Do(vec![found, idle])]);
    }

    /// Something that can be seen from outside.
    fn observation(&mut self) -> Option<Expr> {
        match (self.dice.below(3), self.cast.number("0")) {
            (0, Some(_)) => {
                let at = |place: i32| {
                    let number = self.cast.number(&place.to_string())?;
                    let number = Box::new(word(number));
                    Some(Expr::AtLabel("P".into(), number, "again".into()))
                };
                let all: Option<Vec<Expr>> = (0..self.cast.size()).map(at).collect();
                Some(join("&&", all?))
            }
            _ => self.quantified(),
        }
    }
}

fn declaration(kind: &str, name: &str, first: Option<Expr>) -> Statement {
    Statement::Declare(Declaration {
        kind: kind.into(),
        name: name.into(),
        first,
        channel: None,
    })
}
