"""What torch.compile can be told, read from torch: signature and documentation, modes, backends, options, stances."""

import ast
import functools
import inspect
import re
import types
from typing import Any, Literal, get_args, get_origin

import torch
import torch._dynamo
import torch._inductor
import torch._inductor.config
from torch._dynamo.backends import registry
from torch._dynamo.eval_frame import OptimizeContext, innermost_backend

from compiler.engine.torch_internals.patch.patching import find, is_there
from compiler.engine.torch_internals.patch.setting_comments import comment_on
from compiler.model.capture.capture_spec import CompileOptions
from compiler.model.experiments.torch_compile_api import (
    Backend,
    CompileArgument,
    CompileInterface,
    CompileMode,
    CompileOption,
    OptionSets,
    Stance,
)

GIVES = "the list of torch.compile's options"
NEEDS = (
    "torch._inductor:list_mode_options",
    "torch._inductor:list_options",
    "torch._dynamo:list_backends",
    "torch._inductor.config:_config",
)
_SIZES = "torch.fx.experimental.dynamic_spec:ShapesSpec"
_LONGEST = 120
_VARIABLE = re.compile(r"TORCH[A-Z]*_[A-Z0-9_]+")
_SUBCLASS = re.compile(r"^class (\w+)\((\w+)\):", re.MULTILINE)
_SPACES = re.compile(r"\s+")


def compile_interface() -> CompileInterface:
    """Everything at once. Nothing is compiled; backends are listed, not tried."""
    return CompileInterface(
        str(torch.__version__), _arguments(), _modes(), _backends(), _options(), _stances()
    )


def _arguments() -> tuple[CompileArgument, ...]:
    texts = _paragraphs(inspect.getdoc(torch.compile) or "", r"^ {3,4}(\w+) \(.*?\):", "Example")
    return tuple(
        CompileArgument(name, repr(parameter.default), texts.get(name) or _of_sizes(name))
        for name, parameter in inspect.signature(torch.compile).parameters.items()
        if name != "model"
    )


def _of_sizes(name: str) -> str:
    """Torch documents the argument that fixes sizes at its class only; 2.14 renamed it."""
    if name not in ("dynamic_shapes", "shapes_spec") or not is_there(_SIZES):
        return ""
    owner, attribute = find(_SIZES)
    text = inspect.getdoc(getattr(owner, attribute)) or ""
    return _SPACES.sub(" ", text.partition("::")[0]).strip()


def _stances() -> tuple[Stance, ...]:
    text = inspect.getdoc(torch.compiler.set_stance) or ""
    rows = _paragraphs(text, r'^ *- "(\w+)":', "skip_guard_eval_unsafe:")
    return tuple(Stance(name, documentation) for name, documentation in rows.items())


def _paragraphs(text: str, start: str, end: str) -> dict[str, str]:
    """Name → the text after it, of a docstring's list."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.split("\n"):
        begins = re.match(start, line)
        if begins is not None:
            name = begins[1]
            found[name] = [line[begins.end() :]]
        elif name and line.strip().startswith(end):
            break
        elif name:
            found[name].append(line)
    return {key: _SPACES.sub(" ", " ".join(lines)).strip() for key, lines in found.items()}


def _modes() -> tuple[CompileMode, ...]:
    modes: dict[str, dict[str, Any]] = torch._inductor.list_mode_options()
    return tuple(
        CompileMode(name, tuple((option, repr(value)) for option, value in options.items()))
        for name, options in modes.items()
    )


def _backends() -> tuple[Backend, ...]:
    tags = getattr(registry, "_COMPILER_FNS", {})
    rows = []
    for name in torch._dynamo.list_backends(exclude_tags=()):
        function = tags.get(name)
        own = tuple(str(tag) for tag in getattr(function, "_tags", ()) or ())
        documentation = (
            _SPACES.sub(" ", inspect.getdoc(inspect.unwrap(function)) or "").strip() if function else ""
        )
        place = f"Defined in {function.__module__}." if hasattr(function, "__module__") else ""
        if not documentation or isinstance(function, functools.partial):
            documentation = place
        rows.append(Backend(name, own, documentation))
    return tuple(rows)


def _options() -> tuple[CompileOption, ...]:
    config: Any = torch._inductor.config
    environment = _environment()
    rows = []
    set_by = _set_by()
    for name in torch._inductor.list_options():
        entry = config._config[name]
        default = repr(entry.default)
        rows.append(
            CompileOption(
                name,
                _type_name(entry),
                default if len(default) <= _LONGEST else f"{default[: _LONGEST - 1]}…",
                comment_on(name) or comment_on(_inherited(name)),
                tuple(dict.fromkeys((*_forced(entry), *environment.get(name, ())))),
                isinstance(entry.default, bool | int | float | str | None),
                tuple(map(str, known_values(name))),
                tuple(
                    OptionSets(repr(value), tuple((key, repr(forced)) for key, forced in implied))
                    for value, implied in _implications(name).items()
                ),
                set_by.get(name, ()),
            )
        )
    return tuple(rows)


def inductor_settings(options: CompileOptions) -> dict[str, Any]:
    """Inductor's options as torch.compile gives them on: those that the mode stands for, then those given by name."""
    of_mode = torch._inductor.list_mode_options(options.mode) if options.mode else {}
    return {**of_mode, **dict(options.options)}


def own_settings(compiled: object) -> dict[str, object]:
    """What a program gave torch.compile for this function or module, as far as that is not the default; a mode as the options that it
    stands for. Empty of what torch.compile did not make.
    """
    context = getattr(compiled, "dynamo_ctx", None)
    if context is None:  # of a function its wrapper has it
        reported = inspect.getclosurevars(ask).nonlocals if (ask := _asks(compiled)) is not None else {}
        context = reported.get("self")
    if not isinstance(context, OptimizeContext):
        return {}
    backend: Any = innermost_backend(context.callback)
    found: dict[str, object] = {}
    if isinstance(backend, torch._TorchCompileInductorWrapper):
        found |= backend.config
    else:
        name = getattr(backend, "compiler_name", None) or getattr(backend, "__name__", type(backend).__name__)
        found |= {"backend": str(name), **getattr(backend, "kwargs", {})}
    if getattr(backend, "dynamic", None) is not None:
        found["dynamic"] = backend.dynamic
    return found | ({"fullgraph": True} if context.fullgraph else {})


def _asks(compiled: object) -> types.FunctionType | None:
    """The public ``get_compiler_config`` of a function that torch.compile made."""
    function = vars(compiled).get("get_compiler_config") if isinstance(compiled, types.FunctionType) else None
    return function if isinstance(function, types.FunctionType) else None


def option_names() -> frozenset[str]:
    """What ``torch.compile(options=…)`` takes."""
    return frozenset(torch._inductor.list_options())


def known_values(name: str) -> tuple[Any, ...]:
    """The values that an option is declared for (``Literal``); empty where any of its type will do."""
    kind = getattr(_entry(name), "value_type", None)
    return get_args(kind) if get_origin(kind) is Literal else ()


def implied_settings(name: str, value: object) -> tuple[tuple[str, Any], ...]:
    """The settings that torch sets while an option has a value, whatever they are set to by themselves (torch 2.15)."""
    rows = [
        implied
        for wanted, implied in _implications(name).items()
        if type(wanted) is type(value) and wanted == value
    ]
    return rows[0] if rows else ()


def _implications(name: str) -> dict[Any, tuple[tuple[str, Any], ...]]:
    """Value → what it sets, and what that sets."""
    declared = getattr(_entry(name), "implies", None) or {}
    return {value: tuple(_followed(dict(targets)).items()) for value, targets in declared.items()}


def _followed(targets: dict[str, Any]) -> dict[str, Any]:
    """With what the settings that are set imply themselves; torch allows no cycles."""
    found = dict(targets)
    for key, value in targets.items():
        for wanted, more in (getattr(_entry(key), "implies", None) or {}).items():
            if type(wanted) is type(value) and wanted == value:
                found |= _followed(dict(more))
    return found


def _set_by() -> dict[str, tuple[tuple[str, str, str], ...]]:
    """Option → (the option that sets it, its value, the value that is set)."""
    found: dict[str, tuple[tuple[str, str, str], ...]] = {}
    for source in torch._inductor.list_options():
        for value, implied in _implications(source).items():
            for key, forced in implied:
                found[key] = (*found.get(key, ()), (source, repr(value), repr(forced)))
    return found


def _entry(name: str) -> Any:
    config: Any = torch._inductor.config
    return config._config.get(name)


def _inherited(name: str) -> str:
    """``cutlass.cutlass_dir`` for ``cuda.cutlass_dir``: torch's class of settings is a subclass of the other."""
    group, _, key = name.rpartition(".")
    bases = {found[1]: found[2] for found in _SUBCLASS.finditer(_source())}
    return f"{bases[group]}.{key}" if group in bases else ""


@functools.cache
def _source() -> str:
    try:
        return inspect.getsource(torch._inductor.config)
    except OSError:
        return ""


def _type_name(entry: Any) -> str:
    kind = entry.value_type
    return (
        kind.__name__ if isinstance(kind, type) and not hasattr(kind, "__args__") else _short_type(str(kind))
    )


def _short_type(text: str) -> str:
    return re.sub(r"\b(typing|collections\.abc)\.", "", text)


def _forced(entry: Any) -> tuple[str, ...]:
    names: list[str] = []
    for field in ("env_name_force", "env_name_default"):
        value = getattr(entry, field, None)
        names += [value] if isinstance(value, str) else list(value or ())
    return tuple(names)


@functools.cache
def _environment() -> dict[str, tuple[str, ...]]:
    """Option → variables that its default is read from, by the source of torch's module."""
    text = _source()
    lines = text.split("\n")
    found: dict[str, tuple[str, ...]] = {}

    def visit(body: list[ast.stmt], group: str) -> None:
        for statement in body:
            if isinstance(statement, ast.ClassDef):
                visit(statement.body, f"{group}{statement.name}.")
            elif isinstance(statement, ast.Assign | ast.AnnAssign):
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                own = "\n".join(lines[statement.lineno - 1 : statement.end_lineno])
                names = tuple(dict.fromkeys(_VARIABLE.findall(own)))
                found.update(
                    {
                        f"{group}{target.id}": names
                        for target in targets
                        if isinstance(target, ast.Name) and names
                    }
                )

    visit(ast.parse(text).body, "")
    return found
