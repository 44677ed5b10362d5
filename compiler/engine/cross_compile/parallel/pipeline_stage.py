"""One stage of a pipeline: the layers of it, with what comes before the first stage's and after the last's."""

import dataclasses
from typing import Any

import torch

from compiler.engine.cross_compile.parallel.module_patterns import repeated_units
from compiler.engine.errors import EngineError
from compiler.engine.user_program.program import Program
from compiler.model.prediction.parallel_plan import PIPELINE, ParallelPlan

_LABELS = "labels"


def keep_stage(program: Program, plan: ParallelPlan) -> tuple[Program, torch.Tensor | None]:
    """The program with the layers of one stage, and what that gets of the stage before; None in the first. The other layers are
    taken out of their list, as torchtitan does it.

    In later stages the input is what the layers before would give. Raises EngineError.
    """
    model = program.module
    assert model is not None
    stages, stage = plan.size(PIPELINE), plan.stage
    layers = repeated_units(model)
    if len(layers) < stages:
        raise EngineError(
            f"The model has {len(layers)} layers in its longest list, too few for {stages} stages.",
            "Choose a smaller pp.",
        )
    names = list(layers)
    parent_name = names[0].rpartition(".")[0]
    first, last = stage * len(names) // stages, (stage + 1) * len(names) // stages
    given = _given_to(program, layers, names[first]) if stage else None
    holder_name, _, key = parent_name.rpartition(".")
    holder = model.get_submodule(holder_name)
    kept: Any = [layers[name] for name in names[first:last]]
    parent = model.get_submodule(parent_name)
    setattr(
        holder,
        key,
        torch.nn.ModuleList(kept) if isinstance(parent, torch.nn.ModuleList) else torch.nn.Sequential(*kept),
    )
    order = [name for name, _ in holder.named_children()]
    place = order.index(key)
    if stage:
        for name in order[:place]:
            if any(True for _ in getattr(holder, name).parameters()):
                setattr(holder, name, Given(given))
    if stage < stages - 1:
        for name in order[place + 1 :]:
            if any(True for _ in getattr(holder, name).parameters()):
                setattr(holder, name, torch.nn.Identity())
        _end_here(model, holder_name)
    kwargs = program.kwargs
    if stage < stages - 1:  # the loss is the last stage's
        kwargs = {name: value for name, value in kwargs.items() if name != _LABELS}
    args = program.args
    if given is not None and not receiving(
        model
    ):  # nothing stands before the layers: the stage is called with it
        args = tuple(given if _alike(value, given) else value for value in args)
    return dataclasses.replace(program, callable=model, args=args, kwargs=kwargs), given


class Given(torch.nn.Module):
    """Stands for what earlier stages computed: what they send."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value

    def forward(self, *_args: Any, **_kwargs: Any) -> Any:
        """The activations that come from the stage before."""
        return self.value


def _alike(value: Any, given: torch.Tensor) -> bool:
    return isinstance(value, torch.Tensor) and (value.shape, value.dtype) == (given.shape, given.dtype)


def receiving(model: torch.nn.Module | None) -> list[Given]:
    """The modules that stand for earlier stages; none in the first."""
    return [part for part in model.modules() if isinstance(part, Given)] if model is not None else []


def _given_to(program: Program, layers: dict[str, torch.nn.Module], name: str) -> torch.Tensor:
    """What the layer of that name is called with, found by a run without gradients."""
    caught: list[torch.Tensor] = []

    class _MetError(Exception):
        pass

    def catch(_module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        value = args[0] if args else next(iter(kwargs.values()))
        caught.append(value)
        raise _MetError

    handle = layers[name].register_forward_pre_hook(catch, with_kwargs=True)
    try:
        with torch.no_grad():
            program.callable(*program.args, **program.kwargs)
    except _MetError:
        pass
    finally:
        handle.remove()
    if not caught or not isinstance(caught[0], torch.Tensor):
        raise EngineError(
            f"{name} is not called with a tensor, so nothing can be sent to the stage that begins with it.",
            "Capture the stages as modules of their own.",
        )
    sent = caught[0]
    return torch.empty_strided(
        sent.size(), sent.stride(), dtype=sent.dtype, device=sent.device
    ).requires_grad_(sent.is_floating_point())


def _end_here(model: torch.nn.Module, holder_name: str) -> None:
    """What stands beside the holder of the layers (a head) is no part of this stage."""
    if not holder_name:
        return
    outer_name, _, key = holder_name.rpartition(".")
    outer = model.get_submodule(outer_name)
    order = [name for name, _ in outer.named_children()]
    for name in order[order.index(key) + 1 :]:
        if any(True for _ in getattr(outer, name).parameters()):
            setattr(outer, name, torch.nn.Identity())
