"""Compile ids: ``0/1`` is the second compile of the first frame; ``0/1#2`` the same after torch counted from 0/0 again.

``0/1.0``, ``0/1.1``, … are parts of one graph that reached the compiler one by one (`part_id`).

Torch counts again after `torch._dynamo.reset()`. What was compiled before is another compile, with graphs of its own.
"""

import re
from collections.abc import Iterable

_PART = re.compile(r"(?<=\d)(\.\d+)+$")
_NUMBER = re.compile(r"[0-9]{1,18}")


def compile_id(torch_id: str, generation: int) -> str:
    """The id of a compile that torch calls `torch_id`; generation: 1 plus how often it began to count again."""
    return torch_id if generation == 1 or not torch_id else f"{torch_id}#{generation}"


def torch_id_of(compile_id: str) -> str:
    """What torch calls it, which has no name for parts of a graph."""
    return _PART.sub("", compile_id.partition("#")[0])


def generation_of(compile_id: str) -> int:
    """1 plus how often torch had begun to count again; 1 where a damaged file has no number there."""
    found = _NUMBER.fullmatch(compile_id.partition("#")[2])
    return int(found[0]) if found is not None else 1


def part_id(compile_id: str, number: int) -> str:
    """The id of a part of a graph, or of a part's part; number: from 0 on, in the order the compiler got them."""
    torch_id, mark, generation = compile_id.partition("#")
    return f"{torch_id}.{number}{mark}{generation}"


def whole_of(compile_id: str) -> str:
    """The id of the graph that a part is of; that of a graph itself as it is."""
    torch_id, mark, generation = compile_id.partition("#")
    return f"{_PART.sub('', torch_id)}{mark}{generation}"


def part_in(compile_id: str, whole: str) -> str:
    """The id that a part has in another graph; that of the graph for what is no part."""
    found = _PART.search(compile_id.partition("#")[0])
    torch_id, mark, generation = whole.partition("#")
    return f"{torch_id}{found[0] if found is not None else ''}{mark}{generation}"


def frame_of(compile_id: str) -> str:
    """What all compiles of one frame share."""
    torch_id, mark, generation = compile_id.partition("#")
    frame, slash, _ = torch_id.rpartition("/")
    return (frame if slash else torch_id) + mark + generation


def of_same_frame(names: Iterable[str], compile_id: str) -> tuple[str, ...]:
    """Those of these ids that are compiles of the same frame, in their order."""
    return tuple(name for name in names if frame_of(name) == frame_of(compile_id))


def number_of(compile_id: str) -> str:
    """Which compile of its frame it is, from "0" on; empty where the id has none."""
    _, slash, number = torch_id_of(compile_id).rpartition("/")
    return number if slash else ""


def compile_order(compile_id: str) -> tuple[tuple[int, str], ...]:
    """Sorts ids as torch compiled them."""
    torch_id, _, generation = compile_id.partition("#")
    parts = (generation or "1", *re.split(r"[/.]", torch_id))
    return tuple((int(part), "") if _NUMBER.fullmatch(part) else (1 << 30, part) for part in parts)
