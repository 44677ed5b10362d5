"""The graph convolutions and models of torch_geometric that need no library beside it, of sizes filled in by the names of what they must be
given: gathers, scatters and softmaxes over the edges of a random graph of 40 nodes.
"""

import importlib
from typing import Any

import torch

from tests.gpu.call_signatures import needed
from tests.gpu.diffusers_models import Called

_NODES, _EDGES, _WIDTH = 40, 120, 16
_SIZES: dict[str, Any] = {
    "in_channels": 16, "out_channels": 16, "hidden_channels": 16, "channels": 16, "in_dim": 16, "out_dim": 16, "att_channels": 16,
    "num_layers": 2, "heads": 2, "dim": 2, "kernel_size": 3, "K": 2, "num_relations": 3, "num_edge_types": 3, "num_timesteps": 2,
    "edge_dim": 8, "alpha": 0.1, "shared_weights": True, "num_classes": 16, "aggregators": ["mean", "max"], "scalers": ["identity"],
}  # fmt: skip
_GIVEN_TOO = {
    "GINEConv": ("edge_attr",), "GMMConv": ("edge_attr",), "NNConv": ("edge_attr",), "RGCNConv": ("edge_type",), "RGATConv": ("edge_type",),
    "GCNConv": ("edge_weight",), "GATConv": ("edge_attr",), "GATv2Conv": ("edge_attr",), "TransformerConv": ("edge_attr",),
}  # fmt: skip
_OF_ONE: dict[str, dict[str, Any]] = {
    "GINEConv": {"edge_dim": 8}, "GATConv": {"edge_dim": 8}, "GATv2Conv": {"edge_dim": 8}, "TransformerConv": {"edge_dim": 8},
    "GMMConv": {"dim": 8}, "PNAConv": {"edge_dim": None},
}  # fmt: skip
NAMES = (
    "AGNNConv", "ARLinkPredictor", "ARMAConv", "AntiSymmetricConv", "AttentiveFP", "CGConv", "ChebConv", "ClusterGCNConv",
    "EGConv", "EdgeCNN", "EdgeConv", "FAConv", "FeaStConv", "FiLMConv", "GAT", "GATConv", "GATv2Conv", "GCN", "GCN2Conv",
    "GCNConv", "GENConv", "GIN", "GINConv", "GINEConv", "GMMConv", "GatedGraphConv", "GeneralConv", "GraphConv", "GraphSAGE",
    "HypergraphConv", "LEConv", "MFConv", "MeshCNNConv", "MixHopConv", "NNConv", "NeuralFingerprint", "PDNConv", "PMLP",
    "PNAConv", "PointTransformerConv", "Polynormer", "RECT_L", "RGATConv", "RGCNConv", "ResGatedGraphConv", "SAGEConv",
    "SGConv", "SGFormer", "SSGConv", "SuperGATConv", "TAGConv", "TransformerConv",
)  # fmt: skip


def names() -> tuple[str, ...]:
    """All of them."""
    return NAMES


def built(name: str) -> Called:
    """With random weights, a random graph, and what else a forward must be given."""
    pyg: Any = importlib.import_module("torch_geometric.nn")

    draw = torch.Generator().manual_seed(0)
    cls: Any = getattr(pyg, name)
    made = {"nn": _net(_WIDTH, _WIDTH), "act": torch.nn.ReLU(), "deg": torch.tensor([0, 3, 3, 2]), **_SIZES}
    if name == "NNConv":
        made["nn"] = _net(8, _WIDTH * _WIDTH)
    if name == "EdgeConv":
        made["nn"] = _net(2 * _WIDTH, _WIDTH)
    model = cls(**({key: made[key] for key in needed(cls)} | _OF_ONE.get(name, {})))
    values = {
        "edge_index": torch.randint(0, _NODES, (2, _EDGES), generator=draw),
        "edge_type": torch.randint(0, 3, (_EDGES,), generator=draw),
        "edge_attr": torch.randn(_EDGES, 8, generator=draw),
        "edge_weight": torch.rand(_EDGES, generator=draw),
        "pos": torch.randn(_NODES, 3, generator=draw),
        "normal": torch.randn(_NODES, 3, generator=draw),
        "batch": torch.arange(_NODES) // (_NODES // 2),
        "hyperedge_index": torch.randint(0, 10, (2, _EDGES), generator=draw),
    }
    values |= {key: torch.randn(_NODES, _WIDTH, generator=draw) for key in ("x", "x_0", "h")}
    return Called(model, {key: values[key] for key in (*needed(model.forward), *_GIVEN_TOO.get(name, ()))})


def _net(wide: int, out: int) -> torch.nn.Module:
    return torch.nn.Sequential(torch.nn.Linear(wide, _WIDTH), torch.nn.ReLU(), torch.nn.Linear(_WIDTH, out))
