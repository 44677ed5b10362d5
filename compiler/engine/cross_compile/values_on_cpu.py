"""What a program finds where it asks its tensors for values: for its capture on fakes, which have none."""

import torch

from compiler.engine.cross_compile.fake_loading import load_as_fakes
from compiler.engine.torch_internals.fake_gpu.fake_backend import fake_mode
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


def values_on_fakes(spec: CaptureSpec) -> FoundValues:
    """Run without values, not compiled, as far as its own numbers answer: compiled kernels do not compute them. As often as steps
    are run for a prediction, since each may find what the one before has set.
    """
    mode = fake_mode(spec.compile.dynamic is True, spec.assume)
    try:
        program = load_as_fakes(spec, mode)
        set_mode(program, spec.run)
        with mode, torch.set_grad_enabled(spec.run.gradients):
            for _ in range(3):
                program.callable(*program.args, **program.kwargs)
    except Exception:  # noqa: BLE001  whatever a program raises
        mode.answers.whole = mode.answers.repeats = False
    return mode.answers
