"""A capture as large as people make them: thousands of guards, graphs of thousands of nodes, two compiles of a frame."""

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.capture.frames import Frame
from compiler.model.capture.guards import (
    FailedGuard,
    GuardLeaf,
    GuardNode,
    GuardTree,
    RecompileRecord,
    TriedEntry,
)
from compiler.model.ir.graph import Graph, Node, SourceLine
from compiler.model.ir.stage import FxStage, Stage, StageKind
from tests.helpers.sample_capture import PATH, args, capture, node

GUARDS = 5000


def large_tree(compile_id: str, size: int) -> GuardTree:
    """A module of layers, each with parameters that are checked; inputs of a size."""
    lines = tuple(
        SourceLine(PATH, number, "model", f"x = self.layers[{number}](x)") for number in range(1, 101)
    )
    nodes = [
        GuardNode(-1, "L"),
        GuardNode(
            0, "L['self']", "Net", "['self']", (GuardLeaf("TYPE_MATCH", ("___check_type_id(L['self'])",)),)
        ),
    ]
    count = 1
    layer = 0
    while count < GUARDS:
        line = layer % len(lines)
        source = f"L['self']._modules['layers']._modules['{layer}']"
        leaf = GuardLeaf("TYPE_MATCH", (f"___check_type_id({source}, 94{layer:06})",), line)
        nodes.append(GuardNode(1, source, "Linear", f"._modules['{layer}']", (leaf,)))
        home = len(nodes) - 1
        for name in ("weight", "bias"):
            inner = f"{source}._parameters['{name}']"
            checks = (
                GuardLeaf("TENSOR_MATCH", (f"check_tensor({inner}, size=[{size + layer % 3}, 64])",), line),
                GuardLeaf("NO_HASATTR", (f"not ___hasattr({inner}, '_dynamo_dynamic_indices')",), line),
            )
            nodes.append(GuardNode(home, inner, "Parameter", f"._parameters['{name}']", checks))
        count += 5
        layer += 1
    return GuardTree(compile_id, tuple(nodes), lines)


def large_graph(count: int, salt: int) -> Graph:
    """A chain of calls; every fiftieth calls something of its own."""
    nodes = [Node("x", "placeholder", "x", args())]
    for number in range(count):
        target = f"aten.op_{number % 7}.default" if number % 50 != salt else f"aten.other_{number}.default"
        nodes.append(node(f"op_{number}", target, nodes[-1].id, number % 3, line=4 + number % 4))
    return Graph((*nodes, Node("output", "output", "output", args(nodes[-1].id))))


def large_capture(salt: int = 3) -> Capture:
    """Two compiles of one frame, with another size and some other calls."""
    base = capture()
    stages = [
        Stage(
            f"{name}:dynamo", StageKind.DYNAMO_GRAPH, "Dynamo graph", FxStage(large_graph(2000, number)), name
        )
        for name, number in (("0/0", salt), ("0/1", 8))
    ]
    failed = FailedGuard("L['x']", "TENSOR_MATCH", "check_tensor(L['x'])", "size: expected 8, got 9")
    return msgspec.structs.replace(
        base,
        stages=tuple(stages),
        links=(),
        breaks=(),
        problems=(),
        frames=tuple(Frame(name, "model", PATH, 4, graph=f"{name}:dynamo") for name in ("0/0", "0/1")),
        guards=(large_tree("0/0", 8), large_tree("0/1", 9)),
        recompiles=(RecompileRecord("0/1", "model", (TriedEntry("0/0", (failed,)),)),),
    )
