"""The numbers that AOTAutograd gives to graphs and Inductor writes into their code: a graph that is compiled again keeps
its own, and a capture that begins cold begins at none, so that texts of two compiles can be compared.
"""

import contextlib
import itertools
from collections.abc import Iterator
from unittest.mock import patch

from compiler.engine.torch_internals.patch.patching import find, is_there

GIVES = "numbers of graphs"
NEEDS = ("torch._functorch.aot_autograd:AOT_COUNTER",)


def next_number() -> int | None:
    """What torch's own counter will give next, or None."""
    if not is_there(NEEDS[0]):
        return None
    owner, name = find(NEEDS[0])
    number = int(next(getattr(owner, name)))
    setattr(owner, name, itertools.count(number))  # from Python 3.14 on a counter cannot be copied
    return number


def begin_at_none() -> None:
    """The next graph is the first."""
    if is_there(NEEDS[0]):
        owner, name = find(NEEDS[0])
        setattr(owner, name, itertools.count())


@contextlib.contextmanager
def numbered(number: int | None) -> Iterator[None]:
    """While this is entered, graphs are numbered from `number` on; torch's own then goes on where it was."""
    if number is None:
        yield
        return
    with patch.object(*find(NEEDS[0]), itertools.count(number)):
        yield
