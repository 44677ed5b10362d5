"""Models of packages that nobody here wrote, one for each kind of it, small: timm, diffusers, vit-pytorch,
x-transformers and what else its author wrote, torch_geometric."""

import importlib
from collections.abc import Collection, Iterable
from typing import Any

import torch
from torch import nn
from torch.utils import _pytree as pytree

_TABLES = {
    "timm": "tests.gpu.timm_models",
    "diffusers": "tests.gpu.diffusers_models",
    "vit-pytorch": "tests.gpu.vit_pytorch_models",
    "x-transformers": "tests.gpu.x_transformers_models",
    "torch_geometric": "tests.gpu.torch_geometric_models",
}
PACKAGES = (
    "timm",
    "diffusers",
    "diffusers_tests.models.testing_utils",
    "vit_pytorch",
    "x_transformers",
    "torch_geometric",
    "pytest",
)


def kinds(of: Collection[str] = tuple(_TABLES)) -> Iterable[str]:
    """All, as PACKAGE/NAME; or those `of` some packages, which alone are imported then."""
    for package in of:
        table = _TABLES[package]
        yield from (f"{package}/{name}" for name in importlib.import_module(table).names())


class PackageModel(nn.Module):
    """A model with random weights, called with tensors in the order of `given`; what else it is called with, it holds."""

    def __init__(self, kind: str, half: bool = False):
        super().__init__()
        package, _, name = kind.partition("/")
        torch.manual_seed(0)
        called = importlib.import_module(_TABLES[package]).built(name)
        self.model = called.model.to(torch.bfloat16) if half else called.model
        leaves, self.shape = pytree.tree_flatten(called.given)
        self.held = tuple(
            (False, None) if isinstance(leaf, torch.Tensor) else (True, leaf) for leaf in leaves
        )
        self.given = tuple(_in(leaf, half) for leaf in leaves if isinstance(leaf, torch.Tensor))

    def forward(self, *given: torch.Tensor) -> Any:
        """What the model gives."""
        tensors = iter(given)
        leaves = [leaf if held else next(tensors) for held, leaf in self.held]
        return self.model(**pytree.tree_unflatten(leaves, self.shape))


def _in(value: torch.Tensor, half: bool) -> torch.Tensor:
    return value.to(torch.bfloat16) if half and value.is_floating_point() else value
