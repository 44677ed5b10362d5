"""A mode of fake tensors that knows values: what a line finds that asks a tensor for its value, as a person assumed it or as it was
found on the CPU.

GIVES: ``item()``, ``bool()``, ``nonzero()``, ``numpy()``, indexing with a mask, and numbers in texts (``f"expert_{index}"``), on tensors without
values.
NEEDS: ``FakeTensorMode.dispatch``, ``FakeTensor.constant``, ``Tensor.__format__``.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from unittest.mock import patch

import torch
from torch._dynamo.eval_frame import skip_code
from torch._guards import TracingContext
from torch._higher_order_ops import utils as higher_order_utils
from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    FakeTensor,
    FakeTensorMode,
    unset_fake_temporarily,
)
from torch.fx.experimental.symbolic_shapes import ShapeEnv
from torch.nn.modules._functions import SyncBatchNorm
from torch.utils import _pytree as pytree

from compiler.engine.torch_internals.fake_gpu.values.found_values import (
    AS_ARRAY,
    FoundValues,
    answered,
    asks,
    callers,
    computed,
    lines,
)
from compiler.engine.torch_internals.fake_gpu.values.known_values import KnownValues
from compiler.model.capture.gpu_assumptions import VALUE, Assumed, Value

_ATEN = torch.ops.aten
MULTIPLIED = {
    _ATEN.mm.default: slice(0, 2),
    _ATEN.bmm.default: slice(0, 2),
    _ATEN.addmm.default: slice(1, 3),
}
"""Which arguments a product multiplies: of the same type, which its shape function does not ask for."""


class TwoTypesError(RuntimeError):
    """A product of tensors of two types, refused as it is where it is run, compiled or not."""


class AssumingMode(FakeTensorMode):
    """Answers where the person said with what, then where it was found on the CPU; all else raises or becomes a symbol, as torch has
    it. `assumed` has each answer that was given.
    """

    supports_higher_order_operators = True

    def __init__(self, values: Mapping[tuple[str, int], Value], **options: Any) -> None:
        super().__init__(**options)
        self._values = values
        self.found = FoundValues()
        """Filled by who ran the program with its values."""
        self.known: KnownValues | None = None
        """Of a program that was built without values."""
        self.building = False
        self.answers = FoundValues()
        """What was known and asked for while the program ran."""
        self.assumed: dict[Assumed, None] = {}
        self.observer: Callable[[Any, Sequence[Any], Mapping[str, Any], Any], None] | None = None
        """Told each operation with what it was given and gave, those that torch makes of it left out."""
        self._inside = False

    def dispatch(
        self,
        func: Any,
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Torch's own, but for the questions that a person answered."""
        if isinstance(func, torch._ops.HigherOrderOperator):
            return self._of_higher_order(func, types, args, kwargs or {})
        if func in MULTIPLIED and TracingContext.try_get() is None:
            _refuse_two_types(args[MULTIPLIED[func]])
        answer = _ANSWERS.get(func) if self._values else None
        if answer is not None and _has_no_value(args[0]) and (found := self._assumed()) is not None:
            return answer(self, found, *args)
        known = self.known if TracingContext.try_get() is None else None
        if known is not None and asks(func) and (self.building or not self.found):
            real = known.real_result(func, args, kwargs or {})
            if real is not None:
                if not self.building:
                    self.answers.note_result(func, real)
                    self.assumed[computed(real)] = None
                return self._as_fakes(known, real)
        if func is _ATEN.nonzero.default and _has_no_value(args[0]) and _asks_who_has_inputs():
            self.assumed[_ALL_HAVE_INPUTS] = None
            return _nonzero(self, args[0].numel(), args[0])
        if self.found and not self.building and asks(func) and (asked := _a_fake(args)) is not None:
            row = self.found.next(func) if TracingContext.try_get() is None else None
            if row is not None:  # while Dynamo traces, the graph breaks here, as it would
                self.assumed[row[1]] = None
                return answered(row[0], asked)
        seeing = [see for see in (known.saw if known is not None else None, self.observer) if see is not None]
        if not seeing or self._inside:
            return super().dispatch(func, types, args, kwargs or {})
        self._inside = True
        try:
            result = super().dispatch(func, types, args, kwargs or {})
        finally:
            self._inside = False
        if result is not NotImplemented:  # else a distributed tensor, which calls again with its parts
            for see in seeing:
                see(func, args, kwargs or {}, result)
        return result

    def _as_fakes(self, known: KnownValues, real: Any) -> Any:
        def fake(value: torch.Tensor) -> torch.Tensor:
            made = self.from_tensor(value, static_shapes=True)
            known.note(made, value)
            return made

        return pytree.tree_map_only(torch.Tensor, fake, real)

    def _of_higher_order(
        self,
        func: torch._ops.HigherOrderOperator,
        types: Sequence[type],
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> Any:
        """By the rule that torch has for its own fake mode, which it looks up by the mode's very type. What runs inside comes
        here again.
        """
        by_rule = getattr(higher_order_utils, "registered_hop_fake_fns", {})
        rule = func.python_key_table.get(FakeTensorMode) if func not in by_rule else None
        outer = self.shape_env
        # the rules of loops and branches take for granted that there is one
        self.shape_env = outer or ShapeEnv()
        try:
            if rule is not None:
                return rule(self, *args, **kwargs)
            return super().dispatch(func, types, args, kwargs)
        finally:
            self.shape_env = outer

    def _assumed(self) -> Value | None:
        """What was assumed for the line that asks: the innermost of a library's, else of the person's own."""
        for path, line in lines():
            for (file, number), value in self._values.items():
                if number == line and (path == file or path.endswith(f"/{file}")):
                    words = f"{file}, line {line} finds {value!r} where it asks a tensor for its value."
                    self.assumed[Assumed(f"{VALUE}{file}:{line}", words)] = None
                    return value
        return None


@contextlib.contextmanager
def formatted_by_value() -> Iterator[None]:
    """While this is entered, a number in a text is the fake's value, as of a plain tensor. Without one it is the fake's own text, and
    that is noted (`FoundValues.missed`); of a text that says how it is to be written, it is a question like all others.
    """
    original = torch.Tensor.__format__

    def formatted(tensor: FakeTensor, spec: str) -> str:
        mode = tensor.fake_mode
        if tensor.dim() or not isinstance(mode, AssumingMode):
            return original(tensor, spec)
        try:
            return format(tensor.item(), spec)
        except DataDependentOutputException:
            if spec:
                raise
            mode.found.missed = True
            return original(tensor, spec)

    skip_code(formatted.__code__)  # else Dynamo compiles it as if it were the program's
    with patch.object(FakeTensor, "__format__", formatted):
        yield


@contextlib.contextmanager
def arrays_by_value() -> Iterator[None]:
    """While this is entered, a fake's ``numpy()`` is the array that was found, and a question like all others where none was; torch
    refuses it.
    """

    def array(tensor: FakeTensor, *, force: bool = False) -> Any:
        if not force and tensor.device.type != "cpu":
            raise TypeError(_NO_ARRAY_ON.format(tensor.device))
        if not force and tensor.requires_grad:
            raise RuntimeError(_NO_ARRAY_OF_GRADIENT)
        mode = tensor.fake_mode
        known = mode.known.of(tensor) if isinstance(mode, AssumingMode) and mode.known is not None else None
        if known is not None:
            with unset_fake_temporarily():
                return known.numpy().copy()
        row = mode.found.next(AS_ARRAY) if isinstance(mode, AssumingMode) else None
        if row is None:
            raise DataDependentOutputException(_ATEN._local_scalar_dense.default)
        mode.assumed[row[1]] = None
        return row[0].copy()

    with patch.object(FakeTensor, "numpy", torch._disable_dynamo(array)):  # nor what it calls
        yield


_NO_ARRAY_ON = (
    "can't convert {} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."
)
_NO_ARRAY_OF_GRADIENT = (
    "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
)
"""As torch refuses them of tensors with values."""


_ALL_HAVE_INPUTS = Assumed(
    f"{VALUE}SyncBatchNorm", "Every rank has inputs: SyncBatchNorm leaves out the statistics of none."
)


def _asks_who_has_inputs() -> bool:
    """Whether it is `SyncBatchNorm` that asks, of ranks that are not there, how many values each has."""
    return TracingContext.try_get() is None and any(
        frame.f_code is SyncBatchNorm.forward.__code__ for frame in callers()
    )


def _refuse_two_types(factors: Sequence[Any]) -> None:
    """As the product itself does where it is run; while it is compiled nobody asks."""
    first, second = (factor.dtype for factor in factors)
    if first != second:
        raise TwoTypesError(f"mat1 and mat2 must have the same dtype, but got {first} and {second}")


def _a_fake(args: Sequence[Any]) -> torch.Tensor | None:
    """Also one that torch knows the value of: answers were noted of all, and are given in the same order."""
    return next((value for value in args if isinstance(value, FakeTensor)), None)


def _has_no_value(tensor: Any) -> bool:
    return isinstance(tensor, FakeTensor) and tensor.constant is None


def _scalar(_mode: AssumingMode, value: Value, tensor: torch.Tensor) -> Value:
    if tensor.dtype == torch.bool:
        return bool(value)
    return float(value) if tensor.dtype.is_floating_point else int(value)


def _nonzero(_mode: AssumingMode, count: Value, tensor: torch.Tensor) -> torch.Tensor:
    return tensor.new_empty((int(count), tensor.dim()), dtype=torch.int64)


def _selected(_mode: AssumingMode, count: Value, tensor: torch.Tensor, _mask: torch.Tensor) -> torch.Tensor:
    return tensor.new_empty((int(count),))


_ANSWERS: dict[Any, Callable[..., Any]] = {
    _ATEN._local_scalar_dense.default: _scalar,
    _ATEN.nonzero.default: _nonzero,
    _ATEN.masked_select.default: _selected,
}
