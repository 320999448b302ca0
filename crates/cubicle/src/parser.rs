//! Tokens to the syntax tree, by recursive descent.
//!
//! An error ends the declaration that it is in; the parser goes on at the next one, so that several errors are found at once.

use mandala_syntax::Kind;
mod formula;

use crate::ast::{
    Formula, Ident, NewValue, Statement, Term, Transition, Tree, TypeDeclaration, Update,
    VariableDeclaration,
};
use crate::limits;
use crate::token::{Token, TokenKind};
use mandala_model::findings::{Fallible, Findings, error, error_help};
use mandala_syntax as syntax;
use mandala_syntax::{Cursor, Parser as _};

/// Parses a whole system. The tokens end with an end token.
pub(crate) fn parse(tokens: Vec<Token>, findings: &mut Findings) -> Tree {
    let mut parser = Parser {
        cursor: Cursor::new(tokens),
    };
    let mut tree = Tree::default();
    while !parser.at(TokenKind::Eof) {
        if findings.note(parser.item(&mut tree)).is_none() {
            parser.recover(|parser| BEGINNINGS.contains(&parser.kind()));
        }
    }
    tree
}

/// The words that declarations begin with.
const BEGINNINGS: [TokenKind; 7] = [
    TokenKind::Type,
    TokenKind::Var,
    TokenKind::Array,
    TokenKind::Init,
    TokenKind::Unsafe,
    TokenKind::Invariant,
    TokenKind::Transition,
];

struct Parser {
    cursor: Cursor<TokenKind>,
}

impl syntax::Parser<TokenKind> for Parser {
    const DEPTH: usize = limits::DEPTH;

    fn too_deep() -> String {
        "the formula is nested too deep".to_string()
    }

    fn cursor(&self) -> &Cursor<TokenKind> {
        &self.cursor
    }

    fn cursor_mut(&mut self) -> &mut Cursor<TokenKind> {
        &mut self.cursor
    }
}

impl Parser {
    /// A name that begins with a small letter, or with a capital one.
    fn name(&mut self, kind: TokenKind, what: &str) -> Fallible<Ident> {
        if self.at(kind) {
            return Ok(self.ident());
        }
        let diagnostic = self.unexpected(what);
        let help = match (self.kind(), kind) {
            (TokenKind::Capital, _) => "such names begin with a small letter",
            (TokenKind::Small, TokenKind::Capital) => "such names begin with a capital letter",
            (other, _) if other.is_word() => "that is a word of the language; choose another name",
            _ => return Err(diagnostic),
        };
        Err(Box::new(diagnostic.with_help(help)))
    }

    fn item(&mut self, tree: &mut Tree) -> Fallible<()> {
        match self.kind() {
            TokenKind::Type => tree.types.push(self.type_declaration()?),
            TokenKind::Var | TokenKind::Array => tree.variables.push(self.variable()?),
            TokenKind::Init => tree.inits.push(self.statement()?),
            TokenKind::Unsafe | TokenKind::Invariant => tree.bad.push(self.statement()?),
            TokenKind::Transition => tree.transitions.push(self.transition()?),
            _ => {
                let expected =
                    "`type`, `var`, `array`, `init`, `unsafe`, `invariant` or `transition`";
                let found = self.unexpected(expected);
                self.bump();
                return Err(found);
            }
        }
        Ok(())
    }

    fn type_declaration(&mut self) -> Fallible<TypeDeclaration> {
        self.bump();
        let name = self.name(TokenKind::Small, "the name of a type")?;
        if !self.eat(TokenKind::Equal) {
            let message = format!("the type `{}` has no values", name.name);
            let help = format!("write its values: `type {} = A | B`", name.name);
            return Err(error_help(name.span, message, help));
        }
        self.eat(TokenKind::Bar);
        let mut values = vec![self.name(TokenKind::Capital, "a value")?];
        while self.eat(TokenKind::Bar) {
            values.push(self.name(TokenKind::Capital, "a value")?);
        }
        Ok(TypeDeclaration { name, values })
    }

    fn variable(&mut self) -> Fallible<VariableDeclaration> {
        let is_array = self.at(TokenKind::Array);
        self.bump();
        let name = self.name(TokenKind::Capital, "the name of a variable")?;
        let mut index = None;
        if is_array {
            self.expect(TokenKind::LeftBracket, "before the type of the index")?;
            index = Some(self.name(TokenKind::Small, "the type of the index")?);
            if self.at(TokenKind::Comma) {
                let message = format!("`{}` has more than one index", name.name);
                let help = "arrays with one index are supported";
                return Err(error_help(self.token().span, message, help));
            }
            self.expect(TokenKind::RightBracket, "behind the type of the index")?;
        }
        self.expect(TokenKind::Colon, "before the type")?;
        let kind = self.name(TokenKind::Small, "the name of a type")?;
        Ok(VariableDeclaration { name, index, kind })
    }

    /// `(x y)`, or nothing.
    fn parameters(&mut self) -> Fallible<Vec<Ident>> {
        let mut parameters = Vec::new();
        if !self.eat(TokenKind::LeftParen) {
            return Ok(parameters);
        }
        while !self.at(TokenKind::RightParen) {
            let name = self.name(TokenKind::Small, "the name of a process, or `)`")?;
            if parameters.len() == limits::PARAMETERS {
                let message = format!("more than {} parameters", limits::PARAMETERS);
                return Err(error(name.span, message));
            }
            parameters.push(name);
            self.eat(TokenKind::Comma);
        }
        self.bump();
        Ok(parameters)
    }

    fn statement(&mut self) -> Fallible<Statement> {
        let word = self.ident();
        let parameters = self.parameters()?;
        let formula = self.braced()?;
        let span = self.since(word.span);
        Ok(Statement {
            word,
            parameters,
            formula,
            span,
        })
    }

    /// A formula between braces.
    fn braced(&mut self) -> Fallible<Formula> {
        self.expect(TokenKind::LeftBrace, "before the formula")?;
        let formula = self.formula()?;
        self.expect(TokenKind::RightBrace, "behind the formula")?;
        Ok(formula)
    }

    fn transition(&mut self) -> Fallible<Transition> {
        let start = self.bump();
        let name = self.name(TokenKind::Small, "the name of a transition")?;
        let parameters = self.parameters()?;
        let guard = match self.eat(TokenKind::Requires) {
            true => Some(self.braced()?),
            false => None,
        };
        self.expect(TokenKind::LeftBrace, "before the updates")?;
        let mut updates = Vec::new();
        while !self.at(TokenKind::RightBrace) {
            updates.push(self.update()?);
            if !self.at(TokenKind::RightBrace) {
                self.expect(TokenKind::Semicolon, "behind the update")?;
            }
        }
        self.bump();
        let span = self.since(start);
        Ok(Transition {
            name,
            parameters,
            guard,
            updates,
            span,
        })
    }

    fn update(&mut self) -> Fallible<Update> {
        let target = self.name(TokenKind::Capital, "the name of a variable, or `}`")?;
        let index = self.index()?;
        self.expect(TokenKind::Assign, "before the new value")?;
        let value = match self.kind() {
            TokenKind::Dot | TokenKind::Question => NewValue::Any(self.bump()),
            TokenKind::Case => self.cases()?,
            _ => NewValue::Term(self.term()?),
        };
        let span = self.since(target.span);
        Ok(Update {
            target,
            index,
            value,
            span,
        })
    }

    fn cases(&mut self) -> Fallible<NewValue> {
        let start = self.bump();
        let mut cases = Vec::new();
        while self.eat(TokenKind::Bar) {
            if self.eat(TokenKind::Ignored) {
                self.expect(TokenKind::Colon, "behind `_`")?;
                return Ok(NewValue::Cases(cases, self.term()?));
            }
            if cases.len() == limits::CHAIN {
                let message = format!("more than {} cases", limits::CHAIN);
                return Err(error(self.token().span, message));
            }
            let condition = self.formula()?;
            self.expect(TokenKind::Colon, "behind the condition of the case")?;
            cases.push((condition, self.term()?));
        }
        let message = "no case says what the value is otherwise";
        let help = "end the cases with `| _ : VALUE`";
        Err(error_help(self.since(start), message, help))
    }

    /// `[i]`, or nothing.
    fn index(&mut self) -> Fallible<Option<Ident>> {
        if !self.eat(TokenKind::LeftBracket) {
            return Ok(None);
        }
        let index = self.name(TokenKind::Small, "the name of a process")?;
        self.expect(TokenKind::RightBracket, "behind the index")?;
        Ok(Some(index))
    }

    fn term(&mut self) -> Fallible<Term> {
        let start = self.token().span;
        let small = self.at(TokenKind::Small);
        match self.kind() {
            TokenKind::Small | TokenKind::Capital => {}
            TokenKind::Number => {
                let help =
                    "values are those of the types that are declared, truth values and processes";
                let message = format!("`{}` is a number", self.token().text);
                return Err(error_help(start, message, help));
            }
            _ => return Err(self.unexpected("a value, a variable or a process")),
        }
        let name = self.ident();
        let index = match small {
            true => None,
            false => self.index()?,
        };
        if matches!(self.kind(), TokenKind::Plus | TokenKind::Minus) {
            let message = format!("`{}` calculates with numbers", self.token().text);
            let help =
                "values are those of the types that are declared, truth values and processes";
            return Err(error_help(self.token().span, message, help));
        }
        let span = self.since(start);
        Ok(Term {
            name,
            small,
            index,
            span,
        })
    }
}
