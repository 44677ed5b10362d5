"""Kernels found in a generated wrapper: their source, and the lines that call them.

The wrapper is parsed as Python, never matched by eye; which line calls which kernel was noted when it was written.
"""

import ast
import contextlib
import dataclasses
import functools
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType, ModuleType

from compiler.engine.records.recorder import (
    DynamoGraphRecord,
    InductorGraphRecord,
    KernelRecord,
    WrittenLine,
    scheduled,
)
from compiler.model.ir.loop_ir import Kernel, LoopNode

_SETTLED_LATE = re.compile(r"(?<=eviction_policy=)'[^']*'")
_WRAPPERS_KNOWN = 4
"""Wrappers whose kernels are kept: one is asked for them by each telling of a compile, which is read again each time."""


def read_kernels(inductor_graph: InductorGraphRecord) -> tuple[Kernel, ...]:
    """Every kernel call in order. A call that no record describes is an extern kernel without origins."""
    if inductor_graph.read_kernels is None:
        inductor_graph.read_kernels = tuple(_read_kernels(inductor_graph))
    return inductor_graph.read_kernels


def _read_kernels(inductor_graph: InductorGraphRecord) -> list[Kernel]:
    sources = kernel_sources(inductor_graph.wrapper_text)
    by_name: dict[str, list[KernelRecord]] = {}
    for record in inductor_graph.kernels:
        if not record.buffers:
            by_name.setdefault(record.name, []).append(record)
    by_buffer = {
        buffer: record for record in inductor_graph.kernels if record.extern for buffer in record.buffers
    }
    fused = [
        node
        for _, row in scheduled(inductor_graph)
        if row.after_fusion is not None
        for node in row.after_fusion.nodes
    ]
    kernels: list[Kernel] = []
    counts: dict[str, int] = {}
    for called, line in call_lines(inductor_graph):
        buffer = called.removeprefix("buffer:") if called.startswith("buffer:") else ""
        found = by_buffer.get(buffer) if buffer else _nth(by_name.get(called, []), counts.get(called, 0))
        name = found.name if found is not None else called.removeprefix("buffer:")
        counts[name] = counts.get(name, 0) + 1
        source = sources.get(name, "")
        kernels.append(
            Kernel(
                id=name if counts[name] == 1 else f"{name}#{counts[name]}",
                name=name,
                language=_language(inductor_graph.wrapper_text, name) if source else "extern",
                source=source,
                source_path=inductor_graph.wrapper_path if source else "",
                call_line=line,
                loop_nodes=_loop_nodes(fused, found, buffer),
                origins=found.origins if found is not None else (),
                body=found.body if found is not None else "",
            )
        )
    return kernels


def _nth(records: list[KernelRecord], number: int) -> KernelRecord | None:
    """The record of a kernel's n-th call; two kernels of the same text get one name."""
    return records[min(number, len(records) - 1)] if records else None


def call_lines(inductor_graph: InductorGraphRecord) -> tuple[tuple[str, int], ...]:
    """(what is called, line in the wrapper from 1) in order, by finding the written lines; of the same text, one after another."""
    wanted = {text for _, text in inductor_graph.call_lines}
    places: dict[str, list[int]] = {}
    for number, line in enumerate(inductor_graph.wrapper_text.split("\n"), 1):
        if (text := line.strip()) in wanted:
            places.setdefault(text, []).append(number)
    rows = [(called, places[text].pop(0)) for called, text in inductor_graph.call_lines if places.get(text)]
    return tuple(sorted(rows, key=lambda row: row[1]))


def path_of(module: ModuleType) -> str:
    """A wrapper's file; empty where it has none."""
    return getattr(module, "__file__", None) or ""


def text_at(path: str) -> str:
    """A wrapper's; empty where it is none: one in C++ is a library."""
    with contextlib.suppress(OSError, ValueError):
        return Path(path).read_text(encoding="utf-8")
    return ""


@functools.lru_cache(_WRAPPERS_KNOWN)
def kernel_sources(text: str) -> Mapping[str, str]:
    """Kernel name → source, for every ``name = async_compile.<language>(..., source, ...)``."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return MappingProxyType({})
    sources: dict[str, str] = {}
    for statement in tree.body:
        if not (isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call)):
            continue
        call, target = statement.value, statement.targets[0]
        if (
            isinstance(target, ast.Name)
            and isinstance(call.func, ast.Attribute)
            and _is_async_compile(call.func)
        ):
            texts = [
                item.value
                for item in call.args
                if isinstance(item, ast.Constant) and isinstance(item.value, str)
            ]
            if texts:
                sources[target.id] = max(texts, key=len).strip("\n")
    return MappingProxyType(sources)


def kernels_by_source(dynamo_graphs: Iterable[DynamoGraphRecord]) -> dict[str, tuple[str, str]]:
    """Source of a kernel → (its name, the graph that it is of)."""
    return {
        kernel.source: (kernel.name, f"{dynamo_graph.compile_id} {inductor_graph.part}")
        for dynamo_graph in dynamo_graphs
        for inductor_graph in dynamo_graph.inductor_graphs
        for kernel in read_kernels(inductor_graph)
        if kernel.source
    }


def line_owners(inductor_graph: InductorGraphRecord, kernel: Kernel) -> dict[int, WrittenLine]:
    """Line of a kernel's source, from 1 → who wrote it, for lines where that is certain.

    Each block was spliced into the source whole, so it is found as a run of equal lines. Where equal runs were written
    for different nodes, they are distinguished by their order if the source has as many; else they have no loop node, and
    those lines are left out whose FX node differs as well. A run inside another (the inside of a mask) is the finer one.
    """
    same = [record for record in inductor_graph.kernels if record.name == kernel.name and not record.extern]
    number = int(kernel.id.partition("#")[2] or 1) - 1
    if not same or not kernel.source:
        return {}
    lines = [_before_it_was_settled(line.strip()) for line in kernel.source.split("\n")]
    blocks: dict[tuple[str, ...], list[tuple[WrittenLine, ...]]] = {}
    for block in same[min(number, len(same) - 1)].blocks:
        blocks.setdefault(tuple(_before_it_was_settled(line.text) for line in block), []).append(block)
    owners: dict[int, WrittenLine] = {}
    for texts, written in sorted(blocks.items(), key=lambda item: -len(item[0])):
        places = _places(lines, texts)
        if len(set(written)) == 1:
            written = written[:1] * len(places)
        if len(written) == len(places):
            for start, block in zip(places, written, strict=True):
                owners.update(
                    {start + offset + 1: line for offset, line in enumerate(block) if line.loop_node}
                )
        else:
            for offset, line in _agreed(written):
                for start in places:
                    owners.setdefault(start + offset + 1, line)
    return owners


def _agreed(written: list[tuple[WrittenLine, ...]]) -> list[tuple[int, WrittenLine]]:
    """Of equal runs, the lines that all have of one FX node: two loops of a kernel may begin by computing the same."""
    return [
        (offset, dataclasses.replace(lines[0], loop_node=""))
        for offset, lines in enumerate(zip(*written, strict=True))
        if lines[0].fx_node and len({line.fx_node for line in lines}) == 1
    ]


def _before_it_was_settled(line: str) -> str:
    """A line of a Triton kernel without what Inductor fills in when all its loads are known."""
    return _SETTLED_LATE.sub("", line) if "eviction_policy=" in line else line


def _places(lines: list[str], texts: tuple[str, ...]) -> list[int]:
    """Where a run of lines stands, each place apart from the next."""
    found, index, last, wanted = list[int](), 0, len(lines) - len(texts) + 1, list(texts)
    while index < last:
        try:
            index = lines.index(wanted[0], index, last)
        except ValueError:
            break
        if lines[index : index + len(wanted)] == wanted:
            found.append(index)
            index += len(wanted)
        else:
            index += 1
    return found


def _is_async_compile(function: ast.Attribute) -> bool:
    return isinstance(function.value, ast.Name) and function.value.id == "async_compile"


def _language(text: str, name: str) -> str:
    return "triton" if f"{name} = async_compile.triton(" in text else "cpp"


def _loop_nodes(fused: list[LoopNode], record: KernelRecord | None, buffer: str) -> tuple[str, ...]:
    """The fused nodes whose parts the kernel runs."""
    if buffer:
        return tuple(node.id for node in fused if buffer in node.buffers)
    if record is None:
        return ()
    runs = set(record.snodes)
    return tuple(node.id for node in fused if runs & set(node.children or (node.id,)))
