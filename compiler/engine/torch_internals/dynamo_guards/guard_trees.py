"""Hook: the guards of every frame, read right after Dynamo built them, and why earlier compiled code did not fit."""

import contextlib
import itertools
from collections.abc import Iterator
from typing import Any

from torch.utils._traceback import shorten_filename

from compiler.engine.file_ownership import innermost
from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.dynamo import symbolic_shapes
from compiler.engine.torch_internals.dynamo.frames import MEANWHILE, compiled_meanwhile
from compiler.engine.torch_internals.dynamo_guards.guard_checks import (
    HOLDS,
    global_sizes,
    tried_entry,
    with_torchs_text,
)
from compiler.engine.torch_internals.dynamo_guards.guard_walking import (
    COMMENT,
    checks_of,
    leaves_of,
    strip_comment,
    walk,
)
from compiler.engine.torch_internals.patch.patching import around
from compiler.model.capture.guards import GuardLeaf, GuardNode, GuardTree, RecompileRecord, TriedEntry
from compiler.model.ir.graph import SourceLine

GIVES = "guards, recompiles"
NEEDS = (
    "torch._dynamo.guards:CheckFunctionManager.__init__",
    "torch._dynamo.convert_frame:get_and_maybe_log_recompilation_reasons",
)

_FIRST_USE = "user code shown is first use of this value"
_AND = ") and "
"""Between the lines of a range that several made."""


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Record the tree of every compile, and for every recompile each entry that was tried."""

    def build(manager: Any, f_code: Any, output_graph: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        guards = list(getattr(output_graph, "guards", None) or ())
        result = original(manager, f_code, output_graph, *args, **kwargs)
        frame = recorder.frame
        if frame is None:
            return result
        with recorder.reading("guards"):
            shapes = symbolic_shapes.read(recorder, frame.id, getattr(output_graph, "shape_env", None))
            recorder.guards[frame.id] = read_tree(frame.id, manager.guard_manager, guards, *shapes)
            frame.global_sizes = global_sizes(manager.guard_manager)
            if not recorder.top_locals:
                recorder.top_locals = dict(getattr(output_graph, "local_scope", None) or {})
                recorder.top_globals = manager.guard_manager.global_scope["G"]
                recorder.top_code = frame.code
        return result

    def recompile(
        cache_entries: Any, frame: Any, backend: Any, *args: Any, original: Any, **kwargs: Any
    ) -> Any:
        record = recorder.frame
        if record is None:
            return original(cache_entries, frame, backend, *args, **kwargs)
        found = []
        with recorder.reading("failing guards"):
            for entry in _entries(cache_entries):
                name = recorder.names.now(str(entry.compile_id))
                tree = recorder.guards.get(name)
                tried = tried_entry(name, entry, dict(frame.f_locals), backend, tree)
                if not tried.failed and tried.note == HOLDS and compiled_meanwhile(recorder, record, name):
                    tried = TriedEntry(name, note=MEANWHILE)
                found.append(tried)
            recorder.recompiles[record.id] = RecompileRecord(record.id, record.name, tuple(found))
        reasons = original(cache_entries, frame, backend, *args, **kwargs)
        with recorder.reading("recompile reasons"):
            reported = tuple(
                entry if entry.note == MEANWHILE else with_torchs_text(entry, list(reasons or ()))
                for entry in found
            )
            recorder.recompiles[record.id] = RecompileRecord(record.id, record.name, reported)
        return reasons

    with around(NEEDS[0], build), around(NEEDS[1], recompile), symbolic_shapes.listen(recorder):
        yield


def _entries(found: Any) -> list[Any]:
    """Cache entries as a list; torch 2.11 hands over the first of a chain."""
    if found is None or isinstance(found, list | tuple):
        return list(found or ())
    chain = []
    while found is not None:
        chain.append(found)
        found = getattr(found, "next", None)
    return chain


class _Lines:
    """Finds the user's line of a guard, and keeps every line once."""

    def __init__(self, guards: list[Any]) -> None:
        self.table: dict[SourceLine, int] = {}
        self._of_code: dict[str, SourceLine] = {}
        self._of_source: dict[tuple[str, str], SourceLine] = {}
        names: dict[str, str] = {}
        for guard in guards:
            stack = guard.user_stack or ()
            for entry in stack:
                if entry.filename not in names:
                    names[entry.filename] = shorten_filename(entry.filename)
            last = innermost(stack, lambda entry: entry.filename) or (stack[-1] if stack else None)
            if last is not None:
                line = SourceLine(last.filename, last.lineno or 0, last.name, (last.line or "").strip())
                for code in guard.code_list or ():
                    self._of_code.setdefault(code.strip(), line)
                for kind in (str(guard.create_fn_name()), ""):
                    self._of_source.setdefault((str(guard.name), kind), line)
        self._paths = {short: path for path, short in names.items()}

    def index(self, part: str, code: str, source: str, kind: str) -> int:
        """Where the line of this part of a guard of a source stands in the table."""
        line = self._of_code.get(code) or self._of_source.get((source, kind))
        line = line or self._of_source.get((source, "")) or self._from_comment(part)
        return -1 if line is None else self.table.setdefault(line, len(self.table))

    def _from_comment(self, part: str) -> SourceLine | None:
        """The last line that torch names, but not the first use of a size whose guard is torch's own."""
        ends = [*(match.start() for match in COMMENT.finditer(part)), len(part)]
        for start, end in reversed([*itertools.pairwise(ends)]):
            match = COMMENT.match(part, start)
            if match is not None and _FIRST_USE not in part[start:end]:
                text, short, number, function = match.groups()
                text = text or part[:start].rpartition(_AND)[2].rpartition("  # ")[2]
                return SourceLine(self._paths.get(short, short), int(number), function, text.strip())
        return None


def read_tree(
    compile_id: str, wrapper: Any, guards: list[Any], symbols: tuple[Any, ...], shape_guards: tuple[Any, ...]
) -> GuardTree:
    """A tree of torch's guard managers as plain data."""
    lines = _Lines(guards)
    nodes: list[GuardNode] = []
    for parent, accessor, manager in walk(wrapper.root):
        source = str(manager.get_source())
        leaves = [_leaf(leaf, source, lines) for leaf in leaves_of(manager, parent)]
        nodes.append(GuardNode(parent, source, _type_name(manager), accessor, tuple(leaves)))
    return GuardTree(compile_id, tuple(nodes), tuple(lines.table), symbols, shape_guards)


def _type_name(manager: Any) -> str:
    kind = getattr(manager, "get_type_of_guarded_value", lambda: None)()
    name = getattr(kind, "__name__", "")
    return "" if name == "NoneType" and manager.get_source() == "L" else name


def _leaf(leaf: Any, source: str, lines: _Lines) -> GuardLeaf:
    parts, codes = leaf.verbose_code_parts(), checks_of(leaf)
    kind = type(leaf).__name__
    if not parts:
        return GuardLeaf(kind, codes)
    by_code = {strip_comment(part): part for part in reversed(parts)}
    found = tuple(lines.index(by_code[code], code, source, kind) for code in codes)
    return GuardLeaf(kind, codes, found[0], found if len(set(found)) > 1 else ())
