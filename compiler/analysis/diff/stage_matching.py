"""Any two stages that hold nodes matched: FX graphs as they are, loop IR and kernels taken as graphs of calls."""

import re
from collections.abc import Mapping

from compiler.analysis.diff.graph_matching import GraphMatch, match_graphs
from compiler.model.diff.kernel_diff import plain_text
from compiler.model.ir.arguments import ConstantArgument, MappingArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId
from compiler.model.ir.loop_ir import KernelSet, LoopProgram
from compiler.model.ir.stage import KernelStage, LoopStage, Stage, StageKind
from compiler.model.ir.tensor_types import OtherValue

_COUNTED = re.compile(r"\b(buf|arg|op|primals_|tangents_)\d+(_\d+)?\b")
"""Names that Inductor counts through: one more buffer renames all that follow."""
_NUMBER_AT_END = re.compile(r"(_\d+)+(#\d+)?$")

_NAMES_STAY = frozenset(
    {
        StageKind.DYNAMO_GRAPH,
        StageKind.GRAPH_PART,
        StageKind.PRE_GRAD_GRAPH,
        StageKind.JOINT_GRAPH,
        StageKind.AOT_GRAPH,
        StageKind.POST_GRAD_GRAPH,
    }
)


def graph_of(stage: Stage) -> Graph | None:
    """What a stage holds as a graph of nodes; None for a stage that is text."""
    match stage.content:
        case LoopStage():
            return _loop_graph(stage.content.program)
        case KernelStage():
            return _kernel_graph(stage.content.kernels)
    return stage.graph


def match_stages(
    before: Stage,
    after: Stage,
    same_names: bool = False,
    origins: Mapping[str, str] | None = None,
    recorded: Mapping[NodeId, NodeId] | None = None,
) -> GraphMatch | None:
    """Match the nodes of two stages; None where one of them is text. The arguments mean what those of `match_graphs` mean.

    `same_names` counts for FX graphs only: names of loops and kernels are given again each time.
    """
    old, new = graph_of(before), graph_of(after)
    if old is None or new is None:
        return None
    stay = same_names and {before.kind, after.kind} <= _NAMES_STAY
    return match_graphs(old, new, stay, origins, recorded)


def origins_between(before: Stage | None, after: Stage | None) -> dict[str, str] | None:
    """Dynamo's nodes before → after, spelled as in `Node.origins`: what later stages of two compiles are matched by.

    The arguments are the Dynamo graphs of the two compiles; None where one of them is not there.
    """
    if before is None or after is None or before.graph is None or after.graph is None:
        return None
    match = match_graphs(before.graph, after.graph)
    found = {f"{before.compile_id}:{pair.before}": f"{after.compile_id}:{pair.after}" for pair in match.pairs}
    return found | {f"{before.compile_id}:{node}": f"-{node}" for node in match.removed}


def _loop_graph(program: LoopProgram) -> Graph:
    known: set[str] = set()
    nodes = []
    for loop in program.nodes:
        used = tuple(NodeArgument(name) for name in dict.fromkeys(loop.inputs) if name in known)
        facts = (
            ("sizes", loop.sizes),
            ("reads", " ".join(f"{item.buffer}[{item.index}]{item.size}" for item in loop.reads)),
            ("writes", " ".join(f"{item.buffer}[{item.index}]{item.size}" for item in loop.writes)),
            ("loop body", loop.body),
        )
        layout = OtherValue(loop.layout) if loop.layout else None
        called = f"{loop.kind} {loop.operation}"
        nodes.append(
            Node(
                loop.id,
                "call_loop",
                called,
                SequenceArgument("tuple", used),
                _texts(facts),
                layout,
                origins=loop.origins,
            )
        )
        known.add(loop.id)
    return Graph(tuple(nodes))


def _kernel_graph(kernels: KernelSet) -> Graph:
    """Kernels run one after another; which buffers go from one to the next is in the wrapper."""
    return Graph(
        tuple(
            Node(
                kernel.id,
                "call_kernel",
                _NUMBER_AT_END.sub("", kernel.name),
                SequenceArgument("tuple", ()),
                _texts((("source", plain_text(kernel)),)),
                origins=kernel.origins,
            )
            for kernel in kernels.kernels
        )
    )


def _texts(facts: tuple[tuple[str, str], ...]) -> MappingArgument:
    return MappingArgument(
        tuple((name, ConstantArgument("opaque", _COUNTED.sub(r"\1#", text))) for name, text in facts if text)
    )
