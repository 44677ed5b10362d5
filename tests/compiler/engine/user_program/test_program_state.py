"""What a run changes is put back: the very objects, with what was in them; what torch leaves stays."""

import collections
import importlib.util
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import nn

from compiler.engine.user_program.program_state import ProgramState

_TEXT = """
import torch

class Kept:
    count = 0

    def __init__(self):
        self.seen = set()

kept = Kept()
total = 0

def run(x):
    global total, fresh
    total += 1
    fresh = total
    kept.seen.add(total)
    kept.late = total
    Kept.count += 1
    return x + total
"""


def _loaded(folder: Path) -> ModuleType:
    path = folder / "observed_state_of.py"
    path.write_text(_TEXT)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def test_globals_classes_and_objects_of_the_programs_file(tmp_path: Path) -> None:
    module: Any = _loaded(tmp_path)
    state = ProgramState(module.run)
    for _ in range(2):
        module.run(torch.ones(1))
    module._140_c0 = module.__compiled_fn_1 = "torch's"
    state.restore()
    assert (module.total, module.Kept.count, module.kept.seen) == (0, 0, set())
    assert not hasattr(module, "fresh")
    assert not hasattr(module.kept, "late")
    assert module._140_c0 == module.__compiled_fn_1 == "torch's", "compiled code looks these up"


def test_tensors_containers_closures_and_generators() -> None:
    count = 0
    tensor, leaf = torch.zeros(2), torch.ones(2, requires_grad=True)
    values, last, array = [tensor], collections.deque([1]), np.zeros(2)
    held, generator = SimpleNamespace(step=0, state={"a": 1}), torch.Generator()

    def run() -> None:
        nonlocal count
        count += 1
        tensor.add_(1)
        (leaf * 2).sum().backward()
        values.append(torch.ones(1))
        last.append(2)
        array[0] = 3
        held.step, held.state["b"] = 1, 2
        drawn.append(float(torch.rand((), generator=generator)))

    drawn: list[float] = []
    state = ProgramState(run)
    run()
    first = drawn[0]
    state.restore()
    assert (count, tensor.tolist(), leaf.grad, drawn) == (0, [0, 0], None, [])
    assert len(values) == 1
    assert values[0] is tensor
    assert (list(last), array.tolist(), vars(held)) == ([1], [0, 0], {"step": 0, "state": {"a": 1}})
    run()
    assert drawn == [first]


def test_a_module_and_its_optimizer() -> None:
    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    optimizer = torch.optim.Adam(net.parameters())
    before = {name: value.clone() for name, value in net.state_dict().items()}

    def run() -> None:
        net(torch.randn(4, 2)).sum().backward()
        optimizer.step()
        net.added = 1  # type: ignore[assignment]

    state = ProgramState(run)
    run()
    state.restore()
    assert all(value.equal(before[name]) for name, value in net.state_dict().items())
    assert not optimizer.state
    assert not hasattr(net, "added")
    assert all(parameter.grad is None for parameter in net.parameters())
