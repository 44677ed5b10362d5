"""The menu of a node on the canvas: what is most often wanted of it, the rest one step away."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from app.actions.action_set import ALL_ROWS, ActionSet
from app.translation.texts import tr

MOST = 8
"""Entries before *More*."""
_FIRST = (
    "edit.this_relu_to_gelu",
    "edit.replace_target",
    "edit.arguments",
    "edit.insert",
    "edit.remove",
    "partition.save",
    "partition.recompute",
    "edit.open_line",
    "fusion.keep_apart",
    "fusion.bring_together",
    "fusion.why",
    "kernel.edit",
    "kernel.check",
    "kernel.assembly",
    "view.history",
)
"""By how often they are wanted. Those that cannot be done now are left out."""
_MENUS = ("Node", "Kernel")
_OTHERS = ("edit.cut", "edit.copy", "edit.paste", "edit.open_line", "view.history")


def node_menu(actions: ActionSet, parent: QWidget) -> QMenu:
    """A menu that goes when it is closed."""
    rows = {row.id: row for row in ALL_ROWS if row.menu in _MENUS or row.id in _OTHERS}
    possible = [name for name in rows if actions.actions[name].isEnabled()]
    first = [name for name in _FIRST if name in possible][:MOST]
    rest = [name for name in possible if name not in first]
    if len(first) < MOST:
        taken = rest[: MOST - len(first)]
        first, rest = [*first, *taken], rest[len(taken) :]
    menu = QMenu(parent)
    menu.setObjectName("node_menu")
    menu.setToolTipsVisible(True)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for name in first:
        menu.addAction(actions.actions[name])
    if rest:
        menu.addSeparator()
        more = menu.addMenu(tr("More"))
        group = None
        for name in rest:
            if group is not None and rows[name].group != group:
                more.addSeparator()
            group = rows[name].group
            more.addAction(actions.actions[name])
    if not possible:
        nothing = QAction(tr("Nothing can be changed here"), menu)
        nothing.setEnabled(False)
        menu.addAction(nothing)
    return menu
