"""Which sizes Dynamo has met of each function, by its name: from the second on it compiles for symbols. Versions of a program
that live side by side have functions of the same names, and each would begin with what the others met.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from torch._dynamo import pgo

from compiler.engine.torch_internals.patch.patching import is_there

GIVES = "versions of a program side by side, each with the sizes it met"
NEEDS = ("torch._dynamo.pgo:_CODE_STATE",)

_active: list["SizesSeen"] = []
_forgotten: list[int] = [0]
"""How often all that was compiled was forgotten, and with it the sizes of every version."""


def forget_all() -> None:
    """Torch was reset: it knows no sizes any more."""
    _forgotten[0] += 1


class SizesSeen:
    """Of one version of a program."""

    def __init__(self) -> None:
        self._state: Any = None
        self._forgotten = _forgotten[0]

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """While this is entered Dynamo knows the sizes that this version met, and notes others. They stay known after it,
        until another version is in force: what runs then is this one.
        """
        if not is_there(NEEDS[0]):
            yield
            return
        if self._forgotten != _forgotten[0]:
            self._state, self._forgotten = None, _forgotten[0]
        if _active:
            _active[-1]._state = pgo._CODE_STATE
        if not _active or _active[-1] is not self:
            pgo._CODE_STATE = self._state
        _active.append(self)
        try:
            yield
        finally:
            self._state = pgo._CODE_STATE
            _active.pop()
            if _active:
                pgo._CODE_STATE = _active[-1]._state
