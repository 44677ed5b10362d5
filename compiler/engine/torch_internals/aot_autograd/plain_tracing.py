"""AOTAutograd's tracing without passes and with torch's plainest partition, for telling its faults from those of the rest."""

import contextlib
from collections.abc import Iterator
from typing import Any

import torch._functorch.config
from torch._functorch.partitioners import default_partition

from compiler.engine.torch_internals.patch.patching import around

GIVES = "AOTAutograd's tracing without Inductor's part in it"
NEEDS = (
    "torch._inductor.compile_fx:_recursive_pre_grad_passes",
    "torch._inductor.compile_fx:_recursive_joint_graph_passes",
    "torch._inductor.compile_fx:min_cut_rematerialization_partition",
    "torch._functorch.config:cse",
)


@contextlib.contextmanager
def without_passes() -> Iterator[None]:
    """While this is entered, no pass runs before Inductor compiles."""

    def unchanged(module: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        return module

    with around(NEEDS[0], unchanged), around(NEEDS[1], unchanged):
        yield


@contextlib.contextmanager
def plainest_cut() -> Iterator[None]:
    """While this is entered, joint graphs are cut where the forward ends: nothing is weighed, and nothing recomputed."""

    def plain(module: Any, joint_inputs: Any, *, original: Any, **kwargs: Any) -> Any:
        return default_partition(module, joint_inputs, num_fwd_outputs=kwargs["num_fwd_outputs"])

    with around(NEEDS[2], plain):
        yield


@contextlib.contextmanager
def nothing_shared() -> Iterator[None]:
    """While this is entered, AOTAutograd does not make one node of two that compute the same."""
    with torch._functorch.config.patch(cse=False):
        yield
