//! Unknown sorts and what is known of them: union-find, where members of a class may have offsets
//! that differ by a constant.

use crate::breach::Breach;
use crate::sorts::Sort;
use mandala_model::ids::ChannelKindId;
use mandala_model::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// An unknown sort.
pub(crate) type Var = usize;

/// What values stand for, with the offset, and where it was learnt.
#[derive(Clone, Copy, Debug)]
struct Meaning {
    /// A domain of names, or processes.
    domain: Option<u32>,
    offset: i64,
    span: Span,
}

/// What is known of an unknown sort, and where it was learnt.
#[derive(Clone, Debug, Default)]
struct Known {
    plain: Option<Span>,
    channel: Option<Span>,
    meaning: Option<Meaning>,
    /// Where the number of the process that acts was seen: it means a process, unless it is a name of something.
    own: Option<Meaning>,
    /// The offset at which it might be processes, for want of anything better.
    hint: Option<i64>,
    /// Two meanings that exclude each other.
    clash: Option<(Meaning, Meaning)>,
    own_clash: Option<(Meaning, Meaning)>,
    /// If it is a channel: the fields of its messages and the kinds of channels.
    messages: Vec<Var>,
    kinds: BTreeSet<ChannelKindId>,
    /// Numbers that it was seen to be, plus the offset.
    constants: BTreeSet<i64>,
}

impl Known {
    fn see_own(&mut self, other: Meaning) {
        match self.own {
            None => self.own = Some(other),
            Some(own) if own.offset == other.offset => {}
            // As names they need not be counted alike.
            Some(own) => drop(self.own_clash.get_or_insert((own, other))),
        }
    }

    /// What the values stand for. The number of the process that acts is a constant, which may be a name.
    fn meant(&self) -> Option<Meaning> {
        self.meaning.or(self.own)
    }

    /// Two meanings that exclude each other.
    fn clash(&self) -> Option<(Meaning, Meaning)> {
        let named = self.meaning.is_some_and(|m| m.domain.is_some());
        let both = self.meaning.zip(self.own);
        let both = both.filter(|(a, b)| a.offset != b.offset);
        let own = both.or(self.own_clash).filter(|_| !named);
        self.clash.or(own)
    }

    fn mean(&mut self, other: Meaning) {
        match self.meaning {
            None => self.meaning = Some(other),
            Some(own) if (own.domain, own.offset) == (other.domain, other.offset) => {}
            Some(own) => drop(self.clash.get_or_insert((own, other))),
        }
    }

    /// The same, seen from where offsets are less by some number.
    fn shifted(self, by: i64) -> Self {
        if by == 0 {
            return self;
        }
        let shifted = |meaning: Meaning| Meaning {
            offset: meaning.offset.wrapping_sub(by),
            ..meaning
        };
        let constants = self.constants.into_iter();
        Known {
            meaning: self.meaning.map(shifted),
            own: self.own.map(shifted),
            hint: self.hint.map(|offset| offset.wrapping_sub(by)),
            constants: constants.map(|c| c.wrapping_add(by)).collect(),
            ..self
        }
    }

    /// Adds what is known of another; gives fields of messages that are the same then.
    fn add(&mut self, other: Known) -> Vec<(Var, Var, i64)> {
        self.plain = self.plain.or(other.plain);
        self.channel = self.channel.or(other.channel);
        self.clash = self.clash.or(other.clash);
        self.own_clash = self.own_clash.or(other.own_clash);
        self.hint = self.hint.or(other.hint);
        if let Some(meaning) = other.meaning {
            self.mean(meaning);
        }
        if let Some(meaning) = other.own {
            self.see_own(meaning);
        }
        self.kinds.extend(other.kinds);
        self.constants.extend(other.constants);
        let same = self.messages.iter().copied().zip(other.messages.clone());
        let same = same.map(|(a, b)| (a, b, 0)).collect();
        let longer = other.messages.into_iter().skip(self.messages.len());
        self.messages.extend(longer);
        same
    }
}

/// Unknown sorts, some of them the same.
#[derive(Debug, Default)]
pub(crate) struct Unknowns {
    /// The offset of each is that of its parent plus a number.
    parents: Vec<(Var, i64)>,
    /// How many there are below each root.
    sizes: Vec<u32>,
    known: Vec<Known>,
}

impl Unknowns {
    pub fn fresh(&mut self) -> Var {
        self.parents.push((self.parents.len(), 0));
        self.sizes.push(1);
        self.known.push(Known::default());
        self.parents.len() - 1
    }

    pub fn root(&self, var: Var) -> Var {
        self.find(var).0
    }

    /// The root, and by how much the offset is greater than that of the root.
    pub fn find(&self, var: Var) -> (Var, i64) {
        let (mut var, mut more) = (var, 0i64);
        while self.parents[var].0 != var {
            more = more.wrapping_add(self.parents[var].1);
            var = self.parents[var].0;
        }
        (var, more)
    }

    pub fn roots(&self) -> BTreeSet<Var> {
        (0..self.parents.len()).map(|v| self.root(v)).collect()
    }

    /// Two sorts are the same.
    pub fn unify(&mut self, a: Var, b: Var, span: Span) {
        self.relate(a, b, 0, span);
    }

    /// Two sorts are the same but for their offsets: that of `a` is greater by `more`.
    pub fn relate(&mut self, a: Var, b: Var, more: i64, span: Span) {
        let mut open = vec![(a, b, more)];
        while let Some((a, b, more)) = open.pop() {
            let ((a, of_a), (b, of_b)) = (self.find(a), self.find(b));
            let apart = of_a.wrapping_sub(of_b).wrapping_sub(more);
            if a == b {
                // A value that is the same when something is added to it counts something.
                if apart != 0 {
                    self.plain(a, span);
                }
                continue;
            }
            open.extend(self.join(a, b, apart));
        }
    }

    /// Makes one class of two, where the offset of the second root is greater by `apart`. The smaller class goes below
    /// the larger one, so that no way to a root is long.
    fn join(&mut self, a: Var, b: Var, apart: i64) -> Vec<(Var, Var, i64)> {
        let mut first = std::mem::take(&mut self.known[a]);
        let mut second = std::mem::take(&mut self.known[b]);
        let (root, other, apart) = match self.sizes[a] < self.sizes[b] {
            true => (b, a, apart.wrapping_neg()),
            false => (a, b, apart),
        };
        match other == a {
            true => first = first.shifted(apart),
            false => second = second.shifted(apart),
        }
        self.parents[other] = (root, apart);
        self.sizes[root] += self.sizes[other];
        let same = first.add(second);
        self.known[root] = first;
        same
    }

    pub fn plain(&mut self, var: Var, span: Span) {
        let root = self.root(var);
        self.known[root].plain.get_or_insert(span);
    }

    /// Values are processes.
    pub fn process(&mut self, var: Var, offset: i64, span: Span) {
        self.mean(var, None, offset, span);
    }

    /// Values are the number of the process that acts.
    pub fn own_process(&mut self, var: Var, offset: i64, span: Span) {
        let (root, more) = self.find(var);
        self.known[root].see_own(Meaning {
            domain: None,
            offset: offset.wrapping_sub(more),
            span,
        });
    }

    /// True if a root is of processes for no other reason than that they use their own numbers, or compute something
    /// from them.
    pub fn is_own(&self, root: Var) -> bool {
        let known = &self.known[root];
        let own = known.own.is_some() || known.hint.is_some();
        own && known.meaning.is_none() && known.plain.is_none()
    }

    /// Values may be processes.
    pub fn maybe_process(&mut self, var: Var) {
        self.maybe_process_at(var, 0);
    }

    /// Values may be processes, with that offset.
    pub fn maybe_process_at(&mut self, var: Var, offset: i64) {
        let (root, more) = self.find(var);
        let hint = &mut self.known[root].hint;
        hint.get_or_insert(offset.wrapping_sub(more));
    }

    /// The offset at which values are, or may be, processes and nothing else.
    pub fn process_offset(&self, var: Var) -> Option<i64> {
        match self.sort(var, &BTreeMap::new()) {
            Sort::Process(offset) if self.known[self.root(var)].plain.is_none() => Some(offset),
            _ => None,
        }
    }

    /// Values are names of that domain.
    pub fn name(&mut self, var: Var, domain: u32, offset: i64, span: Span) {
        self.mean(var, Some(domain), offset, span);
    }

    fn mean(&mut self, var: Var, domain: Option<u32>, offset: i64, span: Span) {
        let (root, more) = self.find(var);
        self.known[root].mean(Meaning {
            domain,
            offset: offset.wrapping_sub(more),
            span,
        });
    }

    /// Values are channels.
    pub fn channel(&mut self, var: Var, span: Span) {
        let root = self.root(var);
        self.known[root].channel.get_or_insert(span);
    }

    /// A kind of channels that are referred to.
    pub fn kind(&mut self, var: Var, kind: ChannelKindId) {
        let root = self.root(var);
        self.known[root].kinds.insert(kind);
    }

    /// The field of the messages of a channel.
    pub fn field(&mut self, channel: Var, field: usize, span: Span) -> Var {
        self.channel(channel, span);
        let root = self.root(channel);
        while self.known[root].messages.len() <= field {
            let var = self.fresh();
            self.known[root].messages.push(var);
        }
        self.known[root].messages[field]
    }

    /// A number that the value may be.
    pub fn constant(&mut self, var: Var, value: i64) {
        let (root, more) = self.find(var);
        self.known[root].constants.insert(value.wrapping_add(more));
    }

    /// The numbers that the value of a root was seen to be, at offset 0.
    pub fn constants(&self, root: Var) -> &BTreeSet<i64> {
        &self.known[root].constants
    }

    /// True if nothing is known of a root: it may be names of a kind that nobody has thought of.
    pub fn is_open(&self, root: Var) -> bool {
        let known = &self.known[root];
        let meaning = known.meant().is_some() || known.hint.is_some();
        known.plain.is_none() && known.channel.is_none() && !meaning
    }

    pub fn is_channel(&self, root: Var) -> bool {
        self.known[root].channel.is_some()
    }

    pub fn messages(&self, root: Var) -> &[Var] {
        &self.known[root].messages
    }

    pub fn kinds(&self, root: Var) -> Vec<ChannelKindId> {
        self.known[root].kinds.iter().copied().collect()
    }

    /// The sort, where classes of channels have these numbers.
    pub fn sort(&self, var: Var, channels: &BTreeMap<Var, u32>) -> Sort {
        let (root, more) = self.find(var);
        match (channels.get(&root), self.known[root].meant()) {
            (Some(class), _) => Sort::Channel(*class),
            (None, Some(meaning)) => {
                let offset = meaning.offset.wrapping_add(more);
                match meaning.domain {
                    None => Sort::Process(offset),
                    Some(domain) => Sort::Name(domain, offset),
                }
            }
            (None, None) => match (self.known[root].plain, self.known[root].hint) {
                (None, Some(offset)) => Sort::Process(offset.wrapping_add(more)),
                _ => Sort::Plain,
            },
        }
    }

    /// What contradicts itself about a root; `what` names it, `labels` are those of the domains.
    pub fn conflict(
        &self,
        root: Var,
        what: impl Fn(Var) -> String,
        labels: &[&str],
    ) -> Option<Breach> {
        let known = &self.known[root];
        let uses = [
            known.plain.is_some(),
            known.channel.is_some(),
            known.meant().is_some(),
        ];
        if known.clash().is_none() && uses.into_iter().filter(|used| *used).count() < 2 {
            return None;
        }
        let used = |how: String| format!("uses {} as {how}", what(root));
        let means = |meaning: Meaning| {
            let how = match meaning.domain {
                None => "the number of a process".to_string(),
                Some(domain) => {
                    let label = labels.get(domain as usize).copied().unwrap_or("");
                    format!("a name of `{label}`")
                }
            };
            (meaning.span, used(how))
        };
        let plain = known.plain.map(|s| (s, used("a plain number".into())));
        let channel = known.channel.map(|s| (s, used("a channel".into())));
        if let Some((a, b)) = known.clash() {
            let (a, b) = (means(a), means(b));
            let differently = |b: String| format!("{b}, counted differently or of another kind");
            return Some(Breach::at(a.0, a.1).and(b.0, differently(b.1)));
        }
        let uses = [plain, known.meant().map(means), channel];
        let mut uses = uses.into_iter().flatten();
        let (first, second) = (uses.next()?, uses.next()?);
        Some(Breach::at(first.0, first.1).and(second.0, second.1))
    }
}
