"""Saying which packages and folders are one's own."""

import msgspec

from app.window.open_form.open_model_dialog import OpenModelDialog
from app.window.own_files_dialog import OwnFilesDialog
from compiler.model.ir.programs import FileOwner, SourceFile
from compiler.model.ir.stage import SourceStage, Stage, StageKind
from tests.helpers import sample_capture


def with_package(mine: tuple[str, ...] = ()):
    capture = sample_capture.capture()
    file = SourceFile("/env/site-packages/thing/a.py", "x\n", standing=FileOwner.LIBRARY, package="thing")
    stage = Stage(f"source:{file.path}", StageKind.SOURCE, "a.py", SourceStage(file))
    target = msgspec.structs.replace(capture.spec.target, mine=mine)
    spec = msgspec.structs.replace(capture.spec, target=target)
    return msgspec.structs.replace(capture, stages=(stage, *capture.stages), spec=spec)


def test_a_package_of_the_capture_and_a_folder_are_made_ones_own(qtbot):
    taken = []
    dialog = OwnFilesDialog(with_package(), taken.append)
    qtbot.addWidget(dialog)
    assert not dialog.apply_button.isEnabled()
    dialog.packages["thing"].setChecked(True)
    dialog.others.setText("~/layers, other")
    dialog.apply_button.click()
    assert [spec.target.mine for spec in taken] == [("thing", "~/layers", "other")]


def test_what_was_chosen_is_shown_and_can_be_taken_back(qtbot):
    taken = []
    dialog = OwnFilesDialog(with_package(("thing", "~/layers")), taken.append)
    qtbot.addWidget(dialog)
    assert dialog.packages["thing"].isChecked()
    assert dialog.others.text() == "~/layers"
    dialog.packages["thing"].setChecked(False)
    dialog.others.clear()
    dialog.apply_button.click()
    assert [spec.target.mine for spec in taken] == [()]


def test_a_program_is_opened_with_them(session, qtbot, tmp_path):
    (tmp_path / "model.py").write_text("def step(x): return x\n")
    dialog = OpenModelDialog(session, lambda spec: None, None)
    qtbot.addWidget(dialog)
    dialog.target.set_target(str(tmp_path / "model.py"), "step")
    dialog.target.own.setText("thing, ../layers")
    assert dialog.spec().target.mine == ("thing", "../layers")
