"""What a program finds on the CPU where it asks its tensors for values: for its capture on fakes, which have none."""

import torch

from compiler.engine.torch_internals.fake_gpu.values.found_values import FoundValues, found_by
from compiler.engine.user_program.loading import load_program
from compiler.engine.user_program.stepper import Stepper, set_mode
from compiler.model.capture.capture_spec import CaptureSpec


def values_on_cpu(spec: CaptureSpec) -> tuple[FoundValues, Exception | None]:
    """Loaded again and run once with its values, not compiled; and what ended that before its end: the GPU may be what it wants.
    Takes the memory and the time of a step on the CPU.
    """
    try:
        program = load_program(spec.target, spec.run.seed)
        set_mode(program, spec.run)
        torch.manual_seed(spec.run.seed)
    except Exception as error:  # noqa: BLE001  whatever a program raises
        return FoundValues(), error
    return found_by(lambda: Stepper(program, spec.run).step(program.callable))
