"""Amounts by purpose, added up by line and by module."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import torch

from compiler.engine.file_ownership import innermost_line
from compiler.engine.torch_internals.dynamo.compile_costs import Purpose
from compiler.engine.user_program.loading import Program
from compiler.model.experiments.costs import CostRow
from compiler.model.ir.graph import Node


def purpose_of(phase: str, nodes: Iterable[Node]) -> Purpose:
    """What nodes of a stage were made for."""
    lines: dict[tuple[str, int], None] = {}
    modules: dict[str, None] = {}
    for node in nodes:
        line = innermost_line(node.stack)
        if line is not None:
            lines[line.path, line.line] = None
        if node.module_path:
            modules[node.module_path] = None
    return Purpose(phase, tuple(lines), tuple(modules))


def line_rows(spent: Mapping[Purpose, float]) -> list[CostRow]:
    """A purpose of several lines is divided equally among them; what has none stands by its phase."""
    amounts: dict[tuple[str, int] | str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for purpose, amount in spent.items():
        for line in purpose.lines:
            amounts[line][purpose.phase] += amount / len(purpose.lines)
        if not purpose.lines:
            amounts[purpose.phase][purpose.phase] += amount
    rows = []
    for key, parts in amounts.items():
        ordered = tuple(sorted(parts.items(), key=lambda part: -part[1]))
        whole = sum(parts.values())
        if isinstance(key, str):
            rows.append(CostRow(f"{key}, of no single line", whole, ordered))
        else:
            path, number = key
            rows.append(CostRow(f"{Path(path).name}:{number}", whole, ordered, path, number))
    return sorted((row for row in rows if row.amount > 0), key=lambda row: -row.amount)


def parts_of(program: Program) -> dict[str, torch.nn.Module]:
    """Modules inside of the program's, by what nodes of graphs call them: without the name that a function has for the whole."""
    found: dict[str, torch.nn.Module] = {}
    for prefix, module in program.modules():
        for name, part in module.named_modules():
            whole = (prefix + name).rstrip(".")
            for path in (whole, "" if program.module is not None else whole.partition(".")[2]):
                if path:
                    found.setdefault(path, part)
    return found


def module_rows(spent: Mapping[Purpose, float], program: Program) -> list[CostRow]:
    """Each module with all inside it; what several share is divided equally."""
    kinds = {path: type(module).__name__ for path, module in parts_of(program).items()}
    amounts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for purpose, amount in spent.items():
        for module in purpose.modules:
            parts = module.split(".")
            for length in range(1, len(parts) + 1):
                path = ".".join(parts[:length])
                if path in kinds:
                    amounts[path][purpose.phase] += amount / len(purpose.modules)
    rows = [
        CostRow(
            f"{path} ({kinds[path]})",
            sum(parts.values()),
            tuple(sorted(parts.items(), key=lambda part: -part[1])),
        )
        for path, parts in amounts.items()
    ]
    return sorted((row for row in rows if row.amount > 0), key=lambda row: -row.amount)
