"""Original beside rewritten bytecode of the frame picked above."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QWidget

from app.panes.bytecode_pane.frames import FrameCode, frames_of
from app.panes.bytecode_pane.listing import Listing
from app.session.facade.session import Session
from app.theme import current
from app.translation.texts import tr
from app.widgets.empty_state import EmptyState
from app.widgets.layouts.boxes import row_of, set_column, set_pages, split_of
from app.widgets.legend_strip import LegendEntry, LegendStrip
from compiler.model.ir.ids import NOWHERE


class BytecodePane(QWidget):
    """Follows the stage in front and the selection to the frame they are in."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("bytecode_pane")
        self._session = session
        self._frames: list[FrameCode] = []
        self._pinned = NOWHERE
        self.picker = QComboBox(self)
        self.picker.setAccessibleName(tr("Code object"))
        self.picker.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.picker.setMinimumContentsLength(18)
        self.legend = LegendStrip(self)
        self.original = Listing(session, tr("Original"), "", self)
        self.rewritten = Listing(
            session,
            tr("Rewritten by Dynamo"),
            tr("Dynamo did not rewrite this frame: it runs as it was."),
            self,
        )
        self.empty = EmptyState(
            tr("No bytecode captured"), tr("Frames that Dynamo looked at are shown here."), self
        )
        split = split_of(self.original, self.rewritten)
        page = QWidget(self)
        top = row_of((self.picker, 1), (self.legend, 2), margins=(4, 4, 4, 2))
        set_column(page, top, (split, 1), margins=0, spacing=0)
        self._page = page
        self._stack = set_pages(self, self.empty, page)
        self.picker.currentIndexChanged.connect(self._show_frame)
        session.capture_changed.connect(self.fill)
        session.stage_changed.connect(self._follow_stage)
        session.selection.changed.connect(self._follow_selection)
        current.signals().changed.connect(self._recolor)
        self.fill()

    def fill(self) -> None:
        """Show the frames of the session's capture."""
        before = self.picker.currentText()
        self._frames = frames_of(self._session.capture)
        self._stack.setCurrentWidget(self._page if self._frames else self.empty)
        self.picker.blockSignals(True)
        self.picker.clear()
        for index, frame in enumerate(self._frames):
            self.picker.addItem(frame.title)
            self.picker.setItemData(index, frame.tooltip, Qt.ItemDataRole.ToolTipRole)
        self.picker.setCurrentIndex(max(0, self.picker.findText(before)))
        self.picker.blockSignals(False)
        self._show_frame(self.picker.currentIndex())
        self._follow_stage()

    def _show_frame(self, index: int) -> None:
        capture = self._session.capture
        if capture is None or not 0 <= index < len(self._frames):
            return
        frame = self._frames[index]
        self.picker.setToolTip(frame.tooltip)
        self.original.show_stage(frame.original, capture.breaks)
        self.rewritten.show_stage(frame.rewritten, capture.breaks)
        self._recolor()

    def _recolor(self) -> None:
        colors = current.colors()
        self.legend.set_entries(
            (
                LegendEntry(tr("traced by Dynamo"), colors.good, "stripe"),
                LegendEntry(tr("graph break"), colors.error, "stop"),
            )
        )
        self.original.recolor()
        self.rewritten.recolor()

    def _follow_stage(self) -> None:
        stage = self._session.stage
        for index, frame in enumerate(self._frames):
            if stage is not None and stage.id in {own.id for own in frame.stages}:
                self.picker.setCurrentIndex(index)

    def _follow_selection(self, sender: object) -> None:
        if not self._frames or not 0 <= self.picker.currentIndex() < len(self._frames):
            return
        broker = self._session.selection
        moved, self._pinned = broker.pinned != self._pinned, broker.pinned

        def reached(frame: FrameCode) -> bool:
            return any(broker.pinned_in(stage.id) for stage in frame.stages)

        if moved and not reached(self._frames[self.picker.currentIndex()]):
            for index, frame in enumerate(self._frames):
                if reached(frame):
                    self.picker.setCurrentIndex(index)
                    break
        for listing in (self.original, self.rewritten):
            listing.outline()
            if sender is not listing:
                listing.scroll_to_selection(moved)
