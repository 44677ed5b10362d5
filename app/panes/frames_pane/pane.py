"""The frames of the program as Dynamo met them; a row leads to what it stands for."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from app.panes.frames_pane.frame_tree import FrameTree
from app.session.facade.chosen_line import select_line
from app.session.facade.session import Session
from app.widgets.layouts.boxes import set_column
from compiler.model.capture.capture import Capture
from compiler.model.ir.graph import SourceLine


class FramesPane(QWidget):
    """Frames, the graphs they became, the breaks that ended them, and the functions that resumed after these."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("frames_pane")
        self._session = session
        self._shown: Capture | None = None
        self.frames = FrameTree(self)
        set_column(self, self.frames, margins=0)
        self.frames.stage_clicked.connect(session.show_stage)
        self.frames.break_clicked.connect(self._break_clicked)
        self.frames.line_clicked.connect(self._line_clicked)
        session.capture_changed.connect(self.fill)
        self.fill()

    def sizeHint(self) -> QSize:
        return QSize(560, 320)

    def fill(self) -> None:
        """Show the frames of the session's capture."""
        capture = self._session.capture
        if capture is not None and capture is not self._shown:
            self._shown = capture
            self.frames.show_frames(capture)

    def _break_clicked(self, break_id: str) -> None:
        """Select where Dynamo stopped; the list of breaks follows."""
        capture = self._session.capture
        stopped = next((item for item in capture.breaks if item.id == break_id), None) if capture else None
        if capture is None or stopped is None:
            return
        if stopped.instruction is not None:
            self._session.selection.select(stopped.instruction, self)
        elif stopped.where is not None:
            self._line_clicked(stopped.where)
        self._session.breaks.wanted.emit(break_id)

    def _line_clicked(self, line: SourceLine) -> None:
        select_line(self._session, line, self)
