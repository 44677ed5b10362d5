"""Inductor's Triton kernels run by Triton's interpreter, on the CPU. Only for a process with ``TRITON_INTERPRET=1``. For good.

GIVES: wrappers that can be imported and called with tensors on the CPU.
NEEDS: ``AsyncCompile.triton``, ``PyCodeCache.load``, ``GridExpr``, ``triton_compat.libdevice``, ``triton_helpers``; of Triton
``runtime.interpreter``'s ``TensorHandle``, ``ReduceOps.generic_reduce``, ``ScanOps.generic_scan``.

Triton's own forms of the last two walk element by element, and its ``libdevice`` is empty in the interpreter.
"""

import inspect
import math
import types
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np
import torch

_PROGRAMS = 64
"""A kernel of more programs than this is run in larger blocks."""
_ELEMENTS = 1 << 20
"""Of one such block."""

_PLAIN = (
    "exp exp2 log log2 log10 log1p expm1 rsqrt sqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf erfc "
    "ceil floor trunc isnan isinf signbit lgamma abs round pow fmod hypot atan2 erfinv nextafter copysign ldexp"
)
_FUNCTIONS: dict[str, Callable[..., torch.Tensor]] = {name: getattr(torch, name) for name in _PLAIN.split()}
_FUNCTIONS |= {
    "rint": torch.round,
    "nearbyint": torch.round,
    "llrint": torch.round,
    "fabs": torch.abs,
    "isinfd": torch.isinf,
    "isnand": torch.isnan,
    "finitef": torch.isfinite,
    "i0": torch.special.i0,
    "cyl_bessel_i0": torch.special.i0,
    "cyl_bessel_i1": torch.special.i1,
    "j0": torch.special.bessel_j0,
    "j1": torch.special.bessel_j1,
    "y0": torch.special.bessel_y0,
    "y1": torch.special.bessel_y1,
    "ilogb": lambda value: torch.frexp(value)[1] - 1,
    "fast_dividef": torch.div,
    "div_rn": torch.div,
    "fma": lambda first, second, third: first * second + third,
}


class Watcher(Protocol):
    """Is told of each call of a kernel, with its arguments."""

    def before(self, kernel: "InterpretedKernel", args: tuple[Any, ...]) -> None:
        """It is about to run."""

    def after(self, kernel: "InterpretedKernel", args: tuple[Any, ...]) -> None:
        """It ran, or failed: `kernel.fault`."""


class InterpretedKernel:
    """Stands for a kernel in a wrapper."""

    def __init__(self, name: str, source: str, watcher: Watcher) -> None:
        from torch._inductor.codecache import PyCodeCache

        self.name = name
        self._watcher = watcher
        self.fault: BaseException | None = None
        self.loaded = False
        self.blocks = ""
        self.own_blocks = True
        try:
            self._tuner: Any = getattr(PyCodeCache.load(source), name)
            self.loaded = True
        except Exception as error:  # noqa: BLE001  a kernel's text may be anything; the others are still checked
            self.fault = error

    def run(self, *args: Any, stream: Any = None, **_kwargs: Any) -> None:
        """Interpret one launch; what fails is kept in `fault`."""
        self._watcher.before(self, args)
        if self.loaded:
            self.fault = None
            try:
                self._interpret(args)
            except Exception as error:  # noqa: BLE001  whatever the interpreter raises is the reason it tells
                self.fault = error
        self._watcher.after(self, args)

    def _interpret(self, args: tuple[Any, ...]) -> None:
        tuner = self._tuner
        blocks = dict(tuner.configs[0].kwargs)
        constants = dict(tuner.triton_meta.get("constants", {}))
        grid = self._grid(blocks, constants, args)
        self.own_blocks = True
        if math.prod(grid) > _PROGRAMS:
            larger = _larger(blocks, tuner.size_hints or {}, self._named(blocks, constants, args))
            if larger is not None:
                self.own_blocks = larger == blocks
                blocks = larger
                grid = self._grid(blocks, constants, args)
        shown = ", ".join(f"{name}={value}" for name, value in blocks.items() if name.endswith("BLOCK"))
        programs = math.prod(grid)
        self.blocks = f"{shown} in {programs} program{'s' if programs != 1 else ''}"
        given = self._named(blocks, constants, args)
        tuner.fn[grid](**{name: given[name] for name in tuner.fn.arg_names if name in given})

    def _named(
        self, blocks: dict[str, int], constants: dict[str, Any], args: tuple[Any, ...]
    ) -> dict[str, Any]:
        import triton.language as tl

        declared = inspect.signature(self._tuner.fn.fn).parameters
        names = [name for name in declared if declared[name].annotation is not tl.constexpr]
        return {**constants, **blocks, **dict(zip(names, args, strict=False))}

    def _grid(
        self, blocks: dict[str, int], constants: dict[str, Any], args: tuple[Any, ...]
    ) -> tuple[int, ...]:
        from torch._inductor.runtime.triton_heuristics import GridExpr

        meta = self._tuner.inductor_meta
        extra = {f"_grid_{index}": value for index, value in enumerate(args[-3:])}
        grid = GridExpr.from_meta(meta, blocks)
        return tuple(int(size) for size in grid.eval_slow({**extra, **self._named(blocks, constants, args)}))


def _larger(blocks: dict[str, int], hints: dict[str, int], given: dict[str, Any]) -> dict[str, int] | None:
    """Blocks that take a pointwise kernel or a reduction in few programs; None for other kernels."""
    if "XBLOCK" not in blocks or "xnumel" not in given:
        return None
    reduced = 1
    for axis, hint in hints.items():
        if axis.startswith("r"):
            reduced *= blocks.get(f"{axis.upper()}BLOCK", max(hint, 1))
    made = dict(blocks)
    left = max(_ELEMENTS // reduced, 1)
    for axis in ("z", "y", "x"):
        name, size = f"{axis.upper()}BLOCK", given.get(f"{axis}numel")
        if name in made and isinstance(size, int):
            made[name] = _block(size, made[name], left)
            left = max(left // made[name], 1)
    return made


def _block(size: int, usual: int, most: int) -> int:
    """The largest power of two that takes `size` in whole blocks: Inductor leaves the mask out where its blocks do so.
    Where its own do not, there is a mask, and one block may take all.
    """
    whole = size & -size
    if whole < usual:
        whole = 1 << max(size - 1, 0).bit_length()
    while whole > max(most, usual):
        whole //= 2
    return whole


def install(watcher: Watcher, sources: Mapping[str, str]) -> None:
    """From now on wrappers that are loaded call the interpreter; `sources` replaces their own texts of kernels."""
    import torch._inductor.inductor_prims  # noqa: F401  registers the primitives that graphs use
    import torch._inductor.runtime.triton_compat as compat
    import torch._inductor.runtime.triton_helpers as helpers
    import triton.runtime.interpreter as interpreter
    from torch._inductor import config
    from torch._inductor.async_compile import AsyncCompile

    config.compile_threads = 1
    library: Any = _Libdevice("libdevice")
    compat.libdevice = helpers.libdevice = library
    helpers.set_driver_to_gpu = lambda: None
    interpreter._patch_lang_tensor = _with_plain_index(interpreter._patch_lang_tensor)
    interpreter.ReduceOps.generic_reduce = _reduced
    interpreter.ScanOps.generic_scan = _scanned

    def triton(_self: Any, name: str, source: str, device_str: str = "cuda") -> InterpretedKernel:
        return InterpretedKernel(name, sources.get(name, source), watcher)

    AsyncCompile.triton = triton  # type: ignore[assignment]


def _with_plain_index(original: Callable[..., None]) -> Callable[..., None]:
    """Triton takes a loop's bounds from arrays of one element, which newer NumPy does not make numbers of."""

    def patch(tensor: Any, *scope: Any) -> None:
        original(tensor, *scope)
        tensor.__index__ = lambda self: int(self.handle.data.item())

    return patch


class _Libdevice(types.ModuleType):
    """The functions of NVIDIA's library that torch has as well."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        known = name if name in _FUNCTIONS else name.removeprefix("fast_").removesuffix("f")
        if known not in _FUNCTIONS:
            raise NotImplementedError(f"the interpreter has no libdevice.{name}")
        return _elementwise(_FUNCTIONS[known])


def _elementwise(function: Callable[..., torch.Tensor]) -> Callable[..., Any]:
    import triton.language as tl
    from triton.runtime.interpreter import TensorHandle

    def run(*args: Any) -> Any:
        like = next(value for value in args if isinstance(value, tl.tensor))
        arrays = [value.handle.data if isinstance(value, tl.tensor) else np.asarray(value) for value in args]
        shape = np.broadcast_shapes(*(array.shape for array in arrays))
        spread = [torch.from_numpy(np.array(np.broadcast_to(array, shape))) for array in arrays]
        result = function(*spread).numpy()
        logical = result.dtype == np.bool_ or function in (
            torch.isnan,
            torch.isinf,
            torch.signbit,
            torch.isfinite,
        )
        scalar = tl.int32 if logical or np.issubdtype(result.dtype, np.integer) else like.type.scalar
        result = result.astype(np.int32 if scalar == tl.int32 else like.handle.data.dtype)
        blocks = like.type.is_block() or any(
            isinstance(value, tl.tensor) and value.type.is_block() for value in args
        )
        kind = tl.block_type(scalar, list(shape)) if blocks else scalar
        return tl.tensor(TensorHandle(result, scalar), kind)

    return run


def _combined(self: Any, first: list[Any], second: list[Any], types_: list[Any]) -> list[Any]:
    """Whole arrays through the kernel's own function for two values."""
    given = [
        self.to_tensor(np.ascontiguousarray(part), kind)
        for side in (first, second)
        for part, kind in zip(side, types_, strict=True)
    ]
    made = self.combine_fn.fn(*given)
    made = made if isinstance(made, tuple) else (made,)
    return [
        np.broadcast_to(value.handle.data.astype(like.dtype), like.shape)
        for value, like in zip(made, first, strict=True)
    ]


def _reduced(self: Any, given: Any) -> list[Any]:
    """``generic_reduce`` by halves; neighbours are combined, so that the order is kept."""
    whole = self.axis is None
    parts, axis = self.unravel(given, self.axis)
    kinds = [part.dtype for part in parts]
    dimensions = given[0].handle.data.ndim
    arrays = [np.moveaxis(part.handle.data, axis, -1) for part in parts]
    while arrays[0].shape[-1] > 1:
        size = arrays[0].shape[-1]
        even = size - size % 2
        halved = _combined(
            self,
            [array[..., 0:even:2] for array in arrays],
            [array[..., 1:even:2] for array in arrays],
            kinds,
        )
        if size % 2:
            halved = [
                np.concatenate([half, array[..., -1:]], -1)
                for half, array in zip(halved, arrays, strict=True)
            ]
        arrays = halved
    made = []
    for array, kind in zip(arrays, kinds, strict=True):
        value: Any = array[..., 0]
        if self.keep_dims:
            value = value.reshape((1,) * dimensions) if whole else np.expand_dims(value, axis)
        if value.ndim == 0:
            value = value.item()
        made.append(self.to_tensor(value, kind))
    return made


def _scanned(self: Any, given: Any) -> list[Any]:
    """``generic_scan`` in log₂ n steps over whole arrays."""
    kinds = [part.dtype for part in given]
    arrays = [np.moveaxis(part.handle.data, self.axis, -1).copy() for part in given]
    size, step = arrays[0].shape[-1], 1
    while step < size:
        moved = _combined(self, [np.roll(array, step, -1) for array in arrays], arrays, kinds)
        late = np.arange(size) >= step
        arrays = [np.where(late, new, old) for new, old in zip(moved, arrays, strict=True)]
        step *= 2
    return [
        self.to_tensor(np.moveaxis(array, -1, self.axis), kind)
        for array, kind in zip(arrays, kinds, strict=True)
    ]
