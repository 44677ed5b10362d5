"""``torch_loupe.capture``."""

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from compiler.analysis.gpu.targets import named_target
from compiler.api.errors import LoupeError
from compiler.api.runners import InProcess, InWorker, Runner, new_id
from compiler.api.session import Capture
from compiler.model.capture.capture_spec import (
    CaptureSpec,
    CompileOptions,
    OptionValue,
    RunOptions,
    TargetSpec,
)
from compiler.model.ir.gpu_target import GpuTarget
from compiler.model.prediction.parallel_plan import ParallelPlan, StepOptions, checked, read_mesh


def capture(
    target: Callable[..., object] | str,
    *args: object,
    kwargs: Mapping[str, object] | None = None,
    inputs: str | None = None,
    train: bool | None = None,
    grad: bool = True,
    seed: int = 0,
    mode: str | None = None,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: str = "inductor",
    options: Mapping[str, OptionValue] | None = None,
    mine: Sequence[str] = (),
    gpu: str | None = None,
    fake: bool = False,
    mesh: str = "",
    rank: int = 0,
    optimizer: str | None = None,
    progress: Callable[[str], None] | None = None,
    timeout: float | None = None,
) -> Capture:
    """Run ``torch.compile`` once on a program and keep every stage. Raises LoupeError.

    `target` is a module or function of this process, called with `args` and `kwargs`; or ``"file.py:Name"``, loaded in a
    worker process and called with what the file's ``example_inputs()`` gives, or with `inputs`, Python text such as
    ``"torch.randn(8, 128)"``. `train` calls ``.train()`` or ``.eval()`` meanwhile; with `grad` the backward is
    captured too. `mode` to `options` are torch.compile's own. `mine` are folders or packages that are yours though they
    are installed.

    Of a program in a file, nothing of which then runs: `gpu` is one that need not be here (``"h100"``), `fake` builds it without
    values, `mesh` (``"dp=8,tp=8"``) spreads it over processes of which `rank` is captured, and `optimizer` ends the step that is
    run on fakes. In what other ranks differ is ``data.other_ranks``. `progress` is told what is being done; `timeout` (in seconds) is for the worker only.
    """
    report = progress or (lambda text: None)
    runner: Runner
    if isinstance(target, str):
        if args or kwargs:
            what = "Arguments of a program in a file are made there, not here."
            raise LoupeError(what, 'Give them as text: inputs="torch.randn(8, 128)".')
        runner, name = InWorker(report, timeout), target
    else:
        if inputs is not None:
            remedy = "Give a module or function what it is called with: capture(model, x)."
            raise LoupeError("inputs= is for a program in a file.", remedy)
        from compiler.engine.errors import EngineError
        from compiler.engine.user_program.live_objects import LiveObject

        try:
            live = LiveObject(target, args, dict(kwargs or {}))
        except EngineError as error:
            raise LoupeError(error.problem) from error
        runner, name = InProcess(live, report), live.name
    if not isinstance(target, str) and (gpu or fake or mesh or rank or optimizer):
        remedy = 'Write it into a file, and capture "file.py:Name".'
        raise LoupeError("A live object is captured where it is, with its values.", remedy)
    spec = CaptureSpec(
        TargetSpec(name, str(Path.cwd()), inputs, mine=tuple(mine)),
        CompileOptions(mode, fullgraph, dynamic, backend, tuple((options or {}).items())),
        RunOptions(train, grad, seed),
        device=_gpu(gpu),
        without_values=fake,
        parallel=_plan(mesh, rank),
        step=StepOptions(optimizer or "none") if mesh or optimizer else None,
    )
    return Capture(runner.capture(spec, new_id()), runner)


def _gpu(name: str | None) -> GpuTarget | None:
    try:
        return named_target(name) if name is not None else None
    except ValueError as error:
        raise LoupeError(str(error)) from error


def _plan(mesh: str, rank: int) -> ParallelPlan | None:
    try:
        rows = read_mesh(mesh)
        return checked(ParallelPlan(math.prod(size for _, size in rows), rows, rank)) if rows else None
    except ValueError as error:
        raise LoupeError(f"{error}.".replace("--mesh dp=8,tp=8", 'mesh="dp=8,tp=8"')) from error
