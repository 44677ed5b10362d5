"""Saying where programs run."""

import os

import pytest
from PySide6.QtWidgets import QDialogButtonBox

from app.window.machine_dialog import MachineDialog
from compiler.remote.machine import ON, PYTHON, THROUGH, Machine, chosen
from tests.helpers.shown_widget import on_screen


@pytest.fixture(autouse=True)
def as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (ON, THROUGH, PYTHON):
        monkeypatch.setenv(name, "")


def dialog_of(qtbot, started: list[Machine | None]) -> MachineDialog:
    return on_screen(qtbot, MachineDialog(lambda: started.append(chosen())))


def test_a_machine_is_chosen_and_left_again(qtbot) -> None:
    started: list[Machine | None] = []
    dialog = dialog_of(qtbot, started)
    ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    assert dialog.here.isChecked()
    dialog.ssh.setChecked(True)
    assert not ok.isEnabled()
    dialog.host.setText("no host")
    assert "is no host" in dialog.problem.text()
    dialog.host.setText("me@box")
    dialog.python.setText("/opt/python")
    assert ok.isEnabled()
    ok.click()
    assert started == [Machine("me@box", python="/opt/python")]
    again = dialog_of(qtbot, started)
    assert (again.ssh.isChecked(), again.host.text()) == (True, "me@box")
    again.buttons.button(QDialogButtonBox.StandardButton.Ok).click()
    assert len(started) == 1, "nothing was changed"
    last = dialog_of(qtbot, started)
    last.here.setChecked(True)
    last.buttons.button(QDialogButtonBox.StandardButton.Ok).click()
    assert started[-1] is None
    assert not os.environ.get(ON)


def test_an_option_is_no_host(qtbot) -> None:
    dialog = dialog_of(qtbot, [])
    dialog.ssh.setChecked(True)
    dialog.host.setText("-oProxyCommand=x")
    assert not dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()
