"""Torch Loupe: explore and edit every stage of the PyTorch 2 compile pipeline.

The public API stands in `compiler.api` and is loaded when first asked for; so this is quick to import, and starting the
window or a worker loads none of it. In the repository this is all that lives here; the wheel has `app`, `compiler` and
`resources` below it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
    from compiler.model.edits.edits import EditGroup
    from compiler.model.ir.graph import Graph

__all__ = [
    "Capture",
    "EditBuilder",
    "EditGroup",
    "Edited",
    "Graph",
    "Links",
    "LoupeError",
    "Recorded",
    "Stage",
    "Transform",
    "Verdict",
    "capture",
    "open",
    "record",
    "show",
]


_FOR_PLUGINS = {
    "EditBuilder": "compiler.analysis.transforms",
    "EditGroup": "compiler.model.edits.edits",
    "Graph": "compiler.model.ir.graph",
    "Transform": "compiler.analysis.transforms",
}
"""What plug-ins are written with: the window loads them, so it must load nothing slow."""


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_FOR_PLUGINS.get(name, "compiler.api")), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load_ipython_extension(shell: object) -> None:
    """``%load_ext torch_loupe`` in a notebook: the magic ``%%loupe``."""
    import_module("compiler.api.magic").register(shell)
