"""Transforms that are to change nothing change nothing, whatever a graph does in place and to views."""

import copy
from collections.abc import Iterable

import pytest
import torch

from compiler.analysis.transforms import TRANSFORMS
from compiler.engine.fx.graph_import import read_graph
from compiler.engine.graph_editing.apply_to_live_graph import sync
from compiler.model.edits.edits import apply_edits
from compiler.model.edits.validation import EditError
from tests.compiler.engine.graph_editing.random_in_place import dynamo_graph, outcome

pytestmark = [pytest.mark.engine, pytest.mark.filterwarnings("ignore")]

_STAGE = "0/0:dynamo"
_TOLERANCES = {"dead_code": 1e-6, "common_subexpressions": 1e-6, "probe_print": 1e-6, "cast_region": 0.1}
_SEEDS = {"dead_code": (10, 14, 27, 35, 48)}
_BY_ID = {transform.id: transform for transform in TRANSFORMS}


def _misses(seeds: Iterable[int], name: str) -> tuple[list[str], int]:
    """The programs that come to something else with a transform, and how many had something to transform."""
    found, tried = [], 0
    for seed in seeds:
        read = dynamo_graph(seed)
        if read is None:
            continue
        module, inputs = read
        graph = read_graph(module.graph)
        try:
            group = _BY_ID[name].make(_STAGE, graph, ())
        except EditError:
            continue
        changed = copy.deepcopy(module)
        with torch.no_grad():
            before = outcome(copy.deepcopy(module), inputs)
            sync(changed, graph, apply_edits(graph, (group,), _STAGE), _STAGE)
            after = outcome(changed, inputs)
        tried += 1
        if len(before) != len(after) or any(
            not torch.allclose(one, other, _TOLERANCES[name], _TOLERANCES[name], equal_nan=True)
            for one, other in zip(before, after, strict=True)
        ):
            found.append(f"program {seed}")
    return found, tried


@pytest.mark.parametrize("name", _TOLERANCES)
def test_what_a_transform_leaves_is_the_same_program(name: str) -> None:
    """Seeds among which each was wrong before it asked where memory is shared and written, and what draws random numbers."""
    found, tried = _misses(_SEEDS.get(name, range(1, 8)), name)
    assert not found
    assert tried > 3


@pytest.mark.thorough
@pytest.mark.parametrize("name", _TOLERANCES)
def test_what_a_transform_leaves_is_the_same_program_in_many(name: str) -> None:
    found, tried = _misses(range(100, 220), name)
    assert not found
    assert tried > 50
