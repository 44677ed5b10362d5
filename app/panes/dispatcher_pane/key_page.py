"""The dispatch keys that each kind of tensor carries."""

from PySide6.QtWidgets import QWidget

from app.panes.dispatcher_pane.key_texts import about_key
from app.session.engine_requests.operator_requests import OperatorQuestions
from app.translation.texts import tr, tr_noop
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import set_column
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.model.operators.dispatching import TensorKeySets

_COLUMNS = (Column(tr_noop("Tensor")), Column(tr_noop("Keys, the highest first"), width=Width.STRETCH))


class KeyPage(QWidget):
    """Asked for when somebody looks."""

    def __init__(self, questions: OperatorQuestions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._questions = questions
        self._shown: TensorKeySets | None = None
        words = WrappedLabel(
            tr(
                "A call goes to the kernel of the highest key that any of its tensors carries, and from there down. "
                "Whether a tensor requires grad is not among them: autograd's kernel looks for itself."
            ),
            self,
        )
        self.table = RowTable(_COLUMNS, tr("Filter tensors and keys"), self)
        set_column(self, words, (self.table, 1), margins=(4, 4, 4, 0))
        questions.changed.connect(self.fill)

    def showEvent(self, event: object) -> None:
        """Ask, once."""
        super().showEvent(event)  # type: ignore[arg-type]
        self._questions.list_keys()
        self.fill()

    def fill(self) -> None:
        """Show them; a tensor's keys with what each does are inside its row."""
        if self._questions.key_sets is self._shown or self._questions.key_sets is None:
            return
        self._shown = self._questions.key_sets
        self.table.set_rows(
            [
                Row(
                    row.tensor,
                    (Cell(row.tensor, tooltip=row.made_by), Cell("  ›  ".join(row.keys) or row.why)),
                    tuple(Row(key, (Cell(key), Cell(about_key(key), color="dim_text"))) for key in row.keys),
                )
                for row in self._shown.rows
            ]
        )
