"""One side of a comparison: whose capture, which stage, after which pass."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QLabel, QSizePolicy, QWidget

from app.session.comparison.comparison import Comparison
from app.session.comparison.sides import Side, Source
from app.theme import fonts
from app.translation.compiler_texts import stage_title
from app.translation.texts import tr
from app.widgets.layouts.boxes import set_row
from compiler.model.ir.stage import Stage

_ID = int(Qt.ItemDataRole.UserRole)
_OTHER_FILE = "other file"


class SideChooser(QWidget):
    """Shows the side it is given; `chosen` when the person picks something else."""

    chosen = Signal(object)
    """A Side."""
    file_chosen = Signal(Path)

    def __init__(self, title: str, comparison: Comparison, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._comparison = comparison
        self._side: Side | None = None
        label = QLabel(title, self)
        label.setFont(fonts.interface(bold=True))
        label.setMinimumWidth(label.fontMetrics().horizontalAdvance("Before") + 4)
        self.source, self.stage, self.position = (
            self._box(f"{title}: {what}") for what in ("capture", "stage", "pass")
        )
        self.source.setToolTip(tr("A capture, a state of the edits, or another session file"))
        self.stage.setToolTip(tr("The stage to compare"))
        self.position.setToolTip(tr("The stage as it is, or as it was after one of its passes"))
        set_row(self, label, (self.source, 3), (self.stage, 4), (self.position, 3), margins=0, spacing=4)
        self.source.activated.connect(self._on_source)
        self.stage.activated.connect(self._on_stage)
        self.position.activated.connect(self._on_position)

    def show_side(self, side: Side | None) -> None:
        """Show what is chosen, and what else could be."""
        self._side = side
        sources = self._comparison.choices.sources()
        self._fill_sources(sources, side)
        source = next((item for item in sources if side is not None and item.id == side.source), None)
        self._fill_stages(source, side)
        self._fill_positions(side)

    def _box(self, name: str) -> QComboBox:
        box = QComboBox(self)
        box.setAccessibleName(name)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(7)
        box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        box.setMinimumWidth(70)
        return box

    def _fill_sources(self, sources: tuple[Source, ...], side: Side | None) -> None:
        self.source.clear()
        for item in sources:
            self.source.addItem(item.title, item.id)
        self.source.insertSeparator(self.source.count())
        self.source.addItem(tr("Another session file…"), _OTHER_FILE)
        self.source.setCurrentIndex(self.source.findData(side.source) if side is not None else -1)

    def _fill_stages(self, source: Source | None, side: Side | None) -> None:
        self.stage.clear()
        for stage in source.capture.stages if source is not None else ():
            self.stage.addItem(_title_of(stage), stage.id)
        if side is not None:
            self.stage.setCurrentIndex(self.stage.findData(side.stage))
            self.stage.setToolTip(tr("The stage to compare: {stage}").format(stage=side.stage))

    def _fill_positions(self, side: Side | None) -> None:
        self.position.clear()
        replay = self._comparison.choices.replay(side) if side is not None else None
        self.position.setVisible(replay is not None)
        if replay is None or side is None:
            return
        self.position.addItem(tr("As it is"), None)
        self.position.addItem(tr("Before the first pass"), 0)
        for number, step in enumerate(replay.steps, 1):
            if step.changed_anything or number == side.position:
                self.position.addItem(tr("After {name}").format(name=step.name), number)
        wanted = [self.position.itemData(row) for row in range(self.position.count())]
        if side.position not in wanted:  # a pass that changed nothing is the one before it
            earlier = [row for row in wanted if row is not None and row <= (side.position or 0)]
            self.position.setCurrentIndex(wanted.index(max(earlier, default=0)))
        else:
            self.position.setCurrentIndex(wanted.index(side.position))

    def _on_source(self, index: int) -> None:
        chosen = self.source.itemData(index, _ID)
        if chosen == _OTHER_FILE:
            self.show_side(self._side)
            path, _ = QFileDialog.getOpenFileName(
                self, tr("Compare with"), "", tr("Torch Loupe sessions (*.loupe)")
            )
            if path:
                self.file_chosen.emit(Path(path))
        elif self._side is not None:
            self.chosen.emit(self._comparison.choices.like(self._side, chosen))

    def _on_stage(self, index: int) -> None:
        if self._side is not None:
            self.chosen.emit(Side(self._side.source, self.stage.itemData(index, _ID)))

    def _on_position(self, index: int) -> None:
        if self._side is not None:
            self.chosen.emit(Side(self._side.source, self._side.stage, self.position.itemData(index, _ID)))


def _title_of(stage: Stage) -> str:
    """With its compile id, since a program has several of each."""
    title = stage_title(stage.title)
    return f"{stage.compile_id}  {title}" if stage.compile_id else title
