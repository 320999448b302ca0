//! Values by trying all ways to choose, each solved as a system of linear equations over the rational numbers. Shares nothing with the crate but its numbers.

use crate::common::Lists;
use dashu_ratio::RBig;
use mandala_temporal::pctl::Optimum;

/// A chain as a matrix, with what its states earn.
struct Chain {
    matrix: Vec<Vec<RBig>>,
    earned: Vec<RBig>,
}

/// All ways to choose one choice in each state.
fn schedulers(lists: &Lists) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for choices in &lists.choices {
        let longer = all.iter().flat_map(|known: &Vec<usize>| {
            (0..choices.len().max(1)).map(|choice| {
                let mut known = known.clone();
                known.push(choice);
                known
            })
        });
        all = longer.collect();
    }
    all
}

fn chain(lists: &Lists, scheduler: &[usize]) -> Chain {
    let states = lists.choices.len();
    let mut matrix = vec![vec![RBig::ZERO; states]; states];
    let mut earned: Vec<RBig> = lists.earned.iter().map(|it| RBig::from(*it)).collect();
    for state in 0..states {
        match lists.choices[state].get(scheduler[state]) {
            None => matrix[state][state] = RBig::ONE,
            Some((reward, branches)) => {
                earned[state] += RBig::from(*reward);
                for (target, weight) in branches {
                    matrix[state][*target as usize] += weight;
                }
            }
        }
    }
    Chain { matrix, earned }
}

impl Chain {
    fn states(&self) -> usize {
        self.earned.len()
    }

    /// Which states lead to one of those through some others.
    fn reaches(&self, through: &[bool], goal: &[bool]) -> Vec<bool> {
        let mut found = goal.to_vec();
        for _ in 0..self.states() {
            for state in 0..self.states() {
                let leads =
                    (0..self.states()).any(|to| !self.matrix[state][to].is_zero() && found[to]);
                found[state] |= through[state] && leads;
            }
        }
        found
    }

    /// The solution of x = Mx + b in some states; x is known elsewhere.
    fn solve(&self, open: &[bool], b: &[RBig], known: &[RBig]) -> Vec<RBig> {
        let states = self.states();
        let unknowns: Vec<usize> = (0..states).filter(|&it| open[it]).collect();
        let mut rows: Vec<Vec<RBig>> = Vec::new();
        for &state in &unknowns {
            let entry = |to: &usize| {
                let one = if *to == state { RBig::ONE } else { RBig::ZERO };
                one - &self.matrix[state][*to]
            };
            let mut row: Vec<RBig> = unknowns.iter().map(entry).collect();
            let outside = (0..states).filter(|&to| !open[to]);
            row.push(outside.fold(b[state].clone(), |sum, to| {
                sum + &self.matrix[state][to] * &known[to]
            }));
            rows.push(row);
        }
        let solution = gauss(rows);
        let mut values = known.to_vec();
        for (place, state) in unknowns.into_iter().enumerate() {
            values[state] = solution[place].clone();
        }
        values
    }
}

/// Gaussian elimination with a pivot that is not 0.
fn gauss(mut rows: Vec<Vec<RBig>>) -> Vec<RBig> {
    let size = rows.len();
    for column in 0..size {
        let pivot = (column..size).find(|&row| !rows[row][column].is_zero());
        rows.swap(column, pivot.expect("the system has one solution"));
        let inverse = RBig::ONE / &rows[column][column];
        for entry in &mut rows[column] {
            *entry *= &inverse;
        }
        for row in (0..size).filter(|&row| row != column) {
            let factor = rows[row][column].clone();
            let others = rows[column].clone();
            for (entry, other) in rows[row].iter_mut().zip(&others) {
                *entry -= &factor * other;
            }
        }
    }
    rows.into_iter().filter_map(|mut row| row.pop()).collect()
}

/// The states that are in a list, as a table.
fn table(states: usize, list: &[u32]) -> Vec<bool> {
    (0..states as u32).map(|it| list.contains(&it)).collect()
}

/// The best of some values in each state, where none is infinite.
fn best(all: impl Iterator<Item = Vec<Option<RBig>>>, optimum: Optimum) -> Vec<Option<RBig>> {
    let is_better = |new: &Option<RBig>, old: &Option<RBig>| match (new, old) {
        (Some(new), Some(old)) if optimum == Optimum::Least => new < old,
        (Some(new), Some(old)) => new > old,
        (Some(_), None) => optimum == Optimum::Least,
        (None, Some(_)) => optimum == Optimum::Greatest,
        (None, None) => false,
    };
    all.reduce(|mut best, new| {
        for (best, new) in best.iter_mut().zip(new) {
            if is_better(&new, best) {
                *best = new;
            }
        }
        best
    })
    .expect("there is a scheduler")
}

/// The best probability in each state to go through the first list into the second one.
pub(crate) fn probabilities(
    lists: &Lists,
    left: &[u32],
    right: &[u32],
    optimum: Optimum,
) -> Vec<Option<RBig>> {
    let states = lists.choices.len();
    let (left, right) = (table(states, left), table(states, right));
    let known: Vec<RBig> = right
        .iter()
        .map(|&it| if it { RBig::ONE } else { RBig::ZERO })
        .collect();
    let nothing = vec![RBig::ZERO; states];
    let all = schedulers(lists);
    let values = all.iter().map(|scheduler| {
        let chain = chain(lists, scheduler);
        let reaches = chain.reaches(&left, &right);
        let open: Vec<bool> = (0..states).map(|it| reaches[it] && !right[it]).collect();
        let values = chain.solve(&open, &nothing, &known);
        values.into_iter().map(Some).collect()
    });
    best(values, optimum)
}

/// The best reward in each state until a list is reached; none if it is infinite.
pub(crate) fn rewards(lists: &Lists, goal: &[u32], optimum: Optimum) -> Vec<Option<RBig>> {
    let states = lists.choices.len();
    let goal = table(states, goal);
    let everywhere = vec![true; states];
    let all = schedulers(lists);
    let values = all.iter().map(|scheduler| {
        let chain = chain(lists, scheduler);
        let arrives = chain.reaches(&everywhere, &goal);
        let lost: Vec<bool> = arrives.iter().map(|it| !it).collect();
        let before: Vec<bool> = goal.iter().map(|it| !it).collect();
        let infinite = chain.reaches(&before, &lost);
        let open: Vec<bool> = (0..states).map(|it| !infinite[it] && !goal[it]).collect();
        let known = vec![RBig::ZERO; states];
        let values = chain.solve(&open, &chain.earned, &known);
        let values = values.into_iter().zip(infinite);
        values
            .map(|(value, infinite)| (!infinite).then_some(value))
            .collect()
    });
    best(values, optimum)
}

/// The best reward in each state that is earned for ever; none if it is infinite.
pub(crate) fn totals(lists: &Lists, optimum: Optimum) -> Vec<Option<RBig>> {
    let states = lists.choices.len();
    let everywhere = vec![true; states];
    let all = schedulers(lists);
    let values = all.iter().map(|scheduler| {
        let chain = chain(lists, scheduler);
        let earning: Vec<bool> = chain.earned.iter().map(|it| !it.is_zero()).collect();
        let more = chain.reaches(&everywhere, &earning);
        // A state that earns and comes back to itself for certain does so for ever.
        let again: Vec<bool> = (0..states)
            .map(|state| {
                let only = table(states, &[state as u32]);
                let returns = chain.reaches(&everywhere, &only);
                let reached = (0..states as u32).filter(|&to| {
                    let target = table(states, &[to]);
                    chain.reaches(&everywhere, &target)[state]
                });
                earning[state] && reached.into_iter().all(|to| returns[to as usize])
            })
            .collect();
        let infinite = chain.reaches(&everywhere, &again);
        let open: Vec<bool> = (0..states).map(|it| more[it] && !infinite[it]).collect();
        let known = vec![RBig::ZERO; states];
        let values = chain.solve(&open, &chain.earned, &known);
        let values = values.into_iter().zip(infinite);
        values
            .map(|(value, infinite)| (!infinite).then_some(value))
            .collect()
    });
    best(values, optimum)
}

/// The share of time in each state in the long run, in a chain whose states all lead to all others.
pub(crate) fn shares(lists: &Lists) -> Vec<RBig> {
    let states = lists.choices.len();
    let mut rows = Vec::new();
    for state in 0..states {
        // What flows into a state flows out of it; the last equation says that all shares are 1.
        let mut row: Vec<RBig> = (0..states).map(|_| RBig::ZERO).collect();
        for (from, choices) in lists.choices.iter().enumerate() {
            for (to, weight) in choices.iter().flat_map(|(_, branches)| branches) {
                if *to as usize == state {
                    row[from] += weight;
                }
                if from == state {
                    row[from] -= weight;
                }
            }
        }
        row.push(RBig::ZERO);
        rows.push(row);
    }
    if let Some(last) = rows.last_mut() {
        *last = vec![RBig::ONE; states + 1];
    }
    gauss(rows)
}

/// The best probability in each state to go through the first list into the second one in that many steps, over all ways to choose that depend on time.
pub(crate) fn within(
    lists: &Lists,
    left: &[u32],
    right: &[u32],
    steps: u32,
    optimum: Optimum,
) -> Vec<RBig> {
    let states = lists.choices.len();
    let (left, right) = (table(states, left), table(states, right));
    (0..states)
        .map(|state| within_from(lists, &left, &right, steps, optimum, state))
        .collect()
}

fn within_from(
    lists: &Lists,
    left: &[bool],
    right: &[bool],
    steps: u32,
    optimum: Optimum,
    state: usize,
) -> RBig {
    if right[state] {
        return RBig::ONE;
    }
    if !left[state] || steps == 0 || lists.choices[state].is_empty() {
        return RBig::ZERO;
    }
    let choices = lists.choices[state].iter().map(|(_, branches)| {
        branches.iter().fold(RBig::ZERO, |sum, (to, weight)| {
            let next = within_from(lists, left, right, steps - 1, optimum, *to as usize);
            sum + weight * next
        })
    });
    let best = match optimum {
        Optimum::Least => choices.min(),
        Optimum::Greatest => choices.max(),
    };
    best.expect("there is a choice")
}
