"""Every way to change a process is seen and told by its name, and what can be is put back."""

import locale
import os
import resource
import signal
import sys
import threading
import types
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from compiler.engine.user_program.process_state import ProcessState, put_back


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The tests' own process."""
    before, path, limit = ProcessState.now(), list(sys.path), resource.getrlimit(resource.RLIMIT_CORE)
    handler, threads = signal.getsignal(signal.SIGUSR2), torch.get_num_threads()
    with warnings.catch_warnings():
        yield
    put_back(before.settings)
    sys.path[:] = path
    resource.setrlimit(resource.RLIMIT_CORE, limit)
    signal.signal(signal.SIGUSR2, handler)
    torch.set_num_threads(threads)


def _replacement(*_: object) -> None:
    """What a program puts in the place of a function."""


_WAYS = {
    "default dtype float32 → float64": lambda: torch.set_default_dtype(torch.float64),
    "default device cpu → meta": lambda: torch.set_default_device("meta"),
    "torch threads": lambda: torch.set_num_threads(torch.get_num_threads() + 1),
    "grad mode True → False": lambda: torch.set_grad_enabled(False),
    "deterministic algorithms (False, False) → (True, False)": lambda: torch.use_deterministic_algorithms(
        True
    ),
    "float32 matmul precision highest → high": lambda: torch.set_float32_matmul_precision("high"),
    "torch.backends.cudnn.deterministic": lambda: setattr(torch.backends.cudnn, "deterministic", True),
    "autocast False → True": lambda: torch.set_autocast_enabled("cpu", True),
    "anomaly detection": lambda: torch.autograd.set_detect_anomaly(True),
    "working folder": lambda: os.chdir("/"),
    "umask": lambda: os.umask(0o123),
    "recursion limit": lambda: sys.setrecursionlimit(10**7),
    "limit RLIMIT_CORE": lambda: resource.setrlimit(
        resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1])
    ),
    "handler of SIGUSR2 default → _replacement": lambda: signal.signal(signal.SIGUSR2, _replacement),
    "handler of SIGWINCH default → ignored": lambda: signal.signal(signal.SIGWINCH, signal.SIG_IGN),
    "warnings filter for everything: ignore": lambda: warnings.simplefilter("ignore"),
    "sys.path: /home/me/other added": lambda: sys.path.append("/home/me/other"),
}
_LEFT = ("torch threads", "limit", "handler", "warnings", "sys.path")
"""What is reported and not put back."""


@pytest.mark.thorough
@pytest.mark.parametrize("reported", _WAYS)
def test_a_change_is_reported_and_put_back(reported: str) -> None:
    if reported == "limit RLIMIT_CORE" and resource.getrlimit(resource.RLIMIT_CORE)[0] == 0:
        pytest.skip("there is nothing to take away")
    before = ProcessState.now()
    assert before.changes() == ()
    _WAYS[reported]()
    (text,) = before.changes()
    assert text.startswith(reported)
    put_back(before.settings)
    assert (before.changes() == ()) is not reported.startswith(_LEFT)


@pytest.mark.thorough
def test_what_inductor_changes_by_itself_is_not_the_programs() -> None:
    was = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    try:
        before = ProcessState.now()
        with torch._inductor.config.patch(fx_graph_cache=False):  # it lowers, also what another test compiled
            torch.compile(lambda x: x.cos() + 1)(torch.ones(3))
        assert before.changes() == ()
        assert sys.getrecursionlimit() == 2000
    finally:
        sys.setrecursionlimit(was)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("owner", "name", "reported"),
    [
        (torch, "compile", "torch.compile"),
        (torch.nn.Module, "__call__", "torch.nn.modules.module.Module.__call__"),
        (torch.nn.functional, "relu", "torch.nn.functional.relu"),
        (torch, "randn", "torch.randn"),
        (torch.Tensor, "backward", "torch.Tensor.backward"),
        (torch.optim, "SGD", "torch.optim.SGD"),
    ],
)
def test_a_replaced_function_is_reported_with_its_line(
    owner: object, name: str, reported: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = ProcessState.now()
    monkeypatch.setattr(owner, name, _replacement)
    line = _replacement.__code__.co_firstlineno
    assert f"{reported} replaced by {Path(__file__).name}:{line}" in before.changes()


@pytest.mark.thorough
def test_what_is_replaced_again_and_what_changed_places_is_reported_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What did not change is not read again."""
    for _ in range(2):
        before = ProcessState.now()
        with monkeypatch.context() as patch:
            patch.setattr(torch.Tensor, "backward", _replacement)
            assert len(before.changes()) == 1
            assert ProcessState.now().changes() == ()
        assert before.changes() == ()
    before = ProcessState.now()
    monkeypatch.setattr(torch, "randn", os.getcwd)
    monkeypatch.setattr(torch, "rand", _replacement)
    assert len(before.changes()) == 2
    before = ProcessState.now()
    one, other = torch.randn, torch.rand
    monkeypatch.setattr(torch, "randn", other)
    monkeypatch.setattr(torch, "rand", one)
    assert len(before.changes()) == 2


def test_variables_are_reported_by_name_only(monkeypatch: pytest.MonkeyPatch) -> None:
    before = ProcessState.now()
    monkeypatch.setenv("MY_KEY", "secret")
    assert before.changes() == ("os.environ: MY_KEY",)


def test_a_thread_of_the_users_own_is_reported() -> None:
    before, over = ProcessState.now(), threading.Event()
    thread = threading.Thread(target=lambda: over.wait(), name="mine")
    thread.start()
    assert before.changes() == ("threads left running: mine",)
    over.set()
    thread.join()
    assert before.changes() == ()


def test_a_module_that_hides_pythons_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before, own = ProcessState.now(), types.ModuleType("random")
    own.__file__ = str(tmp_path / "random.py")
    monkeypatch.setitem(sys.modules, "random", own)
    assert "modules hidden by the program's own: random" in before.changes()


@pytest.mark.thorough
def test_the_locale_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    before = ProcessState.now()
    monkeypatch.setattr(locale, "setlocale", lambda *_: "xy")
    assert before.changes()[0].startswith("locale")
