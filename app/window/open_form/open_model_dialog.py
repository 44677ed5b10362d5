"""Asks for a program, its inputs and how to compile it."""

from collections.abc import Callable

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from app.session.facade.session import Session
from app.theme import fonts
from app.translation.texts import tr
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column
from app.widgets.layouts.page_scroll import PageScroll
from app.window.open_form.compile_form import AS_IT_IS, INFERENCE, CompileForm
from app.window.open_form.config_form import ConfigForm
from app.window.open_form.inputs_form import TABLE, InputsForm
from app.window.open_form.parallel_form import ParallelForm
from app.window.open_form.target_form import TargetForm
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec, run_of_config
from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.absent_gpu import CrossCompilationTested
from compiler.model.protocol.messages import TargetDescribed


class OpenModelDialog(QDialog):
    """Gives a CaptureSpec to `then`. The engine is asked about the target only for the table of arguments."""

    def __init__(self, session: Session, then: Callable[[CaptureSpec], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("open_model_dialog")
        self.setWindowTitle(tr("Open model"))
        self._session = session
        self._then = then
        self._open = True
        self.target = TargetForm(self)
        self.inputs = InputsForm(self)
        self.config = ConfigForm(self)
        self.config.hide()
        self.compile = CompileForm(self)
        self.parallel = ParallelForm(self)
        self.message = WrappedLabel("", self)
        self.message.setObjectName("dialog_message")
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, self
        )
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText(tr("Capture"))
        page = QWidget(self)
        parts = QVBoxLayout(page)
        for title, part in (
            (tr("Program"), self.target),
            (tr("Inputs"), self.inputs),
            ("", self.config),
            ("", self.compile),
            ("", self.parallel),
        ):
            if title:
                heading = QLabel(title, page)
                heading.setFont(fonts.interface(bold=True))
                parts.addWidget(heading)
            parts.addWidget(part)
        parts.addStretch(1)
        self.page_scroll = PageScroll(page, self)
        set_column(self, self.page_scroll, self.message, self.buttons)
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        self.finished.connect(self._on_finished)
        self.target.changed.connect(self._on_target)
        self.inputs.table_wanted.connect(self._describe)
        self.compile.without_values.toggled.connect(self._on_values)
        self.compile.device.currentIndexChanged.connect(self._try_cross_compilation)
        self._enable()
        self.resize(680, 640)

    def spec(self) -> CaptureSpec:
        """What is to be captured. Raises ValueError with words for the person."""
        run = self.compile.run_options()
        if self.target.is_config:
            run = run_of_config(run.training, run.gradients, run.seed)
            sizes = self.config.inputs(bool(run.training))
            target = TargetSpec(self.target.target, self.target.folder, mine=self.target.mine, config=sizes)
        else:
            positional, keyword = self.inputs.texts()
            target = TargetSpec(self.target.target, self.target.folder, positional, keyword, self.target.mine)
        without_values = self.compile.without_values.isChecked()
        nothing_runs = self.compile.gpu() is not None or without_values
        if self.parallel.isChecked() and not nothing_runs:
            raise ValueError(
                tr(
                    "Parallel is for what nothing runs of: choose a GPU that need not be here, or “without values”."
                )
            )
        return CaptureSpec(
            target,
            self.compile.compile_options(),
            run,
            device=self.compile.gpu(),
            run_on=self.compile.run_on(),
            front_end=self.compile.chosen_front_end(),
            assume=self.compile.assumptions(),
            without_values=without_values,
            parallel=self.parallel.parallel(self.target.folder),
            step=self.parallel.step(),
        )

    def _accept(self) -> None:
        try:
            spec = self.spec()
        except ValueError as error:
            self.message.setText(str(error))
            return
        self.accept()
        self._then(spec)

    def _on_target(self) -> None:
        self._enable()
        config = self.target.is_config
        if config != self.inputs.isHidden():
            self.inputs.setHidden(config)
            self.config.setVisible(config)
            self.compile.without_values.setChecked(config)  # a configuration has no values to run with
            self.compile.training.setCurrentIndex(INFERENCE if config else AS_IT_IS)
        if config:
            return
        was_table = self.inputs.way == TABLE
        self.inputs.offer_example(self.target.brings_inputs)
        if was_table:
            self._describe()

    def _describe(self) -> None:
        if not self.target.target:
            self.inputs.show_text("" if self.target.problem else tr("Choose a program first."))
            return
        self.inputs.show_text(tr("Looking at the program…"))
        self._session.describe_target(
            TargetSpec(self.target.target, self.target.folder, mine=self.target.mine),
            self._take,
            self.compile.without_values.isChecked(),
        )

    def _on_values(self) -> None:
        """What could not be told with values may be told without."""
        if self.inputs.way == TABLE and not self.target.is_config:
            self._describe()

    def _take(self, answer: TargetDescribed | Problem) -> None:
        if not self._open:
            return
        if isinstance(answer, Problem):
            self.inputs.show_text(answer.message())
        else:
            self.inputs.set_arguments(answer.description.arguments)

    def _try_cross_compilation(self) -> None:
        """Say whether the GPU that was chosen, which need not be here, can be compiled for."""
        if self.compile.gpu() is None:
            self.message.clear()
            return
        self.message.setText(tr("Trying whether this torch can compile for an absent GPU…"))
        self._session.asking.cross_compilation(self._take_cross_compilation)

    def _take_cross_compilation(self, answer: CrossCompilationTested | Problem) -> None:
        if self._open and self.compile.gpu() is not None:
            words = answer.message() if isinstance(answer, Problem) else answer.words()
            self.message.setText(tr("Compiling for an absent GPU {words}").format(words=words))

    def _enable(self) -> None:
        self.message.setText(self.target.problem)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(bool(self.target.target))

    def _on_finished(self) -> None:
        self._open = False
        self.deleteLater()
