//! The compiler for machine code, and the code that it has made.

use super::plan::Plan;
use super::running::{self, Code, Run};
use super::standins::StandIns;
use super::translator::{Links, Part, Signatures, Translator};
use crate::shape::Shape;
use crate::stepper::{Sink, Stepper};
use cranelift_codegen::Context;
use cranelift_codegen::ir::{AbiParam, FuncRef, Signature, UserFuncName, types};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable, SetError};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

/// The code of a program has at most so many bytes. They are reserved, not used, until there is code. Calls between functions are
/// short as long as all of them are in one piece of memory.
const ARENA: usize = 64 << 20;

/// Machine code for a shape.
pub(crate) struct Function {
    id: u64,
    shape: Arc<Shape>,
    constants: Vec<(u32, i64)>,
    /// Whether it unpacks states itself.
    unpacks: bool,
    /// How many operations better code would have; 0 if there is none.
    copied_operations: u64,
    code: Code,
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Function")
            .field("id", &self.id)
            .field("shape", &self.shape.id)
            .finish_non_exhaustive()
    }
}

impl Function {
    /// Tells functions of a program apart.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The shape that it is for.
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// What is taken for granted: cells and their values.
    pub fn constants(&self) -> &[(u32, i64)] {
        &self.constants
    }

    /// Whether it unpacks states itself; otherwise it wants the cells of the state, too.
    pub fn unpacks(&self) -> bool {
        self.unpacks
    }

    /// How many operations there are in code for each choice and each process; 0 if this is that code.
    pub fn copied_operations(&self) -> u64 {
        self.copied_operations
    }

    /// Expands the working state of a stepper, which is of this shape.
    #[allow(unsafe_code)]
    pub fn run(&self, stepper: &mut Stepper<'_>, sink: &mut impl Sink) -> Run {
        assert!(stepper.has_room_for(&self.shape));
        // SAFETY: the stepper has room for the shape that the code is made for, and the code belongs to the program
        // of the stepper, which outlives it.
        unsafe { running::run(self.code, &self.shape, stepper, sink) }
    }

    /// Expands the same state once more, and takes back what was counted.
    #[allow(unsafe_code)]
    pub fn run_back(&self, stepper: &mut Stepper<'_>) {
        assert!(stepper.has_room_for(&self.shape));
        // SAFETY: as above.
        unsafe { running::run_back(self.code, &self.shape, stepper) }
    }
}

/// Compiles functions.
pub(super) struct Machine {
    module: Option<JITModule>,
    frontend: FunctionBuilderContext,
    functions: u64,
    /// How many bytes of code were made.
    bytes: usize,
    /// The last compilation has failed.
    broken: bool,
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine")
            .field("functions", &self.functions)
            .finish_non_exhaustive()
    }
}

impl Drop for Machine {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the machine belongs to a program. Only its steppers run the code, and they have
            // borrowed it.
            unsafe { module.free_memory() }
        }
    }
}

impl Machine {
    /// A compiler for the machine at hand, if there is one.
    pub fn new() -> Option<Self> {
        let isa = target().ok().flatten()?;
        let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
        builder.memory_provider(Box::new(ArenaMemoryProvider::new_with_size(ARENA).ok()?));
        Some(Machine {
            module: Some(JITModule::new(builder)),
            frontend: FunctionBuilderContext::new(),
            functions: 0,
            bytes: 0,
            broken: false,
        })
    }

    /// How many bytes of code were made.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Compiles the functions of a plan. Nothing if there is no room left, or the compiler has a limit that they are beyond.
    pub fn compile(&mut self, plan: &Plan<'_>) -> Option<Function> {
        let module = self.module.as_mut().filter(|_| !self.broken)?;
        let Some((code, bytes)) = compile(module, &mut self.frontend, plan) else {
            // What is half made cannot be completed, and nothing can be added to it.
            self.broken = true;
            return None;
        };
        self.functions += 1;
        self.bytes += bytes;
        Some(Function {
            id: self.functions,
            shape: plan.real.clone(),
            copied_operations: plan.copied_operations(),
            constants: plan.constants.iter().map(|(c, v)| (*c, *v)).collect(),
            unpacks: plan.unpacks(),
            code,
        })
    }
}

/// The machine at hand.
fn target() -> Result<Option<OwnedTargetIsa>, SetError> {
    let mut flags = settings::builder();
    // The translator leaves little to optimise: the code would be one part in a hundred faster and take twice as long to make.
    // Registers are a different matter: chosen in a single pass, they would be chosen in two thirds of the time, but the whole
    // search of the e-mail system would take a tenth longer.
    flags.set("opt_level", "none")?;
    flags.set("is_pic", "false")?;
    flags.set("use_colocated_libcalls", "false")?;
    flags.set("unwind_info", "false")?;
    flags.set(
        "enable_verifier",
        if cfg!(debug_assertions) {
            "true"
        } else {
            "false"
        },
    )?;
    let Ok(builder) = cranelift_native::builder() else {
        return Ok(None);
    };
    Ok(builder.finish(settings::Flags::new(flags)).ok())
}

/// The signatures of the functions and of what they call.
struct Types {
    expansion: Signature,
    hold: Signature,
    /// The same for stand-ins, who are told the number of the process that they stand for.
    shared_moves: Signature,
    shared_hold: Signature,
    emit: Signature,
    interpret: Signature,
    first_visit: Signature,
}

impl Types {
    fn new(module: &JITModule) -> Self {
        let make = |parameters: &[types::Type], returns: bool| {
            let mut signature = module.make_signature();
            signature
                .params
                .extend(parameters.iter().map(|ty| AbiParam::new(*ty)));
            signature
                .returns
                .extend(returns.then(|| AbiParam::new(types::I32)));
            signature
        };
        let (pointer, number) = (types::I64, types::I32);
        Types {
            expansion: make(&[pointer; 3], true),
            hold: make(&[pointer, pointer, pointer, number], true),
            shared_moves: make(&[pointer; 4], true),
            shared_hold: make(&[pointer, pointer, pointer, number, pointer], true),
            emit: make(&[pointer], false),
            interpret: make(&[pointer, number, number, number, number, number], true),
            first_visit: make(&[pointer, number], true),
        }
    }

    /// The signature of the function of a part, or of the one that expands a state.
    fn of(&self, part: Option<Part>, stand_ins: &StandIns) -> &Signature {
        let process = part.and_then(Part::process);
        let is_shared = process.is_some_and(|process| stand_ins.is_process(process));
        match part {
            Some(Part::Hold(_)) if is_shared => &self.shared_hold,
            Some(Part::Process(_)) if is_shared => &self.shared_moves,
            Some(Part::Hold(_)) => &self.hold,
            Some(Part::Process(_) | Part::Monitors) | None => &self.expansion,
        }
    }

    fn import(&self, builder: &mut FunctionBuilder<'_>) -> Signatures {
        Signatures {
            emit: builder.import_signature(self.emit.clone()),
            interpret: builder.import_signature(self.interpret.clone()),
            first_visit: builder.import_signature(self.first_visit.clone()),
        }
    }
}

/// The functions that others call.
struct Parts<'m> {
    module: &'m mut JITModule,
    types: Types,
    stand_ins: &'m StandIns,
    functions: HashMap<Part, FuncId>,
    waiting: Vec<Part>,
    /// Routines that are too long to be unrolled.
    long: HashSet<u32>,
    failed: bool,
}

impl Parts<'_> {
    /// The function of a part, which is made later if it is new.
    fn function(&mut self, part: Part) -> Option<FuncId> {
        if let Some(function) = self.functions.get(&part) {
            return Some(*function);
        }
        let signature = self.types.of(Some(part), self.stand_ins);
        let function = self.module.declare_anonymous_function(signature).ok()?;
        self.functions.insert(part, function);
        self.waiting.push(part);
        Some(function)
    }
}

impl Links for Parts<'_> {
    fn link(&mut self, part: Part, builder: &mut FunctionBuilder<'_>) -> Option<FuncRef> {
        let function = self.function(part);
        self.failed |= function.is_none();
        Some(self.module.declare_func_in_func(function?, builder.func))
    }

    fn note_long(&mut self, routine: u32) {
        self.long.insert(routine);
    }

    fn is_long(&self, routine: u32) -> bool {
        self.long.contains(&routine)
    }
}

#[allow(unsafe_code)]
fn compile(
    module: &mut JITModule,
    frontend: &mut FunctionBuilderContext,
    plan: &Plan<'_>,
) -> Option<(Code, usize)> {
    let types = Types::new(module);
    let expansion = module.declare_anonymous_function(&types.expansion).ok()?;
    let mut parts = Parts {
        module,
        types,
        stand_ins: &plan.stand_ins,
        functions: HashMap::new(),
        waiting: Vec::new(),
        long: HashSet::new(),
        failed: false,
    };
    let mut context = parts.module.make_context();
    let mut bytes = define(&mut parts, frontend, &mut context, plan, (expansion, None))?;
    while let Some(part) = parts.waiting.pop() {
        let function = (parts.functions[&part], Some(part));
        bytes += define(&mut parts, frontend, &mut context, plan, function)?;
    }
    parts.module.finalize_definitions().ok()?;
    let code = parts.module.get_finalized_function(expansion);
    // SAFETY: the function was made with the signature of `Code` and the calling convention of the machine.
    Some((
        unsafe { std::mem::transmute::<*const u8, Code>(code) },
        bytes,
    ))
}

/// Makes a function, and says how many bytes it has.
fn define(
    parts: &mut Parts<'_>,
    frontend: &mut FunctionBuilderContext,
    context: &mut Context,
    plan: &Plan<'_>,
    (function, part): (FuncId, Option<Part>),
) -> Option<usize> {
    context.func.signature = parts.types.of(part, parts.stand_ins).clone();
    context.func.name = UserFuncName::user(0, function.as_u32());
    let mut builder = FunctionBuilder::new(&mut context.func, frontend);
    let signatures = parts.types.import(&mut builder);
    let translator = Translator::new(builder, plan, parts, signatures, part);
    match part {
        None => translator.expansion(),
        Some(Part::Process(process)) => translator.moves(process),
        Some(Part::Monitors) => translator.checks(),
        Some(Part::Hold(hold)) => translator.hold(hold),
    }
    if parts.failed {
        return None;
    }
    parts.module.define_function(function, context).ok()?;
    let bytes = context
        .compiled_code()
        .map_or(0, |code| code.code_buffer().len());
    parts.module.clear_context(context);
    Some(bytes)
}
