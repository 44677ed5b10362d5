"""Torch Loupe: explore and edit every stage of the PyTorch 2 compile pipeline.

The public API stands in `compiler.api` and is loaded when first asked for; so this is quick to import, and starting the
window or a worker loads none of it. In the repository this is all that lives here; the wheel has `app`, `compiler` and
`resources` below it.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from compiler.api import Capture, Edited, Links, LoupeError, Stage, Verdict, capture, open, show

__all__ = ["Capture", "Edited", "Links", "LoupeError", "Stage", "Verdict", "capture", "open", "show"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from compiler import api

    return getattr(api, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
