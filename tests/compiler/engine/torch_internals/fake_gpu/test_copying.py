"""A program is copied with a fake for every tensor, whatever its objects do while they are copied."""

import copy
import pickle

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensor

from compiler.engine.torch_internals.fake_gpu.fake_backend import copied_as_fakes, fake_mode
from compiler.engine.torch_internals.fake_gpu.module_conversion import replacing
from compiler.engine.torch_internals.patch.copied_fakes import copies_of_fakes

pytestmark = pytest.mark.engine


class Broadcasting(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        first, second = torch.functional.broadcast_tensors(x, self.weight)
        return torch.relu(first) + second


class Unpickled(torch.nn.Module):
    """Keeps a traced graph as bytes, as e3nn's modules do: torch traces it again when it is read."""

    def __init__(self) -> None:
        super().__init__()
        self.traced = torch.fx.symbolic_trace(Broadcasting())

    def __getstate__(self) -> dict:
        return {"state": {**self.__dict__, "_modules": {}}, "traced": pickle.dumps(self.traced)}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state["state"])
        self._modules["traced"] = pickle.loads(state["traced"])


def test_a_graph_may_be_traced_while_a_program_is_copied() -> None:
    copied = copied_as_fakes(fake_mode(dynamic=False), Unpickled())
    called = [node.target for node in copied.traced.graph.nodes if node.op == "call_function"]
    assert torch.functional.broadcast_tensors in called


def test_tensors_become_fakes() -> None:
    copied = copied_as_fakes(fake_mode(dynamic=False), Broadcasting())
    assert type(copied.weight.data).__name__ == "FakeTensor" or "Fake" in type(copied.weight).__name__


class Counting(torch.nn.Module):
    """Writes on its parameter and looks for it when it is called, as opacus does."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3))
        self.weight.calls = [0]
        self.weight.shadow = torch.ones(3)


def test_what_a_program_wrote_on_a_tensor_is_on_its_fake() -> None:
    program = Counting()
    copied = copied_as_fakes(fake_mode(dynamic=False), program)
    assert copied.weight.calls == [0]
    assert copied.weight.calls is not program.weight.calls
    assert isinstance(copied.weight.shadow, FakeTensor)
    assert not isinstance(program.weight.shadow, FakeTensor)


def test_what_a_program_wrote_on_a_parameter_is_there_when_its_module_was_converted() -> None:
    with fake_mode(dynamic=False), replacing():
        converted = Counting().half()
    assert converted.weight.dtype is torch.float16
    assert converted.weight.calls == [0]


def test_a_module_made_without_values_is_copied() -> None:
    """As for a teacher, a target network, an average of weights; torch copies buffers as if they had memory, and fails."""
    mode = fake_mode(dynamic=False)
    with mode, copies_of_fakes():
        student = torch.nn.Sequential(torch.nn.Linear(3, 3, bias=False), torch.nn.BatchNorm1d(3))
        student[1].bias = student[1].weight
        student[0].weight.calls = [0]
        teacher = copy.deepcopy(student)
        assert list(teacher(torch.ones(2, 3)).shape) == [2, 3]
    assert [name for name, _ in teacher.named_parameters()] == [
        name for name, _ in student.named_parameters()
    ]
    assert teacher[1].weight is teacher[1].bias is not student[1].weight
    assert teacher[0].weight.calls == [0]
    assert teacher[0].weight.calls is not student[0].weight.calls
    assert teacher[1].running_mean is not student[1].running_mean
    assert all(held.fake_mode is mode for held in teacher.state_dict(keep_vars=True).values())
    assert "__deepcopy__" not in vars(FakeTensor)
