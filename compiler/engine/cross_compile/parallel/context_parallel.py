"""Context parallelism: each rank has a part of every sequence, and attention passes keys and values around the ring.

``context_parallel`` of torch does both: it cuts the inputs, and makes ``scaled_dot_product_attention`` run over the mesh. It is
entered for good, since a capture is compiled again from any of its stages.

NEEDS: ``torch.distributed.tensor.experimental.context_parallel``.
"""

import contextlib
import dataclasses
import importlib
import inspect
from typing import Any

import torch
from torch.utils import _pytree as pytree

from compiler.engine.errors import EngineError, failure_from
from compiler.engine.user_program.program import Program
from compiler.model.prediction.parallel_plan import CONTEXT, ParallelPlan

GIVES = "context parallelism as a dimension of a mesh"
NEEDS = ("torch.distributed.tensor.experimental:context_parallel",)
_POSITIONS, _MASK = "position_ids", "attention_mask"
_entered = contextlib.ExitStack()


def spread_context(program: Program, plan: ParallelPlan, mesh: Any) -> Program:
    """The program with its sequences cut along ``cp``. Raises EngineError."""
    ranks = plan.size(CONTEXT)
    length = _length(program)
    if length % (2 * ranks):
        raise EngineError(
            f"Sequences of {length} cannot be cut for {ranks} ranks: each takes one part of 2 × {ranks} from either end, so that "
            "all have as much to do under a causal mask.",
            f"Choose a length that {2 * ranks} divides.",
        )
    model = program.module
    if program.kind == "configuration" and model is not None:
        program = _with_positions(program, model, length)
        _leave_masks_out(model)
    found = [
        (tensor, dimension)
        for tensor in _inputs(program)
        if (dimension := _along(tensor, length)) is not None
    ]
    tensors, dimensions = [tensor for tensor, _ in found], [dimension for _, dimension in found]
    experimental: Any = importlib.import_module("torch.distributed.tensor.experimental")
    try:
        _entered.enter_context(
            experimental.context_parallel(
                mesh, buffers=tensors, buffer_seq_dims=dimensions, no_restore_buffers=set(tensors)
            )
        )
    except Exception as error:
        what = f"torch's context_parallel does not cut these inputs for {ranks} ranks"
        raise failure_from(error, what, "Leave cp out of the mesh.") from error
    return program


def _inputs(program: Program) -> list[torch.Tensor]:
    leaves = pytree.tree_leaves((program.args, program.kwargs))
    return [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]


def _length(program: Program) -> int:
    """Of the sequences: the second size of the first input that has two."""
    for tensor in _inputs(program):
        if tensor.dim() > 1:
            return int(tensor.shape[1])
    raise EngineError(
        "The mesh has cp, and no input is a batch of sequences: none has two dimensions.",
        "Give an input of (batch, length, …), or leave cp out of the mesh.",
    )


def _along(tensor: torch.Tensor, length: int) -> int | None:
    """The dimension of the sequence: the second, or of a tensor with one dimension that; None: it has none.

    Raises EngineError for what says something of each pair of tokens.
    """
    if tensor.dim() > 2 and list(tensor.shape[-2:]) == [length, length]:
        raise EngineError(
            f"An input of {tuple(tensor.shape)} is a mask of pairs of tokens, which torch's ring attention takes none of.",
            "Let the program say is_causal=True, and leave the mask out.",
        )
    dimension = 0 if tensor.dim() == 1 else 1
    return dimension if tensor.dim() > 0 and tensor.shape[dimension] == length else None


def _leave_masks_out(model: torch.nn.Module) -> None:
    """As transformers' Trainer and accelerate do: ring attention takes no mask, and the module says whether it is causal."""

    def without_mask(_module: Any, args: Any, kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        return args, {**kwargs, _MASK: None} if _MASK in kwargs else kwargs

    for module in model.modules():
        if hasattr(module, "is_causal") and _MASK in inspect.signature(module.forward).parameters:
            module.register_forward_pre_hook(without_mask, with_kwargs=True)


def _with_positions(program: Program, model: torch.nn.Module, length: int) -> Program:
    """As the Trainer does: a model of transformers counts from 0 where it is not told positions, on each rank the same."""
    if _POSITIONS in program.kwargs or _POSITIONS not in inspect.signature(model.forward).parameters:
        return program
    positions = torch.arange(length, device=_inputs(program)[0].device).unsqueeze(0)
    return dataclasses.replace(program, kwargs={**program.kwargs, _POSITIONS: positions})
