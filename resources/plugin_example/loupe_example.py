"""An example of a plug-in: a transform, a remedy, a GPU and a pane. The window and the command line import it, so it imports
neither torch nor PySide6; the pane's own module does.
"""

from torch_loupe import (
    EditBuilder,
    EditGroup,
    GpuTarget,
    Graph,
    GraphBreak,
    Pane,
    Remedy,
    RemedyRule,
    SetConfig,
    Transform,
)

_RELUS = ("torch.relu", "torch.nn.functional.relu")


def relus_to_silus(stage: str, graph: Graph, chosen: tuple[str, ...] = ()) -> EditGroup:
    """Edits that make every relu, or every chosen one, a silu."""
    builder = EditBuilder(stage, graph)
    for node in graph.nodes:
        if node.target in _RELUS and (not chosen or node.id in chosen):
            builder.replace(node.id, "torch.nn.functional.silu", (node.inputs()[0],))
    return builder.group("Replace every relu by silu", "No relu of Dynamo's is in this graph.")


RELUS_TO_SILUS = Transform(
    "relus_to_silus", "relu → silu", "Lets every relu of a Dynamo graph call silu.", relus_to_silus, "plug-in"
)


def explained_breaks(_capture: object, item: GraphBreak) -> tuple[Remedy, ...]:
    """For a branch on the values of a tensor: let Dynamo say more."""
    if item.registry_id != "GB0170":
        return ()
    why = "Dynamo tells every break with the stack that led to it."
    change = SetConfig("torch._dynamo.config.verbose", value=True)
    return (Remedy("Have Dynamo explain the break", why, change, "It prints more."),)


EXPLAINED_BREAKS = RemedyRule("explained_breaks", explained_breaks)

HALF_H100 = GpuTarget(
    id="half-h100",
    name="Half of an NVIDIA H100",
    major=9,
    minor=0,
    multi_processors=60,
    memory_bytes=40 * 1024**3,
    bandwidth=1.6e12,
    shared_bytes=227 * 1024,
    shared_bytes_per_multi_processor=228 * 1024,
    l2_bytes=25 * 1024**2,
    flops_fp32=30e12,
    flops_tf32=225e12,
    flops_half=450e12,
    source="an example: about what a MIG slice 3g.40gb has",
)

CALLS_PANE = Pane("calls", "Calls", "How often the graph in front calls what", "loupe_example_pane:CallsPane")
