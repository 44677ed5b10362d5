"""Where the partitioner's minimum cut is looked up: torch has its own from 2.15 on, before that networkx's."""

from compiler.engine.torch_internals.patch.patching import is_there

_OWN = "torch._functorch.partitioners:minimum_cut"
_NETWORKX = "networkx:minimum_cut"

MINIMUM_CUT = _OWN if is_there(_OWN) else _NETWORKX
"""networkx's is there also where the partitioner does not call it; only the one that is called tells anything."""
