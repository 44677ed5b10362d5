"""What torch.export saved is executed in part when torch loads it: it is asked about before."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from app.window import questions


def test_a_saved_program_is_asked_about_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qapp: QApplication
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "a.pt2"
    path.write_bytes(b"a saved program")
    asked: list[str] = []
    answer = "Cancel"

    def execute(box: QMessageBox) -> int:
        asked.append(box.text())
        next(button for button in box.buttons() if answer in button.text()).click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", execute)
    parent = QWidget()
    assert not questions.may_load_saved(path, parent)
    answer = "Trust"
    assert questions.may_load_saved(path, parent)
    assert questions.may_load_saved(path, parent)
    assert len(asked) == 2
    assert "a.pt2" in asked[0]
    path.write_bytes(b"another program")
    answer = "Cancel"
    assert not questions.may_load_saved(path, parent)
    parent.deleteLater()
