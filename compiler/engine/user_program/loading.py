"""The user's program: found, loaded, given inputs, and run. Only the worker process comes here."""

import contextlib
import difflib
import importlib
import importlib.util
import inspect
import sys
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch.utils import _pytree as pytree

from compiler.engine import program_arguments
from compiler.engine.errors import EngineError, failure_from, missing_module, problem_from, said
from compiler.engine.file_ownership import UnknownNameError, choose_mine
from compiler.engine.user_program.default_inputs import guess_inputs
from compiler.engine.user_program.live_objects import live_program
from compiler.engine.user_program.loaded_program import THIS_PROCESS
from compiler.engine.user_program.of_transformers.config_program import program_of_config
from compiler.engine.user_program.program import Program as Program
from compiler.engine.user_program.source_overrides import file_spec, use_texts
from compiler.model.capture.capturable_names import names_in_file
from compiler.model.capture.capture_spec import (
    ArgumentSpec,
    CaptureSpec,
    TargetDescription,
    TargetSpec,
    not_to_be_run,
)
from compiler.model.capture.config_inputs import is_config
from compiler.model.capture.counted import counted
from compiler.model.ir.diagnostics import Problem

_HIDING = ("torch", "triton")
_WRONG_USAGE = 2
"""With which argparse ends a program."""
_MOST_NAMES = 3
"""So many names of a file are proposed where none was given, or one that is not there."""
_LEAST_ALIKE = 0.7
"""Of two names, from which on one may be the other, mistyped."""


def load_program(
    spec: TargetSpec, seed: int = 0, guess: bool = False, texts: Mapping[str, str] | None = None
) -> Program:
    """Load a target and its inputs, with `guess` made up where there are none. Raises EngineError for anything that
    does not work. Files named in `texts` are loaded with that text instead of what is on disk.
    """
    try:
        choose_mine(spec.mine, spec.folder)
    except UnknownNameError as error:
        raise EngineError(error.problem) from None
    if (live := live_program(spec.name)) is not None:
        return live
    if spec.recorded:
        raise EngineError(not_to_be_run(spec))
    use_texts(texts or {})
    if is_config(spec.name):
        THIS_PROCESS.note(spec, "", texts or {})
        torch.manual_seed(seed)
        return program_of_config(spec, lambda scope: _written(spec, scope))
    file_part, _, name = spec.name.rpartition(":")
    if not file_part or not name:
        raise EngineError(_no_target(spec))
    folder = Path(spec.folder or Path.cwd())
    is_file = file_part.endswith(".py")
    torch.manual_seed(seed)  # what a file makes while it is loaded is to be the same in each process
    try:
        namespace = _load_file(folder, file_part) if is_file else _load_module(folder, file_part)
    finally:
        file = str((folder / file_part).resolve()) if is_file else ""
        THIS_PROCESS.note(spec, file, texts or {})
    torch.manual_seed(seed)
    kind, target = _find(namespace, name, spec.name)
    without = spec.inputs is None and spec.keyword_inputs is None and not hasattr(namespace, "example_inputs")
    args, kwargs = guess_inputs(target) if guess and without else _inputs(namespace, spec)
    if kind == "function" and not _takes(target, args, kwargs) and _takes(target, (), {}):
        # one that takes some arguments may only have been given wrong ones, which is reported when it is called with them
        quietly = (
            contextlib.suppress(Exception)
            if inspect.signature(target).parameters
            else contextlib.nullcontext()
        )
        with quietly:
            kind, target = _made(name, target)
    return Program(kind, target, args, kwargs, str(getattr(namespace, "__file__", "") or ""), namespace)


def _no_target(spec: TargetSpec) -> Problem:
    """What to write where a target has no name in its file, with the names that the file offers."""
    if spec.name.endswith(".loupe"):
        return Problem(
            f"{spec.name!r} is a session file and no program.",
            "Name the program it was made from; `loupe show` prints what a file holds.",
        )
    names = names_in_file(Path(spec.folder or Path.cwd()) / spec.name) if spec.name.endswith(".py") else ()
    written = [f"{spec.name}:{name}" for name in names[:_MOST_NAMES]]
    return Problem(
        f"{spec.name!r} names no target.",
        f"Write {' or '.join(written)}."
        if written
        else "Write file.py:Name or package.module:Name, such as model.py:Net, or the path of a config.json.",
    )


def require_values(spec: CaptureSpec) -> None:
    """Refuse to load with its values what is to be looked at without them, since they may not fit, and what is compiled for a GPU
    that is not here, since it would run on another machine. Raises EngineError.
    """
    if spec.device is not None:
        what = f"{spec.target.name} is compiled for {spec.device.name}, which need not be here, so nothing of it is run."
        raise EngineError(what, "Capture it for this machine (without --target) for that.")
    if spec.without_values:
        what = f"{spec.target.name} is looked at without values, so nothing of it can be run."
        raise EngineError(what, "Capture it with values (--no-fake) for that.")


def describe_program(program: Program) -> TargetDescription:
    """What a target is and what its arguments are."""
    try:
        text = str(inspect.signature(_function(program)))
    except (TypeError, ValueError):
        text = "(...)"
    arguments = [
        _argument(name, value, keyword=False)
        for name, value in zip(argument_names(program), program.args, strict=True)
    ]
    arguments += [_argument(name, value, keyword=True) for name, value in program.kwargs.items()]
    return TargetDescription(program.kind, text, tuple(arguments))


def _function(program: Program) -> Callable[..., Any]:
    return program.module.forward if program.module is not None else program.callable


def argument_names(program: Program) -> list[str]:
    """The names of the positional arguments: those of the parameters, ``rest[0]`` for what ``*rest`` takes, else their positions."""
    names, rest, _ = parameter_names(program)
    return [_positional_name(names, rest, index) for index in range(len(program.args))]


def _positional_name(names: list[str], rest: str, index: int) -> str:
    if index < len(names):
        return names[index]
    return f"{rest}[{index - len(names)}]" if rest else str(index)


def parameter_names(program: Program) -> tuple[list[str], str, str]:
    """The parameters that take an argument by position, and the names of ``*args`` and ``**kwargs``; empty where there are none."""
    try:
        parameters = [*inspect.signature(_function(program)).parameters.values()]
    except (TypeError, ValueError):
        return [], "", ""
    names = [row.name for row in parameters if row.kind in (row.POSITIONAL_ONLY, row.POSITIONAL_OR_KEYWORD)]
    rest = next((row.name for row in parameters if row.kind is row.VAR_POSITIONAL), "")
    return names, rest, next((row.name for row in parameters if row.kind is row.VAR_KEYWORD), "")


def arguments_by_parameter(
    program: Program, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> dict[str, Any]:
    """As the program's frame names them: a tuple under the name of ``*args``, a dict under that of ``**kwargs``. Raises TypeError,
    and ValueError where nothing says its parameters.
    """
    return dict(inspect.signature(_function(program)).bind(*args, **kwargs).arguments)


def leaf_names(program: Program) -> list[str]:
    """``x``, ``batch['a']``: a name for each leaf of the arguments, in pytree's order."""
    roots = [*argument_names(program), *program.kwargs]
    values = [*program.args, *program.kwargs.values()]
    named = []
    for root, value in zip(roots, values, strict=True):
        found, _ = pytree.tree_flatten_with_path(value)
        named += [root + "".join(map(str, path)) for path, _ in found]
    return named


def _argument(name: str, value: Any, keyword: bool) -> ArgumentSpec:
    if isinstance(value, torch.Tensor):
        return describe_tensor(name, value, keyword)
    return ArgumentSpec(name, "value", text=repr(value), keyword=keyword)


def describe_tensor(name: str, value: torch.Tensor, keyword: bool = False) -> ArgumentSpec:
    """A tensor as an argument that can be changed in a form; a nested one, whose rows differ in size, has no shape to change."""
    if value.is_nested:
        text = f"{type(value).__name__}, {value.dim()} dimensions, {value.dtype}, nested"
        return ArgumentSpec(name, "value", text=text, keyword=keyword)
    return ArgumentSpec(
        name,
        "tensor",
        tuple(int(size) for size in value.shape),
        str(value.dtype).removeprefix("torch."),
        str(value.device),
        value.requires_grad,
        keyword=keyword,
    )


def _check_not_hiding(folder: Path) -> None:
    """A folder called torch beside the user's file would be imported instead of PyTorch by anything loaded later."""
    for name in _HIDING:
        for path in (folder / name, folder / f"{name}.py"):
            if path.exists() and path.resolve() not in {Path(torch.__file__).resolve().parent}:
                raise EngineError(
                    f"{path} hides the real {name}: Python would import it instead.",
                    "Rename it, or move the model to another folder.",
                    path=str(path),
                )


def _load_file(folder: Path, file_name: str) -> types.ModuleType:
    path = (folder / file_name).resolve()
    if not path.is_file():
        raise EngineError(f"There is no file {path}.", "Check the spelling and the folder.", path=str(path))
    _check_not_hiding(path.parent)
    _put_first(path.parent)
    spec = file_spec(path.stem, path)
    if spec is None or spec.loader is None:
        raise EngineError(f"{path} is not a Python file.", "Choose a .py file.", path=str(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    program_arguments.name(str(path))
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        sys.modules.pop(path.stem, None)
        if isinstance(error, KeyboardInterrupt):
            raise
        raise EngineError(_load_problem(error, str(path))) from error
    return module


def _load_module(folder: Path, name: str) -> types.ModuleType:
    _check_not_hiding(folder)
    _put_first(folder)
    program_arguments.name(name)
    try:
        return importlib.import_module(name)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and error.name and name.startswith(error.name):
            raise EngineError(
                f"There is no module {name!r}.",
                f"Looked in {folder} and in this Python's packages; check the name.",
            ) from error
        raise EngineError(_load_problem(error, name)) from error


def _put_first(folder: Path) -> None:
    text = str(folder)
    while text in sys.path:
        sys.path.remove(text)
    sys.path.insert(0, text)
    THIS_PROCESS.search_path.add(text)
    importlib.invalidate_caches()


def _making_remedy(error: BaseException, name: str) -> str:
    if missing := missing_module(error):
        return _install(missing)
    if (
        isinstance(error, TypeError)
        and error.__traceback__ is not None
        and error.__traceback__.tb_next is None
    ):
        return f"Give its arguments defaults, or make an instance in the file and name that: instance = {name}(...)."
    return "Correct it and capture again."


def _install(package: str) -> str:
    return f"Install {package!r} into {sys.executable}, or correct the import."


def _load_problem(error: BaseException, name: str) -> Problem:
    if missing := missing_module(error):
        remedy = _install(missing)
    elif isinstance(error, SyntaxError):
        remedy = "Correct the line and capture again."
    elif isinstance(error, SystemExit):
        remedy = 'The file ends the program while it is imported; put that under if __name__ == "__main__".'
        if error.code == _WRONG_USAGE:
            remedy += " There is no command line here: arguments that it parses need defaults."
    else:
        remedy = "Correct it and capture again."
    return problem_from(error, f"Could not load {name}", remedy)


def _find(namespace: types.ModuleType, name: str, whole: str) -> tuple[str, Callable[..., Any]]:
    target: Any = namespace
    for part in name.split("."):
        if not hasattr(target, part):
            raise EngineError(
                f"{whole}: there is no {name!r}.",
                _names_there(namespace, target, part),
                path=str(namespace.__file__ or ""),
            )
        target = getattr(target, part)
    if isinstance(target, type) and issubclass(target, torch.nn.Module):
        return "module class", _make(name, target)
    if isinstance(target, torch.nn.Module):
        return "module", target
    if not callable(target) or isinstance(target, type):
        raise EngineError(
            f"{whole} is {'a class that is no nn.Module' if isinstance(target, type) else type(target).__name__}, which cannot be captured.",
            "Name an nn.Module class, an instance of one, a function that makes one, or any other function.",
            path=str(namespace.__file__ or ""),
        )
    if _gives_module(target) and _takes(target, (), {}):
        return _made(name, target)
    return "function", target


def _names_there(namespace: types.ModuleType, owner: Any, part: str) -> str:
    """What may be meant by a name that is not there: one nearly like it, wherever its owner has it from, or what the file defines."""
    names = [name for name in dir(owner) if not name.startswith("_") and callable(getattr(owner, name, None))]
    if near := difflib.get_close_matches(part, names, n=_MOST_NAMES, cutoff=_LEAST_ALIKE):
        return f"Did you mean {' or '.join(near)}?"
    if known := callables_in(namespace):
        return f"The file has {', '.join(known)}."
    return (
        f"It defines nothing itself that can be called; it takes in {counted(len(names), 'name')} that can."
    )


def _make(name: str, target: Callable[[], Any]) -> Any:
    try:
        return target()
    except Exception as error:
        raise failure_from(error, f"Could not make {name}()", _making_remedy(error, name)) from error


def _made(name: str, target: Callable[..., Any]) -> tuple[str, Callable[..., Any]]:
    """The module that a function makes (``torchvision.models:resnet18``), or the function where it makes none."""
    module = _make(name, target)
    return ("module function", module) if isinstance(module, torch.nn.Module) else ("function", target)


def _gives_module(target: Callable[..., Any]) -> bool:
    """Whether it says so itself."""
    try:
        gives = typing.get_type_hints(target).get("return")
    except Exception:  # noqa: BLE001  names that are there for a type checker only
        return False
    return isinstance(gives, type) and issubclass(gives, torch.nn.Module)


def _takes(target: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether it can be called so; where Python cannot say, it can."""
    try:
        inspect.signature(target).bind(*args, **kwargs)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def callables_in(namespace: types.ModuleType) -> tuple[str, ...]:
    """Things defined in a file that can be captured."""
    names = []
    for name, value in vars(namespace).items():
        if name.startswith("_") or name == "example_inputs":
            continue
        own = getattr(value, "__module__", None) == namespace.__name__
        if isinstance(value, torch.nn.Module) or (own and callable(value)):
            names.append(name)
    return tuple(names)


def _inputs(namespace: types.ModuleType, spec: TargetSpec) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if spec.inputs is None and spec.keyword_inputs is None:
        return _example_inputs(namespace)
    return _written(spec, {**vars(namespace), "torch": torch})


def _written(spec: TargetSpec, scope: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments as the person wrote them."""
    scope = dict(scope)
    return (
        _evaluate(f"({spec.inputs},)" if (spec.inputs or "").strip() else "()", scope, spec.inputs or ""),
        _evaluate(f"dict({spec.keyword_inputs or ''})", scope, spec.keyword_inputs or ""),
    )


def _evaluate(text: str, scope: dict[str, Any], shown: str) -> Any:
    try:
        return eval(compile(text, "<inputs>", "eval"), scope)
    except Exception as error:
        what = f"The inputs {shown!r} could not be evaluated: {type(error).__name__}: {said(error)}"
        raise EngineError(
            what.rstrip(".") + ".", "Write them as in a call, such as torch.randn(8, 128)."
        ) from error


def _example_inputs(namespace: types.ModuleType) -> tuple[tuple[Any, ...], dict[str, Any]]:
    maker = getattr(namespace, "example_inputs", None)
    if maker is None:
        raise EngineError(
            "No inputs: the file has no example_inputs().",
            "Add a function example_inputs() that returns the arguments, or say what they are: under Inputs in "
            'the window\'s Open model, or with --inputs "torch.randn(8, 128)".',
            path=str(namespace.__file__ or ""),
        )
    if not callable(maker):
        raise EngineError(
            f"example_inputs is no function but a {type(maker).__name__}.",
            "Write def example_inputs(): and let it return the arguments, so that each run has its own.",
            path=str(namespace.__file__ or ""),
        )
    try:
        made = maker()
    except Exception as error:
        raise failure_from(error, "example_inputs() failed", "Correct it and capture again.") from error
    if isinstance(made, dict):
        return (), made
    if (
        isinstance(made, tuple)
        and len(made) == 2
        and isinstance(made[0], tuple)
        and isinstance(made[1], dict)
    ):
        return made
    return (tuple(made), {}) if isinstance(made, tuple | list) else ((made,), {})
