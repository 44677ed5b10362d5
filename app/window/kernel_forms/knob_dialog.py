"""A form of the knobs that Inductor has for one kernel: only those that change its code."""

from collections.abc import Callable

from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QLabel,
    QWidget,
)

from app.theme import current, fonts
from app.translation.texts import tr
from app.widgets.form_dialog import FormDialog
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column
from app.widgets.layouts.page_scroll import PageScroll
from compiler.model.edits.kernel_knobs import BY_NAME, LOOP_ORDER, KernelKnobs, KnobState
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.loop_ir import KnobValue

_SIZE = (640, 560)
Wanted = dict[str, KnobValue | None]


class KnobDialog(FormDialog):
    """Fills when the engine has tried what each knob does; then values are chosen and become an edit."""

    def __init__(
        self,
        kernel: str,
        turned: Callable[[str], KnobValue | None],
        then: Callable[[Wanted], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Knobs of {kernel}").format(kernel=kernel), parent, "knob_dialog")
        self.resize(*_SIZE)
        self._turned = turned
        self._then = then
        self.fields: dict[str, QComboBox] = {}
        self.state = WrappedLabel(tr("Generating the kernel's code with each knob…"), self)
        self._form = QWidget(self)
        self._grid = QGridLayout(self._form)
        self._grid.setColumnStretch(1, 1)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(2)
        area = PageScroll(self._form, self)
        self._add_buttons(tr("Make the edit"))
        set_column(self, self.state, (area, 1), self.buttons)
        self._update()

    def take(self, answer: KernelKnobs | Problem) -> None:
        """Show the knobs, or why there are none."""
        if not self._open:
            return
        if isinstance(answer, Problem):
            self.state.setText(answer.message())
            return
        others = ", ".join(BY_NAME[name].title.lower() for name in answer.without_effect if name in BY_NAME)
        self.state.setText(
            tr(
                "Each knob was tried by generating this kernel's code. Only this kernel is built again, run and judged."
            )
            + (tr(" Without effect on it: {others}.").format(others=others) if others else "")
        )
        for state in answer.knobs:
            if state.knob in BY_NAME:
                self._add(state)
        self._grid.setRowStretch(self._grid.rowCount(), 1)
        self._update()

    def wanted(self) -> Wanted:
        """The knobs that are to be turned otherwise than they are; None leaves one to Inductor."""
        chosen = {name: field.currentData() for name, field in self.fields.items()}
        return {name: value for name, value in chosen.items() if not _same(value, self._turned(name))}

    def _add(self, state: KnobState) -> None:
        knob, row = BY_NAME[state.knob], self._grid.rowCount()
        title = QLabel(knob.title, self._form)
        title.setFont(fonts.interface(bold=True))
        field = QComboBox(self._form)
        field.setObjectName(state.knob)
        field.addItem(
            tr("As Inductor is set: {default}").format(default=state.default)
            if state.default
            else tr("As Inductor is set"),
            None,
        )
        for value, lines in state.changes:
            reported = tr("   (%n line(s) change)", None, lines) if lines else ""
            field.addItem(f"{_format_value(value)}{reported}", value)
        now = self._turned(state.knob)
        index = next((i for i in range(field.count()) if _same(field.itemData(i), now)), -1)
        if index < 0:
            field.addItem(_format_value(now), now)
            index = field.count() - 1
        field.setCurrentIndex(index)
        field.currentIndexChanged.connect(self._update)
        own = state.knob if state.knob != LOOP_ORDER else "pick_loop_orders"
        comment = (
            tr(' Torch: "{comment}".').format(comment=state.comment.rstrip(".")) if state.comment else ""
        )
        note = WrappedLabel(f"{knob.meaning}{comment}  [{own}]", self._form)
        note.setStyleSheet(f"color: {current.colors().dim_text}")
        note.setContentsMargins(0, 0, 0, 10)
        self._grid.addWidget(title, row, 0)
        self._grid.addWidget(field, row, 1)
        self._grid.addWidget(note, row + 1, 0, 1, 2)
        self.fields[state.knob] = field

    def _update(self) -> None:
        self.apply_button.setEnabled(bool(self.fields) and bool(self.wanted()))

    def _accept(self) -> None:
        wanted = self.wanted()
        self.accept()
        self._then(wanted)


def _same(first: KnobValue | None, second: KnobValue | None) -> bool:
    return first == second and type(first) is type(second)


def _format_value(value: KnobValue | None) -> str:
    return {True: tr("yes"), False: tr("no")}[value] if isinstance(value, bool) else str(value)
