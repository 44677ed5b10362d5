"""A part of a graph that DDP cuts gives fakes when it is first called, whenever the guard of an older part dies."""

import pytest
import torch
from torch._guards import TracingContext, tracing

from compiler.engine.torch_internals.distributed.compiling_in_ddp import giving_fakes

pytestmark = pytest.mark.engine


class Guard:
    """As torch's own of `SubmodCompiler.run_node`."""

    def __init__(self) -> None:
        self.tracing = TracingContext.get()
        self.tracing.fakify_first_call = True

    def __del__(self) -> None:
        self.tracing.fakify_first_call = False


@pytest.fixture
def _torchs_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is set on the class is taken off again."""
    monkeypatch.setattr(TracingContext, "fakify_first_call", False, raising=False)


@pytest.mark.usefixtures("_torchs_own")
def test_a_guard_that_dies_late_takes_nothing_back() -> None:
    held = []

    def first() -> None:
        held.append(Guard())

    def second() -> bool:
        guard = Guard()
        held.clear()  # the collector comes
        return guard.tracing.fakify_first_call

    run = giving_fakes(lambda part: part())
    with tracing(TracingContext(torch._subclasses.FakeTensorMode())) as _, torch.no_grad():
        context = TracingContext.get()
        run(first)
        assert not context.fakify_first_call
        assert run(second)
        assert not context.fakify_first_call
        with_no_guard = run(lambda: context.fakify_first_call)
        assert not with_no_guard
