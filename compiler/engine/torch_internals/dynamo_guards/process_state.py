"""Reader: the settings that hold for a whole thread while a frame runs, and on which torch guards: gradients on or off, autocast, modes of
functions of torch's, the default device.
"""

from typing import Any

import torch
from torch.overrides import _get_current_function_mode_stack
from torch.utils import _device

GIVES = "settings of the thread that guards check"
NEEDS = (
    "torch._C._dynamo.guards:GlobalStateGuard",
    "torch.overrides:_get_current_function_mode_stack",
    "torch.utils._device:CURRENT_DEVICE",
)
KINDS = frozenset(
    ("GLOBAL_STATE", "TORCH_FUNCTION_MODE_STACK", "TORCH_FUNCTION_STATE", "DEFAULT_DEVICE", "GRAD_MODE")
)
"""Guards on them, by torch's names."""


class ProcessState:
    """What the settings were when this was made."""

    def __init__(self) -> None:
        guards: Any = torch._C._dynamo.guards
        self._settings = guards.GlobalStateGuard()
        self._modes, self._device = _get_current_function_mode_stack(), _device.CURRENT_DEVICE

    def holds(self) -> bool:
        """Whether they are so now."""
        return (
            bool(self._settings.check())
            and _get_current_function_mode_stack() == self._modes
            and self._device == _device.CURRENT_DEVICE
        )
