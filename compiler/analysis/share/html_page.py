"""The page as one text. Whatever a capture holds, it arrives in the page as data and is shown as text.

Three walls: names and texts are JSON in a block that is no script, with every ``<``, ``>``, ``&`` and whatever is not ASCII
escaped; the page's own script puts them in as text only; and the Content-Security-Policy allows that one script and that one
style by their hashes, and nothing else: no network, no other script, no form, no frame.
"""

import base64
import hashlib
import html
import json
import os
import re
import tempfile
from pathlib import Path

import msgspec

from compiler.analysis.session_file.session_data import SessionData
from compiler.analysis.session_file.whole_files import require_replaceable
from compiler.analysis.share.page_data import PageData, page_data
from compiler.installation import RESOURCES

_FOLDER = RESOURCES / "share_page"
_SCRIPTS = ("links.js", "layout.js", "graph.js", "text.js", "page.js")
_MARK = re.compile(r"\{\{(\w+)\}\}")
_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def write_page(path: Path, data: SessionData, hide_code: bool = False) -> int:
    """Write the page of the session's last capture, whole or not at all; gives its size in bytes. Raises OSError."""
    text = render(page_data(data, hide_code)).encode("utf-8")
    require_replaceable(path)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(text)
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return len(text)


def render(data: PageData) -> str:
    """The page, which loads nothing from anywhere."""
    style = _read("page.css")
    script = "\n".join(["'use strict';", "(() => {", *map(_read, _SCRIPTS), "})();"])
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = {
        "policy": html.escape(policy),
        "title": html.escape(f"{data.title} – Torch Loupe"),
        "style": style,
        "data": embedded(msgspec.to_builtins(data)),
        "script": script,
    }
    pieces = _MARK.split(
        _read("page.html")
    )  # in one go: a name of the capture that looks like a mark is none
    return "".join(parts[piece] if number % 2 else piece for number, piece in enumerate(pieces))


def embedded(value: object) -> str:
    """JSON that ends no block, begins no comment, and is plain ASCII."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":")).translate(_ESCAPES)


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8").strip()


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
