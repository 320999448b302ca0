//! Ids, numbers and conditions: everything that does not depend on what the names are.

use super::Generator;
use super::tamper::Site;
use super::world::{Cell, Channel, Domain, Holds};
use crate::program::{Expr, Pattern, Place, Reach};

/// Words between parentheses.
pub(super) fn word(text: impl Into<String>) -> Expr {
    Expr::Word(text.into())
}

/// All of them, or any of them.
pub(super) fn join(operator: &'static str, parts: Vec<Expr>) -> Expr {
    let mut parts = parts.into_iter();
    let first = parts.next().unwrap_or(Expr::word("true"));
    parts.fold(first, |all, part| Expr::binary(operator, all, part))
}

impl Generator {
    pub(super) fn domain(&self, domain: usize) -> &Domain {
        &self.world.domains[domain]
    }

    pub(super) fn some_domain(&mut self) -> usize {
        self.dice.below(self.world.domains.len())
    }

    /// The cells in scope that hold that and need as many indices as are wanted.
    pub(super) fn cells(&self, fits: impl Fn(&Cell) -> bool) -> Vec<Cell> {
        self.scope
            .cells
            .iter()
            .filter(|c| fits(c))
            .cloned()
            .collect()
    }

    /// Texts that name somebody, for an index, with what must be true for that.
    fn namers(&self, domain: usize, base: i32) -> Vec<(String, Option<String>)> {
        let selves = self.scope.selves.iter().filter(|s| s.0 == domain);
        let mut namers: Vec<_> = selves.map(|s| (s.1.clone(), None)).collect();
        // Oneself is the most likely.
        namers.extend(namers.clone());
        let nobody = self.domain(domain).nobody;
        let variables = self.cells(|c| c.holds == Holds::Id(domain) && c.indices.is_empty());
        for variable in variables {
            let text = variable.at(&[]);
            let need = (nobody != 0 || base > 0).then(|| format!("({text} != {nobody})"));
            namers.push((text, need));
        }
        namers
    }

    /// An index of an array that has an element for each name.
    pub(super) fn index(&mut self, domain: usize, base: i32) -> Option<String> {
        let namers = self.namers(domain, base);
        if namers.is_empty() {
            return None;
        }
        let (text, need) = self.dice.pick(&namers);
        self.needs.extend(need);
        let minus = |text: &str| match base {
            0 => text.to_string(),
            base => format!("{text} - {base}"),
        };
        let members = self.domain(domain).members.clone();
        let (first, last) = (self.domain(domain).first(), self.domain(domain).last());
        let slip = self.tamper.pass(Site::Index, || {
            let constants = members.iter().map(|m| format!("{}", m - base));
            constants
                .chain([format!("{} - {text}", first + last - base)])
                .collect()
        });
        Some(slip.unwrap_or(minus(&text)))
    }

    /// A cell with its indices; `None` if nobody can be named.
    pub(super) fn element(&mut self, cell: &Cell) -> Option<Place> {
        let indices = cell.indices.clone();
        let indices: Option<Vec<String>> = indices.iter().map(|i| self.index(i.0, i.1)).collect();
        Some(Place::named(cell.at(&indices?)))
    }

    /// A place that holds something that fits.
    pub(super) fn place(&mut self, fits: impl Fn(Holds) -> bool) -> Option<(Place, Holds)> {
        let cells = self.cells(|c| fits(c.holds));
        if cells.is_empty() {
            return None;
        }
        let cell = self.dice.pick(&cells);
        Some((self.element(&cell)?, cell.holds))
    }

    /// A name of the domain, or nobody.
    pub(super) fn id(&mut self, domain: usize) -> Expr {
        let honest = self.honest_id(domain);
        let (members, last) = (
            self.domain(domain).members.clone(),
            self.domain(domain).last(),
        );
        let slip = self.tamper.pass(Site::Id, || {
            let constants = members.iter().map(|m| format!("{m}"));
            let computed = [format!("({honest} + 1)"), format!("({last} - {honest})")];
            constants.chain(computed).collect()
        });
        slip.map_or(honest, word)
    }

    fn honest_id(&mut self, domain: usize) -> Expr {
        let own: Vec<_> = self.scope.selves.iter().filter(|s| s.0 == domain).collect();
        let own: Vec<String> = own.iter().map(|s| s.1.clone()).collect();
        let nobody = Expr::Number(self.domain(domain).nobody);
        match self.dice.below(10) {
            0..=4 if !own.is_empty() => word(self.dice.pick(&own)),
            0..=8 => self
                .place(|h| h == Holds::Id(domain))
                .map_or(nobody, |(place, _)| Expr::Place(place)),
            _ => nobody,
        }
    }

    /// Two ids compared, if possible different ones.
    fn comparison(&mut self, operator: &'static str, domain: usize) -> Expr {
        let left = self.id(domain);
        let mut right = self.id(domain);
        for _ in 0..4 {
            if left != right {
                break;
            }
            right = self.id(domain);
        }
        Expr::binary(operator, left, right)
    }

    /// A number that is the same whatever the names are.
    pub(super) fn number(&mut self) -> Expr {
        let constant = Expr::Number(self.dice.between(0, 2));
        match self.dice.below(9) {
            0..=2 => constant,
            3..=5 => self
                .place(|h| matches!(h, Holds::Number(_)))
                .map_or(constant, |(place, _)| Expr::Place(place)),
            6 => {
                let domain = self.some_domain();
                self.comparison("==", domain)
            }
            7 => self.sum().unwrap_or(constant),
            _ => self.fill().unwrap_or(constant),
        }
    }

    /// An array indexed by all names, each element written out.
    fn all_elements(&mut self, fits: impl Fn(Holds) -> bool) -> Option<(Vec<String>, Cell)> {
        let arrays = self.cells(|c| c.indices.len() == 1 && fits(c.holds));
        if arrays.is_empty() {
            return None;
        }
        let array = self.dice.pick(&arrays);
        let (domain, base) = array.indices[0];
        let members = self.domain(domain).members.iter();
        let texts = members
            .map(|m| array.at(&[format!("{}", m - base)]))
            .collect();
        Some((texts, array))
    }

    fn sum(&mut self) -> Option<Expr> {
        let (elements, _) = self.all_elements(|h| matches!(h, Holds::Number(_)))?;
        Some(join("+", elements.into_iter().map(word).collect()))
    }

    /// How full a channel is.
    fn fill(&mut self) -> Option<Expr> {
        let (channel, _) = self.channel(|c| c.buffered)?;
        Some(Expr::OfChannel("len", channel))
    }

    /// A channel of a kind that fits, and what it is like.
    pub(super) fn channel(&mut self, fits: impl Fn(&Channel) -> bool) -> Option<(Place, Channel)> {
        let channels: Vec<Channel> = self
            .scope
            .channels
            .iter()
            .filter(|c| fits(c))
            .cloned()
            .collect();
        if channels.is_empty() {
            return None;
        }
        let channel = self.dice.pick(&channels);
        if let Holds::Link(_) = channel.cell.holds {
            self.needs.push(format!("({} != 0)", channel.cell.at(&[])));
        }
        Some((self.element(&channel.cell)?, channel))
    }

    /// A condition together with what its indices need.
    pub(super) fn condition(&mut self) -> Expr {
        let outer = std::mem::take(&mut self.needs);
        let honest = self.bare_condition();
        let slips = self.odd_conditions();
        let condition = self
            .tamper
            .pass(Site::Condition, || slips)
            .map_or(honest, word);
        let needs = std::mem::replace(&mut self.needs, outer);
        let mut parts: Vec<Expr> = needs.into_iter().map(word).collect();
        parts.push(condition);
        join("&&", parts)
    }

    /// A condition, if possible one that is not always the same.
    fn bare_condition(&mut self) -> Expr {
        for _ in 0..4 {
            self.needs.clear();
            let condition = self.any_condition();
            let constant = |e: &Expr| matches!(e, Expr::Number(_));
            match &condition {
                Expr::Word(_) => {}
                Expr::Binary(_, a, b) if a == b || constant(a) && constant(b) => {}
                _ => return condition,
            }
        }
        self.needs.clear();
        Expr::word("true")
    }

    fn any_condition(&mut self) -> Expr {
        let domain = self.some_domain();
        match self.dice.below(10) {
            9 => self.somebody_at().unwrap_or(Expr::word("true")),
            0..=2 => {
                let operator = self.dice.pick(&["==", "!="]);
                self.comparison(operator, domain)
            }
            3 | 4 => {
                let operator = self.dice.pick(&["==", "!=", "<", ">="]);
                Expr::binary(operator, self.number(), self.number())
            }
            5 => self.quantified().unwrap_or(Expr::word("true")),
            6 | 7 => self.state_of_channel().unwrap_or(Expr::word("true")),
            _ => {
                let nobody = Expr::Number(self.domain(domain).nobody);
                Expr::binary("!=", self.id(domain), nobody)
            }
        }
    }

    /// Whether a process that is known by its number is at a place.
    fn somebody_at(&mut self) -> Option<Expr> {
        let families = self.world.families.iter();
        let numbered = families.filter_map(|f| {
            let (domain, _) = *f.selves.iter().find(|s| s.1 == "_pid")?;
            Some((f.name, f.label, domain))
        });
        let numbered: Vec<_> = numbered.collect();
        if numbered.is_empty() {
            return None;
        }
        let (name, label, domain) = self.dice.pick(&numbered);
        let number = self.index(domain, 0)?;
        Some(Expr::AtLabel(
            name.into(),
            Box::new(word(number)),
            label.into(),
        ))
    }

    /// Something of all elements of an array, or of any.
    pub(super) fn quantified(&mut self) -> Option<Expr> {
        let (elements, array) = self.all_elements(|h| !matches!(h, Holds::Link(_)))?;
        let (operator, junction) = self.dice.pick(&[("==", "&&"), ("==", "||"), ("!=", "&&")]);
        let value = match array.holds {
            Holds::Id(domain) if self.scope.selves.is_empty() => {
                Expr::Number(self.domain(domain).nobody)
            }
            Holds::Id(domain) => self.honest_id(domain),
            _ => Expr::Number(self.dice.between(0, 1)),
        };
        let one = |element: String| Expr::binary(operator, word(element), value.clone());
        Some(join(junction, elements.into_iter().map(one).collect()))
    }

    fn state_of_channel(&mut self) -> Option<Expr> {
        let (place, channel) = self.channel(|c| c.buffered)?;
        if self.dice.chance(60) {
            let question = self.dice.pick(&["nempty", "empty", "full", "nfull"]);
            return Some(Expr::OfChannel(question, place));
        }
        let pattern = |g: &mut Self, holds: &Holds| match holds {
            Holds::Id(domain) if g.dice.chance(70) => Pattern::Eval(g.id(*domain)),
            Holds::Word => Pattern::Constant(Expr::word("ask")),
            _ => Pattern::Anything,
        };
        let patterns = channel.fields.iter().map(|f| pattern(self, f)).collect();
        let reach = self.dice.pick(&[Reach::First, Reach::Any]);
        Some(Expr::Poll(place, reach, patterns))
    }

    /// Conditions that tell names apart.
    fn odd_conditions(&self) -> Vec<String> {
        let mut odd = vec![format!("_nr_pr == {}", self.world.domains[0].last() + 1)];
        for (domain, own) in &self.scope.selves {
            let domain_of = self.domain(*domain);
            odd.push(format!("{own} == {}", domain_of.first()));
            odd.push(format!("{own} != {}", domain_of.last()));
            let ids = self.cells(|c| c.holds == Holds::Id(*domain) && c.indices.is_empty());
            odd.extend(ids.iter().map(|c| format!("{} < {own}", c.at(&[]))));
        }
        for cell in self.cells(|c| c.indices.len() == 1) {
            let (domain, base) = cell.indices[0];
            let one = format!("{}", self.domain(domain).last() - base);
            odd.push(format!("{} == 1", cell.at(&[one])));
        }
        odd
    }
}
