"""Hook: every graph break, with torch's own registry id, explanation and hints."""

import contextlib
from collections.abc import Iterator
from typing import Any

import torch._guards
from torch._dynamo import exc as dynamo_errors

from compiler.engine.recording import BreakRecord, Recorder
from compiler.engine.torch_internals.node_creation import spots_of
from compiler.engine.torch_internals.patching import around, is_there
from compiler.model.graph import SourceLine

GIVES = "graph breaks"
NEEDS = (
    "torch._dynamo.exc:format_graph_break_message",
    "torch._dynamo.symbolic_convert:InstructionTranslatorBase.log_graph_break",
)
_REGISTRY = "torch._dynamo.exc:_load_gb_type_to_gb_id_map"


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Record each break as Dynamo logs it, before the frame is cut there."""
    registry: dict[str, Any] = dynamo_errors._load_gb_type_to_gb_id_map() if is_there(_REGISTRY) else {}
    parts: dict[str, tuple[str, str, str, tuple[str, ...]]] = {}

    def format_message(original: Any) -> Any:
        def replacement(gb_type: str, context: str, explanation: str, hints: Any) -> str:
            message = str(original(gb_type, context, explanation, hints))
            parts[message] = (gb_type, context, explanation, tuple(map(str, hints)))
            return message

        return replacement

    def log_break(original: Any) -> Any:
        def replacement(translator: Any, code_options: Any, reason: str, exc: Any) -> Any:
            if not getattr(exc, "logged", False):
                recorder.breaks.append(_record(recorder, translator, reason, exc, parts, registry))
            return original(translator, code_options, reason=reason, exc=exc)

        return replacement

    with around(NEEDS[0], format_message), around(NEEDS[1], log_break):
        yield


def _record(
    recorder: Recorder,
    translator: Any,
    reason: str,
    error: Any,
    parts: dict[str, tuple[str, str, str, tuple[str, ...]]],
    registry: dict[str, Any],
) -> BreakRecord:
    message = str(getattr(error, "msg", None) or error or reason)
    unexplained = (reason.split("\n")[0].strip() or "Graph break", "", "", ())
    kind, context, explanation, hints = parts.get(message, unexplained)
    spots = spots_of(recorder, translator)
    return BreakRecord(
        frame=recorder.frame.id if recorder.frame is not None else "",
        kind=kind,
        reason=message,
        registry_id=str(registry.get(kind) or ""),
        explanation=explanation,
        context=context,
        hints=hints,
        stack=_stack_of(error),
        spot=spots[0] if spots else None,
    )


def _stack_of(error: Any) -> tuple[SourceLine, ...]:
    """The user's stack at the break: what the exception carries, else where Dynamo stands."""
    frames = getattr(error, "real_stack", None) or torch._guards.TracingContext.extract_stack()
    return tuple(SourceLine(item.filename, item.lineno or 0, item.name, item.line or "") for item in frames)
