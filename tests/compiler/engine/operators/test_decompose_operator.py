"""Every operator that this torch takes apart has its tree, or torch's own words of why it cannot be run here."""

import json
import subprocess
import sys
from typing import Any

import pytest

from compiler.engine.operators.decompose_operator import _how, tree_of
from compiler.engine.torch_internals.dispatcher import dispatcher

pytestmark = pytest.mark.engine

_NOT_HERE = 25
"""Operators for CUDA, XLA or autograd's own, and decompositions that torch registered with other arguments."""


def decomposed_operators() -> list[Any]:
    """Every aten overload that this torch takes apart, in Python or in C++."""
    overloads = (dispatcher.overload(name) for name in dispatcher.names() if name.startswith("aten::"))
    return [overload for overload in overloads if _how(overload)]


@pytest.mark.slow
def test_all_operators_have_a_tree():
    """A process for as many as one survives: torch's kernels may end it. Made again, since one that is forked from a process with
    threads may wait for them for ever.
    """
    overloads, refused, died = [str(overload) for overload in decomposed_operators()], [], []
    at = 0
    while at < len(overloads):
        child = subprocess.run(
            [sys.executable, "-W", "ignore", "-m", __name__, str(at)],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        answers = [json.loads(line) for line in child.stdout.splitlines()]
        refused += [(name, words) for name, (_, words) in zip(overloads[at:], answers, strict=False) if words]
        at += len(answers)
        if at < len(overloads):
            died.append(overloads[at])
            at += 1
    assert len(overloads) > 1600
    assert not died
    assert len(refused) < _NOT_HERE, refused


if __name__ == "__main__":
    for one in decomposed_operators()[int(sys.argv[1]) :]:
        print(json.dumps(tree_of(one)[1:]), flush=True)
