"""All that a session file would have executed, as plain text: what a person must see before agreeing to run it."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from compiler.analysis.session_file.session_data import Journal, SessionData
from compiler.analysis.text_format.visible_text import visible
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions
from compiler.model.capture.config_inputs import CONFIG, is_config
from compiler.model.capture.front_ends import DYNAMO
from compiler.model.capture.program_changes import ReplaceSource
from compiler.model.edits.edits import (
    Edit,
    ReplaceKernel,
    ReplaceText,
    ReplaceWrapper,
    describe_edit,
    single_edits,
)
from compiler.model.graph_breaks.remedy import diff_text, keep_text
from compiler.model.protocol.messages import RequestBody
from compiler.model.protocol.requests import row_of, status_of

_LARGEST_SOURCE = 4 << 20
_REPORTED_BY_OTHERS = {"spec", "id", "capture", "kept", "orders", "edits"}
"""Fields of requests that name what the file's own parts show."""


class Part(msgspec.Struct, frozen=True):
    """One thing that runs. The title is ours; the text is the file's, with nothing in it that a screen would hide."""

    title: str
    text: str


def needs_agreement(restricted: bool, request: RequestBody) -> bool:
    """The one rule of trust: what is open came from a file that nobody agreed to, and the request would execute of it."""
    return restricted and row_of(request).executes_program


def what_runs(data: SessionData, request: RequestBody | None = None) -> tuple[Part, ...]:
    """The parts of a file that are executed once it is trusted, and what is asked for now."""
    specs = [capture.spec for capture in data.captures]
    asked = getattr(request, "spec", None)
    if isinstance(asked, CaptureSpec):
        specs.append(asked)
    parts = list(_request(request)) if request is not None else []
    for spec in dict.fromkeys(specs):
        parts += _program(spec)
    parts += _edits(data.journals)
    parts += _kernels(data.captures)
    reported = (Part(part.title, visible(part.text)) for part in parts if part.text.strip())
    return tuple(dict.fromkeys(reported))


def _program(spec: CaptureSpec) -> Iterator[Part]:
    target = spec.target
    yield Part("Program", f"{target.name}\nin the folder {target.folder or '(none)'}")
    yield Part("File that is loaded", _resolved(spec))
    made_up = "made up, by its task" if is_config(target.name) else "example_inputs() of the file"
    yield Part("Inputs, evaluated as Python", target.inputs or made_up)
    yield Part("Keyword inputs, evaluated as Python", target.keyword_inputs or "")
    yield Part("How it is compiled and run", "\n".join(_options(spec)))
    for change in spec.changes:
        if isinstance(change, ReplaceSource):
            yield Part("Text that is loaded in place of a file", _diff(change))
    others = [keep_text(change) for change in spec.changes if not isinstance(change, ReplaceSource)]
    yield Part("Changes", "\n".join(others))
    yield Part("Python in place of what torch.fx generates", spec.generated)


def _resolved(spec: CaptureSpec) -> str:
    name = spec.target.name
    file = name.rpartition(":")[0] or name
    if not file.endswith((".py", ".pt2", CONFIG)):
        return f"The module {file}, as Python finds it from the folder, with all that it imports."
    try:
        path = Path(spec.target.folder, file).resolve()
        there = "" if path.is_file() else "\n(it is not there)"
    except (OSError, ValueError, RuntimeError):
        return f"{file}\n(this is no path)"
    read = (
        "\n(read as data: the model's code is that of the installed transformers)" if is_config(name) else ""
    )
    return f"{path}{there}{read}"


def _options(spec: CaptureSpec) -> Iterator[str]:
    for given, usual in ((spec.compile, CompileOptions()), (spec.run, RunOptions())):
        for name in given.__struct_fields__:
            if getattr(given, name) != getattr(usual, name):
                yield f"{name} = {getattr(given, name)!r}"
    if spec.front_end != DYNAMO:
        yield f"front end = {spec.front_end}"
    if spec.device is not None:
        yield f"compiled for {spec.device!r}"
    if spec.without_values:
        yield "without values: on fake tensors, nothing of it runs"
    others = (
        ("run on", spec.run_on),
        ("assume", spec.assume),
        ("own files", spec.target.mine),
        ("configuration", spec.target.config),
    )
    for name, value in others:
        if value:
            yield f"{name} = {value!r}"


def _diff(change: ReplaceSource) -> str:
    try:
        path = Path(change.path)
        small = path.is_file() and path.stat().st_size <= _LARGEST_SOURCE
        before = path.read_text(encoding="utf-8", errors="replace") if small else None
    except (OSError, ValueError):
        before = None
    if before is None:
        return f"{change.path}\n(there is no such file here; this is the whole text)\n\n{change.text}"
    return diff_text(change, before) or f"{change.path}\n(the text is the same)"


def _edits(journals: Iterable[Journal]) -> Iterator[Part]:
    made: dict[Edit, None] = {}
    for journal in journals:
        states = journal.tree.states if journal.tree is not None else ()
        made.update(dict.fromkeys(single_edits((*journal.edits, *(state.edit for state in states)))))
    rows = []
    for edit in made:
        match edit:
            case ReplaceKernel(source=text) | ReplaceWrapper(text=text) | ReplaceText(text=text):
                yield Part("Code of an edit", f"{describe_edit(edit)}, in {edit.stage}\n\n{text}")
            case _:
                rows.append(f"{describe_edit(edit)}\n    {_plain(edit)}")
    yield Part("Edits of graphs", "\n".join(rows))


def _kernels(captures: Iterable[Capture]) -> Iterator[Part]:
    texts: dict[str, str] = {}
    for capture in captures:
        for stage in capture.stages:
            texts |= {row.source: row.name for row in stage.kernels if row.source}
    blocks = (f"{name}\n\n{source}" for source, name in texts.items())
    yield Part("Kernels, when they are lowered, interpreted or disassembled", "\n\n".join(blocks))


def _request(request: RequestBody) -> Iterator[Part]:
    rows = [status_of(request)]
    for name in request.__struct_fields__:
        value = getattr(request, name)
        if name not in _REPORTED_BY_OTHERS and value not in ((), "", None):
            rows.append(f"{name}: {value if isinstance(value, str) else _plain(value)}")
    yield Part("Asked for now", "\n".join(rows))


def _plain(value: object) -> str:
    return msgspec.json.encode(value).decode("utf-8", "replace")
