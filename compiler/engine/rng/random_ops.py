"""Which operations draw random numbers."""

import inspect
from collections.abc import Iterator
from typing import Any

import torch
import torch.fx

from compiler.engine.fx.graph_import import is_operator
from compiler.engine.torch_internals.patch.operators import schema_of, schemas_of_function, schemas_of_method
from compiler.model.effects.purity import is_random_name

DRAWN_FROM_SEEDS = "prims.inductor_random.default", "prims.inductor_randint.default"
"""Inductor's own, which give the same each time for the same seed."""
_SHARES = "p", "dropout", "dropout_p"
"""Arguments that say how much is dropped: nothing is drawn for none. Attention and LSTMs have one too."""
_TRAINING = "train", "training"
_TAKES_SHARE = "dropout", "dropout_p"


def is_random(node: torch.fx.Node) -> bool:
    """Whether a node draws random numbers, as far as its call says: dropout outside training does not, and attention only
    with dropout. Bodies of higher-order operators count to the node that calls them.
    """
    if node.op == "call_module":
        module = _module(node, str(node.target))
        return module is not None and _module_draws(module)
    if node.op not in ("call_function", "call_method"):
        return False
    if any(is_random(inner) for body in _bodies(node) for inner in body.graph.nodes):
        return True
    target: Any = node.target
    given = _arguments(node)
    if is_operator(target):
        drawing = torch.Tag.nondeterministic_seeded in target.tags or str(target) in DRAWN_FROM_SEEDS
    else:
        name = target if isinstance(target, str) else getattr(target, "__name__", "")
        drawing = is_random_name(name)
    return (drawing or _has_share(given)) and not _draws_nothing(given)


def _has_share(given: dict[str, Any]) -> bool:
    return any(isinstance(given.get(name), int | float | torch.fx.Node) for name in _TAKES_SHARE)


def _draws_nothing(given: dict[str, Any]) -> bool:
    """A value that is a node is only known when the graph runs."""
    off = any(given.get(name) is False for name in _TRAINING)
    none = any(given[name] == 0 for name in _SHARES if isinstance(given.get(name), int | float))
    return off or none


def _arguments(node: torch.fx.Node) -> dict[str, Any]:
    """The arguments by name, defaults included; of a call with several schemas those of the first that fits."""
    for names, defaults in _signatures(node.target):
        if len(node.args) <= len(names) and set(node.kwargs) <= set(names):
            return defaults | dict(zip(names, node.args, strict=False)) | dict(node.kwargs)
    return dict(node.kwargs)


def _signatures(target: Any) -> Iterator[tuple[list[str], dict[str, Any]]]:
    if is_operator(target):
        schemas = [schema_of(target)]
    elif isinstance(target, str):
        schemas = schemas_of_method(target)
    else:
        try:
            parameters = inspect.signature(target).parameters
        except (TypeError, ValueError):  # one in C++
            schemas = schemas_of_function(target)
        else:
            empty = inspect.Parameter.empty
            yield (
                list(parameters),
                {name: one.default for name, one in parameters.items() if one.default is not empty},
            )
            return
    for schema in schemas:
        yield (
            [argument.name for argument in schema.arguments],
            {one.name: one.default_value for one in schema.arguments if one.has_default_value()},
        )


def _bodies(node: torch.fx.Node) -> Iterator[torch.fx.GraphModule]:
    for given in node.all_input_nodes:
        if given.op == "get_attr":
            body = _module(given, str(given.target))
            if isinstance(body, torch.fx.GraphModule):
                yield body


def _module(node: torch.fx.Node, path: str) -> Any:
    found: Any = node.graph.owning_module
    for part in path.split("."):
        found = getattr(found, part, None)
    return found


def _module_draws(module: torch.nn.Module) -> bool:
    """A module that is called whole: one that drops something, in training."""
    return any(
        part.training
        and any(isinstance(vars(part).get(name), int | float) and vars(part)[name] > 0 for name in _SHARES)
        for part in module.modules()
    )
