"""The program of a stage, or of one kernel of it, and what its lines mean to a selection."""

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from app.translation.compiler_texts import stage_title
from app.translation.texts import tr, tr_noop
from compiler.analysis.text_format.printer import CodeText, program
from compiler.model.ir.ids import NodeId, line_of
from compiler.model.ir.loop_ir import KernelSet
from compiler.model.ir.stage import KernelStage, LoweredStage, Stage


@dataclass(frozen=True)
class ShownProgram:
    """A text of a stage, with the nodes that each line belongs to."""

    stage: Stage
    code: CodeText

    def owners(self, line: int) -> tuple[NodeId, ...]:
        """Nodes on a line, the most exact last; none for a line outside the text."""
        return self.code.line_nodes[line - 1] if 0 < line <= len(self.code.line_nodes) else ()

    def nodes_to_select(self, line: int, linked: set[NodeId]) -> tuple[NodeId, ...]:
        """What a click on a line means: in kernels the line itself if it has links of its own, else the kernel."""
        owners = self.owners(line)
        exact = tuple(node for node in owners if line_of(node) is not None)
        if len(exact) == len(owners) or any(node in linked for node in exact):
            return exact
        return tuple(node for node in owners if node not in exact)

    def colored_by(self) -> Iterator[tuple[NodeId, ...]]:
        """For each line the nodes of which it has the colour, the first that has one; below a kernel's source only what it was
        made of.
        """
        lowered = isinstance(self.stage.content, LoweredStage)
        for owners in self.code.line_nodes:
            if lowered:
                yield tuple(node for node in owners if line_of(node) is not None)
            else:
                yield owners[::-1] if len(owners) > 1 else owners

    def lines_to_outline(self, selected: frozenset[NodeId]) -> tuple[int, ...]:
        """Lines of the selected nodes; where single lines of a kernel are selected, not the whole kernel too."""
        exact = {node for node in selected if line_of(node) is not None}
        wholes = {node.rpartition(":")[0] for node in exact}
        lines = (self.lines_by_node.get(node, ()) for node in exact | (selected - wholes))
        return tuple(sorted({line for found in lines for line in found}))

    @property
    def lines_by_node(self) -> dict[NodeId, list[int]]:
        """The lines of every node."""
        return self.code.lines_by_node


def shown_program(stage: Stage, kernel_id: NodeId = "") -> ShownProgram:
    """The program of a stage; with a kernel's id, only that kernel."""
    content = stage.content
    if kernel_id and isinstance(content, KernelStage):
        alone = tuple(kernel for kernel in content.kernels.kernels if kernel.id == kernel_id)
        stage = msgspec.structs.replace(stage, content=KernelStage(KernelSet(alone)))
    elif kernel_id and isinstance(content, LoweredStage):
        texts = tuple(row for row in content.kernels if row.kernel == kernel_id)
        stage = msgspec.structs.replace(stage, content=LoweredStage(texts or content.kernels))
    return ShownProgram(stage, program(stage))


def kernels_of(stage: Stage) -> tuple[NodeId, ...]:
    """The kernels of a kernel stage or of a form below it, else none."""
    match stage.content:
        case KernelStage(kernels=held):
            return tuple(kernel.id for kernel in held.kernels)
        case LoweredStage(kernels=texts):
            return tuple(text.kernel for text in texts)
    return ()


def describe_stage(stage: Stage, titles: dict[str, str], edited: bool) -> str:
    """What made the stage, from what, in what time, and how much it holds."""
    parts = [tr(_unit(stage), None, stage.node_count).format(count=stage.node_count)]
    if stage.made_by:
        parts.append(tr("made by {made_by}").format(made_by=stage.made_by))
    if stage.made_from:
        parts.append(
            tr("from {titles}").format(
                titles=", ".join(titles.get(origin, origin) for origin in stage.made_from)
            )
        )
    if stage.seconds is not None:
        parts.append(tr("in {value:,.1f} ms").format(value=stage.seconds * 1e3))
    if edited:
        parts.append(tr("edited, not compiled yet"))
    return " · ".join(parts)


def _unit(stage: Stage) -> str:
    if "bytecode" in stage.kind.value:
        return tr_noop("{count:,} instruction(s)", None, 1)
    if isinstance(stage.content, LoweredStage) or stage.kind.value in ("wrapper", "source"):
        return tr_noop("{count:,} line(s)", None, 1)
    return (
        tr_noop("{count:,} kernel(s)", None, 1)
        if stage.kind.value == "kernels"
        else tr_noop("{count:,} node(s)", None, 1)
    )


def stage_name(stage: Stage) -> str:
    """The stage with its graph and part, for a list of all stages."""
    where = " ".join(part for part in (stage.compile_id, stage.part) if part)
    title = stage_title(stage.title)
    return f"{where} › {title}" if where else title
