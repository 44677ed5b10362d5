"""Fake tensors, and a backend that compiles with Inductor and then runs the graph as it was on them.

GIVES: compilation for a device whose kernels cannot be called here.
NEEDS: ``compile_fx.compile_fx`` and its settings, ``FakeTensorMode``, ``FakeCopyMode``, ``Generator.clone_state``; what
AOTAutograd marks results with that have sizes of any number (``maybe_mark_dynamic_helper``, from torch 2.13 on
``mark_dynamo_propagated_dynamic_indices``).
"""

import contextlib
import copy
import copyreg
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import torch
from torch._functorch._aot_autograd import runtime_wrappers
from torch._inductor import config as inductor_config
from torch._inductor.compile_fx import compile_fx
from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    FakeCopyMode,
    FakeTensorMode,
)
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode, ShapeEnv, is_concrete_int

from compiler.engine.storage_faults import chain
from compiler.engine.torch_internals.fake_gpu.assumed_values import AssumingMode
from compiler.model.capture.capture_spec import CompileOptions
from compiler.model.capture.gpu_assumptions import Assumption, values_of

_Copied = TypeVar("_Copied")


def fake_mode(dynamic: bool, assumed: Iterable[Assumption] = ()) -> AssumingMode:
    """Under it new tensors are fakes; constants of the program may be real. Unless sizes are to be symbols, what asks for
    a value raises at once, where none was assumed.
    """
    values = values_of(assumed)
    return AssumingMode(values, allow_non_fake_inputs=True, shape_env=ShapeEnv() if dynamic else None)


def wants_a_value(error: BaseException) -> bool:
    """Whether the program asked a fake tensor for a value."""
    asked = DataDependentOutputException | DynamicOutputShapeException | GuardOnDataDependentSymNode
    return any(isinstance(found, asked) for found in chain(error))


def copied_as_fakes(mode: FakeTensorMode, value: _Copied) -> _Copied:
    """A deep copy with a fake for every tensor. Generators of random numbers, whose state is a tensor, stay real."""
    with _CopyMode(mode), _generators_cloned():
        return copy.deepcopy(value)


class _CopyMode(FakeCopyMode):
    """An object that traces a graph while it is copied (e3nn unpickles one) calls functions with fx's proxies, which torch's own
    mode does not leave to them.
    """

    def __torch_function__(
        self, func: Any, types: Sequence[type], args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        if not all(issubclass(kind, torch.Tensor) for kind in types):
            return NotImplemented
        return super().__torch_function__(func, types, args, kwargs)


@contextlib.contextmanager
def _generators_cloned() -> Iterator[None]:
    before = copyreg.dispatch_table.get(torch.Generator)
    copyreg.pickle(torch.Generator, lambda generator: (generator.clone_state, ()))
    try:
        yield
    finally:
        if before is None:
            del copyreg.dispatch_table[torch.Generator]
        else:
            copyreg.dispatch_table[torch.Generator] = before


def compiled_but_run_on_fakes(options: CompileOptions) -> Callable[[torch.fx.GraphModule, list[Any]], Any]:
    """The backend, with the options and the mode that ``torch.compile`` would be given."""
    patches: dict[str, Any] = dict(options.options)
    if options.mode is not None:
        patches = {**torch._inductor.list_mode_options(options.mode), **patches}

    def backend(module: torch.fx.GraphModule, inputs: list[Any]) -> Any:
        kept = copy.deepcopy(module)
        dynamic = _dynamic_dimensions(module)
        with inductor_config.patch(patches):
            compile_fx(module, inputs)
        return _marking(kept.forward, dynamic) if any(dynamic) else kept.forward

    return backend


def _dynamic_dimensions(module: torch.fx.GraphModule) -> list[set[int]]:
    """Of each result the dimensions whose size is a symbol."""
    values = [getattr(node, "meta", {}).get("example_value") for node in module.graph.output_node().args[0]]
    return [
        {dim for dim, size in enumerate(value.shape) if not is_concrete_int(size)}
        if isinstance(value, torch.Tensor)
        else set()
        for value in values
    ]


def _marking(run: Callable[..., Sequence[Any]], dynamic: list[set[int]]) -> Callable[..., Sequence[Any]]:
    """Marks results as the compiled graph would have marked them: where another graph takes one, Dynamo sees at once that its size is
    any number, not at the second size.
    """
    wrappers: Any = runtime_wrappers
    newer = getattr(wrappers, "mark_dynamo_propagated_dynamic_indices", None)
    mark = newer or wrappers.maybe_mark_dynamic_helper

    def marked(*inputs: Any) -> Sequence[Any]:
        results = run(*inputs)
        for result, dimensions in zip(results, dynamic, strict=True):
            if dimensions:
                mark(result, dimensions)
        return results

    return marked
