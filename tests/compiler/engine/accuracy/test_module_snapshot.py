"""What a call changed in a module is seen and put back, whatever a tracer left there."""

import pytest
import torch
import torch.nn as nn

from compiler.engine.accuracy.module_snapshot import ModuleState
from compiler.engine.torch_internals.patch.wrapped_tensors import fake_mode, functional

pytestmark = pytest.mark.engine


class _Holds(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        self.flat = [self.weight, {"again": self.weight}]


def test_a_list_of_parameters_holds_the_same_parameters_again() -> None:
    module = _Holds()
    state = ModuleState(module)
    module.flat[0] = nn.Parameter(torch.ones(3))
    module.flat[1]["again"] = torch.zeros(3)
    state.restore()
    assert module.flat[0] is module.weight
    assert module.flat[1]["again"] is module.weight


def test_what_a_tracer_left_behind_is_seen_as_changed_and_put_back() -> None:
    with fake_mode():
        fake = torch.ones(3)
    for left in (fake, functional(torch.ones(3))):
        module = _Holds()
        state = ModuleState(module)
        module.flat[0] = left
        module.extra = left
        assert {"flat", "extra"} <= set(state.changed())
        state.restore()
        assert module.flat[0] is module.weight
        assert not hasattr(module, "extra")


def test_an_lstm_whose_trace_fails_is_as_it_was() -> None:
    module = nn.LSTM(3, 2)
    state = ModuleState(module)
    with torch.no_grad():
        for index, value in enumerate(module._flat_weights):
            module._flat_weights[index] = functional(value.detach().clone())
    state.restore()
    assert all(one is two for one, two in zip(module._flat_weights, module.parameters(), strict=True))
    assert module(torch.ones(1, 1, 3))[0].shape == (1, 1, 2)
