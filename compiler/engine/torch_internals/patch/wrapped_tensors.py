"""Tensors that stand for others: fake and functional ones, those inside vmap and grad, and what is in them."""

import contextlib
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch._C import _autograd, _functorch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode, is_fake
from torch._subclasses.functional_tensor import FunctionalTensor
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

from compiler.engine.error_chain import chain

GIVES = "tensors inside tensors"
NEEDS = (
    "torch._C._functorch:get_dynamic_layer_stack_depth",
    "torch._C._functorch:peek_interpreter_stack",
    "torch._C:_enter_dual_level",
    "torch._C:_exit_dual_level",
    "torch._C:_is_fwd_grad_enabled",
    "torch._C:_InferenceMode",
    "torch._C._functorch:get_inplace_requires_grad_allowed",
    "torch._C._autograd:_saved_tensors_hooks_get_disabled_error_message",
    "torch._C._functorch:maybe_get_level",
    "torch._C._functorch:maybe_get_bdim",
    "torch._C._functorch:get_unwrapped",
    "torch._C._functorch:is_batchedtensor",
    "torch._C._functorch:is_gradtrackingtensor",
    "torch._subclasses.fake_tensor:FakeTensorMode",
    "torch._subclasses.functional_tensor:FunctionalTensor",
    "torch.utils._python_dispatch:is_traceable_wrapper_subclass",
)

_ENDS = {
    _functorch.TransformType.Vmap: _functorch._vmap_decrement_nesting,
    _functorch.TransformType.Grad: _functorch._grad_decrement_nesting,
    _functorch.TransformType.Jvp: _functorch._jvp_decrement_nesting,
    _functorch.TransformType.Functionalize: _functorch._func_decrement_nesting,
}
"""By kind: torch 2.11's own way to undo several takes the outermost one with them, or fails."""

_WRAPPING_DEVICES = "lazy", "xla"


@contextlib.contextmanager
def levels_left() -> Iterator[None]:
    """Around a graph that is run op by op, or code that compiles, and may raise: what its nodes begin and a later one would have
    ended is ended, a ``vmap``, ``grad`` or ``jvp`` and what they forbid, ``no_grad``, ``inference_mode``, autocast. Else every later
    operation of the process would be one inside it.
    """
    depth = _functorch.get_dynamic_layer_stack_depth()
    was_forward = _is_in_forward_mode()
    states = [(write, read()) for read, write in _STATES]
    nesting = _autocast_nesting()
    try:
        yield
    except BaseException as error:  # what a graph that ends sets on purpose stays set
        for entered in reversed(list(_inference_modes(error))):
            entered.__exit__(None, None, None)
        for write, state in states:
            write(state)
        for _ in range(nesting, _autocast_nesting()):
            torch.autocast_decrement_nesting()
        if nesting == 0:
            torch.clear_autocast_cache()
        raise
    finally:
        while _functorch.get_dynamic_layer_stack_depth() > depth:
            _ENDS[_functorch.peek_interpreter_stack().key()]()
        if _is_in_forward_mode() and not was_forward:
            torch._C._exit_dual_level(0)


def _is_in_forward_mode() -> bool:
    """Whether forward-mode differentiation has a level open: torch has one at most, and does not tell."""
    try:
        level = torch._C._enter_dual_level()
    except RuntimeError:
        return True
    torch._C._exit_dual_level(level)
    return False


def _inference_modes(error: BaseException) -> Iterator[Any]:
    """Those that a graph entered, in that order: one is a value of the graph, and ends with that alone, whenever it is collected."""
    found: dict[int, Any] = {}
    for raised in chain(error):
        for frame, _ in traceback.walk_tb(raised.__traceback__):
            held = list(frame.f_locals.values())
            held += [
                value for row in held if isinstance(row, torch.fx.Interpreter) for value in row.env.values()
            ]
            found.update((id(value), value) for value in held if isinstance(value, torch._C._InferenceMode))
    yield from found.values()


def _autocast_nesting() -> int:
    nesting: int = torch.autocast_increment_nesting() - 1
    torch.autocast_decrement_nesting()
    return nesting


def _set_hooks_forbidden(reason: str | None) -> None:
    if reason is None:
        _autograd._saved_tensors_hooks_enable()
    else:
        _autograd._saved_tensors_hooks_disable(reason)


def _autocast() -> list[tuple[str, bool, torch.dtype]]:
    return [
        (device, torch.is_autocast_enabled(device), torch.get_autocast_dtype(device)) for device in _CASTING
    ]


def _set_autocast(states: list[tuple[str, bool, torch.dtype]]) -> None:
    for device, is_on, dtype in states:
        torch.set_autocast_enabled(device, is_on)
        torch.set_autocast_dtype(device, dtype)


_CASTING = "cpu", "cuda"
_STATES: tuple[tuple[Callable[[], Any], Callable[[Any], object]], ...] = (
    (torch.is_grad_enabled, torch._C._set_grad_enabled),
    (torch._C._is_fwd_grad_enabled, torch._C._set_fwd_grad_enabled),
    (_functorch.get_inplace_requires_grad_allowed, _functorch.set_inplace_requires_grad_allowed),
    (_autograd._saved_tensors_hooks_get_disabled_error_message, _set_hooks_forbidden),
    (torch.is_autocast_cache_enabled, torch.set_autocast_cache_enabled),
    (_autocast, _set_autocast),
)
"""What nodes of a graph of Dynamo's set for the operations behind them: how it is read and set."""


def functional(value: torch.Tensor) -> torch.Tensor:
    """The tensor as AOTAutograd's tracing wraps it."""
    return torch._to_functional_tensor(value)


def stands_in(value: torch.Tensor) -> bool:
    """Whether a tracer's tensor stands here in place of one with numbers: nothing may be computed with it afterwards.

    The lazy device wraps its own tensors so; these have numbers.
    """
    level = _functorch.maybe_get_level(value)
    if isinstance(value, FakeTensor | FunctionalTensor) or level not in (-1, None):
        return True
    return torch._is_functional_tensor(value) and value.device.type not in _WRAPPING_DEVICES


def has_values(given: Any) -> bool:
    """Whether no tensor of a tree is fake and no truth symbolic."""
    return not any(is_fake(value) or isinstance(value, torch.SymBool) for value in pytree.tree_leaves(given))


def parts_of(value: Any) -> tuple[torch.Tensor, ...]:
    """The tensors that hold the numbers of one whose class is no torch's and may know few operators (torchao's quantized
    ones); empty for any other.
    """
    names = value.__tensor_flatten__()[0] if is_traceable_wrapper_subclass(value) else ()
    return tuple(getattr(value, name) for name in names)


def with_parts(value: Any, change: Callable[[torch.Tensor], torch.Tensor]) -> torch.Tensor:
    """The same with other tensors in it; what `change` makes of the tensor itself, where it holds none."""
    if not is_traceable_wrapper_subclass(value):
        return change(value)
    names, kept = value.__tensor_flatten__()
    inner = {name: with_parts(getattr(value, name), change) for name in names}
    kind: Any = type(value)
    made: torch.Tensor = kind.__tensor_unflatten__(inner, kept, value.size(), value.stride())
    return made


def with_attributes(new: torch.Tensor, old: torch.Tensor) -> torch.Tensor:
    """The tensor in place of another, with what the program wrote on that one (opacus counts calls on parameters)."""
    for name, value in vars(old).items():
        vars(new).setdefault(name, value)
    return new


def fake_mode() -> FakeTensorMode:
    """While it is entered, tensors have shapes and no numbers."""
    return FakeTensorMode(allow_non_fake_inputs=True)


def as_fake(value: Any, mode: Any) -> Any:
    """A tensor of numbers as one of that mode's, which stands for it each time; anything else as it is."""
    if not isinstance(value, torch.Tensor) or isinstance(value, FakeTensor):
        return value
    return mode.from_tensor(value, static_shapes=True)


def seen_inside(what: str, look: Callable[[torch.Tensor], object]) -> None:
    """Call `look` once with a tensor as a function sees it inside ``fake``, ``vmap``, ``grad`` or ``vmap(grad)``."""

    def function(value: torch.Tensor) -> torch.Tensor:
        look(value)
        return value.sum()

    match what:
        case "fake":
            with FakeTensorMode():
                look(torch.ones(3, device="cpu"))
        case "vmap":
            torch.func.vmap(function)(torch.ones(2, 3, device="cpu"))
        case "grad":
            torch.func.grad(function)(torch.ones(3, device="cpu"))
        case _:
            torch.func.vmap(torch.func.grad(function))(torch.ones(2, 3, device="cpu"))


def layers(value: torch.Tensor) -> list[tuple[str, int | None, int | None, tuple[int, ...]]]:
    """(kind, level, batch dimension, shape) from the outside in; the plain tensor comes last."""
    found: list[tuple[str, int | None, int | None, tuple[int, ...]]] = []
    inner: Any = value
    while True:
        shape = tuple(inner.shape)
        if _functorch.is_batchedtensor(inner):
            found.append(("vmap", _functorch.maybe_get_level(inner), _functorch.maybe_get_bdim(inner), shape))
        elif _functorch.is_gradtrackingtensor(inner):
            found.append(("grad", _functorch.maybe_get_level(inner), None, shape))
        else:
            return [*found, ("tensor", None, None, shape)]
        inner = _functorch.get_unwrapped(inner)
