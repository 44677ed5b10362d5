"""Modules by pattern, and the units that a model repeats."""

import re

import torch

from compiler.engine.errors import EngineError
from compiler.model.ir.diagnostics import Problem

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
            Problem(f"The {of} names {pattern!r}, which no module is called.", f"The model has {known}.")
        )
    return found


def repeated_units(model: torch.nn.Module) -> dict[str, torch.nn.Module]:
    """The members of the list of modules of one class that holds the most parameters: the layers of a model; none where there
    is no such list.
    """
    best: dict[str, torch.nn.Module] = {}
    most = 0
    for name, module in model.named_modules():
        if not isinstance(module, torch.nn.ModuleList | torch.nn.Sequential | torch.nn.ModuleDict):
            continue
        members = {f"{name}.{key}" if name else key: part for key, part in module.named_children()}
        held = sum(part.numel() for part in module.parameters())
        alike = len({type(part) for part in members.values()}) == 1
        if len(members) > 1 and alike and held > most:
            best, most = members, held
    return best
