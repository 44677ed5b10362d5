"""Whatever part of a capture is missing or names what is not there: the window opens the rest, and every pane can be used."""

from pathlib import Path

import msgspec
import pytest
from PySide6.QtWidgets import QApplication

from app.session.facade.session import Session
from app.window.main_window import MainWindow
from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import Place, place
from compiler.model.ir.stage import (
    BytecodeStage,
    FxStage,
    JointStage,
    KernelStage,
    LoopStage,
    SourceStage,
    Stage,
    WrapperStage,
)
from compiler.model.session_file.checks import consistent
from compiler.model.session_file.stage_checks import node_ids
from tests.helpers import sample_capture

_PANES = ("graph", "source", "bytecode", "code", "inspector", "pipeline", "breaks", "problems", "changes")


def _without_its_end(stage: Stage) -> Stage:
    """The stage with the second half of what it holds gone; the links still name it."""
    content = stage.content
    match content:
        case BytecodeStage():
            rows = content.code.instructions
            code = msgspec.structs.replace(content.code, instructions=rows[: len(rows) // 2])
            content = BytecodeStage(code)
        case SourceStage():
            text = content.file.text[: len(content.file.text) // 2]
            content = SourceStage(msgspec.structs.replace(content.file, text=text))
        case WrapperStage():
            text = content.code.text[: len(content.code.text) // 2]
            content = WrapperStage(msgspec.structs.replace(content.code, text=text))
        case KernelStage():
            kernels = tuple(
                msgspec.structs.replace(row, source=row.source[: len(row.source) // 2])
                for row in content.kernels.kernels
            )
            content = KernelStage(msgspec.structs.replace(content.kernels, kernels=kernels))
    return msgspec.structs.replace(stage, content=content)


def _damaged(capture: Capture) -> dict[str, Capture]:
    found = {}
    for lost in capture.stages:
        rest = tuple(stage for stage in capture.stages if stage is not lost)
        found[f"no {lost.id}"] = msgspec.structs.replace(capture, stages=rest)
        half = tuple(_without_its_end(stage) if stage is lost else stage for stage in capture.stages)
        if half != capture.stages:
            found[f"half of {lost.id}"] = msgspec.structs.replace(capture, stages=half)
    return found


def _places(capture: Capture) -> list[Place]:
    """Some nodes of every stage, those of texts with some that no stage has."""
    found = [place("gone", "i0")]
    for stage in capture.stages:
        ids = sorted(node_ids(stage))
        found.append(place(stage.id, *ids[:: max(1, len(ids) // 3)], "i9999", "L9999", "kernel:L9999"))
    return found


@pytest.mark.thorough
def test_everything_that_is_left_can_be_looked_at(
    window: MainWindow, session: Session, qapp: QApplication, tmp_path: Path
) -> None:
    area = window.show_panes()
    for name in _PANES:
        area.show_pane(name)
    for what, damaged in _damaged(sample_capture.with_passes()).items():
        path = tmp_path / "damaged.loupe"
        write_session(path, SessionData((damaged,)))
        session.open_file(path)
        session.wait_for_files()
        capture = session.capture
        named = any("could not be read" in problem.what for problem in session.problems)
        assert named == bool(consistent(damaged)[1]), what
        stages = {stage.id: stage for stage in capture.stages}
        for location in _places(capture):
            session.show_stage(location.stage)
            session.selection.select(location)
            session.selection.hover(location)
            qapp.processEvents()
            held = session.selection.pinned_in(location.stage)
            if location.stage not in stages:
                assert not held, what
            elif not isinstance(stages[location.stage].content, FxStage | JointStage | LoopStage):
                assert held <= node_ids(stages[location.stage]), what
