"""Moving a loaded program to the device that it is to run on."""

from typing import NamedTuple

import torch

from compiler.engine.errors import EngineError, failure_from
from compiler.engine.held_tensors import tensors_in, with_tensors
from compiler.engine.user_program.held_state.held_by_functions import Held, held_by, tensors_of
from compiler.engine.user_program.loading import Program

GPU = "cuda"


class Placed(NamedTuple):
    """Where a program is."""

    device: str
    """Empty where its tensors are in several places."""
    unasked: bool = False
    """Whether it was moved to a GPU that nobody asked for: what it makes by itself stays on the CPU, and does not go with it."""


def where_it_is(program: Program) -> Placed:
    """Nothing is moved."""
    kinds = {tensor.device.type for tensor in _tensors(program)} or {"cpu"}
    return Placed(kinds.pop() if len(kinds) == 1 else "")


def moved(program: Program, wanted: str) -> Placed:
    """Move parameters, buffers and inputs to `wanted`, those that a function finds by itself too; where that is empty, to the GPU if there
    is one. A program that puts its tensors on a GPU itself is left as it is. Raises EngineError.
    """
    there = _gpu_is_here()
    if wanted == GPU and not there:
        raise EngineError(
            "This machine has no GPU that torch can use.",
            "Capture on the CPU (--device cpu), or for a GPU that need not be here (--target h100).",
        )
    device = wanted or (GPU if there else "cpu")
    tensors = _tensors(program)
    if all(tensor.device.type == device for tensor in tensors):
        return Placed(device)
    if not wanted and any(tensor.device.type != "cpu" for tensor in tensors):
        return Placed("")
    try:
        if program.module is not None:
            program.module.to(device)
        for held in held_by(program.callable):
            _move(held, device)
        program.args, program.kwargs = with_tensors(
            (program.args, program.kwargs), lambda value: _to(value, device)
        )
    except Exception as error:
        remedy = "Choose smaller inputs, or --device cpu."
        raise failure_from(error, f"The program could not be moved to {device}", remedy) from error
    return Placed(device, not wanted and device == GPU)


def device_of(program: Program) -> torch.device:
    """Where a program's first tensor is: its own, else of its inputs; the CPU where it has none."""
    return next((tensor.device for tensor in _tensors(program)), torch.device("cpu"))


def lost_gpu() -> str:
    """What took the GPU from this process, in torch's words: an error in a kernel (an index out of range) stays with the process, and
    everything that it asks of the GPU from then on fails. Empty where nothing did, or no GPU is used.
    """
    if not torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        return ""
    try:
        torch.cuda.synchronize()
    except RuntimeError as error:
        return str(error).strip().partition("\n")[0]
    return ""


def _gpu_is_here() -> bool:
    return torch.cuda.is_available()


def _tensors(program: Program) -> list[torch.Tensor]:
    """Its own, and its inputs."""
    own = [tensor for _, tensor in tensors_of(program.callable)]
    return [*own, *tensors_in((program.args, program.kwargs))]


def _move(held: Held, device: str) -> None:
    """In place as far as torch lets, so that whoever else refers to it has it there too."""
    if isinstance(held.value, torch.nn.Module):
        held.value.to(device)
        return
    try:
        held.value.data = held.value.data.to(device)
    except RuntimeError:  # of another kind than what it was
        held.put(_to(held.value, device))


def _to(value: torch.Tensor, device: str) -> torch.Tensor:
    if value.device.type == device:
        return value
    return value.detach().to(device).requires_grad_(value.requires_grad)
