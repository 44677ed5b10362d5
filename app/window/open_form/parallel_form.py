"""Of many processes, which is captured: world, mesh and plan, and the step that is predicted. Folded until it is wanted."""

from pathlib import Path

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGroupBox,
    QLineEdit,
    QSpinBox,
    QStyle,
    QStyleOptionGroupBox,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from app.translation.texts import tr, tr_noop
from compiler.model.prediction.parallel_plan import (
    DATA_WAYS,
    MOST_MICROBATCHES,
    MOST_RANKS,
    OPTIMIZERS,
    SCHEDULES,
    ParallelPlan,
    StepOptions,
    checked,
    read_mesh,
    read_tensor_file,
)

_ANY_HEIGHT = (1 << 24) - 1
"""Qt's own most, QWIDGETSIZE_MAX."""
_DATA_WORDS = {"fsdp": "FSDP2 (fully_shard)", "ddp": "DistributedDataParallel", "none": tr_noop("nothing")}


class ParallelForm(QGroupBox):
    """A group that opens with its own check mark; only where nothing runs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Parallel: one of many processes, and its predicted step"), parent)
        self.setObjectName("parallel_form")
        self.setCheckable(True)
        self.setChecked(False)
        self.setToolTip(
            tr("For a GPU that need not be here, or without values: under torch's fake process group")
        )
        self._fields = QWidget(self)
        self.mesh = QLineEdit(self._fields)
        self.mesh.setObjectName("parallel_mesh")
        self.mesh.setPlaceholderText(tr("dp=8, tp=8; empty: the program makes its own, or is one process"))
        self.world = QSpinBox(self._fields)
        self.world.setRange(0, MOST_RANKS)
        self.world.setSpecialValueText(tr("as the mesh has it"))
        self.rank = QSpinBox(self._fields)
        self.rank.setRange(0, MOST_RANKS - 1)
        self.rank.setToolTip(
            tr("Which rank is captured; the page of the predicted step says in what others differ")
        )
        self.data = QComboBox(self._fields)
        for way in DATA_WAYS:
            self.data.addItem(tr(_DATA_WORDS[way]) if way == "none" else _DATA_WORDS[way], way)
        self.plan = QLineEdit(self._fields)
        self.plan.setPlaceholderText(
            tr('a TOML file with [tp] "layers.*.wq" = "colwise"; empty: the model\'s own tp_plan')
        )
        self.stage = QSpinBox(self._fields)
        self.stage.setToolTip(tr("With pp in the mesh: which stage is captured"))
        self.schedule = QComboBox(self._fields)
        self.schedule.addItem(tr("one microbatch"), "")
        for name in SCHEDULES:
            self.schedule.addItem(name, name)
        self.schedule.setToolTip(
            tr("With pp in the mesh: the order of microbatches, by torch.distributed.pipelining")
        )
        self.microbatches = QSpinBox(self._fields)
        self.microbatches.setRange(1, MOST_MICROBATCHES)
        self.microbatches.setToolTip(tr("How many a step of the pipeline has; the inputs are one"))
        self.optimizer = QComboBox(self._fields)
        self.optimizer.addItems(list(OPTIMIZERS))
        self.checkpointed = QCheckBox(tr("checkpoint each layer"), self._fields)
        form = QFormLayout(self._fields)
        form.setContentsMargins(0, 0, 0, 0)
        for label, widget in (
            (tr("Mesh"), self.mesh),
            (tr("World"), self.world),
            (tr("Rank"), self.rank),
            (tr("Along dp"), self.data),
            (tr("Plan of tp"), self.plan),
            (tr("Stage"), self.stage),
            (tr("Schedule"), self.schedule),
            (tr("Microbatches"), self.microbatches),
            (tr("Optimizer"), self.optimizer),
            (tr("Activations"), self.checkpointed),
        ):
            form.addRow(label, widget)
        QVBoxLayout(self).addWidget(self._fields)
        self.toggled.connect(self._unfold)
        self._unfold(False)

    def _unfold(self, on: bool) -> None:
        """Folded it is one line: a frame around nothing looks like something that is missing."""
        self._fields.setVisible(on)
        self.setMaximumHeight(_ANY_HEIGHT if on else self._title_height())

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.isChecked():
            super().paintEvent(event)
            return
        option = QStyleOptionGroupBox()
        self.initStyleOption(option)
        option.subControls &= ~QStyle.SubControl.SC_GroupBoxFrame
        QStylePainter(self).drawComplexControl(QStyle.ComplexControl.CC_GroupBox, option)

    def _title_height(self) -> int:
        option = QStyleOptionGroupBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_GroupBoxFrame
        return self.style().subControlRect(QStyle.ComplexControl.CC_GroupBox, option, part, self).top()

    def parallel(self, folder: str) -> ParallelPlan | None:
        """The plan, or None for one process; files are looked for in `folder`. Raises ValueError with words for the person."""
        mesh = read_mesh(self.mesh.text()) if self.isChecked() else ()
        if not self.isChecked() or (not mesh and not self.world.value()):
            return None
        world = self.world.value()
        for _, size in mesh if not world else ():
            world = max(world, 1) * size
        file = self.plan.text().strip()
        rules = read_tensor_file(Path(folder, file)) if file else ()
        return checked(
            ParallelPlan(
                world,
                mesh,
                self.rank.value(),
                self.data.currentData(),
                rules,
                stage=self.stage.value(),
                schedule=self.schedule.currentData(),
                microbatches=self.microbatches.value(),
            )
        )

    def step(self) -> StepOptions | None:
        """The step that is run on fakes; None where nothing is to be predicted."""
        if not self.isChecked():
            return None
        return StepOptions(self.optimizer.currentText(), checkpointed=self.checkpointed.isChecked())
