"""A run that the window follows."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.session.facade.session import Session
from compiler.analysis.running.listener import Listener
from tests.helpers.recorded_run import Until, listening


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[Listener]:
    """What ``loupe run`` listens with."""
    made = Listener(tmp_path)
    yield made
    made.close()


@pytest.fixture
def until(listener: Listener, session: Session, qtbot: QtBot) -> Iterator[Until]:
    """Lets ``loupe run`` and the window go on until something is so."""
    yield listening(listener, qtbot)
    session.run.stop()
