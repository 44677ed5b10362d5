"""Fake tensors, and a backend that compiles with Inductor and then runs the graph as it was on them.

GIVES: compilation for a device whose kernels cannot be called here.
NEEDS: ``compile_fx.compile_fx`` and its settings, ``FakeTensorMode``, ``FakeCopyMode``.
"""

import copy
from collections.abc import Callable
from typing import Any, TypeVar

import torch
from torch._inductor import config as inductor_config
from torch._inductor.compile_fx import compile_fx
from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    FakeCopyMode,
    FakeTensorMode,
)
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode, ShapeEnv

from compiler.model.capture.capture_spec import CompileOptions

_Copied = TypeVar("_Copied")


def fake_mode(dynamic: bool) -> FakeTensorMode:
    """Under it new tensors are fakes; constants of the program may be real. Unless sizes are to be symbols, what asks for
    a value raises at once.
    """
    return FakeTensorMode(allow_non_fake_inputs=True, shape_env=ShapeEnv() if dynamic else None)


def wants_a_value(error: BaseException) -> bool:
    """Whether the program asked a fake tensor for a value."""
    return isinstance(
        error, DataDependentOutputException | DynamicOutputShapeException | GuardOnDataDependentSymNode
    )


def copied_as_fakes(mode: FakeTensorMode, value: _Copied) -> _Copied:
    """A deep copy with a fake for every tensor."""
    with FakeCopyMode(mode):
        return copy.deepcopy(value)


def compiled_but_run_on_fakes(options: CompileOptions) -> Callable[[torch.fx.GraphModule, list[Any]], Any]:
    """The backend, with the options and the mode that ``torch.compile`` would be given."""
    patches: dict[str, Any] = dict(options.options)
    if options.mode is not None:
        patches = {**torch._inductor.list_mode_options(options.mode), **patches}

    def backend(module: torch.fx.GraphModule, inputs: list[Any]) -> Any:
        kept = copy.deepcopy(module)
        with inductor_config.patch(patches):
            compile_fx(module, inputs)
        return kept.forward

    return backend
