"""Cheapest tests first: plain data, then the app on recorded data, then torch and real worker processes."""

import contextlib
import json
import os
import signal
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from app.engine_client.forking_process import ForkingProcess
from compiler.command_line import worker_client
from compiler.processes import fork_server
from compiler.processes.loading_libraries import loading
from tests.helpers.thoroughness import ALL, examples

# Where Python is told to write no bytecode, each of the hundreds of processes of these tests would compile our sources again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# Threads that wait for work must not spin while the tests beside these want the processor: it doubles the time of all.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
# What is measured is checked here, not how exactly.
os.environ.setdefault("LOUPE_MEASURING_TIME", "0.15")
# In the background of a script, or under nohup, these are ignored, and so they would be by what tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
if sys.platform == "linux" and not {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys():
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # else Qt ends the whole process

# How long one example takes says nothing on a machine that does other things too; pytest-timeout holds the whole test.
settings.register_profile(
    "any machine", deadline=None, max_examples=examples(100), suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")
if not ALL:
    # Hypothesis reads all of our sources for constants to try, in each process: 10 s of a fresh checkout's collection.
    providers._get_local_constants = lambda: providers._local_constants

_QUICK = ("architecture", "compiler/model", "compiler/analysis", "app")
"""Folders of tests that fail within a minute, if they do; the others follow, the longest file first."""
_DURATIONS = Path(__file__).with_name("durations.json")


@pytest.fixture(scope="session", autouse=True)
def own_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Which files are trusted, and how the window is arranged, is noted beside the tests, never with the developer's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("settings")))
        yield


@pytest.fixture(scope="session", autouse=True)
def kernels_are_built_quickly() -> Iterator[None]:
    """Where there are tests that build kernels: torch is loaded as soon as these are collected."""
    if "torch" not in sys.modules:
        yield
        return
    from tests.helpers.quick_builds import quick_builds  # loads torch

    with quick_builds():
        yield


@pytest.fixture(scope="session", autouse=True)
def workers_are_forked() -> Iterator[ForkingProcess]:
    """Workers that tests start in this process have loaded what captures need, 7 s each; `started_fresh` undoes it."""
    forks = ForkingProcess()

    def start(*arguments: object, **keywords: object) -> object:
        if (
            not fork_server._servers and (server := forks.server()) is not None
        ):  # the first that wants a worker
            forks.load_more()
            fork_server._servers.append(server)
        return spawn(*arguments, **keywords)

    spawn = fork_server.spawn
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker_client, "spawn", start)
        yield forks
    fork_server._servers.clear()
    forks.close()


@contextlib.contextmanager
def fresh_workers() -> Iterator[None]:
    """While this is entered, workers are started as users' are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker_client, "spawn", fork_server.spawn)
        patch.setattr(fork_server, "_servers", [])
        yield


@pytest.fixture
def started_fresh() -> Iterator[None]:
    """Workers of this test are started as users' are."""
    with fresh_workers():
        yield


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is loaded before the first test is looked through neither meanwhile nor by any collection after it."""
    with loading():
        return (yield)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Quick folders first; then the files that took longest when last noted, so that no core waits at the end."""
    root = Path(__file__).parent
    seconds = json.loads(_DURATIONS.read_text())

    def rank(item: pytest.Item) -> tuple[int, float]:
        file = item.path.relative_to(root).as_posix()
        quick = next((number for number, name in enumerate(_QUICK) if file.startswith(name)), len(_QUICK))
        return quick, 0.0 if quick < len(_QUICK) else -float(seconds.get(f"tests/{file}", 0))

    items.sort(key=rank)
