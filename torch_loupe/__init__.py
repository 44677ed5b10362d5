"""Torch Loupe: explore and edit every stage of the PyTorch 2 compile pipeline.

The public API stands in `compiler.api` and is loaded when first asked for; so this is quick to import, and starting the
window or a worker loads none of it. In the repository this is all that lives here; the wheel has `app`, `compiler` and
`resources` below it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.session.facade.session import Session
    from compiler.analysis.plugins import Pane
    from compiler.analysis.remedies import Remedy, RemedyRule
    from compiler.analysis.transforms import EditBuilder, Transform
    from compiler.api import (
        Capture,
        Edited,
        Links,
        LoupeError,
        Recorded,
        Stage,
        Verdict,
        capture,
        open,
        record,
        show,
    )
    from compiler.model.capture.frames import GraphBreak
    from compiler.model.capture.program_changes import (
        DisableFunction,
        ReplaceSource,
        SetCompileArgument,
        SetCompileOption,
        SetConfig,
        WrapFunction,
    )
    from compiler.model.edits.edits import EditGroup
    from compiler.model.ir.gpu_target import GpuTarget
    from compiler.model.ir.graph import Graph
    from compiler.model.ir.ids import Place

__all__ = [
    "Capture",
    "DisableFunction",
    "EditBuilder",
    "EditGroup",
    "Edited",
    "GpuTarget",
    "Graph",
    "GraphBreak",
    "Links",
    "LoupeError",
    "Pane",
    "Place",
    "Recorded",
    "Remedy",
    "RemedyRule",
    "ReplaceSource",
    "SetCompileArgument",
    "SetCompileOption",
    "SetConfig",
    "Session",
    "Stage",
    "Transform",
    "Verdict",
    "WrapFunction",
    "capture",
    "open",
    "record",
    "show",
]


_CHANGES = "compiler.model.capture.program_changes"
_FOR_PLUGINS = {
    "DisableFunction": _CHANGES,
    "EditBuilder": "compiler.analysis.transforms",
    "EditGroup": "compiler.model.edits.edits",
    "GpuTarget": "compiler.model.ir.gpu_target",
    "Graph": "compiler.model.ir.graph",
    "GraphBreak": "compiler.model.capture.frames",
    "Pane": "compiler.analysis.plugins",
    "Place": "compiler.model.ir.ids",
    "Remedy": "compiler.analysis.remedies",
    "RemedyRule": "compiler.analysis.remedies",
    "ReplaceSource": _CHANGES,
    "SetCompileArgument": _CHANGES,
    "SetCompileOption": _CHANGES,
    "Session": "app.session.facade.session",
    "SetConfig": _CHANGES,
    "Transform": "compiler.analysis.transforms",
    "WrapFunction": _CHANGES,
}
"""What plug-ins are written with: the window loads them, so it must load nothing slow. `Session` is for a pane's module only."""


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_FOR_PLUGINS.get(name, "compiler.api")), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load_ipython_extension(shell: object) -> None:
    """``%load_ext torch_loupe`` in a notebook: the magic ``%%loupe``."""
    import_module("compiler.api.magic").register(shell)
