"""Trials that raise, end their process, or never end, in real processes."""

from collections.abc import Iterator

import pytest

from compiler.model.experiments.failures import DIES, HANGS, RAISES
from compiler.worker.failure_trials import ChildTrials

pytestmark = [pytest.mark.engine, pytest.mark.worker]
RAISING = "import torch\ntorch.ones(2) @ torch.ones(3)\n"
DYING = "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n"
HANGING = "while True:\n    pass\n"


@pytest.fixture(scope="module")
def trials() -> Iterator[ChildTrials]:
    with ChildTrials() as found:
        yield found


@pytest.mark.thorough
@pytest.mark.parametrize("way", ["text", "fresh"])
def test_how_it_ends_is_reported(trials: ChildTrials, way: str) -> None:
    run = getattr(trials, way)
    raised = run(RAISING, 120.0)
    assert (raised.how, raised.error) == (RAISES, "RuntimeError")
    assert "inconsistent tensor size" in raised.message
    died = run(DYING, 120.0)
    assert (died.how, died.error) == (DIES, "SIGSEGV")
    assert run("print('fine')\n", 120.0) is None


@pytest.mark.thorough
@pytest.mark.parametrize("way", ["text", "fresh"])
def test_what_never_ends_is_stopped(trials: ChildTrials, way: str) -> None:
    assert getattr(trials, way)(HANGING, 3.0).how == HANGS


@pytest.mark.thorough
def test_both_ways_tell_the_same(trials: ChildTrials) -> None:
    text = "import torch\ntorch.nn.functional.softmax('x', 0)\n"
    here, alone = trials.text(text, 120.0), trials.fresh(text, 120.0)
    assert alone is not None
    assert here.frame.startswith("nn/functional.py")
    assert here.same_as(alone)
