"""Kernels that were called, each inside the one that called it, under the line of the user's that made the call."""

from itertools import groupby

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QHeaderView, QTreeWidgetItem, QWidget

from app.panes.dispatcher_pane.key_words import about_key, about_kind
from app.session.captures.source_lines import short
from app.theme import current
from app.translation.texts import tr, tr_all, tr_noop
from app.widgets.filter_tree import FilterTree
from compiler.model.ir.graph import SourceLine
from compiler.model.operators.dispatching import DispatchCall

_COLUMNS = (tr_noop("Call"), tr_noop("Key"), tr_noop("Kernel"), tr_noop("Registered at"), "µs")
_CALL, _KEY, _KIND, _PLACE, _TIME = range(len(_COLUMNS))
_WIDTHS = {_CALL: 270, _KEY: 130, _KIND: 145, _TIME: 56}
_INDEX_ROLE = int(Qt.ItemDataRole.UserRole)


class CallTree(FilterTree):
    """Rows of a group are made when it is unfolded."""

    line_picked = Signal(object)
    """The SourceLine of the row that was clicked."""
    operator_wanted = Signal(str)
    """The operator of the row that was double-clicked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr_all(_COLUMNS), tr("Filter calls: an operator, a key, a file"), parent)
        self._groups: list[tuple[QTreeWidgetItem, tuple[DispatchCall, ...]]] = []
        self.calls: tuple[DispatchCall, ...] = ()
        self._unfolded = False
        header = self.tree.header()
        self.stretch_column(_PLACE)
        for column, width in _WIDTHS.items():
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(column, width)
        self.tree.itemExpanded.connect(self._unfold)
        current.signals().changed.connect(self._show_again)
        self.tree.itemClicked.connect(self._clicked)
        self.tree.itemActivated.connect(self._activated)

    def _show_again(self) -> None:
        """In the colours of another look."""
        self.show_calls(self.calls, self._unfolded)

    def show_calls(self, calls: tuple[DispatchCall, ...], unfolded: bool = False) -> None:
        """Show these; the groups unfolded or not."""
        self.calls, self._unfolded = calls, unfolded
        self.tree.clear()
        self._groups.clear()
        colors = current.colors()
        pieces: list[list[DispatchCall]] = []
        for call in calls:
            if call.depth == 0:
                pieces.append([])
            pieces[-1].append(call)
        for (line, backward), group in groupby(pieces, key=lambda piece: (piece[0].line, piece[0].backward)):
            inside = tuple(call for piece in group for call in piece)
            item = QTreeWidgetItem([_title(line, backward), "", "", "", ""])
            item.setData(_CALL, _INDEX_ROLE, len(self._groups))
            item.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
            item.setToolTip(_CALL, line.path if line is not None else "")
            color = colors.backward if backward else colors.accent
            item.setForeground(_CALL, QBrush(QColor(color)))
            item.setText(_PLACE, tr("%n call(s)", None, len(inside)))
            item.setForeground(_PLACE, QBrush(QColor(colors.dim_text)))
            self.tree.addTopLevelItem(item)
            self._groups.append((item, inside))
            if unfolded:
                item.setExpanded(True)
        self.apply_filter()

    def apply_filter(self) -> None:
        """What is filtered for may be in groups that were not unfolded yet."""
        if self.field.text():
            for item, _ in self._groups:
                self._unfold(item)
        super().apply_filter()

    def mark(self, line: SourceLine) -> None:
        """Make the group of a line the current one, as a selection elsewhere asks for."""
        for item, calls in self._groups:
            if calls[0].line is not None and (calls[0].line.path, calls[0].line.line) == (
                line.path,
                line.line,
            ):
                self.tree.setCurrentItem(item)
                self.tree.scrollToItem(item, self.tree.ScrollHint.PositionAtTop)
                return

    def _unfold(self, item: QTreeWidgetItem) -> None:
        if item.parent() is not None or item.childCount():
            return
        colors = current.colors()
        parents = [item]
        for call in self._groups[item.data(_CALL, _INDEX_ROLE)][1]:
            row = QTreeWidgetItem(
                [call.operator, call.key, call.kind, str(call.place), f"{call.microseconds:,.0f}"]
            )
            row.setTextAlignment(_TIME, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            row.setToolTip(_CALL, tr("The kernel was given the keys {keys}").format(keys=call.keys))
            row.setToolTip(_KEY, about_key(call.key))
            row.setToolTip(_KIND, about_kind(call.kind))
            row.setToolTip(_PLACE, str(call.place))
            row.setToolTip(_TIME, tr("With our shims around it and around all it calls"))
            row.setForeground(_KEY, QBrush(QColor(_tint(call.key))))
            for column in (_KIND, _PLACE, _TIME):
                row.setForeground(column, QBrush(QColor(colors.dim_text)))
            del parents[call.depth + 1 :]
            parents[-1].addChild(row)
            parents.append(row)
        for index in range(item.childCount()):
            _expand(item.child(index))

    def _line_of(self, item: QTreeWidgetItem) -> SourceLine | None:
        top = item
        while (above := top.parent()) is not None:
            top = above
        _, calls = self._groups[int(top.data(_CALL, _INDEX_ROLE))]
        return calls[0].line

    def _clicked(self, item: QTreeWidgetItem) -> None:
        line = self._line_of(item)
        if line is not None:
            self.line_picked.emit(line)

    def _activated(self, item: QTreeWidgetItem) -> None:
        if item.parent() is not None:
            self.operator_wanted.emit(item.text(_CALL))


def _expand(item: QTreeWidgetItem | None) -> None:
    if item is not None:
        item.setExpanded(True)
        for index in range(item.childCount()):
            _expand(item.child(index))


def _title(line: SourceLine | None, backward: bool) -> str:
    if line is None:
        return tr("Backward, of no line that is known") if backward else tr("Of no line of the user's")
    text = f"{short(line)}  {line.text}"
    return tr("Backward of {text}").format(text=text) if backward else text


def _tint(key: str) -> str:
    colors = current.colors()
    for name, color in (
        ("FuncTorch", colors.edited),
        ("Autograd", colors.backward),
        ("ADInplace", colors.extern),
        ("Autocast", colors.warning),
        ("PrivateUse", colors.fused),
        ("CPU", colors.forward),
    ):
        if key.startswith(name):
            return color
    return colors.text
