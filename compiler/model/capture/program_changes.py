"""What a capture does differently from the user's file and from torch's defaults: remedies for breaks, and trials.

A change is data. It is carried out in the worker while the program is loaded and captured, on a copy: neither the
user's file nor anything that outlives the capture is touched.
"""

import hashlib
from typing import TypeAlias

import msgspec

ConfigValue: TypeAlias = bool | int | float | str | None


class SetConfig(msgspec.Struct, frozen=True, tag="set_config"):
    """Set one of torch's switches."""

    name: str
    """``torch._dynamo.config.capture_scalar_outputs``."""
    value: ConfigValue


class SetCompileArgument(msgspec.Struct, frozen=True, tag="set_compile_argument"):
    """Another argument of ``torch.compile``."""

    name: str
    """``dynamic``, ``fullgraph``, ``mode``."""
    value: ConfigValue


class SetCompileOption(msgspec.Struct, frozen=True, tag="set_compile_option"):
    """One entry of ``torch.compile(options=...)``."""

    name: str
    """``epilogue_fusion``, ``cpp.threads``."""
    value: ConfigValue


class AddToConfig(msgspec.Struct, frozen=True, tag="add_to_config"):
    """Add a function to one of torch's sets of functions."""

    name: str
    """``torch._dynamo.config.reorderable_logging_functions``."""
    function: str
    """``print`` or ``warnings.warn``: how Python finds it."""


class MarkDynamic(msgspec.Struct, frozen=True, tag="mark_dynamic"):
    """``torch._dynamo.mark_dynamic`` on one dimension of one argument."""

    argument: str
    """Parameter name of the target, or its position."""
    dimension: int


class AllowInGraph(msgspec.Struct, frozen=True, tag="allow_in_graph"):
    """``torch.compiler.allow_in_graph``: the call goes into the graph unseen."""

    function: str
    """Name as found in the target's file: ``helper``, ``Net.scale``, ``package.module.function``."""


class TraceNonstrictly(msgspec.Struct, frozen=True, tag="trace_nonstrictly"):
    """``nonstrict_trace``: the call goes into Dynamo's graph unseen, and AOTAutograd traces what it runs."""

    function: str
    """A function or method of the target's file: ``helper``, ``Net.scale``."""
    by: str
    """How this torch calls it: ``torch.compiler.nonstrict_trace``."""


class DisableFunction(msgspec.Struct, frozen=True, tag="disable_function"):
    """``torch.compiler.disable``: the function and all it calls run eagerly, as one break."""

    function: str


COMPILE_ONCE, CHECKPOINT = "torch.compiler.nested_compile_region", "torch.utils.checkpoint.checkpoint"


class WrapFunction(msgspec.Struct, frozen=True, tag="wrap_function"):
    """A function or method called through one of torch's: compiled once for all its calls, or its activations not kept."""

    function: str
    """``Block.forward``."""
    by: str
    """`COMPILE_ONCE` or `CHECKPOINT`."""


class ReplaceSource(msgspec.Struct, frozen=True, tag="replace_source"):
    """Load a file of the user's with other text. The file on disk stays as it is."""

    path: str
    text: str
    """The whole new text."""
    title: str = ""
    """What is different, in words: ``the print moved to the end of forward``."""
    on_disk: str = ""
    """`fingerprint` of the text on disk that this is a change of: it is never written over another one."""


def fingerprint(text: str) -> str:
    """What a text is recognised by."""
    return hashlib.sha256(text.encode()).hexdigest()


Change: TypeAlias = (
    SetConfig
    | SetCompileArgument
    | SetCompileOption
    | AddToConfig
    | MarkDynamic
    | AllowInGraph
    | TraceNonstrictly
    | DisableFunction
    | WrapFunction
    | ReplaceSource
)
