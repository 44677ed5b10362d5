"""Fake tensors, and a backend that compiles with Inductor and then runs the graph as it was on them.

GIVES: compilation for a device whose kernels cannot be called here.
NEEDS: ``compile_fx.compile_fx``, ``compile_fx_inner`` and their settings, ``FakeTensorMode``, ``FakeCopyMode``,
``Generator.clone_state``; what AOTAutograd marks results with that have sizes of any number (``maybe_mark_dynamic_helper``,
from torch 2.13 on ``mark_dynamo_propagated_dynamic_indices``); ``ViewAndMutationMeta.output_info``,
``CompiledFxGraph.output_strides``, ``Tensor._view_func_unsafe``; ``OptimizerVariable.call_method``.
"""

import ast
import contextlib
import copy
import copyreg
import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from unittest.mock import patch

import torch
from torch._dynamo.variables.optimizer import OptimizerVariable
from torch._functorch._aot_autograd import runtime_wrappers
from torch._functorch._aot_autograd.schemas import OutputType
from torch._guards import TracingContext
from torch._inductor import config as inductor_config
from torch._inductor.compile_fx import compile_fx, compile_fx_inner
from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    FakeCopyMode,
    FakeTensorMode,
)
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode, ShapeEnv, is_concrete_int
from torch.utils._python_dispatch import _disable_current_modes

from compiler.engine.error_chain import chain
from compiler.engine.torch_internals.fake_gpu.values.assumed_values import AssumingMode
from compiler.engine.torch_internals.patch.compile_settings import inductor_settings
from compiler.engine.torch_internals.patch.copied_programs import copied_program
from compiler.model.capture.capture_spec import CompileOptions
from compiler.model.capture.gpu_assumptions import Assumption, values_of

_Copied = TypeVar("_Copied")
_RETURNED = re.compile(r"^ +return \(.*,? ?\)$", re.MULTILINE)
"""What a wrapper returns, the last of its functions that return a tuple."""


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
    """A deep copy with a fake for every tensor, and on it what the program wrote on that one. Generators of random numbers,
    whose state is a tensor, stay real.
    """
    memo: dict[int, Any] = {}
    with _CopyMode(mode), _generators_cloned():
        copied = copied_program(value, memo)
        for old in memo.get(id(memo), ()):  # Python keeps here what it copied, and this adds to it
            if isinstance(old, torch.Tensor):
                new = vars(memo[id(old)])
                missing = {name: kept for name, kept in vars(old).items() if name not in new}
                new.update(copy.deepcopy(missing, memo))
    return copied


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


def _cloned(generator: torch.Generator) -> torch.Generator:
    copied = generator.clone_state()
    return copied if copied.device == generator.device else torch.Generator(generator.device)


@contextlib.contextmanager
def _generators_cloned() -> Iterator[None]:
    before = copyreg.dispatch_table.get(torch.Generator)
    copyreg.pickle(torch.Generator, lambda generator: (functools.partial(_cloned, generator), ()))
    try:
        yield
    finally:
        if before is None:
            del copyreg.dispatch_table[torch.Generator]
        else:
            copyreg.dispatch_table[torch.Generator] = before


@contextlib.contextmanager
def optimizers_made_of_fakes(mode: FakeTensorMode) -> Iterator[None]:
    """While this is entered, the state of an optimizer, which Dynamo has made when it meets a step, is made of fakes, as all is that
    the program makes itself.
    """
    variables: Any = OptimizerVariable
    original = variables.call_method

    def call_method(variable: Any, tx: Any, name: str, *arguments: Any) -> Any:
        with mode if name == "_init_group" else contextlib.nullcontext():
            return original(variable, tx, name, *arguments)

    with patch.object(variables, "call_method", call_method):
        yield


def compiled_but_run_on_fakes(options: CompileOptions) -> Callable[[torch.fx.GraphModule, list[Any]], Any]:
    """The backend, with the options and the mode that ``torch.compile`` would be given."""
    patches = inductor_settings(options)

    def backend(module: torch.fx.GraphModule, inputs: list[Any]) -> Any:
        kept = copy.deepcopy(module)
        dynamic = _dynamic_dimensions(module)
        results = _CompiledResults()
        with inductor_config.patch(patches):
            compile_fx(module, inputs, inner_compile=results.compile)
        run = results.as_compiled(kept.forward)
        return _marking(run, dynamic) if any(dynamic) else run

    return backend


@dataclass(frozen=True)
class _Layout:
    strides: tuple[int, ...]
    offset: int


class _CompiledResults:
    """How the results of a compiled graph lie in memory, which the next graph is compiled for: not as those of the graph as it
    was, in dimensions of size 1 and where the program has a view of something that the compiled graph never makes.
    """

    _OF_INTERMEDIATE = (
        OutputType.alias_of_intermediate,
        OutputType.alias_of_intermediate_save_as_output,
    )
    _OF_NOTHING = (OutputType.non_alias, OutputType.unsafe_view_alias, OutputType.custom_function_view)

    def __init__(self) -> None:
        self._layouts: list[_Layout | None] | None = None
        self._trained = False

    def compile(self, module: torch.fx.GraphModule, inputs: Sequence[Any], **options: Any) -> Any:
        """Inductor's compilation of a graph of AOTAutograd's; the first one is the forward."""
        compiled = compile_fx_inner(module, inputs, **options)
        if self._layouts is None and not options.get("is_backward"):
            strides = getattr(compiled, "output_strides", None) or ()
            self._layouts = _layouts(strides, getattr(compiled, "source_code", ""))
            self._trained = not options.get("is_inference")
        return compiled

    def as_compiled(self, run: Callable[..., Sequence[Any]]) -> Callable[..., Sequence[Any]]:
        """The graph as it was, whose results then lie so."""
        context = TracingContext.try_get()
        metadata = context.fw_metadata if context is not None else None
        if metadata is None or not self._layouts or _of_parts(metadata):
            return run
        start = metadata.num_mutated_inp_runtime_indices
        infos = metadata.output_info
        known = [self._of_result(info, number, start, len(infos)) for number, info in enumerate(infos)]

        def laid_out(*inputs: Any) -> Sequence[Any]:
            results = run(*inputs)
            if len(results) == len(known):
                with torch.no_grad():
                    for result, layout_of in zip(results, known, strict=True):
                        if layout_of is not None and isinstance(result, torch.Tensor):
                            _lay_out(result, layout_of(result))
            return results

        return laid_out if any(known) else run

    def _of_result(
        self, info: Any, number: int, start: int, count: int
    ) -> Callable[[torch.Tensor], _Layout | None] | None:
        """From the result of the graph as it was to how AOTAutograd gives it; None for what it takes from an input."""
        kind = info.output_type
        of: Callable[[torch.Tensor, _Layout], _Layout | None]
        if kind in self._OF_INTERMEDIATE:
            place, of = start + count + info.base_idx, _of_view
        elif kind is OutputType.alias_of_intermediate_base_is_user_output:
            place, of = start + info.base_idx, _of_view
        elif kind is OutputType.unsafe_view_alias and self._trained:
            place, of = start + number, _of_viewed_again
        elif kind in self._OF_NOTHING:
            place, of = start + number, _of_itself
        else:
            return None
        assert self._layouts is not None
        found = self._layouts[place] if place < len(self._layouts) else None
        return None if found is None else lambda result: of(result, found)


def _of_parts(metadata: Any) -> bool:
    """Whether a result is made of several tensors, such as DTensor: AOTAutograd counts others then than the compiled graph."""
    return any(hasattr(result, "attrs") for result in metadata.subclass_fw_graph_out_meta or ())


def _layouts(strides: Sequence[Any], wrapper: str) -> list[_Layout | None]:
    """Of each result of Inductor's; None where sizes are symbols. Where in its memory it begins, only the wrapper says."""
    given = _RETURNED.findall(wrapper)
    try:
        results = ast.parse(given[-1].strip()[len("return ") :], mode="eval").body.elts
    except (IndexError, SyntaxError, AttributeError):
        results = []
    if len(results) != len(strides):
        results = [None] * len(strides)
    return [_layout(*pair) for pair in zip(strides, results, strict=True)]


def _layout(strides: Iterable[Any] | None, returned: ast.expr | None) -> _Layout | None:
    steps = [str(stride) for stride in strides or ()]
    if strides is None or not all(text.isdecimal() for text in steps):
        return None
    offset: object = 0
    if isinstance(returned, ast.Call) and len(returned.args) == 4:
        offset = getattr(returned.args[3], "value", None)  # reinterpret_tensor(buf, size, strides, offset)
    return _Layout(tuple(map(int, steps)), offset) if isinstance(offset, int) else None


def _of_itself(result: torch.Tensor, layout: _Layout) -> _Layout | None:
    return layout if len(layout.strides) == result.dim() else None


def _of_viewed_again(result: torch.Tensor, layout: _Layout) -> _Layout | None:
    """AOTAutograd's autograd function gives ``_unsafe_view(result, result.shape)``."""
    if len(layout.strides) != result.dim():
        return None
    with _disable_current_modes():  # fakes keep the strides of a view of the same size, tensors do not
        viewed = torch.empty_strided(result.size(), layout.strides, device="meta").view(result.size())
    return _Layout(viewed.stride(), layout.offset)


def _of_view(result: torch.Tensor, layout: _Layout) -> _Layout | None:
    """AOTAutograd gives the tensor that it is a view of, and makes the view again of that."""
    base = result._base
    if base is None or len(layout.strides) != base.dim():
        return None
    with _disable_current_modes():
        other = torch.empty_strided(base.size(), layout.strides, dtype=base.dtype, device="meta")
        view = result._view_func_unsafe(other)
    return _Layout(view.stride(), layout.offset + view.storage_offset())


def _lay_out(result: torch.Tensor, layout: _Layout | None) -> None:
    """It stays the same tensor with the same history, in the same memory, unless that is too small."""
    if layout is None or (layout.strides, layout.offset) == (result.stride(), result.storage_offset()):
        return
    last = sum((size - 1) * step for size, step in zip(result.shape, layout.strides, strict=True))
    if (layout.offset + last + 1) * result.element_size() <= result.untyped_storage().nbytes():
        with torch.autograd._unsafe_preserve_version_counter(result), torch._C._AutoDispatchBelowAutograd():
            result.as_strided_(result.size(), layout.strides, layout.offset)


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
