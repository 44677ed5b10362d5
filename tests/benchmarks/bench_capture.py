"""Capture with everything on ÷ a plain cold torch.compile of the same model: caches off in both, interleaved."""

import contextlib
import io
from pathlib import Path

import torch
from torch._inductor.utils import fresh_cache

from compiler.engine.capture.capture import make_capture
from compiler.engine.torch_internals.patch import settings
from compiler.engine.user_program.loading import load_program
from compiler.engine.user_program.stepper import Stepper, set_mode
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.protocol.frames import encode
from compiler.model.protocol.messages import Event
from compiler.model.protocol.partial_results import StagesGenerated
from tests.benchmarks.measuring import line, ratio, timed

EXAMPLES = Path("resources/examples").resolve()


def spec_of(name: str) -> CaptureSpec:
    """The example in training mode."""
    return CaptureSpec(TargetSpec(name, str(EXAMPLES)), run=RunOptions(training=True))


def plain(spec: CaptureSpec) -> None:
    """What a capture does, without the loupe: load, compile and run."""
    settings.forget_compiled_code()
    program = load_program(spec.target, spec.run.seed)
    set_mode(program, spec.run)
    stepper = Stepper(program, spec.run)
    with (
        torch._inductor.config.patch(fx_graph_cache=False),
        torch._functorch.config.patch(enable_autograd_cache=False),
    ):
        stepper.step(torch.compile(program.callable))


def _emit(event: StagesGenerated) -> None:
    """What the worker does to let the window show stages before they are built."""
    encode(Event(event))


def main(repeats: int = 5) -> None:
    """Print the figures."""
    print("Capture against plain torch.compile (kernels built cold each time)")
    for name in ("mlp_dropout.py:MLP", "transformer_layer.py:EncoderLayer"):
        spec = spec_of(name)
        ours: list[float] = []
        theirs: list[float] = []
        with contextlib.redirect_stdout(io.StringIO()):
            with fresh_cache():
                plain(spec)  # imports, the CPU's vector set, precompiled headers
            for repeat in range(repeats):
                runs = [
                    (ours, lambda: make_capture(spec, "capture-1", lambda text: None, emit=_emit)),
                    (theirs, lambda: plain(spec)),
                ]
                for samples, work in runs if repeat % 2 else reversed(runs):
                    with fresh_cache():
                        samples.append(timed(work))
        line(f"{name}: plain", theirs)
        line(f"{name}: captured", ours)
        ratio(f"{name}: captured ÷ plain", ours, theirs, "≤ 1.10")


if __name__ == "__main__":
    main()
