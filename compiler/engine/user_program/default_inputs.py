"""Inputs to begin with for a program that brings none: a person corrects them in a form."""

import inspect
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from compiler.engine.user_program.held_state.held_by_functions import modules_of

_ROWS = 8
_WIDTH = 16
_PIXELS = 32
_PLAIN: dict[Any, Any] = {int: 2, float: 1.0, bool: False, str: ""}


def guess_inputs(target: Callable[..., Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments by the signature: tensors where nothing else is said, and the defaults there are, to be changed."""
    function = target.forward if isinstance(target, nn.Module) else target
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return (_tensor_for(target),), {}
    positional: list[Any] = []
    keyword: dict[str, Any] = {}
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.default is not parameter.empty:
            if isinstance(parameter.default, int | float | str | None) and not _positional_only(parameter):
                keyword[parameter.name] = parameter.default
            continue
        plain = _PLAIN.get(parameter.annotation, _PLAIN.get(_named(parameter.annotation)))
        value = plain if plain is not None else _tensor_for(target)
        if parameter.kind is parameter.KEYWORD_ONLY:
            keyword[parameter.name] = value
        else:
            positional.append(value)
    return tuple(positional), keyword


def _positional_only(parameter: inspect.Parameter) -> bool:
    return parameter.kind is parameter.POSITIONAL_ONLY


def _named(annotation: Any) -> Any:
    """The type that an annotation kept as text names, if it is a plain one."""
    return next((kind for kind in _PLAIN if annotation == kind.__name__), None)


def _tensor_for(target: Any) -> torch.Tensor:
    """A tensor that the first layer takes, as far as the kind of layer says."""
    for layer in (layer for _, module in modules_of(target) for layer in module.modules()):
        match layer:
            case nn.Linear():
                return torch.randn(_ROWS, layer.in_features)
            case nn.Conv1d():
                return torch.randn(_ROWS, layer.in_channels, _PIXELS)
            case nn.Conv2d():
                return torch.randn(_ROWS, layer.in_channels, _PIXELS, _PIXELS)
            case nn.Embedding():
                return torch.randint(0, min(layer.num_embeddings, 10), (_ROWS, _WIDTH))
            case nn.RNNBase():
                return torch.randn(_ROWS, _WIDTH, layer.input_size)
            case nn.LayerNorm():
                return torch.randn(_ROWS, *layer.normalized_shape)
    return torch.randn(_ROWS, _WIDTH)
