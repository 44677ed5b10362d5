"""What must hold inside of one stage, and of one tree of guards."""

from collections.abc import Iterable, Iterator, Sequence

from compiler.model.capture.guards import GuardTree
from compiler.model.ir.arguments import ConstantArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId
from compiler.model.ir.stage import (
    BytecodeStage,
    FxStage,
    JointStage,
    KernelStage,
    LoopStage,
    LoweredStage,
    SourceStage,
    Stage,
    TextStage,
    WrapperStage,
)
from compiler.model.ir.tensor_types import TupleValue
from compiler.model.session_file.nesting import DEEPEST, node_too_deep


def node_ids(stage: Stage) -> set[NodeId]:
    """Every id that a place in this stage may name."""
    match stage.content:
        case FxStage() | JointStage():
            return {node.id for node in stage.content.graph.nodes}
        case LoopStage():
            return {node.id for node in stage.content.program.nodes}
        case KernelStage():
            kernels = stage.kernels
            lines = {
                f"{kernel.id}:L{line}"
                for kernel in kernels
                for line in range(1, kernel.source.count("\n") + 2)
                if kernel.source
            }
            return {kernel.id for kernel in kernels} | lines
        case WrapperStage():
            return _lines(stage.content.code.text)
        case SourceStage():
            return _lines(stage.content.file.text)
        case TextStage():
            return _lines(stage.content.text)
        case BytecodeStage():
            return {instruction.id for instruction in stage.content.code.instructions}
        case LoweredStage():
            texts = stage.content.kernels
            return {row.kernel for row in texts} | {
                f"{row.kernel}:{line}" for row in texts for line in _lines(row.text)
            }


def _lines(text: str) -> set[NodeId]:
    return {f"L{line}" for line in range(1, text.count("\n") + 2)}


def check_graph(graph: Graph) -> Iterator[str]:
    """Faults of a graph: repeated ids, inputs that do not stand before their user."""
    seen: set[NodeId] = set()
    for node in graph.nodes:
        plain = _named_plainly(node)
        if plain is None and node_too_deep(node):
            # noted first: to tell its inputs is to follow it down
            yield f"{node.id} is nested too deeply (more than {DEEPEST} levels)"
            return
        if node.id in seen:
            yield f"the node {node.id} stands twice"
        for used in node.inputs() if plain is None else plain:
            if used not in seen:
                yield f"{node.id} uses {used}, which does not come before it"
        seen.add(node.id)


_LEAVES = frozenset((NodeArgument, ConstantArgument))


def _named_plainly(node: Node) -> Sequence[NodeId] | None:
    """What a node uses, where arguments are names, constants and plain lists of them, as of most; None where that takes a closer
    look.
    """
    if node.kwargs.items or node.settings.items or node.body or type(node.value) is TupleValue:
        return None
    used = []
    for item in node.args.items:
        if isinstance(item, NodeArgument):
            used.append(item.node)
        elif isinstance(item, SequenceArgument):
            if not _LEAVES.issuperset(map(type, item.items)):
                return None
            used += [inner.node for inner in item.items if isinstance(inner, NodeArgument)]
        elif not isinstance(item, ConstantArgument):
            return None
    return used


def check_stage(stage: Stage) -> Iterator[str]:
    """Faults of what a stage holds: repeated ids, inputs that do not come before their user or are not there."""
    content = stage.content
    match content:
        case FxStage() | JointStage():
            yield from check_graph(content.graph)
        case LoopStage():
            nodes = content.program.nodes
            yield from _twice(node.id for node in nodes)
            known = {node.id for node in nodes}
            for node in nodes:
                if not known.issuperset(node.inputs):
                    yield f"{node.id} reads from a node that is not there"
        case KernelStage():
            yield from _twice(kernel.id for kernel in content.kernels.kernels)
        case BytecodeStage():
            yield from _twice(instruction.id for instruction in content.code.instructions)
        case LoweredStage():
            yield from _twice(row.kernel for row in content.kernels)


def _twice(ids: Iterable[NodeId]) -> Iterator[str]:
    seen: set[NodeId] = set()
    for node in ids:
        if node in seen:
            yield f"{node} stands twice"
        seen.add(node)


def check_guards(tree: GuardTree) -> Iterator[str]:
    """Faults of a tree of guards: a parent that does not come before its node, lines that are not there."""
    for index, node in enumerate(tree.nodes):
        if not -1 <= node.parent < index:
            yield f"the node {index} hangs on {node.parent}"
        named = (line for leaf in node.leaves for line in (leaf.line, *leaf.lines))
        if any(not -1 <= line < len(tree.lines) for line in named):
            yield f"a guard of the node {index} names a line that is not there"
