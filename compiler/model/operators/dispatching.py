"""Torch's dispatcher: the table of an operator, the keys of a tensor, the calls of one run."""

import msgspec

from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.counted import more_than
from compiler.model.ir.graph import SourceLine

GITHUB = "https://github.com/pytorch/pytorch/blob"


class CodePlace(msgspec.Struct, frozen=True):
    """A line of torch's own code, or of a Python file that registered a kernel."""

    path: str
    """From the root of torch's repository, ``aten/src/ATen/autocast_mode.cpp``; absolute for other files."""
    line: int

    @property
    def generated(self) -> bool:
        """Whether the file is made when torch is built, so that its repository does not hold it."""
        return self.path.startswith("build/") or "/generated/" in self.path

    def link(self, commit: str) -> str:
        """Where GitHub shows the line at a commit; empty for files that are not in torch's repository."""
        if not commit or not self.path or self.generated or self.path.startswith(("/", "<")):
            return ""
        return f"{GITHUB}/{commit}/{self.path}#L{self.line}"

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.path else ""


NO_PLACE = CodePlace("", 0)


class KernelRow(msgspec.Struct, frozen=True):
    """What one dispatch key does for an operator."""

    key: str
    kind: str
    """As torch says it: ``kernel``, ``autograd kernel``, ``math kernel``, ``default backend kernel``, ``backend fallback``."""
    place: CodePlace = NO_PLACE
    falls_through: bool = False
    """The call goes on to the next key at once."""


class Registration(msgspec.Struct, frozen=True):
    """A kernel as somebody registered it, before torch computed the table from all of them."""

    key: str
    """``CPU``, or an alias of many keys: ``Autograd[alias]``."""
    place: CodePlace = NO_PLACE
    active: bool = True
    """False: a later registration for the same key took its place."""


class OperatorTable(msgspec.Struct, frozen=True, tag="operator_table"):
    """The dispatch table of one operator overload. Reply to `ShowOperator`."""

    name: str
    """``aten::add.Tensor``."""
    schema: str
    rows: tuple[KernelRow, ...]
    """The keys with the highest priority first, as the dispatcher looks at them."""
    registrations: tuple[Registration, ...]
    commit: str = ""
    """Of the torch that is installed."""


class TensorKeys(msgspec.Struct, frozen=True):
    """The dispatch keys that one kind of tensor carries, the highest first."""

    tensor: str
    made_by: str
    keys: tuple[str, ...]
    why: str = ""
    """Where torch could not make one: its words."""


class OperatorNames(msgspec.Struct, frozen=True, tag="operator_names"):
    """Every operator overload that is registered in this process. Reply to `ListOperators`."""

    names: tuple[str, ...]
    commit: str = ""


class TensorKeySets(msgspec.Struct, frozen=True, tag="tensor_key_sets"):
    """Reply to `ListKeySets`."""

    rows: tuple[TensorKeys, ...]


class DispatchCall(msgspec.Struct, frozen=True):
    """One kernel that the dispatcher called."""

    depth: int
    """Calls inside a call are one deeper and follow it."""
    operator: str
    key: str
    kind: str
    place: CodePlace = NO_PLACE
    keys: str = ""
    """The key set that the kernel was given: what is still to come."""
    microseconds: float = 0.0
    """With our shims around it and around all it calls: for comparison among calls, not as a time of the program's."""
    line: SourceLine | None = None
    """The user's line that made the call; for the backward, the line of the forward it belongs to."""
    backward: bool = False


class DispatchTrace(msgspec.Struct, frozen=True, tag="dispatch_trace"):
    """The calls of one step of a program. Reply to `TraceDispatch`."""

    calls: tuple[DispatchCall, ...]
    different: tuple[str, ...] = ()
    """Results of the traced step that are not those of the untraced one, bit by bit, but for `unsteady` ones."""
    compared: int = 0
    """How many results were compared."""
    operators: int = 0
    """Overloads that were listened to."""
    shims: int = 0
    """Kernels that were listened to."""
    left_alone: tuple[str, ...] = ()
    """Kernels that could not be listened to, with torch's reason."""
    commit: str = ""
    unsteady: tuple[str, ...] = ()
    """Results that change from one untraced step to the next, and so say nothing about the traced one; looked for where a result
    is not the untraced step's.
    """


class ListOperators(msgspec.Struct, frozen=True, tag="list_operators"):
    """Replies with `OperatorNames`."""


class ListKeySets(msgspec.Struct, frozen=True, tag="list_key_sets"):
    """Replies with `TensorKeySets`."""


class ShowOperator(msgspec.Struct, frozen=True, tag="show_operator"):
    """Replies with `OperatorTable`. Fails for a name that is not registered."""

    name: str
    """``aten::add.Tensor``, or as graphs write it: ``aten.add.Tensor``, ``aten.relu.default``."""


class TraceDispatch(msgspec.Struct, frozen=True, tag="trace_dispatch"):
    """Run a step of a program in a process of its own with every kernel listened to. Replies with `DispatchTrace`."""

    spec: CaptureSpec


_DISTINGUISHING = ("CPU", "AutogradCPU", "CUDA", "AutogradCUDA", "AutocastCPU")
"""The keys that say most of what others are served too."""


class KernelGroup(msgspec.Struct, frozen=True):
    """Keys that are served by one kernel."""

    kind: str
    place: CodePlace
    falls_through: bool
    keys: tuple[str, ...]
    """In the order of the table."""

    @property
    def name(self) -> str:
        """``AutogradCPU and 15 more``: the key of the CPU stands for the others."""
        first = next((key for key in _DISTINGUISHING if key in self.keys), self.keys[0])
        return " ".join((first, *more_than(1, self.keys)))

    @property
    def shared(self) -> bool:
        """Whether it is no kernel of this operator: it serves all operators, or only passes the call on."""
        return self.falls_through or self.kind == "backend fallback"


def grouped(rows: tuple[KernelRow, ...]) -> tuple[KernelGroup, ...]:
    """The rows of a table, those of one kernel together, in the order in which the CPU's key of each comes."""
    found: dict[tuple[str, CodePlace, bool], list[str]] = {}
    for row in rows:
        found.setdefault((row.kind, row.place, row.falls_through), []).append(row.key)
    order = {row.key: index for index, row in enumerate(rows)}
    groups = [KernelGroup(*kernel, tuple(keys)) for kernel, keys in found.items()]
    return tuple(sorted(groups, key=lambda group: order[group.name.partition(" ")[0]]))


_PREFIXES = ("torch.ops.", "torch.nn.functional.", "torch.Tensor.", "torch.", "F.")


def names_meant(written: str) -> tuple[str, ...]:
    """The dispatcher's names that a person may mean, the likeliest first: ``aten.gelu``, ``torch.ops.aten.gelu.default``,
    ``torch.nn.functional.gelu``, ``gelu`` and ``aten::gelu`` are all ``aten::gelu``; ``softmax.int`` is ``aten::softmax.int``.
    """
    bare = written.strip()
    bare = next((bare.removeprefix(start) for start in _PREFIXES if bare.startswith(start)), bare)
    bare = bare.removesuffix(".default")
    if "::" in bare or not bare:
        return (bare,) if bare else ()
    parts = bare.split(".")
    if len(parts) == 1:
        return (f"aten::{bare}",)
    if len(parts) == 2:
        return f"{parts[0]}::{parts[1]}", f"aten::{bare}"
    return (f"{parts[0]}::{'.'.join(parts[1:])}",)


def operator_name(target: str) -> str:
    """The dispatcher's name of what a graph's node calls: ``aten::relu`` for ``aten.relu.default``; empty where the target
    is no overload of an operator.
    """
    if "::" in target:
        return target.removesuffix(".default")
    parts = target.split(".")
    if len(parts) != 3 or not all(part.replace("_", "a").isalnum() for part in parts):
        return ""
    namespace, name, overload = parts
    return f"{namespace}::{name}" + ("" if overload == "default" else f".{overload}")
