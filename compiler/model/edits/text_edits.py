"""The edit of a text that another front end made and that can be run changed: generated Python, TorchScript's IR."""

import hashlib

import msgspec

from compiler.model.capture.front_ends import FX_CODE
from compiler.model.edits.validation import EditError
from compiler.model.ir.ids import StageId
from compiler.model.ir.stage import TextStage


class ReplaceText(msgspec.Struct, frozen=True, tag="replace_text"):
    """Give a stage another text. What it computes is then the person's affair, and judged."""

    stage: StageId
    text: str
    base: str
    """`fingerprint` of the text that the front end made: on another one the edit does not fit."""


def fingerprint(text: str) -> str:
    """What distinguishes texts; spaces at the ends of lines do not count."""
    lines = [line.rstrip() for line in text.strip().split("\n")]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def replace_text(content: TextStage, edit: ReplaceText) -> tuple[TextStage, ReplaceText]:
    """The stage with another text, and the edit that takes it back. Raises EditError."""
    if content.text == edit.text:
        raise EditError("The text is the same.")
    if not edit.text.strip():
        raise EditError("There is no text.")
    base = content.base or fingerprint(content.text)
    if edit.base != base:
        raise EditError("The text that was edited is another one than this.")
    made = "" if fingerprint(edit.text) == base else base
    return msgspec.structs.replace(content, text=edit.text, base=made), ReplaceText(
        edit.stage, content.text, base
    )


def describe_text(edit: ReplaceText) -> str:
    """One line for the history."""
    return "Edit the generated Python" if edit.stage == FX_CODE else "Edit the IR"
