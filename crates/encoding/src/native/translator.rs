//! The function that is being made, and the ways out of it.

use super::facts::{Facts, Held};
use super::journal::Journal;
use super::operand::{Bounds, Operand};
use super::plan::Plan;
use super::running::{Context, Status};
use super::standins::Window;
use crate::code::Register;
use cranelift_codegen::entity::EntitySet;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AliasRegion, Block, FuncRef, InstBuilder, MemFlags, SigRef, Type, Value, types,
};
use cranelift_frontend::{FunctionBuilder, Variable};
use std::collections::{BTreeMap, HashMap};
use std::mem::offset_of;

/// A process at a place where it holds control: what a function of its own is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Hold {
    pub process: u32,
    pub location: u32,
}

/// What a function is made for, apart from the one that expands a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// The moves of a process.
    Process(u32),
    /// The monitors.
    Monitors,
    Hold(Hold),
}

impl Part {
    /// The process that moves.
    pub fn process(self) -> Option<u32> {
        match self {
            Part::Process(process) => Some(process),
            Part::Hold(hold) => Some(hold.process),
            Part::Monitors => None,
        }
    }
}

/// Gives the function of a part, which may still have to be made.
pub(super) trait Links {
    /// Nothing if there can be no more functions, which ends the translation in any case.
    fn link(&mut self, part: Part, builder: &mut FunctionBuilder<'_>) -> Option<FuncRef>;

    /// Notes that a routine is too long to be unrolled.
    fn note_long(&mut self, routine: u32);

    fn is_long(&self, routine: u32) -> bool;
}

/// The signatures of what the code calls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signatures {
    pub emit: SigRef,
    pub interpret: SigRef,
    pub first_visit: SigRef,
}

/// The translation cannot go on along this way: control has gone elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ended;

/// Makes one function.
pub(super) struct Translator<'a, 'f> {
    pub builder: FunctionBuilder<'f>,
    pub plan: &'a Plan<'a>,
    pub links: &'a mut dyn Links,
    pub signatures: Signatures,
    /// The functions linked so far.
    pub linked: HashMap<Part, FuncRef>,
    /// What the function was called with.
    pub context: Value,
    pub cells: Value,
    pub packed: Value,
    /// How many moves lead to where the function starts; none if it was not told.
    pub length: Option<Value>,
    /// Whom stand-ins stand for: the numbers of processes and of channels, and where their cells are.
    pub numbers: HashMap<u32, Value>,
    pub references: HashMap<u32, Value>,
    pub windows: BTreeMap<u32, Window>,
    /// What is known at the current point.
    pub facts: Facts,
    /// What the current move has changed.
    pub journal: Journal,
    /// The fields of the message that is being received.
    pub message: Vec<Operand>,
    /// Where it goes on if the step cannot be translated after all: the interpreter does it.
    pub hatch: Option<Block>,
    /// Whether there is such a way out: only while an edge is translated. Elsewhere the whole state is given back.
    pub hatch_open: bool,
    /// Where it goes on if that happens in the middle of a routine.
    pub routine_hatch: Option<Block>,
    /// Where it goes on if nothing can be done at a quiet node of a routine.
    pub quiet: Option<Block>,
    /// Registers at points where ways meet.
    variables: HashMap<Register, Variable>,
    /// Whether the process in question has found a move, and the class of escape of the last one.
    pub moved: Variable,
    pub escape: Variable,
    /// How many steps of a routine have been made.
    pub steps: Variable,
    /// The things in the tuple of the first move that is being translated, as far as they are names.
    pub tuple: Vec<Variable>,
    redo: Option<Block>,
    /// The blocks that something leads to so far.
    targets: EntitySet<Block>,
}

impl<'a, 'f> Translator<'a, 'f> {
    /// Starts the function of a part, or the one that expands a state: the builder is at its first block.
    pub fn new(
        mut builder: FunctionBuilder<'f>,
        plan: &'a Plan<'a>,
        links: &'a mut dyn Links,
        signatures: Signatures,
        part: Option<Part>,
    ) -> Self {
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let parameters = builder.block_params(entry).to_vec();
        let [moved, escape, steps] =
            [types::I8, types::I32, types::I32].map(|ty| builder.declare_var(ty));
        let is_hold = matches!(part, Some(Part::Hold(_)));
        let mut translator = Translator {
            plan,
            links,
            signatures,
            linked: HashMap::new(),
            context: parameters[0],
            cells: parameters[1],
            packed: parameters[2],
            length: is_hold.then(|| parameters[3]),
            numbers: HashMap::new(),
            references: HashMap::new(),
            windows: BTreeMap::new(),
            facts: Facts::default(),
            journal: Journal::default(),
            message: Vec::new(),
            hatch: None,
            hatch_open: false,
            routine_hatch: None,
            quiet: None,
            variables: HashMap::new(),
            moved,
            escape,
            steps,
            tuple: Vec::new(),
            redo: None,
            targets: EntitySet::new(),
            builder,
        };
        if let Some(process) = part.and_then(Part::process)
            && plan.stand_ins.is_process(process)
            && let Some(who) = parameters.last()
        {
            translator.stand_for_process(process, *who);
        }
        translator
    }

    /// Ends the function.
    pub fn finish(mut self) {
        if let Some(redo) = self.redo {
            self.builder.switch_to_block(redo);
            self.give_back(Status::Redo);
        }
        self.builder.seal_all_blocks();
        self.builder.finalize();
    }

    pub fn block(&mut self) -> Block {
        self.builder.create_block()
    }

    /// A block that is rarely reached.
    pub fn cold_block(&mut self) -> Block {
        let block = self.builder.create_block();
        self.builder.set_cold_block(block);
        block
    }

    pub fn switch_to(&mut self, block: Block) {
        self.builder.switch_to_block(block);
    }

    pub fn jump(&mut self, block: Block) {
        self.targets.insert(block);
        self.builder.ins().jump(block, &[]);
    }

    /// Goes to one of two blocks.
    pub fn branch(&mut self, condition: Value, yes: Block, no: Block) {
        self.targets.insert(yes);
        self.targets.insert(no);
        self.builder.ins().brif(condition, yes, &[], no, &[]);
    }

    /// Whether a jump or a branch leads to the block so far.
    pub fn is_target(&self, block: Block) -> bool {
        self.targets.contains(block)
    }

    /// Returns from the function.
    pub fn give_back(&mut self, status: Status) {
        let value = self.builder.ins().iconst(types::I32, status as i64);
        self.builder.ins().return_(&[value]);
    }

    /// Where the state is given back to the interpreter.
    pub fn redo_block(&mut self) -> Block {
        if let Some(block) = self.redo {
            return block;
        }
        let block = self.cold_block();
        self.redo = Some(block);
        block
    }

    /// Something went wrong in the model, or is unusual: the interpreter expands the state from the start.
    pub fn redo(&mut self) -> Ended {
        let block = self.redo_block();
        self.jump(block);
        Ended
    }

    /// Goes on only if the condition holds.
    pub fn require(&mut self, condition: Value) {
        let (redo, next) = (self.redo_block(), self.block());
        self.branch(condition, next, redo);
        self.switch_to(next);
    }

    /// Goes on only if the condition holds; elsewhere otherwise.
    pub fn proceed_if(&mut self, condition: Value, otherwise: Block) {
        let next = self.block();
        self.branch(condition, next, otherwise);
        self.switch_to(next);
    }

    /// A step that cannot be translated: what it has changed is put back, and the interpreter makes it.
    pub fn give_up(&mut self) -> Ended {
        if !self.hatch_open {
            return self.redo();
        }
        if self.journal_is_late() {
            return self.give_up_routine();
        }
        let hatch = match self.hatch {
            Some(hatch) => hatch,
            None => {
                let hatch = self.block();
                self.hatch = Some(hatch);
                hatch
            }
        };
        let journal = std::mem::take(&mut self.journal);
        self.undo(&journal);
        self.journal = journal;
        self.jump(hatch);
        Ended
    }

    // Memory. Cells, packed bytes and the context never overlap.

    pub fn cell_flags() -> MemFlags {
        MemFlags::trusted().with_alias_region(Some(AliasRegion::Heap))
    }

    pub fn packed_flags() -> MemFlags {
        MemFlags::new()
            .with_notrap()
            .with_alias_region(Some(AliasRegion::Table))
    }

    pub fn context_flags() -> MemFlags {
        MemFlags::trusted().with_alias_region(Some(AliasRegion::Vmctx))
    }

    /// What is counted is in none of them.
    pub fn count_flags() -> MemFlags {
        MemFlags::trusted()
    }

    /// A field of the context.
    pub fn context_field(&mut self, offset: usize) -> Value {
        let flags = Self::context_flags();
        self.builder
            .ins()
            .load(types::I64, flags, self.context, offset as i32)
    }

    // Who takes part in a move.

    /// The moves of a process begin.
    pub fn begin_party(&mut self, process: u32) {
        let first = self.short_number(process);
        let offset = offset_of!(Context, party.first) as i32;
        let flags = Self::context_flags();
        self.builder.ins().store(flags, first, self.context, offset);
        let all = self.party_bit(process);
        self.set_party(all);
    }

    /// One more takes part. Gives those who did before.
    pub fn join_party(&mut self, process: u32) -> Value {
        let before = self.context_field(offset_of!(Context, party.all));
        let bit = self.party_bit(process);
        let all = self.builder.ins().bor(before, bit);
        self.set_party(all);
        before
    }

    /// These take part.
    pub fn set_party(&mut self, all: Value) {
        let (flags, offset) = (Self::context_flags(), offset_of!(Context, party.all));
        self.builder
            .ins()
            .store(flags, all, self.context, offset as i32);
    }

    // Values.

    pub fn number(&mut self, value: i64) -> Value {
        self.builder.ins().iconst(types::I64, value)
    }

    /// The value of an operand, in an instruction.
    pub fn value(&mut self, operand: Operand) -> Value {
        match operand {
            Operand::Constant(value) => self.number(value),
            Operand::Computed { value, .. } => value,
        }
    }

    /// A condition as 0 or 1.
    pub fn truth(&mut self, condition: Value) -> Operand {
        let value = self.builder.ins().uextend(types::I64, condition);
        Operand::computed(value, Bounds::TRUTH)
    }

    pub fn equals(&mut self, value: Value, number: i64) -> Value {
        self.builder.ins().icmp_imm(IntCC::Equal, value, number)
    }

    /// What a register holds.
    pub fn register(&mut self, register: Register) -> Operand {
        match self.facts.registers.get(&register).copied() {
            Some(Held::Known(operand)) => operand,
            Some(Held::Met(bounds)) => {
                let variable = self.variable(register);
                let operand = Operand::computed(self.builder.use_var(variable), bounds);
                self.facts.registers.insert(register, Held::Known(operand));
                operand
            }
            // No code reads a register before it has been set.
            None => Operand::Constant(0),
        }
    }

    pub fn set(&mut self, register: Register, operand: Operand) {
        self.facts.registers.insert(register, Held::Known(operand));
    }

    fn variable(&mut self, register: Register) -> Variable {
        if let Some(variable) = self.variables.get(&register) {
            return *variable;
        }
        let variable = self.builder.declare_var(types::I64);
        self.variables.insert(register, variable);
        variable
    }

    /// Puts what is in registers into their variables, as ways that meet may differ in it.
    pub fn settle_registers(&mut self) {
        let known: Vec<_> = self
            .facts
            .registers
            .iter()
            .map(|(r, held)| (*r, *held))
            .collect();
        for (register, held) in known {
            if let Held::Known(operand) = held {
                let variable = self.variable(register);
                let value = self.value(operand);
                self.builder.def_var(variable, value);
            }
        }
    }

    pub fn define(&mut self, variable: Variable, ty: Type, number: i64) {
        let value = self.builder.ins().iconst(ty, number);
        self.builder.def_var(variable, value);
    }

    // Calls.

    /// Tells the working state.
    pub fn emit(&mut self) {
        let emit = self.context_field(offset_of!(Context, emit));
        self.builder
            .ins()
            .call_indirect(self.signatures.emit, emit, &[self.context]);
    }

    /// Goes on where a process holds control.
    pub fn call_hold(&mut self, hold: Hold) {
        let length = match self.length {
            Some(length) => self.builder.ins().iadd_imm(length, 1),
            None => self.builder.ins().iconst(types::I32, 1),
        };
        let mut arguments = vec![self.context, self.cells, self.packed, length];
        // A partner goes on as whoever moves: both are processes of the same template.
        let process = self.plan.mover(hold.process);
        arguments.extend(self.numbers.get(&hold.process));
        self.call(Part::Hold(Hold { process, ..hold }), &arguments);
    }

    /// Makes the moves of a process, or of the one of that number for whom a stand-in moves.
    pub fn call_process(&mut self, process: u32, who: Option<Value>) {
        let mut arguments = vec![self.context, self.cells, self.packed];
        arguments.extend(who);
        self.call(Part::Process(process), &arguments);
    }

    /// Evaluates the monitors.
    pub fn call_monitors(&mut self) {
        let arguments = [self.context, self.cells, self.packed];
        self.call(Part::Monitors, &arguments);
    }

    fn call(&mut self, part: Part, arguments: &[Value]) {
        let linked = self.linked.get(&part).copied();
        let Some(function) = linked.or_else(|| self.links.link(part, &mut self.builder)) else {
            return;
        };
        self.linked.insert(part, function);
        let call = self.builder.ins().call(function, arguments);
        let status = self.builder.inst_results(call)[0];
        self.return_unless_zero(status);
    }

    /// Hands a status that is not zero on to the caller.
    pub fn return_unless_zero(&mut self, status: Value) {
        let (out, next) = (self.cold_block(), self.block());
        self.branch(status, out, next);
        self.switch_to(out);
        self.builder.ins().return_(&[status]);
        self.switch_to(next);
    }
}
