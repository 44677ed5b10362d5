"""Source files as far as a log holds them: the lines that it names, each in its place. No file that a log names is opened."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from compiler.analysis.torch_logs.records.interned_strings import of_library, of_torch
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import NodeId, StageId, line_id
from compiler.model.ir.links import LinkTable
from compiler.model.ir.programs import NAMED_BY_LOG, FileOwner, SourceFile
from compiler.model.ir.stage import SourceStage, Stage, StageKind

_LAST_LINE = 100_000
"""Of a file; a log may name any number."""
_MOST_FILES = 500


class SourceLines:
    """Collects lines from everywhere in a log."""

    def __init__(self) -> None:
        self._lines: dict[str, dict[int, str]] = defaultdict(dict)
        self._captured: dict[str, dict[tuple[int, str], None]] = defaultdict(dict)

    def note(self, line: SourceLine, compile_id: str = "") -> None:
        """A line; with the compile id, one of which that compile's graph has a node."""
        if not 0 < line.line <= _LAST_LINE or of_torch(line.path):
            return
        if line.path not in self._lines and len(self._lines) >= _MOST_FILES:
            return
        known = self._lines[line.path]
        known[line.line] = line.text or known.get(line.line, "")
        if compile_id:
            self._captured[line.path][line.line, compile_id] = None

    def note_all(self, lines: Iterable[SourceLine]) -> None:
        """A whole stack."""
        for line in lines:
            self.note(line)

    def stages(self) -> Iterator[Stage]:
        """One for each file, the user's own first."""
        for path in sorted(self._lines, key=lambda path: (of_library(path), path)):
            known = self._lines[path]
            text = "\n".join(known.get(number, "") for number in range(1, max(known) + 1)) + "\n"
            captured = tuple(sorted(self._captured[path]))
            standing = FileOwner.LIBRARY if of_library(path) else FileOwner.MINE
            package = _package(path) if standing is FileOwner.LIBRARY else ""
            traced = tuple(sorted({line for line, _ in captured}))
            file = SourceFile(path, text, captured, traced, traced, standing=standing, package=package)
            name = path.rpartition("/")[2]
            yield Stage(f"source:{path}", StageKind.SOURCE, name, SourceStage(file), made_by=NAMED_BY_LOG)

    def kernel_links(
        self, kernels: StageId, lines: Iterable[tuple[SourceLine, NodeId]]
    ) -> Iterator[LinkTable]:
        """From each file to kernels, where torch noted the lines that they were made of."""
        tables: dict[StageId, dict[tuple[NodeId, NodeId], None]] = defaultdict(dict)
        for line, kernel in lines:
            self.note(line)
            if line.line in self._lines.get(line.path, {}):
                tables[f"source:{line.path}"][line_id(line.line), kernel] = None
        for source, pairs in tables.items():
            yield LinkTable(source, kernels, "traced", "torch", tuple(pairs), ends=True)

    def links(self, stages: Iterable[Stage]) -> Iterator[LinkTable]:
        """From each file to the Dynamo graphs: the line that torch noted with a node."""
        for stage in stages:
            tables: dict[StageId, dict[tuple[NodeId, NodeId], None]] = defaultdict(dict)
            for node in stage.graph.nodes if stage.graph is not None else ():
                for line in node.stack:
                    if line.line in self._lines.get(line.path, {}):
                        tables[f"source:{line.path}"][line_id(line.line), node.id] = None
            for source, pairs in tables.items():
                yield LinkTable(source, stage.id, "traced", "torch", tuple(pairs))


def _package(path: str) -> str:
    for folder in ("/site-packages/", "/dist-packages/"):
        if folder in path:
            return path.partition(folder)[2].partition("/")[0].removesuffix(".py")
    return "Python"
