"""Of a ``config.json`` of transformers: what model is made of it, and for inputs of which size."""

from PySide6.QtWidgets import QComboBox, QFormLayout, QSpinBox, QWidget

from app.translation.texts import tr
from compiler.model.capture.config_inputs import TASKS, ConfigInputs

_MOST = 1 << 24


class ConfigForm(QWidget):
    """Stands where other programs have their inputs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.task = QComboBox(self)
        self.task.setObjectName("config_task")
        self.task.addItem(tr("as its architectures say"), "")
        for task, made_by in TASKS.items():
            self.task.addItem(f"{task} ({made_by})", task)
        usual = ConfigInputs()
        self.batch = _count(usual.batch, "config_batch", self)
        self.length = _count(usual.length, "config_length", self)
        self.length.setToolTip(tr("Tokens of each input; of images the configuration has the size"))
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow(tr("Task"), self.task)
        form.addRow(tr("Batch"), self.batch)
        form.addRow(tr("Length"), self.length)

    def inputs(self, training: bool) -> ConfigInputs:
        """What was chosen; with labels where a step of training is captured."""
        return ConfigInputs(self.task.currentData(), self.batch.value(), self.length.value(), training)


def _count(value: int, name: str, parent: QWidget) -> QSpinBox:
    box = QSpinBox(parent)
    box.setObjectName(name)
    box.setRange(1, _MOST)
    box.setValue(value)
    return box
