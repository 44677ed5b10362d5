"""Reader: what the compiled code of a frame begins with when the program runs, and the modes it is called under."""

import contextlib
import dataclasses
import sys
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, FrameType
from typing import Any

import torch
from torch._C._dynamo.eval_frame import set_eval_frame
from torch._dynamo.eval_frame import skip_code

GIVES = "values that frames further in are called with"
NEEDS = ("torch._dynamo.eval_frame:skip_code", "torch._C._dynamo.eval_frame:set_eval_frame")


@dataclasses.dataclass(frozen=True)
class Modes:
    """Torch's modes at one moment, as guards on the global state compare them."""

    gradients: bool
    inference: bool
    default_dtype: torch.dtype
    autocast: tuple[tuple[str, bool, torch.dtype], ...]
    """(device type, whether it is on, dtype)."""
    autocast_cache: bool

    @contextlib.contextmanager
    def active_modes(self, gradients: bool | None = None) -> Iterator[None]:
        """These modes, or with gradients otherwise; what was before comes back."""
        dtype = torch.get_default_dtype()
        with contextlib.ExitStack() as stack:
            stack.callback(torch.set_default_dtype, dtype)
            torch.set_default_dtype(self.default_dtype)
            if self.inference != torch.is_inference_mode_enabled():
                stack.enter_context(torch.inference_mode(self.inference))
            for device, on, dtype in self.autocast:
                if (on, dtype) != (torch.is_autocast_enabled(device), torch.get_autocast_dtype(device)):
                    stack.enter_context(torch.autocast(device, dtype, on, self.autocast_cache))
            stack.enter_context(torch.set_grad_enabled(self.gradients if gradients is None else gradients))
            yield


@dataclasses.dataclass(frozen=True)
class RecordedInputs:
    """The names a frame was called with, and the modes then."""

    names: dict[str, Any]
    modes: Modes


def modes_now() -> Modes:
    """Torch's modes as they are."""
    devices = ("cpu", "cuda") if torch.cuda.is_available() else ("cpu",)
    return Modes(
        torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        torch.get_default_dtype(),
        tuple((name, torch.is_autocast_enabled(name), torch.get_autocast_dtype(name)) for name in devices),
        torch.is_autocast_cache_enabled(),
    )


def met_by(codes: Iterable[tuple[CodeType, str]], run: Callable[[], object]) -> dict[str, RecordedInputs]:
    """Run the program and note the first call of each compiled code. `codes`: (rewritten code, compile id); codes that
    do not run are left out of the answer.
    """
    found: dict[str, RecordedInputs] = {}
    held = list(codes)
    names = {id(code): name for code, name in held}  # Dynamo's constants (a slice) make code that has no hash

    def look(frame: FrameType, event: str, _argument: Any) -> None:
        name = names.get(id(frame.f_code)) if event == "call" else None
        if name is not None and name not in found:
            callback = set_eval_frame(None)  # what is called here Dynamo would see too, and begin to compile
            try:
                found[name] = RecordedInputs(dict(frame.f_locals), modes_now())
            finally:
                set_eval_frame(callback)

    skip_code(look.__code__)
    before = sys.getprofile()
    sys.setprofile(look)
    try:
        run()
    finally:
        sys.setprofile(before)
    return found
