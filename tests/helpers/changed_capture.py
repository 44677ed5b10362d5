"""A capture with another content in some of its stages."""

from collections.abc import Callable
from typing import Any

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.stage import SourceStage


def with_content(capture: Capture, which: str | type, change: Callable[[Any], Any]) -> Capture:
    """In the stage of an id, or those whose content is of a type."""
    return msgspec.structs.replace(
        capture,
        stages=tuple(
            msgspec.structs.replace(stage, content=change(stage.content))
            if stage.id == which or (isinstance(which, type) and isinstance(stage.content, which))
            else stage
            for stage in capture.stages
        ),
    )


def with_graph(
    capture: Capture, stage: str, change: Callable[[tuple[Node, ...]], tuple[Node, ...]]
) -> Capture:
    """With other nodes in the graph of a stage."""
    return with_content(
        capture, stage, lambda held: msgspec.structs.replace(held, graph=Graph(change(held.graph.nodes)))
    )


def with_source(capture: Capture, **changed: object) -> Capture:
    """With other fields of its source files."""
    return with_content(
        capture,
        SourceStage,
        lambda held: SourceStage(msgspec.structs.replace(held.file, **changed)),
    )
