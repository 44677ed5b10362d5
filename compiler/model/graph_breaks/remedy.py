"""One remedy, and how it is kept once it has proven itself."""

import difflib

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.capture.program_changes import (
    CHECKPOINT,
    AddToConfig,
    AllowInGraph,
    Change,
    DisableFunction,
    MarkDynamic,
    ReplaceSource,
    SetCompileArgument,
    SetCompileOption,
    SetConfig,
    TraceNonstrictly,
    WrapFunction,
    fingerprint,
)
from compiler.model.ir.stage import SourceStage


class Remedy(msgspec.Struct, frozen=True):
    """Something that may help."""

    title: str
    why: str
    """What it does, in a sentence."""
    change: Change
    caution: str = ""
    """What to look at before keeping it."""


def keep_text(change: Change) -> str:
    """The line of Python that makes the change for good; for an edit of the source there is none, see `diff_text`."""
    match change:
        case SetConfig():
            return f"{change.name} = {change.value!r}"
        case SetCompileArgument():
            return f"torch.compile(..., {change.name}={change.value!r})"
        case SetCompileOption():
            return f"torch.compile(..., options={{{change.name!r}: {change.value!r}}})"
        case AddToConfig():
            return f"{change.name}.add({change.function})"
        case MarkDynamic():
            return f"torch._dynamo.mark_dynamic({change.argument}, {change.dimension})"
        case AllowInGraph() | DisableFunction():
            return _called_once(change)
        case WrapFunction(by=by) if by == CHECKPOINT:
            return f"{change.function} = functools.partial({by}, {change.function}, use_reentrant=False)"
        case TraceNonstrictly() | WrapFunction():
            return f"{change.function} = {change.by}({change.function})"
        case ReplaceSource():
            return ""


def _called_once(change: AllowInGraph | DisableFunction) -> str:
    if isinstance(change, AllowInGraph):
        return f"torch.compiler.allow_in_graph({change.function})"
    return f"{change.function} = torch.compiler.disable({change.function})"


def describe_change(change: Change) -> str:
    """A change in a few words."""
    return change.title if isinstance(change, ReplaceSource) else keep_text(change)


def diff_text(change: ReplaceSource, before: str) -> str:
    """The edit of a file as a unified diff that ``patch -p0`` takes."""
    lines = difflib.unified_diff(
        before.splitlines(keepends=True),
        change.text.splitlines(keepends=True),
        change.path,
        change.path,
    )
    return "".join(
        line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines
    )


def replace_source(capture: Capture, path: str, text: str, title: str) -> ReplaceSource:
    """Another text for a file as it was captured."""
    for change in capture.spec.changes:
        if isinstance(change, ReplaceSource) and change.path == path:
            return ReplaceSource(path, text, title, change.on_disk)
    before = text_of(capture, path)
    return ReplaceSource(path, text, title, fingerprint(before) if before is not None else "")


def text_of(capture: Capture, path: str) -> str | None:
    """A file's text as it was captured."""
    for stage in capture.stages:
        if isinstance(stage.content, SourceStage) and stage.content.file.path == path:
            return stage.content.file.text
    return None


def with_change(changes: tuple[Change, ...], new: Change) -> tuple[Change, ...]:
    """The changes with one more; a file's newest text takes the place of an older one."""
    if isinstance(new, ReplaceSource):
        older = [item for item in changes if isinstance(item, ReplaceSource) and item.path == new.path]
        titles = (*(item.title for item in older if item.title), new.title)
        whole = msgspec.structs.replace(new, title="; ".join(dict.fromkeys(titles)))
        return (*(item for item in changes if item not in older), whole)
    return (*(item for item in changes if item != new), new)
