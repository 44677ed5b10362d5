"""What a trace forgot, found by running it beside the program on other inputs."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.utils import _pytree as pytree

from compiler.engine.program import Program
from compiler.engine.running import Results, unchanged_state
from compiler.model.problems import Problem, Severity
from compiler.model.targets import CaptureSpec

_LARGE = 40.0


def forgotten(
    program: Program, traced: Callable[..., Any], spec: CaptureSpec, decided: tuple[Problem, ...]
) -> tuple[Problem, ...]:
    """A problem for every kind of other input on which the trace gives other results than the program; `decided` are the
    lines that torch said it decided while tracing.
    """
    problems = []
    for words, change in _CHANGES:
        args, kwargs = pytree.tree_map(change, (program.args, program.kwargs))
        found = _differs(program, traced, args, kwargs, spec)
        if found:
            problems.append(_problem(f"With {words}", found, decided))
    module = program.module
    if module is not None:
        with _other_mode(module, traced) as words:
            found = _differs(program, traced, program.args, program.kwargs, spec)
        if found:
            problems.append(_problem(words, found, ()))
    return tuple(problems)


def _problem(when: str, difference: str, decided: tuple[Problem, ...]) -> Problem:
    first = decided[0] if decided else Problem("")
    line = f" Line {first.line} was decided while tracing." if first.line else ""
    return Problem(
        f"{when} the trace {difference}.{line}",
        "Nothing warns of this when the trace runs.",
        first.path,
        first.line,
        Severity.WARNING,
    )


def _negated(value: Any) -> Any:
    return -value.detach() if _is_floating(value) else value


def _larger(value: Any) -> Any:
    return value.detach() * _LARGE if _is_floating(value) else value


def longer(value: Any) -> Any:
    """One row more of every tensor, the last one again."""
    if not isinstance(value, torch.Tensor) or value.dim() == 0 or value.shape[0] == 0:
        return value
    return torch.cat((value.detach(), value.detach()[-1:]))


def _is_floating(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.is_floating_point()


_CHANGES: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("the example's values negated", _negated),
    (f"the example's values times {_LARGE:.0f}", _larger),
    ("one row more", longer),
)


@contextlib.contextmanager
def _other_mode(module: torch.nn.Module, traced: Any) -> Iterator[str]:
    """Train where it was eval, and the other way round."""
    training = module.training
    modes = {part: part.training for part in module.modules()}
    try:
        module.train(not training)
        with contextlib.suppress(Exception):  # a trace of a trace may refuse; it is then asked as it is
            traced.train(not training)
        yield f"After {'eval()' if training else 'train()'}"
    finally:
        for part, mode in modes.items():
            part.training = mode
        with contextlib.suppress(Exception):
            traced.train(training)


def _differs(program: Program, traced: Callable[..., Any], args: Any, kwargs: Any, spec: CaptureSpec) -> str:
    """How the trace differs from the program on an input; empty where it does not, or where the program refuses it."""
    expected = _run(program.callable, program, args, kwargs, spec)
    if isinstance(expected, str):
        return ""
    found = _run(traced, program, args, kwargs, spec)
    if isinstance(found, str):
        return f"fails, and the program does not ({found})"
    for name, tensor in expected.tensors.items():
        given = found.tensors.get(name)
        if given is None or given.shape != tensor.shape:
            shape = list(given.shape) if given is not None else "no tensor"
            return f"gives {shape} where the program gives {list(tensor.shape)}"
        if not torch.allclose(given, tensor, rtol=1e-4, atol=1e-5, equal_nan=True):
            return f"gives other numbers: {_numbers(given)} where the program gives {_numbers(tensor)}"
    return ""


def _run(
    function: Callable[..., Any], program: Program, args: Any, kwargs: Any, spec: CaptureSpec
) -> Results | str:
    """The tensors a call gives, or the first line of its error."""
    try:
        with unchanged_state(program.module), torch.random.fork_rng(devices=[]), torch.no_grad():
            torch.manual_seed(spec.run.seed)
            args, kwargs = pytree.tree_map(
                lambda value: value.clone() if isinstance(value, torch.Tensor) else value, (args, kwargs)
            )
            outputs = pytree.tree_leaves(function(*args, **kwargs))
    except Exception as error:  # noqa: BLE001  user code on inputs that it was not written for
        return str(error).strip().rpartition("\n")[2][:120] or type(error).__name__
    tensors = (value for value in outputs if isinstance(value, torch.Tensor))
    return Results({f"output {index}": value.clone() for index, value in enumerate(tensors)})


def _numbers(tensor: torch.Tensor) -> str:
    first = ", ".join(f"{float(item):.4g}" for item in tensor.flatten()[:3])
    return f"[{first}{', …' if tensor.numel() > 3 else ''}]"
