"""The rows as QActions, kept enabled and checked as the session changes."""

import re

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QMenuBar, QToolBar, QWidget

from app.actions import (
    bulk_actions,
    compare_actions,
    edit_actions,
    engine_actions,
    file_actions,
    fusion_actions,
    navigation_actions,
    partition_actions,
    region_actions,
    transform_actions,
    view_actions,
)
from app.actions.action_row import ActionRow, Context
from app.actions.transform_matches import TransformMatches
from app.theme import current
from app.theme.icons import icon
from app.translation.texts import tr, tr_noop
from compiler.model.edits.editable_stages import why_fixed

ALL_ROWS: tuple[ActionRow, ...] = (
    *file_actions.ROWS,
    *edit_actions.UNDO_ROWS,
    *bulk_actions.ROWS,
    *edit_actions.ROWS,
    *region_actions.ROWS,
    *fusion_actions.ROWS,
    *transform_actions.ROWS,
    *partition_actions.ROWS,
    *view_actions.ROWS,
    *navigation_actions.ROWS,
    *compare_actions.ROWS,
    *engine_actions.ROWS,
)
MENUS = (
    tr_noop("&File"),
    tr_noop("&Edit"),
    tr_noop("&Node"),
    tr_noop("&Kernel"),
    tr_noop("&Transform"),
    tr_noop("&View"),
    tr_noop("En&gine"),
    tr_noop("&Help"),
)
"""The letter after ``&`` opens it with Alt."""


class ActionSet(QObject):
    """One QAction a row. A key typed twice in a row of changes updates them once."""

    updated = Signal()
    """What can be done, or where the focus is, may have changed."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self.actions: dict[str, QAction] = {}
        self.rows = {row.id: row for row in ALL_ROWS}
        self._update_soon = QTimer(self, interval=0, singleShot=True)
        self._update_soon.timeout.connect(self.update)
        for row in ALL_ROWS:
            self.actions[row.id] = self._make(row, parent)
        self._follow()
        self.update()

    def run(self, action_id: str) -> None:
        """Do what a row says, if it can be done now."""
        row = self.rows[action_id]
        if row.enabled(self._context):
            row.run(self._context)
            self._update_soon.start()

    def update(self) -> None:
        """Enable and check every action again."""
        for row in ALL_ROWS:
            action = self.actions[row.id]
            action.setEnabled(row.enabled(self._context))
            self._set_tool_tip(row, action)
            if row.checked is not None:
                action.setChecked(row.checked(self._context))
        self.updated.emit()

    def fill_menus(self, bar: QMenuBar) -> None:
        """Make the menus."""
        for title in MENUS:
            menu = bar.addMenu(tr(title))
            title = title.replace("&", "")
            menu.setObjectName(f"menu_{title.lower()}")
            menu.setToolTipsVisible(True)
            if title == "Transform":
                self.matches = TransformMatches(self._context, self.actions, self.updated, menu)
            group = None
            for row in ALL_ROWS:
                if row.menu != title:
                    continue
                if group is not None and row.group != group:
                    menu.addSeparator()
                group = row.group
                menu.addAction(self.actions[row.id])

    def fill_toolbar(self, bar: QToolBar) -> None:
        """Make the toolbar."""
        menu = None
        for row in ALL_ROWS:
            if not row.in_toolbar:
                continue
            if menu is not None and row.menu != menu:
                bar.addSeparator()
            menu = row.menu
            bar.addAction(self.actions[row.id])

    def _make(self, row: ActionRow, parent: QWidget) -> QAction:
        action = QAction(row.shown_title, parent)
        action.setObjectName(row.id)
        keys = [QKeySequence(key) for key in (row.shortcut, *row.other_shortcuts) if key]
        action.setShortcuts(keys)
        action.setCheckable(row.checked is not None)
        if row.of_canvas:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        if row.icon:
            action.setIcon(icon(row.icon))
        action.triggered.connect(lambda: self.run(row.id))
        if not row.of_canvas:
            parent.addAction(action)
        return action

    def bind_canvas(self, canvas: QWidget) -> None:
        """Single letters act while this has the focus; elsewhere they are typed, or find rows of lists."""
        for row in ALL_ROWS:
            if row.of_canvas:
                canvas.addAction(self.actions[row.id])

    def _set_tool_tip(self, row: ActionRow, action: QAction) -> None:
        """What it does; for one that would edit the graph in front, why it cannot."""
        stage = self._context.session.stage
        why = why_fixed(stage) if row.of_graph and stage is not None and stage.graph is not None else ""
        hint = f" ({row.shortcut})" if row.shortcut else ""
        tip = f"{row.shown_tip or row.shown_title}{hint}"
        if action.toolTip() != (reported := f"{tip}\n{why}" if why and not action.isEnabled() else tip):
            action.setToolTip(reported)

    def _follow(self) -> None:
        session = self._context.session
        for signal in (
            session.capture_changed,
            session.stage_changed,
            session.edits_changed,
            session.status_changed,
            session.file_changed,
            session.problems_changed,
            session.selection.changed,
            session.passes.changed,
        ):
            signal.connect(self._update_soon.start)
        current.signals().changed.connect(self._retint)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._update_soon.start)

    def _retint(self) -> None:
        for row in ALL_ROWS:
            if row.icon:
                self.actions[row.id].setIcon(icon(row.icon))


def menu_title(menu: str) -> str:
    """What a menu is called in the person's language, without the key that opens it."""
    title = next((tr(title) for title in MENUS if title.replace("&", "") == menu), menu)
    return re.sub(r"\(&.\)|&", "", title)
