"""A log as large as one wants, made of the recorded one: every compile again and again under other ids, and no text twice."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

from tests.compiler.analysis.torch_logs.recorded_log import text


def write(path: Path, size: int) -> int:
    """Write at least so many bytes; gives the number of lines."""
    records = list(_records())
    written = lines = turn = 0
    with path.open("wb") as stream:
        while written < size:
            for head, envelope, payload in records:
                row = dict(envelope)
                if "frame_id" in row:
                    row["frame_id"] = int(str(row["frame_id"])) + 3 * turn
                text_ = payload
                if payload is not None:
                    if "chromium_event" not in row and not payload.startswith("{"):
                        text_ = payload.replace("small.py", f"small{turn}.py") + f"\n# {turn}"
                    row["has_payload"] = hashlib.md5(text_.encode(), usedforsecurity=False).hexdigest()
                out = head + json.dumps(row) + "\n"
                if text_ is not None:
                    out += "\t" + text_.replace("\n", "\n\t") + "\n"
                data = out.encode()
                stream.write(data)
                written += len(data)
                lines += data.count(b"\n")
            turn += 1
    return lines


def _records() -> Iterator[tuple[str, dict[str, object], str | None]]:
    head, envelope, payload = "", None, None
    for line in text().decode().split("\n"):
        if line.startswith("\t"):
            payload = line[1:] if payload is None else f"{payload}\n{line[1:]}"
            continue
        if envelope is not None:
            yield head, envelope, payload
        found = re.match(r"(V\d{4} .*?\] )(\{.*)$", line)
        if found is None:
            envelope = None
            continue
        head, envelope, payload = found[1], json.loads(found[2]), None
    if envelope is not None:
        yield head, envelope, payload
