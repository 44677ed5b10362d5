"""Tells the recorder which test runs, and notes how long each took and whether it is thorough."""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.reach.recorder import FOLDER, TEST


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """What a module's fixtures reach counts for the test that asks for them first."""
    os.environ[TEST] = item.nodeid
    vars(sys)["monitoring"].restart_events()
    began = time.perf_counter()
    try:
        return (yield)
    finally:
        seconds = time.perf_counter() - began
        is_thorough = item.get_closest_marker("thorough") is not None
        with Path(os.environ[FOLDER], f"{os.getpid()}.tests").open("a") as reported:
            reported.write(f"{seconds:.3f} {int(is_thorough)} {item.nodeid}\n")
