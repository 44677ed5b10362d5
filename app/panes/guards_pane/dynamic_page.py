"""What if this dimension were dynamic: choose one, and see on a copy how often the program would be compiled."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)

from app.translation.texts import tr
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import Room, set_column
from compiler.analysis.remedies import Remedy
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import ArgumentSpec
from compiler.model.capture.program_changes import MarkDynamic
from compiler.model.experiments.trials import DimensionTrial

_MOST_SIZES = 12


class DynamicPage(QWidget):
    """A form; the trial itself is shown where all trials are."""

    line_clicked = Signal(object)
    """A SourceLine, as the other pages of the pane have it."""
    wanted = Signal(object, tuple, object)
    """A Remedy, the changes that go with it, a DimensionTrial."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tensors: tuple[ArgumentSpec, ...] = ()
        self.argument = QComboBox(self)
        self.argument.setAccessibleName(tr("Argument"))
        self.dimension = QComboBox(self)
        self.dimension.setAccessibleName(tr("Dimension"))
        self.sizes = QLineEdit(self)
        self.sizes.setAccessibleName(tr("Sizes to try"))
        self.sizes.setToolTip(
            tr("The program is called with each of these, in this order, with and without the mark")
        )
        self.together = QCheckBox(tr("Also mark every other dimension of the same size"), self)
        self.together.setChecked(True)
        self.together.setToolTip(tr("A batch size shared by two arguments can only be dynamic in both"))
        self.button = QPushButton(tr("What if it were dynamic?"), self)
        self.state = WrappedLabel("", self)
        form = QFormLayout()
        form.addRow(tr("Argument"), self.argument)
        form.addRow(tr("Dimension"), self.dimension)
        form.addRow(tr("Sizes to call it with"), self.sizes)
        form.addRow("", self.together)
        form.addRow("", self.button)
        set_column(self, form, self.state, Room(), margins=(8, 8, 8, 4))
        self.argument.currentIndexChanged.connect(self._fill_dimensions)
        self.dimension.currentIndexChanged.connect(self._fill_sizes)
        self.button.clicked.connect(self._ask)

    def show_capture(self, capture: Capture | None) -> None:
        """Offer the tensors that the program was called with."""
        tensors = (
            tuple(item for item in capture.arguments if item.kind == "tensor" and item.shape)
            if capture
            else ()
        )
        if tensors == self._tensors and tensors:
            return
        self._tensors = tensors
        self.argument.clear()
        for item in tensors:
            self.argument.addItem(f"{item.name}    {item.dtype}{list(item.shape)}")
        self.button.setEnabled(bool(tensors))
        self.state.setText(
            "" if tensors else tr("The program was called with no tensor that has a dimension.")
        )

    def _fill_dimensions(self) -> None:
        self.dimension.clear()
        item = self._argument()
        for index, size in enumerate(item.shape if item is not None else ()):
            self.dimension.addItem(tr("{index}    now {size}").format(index=index, size=size))

    def _fill_sizes(self) -> None:
        item, index = self._argument(), self.dimension.currentIndex()
        if item is not None and 0 <= index < len(item.shape):
            size = item.shape[index]
            self.sizes.setText(", ".join(map(str, dict.fromkeys((size, size + 1, 2 * size, 3 * size)))))

    def _argument(self) -> ArgumentSpec | None:
        index = self.argument.currentIndex()
        return self._tensors[index] if 0 <= index < len(self._tensors) else None

    def _ask(self) -> None:
        item, index = self._argument(), self.dimension.currentIndex()
        try:
            sizes = tuple(int(part) for part in self.sizes.text().replace(",", " ").split())
        except ValueError:
            sizes = ()
        if item is None or index < 0 or not sizes or min(sizes) < 0 or len(sizes) > _MOST_SIZES:
            self.state.setText(
                tr("Write one to {most_sizes} sizes, such as 8, 16, 32.").format(most_sizes=_MOST_SIZES)
            )
            return
        self.state.setText("")
        proposal = dynamic_proposal(self._tensors, item, index, sizes, self.together.isChecked())
        self.wanted.emit(*proposal)


def dynamic_proposal(
    tensors: tuple[ArgumentSpec, ...],
    chosen: ArgumentSpec,
    dimension: int,
    sizes: tuple[int, ...],
    together: bool,
) -> tuple[Remedy, tuple[MarkDynamic, ...], DimensionTrial]:
    """The remedy, the marks that go with it, and what to call both sides with."""
    size = chosen.shape[dimension]
    others = tuple(
        MarkDynamic(item.name, index)
        for item in tensors
        for index, length in enumerate(item.shape)
        if together and length == size and (item.name, index) != (chosen.name, dimension)
    )
    remedy = Remedy(
        f"Make dimension {dimension} of {chosen.name} dynamic",
        "The size becomes a symbol at the first compile. Where the program needs a fixed size, torch says so.",
        MarkDynamic(chosen.name, dimension),
        "Kernels for symbolic sizes may be slower.",
    )
    return remedy, others, DimensionTrial(chosen.name, dimension, sizes)
