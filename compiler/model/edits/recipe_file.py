"""Recipes: edits in a file of their own, with what they were made on, so that they find their nodes in a changed program."""

import msgspec

from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Edit, stages_of
from compiler.model.ir.stage import StageKind


class Recipe(msgspec.Struct, frozen=True):
    """What ``loupe edit --edits`` takes; a bare list of edits is one as well."""

    edits: tuple[Edit, ...]
    made_on: Capture | None = None
    """The stages and frames that the edits' names are of; without it, those of the session file."""


_LIST = msgspec.json.Decoder(tuple[Edit, ...])
_RECIPE = msgspec.json.Decoder(Recipe)


def made_recipe(edits: tuple[Edit, ...], capture: Capture) -> Recipe:
    """A recipe with as much of the capture as is needed to find the nodes again."""
    named = {stage for edit in edits for stage in stages_of(edit)}
    kept = tuple(
        stage for stage in capture.stages if stage.id in named or stage.kind is StageKind.DYNAMO_GRAPH
    )
    return Recipe(
        edits,
        Capture(capture.id, capture.spec, capture.environment, kept, frames=capture.frames),
    )


def recipe_text(recipe: Recipe) -> str:
    """A recipe as JSON."""
    return msgspec.json.format(msgspec.json.encode(recipe), indent=1).decode() + "\n"


def read_recipe(data: bytes) -> Recipe:
    """A recipe, or a bare list of edits, from JSON. Raises msgspec.MsgspecError."""
    if data.lstrip()[:1] == b"[":
        return Recipe(_LIST.decode(data))
    return _RECIPE.decode(data)
