"""What to capture and how: everything a person can choose, as data."""

from typing import TypeAlias

import msgspec

from compiler.model.capture.config_inputs import ConfigInputs
from compiler.model.capture.front_ends import DYNAMO, DYNAMO_FULLGRAPH, EXPORT, SAVED
from compiler.model.capture.gpu_assumptions import Assumption
from compiler.model.capture.program_changes import Change
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.gpu_target import GpuTarget
from compiler.model.prediction.parallel_plan import ParallelPlan, StepOptions

OptionValue: TypeAlias = bool | int | float | str | None


class TargetSpec(msgspec.Struct, frozen=True):
    """A program to capture."""

    name: str
    """``file.py:Name`` or ``package.module:Name``."""
    folder: str = ""
    """Folder that relative paths and module names start from; the worker never depends on its own."""
    inputs: str | None = None
    """Python text that makes the arguments, such as ``torch.randn(8, 128)``; None: the file's
    ``example_inputs()``. Evaluated in the worker only."""
    keyword_inputs: str | None = None
    """Python text of keyword arguments as they stand in a call: ``mask=None, scale=2.0``."""
    mine: tuple[str, ...] = ()
    """Folders and packages that are the user's own beside what is neither installed nor Python's nor torch's."""
    recorded: tuple[str, ...] = ()
    """The command of a program that ran by itself and was recorded; `name` is no target then, and nothing can be run again."""
    config: ConfigInputs | None = None
    """Of a ``config.json``: what is made of it, where `inputs` say nothing."""


def not_to_be_run(spec: TargetSpec) -> Problem:
    """What is said where something asks to run a program that was recorded while it ran."""
    return Problem(
        f"This was recorded while {spec.name} ran; it is not run again from here.",
        "Look at all of it here; to edit and compile again, open a model of it as file.py:Name.",
    )


class CompileOptions(msgspec.Struct, frozen=True):
    """Every argument of ``torch.compile`` that can be written down, under its own name. The last three are newer than torch
    2.11.
    """

    mode: str | None = None
    fullgraph: bool = False
    dynamic: bool | None = None
    backend: str = "inductor"
    options: tuple[tuple[str, OptionValue], ...] = ()
    disable: bool = False
    recompile_limit: int | None = None
    isolate_recompiles: bool = False
    name: str | None = None


class RunOptions(msgspec.Struct, frozen=True):
    """How the program is run while it is captured."""

    training: bool | None = None
    """Call ``.train()`` or ``.eval()`` on a module; None: leave it as it is."""
    gradients: bool = True
    """Run with grad mode on and, where a result requires grad, run backward."""
    seed: int = 0


def run_of_config(training: bool | None, gradients: bool = True, seed: int = 0) -> RunOptions:
    """How a configuration's model is run: one step of training, or inference, of which no gradients are asked."""
    return RunOptions(bool(training), bool(training) and gradients, seed)


class CaptureSpec(msgspec.Struct, frozen=True):
    """One capture to make."""

    target: TargetSpec
    compile: CompileOptions = CompileOptions()
    run: RunOptions = RunOptions()
    changes: tuple[Change, ...] = ()
    """What is done differently from the user's file and torch's defaults, in order. The file itself stays as it is."""
    device: GpuTarget | None = None
    """A GPU to compile for that need not be there; None: where the program's tensors are."""
    front_end: str = DYNAMO
    """How to capture (`compiler.model.capture.front_ends`)."""
    run_on: str = ""
    """``cpu`` or ``cuda``: where the program's tensors are moved to; empty: to the GPU if there is one."""
    assume: tuple[Assumption, ...] = ()
    """With `device`: what to assume where that GPU would measure. With `without_values`: what a line finds that asks a
    tensor for its value."""
    generated: str = ""
    """Python in place of what torch.fx generates, for that front end; empty: what it generates."""
    without_values: bool = False
    """Built under fake tensors: no parameter is allocated, and nothing runs."""
    parallel: ParallelPlan | None = None
    """Of many processes this is one; the others are not there. Only where nothing runs."""
    step: StepOptions | None = None
    """A step is run on fakes, for its memory and time to be predicted. Only where nothing runs."""

    @property
    def is_only_compiled(self) -> bool:
        """Whether nothing of the program runs: the GPU is not here, or its tensors have no values."""
        return self.device is not None or self.without_values

    @property
    def is_of_dynamo(self) -> bool:
        """Whether Dynamo captures it, which divides a program into graphs; another front end has stages of its own."""
        return self.front_end in (DYNAMO, DYNAMO_FULLGRAPH)

    @property
    def compiled_for(self) -> str:
        """The name of what it is compiled for, where it is only compiled."""
        return self.device.name if self.device is not None else "the CPU, without values"


def with_torch_compile(spec: CaptureSpec) -> CaptureSpec:
    """The spec with torch.compile's arguments in place of a front end that is torch.compile with an argument; a file that
    torch.export saved is that front end's.
    """
    if spec.target.name.endswith(SAVED):
        return msgspec.structs.replace(spec, front_end=EXPORT)
    if spec.front_end != DYNAMO_FULLGRAPH:
        return spec
    options = msgspec.structs.replace(spec.compile, fullgraph=True)
    return msgspec.structs.replace(spec, front_end=DYNAMO, compile=options)


class ArgumentSpec(msgspec.Struct, frozen=True):
    """One argument of a target, for the form that lets people change it."""

    name: str
    """Parameter name, or its position."""
    kind: str
    """``tensor`` or ``value``."""
    shape: tuple[int, ...] = ()
    dtype: str = ""
    device: str = ""
    requires_grad: bool = False
    text: str = ""
    """For values: their spelling."""
    keyword: bool = False


class TargetDescription(msgspec.Struct, frozen=True):
    """What a target turned out to be."""

    kind: str
    """``module class``, ``module``, ``module function`` (which makes one) or ``function``."""
    signature: str
    arguments: tuple[ArgumentSpec, ...]
