"""The pane of the example: how often the graph in front calls what; a click selects those nodes everywhere."""

from collections import Counter

from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from torch_loupe import Place, Session


class CallsPane(QListWidget):
    """Follows the session: fills itself when another stage is in front, and tells the others what is selected."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        session.stage_changed.connect(self.fill)
        session.capture_changed.connect(self.fill)
        self.itemClicked.connect(self._select)
        self.fill()

    def fill(self) -> None:
        """A row for each thing that the graph in front calls, the most frequent first."""
        self.clear()
        stage = self._session.stage
        nodes = stage.graph.nodes if stage is not None and stage.graph is not None else ()
        calls = Counter(node.target for node in nodes if node.op.startswith("call"))
        for target, times in calls.most_common():
            self.addItem(f"{times} × {target}")

    def _select(self, item: QListWidgetItem) -> None:
        stage, target = self._session.stage, item.text().partition(" × ")[2]
        if stage is not None and stage.graph is not None:
            nodes = sorted(node.id for node in stage.graph.nodes if node.target == target)
            self._session.selection.select(Place(stage.id, tuple(nodes)), self)
