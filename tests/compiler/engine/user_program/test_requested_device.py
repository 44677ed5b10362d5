"""Whatever loads a program puts it on the device that was asked for, or says that it cannot: front ends stayed on the CPU silently."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from compiler.engine.capture.capture import make_capture
from compiler.engine.errors import EngineError
from compiler.engine.experiments.dynamic_shape_trials import measure_stances
from compiler.engine.front_ends.capture import capture_with
from compiler.engine.front_ends.edit.edited_program import EditedFrontEnd
from compiler.engine.operators.dispatch_trace_program import trace_program
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.capture.front_ends import FRONT_ENDS
from compiler.model.ir.gpu_target import TARGETS

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here"),
]
EXAMPLES = Path(__file__).parents[4] / "resources" / "examples"
LOADERS: dict[str, Callable[[CaptureSpec], Any]] = {
    "capture": lambda spec: make_capture(spec, "0", print),
    "dispatch": lambda spec: trace_program(spec, print),
    "sizes": lambda spec: measure_stances(spec, None, (), print),
    "edit": lambda spec: EditedFrontEnd(spec, print),
    **{front_end.name: lambda spec: capture_with(spec, "0", print) for front_end in FRONT_ENDS},
}


@pytest.mark.parametrize("name", LOADERS)
def test_a_gpu_that_is_not_here_is_never_the_cpu(name: str) -> None:
    spec = CaptureSpec(
        TargetSpec("mlp.py:MLP", str(EXAMPLES)),
        run_on="cuda",
        front_end=name if name in {row.name for row in FRONT_ENDS} else "fx",
    )
    with pytest.raises(EngineError, match="no GPU that torch can use"):
        LOADERS[name](spec)


@pytest.mark.parametrize("name", ["capture", "dispatch", "sizes", "edit", "fx"])
def test_what_is_compiled_for_a_gpu_elsewhere_does_not_run_here(name: str) -> None:
    """`loupe dispatch --target h100` told the kernels of the CPU."""
    spec = CaptureSpec(TargetSpec("mlp.py:MLP", str(EXAMPLES)), device=TARGETS["h100"], front_end="fx")
    with pytest.raises(EngineError, match="nothing of it is run"):
        LOADERS[name](spec)
