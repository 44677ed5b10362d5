"""What was read of each Dynamo graph, so that a capture that grows is read again only where something was added."""

from collections.abc import Callable
from typing import TypeVar

from compiler.engine.records.recorder import DynamoGraphRecord, FrameRecord

_Read = TypeVar("_Read")
_State = tuple[object, ...]


class GraphReadings:
    """By kind of reading and by graph."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, int], tuple[_State, DynamoGraphRecord, object]] = {}

    def read(
        self, kind: str, recorded: DynamoGraphRecord, frame: FrameRecord | None, read: Callable[[], _Read]
    ) -> _Read:
        """What `read` gave when the graph was last in the state that it is in now."""
        key, state = (kind, id(recorded)), _state(recorded, frame)
        known = self._kept.get(key)
        if known is None or known[0] != state:
            known = self._kept[key] = (state, recorded, read())
        found: _Read = known[2]  # type: ignore[assignment]
        return found


def _state(recorded: DynamoGraphRecord, frame: FrameRecord | None) -> _State:
    """Changes with every step of the compile that was finished."""
    return (
        tuple(
            (graph.part, graph.wrapper_path, "whole" in graph.seconds) for graph in recorded.inductor_graphs
        ),
        recorded.pre_grad is not None,
        recorded.joint is not None,
        len(recorded.part_of.parts) if recorded.part_of is not None else 0,
        frame is not None and (frame.error, frame.given_up, frame.rewritten is not None),
    )
