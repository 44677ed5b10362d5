"""Guards and symbolic sizes: the tree that torch prints of a compile's guards, and what it logged of each symbol."""

import re
from collections.abc import Iterator

import msgspec

from compiler.analysis.torch_logs.records.interned_strings import of_torch, reported_line, text_of, texts_in
from compiler.analysis.torch_logs.records.log_lines import Json
from compiler.analysis.torch_logs.records.process_log import CompileLog
from compiler.model.capture.guards import GuardLeaf, GuardNode, GuardTree, ShapeGuard, ShapeSymbol
from compiler.model.ir.graph import SourceLine

TREE = "dynamo_cpp_guards_str"
_ROW = re.compile(r"^((?:\| )*)\+- (.*)$")
_NODE = re.compile(
    r"^(?:(Key|Value)Manager: )?(\w*GuardManager\w*)"
    r"(?:: source=(.*?)(?:, accessed_by=(.*?))?(?:, type=(.*?))?(?:, tag_safe=.*)?)?$"
)
_PAIR = re.compile(r"^KeyValueManager pair at index=(\d{1,9})$")
"""A row of its own above the managers of a key and of its value."""
_WHERE = re.compile(r"^(?P<path>[^\s(].*?):(?P<line>\d{1,9}) in (?P<function>.+?)(?: \(HINT: .*)?$")
_MOST = 20_000
"""Rows of a tree that are read."""
_LONGEST = 4000
"""Letters of a row of a manager that is taken apart; torch's own are shorter."""
_CLASS = re.compile(r"<(?:class|enum|flag) '(.*)'>")


def guards_of(log: CompileLog) -> GuardTree | None:
    """The tree of a compile, with its symbols; None where the log has neither."""
    entry = next((entry for entry in reversed(log.entries) if entry.name == TREE and entry.text), None)
    nodes, lines = _tree(entry.text or "") if entry is not None else ((), ())
    symbols, shapes = tuple(_symbols(log)), tuple(_shape_guards(log))
    return GuardTree(log.id, nodes, lines, symbols, shapes) if nodes or symbols or shapes else None


def _tree(text: str) -> tuple[tuple[GuardNode, ...], tuple[SourceLine, ...]]:
    nodes: list[GuardNode] = []
    leaves: dict[int, list[GuardLeaf]] = {}
    lines: dict[SourceLine, int] = {}
    above: list[int] = []
    index = ""
    last: list[GuardLeaf] = []
    """What is checked at the end stands below no manager, and is of the root."""
    for row in text.split("\n")[:_MOST]:
        found = _ROW.match(row)
        if found is None:
            continue
        depth, said = len(found[1]) // 2, found[2]
        del above[depth:]
        parent = above[-1] if above else -1
        if (pair := _PAIR.match(said)) is not None and parent >= 0:
            above.append(parent)
            index = pair[1]
            continue
        manager = _NODE.match(said) if "GuardManager" in said and len(said) <= _LONGEST else None
        if manager is None:
            (leaves.setdefault(parent, []) if parent >= 0 else last).append(_leaf(said, lines))
            continue
        above.append(len(nodes))
        root = manager[2] == "RootGuardManager"
        class_ = _CLASS.fullmatch(manager[5] or "")
        type_ = class_[1].rpartition(".")[2] if class_ is not None else manager[5] or ""
        accessor = f"{manager[1].lower()}[{index}]" if manager[1] else manager[4] or ""
        nodes.append(GuardNode(parent, "L" if root else manager[3] or "", type_, accessor))
    for kind in dict.fromkeys(leaf.kind for leaf in last):
        rows = [leaf for leaf in last if leaf.kind == kind]
        codes = tuple(dict.fromkeys(code for leaf in rows for code in leaf.code))
        leaves.setdefault(0, []).append(GuardLeaf(kind, codes, rows[0].line))
    done = (
        msgspec.structs.replace(node, leaves=tuple(_joined(leaves.get(at, []))))
        for at, node in enumerate(nodes)
    )
    return tuple(done), tuple(lines)


def _leaf(said: str, lines: dict[SourceLine, int]) -> GuardLeaf:
    kind, _, rest = said.partition(": ")
    parts = rest.split("  # ")
    code = parts[0].strip()
    place = _WHERE.match(parts[-1].strip()) if len(parts) > 1 else None
    if place is None:
        return GuardLeaf(kind, (code or rest.strip(),))
    text = parts[-2].strip() if len(parts) > 2 else ""
    line = SourceLine(place["path"], int(place["line"]), place["function"], text)
    return GuardLeaf(kind, (code,), lines.setdefault(line, len(lines)))


def _joined(leaves: list[GuardLeaf]) -> Iterator[GuardLeaf]:
    """One check that torch prints in several rows is one guard."""
    row: GuardLeaf | None = None
    for leaf in leaves:
        if (
            row is not None
            and (row.kind, row.line) == (leaf.kind, leaf.line)
            and leaf.kind == "DIMENSION_DYNAMIC_MARKING_GUARD"
        ):
            row = GuardLeaf(row.kind, (*row.code, *leaf.code), row.line)
            continue
        if row is not None:
            yield row
        row = leaf
    if row is not None:
        yield row


def _symbols(log: CompileLog) -> Iterator[ShapeSymbol]:
    found: dict[str, ShapeSymbol] = {}
    for kind, _, facts in log.small:
        name = text_of(facts, "symbol")
        if kind in ("create_symbol", "create_unbacked_symbol") and name:
            old = found.get(name)
            source = text_of(facts, "source")
            sources = (*(old.sources if old else ()), *((source,) if source else ()))
            created, by = _where(facts)
            hint = text_of(facts, "val")
            found[name] = ShapeSymbol(
                name, hint, _range(text_of(facts, "vr")), tuple(dict.fromkeys(sources)), created, by
            )
        elif kind == "symbolic_shape_specialization" and name:
            at, by = _where(facts)
            old = found.get(name) or ShapeSymbol(name, sources=tuple(texts_in(facts.get("sources"))))
            value = text_of(facts, "value")
            found[name] = msgspec.structs.replace(
                old, specialised=value, specialised_at=at, specialised_by=by
            )
    yield from found.values()


def _shape_guards(log: CompileLog) -> Iterator[ShapeGuard]:
    seen: set[str] = set()
    for kind, _, facts in log.small:
        if kind in ("guard_added", "guard_added_fast", "propagate_real_tensors_provenance"):
            expression = text_of(facts, "expr")
            if expression and expression not in seen:
                seen.add(expression)
                line, by = _where(facts)
                yield ShapeGuard(expression, line, by)


def _where(facts: Json) -> tuple[SourceLine | None, str]:
    """(the user's line, the place in torch)."""
    user, stack = _lines(facts.get("user_stack")), _lines(facts.get("stack"))
    inner = next((line for line in reversed(stack) if of_torch(line.path)), None)
    by = f"{_short(inner.path)}:{inner.line} in {inner.function}" if inner else ""
    return reported_line(user), by


def _lines(value: object) -> tuple[SourceLine, ...]:
    return tuple(item for item in value if isinstance(item, SourceLine)) if isinstance(value, tuple) else ()


def _short(path: str) -> str:
    return f"torch/{path.rpartition('/torch/')[2]}" if "/torch/" in path else path


def _range(text: str) -> str:
    return text.replace("int_oo", "∞").replace("oo", "∞")
