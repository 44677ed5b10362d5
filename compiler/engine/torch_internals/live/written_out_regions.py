"""What Dynamo does with its graph right before it hands it to the backend: it writes a nested region that is called once in the
place of its call.
"""

import importlib
from typing import Any

from torch._dynamo import config

GIVES = "nested regions that are called once, in the places of their calls"
NEEDS = ()
_MODULE = "torch._higher_order_ops.passes.inline_invoke_subgraph"
_BY_SETTING = ("inline_invoke_subgraph", "inline_single_use_invoke_subgraph")
"""Settings of Dynamo's, the stronger one first; torch's functions are called the same. Older torch has none."""


def write_out_regions(module: Any) -> None:
    """As torch would, by the program's settings."""
    for name in _BY_SETTING:
        if getattr(config, name, False):
            getattr(importlib.import_module(_MODULE), name)(module)
            return
