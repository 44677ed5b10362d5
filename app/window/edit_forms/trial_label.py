"""What would come of an edit that is being typed: the node's new type, or why it does not work."""

from PySide6.QtWidgets import QWidget

from app.translation.texts import tr
from app.widgets.labels.wrapped_label import WrappedLabel
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Node
from compiler.model.ir.tensor_types import describe
from compiler.model.protocol.messages import Preview


class TrialLabel(WrappedLabel):
    """One line, in the colour of what it says."""

    def __init__(self, node: Node, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setMinimumHeight(2 * self.fontMetrics().height())
        self._node = node
        self.wait(False)

    def wait(self, asking: bool) -> None:
        """An answer is on its way, or there is nothing to ask."""
        was = describe(self._node.value) or tr("of unknown type")
        self.say(
            tr("{id} is {was}").format(id=self._node.id, was=was)
            + (tr(" now; trying the change…") if asking else "."),
            "dim_text",
        )

    def refuse(self, why: str) -> None:
        """What is typed cannot be made."""
        self.say(why, "error")

    def show_answer(self, answer: object) -> None:
        """The engine's answer: a `Preview` or a `Problem`."""
        if isinstance(answer, Problem):
            self.say(answer.message(), "error")
        elif isinstance(answer, Preview):
            graph = next((graph for _, graph in answer.graphs if self._node.id in graph.by_id()), None)
            now = describe(graph.node(self._node.id).value) if graph is not None else ""
            if answer.problems:
                self.say(answer.problems[0].what, "error")
            else:
                was = describe(self._node.value)
                change = f"{was} → {now}" if was != now else tr("{now}, as before").format(now=now)
                self.say(f"{self._node.id}: {change}", "good")
