"""Kernels and their calls in a wrapper that Inductor generated, read from its text line by line; nothing of it is run."""

import re
from collections import Counter

import msgspec

from compiler.model.ir.loop_ir import Kernel, WrapperCode

_DEFINED = re.compile(r"^(\w+) = async_compile\.(\w+)\(")
_QUOTES = re.compile(r"r?('''|\"\"\")")
_OF_TORCH = ("extern_kernels.", "torch.ops.", "aten.", "inductor_ops.", "_quantized.")
"""As a wrapper calls operators: its head gives ``torch.ops.aten`` and two more a short name."""
_CALL = re.compile(
    rf"^\s+(?:\w+(?:\[\d+\])? = )?(?P<name>(?:{'|'.join(map(re.escape, _OF_TORCH))})[\w.]+|\w+)(?:\.run)?\("
)
_SOURCES = re.compile(r"^[^#]*+# (?:Topologically Sorted )?Source Nodes: \[(.*?)\], Original ATen: \[(.*?)\]")
_FRAGMENT = re.compile(r"^\s*#\s+%(\w+) : .*call_function\[")
_MOST_COMMENTS = 2000
_BODY = re.compile(r"^\s*def (call|true_graph|false_graph|\w*graph\w*|partition_\d+)\(")
_LANGUAGES = {"cpp_pybinding": "cpp", "cpp": "cpp", "triton": "triton", "triton_heuristics": "triton"}


class CallNote(msgspec.Struct, frozen=True):
    """What the wrapper's comments say above the call of a kernel."""

    kernel: str
    """Id of the kernel."""
    source_nodes: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    """Nodes of the post-grad graph, where torch wrote its fragment."""


class GeneratedCode(msgspec.Struct, frozen=True):
    """A wrapper and the kernels that it calls, in the order of the calls."""

    wrapper: WrapperCode
    kernels: tuple[Kernel, ...]
    notes: tuple[CallNote, ...]


class _Definition(msgspec.Struct, frozen=True):
    """A kernel as the wrapper defines it, with what the comments above say."""

    language: str
    source: str
    source_nodes: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()


def read_generated(text: str, path: str) -> GeneratedCode:
    """What is in a wrapper. A C++ wrapper is kept as text."""
    if "async_compile" not in text and "def call" not in text:
        language = "cpp" if "#include" in text[:20_000] else "python"
        return GeneratedCode(WrapperCode(path, text, language=language), (), ())
    lines = text.split("\n")
    defined, skip = _definitions(lines)
    kernels: list[Kernel] = []
    notes: list[CallNote] = []
    sources: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()
    fragment: list[str] = []
    inside = False
    seen: Counter[str] = Counter()
    for number, line in enumerate(lines, 1):
        if number in skip:
            continue
        if line.startswith(("def ", "class ", "    def ")):
            inside = _BODY.match(line) is not None
        if not inside:
            continue
        if "#" in line and (found := _SOURCES.search(line)):
            sources, operators, fragment = _names(found[1]), _names(found[2]), []
        elif found := _FRAGMENT.match(line):
            fragment.append(found[1])
        elif (found := _CALL.match(line)) and _is_kernel(found["name"], defined):
            seen[found["name"]] += 1
            kernel = _kernel(found["name"], defined, path, number, seen[found["name"]])
            kernels.append(kernel)
            known = defined.get(found["name"], _Definition("extern", ""))
            nodes = tuple(fragment) or known.nodes
            notes.append(
                CallNote(kernel.id, sources or known.source_nodes, operators or known.operators, nodes)
            )
            sources, operators, fragment = (), (), []
    return GeneratedCode(WrapperCode(path, text), tuple(kernels), tuple(notes))


def _is_kernel(name: str, defined: dict[str, _Definition]) -> bool:
    return name in defined or name.startswith(_OF_TORCH)


def _kernel(name: str, defined: dict[str, _Definition], path: str, line: int, call: int) -> Kernel:
    known = defined.get(name, _Definition("extern", ""))
    kernel = f"{name}#{call}" if call > 1 else name
    origins = tuple(sorted(set(known.nodes)))
    return Kernel(
        kernel, name, known.language, known.source, path if known.source else "", line, origins=origins
    )


def _definitions(lines: list[str]) -> tuple[dict[str, _Definition], set[int]]:
    """(kernels by name, the lines, from 1, that define them)."""
    defined: dict[str, _Definition] = {}
    skip: set[int] = set()
    index = 0
    while index < len(lines):
        found = _DEFINED.match(lines[index])
        if found is None:
            index += 1
            continue
        end, source = _literal(lines, index)
        language = _LANGUAGES.get(found[2], "triton" if "triton" in found[2] else "cpp")
        defined[found[1]] = _Definition(language, source, *_above(lines, index))
        skip.update(range(index + 1, end + 2))
        index = end + 1
    return defined, skip


def _above(lines: list[str], index: int) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """(source nodes, operators, nodes of the graph) by the comments right above a line."""
    sources: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()
    nodes: list[str] = []
    for line in reversed(lines[max(index - _MOST_COMMENTS, 0) : index]):
        if not line.startswith("#"):
            break
        if found := _FRAGMENT.match(line):
            nodes.append(found[1])
        elif found := _SOURCES.search(line):
            sources, operators = _names(found[1]), _names(found[2])
    return sources, operators, tuple(reversed(nodes))


def _literal(lines: list[str], begin: int) -> tuple[int, str]:
    """(index of the line where it ends, the text in triple quotes that begins on a line)."""
    found = _QUOTES.search(lines[begin])
    if found is None:
        return begin, ""
    parts = [lines[begin][found.end() :]]
    for index in range(begin + 1, len(lines)):
        head, quotes, _ = lines[index].partition(found[1])
        parts.append(head)
        if quotes:
            return index, "\n".join(parts).strip("\n")
    return begin, ""


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
