"""Transforms that are to change nothing change nothing, whatever a graph does in place and to views."""

import copy
import random
from collections.abc import Callable, Iterable

import pytest
import torch

from compiler.analysis.transforms import TRANSFORMS
from compiler.engine.fx.graph_import import read_graph
from compiler.engine.graph_editing.apply_to_live_graph import sync
from compiler.model.edits.edits import EditGroup, apply_edits
from compiler.model.edits.subgraphs import extract_submodule, wrap_in_operator
from compiler.model.edits.validation import EditError
from compiler.model.ir.graph import Graph
from tests.compiler.engine.graph_editing.random_in_place import dynamo_graph, outcome

pytestmark = [pytest.mark.engine, pytest.mark.filterwarnings("ignore")]

Make = Callable[[Graph, int], EditGroup]

_STAGE = "0/0:dynamo"
_TOLERANCES = {"dead_code": 1e-6, "common_subexpressions": 1e-6, "probe_print": 1e-6, "cast_region": 0.1}
_SEEDS = {
    "dead_code": (10, 14, 27, 35, 48),
    "extract": (*range(6), 14, 51),
    "wrap": (1, 14, 19, 21, 23, 28, 71),
}
_BY_ID = {transform.id: transform for transform in TRANSFORMS}


def _transformed(name: str) -> Make:
    return lambda graph, _seed: _BY_ID[name].make(_STAGE, graph, ())


def _made_one(part: Callable[[str, Graph, tuple[str, ...], str], EditGroup]) -> Make:
    """Some calls, side by side or not, as one node."""

    def make(graph: Graph, seed: int) -> EditGroup:
        draw = random.Random(seed)
        calls = [node.id for node in graph.nodes if node.op.startswith("call")]
        first, count = draw.randrange(len(calls)), draw.randint(1, 4)
        others = draw.sample(calls, min(count, len(calls)))
        return part(_STAGE, graph, tuple(draw.choice((calls[first : first + count], others))), f"part_{seed}")

    return make


_MAKERS = {
    **{name: _transformed(name) for name in _TOLERANCES},
    "extract": _made_one(extract_submodule),
    "wrap": _made_one(wrap_in_operator),
}


def _misses(seeds: Iterable[int], name: str) -> tuple[list[str], int]:
    """The programs that come to something else with a transform, and how many had something to transform."""
    found, tried = [], 0
    tolerance = _TOLERANCES.get(name, 1e-6)
    for seed in seeds:
        read = dynamo_graph(seed)
        if read is None:
            continue
        module, inputs = read
        graph = read_graph(module.graph)
        try:
            group = _MAKERS[name](graph, seed)
        except EditError:
            continue
        changed = copy.deepcopy(module)
        with torch.no_grad():
            before = outcome(copy.deepcopy(module), inputs)
            sync(changed, graph, apply_edits(graph, (group,), _STAGE), _STAGE)
            after = outcome(changed, inputs)
        tried += 1
        if len(before) != len(after) or any(
            not torch.allclose(one, other, tolerance, tolerance, equal_nan=True)
            for one, other in zip(before, after, strict=True)
        ):
            found.append(f"program {seed}")
    return found, tried


@pytest.mark.parametrize("name", _MAKERS)
def test_what_a_transform_leaves_is_the_same_program(name: str) -> None:
    """Seeds among which each was wrong before it asked where memory is shared and written, and what draws random numbers."""
    found, tried = _misses(_SEEDS.get(name, range(1, 8)), name)
    assert not found
    assert tried > 1


@pytest.mark.thorough
@pytest.mark.parametrize("name", _MAKERS)
def test_what_a_transform_leaves_is_the_same_program_in_many(name: str) -> None:
    found, tried = _misses(range(100, 220), name)
    assert not found
    assert tried > 12
