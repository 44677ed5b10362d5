"""Hook: symbolic sizes, where each was made and where it was fixed. Read through the frame's ShapeEnv."""

import contextlib
import functools
import re
import sys
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch._guards import TracingContext

from compiler.engine.file_ownership import innermost
from compiler.engine.fx.running_node import rows_worked_on
from compiler.engine.records.recorder import FrameRecord, Recorder, SymbolRecord
from compiler.engine.torch_internals.patch.patching import around
from compiler.model.capture.guards import ShapeGuard, ShapeSymbol
from compiler.model.ir.graph import SourceLine

GIVES = "symbolic shapes"
NEEDS = (
    "torch.fx.experimental.symbolic_shapes:ShapeEnv.create_symbol",
    "torch.fx.experimental.symbolic_shapes:ShapeEnv.create_unbacked_symint",
    "torch.fx.experimental.symbolic_shapes:ShapeEnv._set_replacement",
    "torch.fx.experimental.symbolic_shapes:uninteresting_files",
)
_TORCH = torch.__path__[0].rpartition("/")[0] + "/"
_BOOKKEEPING = ("symbolic_shapes.py", "recording.py")
_LOCATION = re.compile(r"^(?:(.*)  # )?(\S+):(\d+) in (\S+)")


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Note the line on which a symbol is made, and the one on which it is fixed to a number."""

    def create(env: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        made = original(env, *args, **kwargs)
        frame = recorder.frame
        if frame is None:
            return made
        with recorder.reading("symbols"):
            name = str(getattr(getattr(made, "node", None), "expr", made))
            if not name.lstrip("-").isdigit() and (frame.id, name) not in recorder.symbols:
                # AOTAutograd makes the inputs once more, with no line of the user's
                recorder.symbols[frame.id, name] = SymbolRecord(_users_line(frame), _framework())
        return made

    def replace(env: Any, symbol: Any, target: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        frame = recorder.frame
        if frame is not None and getattr(target, "is_number", False):
            with recorder.reading("symbols"):
                record = recorder.symbols.setdefault((frame.id, str(symbol)), SymbolRecord())
                record.specialised, record.specialised_at = str(target), _working_line()
                record.specialised_by = _framework()
        return original(env, symbol, target, *args, **kwargs)

    @functools.cache
    def with_own(files: Any) -> Any:
        return files() | _own_files()

    def passed_over(*, original: Any) -> Any:
        # torch names the innermost place outside of these files in its guards and its logs: not the hook that it came through
        return with_own(original)

    with (
        around(NEEDS[0], create),
        around(NEEDS[1], create),
        around(NEEDS[2], replace),
        around(NEEDS[3], passed_over),
    ):
        yield


@functools.cache
def _own_files() -> frozenset[str]:
    return frozenset(map(str, Path(__file__).parents[2].rglob("*.py")))


def read(recorder: Recorder, frame: str, env: Any) -> tuple[tuple[ShapeSymbol, ...], tuple[ShapeGuard, ...]]:
    """The symbols of a frame and what was assumed of them; nothing where torch made no ShapeEnv."""
    if env is None:
        return (), ()
    values = env.backed_var_to_val if hasattr(env, "backed_var_to_val") else env.var_to_val
    replaced = {str(symbol): target for symbol, target in getattr(env, "replacements", {}).items()}
    symbols = []
    for symbol, bounds in getattr(env, "var_to_range", {}).items():
        name = str(symbol)
        record = recorder.symbols.get((frame, name), SymbolRecord())
        sources = getattr(env, "var_to_sources", {}).get(symbol, [])
        symbols.append(
            ShapeSymbol(
                name,
                str(values.get(symbol, "")),
                f"[{bounds.lower}, {bounds.upper}]".replace("int_oo", "∞"),
                tuple(_name_of(source) for source in sources),
                record.created,
                record.created_by,
                str(replaced.get(name, record.specialised)),
                record.specialised_at,
                record.specialised_by,
            )
        )
    files = {line.path for item in symbols for line in (item.created, item.specialised_at) if line}
    files |= {record.code.co_filename for record in recorder.frames}
    assumed = (
        ShapeGuard(
            str(guard.expr),
            _from_text(str(guard.sloc.maybe_user_loc or ""), files),
            _spell(guard.sloc.framework_loc),
        )
        for guard in getattr(env, "guards", ())
    )
    return tuple(symbols), tuple(assumed)


def _name_of(source: Any) -> str:
    name = source.name
    return str(name() if callable(name) else name)


def _users_line(frame: FrameRecord) -> SourceLine:
    """Where in the user's program Dynamo is; before the first instruction that is the head of the function."""
    code = frame.code
    return _innermost(TracingContext.extract_stack()) or SourceLine(
        code.co_filename, code.co_firstlineno, code.co_name
    )


def _working_line() -> SourceLine | None:
    """The same; behind Dynamo that of the node that AOTAutograd traces or Inductor lowers, None where they are at none."""
    if line := _innermost(TracingContext.extract_stack()):
        return line
    found = (rows_worked_on(*item) for item in traceback.walk_stack(None))
    return _innermost(next((rows for rows in found if rows), ()))


def _innermost(stack: Iterable[traceback.FrameSummary]) -> SourceLine | None:
    rows = list(stack)
    if not rows:
        return None
    last = innermost(rows, lambda entry: entry.filename) or rows[-1]
    return SourceLine(last.filename, last.lineno or 0, last.name, (last.line or "").strip())


def _framework() -> str:
    """The innermost place in torch that is neither ours nor in the bookkeeping of symbols."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        path = frame.f_code.co_filename
        if path.startswith(_TORCH) and not path.endswith(_BOOKKEEPING):
            return f"{path.removeprefix(_TORCH)}:{frame.f_lineno} in {frame.f_code.co_name}"
        frame = frame.f_back
    return ""


def _spell(location: Any) -> str:
    if hasattr(location, "filename"):
        return f"{location.filename.removeprefix(_TORCH)}:{location.lineno} in {location.name}"
    return str(location or "")


def _from_text(text: str, files: set[str]) -> SourceLine | None:
    """Torch's shortened place as a line, its file found again by how it ends."""
    match = _LOCATION.match(text)
    if match is None:
        return None
    code, short, number, function = match.groups()
    path = next((path for path in files if path.endswith(short)), short)
    return SourceLine(path, int(number), function, (code or "").strip())
