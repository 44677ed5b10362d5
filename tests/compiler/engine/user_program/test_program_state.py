"""What a run changes is put back: the very objects, with what was in them; what torch leaves stays."""

import collections
import dataclasses
import enum
import importlib
import importlib.util
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from compiler.engine.user_program.program_state import ProgramState
from tests.helpers import boxed_tensor
from tests.helpers.module_from_file import module_from

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


def _loaded(folder: Path) -> Any:
    path = folder / "observed_state_of.py"
    path.write_text(_TEXT)
    return module_from(path)


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


def test_what_changed_is_named() -> None:
    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    x, other = torch.randn(4, 2), torch.zeros(2)
    held = SimpleNamespace(last=torch.zeros(4, 2), seen=[torch.zeros(1)], nan=torch.tensor([float("nan")]))

    def run(x: torch.Tensor) -> None:
        held.last = net(x)
        held.last.sum().backward()
        optimizer.step()
        held.seen[0] = held.seen[0] + 1
        x.mul_(2)

    run(x)
    state = ProgramState(run, (x, other), names=("", "args"))
    run(x)
    changed, same = state.tensors()
    assert changed["args[0]"].data_ptr() == x.data_ptr()
    assert changed["held.last"].data_ptr() == held.last.data_ptr()
    assert set(changed) >= {
        "held.last",
        "held.seen[0]",
        "held.nan",
        "args[0]",
        "net.1.running_mean",
        "net.1.bias",
    }
    assert {"optimizer.state[1]['momentum_buffer']", "net.1.num_batches_tracked"} <= set(changed)
    assert "args[1]" in same
    assert not any(value.requires_grad for value in changed.values())


def test_keys_of_any_kind_are_named() -> None:
    class Kind(enum.IntEnum):
        A = 1

    kept: dict[Any, Any] = {
        Kind.A: torch.zeros(1),
        "b": torch.zeros(1),
        7: torch.zeros(1),
        torch.ones(1): torch.zeros(1),
    }
    state = ProgramState(kept)
    for value in list(kept.values())[:3]:
        value.add_(1)
    kept["b"] = torch.ones(2)
    changed, same = state.tensors()
    assert ({*changed}, {*same}, changed["['b']"].tolist()) == ({"[0]", "['b']", "[7]"}, {"[3]"}, [1, 1])


def test_what_came_again_is_named_beside_what_changed() -> None:
    net, held = (
        nn.Linear(2, 2),
        SimpleNamespace(state=None, pair=(torch.zeros(1), torch.ones(1)), seen=[], by={}),
    )
    optimizer = torch.optim.Adam(net.parameters())

    def run(x: torch.Tensor) -> None:
        optimizer.zero_grad()
        net(x).sum().backward()
        optimizer.step()
        held.state = {"h": x + 1, "text": "a"}
        held.pair = (held.pair[0] + 1, held.pair[1])
        held.seen.append(x * 2)
        held.by["b"] = [x]

    x = torch.randn(2, 2)
    for _ in range(2):  # the second time gradients are others than there were
        state = ProgramState(run, (x,), names=("", "args"))
        run(x)
        changed, same = state.tensors()
        assert {
            "net.weight.grad",
            "net.bias.grad",
            "optimizer.state[0]['exp_avg']",
            "optimizer.state[1]['step']",
            "held.state['h']",
            "held.pair[0]",
            f"held.seen[{len(held.seen) - 1}]",
        } <= {*changed}
        assert {"held.pair[1]", "args[0]"} <= {*same}  # under names of their own or as they were
        assert not {*changed} & {*same}
    state.restore()
    assert len(held.seen) == 1


def test_what_was_written_leads_back_no_more() -> None:
    cache, weight = torch.zeros(3), torch.ones(3, requires_grad=True)
    for _ in range(2):
        state = ProgramState([cache, weight])
        cache.mul_(0.5).add_(weight * 2)
        (cache * weight).sum().backward()
        state.restore()
        assert (cache.is_leaf, cache.requires_grad, cache.tolist()) == (True, False, [0, 0, 0])


def test_hooks_of_tensors_do_not_gather() -> None:
    """A step that hooks its input multiplied its gradient once more at each: infinite after a while, where no fault of an edit shows."""
    before, given = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    before.register_hook(lambda gradient: gradient * 2)
    handle = before.register_hook(lambda gradient: gradient * 5)
    state = ProgramState((before, given))
    handle.remove()
    for tensor in (before, given):
        tensor.register_hook(lambda gradient: gradient * 3)
        tensor.register_post_accumulate_grad_hook(lambda tensor: tensor.grad.zero_())
    state.restore()
    torch.autograd.backward([before.sum(), given.sum()])
    assert (before.grad.tolist(), given.grad.tolist()) == ([10, 10], [1, 1])


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


class _Base:
    __slots__ = ("count", "seen")


class _Slotted(_Base):
    __slots__ = ("late", "values")

    def __init__(self) -> None:
        self.count, self.seen, self.values = 0, [1], torch.zeros(2)


@dataclasses.dataclass(frozen=True, slots=True)
class _Frozen:
    state: dict[str, int]
    step: int = 0


def test_slots() -> None:
    held, frozen = _Slotted(), _Frozen({"a": 1})

    def run() -> None:
        held.count += 1
        held.seen.append(2)
        held.late = 3
        held.values.add_(1)
        del held.values
        frozen.state["b"] = 2
        object.__setattr__(frozen, "step", 5)

    values = held.values
    state = ProgramState(run)
    run()
    state.restore()
    assert (held.count, held.seen, held.values.tolist(), frozen) == (0, [1], [0, 0], _Frozen({"a": 1}))
    assert held.values is values
    assert not hasattr(held, "late")


@pytest.mark.filterwarnings("ignore::UserWarning")  # torch's: these layouts are new
@pytest.mark.parametrize("layout", [torch.sparse_coo, torch.sparse_csr, torch.sparse_csc, torch.sparse_bsr])
def test_sparse_tensors(layout: torch.layout) -> None:
    blocks = (2, 2) if layout is torch.sparse_bsr else None
    dense = torch.eye(4)
    values, emptied, filled = (dense.to_sparse(layout=layout, blocksize=blocks) for _ in range(3))
    more = torch.ones(4, 4).to_sparse(layout=layout, blocksize=blocks)
    state = ProgramState([values, emptied, filled])
    values.detach().mul_(2)
    (values._values() if layout is torch.sparse_coo else values.values()).add_(1)
    if layout is not torch.sparse_bsr:
        emptied.zero_()
        filled.resize_as_sparse_(more) if layout is not torch.sparse_coo else filled.add_(more)
    state.restore()
    for tensor in (values, emptied, filled):
        assert tensor.to_dense().equal(dense)
        assert tensor.layout is layout


@pytest.mark.filterwarnings("ignore::UserWarning")  # torch's: nested tensors are new
@pytest.mark.parametrize("layout", [torch.strided, torch.jagged])
def test_nested_tensors(layout: torch.layout) -> None:
    nested = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=layout)
    state = ProgramState([nested])
    nested.mul_(2)
    state.restore()
    assert [part.tolist() for part in nested.unbind()] == [[1, 1], [1, 1, 1]]


def test_containers_of_the_programs_own_classes_are_not_asked() -> None:
    def refuse(*args: object) -> Any:
        raise AssertionError("the program's code ran")

    refusing = dict.fromkeys(
        (
            "__iter__",
            "__getitem__",
            "__setitem__",
            "__delitem__",
            "__len__",
            "keys",
            "values",
            "items",
            "clear",
        ),
        refuse,
    )
    kinds = (dict, collections.OrderedDict, list, collections.deque)
    for kind in kinds:
        owner: Any = type("Own", (kind,), dict(refusing))
        value = kind.__new__(owner)
        mapping = issubclass(kind, dict)
        inner = torch.zeros(2)
        if mapping:
            for key in ("one", "two"):
                kind.__setitem__(value, key, inner)
        else:
            kind.extend(value, [inner, 1])
        state = ProgramState(value)
        inner.add_(1)
        if mapping:
            kind.__delitem__(value, "one")
            kind.__setitem__(value, "three", 3)
        else:
            kind.extend(value, [2])
        state.restore()
        held = list(kind.items(value)) if mapping else list(kind.__iter__(value))
        assert len(held) == 2
        assert inner.tolist() == [0, 0]
        if mapping:
            assert [key for key, _ in held] == ["one", "two"]


def test_a_tensor_that_holds_others_is_put_back_through_them() -> None:
    """torchao's quantized tensors know no `equal` and no `copy_`."""
    module = boxed_tensor.Linear()
    before = module.made.weight.held.clone()
    state = ProgramState(module)
    with torch.no_grad():
        module.made.weight.held.add_(1)
    state.restore()
    assert torch.equal(module.made.weight.held, before)


_PLACES = """
import argparse
import collections
import numpy
import torch
from torch import nn
import observed_state_beside as beside

def zeros():
    return torch.zeros(2)

class Slotted:
    __slots__ = ("here",)

class OfClass:
    here = zeros()

def does(): ...

HERE, FRESH = zeros(), None
does.here = zeros()

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.slotted = Slotted()
        self.slotted.here = zeros()
        self.first = self.alias = zeros()
        self.array = numpy.zeros(2, dtype=numpy.float32)
        self.user = collections.UserDict(here=zeros())
        self.options = argparse.Namespace(here=zeros())
        self.law = torch.distributions.Normal(zeros(), zeros() + 1)
        self.scaler = torch.amp.GradScaler("cpu")
        self.scaler.scale(zeros())

    def holders(self):
        return (does, beside, self.slotted, OfClass, self.options)

    def written(self):
        yield from (HERE, self.first, self.user["here"], self.law.loc, self.scaler._scale)
        yield torch.from_numpy(self.array)
        yield from (holder.here for holder in self.holders())

    def forward(self, anew):
        global HERE, FRESH
        if not anew:
            for tensor in self.written():
                tensor.add_(1)
            return
        HERE, FRESH, OfClass.late, self.first, self.alias = (zeros() + 2 for _ in range(5))
        for holder in self.holders():
            holder.here = zeros() + 3
"""


def test_wherever_a_program_keeps_a_tensor_it_is_asked_to_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store that was wrong in a slot, a global of another file or a function's attribute was reported right."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "observed_state_beside.py").write_text("import torch\nhere = torch.zeros(2)\n")
    (tmp_path / "observed_state_places.py").write_text(_PLACES)
    module: Any = importlib.import_module("observed_state_places")
    net = module.Net()

    def reported(fresh: bool) -> set[str]:
        state = ProgramState(net)
        net(fresh)
        changed, _ = state.tensors()
        state.restore()
        return {re.sub(r"^Net\.\w+\.", "", name).replace("OfClass.OfClass", "OfClass") for name in changed}

    holders = {"does.here", "beside.here", "OfClass.here", "slotted.here", "options.here", "HERE"}
    own = {"user.data['here']", "law.loc", "scaler._scale", "array", "alias"}
    assert reported(False) == holders | own
    assert reported(True) == holders | {"OfClass.late", "FRESH", "alias", "first"}
    assert {float(tensor.max()) for tensor in net.written()} == {0, 65536}
    assert module.FRESH is None
