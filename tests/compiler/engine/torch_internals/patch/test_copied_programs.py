"""A copy of a program acts on itself: what its functions hold of the program is the copy's."""

import copy
import functools
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from compiler.engine.torch_internals.fake_gpu.fake_backend import copied_as_fakes, fake_mode
from compiler.engine.torch_internals.patch.copied_programs import copied_program
from compiler.engine.user_program.float64_copy import widened_program
from compiler.engine.user_program.loading import Program

pytestmark = pytest.mark.engine


class Counting(nn.Module):
    """Its hooks note on the module, or on a part of it, what they met; `hook` gives one for the module."""

    def __init__(self, hook: Callable[[Any], Callable[..., None]]) -> None:
        super().__init__()
        self.last = nn.Linear(4, 4)
        self.met: list[Any] = []
        self.last.register_forward_hook(hook(self))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.last(x) * len(self.met)


def _by_closure(net: Any) -> Callable[..., None]:
    return lambda *_: net.met.append(1)


def _by_its_list(net: Any) -> Callable[..., None]:
    met = net.met
    return lambda *_: met.append(1)


def _by_parts(net: Any) -> Callable[..., None]:
    parts = {"all": [module for module in [net] if isinstance(module, Counting)]}

    def hook(*_: Any) -> None:
        for part in parts["all"]:
            part.met.append(1)

    return hook


def _by_default(net: Any) -> Callable[..., None]:
    def hook(*_: Any, held: Any = net) -> None:
        held.met.append(1)

    return hook


def _by_another(net: Any) -> Callable[..., None]:
    inner = _by_closure(net)

    @functools.wraps(inner)
    def hook(*given: Any) -> None:
        inner(*given)

    return functools.partial(hook, 0)


def _by_each_other(net: Any) -> Callable[..., None]:
    def first(turn: int) -> None:
        if turn:
            second(turn - 1)

    def second(turn: int) -> None:
        net.met.append(1)
        first(turn)

    return lambda *_: first(1)


_HOOKS = (_by_closure, _by_its_list, _by_parts, _by_default, _by_another, _by_each_other)


@pytest.mark.parametrize("hook", _HOOKS)
def test_functions_of_the_copy_reach_the_copy(hook: Callable[[Any], Callable[..., None]]) -> None:
    net = Counting(hook)
    copied = copied_program(net)
    copied(torch.randn(2, 4))
    assert (len(net.met), len(copied.met)) == (0, 1)
    net(torch.randn(2, 4))
    net(torch.randn(2, 4))
    assert (len(net.met), len(copied.met)) == (2, 1)


def test_python_alone_would_reach_what_was_copied() -> None:
    net = Counting(_by_closure)
    copied = copy.deepcopy(net)
    copied(torch.randn(2, 4))
    assert (len(net.met), len(copied.met)) == (1, 0)


def test_functions_that_hold_nothing_of_it_stay_what_they_are() -> None:
    shared: list[int] = []

    def note() -> None:
        shared.append(1)

    net = nn.Linear(2, 2)
    net.note = note
    net.register_forward_hook(_by_closure(Counting(_by_closure)))
    copied: Any = copied_program(net)
    assert copied.note is note
    assert [*copied._forward_hooks.values()] == [*net._forward_hooks.values()]


def test_functions_that_share_a_variable_share_it_in_the_copy() -> None:
    net: Any = nn.Linear(2, 2)
    seen = None

    def remember() -> None:
        nonlocal seen
        seen = [net]

    seen = [net]
    net.remember, net.seen = remember, lambda: (seen, net)
    copied: Any = copied_program(net)
    assert copied.seen()[1] is copied
    assert copied.seen()[0][0] is copied
    before = copied.seen()[0]
    copied.remember()
    assert copied.seen()[0] is not before
    assert net.seen()[0][0] is net


def test_a_program_on_fakes_and_one_in_float64_have_hooks_of_their_own() -> None:
    net = Counting(_by_parts)
    with (mode := fake_mode(dynamic=False)):
        fake = copied_as_fakes(mode, net)
        fake(torch.randn(2, 4))
    wide = widened_program(Program("module", net, (), {}, "", {}))
    wide.module(torch.randn(2, 4, dtype=torch.float64))
    assert (len(net.met), len(fake.met), len(wide.module.met)) == (0, 1, 1)
