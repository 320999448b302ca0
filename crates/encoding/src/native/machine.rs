//! The compiler for machine code, and the code that it has made.

use super::plan::Plan;
use super::running::{self, Code, Run};
use super::translator::{Hold, Links, Signatures, Translator};
use crate::shape::Shape;
use crate::stepper::{Sink, Stepper};
use cranelift_codegen::Context;
use cranelift_codegen::ir::{AbiParam, FuncRef, Signature, UserFuncName, types};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable, SetError};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, ModuleError, default_libcall_names};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// The code of a program has at most so many bytes. They are reserved, not used, until there is code. Calls between functions are
/// short as long as all of them are in one piece of memory.
const ARENA: usize = 64 << 20;

/// Machine code for a shape.
pub(crate) struct Function {
    /// Tells functions of a program apart.
    pub id: u64,
    pub shape: Arc<Shape>,
    /// What is taken for granted: cells and their values.
    pub constants: Vec<(u32, i64)>,
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
    /// Expands the working state of a stepper, which is of this shape.
    #[allow(unsafe_code)]
    pub fn run(&self, stepper: &mut Stepper<'_>, sink: &mut impl Sink) -> Run {
        assert!(stepper.has_room_for(&self.shape));
        // SAFETY: the stepper has room for the shape that the code is made for, and the code belongs to the program
        // of the stepper, which outlives it.
        unsafe { running::run(self.code, stepper, sink) }
    }

    /// Expands the same state once more, and takes back what was counted.
    #[allow(unsafe_code)]
    pub fn run_back(&self, stepper: &mut Stepper<'_>) {
        assert!(stepper.has_room_for(&self.shape));
        // SAFETY: as above.
        unsafe { running::run_back(self.code, stepper) }
    }
}

/// Compiles functions.
pub(super) struct Machine {
    module: Option<JITModule>,
    frontend: FunctionBuilderContext,
    functions: u64,
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
        })
    }

    /// Compiles the functions of a plan. Nothing if there is no room left, or the compiler has a limit that they are beyond.
    pub fn compile(&mut self, plan: &Plan<'_>) -> Option<Function> {
        let module = self.module.as_mut()?;
        let code = match compile(module, &mut self.frontend, plan) {
            Ok(code) => code,
            Err(_) => {
                // What is half made cannot be completed.
                self.frontend = FunctionBuilderContext::new();
                return None;
            }
        };
        self.functions += 1;
        Some(Function {
            id: self.functions,
            shape: plan.shape.clone(),
            constants: plan.constants.iter().map(|(c, v)| (*c, *v)).collect(),
            code,
        })
    }
}

/// The machine at hand.
fn target() -> Result<Option<OwnedTargetIsa>, SetError> {
    let mut flags = settings::builder();
    flags.set("opt_level", "speed")?;
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
            emit: make(&[pointer], false),
            interpret: make(&[pointer, number, number, number, number], true),
            first_visit: make(&[pointer, number], true),
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

/// The functions for processes that hold control.
struct Holds<'m> {
    module: &'m mut JITModule,
    signature: Signature,
    functions: HashMap<Hold, FuncId>,
    waiting: Vec<Hold>,
    failed: Option<ModuleError>,
}

impl Links for Holds<'_> {
    fn link(&mut self, hold: Hold, builder: &mut FunctionBuilder<'_>) -> Option<FuncRef> {
        let function = match self.functions.get(&hold) {
            Some(function) => *function,
            None => match self.module.declare_anonymous_function(&self.signature) {
                Ok(function) => {
                    self.functions.insert(hold, function);
                    self.waiting.push(hold);
                    function
                }
                Err(error) => {
                    self.failed = Some(error);
                    return None;
                }
            },
        };
        Some(self.module.declare_func_in_func(function, builder.func))
    }
}

#[allow(unsafe_code)]
fn compile(
    module: &mut JITModule,
    frontend: &mut FunctionBuilderContext,
    plan: &Plan<'_>,
) -> Result<Code, ModuleError> {
    let types = Types::new(module);
    let expansion = module.declare_anonymous_function(&types.expansion)?;
    let mut holds = Holds {
        module,
        signature: types.hold.clone(),
        functions: HashMap::new(),
        waiting: Vec::new(),
        failed: None,
    };
    let mut context = holds.module.make_context();
    define(
        &mut holds,
        frontend,
        &mut context,
        &types,
        plan,
        (expansion, None),
    )?;
    while let Some(hold) = holds.waiting.pop() {
        let function = holds.functions[&hold];
        define(
            &mut holds,
            frontend,
            &mut context,
            &types,
            plan,
            (function, Some(hold)),
        )?;
    }
    holds.module.finalize_definitions()?;
    let code = holds.module.get_finalized_function(expansion);
    // SAFETY: the function was made with the signature of `Code` and the calling convention of the machine.
    Ok(unsafe { std::mem::transmute::<*const u8, Code>(code) })
}

fn define(
    holds: &mut Holds<'_>,
    frontend: &mut FunctionBuilderContext,
    context: &mut Context,
    types: &Types,
    plan: &Plan<'_>,
    (function, hold): (FuncId, Option<Hold>),
) -> Result<(), ModuleError> {
    context.func.signature = match hold {
        Some(_) => types.hold.clone(),
        None => types.expansion.clone(),
    };
    context.func.name = UserFuncName::user(0, function.as_u32());
    let mut builder = FunctionBuilder::new(&mut context.func, frontend);
    let signatures = types.import(&mut builder);
    let translator = Translator::new(builder, plan, holds, signatures);
    match hold {
        Some(hold) => translator.hold(hold),
        None => translator.expansion(),
    }
    if let Some(error) = holds.failed.take() {
        return Err(error);
    }
    holds.module.define_function(function, context)?;
    holds.module.clear_context(context);
    Ok(())
}
