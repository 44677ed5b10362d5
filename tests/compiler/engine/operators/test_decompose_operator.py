"""Every operator that this torch takes apart has its tree, or torch's own words of why it cannot be run here."""

import json
import os

import pytest

from compiler.engine.operators.decompose_operator import decomposed_operators, tree_of

pytestmark = pytest.mark.engine

_NOT_HERE = 25
"""Operators for CUDA, XLA or autograd's own, and decompositions that torch registered with other arguments."""


@pytest.mark.slow
def test_all_operators_have_a_tree():
    """A process for as many as one survives: torch's kernels may end it."""
    overloads, refused, died = decomposed_operators(), [], []
    at = 0
    while at < len(overloads):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            for overload in overloads[at:]:
                os.write(writing, (json.dumps(tree_of(overload)[1:]) + "\n").encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as told:
            answers = [json.loads(line) for line in told]
        os.waitpid(child, 0)
        refused += [
            (str(overload), words)
            for overload, (_, words) in zip(overloads[at:], answers, strict=False)
            if words
        ]
        at += len(answers)
        if at < len(overloads):
            died.append(str(overloads[at]))
            at += 1
    assert len(overloads) > 1600
    assert not died
    assert len(refused) < _NOT_HERE, refused
