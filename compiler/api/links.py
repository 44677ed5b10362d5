"""What is linked with a line or with nodes, stage by stage."""

from collections.abc import Iterable, Iterator, Mapping

from compiler.analysis.text_format.visible_text import visible
from compiler.api.notebook import as_html
from compiler.model.capture.counted import counted
from compiler.model.ir.ids import NodeId, StageId, line_of


class Links(Mapping[StageId, tuple[NodeId, ...]]):
    """What belongs together: ids of nodes (``L16`` is line 16) by stage, in the order of the pipeline and, in a stage, of its
    program.
    """

    def __init__(
        self, nodes: dict[StageId, tuple[NodeId, ...]], guesses: dict[StageId, frozenset[NodeId]]
    ) -> None:
        self._nodes = nodes
        self.guesses = guesses
        """Those of them to which only guesses lead; printed behind a question mark."""

    def __getitem__(self, stage: StageId) -> tuple[NodeId, ...]:
        return self._nodes[stage]

    def __iter__(self) -> Iterator[StageId]:
        return iter(self._nodes)

    def __len__(self) -> int:
        return len(self._nodes)

    def __str__(self) -> str:
        return visible("\n".join(f"{stage}: {', '.join(self._texts_of(stage))}" for stage in self._nodes))

    def __repr__(self) -> str:
        return f"<Links: {counted(len(self), 'stage')}>\n{self}"

    def _repr_html_(self) -> str:
        return as_html(str(self))

    def _texts_of(self, stage: StageId) -> Iterator[str]:
        guesses = self.guesses.get(stage, frozenset())
        yield from _without_repeats(node for node in self._nodes[stage] if node not in guesses)
        yield from (
            f"? {words}" for words in _without_repeats(node for node in self._nodes[stage] if node in guesses)
        )


def _without_repeats(nodes: Iterable[NodeId]) -> Iterator[str]:
    """``L16–L18``, ``kernel:L3–L5``, ``L9`` of lines that stand together; of a kernel's lines only the first names it."""
    runs: list[tuple[str, int | None, int | None]] = []
    for node in nodes:
        line = line_of(node)
        whose = node if line is None else node.rpartition(":")[0]
        if runs and line is not None and runs[-1][0] == whose and runs[-1][2] == line - 1:
            runs[-1] = whose, runs[-1][1], line
        else:
            runs.append((whose, line, line))
    last = ""
    for whose, begin, end in runs:
        lines = "" if begin is None else f"L{begin}" if begin == end else f"L{begin}–L{end}"
        name = whose if begin is None or whose != last else ""
        last = whose
        yield ":".join(part for part in (name, lines) if part)
