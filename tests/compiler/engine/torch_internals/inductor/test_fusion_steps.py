"""A step of the scheduler's is reported by what it did to the loops."""

import types
from collections.abc import Callable
from typing import Any

import pytest
import sympy

from compiler.engine.records.recorder import InductorGraphRecord, Recorder
from compiler.engine.torch_internals.inductor.fusions import _watched
from compiler.model.ir.graph import Graph

X, Y = sympy.Symbol("x"), sympy.Symbol("y")
Nodes = list[Any]


def loops(name: str, *sizes: sympy.Expr) -> Any:
    node = types.SimpleNamespace(get_name=lambda: name, _sizes=(list(sizes), ()))
    node.get_nodes = lambda: [node]
    return node


def merged(nodes: Nodes) -> None:
    nodes[0]._sizes[0][:] = [X * Y]


def swapped(nodes: Nodes) -> None:
    nodes.reverse()


def nothing(nodes: Nodes) -> None:
    nodes[0]._sizes = ([X, Y], ())


@pytest.mark.parametrize(
    ("step", "changed", "order"),
    [(merged, ("buf0",), ()), (swapped, (), ("buf1", "buf0")), (nothing, (), ())],
)
def test_steps(step: Callable[[Nodes], None], changed: tuple[str, ...], order: tuple[str, ...]) -> None:
    record = InductorGraphRecord("forward", Graph(()), 0.0)
    nodes = [loops("buf0", X, Y), loops("buf1", X)]
    recorder = Recorder()
    _watched(recorder, record, "merge_loops", lambda: step(nodes), lambda _: nodes, nodes)
    (found,) = record.fusions
    assert (found.changed, found.order) == (changed, order)
    assert recorder.faults == []
