"""Whether a backend of torch.compile works here: a tiny module compiled and trained with it, beside eager."""

import copy
import time
from collections.abc import Callable
from typing import Any

import torch

from compiler.engine.accuracy.tolerance import judge
from compiler.engine.errors import problem_from
from compiler.engine.user_program.stepper import Results
from compiler.model.experiments.torch_compile_api import BackendTried
from compiler.model.timing.verdicts import format_worst

_LONGEST = 400


def try_backend(backend: str, report_progress: Callable[[str], None]) -> BackendTried:
    """One step forward and backward; whatever the backend raises is the answer. Run it in a process of its own."""
    report_progress(f"Trying backend {backend}")
    torch.manual_seed(0)
    module = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 4))
    inputs = torch.randn(4, 8)
    eager = _step(module, module, inputs)
    wide = copy.deepcopy(module).double()
    exact = _step(wide, wide, inputs.double())
    started = time.perf_counter()
    try:
        compiled: Any = torch.compile(module, backend=backend)
        found = _step(compiled, module, inputs)
    except BaseException as error:  # noqa: BLE001  a process boundary: backends raise and exit as they like
        problem = problem_from(error, "", "")
        return BackendTried(backend, False, _reason(error), time.perf_counter() - started, problem.detail)
    seconds = time.perf_counter() - started
    comparison = judge(backend, found, eager, "float64", exact)
    if comparison.agrees:
        return BackendTried(backend, True, "", seconds)
    what = f"It gives other results than eager{format_worst(comparison.worst)}."
    return BackendTried(backend, False, what, seconds)


def _step(function: Any, module: torch.nn.Module, inputs: torch.Tensor) -> Results:
    module.zero_grad()
    output = function(inputs)
    output.square().sum().backward()
    grads = {f"grad of {name}": p.grad.clone() for name, p in module.named_parameters() if p.grad is not None}
    return Results({"output": output.detach(), **grads})


def _reason(error: BaseException) -> str:
    """The error that the backend raised, below what Dynamo says around it, in one line."""
    inner = getattr(error, "inner_exception", None) or error
    text = f"{type(inner).__name__}: {' '.join(str(inner).split('Set TORCHDYNAMO_VERBOSE')[0].split())}"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
