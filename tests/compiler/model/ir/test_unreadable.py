"""Bytes that are no text are reported like any other bad file, wherever something is decoded."""

import re
from pathlib import Path

import pytest

from compiler.command_line.session_io import read_edits
from compiler.command_line.worker_client import CommandFailedError
from compiler.model.protocol.frames import BadFrameError, FrameReader

_ROOT = Path(__file__).resolve().parents[4]
_MSGSPEC_ALONE = re.compile(r"except.*msgspec\.(?:MsgspecError|DecodeError)")


def test_a_recipe_that_is_no_utf_8_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "recipe.json"
    path.write_bytes(b'[{"type": "bypass_node", "stage": "\xff\xfe"}]')
    with pytest.raises(CommandFailedError, match="not a list of edits"):
        read_edits(path)


def test_a_frame_that_is_no_utf_8_is_reported() -> None:
    body = b"\x81\xa4type\xa1\xff"  # MessagePack
    frame = len(body).to_bytes(4, "big") + body
    with pytest.raises(BadFrameError):
        FrameReader().feed(frame)


def test_nothing_catches_what_msgspec_raises_and_not_the_rest() -> None:
    sources = (path for folder in ("app", "compiler") for path in (_ROOT / folder).rglob("*.py"))
    assert [str(path) for path in sources if _MSGSPEC_ALONE.search(path.read_text(encoding="utf-8"))] == []
