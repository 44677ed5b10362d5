"""What Dynamo did with each Python frame: captured, broke, resumed, skipped."""

import enum
import re

import msgspec

from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import Place, StageId

_SETTING = re.compile(r"torch\._dynamo\.config\.(\w+) ?= ?True\b")
_OPERATOR = re.compile(r"\w+\.\w+\.\w+")
_ARGUMENT = re.compile(r"<class '[\w.]+\.(\w+)'>")


class BreakCategory(enum.Enum):
    """In which way capturing ended; torch counts only the first."""

    BREAK = "graph break"
    SKIPPED_FRAME = "skipped frame"
    """Dynamo gave the whole frame up: it runs eagerly, and functions it calls are compiled as frames of their own."""
    LOOP = "break in a loop"
    """A break inside a loop, for which Dynamo gives the whole frame up."""
    INLINING_REFUSED = "inlining refused"
    """A called function that Dynamo will not look into."""
    RECOMPILE_LIMIT = "recompile limit"
    """Compiled too often; from then on the frame runs eagerly."""
    ERROR = "error"
    """With ``fullgraph=True``: torch.compile raised here."""
    EXPORT = "export error"
    """``torch._dynamo.export`` raised here: it makes one graph or none, so that no program runs in parts. Not counted."""
    FAILURE = "failure"
    """Torch.compile raised here for something else than a break: no graph break, and not counted as one."""

    @property
    def is_counted(self) -> bool:
        """Whether it is a graph break: not what torch.compile or an export failed at."""
        return self not in (BreakCategory.EXPORT, BreakCategory.FAILURE)


class StackValue(msgspec.Struct, frozen=True, array_like=True):
    """One value on Dynamo's symbolic stack."""

    kind: str
    """Torch's class: ``TensorVariable``, ``ConstantVariable``."""
    text: str = ""
    """What is known of it: ``f32[32, 128]``, ``3``, ``print``."""
    node: str = ""
    """The FX node that makes it, where it is one."""


class GraphBreak(msgspec.Struct, frozen=True):
    """One place where Dynamo stopped capturing."""

    id: str
    frame: str
    """The compile id of the frame, ``"0/0"``; empty if the frame was never compiled."""
    kind: str
    """Torch's ``gb_type``, ``"Data-dependent branching"``."""
    reason: str
    """What torch said, whole."""
    registry_id: str = ""
    """``"GB0170"`` from torch's own registry, or empty."""
    explanation: str = ""
    context: str = ""
    hints: tuple[str, ...] = ()
    stack: tuple[SourceLine, ...] = ()
    """The user's stack, innermost last."""
    instruction: Place | None = None
    """The bytecode instruction it stopped at."""
    count: int = 1
    """How often the same cause was met on the same line."""
    skipped_frame: bool = False
    """The whole frame was given up and runs eagerly; with `rest_eager` it was a resume function."""
    sort: BreakCategory = BreakCategory.BREAK
    symbolic_stack: tuple[StackValue, ...] = ()
    """What Dynamo held on the stack there, the top last."""
    callee: str = ""
    """For a call that Dynamo would not take in: what was called, ``time.sleep``."""
    caused_by: str = ""
    """The id of the break that led to this one: a skipped frame names the break in its loop."""
    rest_eager: bool = False
    """Capturing could not go on after it: the rest of the function runs eagerly."""
    reported: SourceLine | None = msgspec.field(default=None, name="told")
    """The innermost line of the user's own on the stack, else of a library; None: there is neither."""

    @property
    def settings_named(self) -> tuple[str, ...]:
        """Settings of Dynamo that torch says to set to True, wherever it says so."""
        return tuple(dict.fromkeys(_SETTING.findall(self.reason)))

    @property
    def where(self) -> SourceLine | None:
        """The line that is reported, where only one is."""
        return self.reported or (self.stack[-1] if self.stack else None)

    @property
    def operator(self) -> str:
        """``aten.equal.default``, where torch's note for its developers is an operator's name and nothing else."""
        return self.context if _OPERATOR.fullmatch(self.context) else ""

    @property
    def argument_kinds(self) -> frozenset[str]:
        """``{"SizeVariable"}``: what Dynamo held for the arguments of a builtin that it cannot trace; empty where it does not say."""
        return (
            frozenset(_ARGUMENT.findall(self.context)) if self.context.startswith("builtin ") else frozenset()
        )


class InlinedCall(msgspec.Struct, frozen=True, array_like=True):
    """A call that Dynamo traced into the frame's own graph."""

    name: str
    path: str
    line: int
    """Where the called function begins."""
    depth: int
    """1 for a call of the frame itself."""
    caller_path: str
    caller_line: int
    nodes: int = 0
    """FX nodes made inside it, deeper calls included."""
    refused: str = ""
    """Why Dynamo would not take it in, or empty."""
    times: int = 1
    """How many calls in a row from the same line are reported as one."""


class Frame(msgspec.Struct, frozen=True):
    """One compile of one Python frame."""

    id: str
    """Torch's compile id, ``"0/0"``, or ``"skipped-1"``."""
    name: str
    path: str
    line: int
    original: StageId = ""
    rewritten: StageId = ""
    graph: StageId = ""
    parent: str = ""
    """For a resume function: the frame whose break made it."""
    breaks: tuple[str, ...] = ()
    restarts: tuple[str, ...] = ()
    """Why Dynamo began this frame again, once for each further attempt."""
    recompile_reasons: tuple[str, ...] = ()
    guards: int = 0
    error: str = ""
    skip_reason: str = ""
    seconds: float | None = None
    calls: tuple[InlinedCall, ...] = ()
    """Calls traced into this frame, in order, each after its caller."""
    caller: str = ""
    """Compile id of the frame that was running when this one was called and compiled."""
    caches: tuple[str, ...] = ()
    """What torch's graph caches gave for it, ``FX graph cache: 2 hit``; empty where they are off."""
    callers: tuple[SourceLine, ...] = ()
    """The lines that were running when it was called and compiled, innermost last; empty where nobody noted them."""


class VariableSize(msgspec.Struct, frozen=True, array_like=True):
    """What Dynamo knew of a local variable when a line had been traced."""

    path: str
    line: int
    name: str
    text: str
    """``f32[32, 128]``, ``f32[s0, 128]``, ``int s0``."""
    compile_id: str
    node: str = ""
    """The FX node that it is, in the frame's Dynamo graph."""
