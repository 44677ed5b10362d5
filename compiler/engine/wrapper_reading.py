"""Kernels found in a generated wrapper: their source, and the lines that call them.

The wrapper is parsed as Python, never matched by eye; which line calls which kernel was noted when it was written.
"""

import ast

from compiler.engine.recording import KernelRecord, UnitRecord
from compiler.model.loops import Kernel, LoopNode


def read_kernels(unit: UnitRecord) -> tuple[Kernel, ...]:
    """Every kernel call in order. A call that no record describes is an extern kernel without origins."""
    sources = kernel_sources(unit.wrapper_text)
    by_name = {record.name: record for record in unit.kernels if not record.extern}
    by_buffer = {buffer: record for record in unit.kernels if record.extern for buffer in record.buffers}
    fused = unit.after_fusion.nodes if unit.after_fusion is not None else []
    kernels: list[Kernel] = []
    counts: dict[str, int] = {}
    for called, line in call_lines(unit):
        buffer = called.removeprefix("buffer:") if called.startswith("buffer:") else ""
        record = by_buffer.get(buffer) if buffer else by_name.get(called)
        name = record.name if record is not None else called.removeprefix("buffer:")
        counts[name] = counts.get(name, 0) + 1
        source = sources.get(name, "")
        kernels.append(
            Kernel(
                id=name if counts[name] == 1 else f"{name}#{counts[name]}",
                name=name,
                language=_language(unit.wrapper_text, name) if source else "extern",
                source=source,
                source_path=unit.wrapper_path if source else "",
                call_line=line,
                loop_nodes=_loop_nodes(fused, record, buffer),
                origins=record.origins if record is not None else (),
            )
        )
    return tuple(kernels)


def call_lines(unit: UnitRecord) -> tuple[tuple[str, int], ...]:
    """(what is called, line in the wrapper from 1), by finding the written lines in order."""
    lines = unit.wrapper_text.split("\n")
    found = []
    position = 0
    for called, text in unit.call_lines:
        for index in range(position, len(lines)):
            if lines[index].strip() == text:
                found.append((called, index + 1))
                position = index + 1
                break
    return tuple(found)


def kernel_sources(text: str) -> dict[str, str]:
    """Kernel name → source, for every ``name = async_compile.<language>(..., source, ...)``."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return {}
    sources = {}
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
    return sources


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
