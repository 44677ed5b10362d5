"""Loading a program whose tensors are fakes: with its values and then as fakes of the same sizes, or under fakes from the
first line on, so that nothing is allocated.
"""

import contextlib
import dataclasses
from collections.abc import Iterator
from typing import Any

import msgspec
import torch
from torch.nn import init
from torch.utils import _pytree as pytree

from compiler.engine.errors import EngineError, import_root, innermost_place, users_place
from compiler.engine.torch_internals.fake_gpu.fake_backend import copied_as_fakes, wants_a_value
from compiler.engine.torch_internals.fake_gpu.module_conversion import refer_to_new, replacing
from compiler.engine.torch_internals.fake_gpu.values.assumed_values import (
    AssumingMode,
    arrays_by_value,
    formatted_by_value,
)
from compiler.engine.torch_internals.fake_gpu.values.known_values import KnownValues
from compiler.engine.torch_internals.patch.copied_fakes import copies_of_fakes
from compiler.engine.torch_internals.patch.wrapped_tensors import with_attributes, with_parts
from compiler.engine.user_program.held_state.held_by_functions import held_by
from compiler.engine.user_program.loading import Program, load_program
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.gpu_assumptions import VALUE
from compiler.model.ir.diagnostics import Problem, Severity

_GPU = "cuda"
_MAY_NEED_VALUES = "If that is for want of values, capture with them (--no-fake); else correct it."


def load_as_fakes(spec: CaptureSpec, mode: AssumingMode) -> Program:
    """The program in its tensors' fakes, on the pretended GPU where `spec` has one. Raises EngineError."""
    if spec.without_values:
        return _loaded_under(mode, spec)
    program = load_program(spec.target, spec.run.seed)
    with mode:
        return _moved(_copied(program, mode))


def value_wanted(error: BaseException, without_values: bool) -> Problem:
    """That the program asks a tensor for a value, and the line's assumption to be written down. `without_values`: it was built
    so; else it is the GPU that is not there.
    """
    without = "without values" if without_values else "without the GPU"
    path, line = users_place(error)
    inner, number = innermost_place(error)  # a model of a package asks in many lines of its own
    written = f"{VALUE}{inner.rpartition('/')[2]}:{number}=3" if number is not None else ""
    assume = (
        f"say what to assume, a number, True or False (--assume {written}, in the form: assume), "
        if written
        else ""
    )
    where = "here" if (inner, number) == (path, line) else f"in line {number} of {inner}"
    return Problem(
        f"The program asks a tensor for a value {where}, and {without} tensors have none: what comes after is not captured.",
        f"To go on: {assume}capture on the CPU with values, or use torch.where or torch.cond in place of a branch.",
        path=path,
        line=line,
        severity=Severity.WARNING,
    )


@contextlib.contextmanager
def building(mode: AssumingMode) -> Iterator[None]:
    """A program is loaded, all of its tensors being fakes; settings that it makes of numbers keep their values, from now on."""
    mode.known, mode.building = KnownValues(), True
    try:
        with mode, _unfilled(mode.known), formatted_by_value(), arrays_by_value():
            yield
    finally:
        mode.building = False


@contextlib.contextmanager
def _unfilled(known: KnownValues) -> Iterator[None]:
    """Nothing is filled with random numbers: there is nowhere to put them, and torch's `trunc_normal_` looks at what it drew."""
    kept = {name: getattr(init, name) for name in vars(init) if name.endswith("_") and name[0] != "_"}

    def as_it_is(tensor: torch.Tensor, *_given: Any, **_named: Any) -> torch.Tensor:
        known.forget(tensor)
        return tensor

    try:
        for name in kept:
            setattr(init, name, as_it_is)
        yield
    finally:
        for name, function in kept.items():
            setattr(init, name, function)


def _loaded_under(mode: AssumingMode, spec: CaptureSpec) -> Program:
    try:
        with building(mode), replacing(), copies_of_fakes():
            program = load_program(spec.target, spec.run.seed)
            return program if spec.device is None else _moved(program, mode.known)
    except EngineError as error:
        if wants_a_value(error):
            asked = value_wanted(error, without_values=True)
            raise EngineError(msgspec.structs.replace(asked, severity=Severity.ERROR)) from error
        cause = error.__cause__ or error
        if error.problem.detail and not isinstance(
            import_root(cause), (ImportError, SyntaxError)
        ):  # its own code failed
            remedy = f"{error.problem.remedy} {_MAY_NEED_VALUES}"
            raise EngineError(msgspec.structs.replace(error.problem, remedy=remedy)) from error
        raise


def _copied(program: Program, mode: AssumingMode) -> Program:
    called = copied_as_fakes(mode, program.callable)
    args, kwargs = copied_as_fakes(mode, (program.args, program.kwargs))
    program = dataclasses.replace(program, callable=called, args=args, kwargs=kwargs)
    held = list(held_by(program.callable))
    for one, new in zip(held, copied_as_fakes(mode, [one.value for one in held]), strict=True):
        one.put(new)
    return program


def _moved(program: Program, known: KnownValues | None = None) -> Program:
    """Parameters, buffers and inputs on the pretended GPU, with what a function finds by itself. `known`: of which values."""

    def moved(value: Any) -> Any:
        return (
            _on_gpu(value, known).requires_grad_(value.requires_grad)
            if isinstance(value, torch.Tensor) and value.device.type != _GPU
            else value
        )

    made: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}
    """Old and new by the old one's id; kept, it stays its own."""
    held = list(held_by(program.callable))
    for module in (program.module, *(one.value for one in held)):
        if isinstance(module, torch.nn.Module):
            _move_module(module, made, known)
    for one in held:
        if isinstance(one.value, torch.Tensor) and one.value.device.type != _GPU:
            one.put(_replaced(one.value, made, known))
    refer_to_new(made)
    args, kwargs = pytree.tree_map(moved, (program.args, program.kwargs))
    return dataclasses.replace(program, args=args, kwargs=kwargs)


def _on_gpu(tensor: torch.Tensor, known: KnownValues | None) -> torch.Tensor:
    """Laid out as ``tensor.to("cuda")`` is: what shares its memory with others does not there."""

    def moved(part: torch.Tensor) -> torch.Tensor:
        if part.layout != torch.strided:  # torch refuses them a memory format
            return torch.empty_like(part, device=_GPU)
        new = torch.empty_like(part, device=_GPU, memory_format=torch.preserve_format)
        if known is not None:
            known.moved(part, new)
        return new

    return with_parts(tensor, moved)


def _move_module(
    module: torch.nn.Module, made: dict[int, tuple[torch.Tensor, torch.Tensor]], known: KnownValues | None
) -> None:
    """`Module.to` fails on fakes, which cannot be swapped; so each tensor is replaced, and one that is shared by one."""
    for part in module.modules():
        # what it holds itself, under whatever name: a module may list its parameters as it likes (torchrl's losses)
        tables = [getattr(part, name) for name in ("_parameters", "_buffers")]
        for held, name, tensor in [(table, *item) for table in tables for item in table.items()]:
            # where the program itself put it on the GPU, it may be cut over ranks
            if tensor is None or tensor.device.type == _GPU:
                continue
            held[name] = _replaced(tensor, made, known)


def _replaced(
    tensor: torch.Tensor, made: dict[int, tuple[torch.Tensor, torch.Tensor]], known: KnownValues | None
) -> torch.Tensor:
    if id(tensor) not in made:
        new = _on_gpu(tensor, known).requires_grad_(tensor.requires_grad)
        if isinstance(tensor, torch.nn.Parameter):
            new = torch.nn.Parameter(new, tensor.requires_grad)
        made[id(tensor)] = tensor, with_attributes(new, tensor)
    return made[id(tensor)][1]
