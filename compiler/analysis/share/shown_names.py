"""What things are called on the page: as they are, or with ``--hide-code`` by nothing that the program's author wrote.

Hidden are the texts of all stages, files' and functions' names, and the names of nodes, modules, kernels and tensors, since Dynamo
makes them of the author's. What stays is torch's own: operators, types and shapes, kinds of stages and breaks, numbers.
"""

from compiler.analysis.text_format.visible_text import visible_line
from compiler.model.capture.capture import Capture
from compiler.model.diagrams.diagrams import DiagramNode
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.stage import SourceStage, Stage
from compiler.model.ir.tensor_types import TensorValue, describe

_OF_TORCH = ("aten.", "prims.", "torch.", "_operator.", "operator.", "_c10d_functional.")
_LOOPS_OF_TORCH = ("Pointwise", "Reduction", "Scan", "Sort", "Nop", "extern_kernels.", "aten.")


class ShownNames:
    """The names of one capture's things."""

    def __init__(self, capture: Capture, hide: bool) -> None:
        self.hide = hide
        self._folder = capture.spec.target.folder.rstrip("/")
        paths = [
            stage.content.file.path for stage in capture.stages if isinstance(stage.content, SourceStage)
        ]
        self._files = {path: f"file {number}" for number, path in enumerate(dict.fromkeys(paths), 1)}

    def program(self, capture: Capture) -> str:
        """The program that was captured."""
        if self.hide:
            return "A program whose code is hidden"
        target = capture.spec.target
        return visible_line(" ".join(target.recorded) or target.name.rpartition("/")[2])

    def path(self, path: str) -> str:
        """A file, below the folder that the program was started from, or by its last two parts: a shared page says nothing
        of somebody's home folder that the code itself does not.
        """
        if self.hide:
            return self._files.get(path, "another file")
        if self._folder and path.startswith(f"{self._folder}/"):
            return visible_line(path[len(self._folder) + 1 :])
        return visible_line("/".join(path.split("/")[-2:]))

    def place(self, line: SourceLine | None) -> str:
        """``model.py:14``."""
        return f"{self.path(line.path)}:{line.line}" if line is not None else ""

    def stage_title(self, stage: Stage) -> str:
        """The stage's name in lists."""
        if isinstance(stage.content, SourceStage):
            return self.path(stage.content.file.path)
        if self.hide:
            return _format_kind(stage)
        return visible_line(stage.title)

    def format_box(self, stage: Stage, node: DiagramNode) -> tuple[str, str, str]:
        """(operation, name, result) of a node."""
        if not self.hide:
            return visible_line(node.title), visible_line(node.name), visible_line(node.detail)
        graph = stage.graph
        if graph is None:
            known = node.title if node.title.startswith(_LOOPS_OF_TORCH) else node.role
            return visible_line(known), "", node.detail if node.detail.startswith("moves ") else ""
        found = graph.node(node.id)
        known = (
            node.title if found.op == "call_function" and found.target.startswith(_OF_TORCH) else node.role
        )
        return known, "", visible_line(describe(found.value)) if isinstance(found.value, TensorValue) else ""

    def own(self, text: str, instead: str = "") -> str:
        """A text that may quote the program."""
        return instead if self.hide else visible_line(text)


def _format_kind(stage: Stage) -> str:
    """``Forward post-grad graph``: the stage's kind, in place of a title that may hold a function's name."""
    words = stage.kind.value.replace("pre_grad", "pre-grad").replace("post_grad", "post-grad").split("_")
    shown = [_CAPITALS.get(word, word) for word in (visible_line(stage.part), *words) if word]
    return " ".join((shown[0][:1].upper() + shown[0][1:], *shown[1:]))


_CAPITALS = {"ir": "IR", "aot": "AOT"}
