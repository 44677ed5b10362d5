"""Modules by pattern, and the units that a model repeats."""

import re
from collections.abc import Iterator

import torch

from compiler.engine.errors import EngineError

_NUMBER = re.compile(r"\.\d+(?=\.|$)")


def matching(model: torch.nn.Module, pattern: str) -> dict[str, torch.nn.Module]:
    """The modules that a dotted pattern names, ``*`` for one step; any prefix may stand before."""
    parts = [".".join("[^.]+" if step == "*" else re.escape(step) for step in [piece])
             for piece in pattern.split(".")]  # fmt: skip
    wanted = re.compile(r"(?:.+\.)?" + r"\.".join(parts))
    return {name: module for name, module in model.named_modules() if name and wanted.fullmatch(name)}


def require_matching(model: torch.nn.Module, pattern: str, of: str) -> dict[str, torch.nn.Module]:
    """The same. Raises EngineError where nothing is named so, with what there is."""
    found = matching(model, pattern)
    if not found:
        names = dict.fromkeys(_NUMBER.sub(".*", name) for name, _ in model.named_modules() if name)
        known = ", ".join(list(names)[:12]) + (" …" if len(names) > 12 else "")
        raise EngineError(
            f"The {of} names {pattern!r}, which no module is called.", f"The model has {known}."
        )
    return found


def repeated_units(model: torch.nn.Module) -> dict[str, torch.nn.Module]:
    """The members of the list of modules of one class that holds the most parameters: the layers of a model, also of lists in a
    list; none where there is no such list.
    """
    best: dict[str, torch.nn.Module] = {}
    most = 0
    for name, module in model.named_modules():
        if not isinstance(module, torch.nn.ModuleList | torch.nn.Sequential | torch.nn.ModuleDict):
            continue
        members = dict(_members(name, module))
        held = sum(part.numel() for part in module.parameters())
        alike = len({type(part) for part in members.values()}) == 1
        if len(members) > 1 and alike and held > most:
            best, most = members, held
    return best


def _members(name: str, module: torch.nn.Module) -> Iterator[tuple[str, torch.nn.Module]]:
    """With their names. A list in it is nothing that can be called: its own members stand for it."""
    for key, part in module.named_children():
        path = f"{name}.{key}" if name else key
        if isinstance(part, torch.nn.ModuleList | torch.nn.ModuleDict) and _is_a_list(part):
            yield from _members(path, part)
        else:
            yield path, part


def _is_a_list(module: torch.nn.Module) -> bool:
    return type(module).forward is torch.nn.Module.forward
