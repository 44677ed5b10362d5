"""What options of torch.compile come to in this torch: which it has not, which values it does not know, what a value sets besides."""

import torch

from compiler.engine.errors import EngineError
from compiler.engine.torch_internals.patch.compile_settings import (
    implied_settings,
    inductor_settings,
    known_values,
    option_names,
    own_settings,
)
from compiler.model.capture.capture_spec import CompileOptions
from compiler.model.capture.counted import first_of
from compiler.model.ir.diagnostics import Problem, Severity

_SINCE = {"numerics": "2.14"}
"""Options of newer torches that people read of: the first that has each."""
_MOST = 6
"""Options of a program's own that are named."""


def require_options(options: CompileOptions) -> None:
    """Raises EngineError for an option that only a newer torch has."""
    if options.backend != "inductor":
        return
    for name, _ in options.options:
        if name in _SINCE and name not in option_names():
            raise EngineError(
                f"The option {name} needs torch {_SINCE[name]} or later; this is torch {torch.__version__}.",
                "Capture without it, or install a newer torch.",
            )


def own_compile_notes(compiled: object, options: CompileOptions) -> tuple[Problem, ...]:
    """Where the program has itself called torch.compile for what is captured: what it gave is not what the capture was made with."""
    here = {"backend": options.backend, "dynamic": options.dynamic, "fullgraph": options.fullgraph}
    here |= inductor_settings(options)
    others = [
        f"{name}={value!r}" for name, value in own_settings(compiled).items() if here.get(name) != value
    ]
    if not others:
        return ()
    return (
        Problem(
            f"The program itself compiles this with {first_of(others, _MOST)}; the capture was made with options of its own.",
            "Give the capture those that matter. loupe run records a program as it compiles itself.",
            severity=Severity.NOTE,
        ),
    )


def option_notes(options: CompileOptions) -> tuple[Problem, ...]:
    """What is worth knowing of the options that a capture was made with."""
    if options.backend != "inductor":
        return ()
    found = []
    given = dict(options.options)
    for name, value in options.options:
        known = known_values(name)
        if known and value not in known:
            found.append(
                Problem(
                    f"torch takes {name}={value!r} without a word and does nothing with it.",
                    f"It knows {', '.join(map(repr, known))}.",
                    severity=Severity.WARNING,
                )
            )
        implied = implied_settings(name, value)
        if implied:
            overridden = [key for key, forced in implied if key in given and given[key] != forced]
            beats = f" What you gave for {', '.join(overridden)} does not count." if overridden else ""
            sets = ", ".join(f"{key}={forced!r}" for key, forced in implied)
            found.append(Problem(f"{name}={value!r} sets {sets}.{beats}", severity=Severity.NOTE))
    return tuple(found)
