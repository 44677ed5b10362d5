"""A graph has a number for a Triton kernel that the program brings: which one it is, people read at its node."""

import pytest
import torch
import torch.fx

from compiler.analysis.text_format.printer import statement
from compiler.engine.capture.late_notes import with_late_notes
from compiler.engine.fx.graph_import import read_graph
from compiler.engine.torch_internals.patch.patching import find
from compiler.engine.torch_internals.triton.kernel_table import NEEDS, kernel_facts
from compiler.model.diagrams.diagrams import graph_diagram
from compiler.model.ir.own_kernels import own_kernel
from compiler.model.ir.stage import FxStage, Stage, StageKind

pytestmark = pytest.mark.engine


def test_the_kernel_of_a_number_is_named() -> None:
    triton = pytest.importorskip("triton")

    def doubled(x_ptr, size, BLOCK: triton.language.constexpr):  # noqa: N803
        """Is never run."""

    owner, name = find(NEEDS[0])
    table = getattr(owner, name)
    kernel = table.add_kernel(
        triton.autotune([triton.Config({"BLOCK": 64})], key=["size"])(triton.jit(doubled))
    )
    constants = table.add_constant_args({"size": 8, "much": "x" * 99})
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    called = graph.call_function(
        torch.ops.higher_order.triton_kernel_wrapper_mutation,
        kwargs={"kernel_idx": kernel, "constant_args_idx": constants, "kwargs": {"x_ptr": x}},
    )
    graph.output(x)
    stage = Stage("0/0:dynamo", StageKind.DYNAMO_GRAPH, "", FxStage(read_graph(graph)))
    noted = with_late_notes(stage).graph
    node = noted.node(called.name)
    assert own_kernel(node) == "doubled"
    (note,) = node.notes
    assert note.startswith("Triton kernel doubled (test_late_notes.py:")
    assert "with size=8, much='xxx" in note
    assert note.endswith("…")
    assert statement(node).endswith("  # doubled")
    assert "doubled" in [box.title for box in graph_diagram(noted).nodes]
    assert with_late_notes(stage).graph == noted
    assert kernel_facts(kernel + 1000, constants) is None
