"""Which modules of a model are its layers."""

import pytest
import torch
from torch import nn

from compiler.engine.cross_compile.parallel.module_patterns import repeated_units

pytestmark = pytest.mark.engine


def test_lists_in_a_list_are_no_layers_but_their_members_are() -> None:
    model = nn.Module()
    model.stages = nn.ModuleList(nn.ModuleList(nn.Linear(width, width) for _ in range(2)) for width in (4, 8))
    model.head = nn.ModuleList(nn.Linear(2, 2) for _ in range(3))
    assert list(repeated_units(model)) == ["stages.0.0", "stages.0.1", "stages.1.0", "stages.1.1"]


def test_a_sequence_is_called_and_is_a_layer() -> None:
    model = nn.Module()
    model.stages = nn.ModuleList(nn.Sequential(nn.Linear(4, 4), nn.ReLU()) for _ in range(2))
    assert list(repeated_units(model)) == ["stages.0", "stages.1"]
    assert all(isinstance(unit, torch.nn.Sequential) for unit in repeated_units(model).values())
