"""Small files that say little in many words: refused in one message, within little memory and time."""

import base64
import json
import os
import re
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from compiler.analysis.diff.edit_migration import carry_edits
from compiler.analysis.session_file.session_file import (
    Journal,
    SessionData,
    SessionFileError,
    read_session,
    read_with_digest,
    write_session,
)
from compiler.command_line.session_io import read_edits
from compiler.command_line.worker_client import CommandFailedError
from compiler.model.edits.edits import BypassNode, EditGroup
from compiler.model.edits.recipe_file import made_recipe, recipe_text
from compiler.model.ir.links import LinkTable
from compiler.model.ir.loop_ir import LoopNode, LoopProgram
from compiler.model.ir.passes import FusionStep
from compiler.model.ir.stage import FxStage, LoopStage, Stage, StageKind
from compiler.model.session_file.reading_limits import ReadingStoppedError
from tests.helpers import sample_capture
from tests.helpers.finished_process import ran
from tests.helpers.large_capture import large_graph
from tests.helpers.thoroughness import some

_HEAD = "captures/0/capture.json"
_STAGE = "captures/0/stages/0.json"
_ROOM = 500 << 20
"""Bytes of address space that a reading may take beyond what Python and we take."""
_READ = f"""
import resource, sys
from pathlib import Path
from compiler.analysis.session_file.session_file import SessionFileError, read_session
taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + {_ROOM}, taken + {_ROOM}))
try:
    print(*read_session(Path(sys.argv[1])).left_out)
except SessionFileError as error:
    print("refused:", error)
"""


def _packed(path: Path, make: Callable[[bytes], bytes], member: str = _HEAD, method: int = 8) -> Path:
    """The sample file with one member made another, packed as well as can be."""
    write_session(path, SessionData((sample_capture.capture(),)))
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in content.items():
            changed = make(data) if name == member else data
            archive.writestr(name, changed, method if name == member else None)
    return path


def _padded(data: bytes, more: bytes, megabytes: float) -> bytes:
    """More of it, and noise that keeps the member from packing suspiciously well."""
    noise = base64.b64encode(os.urandom(int(megabytes * 3000)))
    return data[:-1] + b',"noise":"' + noise + b'",' + more + b"}"


def _pairs(data: bytes) -> bytes:
    head = json.loads(data) | {"links": []}
    del head["links"]
    table = b'"links":[{"source":"s","target":"t","kind":"k","proof":"p","pairs":['
    return _padded(json.dumps(head).encode(), table + b",".join([b'["a","b"]'] * 5_000_000) + b"]}]", 60)


def _lines(data: bytes) -> bytes:
    text = b'{"id":"source","kind":"source","title":"s","content":{"type":"text","text":"%s","language":""}}'
    return _padded(text % (rb"\n" * 30_000_000), b'"x":0', 60)


_HOSTILE: dict[str, tuple[Callable[[bytes], bytes], str, int, str]] = {
    "pairs": (_pairs, _HEAD, 8, "million values.*LOUPE_FILE_LIMITS"),
    "lines": (_lines, _STAGE, 8, "million values.*LOUPE_FILE_LIMITS"),
    "zeros": (lambda _data: b"0" * (600 << 20), _STAGE, 8, "far more than it should"),
    "spaces": (
        lambda data: _padded(data, b" " * (150 << 20) + b'"x":0', 130),
        _HEAD,
        8,
        "more than 1[0-9][0-9] MB",
    ),
    "deep": (lambda _data: b'{"a":' * 200_000 + b"1" + b"}" * 200_000, _STAGE, 0, "recursion|nest"),
    "digits": (lambda _data: b'{"id":' + b"9" * 2_000_000 + b"}", _STAGE, 0, "source"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("kind", some(_HOSTILE, first=2))
def test_what_costs_too_much_is_refused_within_little_memory(tmp_path: Path, kind: str) -> None:
    make, member, method, words = _HOSTILE[kind]
    path = _packed(tmp_path / "a.loupe", make, member, method)
    assert path.stat().st_size < 3_000_000
    began = time.monotonic()
    read = ran([sys.executable, "-c", _READ, str(path)], timeout=60)
    assert read.returncode == 0, read.stderr
    assert any(part in read.stdout for part in ("refused", "source")), read.stdout
    assert re.search(words, read.stdout), read.stdout
    assert time.monotonic() - began < 10


def test_a_packing_without_a_bound_is_refused(tmp_path: Path) -> None:
    """bzip2 and LZMA unpack whatever was read at once, however little was asked for."""
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        path = _packed(tmp_path / "a.loupe", lambda data: data, _STAGE, method)
        assert "packed in another way" in " ".join(read_session(path).left_out)


@pytest.mark.thorough
def test_a_long_list_of_members_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "a.loupe"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(70_000):
            archive.writestr(str(number), b"")
    with pytest.raises(SessionFileError, match="more than 40000 members"):
        read_session(path)


@pytest.mark.thorough
def test_what_was_written_here_opens_however_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    nodes = {node.id for node in sample_capture.dynamo_graph().nodes}
    pair = (min(nodes), min(nodes))
    table = LinkTable(sample_capture.DYNAMO, sample_capture.DYNAMO, "k", "p", (pair,) * 1_500_000)
    capture = msgspec.structs.replace(sample_capture.capture(), links=(table,))
    path = tmp_path / "a.loupe"
    assert not write_session(path, SessionData((capture,)))
    with pytest.raises(SessionFileError, match="million values"):
        read_with_digest(path)
    monkeypatch.setenv("LOUPE_FILE_LIMITS", "4")
    assert read_with_digest(path)[0].captures == (capture,)
    monkeypatch.delenv("LOUPE_FILE_LIMITS")
    write_session(path, SessionData((capture,)), own=True)
    assert read_with_digest(path)[0].captures == (capture,)


@pytest.mark.thorough
def test_four_graphs_of_ten_thousand_nodes_open(tmp_path: Path) -> None:
    stages = tuple(
        Stage(f"s{number}", StageKind.DYNAMO_GRAPH, "Graph", FxStage(large_graph(10_000, 3)))
        for number in range(4)
    )
    capture = msgspec.structs.replace(
        sample_capture.capture(), stages=stages, links=(), breaks=(), frames=(), passes=(), pass_starts=()
    )
    path = tmp_path / "a.loupe"
    write_session(path, SessionData((capture,)))
    read = read_session(path)
    assert [len(stage.graph.nodes) for stage in read.captures[0].stages if stage.graph] == [10_002] * 4


@pytest.mark.thorough
def test_checking_takes_time_in_proportion(tmp_path: Path) -> None:
    """Twenty thousand fusions of as many nodes."""
    count = 20_000
    nodes = tuple(LoopNode(f"op{number}", "SchedulerNode", "pointwise") for number in range(count))
    stages = (
        Stage("l", StageKind.LOOP_IR, "Loops", LoopStage(LoopProgram(nodes))),
        Stage("f", StageKind.FUSED_LOOP_IR, "Fused", LoopStage(LoopProgram(nodes)), made_from=("l",)),
    )
    fusions = tuple(
        FusionStep(f"{number}", "f", "fuse", parts=(f"op{number}",), result=f"op{number}")
        for number in range(count)
    )
    capture = msgspec.structs.replace(
        sample_capture.capture(),
        stages=stages,
        fusions=fusions,
        links=(),
        breaks=(),
        frames=(),
        passes=(),
        pass_starts=(),
    )
    edits = tuple(BypassNode("l", f"op{number}", None) for number in range(10_000))
    path = tmp_path / "a.loupe"
    write_session(path, SessionData((capture,), (Journal(capture.id, edits),)), own=False)
    began = time.monotonic()
    assert read_session(path).captures[0].fusions == fusions
    assert time.monotonic() - began < 3


@pytest.mark.parametrize(
    ("member", "text"), [("journal.json", b"[%s]"), ("results.json", b'{"timings":[%s]}')]
)
def test_millions_of_rows_are_counted_not_read(tmp_path: Path, member: str, text: bytes) -> None:
    """Found by the endurance run: 2 MB that took 8 s and 660 MB."""
    rows = text % b",".join([b"1"] * 200_000)
    (reported,) = read_session(_packed(tmp_path / "a.loupe", lambda _data: rows, member, 0)).left_out
    assert "200,000 of them; a session has at most 20,000" in reported


def test_edits_in_edits_in_edits_are_left_out(tmp_path: Path) -> None:
    capture = sample_capture.capture()
    edit: EditGroup | BypassNode = BypassNode(sample_capture.DYNAMO, "relu", None)
    for _ in range(200):
        edit = EditGroup("g", (edit,))
    path = tmp_path / "a.loupe"
    write_session(path, SessionData((capture,), (Journal(capture.id, (edit,)),)))
    assert "nested too deeply" in " ".join(read_session(path).left_out)


def test_arguments_in_arguments_are_left_out(tmp_path: Path) -> None:
    deep = b'{"type":"sequence","kind":"list","items":[' * 150 + b"]}" * 150

    def nested(data: bytes) -> bytes:
        stage = json.loads(data)
        stage["content"]["graph"]["nodes"][1]["args"]["items"] = ["HERE"]
        return json.dumps(stage).encode().replace(b'"HERE"', deep)

    ids = [stage.id for stage in sample_capture.capture().stages]
    member = f"captures/0/stages/{ids.index(sample_capture.DYNAMO)}.json"
    read = read_session(_packed(tmp_path / "a.loupe", nested, member))
    assert "nested too deeply" in " ".join(read.left_out)
    assert not any(stage.id == sample_capture.DYNAMO for stage in read.captures[0].stages)


def test_a_reading_can_be_stopped(tmp_path: Path) -> None:
    path = tmp_path / "a.loupe"
    write_session(path, SessionData((sample_capture.capture(),)))
    reported: list[str] = []

    def watch(text: str) -> None:
        reported.append(text)
        if len(reported) == 2:
            raise ReadingStoppedError

    with pytest.raises(ReadingStoppedError):
        read_session(path, watch)
    assert reported[0].endswith("MB")


def test_pipes_and_devices_are_no_session_files() -> None:
    with pytest.raises(SessionFileError, match="a pipe or a device"):
        read_session(Path("/dev/zero"))


@pytest.mark.parametrize(
    ("text", "words"), [(b"[" + b"1," * 6_000_000, "5 million values"), (b" " * (65 << 20), "67 MB")]
)
def test_recipes_have_limits_too(tmp_path: Path, text: bytes, words: str) -> None:
    path = tmp_path / "edits.json"
    path.write_bytes(text)
    with pytest.raises(CommandFailedError, match=words):
        read_edits(path)


def test_what_a_recipe_was_made_on_is_checked(tmp_path: Path) -> None:
    """A node that uses itself, and edits within edits: found by the endurance run as a traceback."""
    edit = BypassNode(sample_capture.DYNAMO, "z", "y")
    text = recipe_text(made_recipe((edit,), sample_capture.capture()))
    recipe = json.loads(text)
    (dynamo,) = (row for row in recipe["made_on"]["stages"] if row["id"] == sample_capture.DYNAMO)
    (z,) = (row for row in dynamo["content"]["graph"]["nodes"] if row["id"] == "z")
    z["args"]["items"][0]["node"] = "z"
    path = tmp_path / "edits.json"
    path.write_text(json.dumps(recipe))
    read, _ = read_edits(path)
    assert not any(stage.id == sample_capture.DYNAMO for stage in read.made_on.stages)
    fresh = sample_capture.capture()
    assert carry_edits(read.edits, read.made_on, fresh).fitting == (edit,)
    deep = '{"type":"edit_group","label":"","edits":[' * 250 + "]}" * 250
    path.write_text(f"[{deep}]")
    with pytest.raises(CommandFailedError, match="nested too deeply"):
        read_edits(path)
