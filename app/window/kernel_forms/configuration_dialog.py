"""With which block sizes, warps and stages a Triton kernel is launched."""

from collections.abc import Callable

from PySide6.QtWidgets import (
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.theme import current
from app.translation.texts import tr, tr_noop
from app.widgets.form_dialog import FormDialog
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import Room, row_of, set_column
from compiler.analysis.gpu.triton_config import (
    ConfigurationError,
    KernelConfiguration,
    configurations_in,
    with_configurations,
)
from compiler.model.ir.lowered_kernel import LowerAnswer

_NOTE = tr_noop(
    "What Inductor's heuristic would try on the GPU is replaced by these, in the kernel's source. The first one is "
    "lowered and shown; on a GPU the fastest of them is measured at the first launch. Undo brings the heuristic back."
)


def known_configurations(source: str, answer: LowerAnswer | None) -> tuple[KernelConfiguration, ...]:
    """Those that the source names, else those that were lowered; none where neither is known."""
    try:
        named = configurations_in(source)
    except ConfigurationError:
        named = ()
    rows = answer.lowered if answer is not None else ()
    return named or tuple(
        KernelConfiguration(row.blocks, row.warps, row.stages) for row in rows if not row.after_launch
    )


class ConfigurationDialog(FormDialog):
    """A row is a candidate; cells are numbers."""

    def __init__(
        self,
        name: str,
        source: str,
        rows: tuple[KernelConfiguration, ...],
        then: Callable[[str], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Configurations of {name}").format(name=name), parent)
        self.resize(560, 320)
        self._source = source
        self._then = then
        self._blocks = tuple(block for block, _ in rows[0].blocks)
        self.table = QTableWidget(0, len(self._blocks) + 2, self)
        self.table.setAccessibleName(tr("Configurations"))
        self.table.setHorizontalHeaderLabels([*self._blocks, "num_warps", "num_stages"])
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.add_button, self.remove_button = QPushButton(tr("Add"), self), QPushButton(tr("Remove"), self)
        note = WrappedLabel(tr(_NOTE), self)
        self.fault = WrappedLabel("", self)
        self.fault.setStyleSheet(f"color: {current.colors().error}")
        self._add_buttons(tr("Make the edit"))
        bar = row_of(self.add_button, self.remove_button, Room())
        set_column(self, note, (self.table, 1), bar, self.fault, self.buttons)
        for row in rows:
            self._add((*(value for _, value in row.blocks), row.warps, row.stages))
        self._before = self._texts()
        self.table.cellChanged.connect(self._update)
        self.add_button.clicked.connect(self._add_like_current)
        self.remove_button.clicked.connect(self._remove_current)
        self._update()

    def _add(self, values: tuple[object, ...]) -> None:
        at = self.table.rowCount()
        self.table.insertRow(at)
        for column, value in enumerate(values):
            self.table.setItem(at, column, QTableWidgetItem(str(value)))

    def _add_like_current(self) -> None:
        texts = self._texts()
        self._add(tuple(texts[max(self.table.currentRow(), 0)]))
        self._update()

    def _remove_current(self) -> None:
        if self.table.rowCount() > 1:
            self.table.removeRow(max(self.table.currentRow(), 0))
            self._update()

    def _texts(self) -> list[list[str]]:
        table = self.table
        cells = [
            [table.item(row, column) for column in range(table.columnCount())]
            for row in range(table.rowCount())
        ]
        return [[item.text().strip() if item is not None else "" for item in row] for row in cells]

    def _edited(self) -> str:
        """The source with what is in the table. Raises ConfigurationError."""
        rows = self._texts()
        for text in (text for row in rows for text in row if not text.isdigit()):
            raise ConfigurationError(tr("{value} is no number.").format(value=text or tr("An empty cell")))
        return with_configurations(
            self._source,
            tuple(
                KernelConfiguration(
                    tuple(zip(self._blocks, map(int, row), strict=False)), int(row[-2]), int(row[-1])
                )
                for row in rows
            ),
        )

    def _update(self) -> None:
        text = ""
        try:
            self._edited()
        except ConfigurationError as error:
            text = str(error)
        self.fault.setText(text)
        self.fault.setVisible(bool(text))
        self.remove_button.setEnabled(self.table.rowCount() > 1)
        self.apply_button.setEnabled(not text and self._texts() != self._before)

    def _accept(self) -> None:
        source = self._edited()
        self.accept()
        self._then(source)
