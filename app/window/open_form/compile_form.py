"""How to run and compile: every argument of ``torch.compile``, and train or eval, gradients, seed."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGroupBox,
    QHBoxLayout,
    QLineEdit,
    QSpinBox,
    QWidget,
)

from app.translation.texts import tr
from compiler.analysis.gpu.targets import found_targets
from compiler.model.capture.capture_spec import CompileOptions, OptionValue, RunOptions
from compiler.model.capture.front_ends import FRONT_ENDS
from compiler.model.capture.gpu_assumptions import Assumption, read_assumptions
from compiler.model.ir.gpu_target import GpuTarget

_MODES = ("None", "default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs", "lite")
_BACKENDS = ("inductor", "aot_eager", "eager")
AS_IT_IS, _TRAINING, INFERENCE = range(3)
_THREE: tuple[bool | None, ...] = (None, True, False)
_WORDS: dict[str, OptionValue] = {"true": True, "false": False, "none": None}


class CompileForm(QWidget):
    """Two groups side by side."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        run, compiling = QGroupBox(tr("Run"), self), QGroupBox("torch.compile", self)
        row.addWidget(run)
        row.addWidget(compiling, 1)
        self.training = QComboBox(run)
        self.training.addItems([tr("as it is"), ".train()", ".eval()"])
        self.gradients = QCheckBox(tr("and run backward"), run)
        self.gradients.setChecked(True)
        self.without_values = QCheckBox(tr("without values"), run)
        self.without_values.setObjectName("without_values")
        self.without_values.setToolTip(
            tr(
                "The model is built under fake tensors, so it may be larger than this machine: compiled, not run"
            )
        )
        self.seed = QSpinBox(run)
        self.seed.setRange(0, 2**31 - 1)
        form = QFormLayout(run)
        form.addRow(tr("Module"), self.training)
        form.addRow(tr("Gradients"), self.gradients)
        form.addRow(tr("Seed"), self.seed)
        form.addRow(tr("Tensors"), self.without_values)
        self.mode = QComboBox(compiling)
        self.mode.addItems(list(_MODES))
        self.backend = QComboBox(compiling)
        self.backend.setEditable(True)
        self.backend.addItems(list(_BACKENDS))
        self.fullgraph = QCheckBox(tr("one graph, or fail"), compiling)
        self.dynamic = QComboBox(compiling)
        self.dynamic.addItems([tr("None (as it turns out)"), "True", "False"])
        self.options = QLineEdit(compiling)
        self.options.setObjectName("compile_options")
        self.options.setPlaceholderText("epilogue_fusion=True, max_autotune=False")
        self.disable = QCheckBox(tr("do nothing"), compiling)
        self.front_end = QComboBox(compiling)
        for known in FRONT_ENDS:
            self.front_end.addItem(known.title, known.name)
            self.front_end.setItemData(self.front_end.count() - 1, known.lesson, Qt.ItemDataRole.ToolTipRole)
        self.front_end.setToolTip(tr("How the program is captured; the rest of this box is torch.compile's"))
        self.device = QComboBox(compiling)
        self.device.addItem(tr("this machine's GPU, else its CPU"), None)
        self.device.addItem(tr("the CPU of this machine"), "cpu")
        self.device.addItem(tr("the GPU of this machine"), "cuda")
        for target in found_targets().rows:
            self.device.addItem(tr("{name} (need not be here)").format(name=target.name), target)
        self.device.setToolTip(
            tr(
                "Inductor writes the very kernels it would write on that GPU, from fake tensors: to be read, not run"
            )
        )
        self.assume = QLineEdit(compiling)
        self.assume.setPlaceholderText("attention=math, padding=yes, winner=library")
        self.assume.setToolTip(
            tr(
                "What to assume where the GPU would measure; afterwards File → Assumptions… has each choice. Without values: "
                "what a line finds that asks a tensor for its value, such as value@model.py:31=3"
            )
        )
        self.assume.setEnabled(False)
        self.device.currentIndexChanged.connect(self._enable_assume)
        self.without_values.toggled.connect(self._enable_assume)
        form = QFormLayout(compiling)
        for label, widget in (
            (tr("capture with"), self.front_end),
            ("device", self.device),
            ("assume", self.assume),
            ("mode", self.mode),
            ("backend", self.backend),
            ("fullgraph", self.fullgraph),
            ("dynamic", self.dynamic),
            ("options", self.options),
            ("disable", self.disable),
        ):
            form.addRow(label, widget)

    def run_options(self) -> RunOptions:
        """How the program is run."""
        training = _THREE[self.training.currentIndex()]
        return RunOptions(training, self.gradients.isChecked(), self.seed.value())

    def chosen_front_end(self) -> str:
        """The name of the front end to capture with (`compiler.model.capture.front_ends`)."""
        name: str = self.front_end.currentData()
        return name

    def gpu(self) -> GpuTarget | None:
        """A GPU to compile for that need not be here, or None."""
        chosen = self.device.currentData()
        return chosen if isinstance(chosen, GpuTarget) else None

    def run_on(self) -> str:
        """``cpu``, ``cuda``, or empty for the GPU if there is one."""
        chosen = self.device.currentData()
        return chosen if isinstance(chosen, str) else ""

    def _enable_assume(self) -> None:
        self.assume.setEnabled(self.gpu() is not None or self.without_values.isChecked())

    def assumptions(self) -> tuple[Assumption, ...]:
        """What to assume where nothing is measured, or has a value. Raises ValueError with words for the person."""
        return read_assumptions(self.assume.text()) if self.assume.isEnabled() else ()

    def compile_options(self) -> CompileOptions:
        """The arguments of torch.compile. Raises ValueError for options that are no ``key=value``."""
        return CompileOptions(
            self.mode.currentText() if self.mode.currentIndex() > 0 else None,
            self.fullgraph.isChecked(),
            _THREE[self.dynamic.currentIndex()],
            self.backend.currentText().strip() or "inductor",
            options_from_text(self.options.text()),
            self.disable.isChecked(),
        )


def options_from_text(text: str) -> tuple[tuple[str, OptionValue], ...]:
    """``a=1, b=True`` as pairs. Raises ValueError with words for the person."""
    pairs = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, equals, value = part.partition("=")
        if not equals or not key.strip():
            raise ValueError(tr("{part!r} is not of the form key=value.").format(part=part))
        pairs.append((key.strip(), option_value(value.strip())))
    return tuple(pairs)


def option_value(text: str) -> OptionValue:
    """A value as it is typed: True, 3, 0.5, None; anything else is text."""
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text.strip("'\"")
