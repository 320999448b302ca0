//! Calls between the functions of a model.

use crate::function::{Function, MOST_CALLS};
use crate::ids::FunctionId;
use crate::model::UncheckedModel;
use crate::template::{Node, Routine};
use std::collections::BTreeSet;

impl UncheckedModel {
    /// The function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// The nodes of all functions.
    pub fn function_nodes(&self) -> impl Iterator<Item = &Node> {
        self.functions.iter().flat_map(|f| &f.body.nodes)
    }

    /// For each function, whether it calls itself, perhaps by way of others.
    pub fn recursive_functions(&self) -> Vec<bool> {
        let all = (0..self.functions.len()).map(FunctionId::from);
        all.map(|function| self.calls(function).contains(&function))
            .collect()
    }

    /// The functions that monitors call, perhaps by way of others.
    pub fn functions_of_monitors(&self) -> BTreeSet<FunctionId> {
        let routines = self.monitors.iter().filter_map(|m| m.step.routine());
        let called = routines.flat_map(Routine::calls).map(|call| call.function);
        let called: BTreeSet<FunctionId> = called.collect();
        let inside = called.iter().flat_map(|function| self.calls(*function));
        inside.chain(called.iter().copied()).collect()
    }

    /// The functions that a function calls, perhaps by way of others.
    pub fn calls(&self, function: FunctionId) -> BTreeSet<FunctionId> {
        let mut found = BTreeSet::new();
        let mut waiting = vec![function];
        while let Some(caller) = waiting.pop() {
            let body = self.functions.get(caller.index()).map(|f| &f.body);
            let called = body.into_iter().flat_map(Routine::calls);
            let called = called.map(|call| call.function);
            waiting.extend(called.filter(|called| found.insert(*called)));
        }
        found
    }

    /// The message of a call that is nested too deep.
    pub fn nested_too_deep(&self, function: FunctionId) -> String {
        let name = &self.function(function).name;
        format!("calls of `{name}` nest more than {MOST_CALLS} deep")
    }
}
