"""A hook counts as found only where torch calls what it listens at."""

import contextlib
import types
from pathlib import Path

import pytest

from compiler.engine.capture.hook_trial import try_hooks
from compiler.engine.torch_internals.patch.patching import around, is_there, noting_calls
from compiler.engine.torch_internals.registry import listening
from compiler.engine.torch_internals.registry.rarely_called import RARELY_CALLED
from compiler.worker import hook_trial_program

pytestmark = pytest.mark.engine
_PROGRAM = Path(hook_trial_program.__file__)
_DEAD = "torch._inductor.debug:draw_buffers"
"""Is there, and nobody calls it."""


@contextlib.contextmanager
def _listen(recorder: object):
    with around(_DEAD, lambda *args, original: original(*args)):
        yield


def test_torch_calls_every_hook_and_a_dead_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    dead = types.SimpleNamespace(__name__="x.dead", GIVES="nothing", NEEDS=(_DEAD,), listen=_listen)
    monkeypatch.setattr(listening, "_HOOKS", (*listening._HOOKS, dead))
    monkeypatch.setattr(listening, "_MODULES", (*listening._MODULES, dead))
    assert is_there(_DEAD)
    hooks = try_hooks(_PROGRAM, lambda text: None)
    assert [hook.name for hook in hooks if not hook.found] == ["dead"]
    assert _DEAD in hooks[-1].remedy


def test_every_file_with_needs_is_listed_once() -> None:
    names = [hook.name for hook in listening.found_hooks()]
    assert len(names) == len(set(names))
    folder = Path(listening.__file__).parents[1]
    needing = {path.stem for path in folder.rglob("*.py") if "\nNEEDS = " in path.read_text()}
    assert needing == set(names)


def test_only_what_was_replaced_and_called_counts_as_called() -> None:
    with noting_calls() as (entered, fired), around("math:sqrt", lambda *args, original: original(*args)):
        import math

        assert (entered, fired) == ({"math:sqrt"}, set())
        math.sqrt(4.0)
        assert fired == {"math:sqrt"}
    assert all(":" in path for path in RARELY_CALLED)
