"""Which kernels the dispatcher calls, each inside the one that called it.

Torch's own trace is compiled out of the released wheels. A shim is put around each kernel of the operators that a first run
used; it notes the call and hands on to the kernel. The process must not be used for anything else: the shims are registered
for all of it.
"""

import linecache
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import torch

from compiler.engine.errors import EngineError
from compiler.engine.file_ownership import is_linked
from compiler.engine.operators.dispatch_tables import code_place
from compiler.engine.torch_internals.dispatcher import dispatcher
from compiler.engine.torch_internals.profiler.eager_operations import operations_of
from compiler.model.ir.graph import SourceLine
from compiler.model.operators.dispatching import CodePlace, DispatchCall

_KEYS = (  # of those that end in a star, one for each kind of device that is here
    "FuncTorchDynamicLayerFrontMode",
    "PythonTLSSnapshot",
    "FuncTorchGradWrapper",
    "FuncTorchVmapMode",
    "FuncTorchBatched",
    "Autocast*",
    "Autograd*",
    "AutogradMeta",
    "AutogradPrivateUse1",
    "ADInplaceOrView",
    "ZeroTensor",
    "Negative",
    "Conjugate",
    "Functionalize",
    "FuncTorchDynamicLayerBackMode",
    "Python",
    "BackendSelect",
    "*",
    "Sparse*",
    "Quantized*",
    "Meta",
    "PrivateUse1",
)
_OWN_FALLBACKS = (
    "Python",
    "PythonTLSSnapshot",
    "FuncTorchDynamicLayerFrontMode",
    "FuncTorchDynamicLayerBackMode",
)
"""Keys whose fallback looks at the state of the thread, which a shim in Python would have changed."""
_UNTOUCHABLE = (
    "aten::detach",
    "aten::detach_",
    "aten::alias",
    "aten::_has_compatible_shallow_copy_type",
)
"""Making a parameter fails where these come back through Python."""
_GIVEN_NUMBERS_ON_A_GPU = ("aten::pow.Tensor_Tensor", "aten::pow.Tensor_Tensor_out")
"""``2 ** x`` makes a tensor of the number beside x; torch hands numbers to Python from the CPU only, and ends the program there."""


def keys_here() -> tuple[str, ...]:
    """The dispatch keys whose kernels are listened to: those of the CPU and of what torch finds on this machine."""
    accelerator = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else None
    kinds = ("CPU", *((accelerator.type.upper(),) if accelerator is not None else ()))
    return tuple(key.replace("*", kind) for key in _KEYS for kind in (kinds if "*" in key else ("",)))


class DispatchRecorder:
    """Shims around kernels, and the calls that went through them. Use `install`, run, `remove`, in a process that does nothing else
    afterwards: kernels in Python (of Meta) are not put back wholly.
    """

    def __init__(self) -> None:
        self.calls: list[DispatchCall] = []
        self.left_alone: list[str] = []
        self.shims = 0
        self.recording = False
        self._lines: list[SourceLine | None] = []
        """Of the calls that are under way, the outermost first."""
        self._libraries: dict[str, Any] = {}
        self._forward_lines: dict[int, SourceLine] = {}

    def install(self, operators: Iterable[str]) -> None:
        """Put shims around the kernels of these overloads."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch reports every kernel that another takes the place of
            for name in operators:
                if name in _GIVEN_NUMBERS_ON_A_GPU and torch.accelerator.is_available():
                    self.left_alone.append(
                        f"{name}: a number on a GPU, as of 2 ** x, is not handed to Python"
                    )
                elif name not in _UNTOUCHABLE:
                    self._install_on(name)

    def remove(self) -> None:
        """Take all shims out again. What torch compiled meanwhile, such as formulas for jvp, keeps those it met."""
        for library in self._libraries.values():
            dispatcher.give_back(library)
        self._libraries.clear()

    def _install_on(self, name: str) -> None:
        space = name.partition("::")[0]
        rows = {row[0]: row for row in dispatcher.table(name)}
        types = dispatcher.parameter_types(name)
        for key in keys_here():
            _, through, path, kind, line = rows.get(key, ("", True, "", "", 0))
            if through or (kind == "backend fallback" and key in _OWN_FALLBACKS):
                continue
            if key == "Meta" and kind == "math kernel":  # torch does not allow one there
                continue
            if space not in self._libraries:
                self._libraries[space] = dispatcher.library(space)
            try:
                kernel = dispatcher.kernel(name, key)
                shim = self._shim(name, key, kind, code_place(path, line), kernel, types)
                dispatcher.replace(self._libraries[space], name, shim, key)
            except (RuntimeError, TypeError, ValueError) as error:
                self.left_alone.append(f"{name} @ {key}: {str(error).split(chr(10))[0]}")
            else:
                self.shims += 1

    def _shim(
        self, name: str, key: str, kind: str, where: CodePlace, kernel: Any, types: list[str]
    ) -> Callable[..., Any]:
        def shim(keys: Any, *args: Any, **kwargs: Any) -> Any:
            values = _with_numbers_wrapped(types, args)
            backward, sequence = dispatcher.running_backward()
            if not self.recording and not backward:
                return kernel.call_boxed(keys, *values, **kwargs)
            index, line = len(self.calls), self._line(backward, sequence)
            call = DispatchCall(len(self._lines), name, key, kind, where, str(keys), 0.0, line, backward)
            self.calls.append(call)
            self._lines.append(line)
            began = time.perf_counter_ns()
            try:
                result = kernel.call_boxed(keys, *values, **kwargs)
            finally:
                self._lines.pop()
                spent = (time.perf_counter_ns() - began) / 1e3
                self.calls[index] = msgspec.structs.replace(call, microseconds=spent)
            # below autograd a tensor that is written to has its new version and its old history, and a view that is asked for
            # its node then takes the old one for good
            if line is not None and not backward and key.startswith("Autograd"):
                self._note_line(result, line)
            return result

        return shim

    def _line(self, backward: bool, sequence: int | None) -> SourceLine | None:
        if self._lines:
            return self._lines[-1]
        if backward:
            return self._forward_lines.get(sequence) if sequence is not None else None
        return _calling_line()

    def _note_line(self, result: Any, line: SourceLine) -> None:
        for value in result if isinstance(result, tuple | list) else (result,):
            sequence = dispatcher.sequence_number(value)
            if sequence is not None:
                self._forward_lines.setdefault(sequence, line)


def _calling_line() -> SourceLine | None:
    """As `innermost_line`, of the frames that run: a whole traceback would read every file on the way."""
    frames = (frame for frame, _ in traceback.walk_stack(sys._getframe(2)))  # noqa: SLF001
    frame = next((entry for entry in frames if is_linked(entry.f_code.co_filename)), None)
    if frame is None:
        return None
    code = frame.f_code
    text = linecache.getline(code.co_filename, frame.f_lineno).strip()
    return SourceLine(code.co_filename, frame.f_lineno, code.co_name, text)


def _with_numbers_wrapped(types: list[str], args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Torch hands a number that stands for a tensor to a kernel in Python as a number; a kernel in C++ wants the tensor."""
    if not any(
        kind == "Tensor" and isinstance(value, bool | int | float | complex)
        for kind, value in zip(types, args, strict=False)
    ):
        return args
    tensors = [value for value in args if isinstance(value, torch.Tensor)]
    return tuple(
        _as_tensor(value, tensors)
        if index < len(types) and types[index] == "Tensor" and isinstance(value, bool | int | float | complex)
        else value
        for index, value in enumerate(args)
    )


def _as_tensor(value: complex, tensors: list[torch.Tensor]) -> torch.Tensor:
    """A number of no dimensions that leaves the type of the result as the number does. Where it can be it is wide, as the number
    is: a bfloat16 tensor times 0.1 is computed with 0.1 and not with the bfloat16 next to it.
    """
    like = max(tensors, key=lambda tensor: (tensor.dtype != torch.bool, tensor.dim() > 0), default=None)
    if like is None:
        return torch.tensor(value, device="cpu")
    common = torch.result_type(like, value)
    wide = like.dim() > 0 and common == like.dtype
    return torch.scalar_tensor(value, dtype=_WIDE[type(value)] if wide else common, device="cpu")


_WIDE = {bool: torch.bool, int: torch.int64, float: torch.float64, complex: torch.complex128}


def overloads_used(run: Callable[[], object]) -> list[str]:
    """Every overload of every operator that a run used: the profiler knows names only. Raises EngineError."""
    used = {name for name, *_ in operations_of(run)}
    found = [name for name in dispatcher.names() if name.partition(".")[0] in used]
    if not found:
        raise EngineError(
            "No operator was seen in a run of the program.", "Trace one that computes something."
        )
    return found
