"""Names out of a stranger's file, in a console and in a notebook."""

from pathlib import Path

import msgspec

import torch_loupe
from compiler.analysis.session_file.session_file import SessionData, write_session
from tests.helpers import sample_capture

_HOSTILE = "\x1b]52;c;cHduZWQ=\x07\u202e"


def test_they_are_shown_as_they_are(tmp_path: Path) -> None:
    """A terminal would set the clipboard, and a page would turn the text round."""
    made = sample_capture.capture()
    target = msgspec.structs.replace(made.spec.target, name=f"{_HOSTILE}.py:Net")
    stages = tuple(msgspec.structs.replace(stage, title=_HOSTILE) for stage in made.stages)
    made = msgspec.structs.replace(
        made, stages=stages, spec=msgspec.structs.replace(made.spec, target=target)
    )
    write_session(tmp_path / "theirs.loupe", SessionData((made,)))
    found = torch_loupe.open(tmp_path / "theirs.loupe")
    for text in (repr(found), repr(found[made.stages[0].id]), found._repr_html_(), str(found)):
        assert "⟨U+001B⟩]52;c;" in text
        assert not set("\x1b\u202e") & set(text)
