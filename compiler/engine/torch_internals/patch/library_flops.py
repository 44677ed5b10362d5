"""Reader: operations of a library call by the formulas of ``torch.utils.flop_counter``."""

from typing import Any

import torch
from torch.utils._pytree import tree_map
from torch.utils.flop_counter import flop_registry

GIVES = "operations of library calls that Inductor does not count, such as a convolution's backward"
NEEDS = ("torch.utils.flop_counter:flop_registry",)


def flops_of(node: Any) -> int | None:
    """The formula's count for an FX node with values of known sizes; None where there is no formula for it."""
    packet = getattr(getattr(node, "target", None), "overloadpacket", None)
    formula = flop_registry.get(packet)
    if formula is None or "val" not in node.meta:
        return None

    def value(item: Any) -> Any:
        return item.meta.get("val") if isinstance(item, torch.fx.Node) else item

    try:
        args, kwargs = tree_map(value, (tuple(node.args), dict(node.kwargs)))
        return int(formula(*args, **kwargs, out_val=node.meta["val"]))
    except Exception:  # noqa: BLE001  torch's formulas assert and raise as they like: symbolic sizes, grouped heads
        return None
