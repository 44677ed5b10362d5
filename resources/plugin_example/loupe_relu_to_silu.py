"""An example of a plug-in: one transform. The window imports it too, so it imports no torch."""

from torch_loupe import EditBuilder, EditGroup, Graph, Transform

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
