"""Reading symbolic sizes without telling torch anything: comparing one, or making a number of it, would else be a guard, and
what was compiled would then hold for this one size only.
"""

import contextlib
import functools
from typing import Any

from torch.fx.experimental.symbolic_shapes import ShapeEnv

GIVES = "reading that makes no guards"
NEEDS = ("torch.fx.experimental.symbolic_shapes:ShapeEnv.suppress_guards",)


def without_guards() -> contextlib.AbstractContextManager[None]:
    """While this is entered, what is asked of sizes is answered by those of this run, and noted nowhere."""
    suppress = getattr(_any_shapes(), "suppress_guards", contextlib.nullcontext)
    found: contextlib.AbstractContextManager[None] = suppress()
    return found


@functools.cache
def _any_shapes() -> Any:
    """Torch suppresses guards for a thread, whichever of its shapes it is asked of."""
    return ShapeEnv()
