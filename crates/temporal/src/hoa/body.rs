//! The states and transitions.

use super::header::{Header, refuse_universal};
use super::label;
use super::lexer::{Reader, Token};
use crate::guard::Guard;
use crate::hoa::error::Reading;
use crate::hoa::raw::{Edge, Row, Sets};

/// Without labels a state has a transition for each choice of the propositions; more are refused.
const MOST_IMPLICIT: usize = 12;

/// Reads everything up to `--END--`, which has to be all.
pub(super) fn read(reader: &mut Reader, header: &Header) -> Reading<Vec<Row>> {
    let mut rows: Vec<Option<Row>> = vec![None; header.states.unwrap_or(0)];
    while *reader.token() == Token::Header("State".into()) {
        state(reader, header, &mut rows)?;
    }
    if *reader.token() != Token::Mark("END".into()) {
        return Err(reader.unexpected("`State:` or `--END--`"));
    }
    let known = rows.len();
    let targets = rows.iter().flatten().flat_map(|row| &row.edges);
    let mut targets = targets
        .map(|edge| edge.target)
        .chain(header.starts.iter().copied());
    if let Some(missing) = targets.find(|target| *target >= known) {
        return Err(reader.error(format!("there is no state {missing}")));
    }
    reader.skip();
    match reader.token() {
        Token::End => Ok(rows.into_iter().map(Option::unwrap_or_default).collect()),
        _ => Err(reader.unexpected("nothing behind `--END--`: a file has one automaton")),
    }
}

/// One state with its transitions.
fn state(reader: &mut Reader, header: &Header, rows: &mut Vec<Option<Row>>) -> Reading<()> {
    reader.skip();
    let label = optional_label(reader, header)?;
    let row = row_of(reader, header, rows)?;
    if let Token::Text(_) = reader.token() {
        reader.skip();
    }
    let sets = sets(reader, header)?;
    let edges = match label {
        Some(label) => edges(reader, header, |_| Some(label.clone()))?,
        None if matches!(reader.token(), Token::Number(_)) => implicit_edges(reader, header)?,
        None => edges(reader, header, |_| None)?,
    };
    rows[row] = Some(Row { sets, edges });
    Ok(())
}

/// The number of a state that was not described before.
fn row_of(reader: &mut Reader, header: &Header, rows: &mut Vec<Option<Row>>) -> Reading<usize> {
    let Token::Number(number) = *reader.token() else {
        return Err(reader.unexpected("the number of a state"));
    };
    match (header.states, number.checked_sub(rows.len())) {
        // Where nobody says how many there are, states come in order.
        (None, Some(0)) => rows.push(None),
        (_, Some(_)) => return Err(reader.error(format!("state {number} is not below `States:`"))),
        (_, None) if rows[number].is_some() => {
            return Err(reader.error(format!("a second state {number}")));
        }
        _ => {}
    }
    reader.skip();
    Ok(number)
}

fn optional_label(reader: &mut Reader, header: &Header) -> Reading<Option<Guard>> {
    match reader.token() {
        Token::Sign('[') => label::bracketed(reader, &header.vocabulary).map(Some),
        _ => Ok(None),
    }
}

/// All transitions of a state, where `given` is the label of those that must not have one of their own.
fn edges(
    reader: &mut Reader,
    header: &Header,
    given: impl Fn(usize) -> Option<Guard>,
) -> Reading<Vec<Edge>> {
    let mut edges = Vec::new();
    while matches!(reader.token(), Token::Number(_) | Token::Sign('[')) {
        let guard = match given(edges.len()) {
            Some(guard) => guard,
            None => label::bracketed(reader, &header.vocabulary)?,
        };
        let target = reader.number("the state that a transition leads to")?;
        refuse_universal(reader)?;
        let sets = sets(reader, header)?;
        edges.push(Edge {
            guard,
            sets,
            target,
        });
    }
    Ok(edges)
}

/// Transitions without labels.
fn implicit_edges(reader: &mut Reader, header: &Header) -> Reading<Vec<Edge>> {
    let propositions = header.vocabulary.propositions;
    if propositions > MOST_IMPLICIT {
        let message = format!(
            "transitions without labels are supported for {MOST_IMPLICIT} propositions, not for {propositions}"
        );
        return Err(reader.error(message));
    }
    let edges = edges(reader, header, |number| {
        Some(label::implicit(number, propositions))
    })?;
    match edges.len() == 1 << propositions {
        true => Ok(edges),
        false => Err(reader.error(format!(
            "before this there are {} transitions without labels, and there must be {}, one for each choice of the propositions",
            edges.len(),
            1_usize << propositions
        ))),
    }
}

/// `{0 1}`, if it is there.
fn sets(reader: &mut Reader, header: &Header) -> Reading<Sets> {
    let mut sets = vec![false; header.sets];
    if !reader.eat('{') {
        return Ok(sets);
    }
    while !reader.eat('}') {
        match *reader.token() {
            Token::Number(set) if set < header.sets => sets[set] = true,
            Token::Number(set) => {
                return Err(reader.error(format!("there is no acceptance set {set}")));
            }
            _ => return Err(reader.unexpected("an acceptance set or `}`")),
        }
        reader.skip();
    }
    Ok(sets)
}
