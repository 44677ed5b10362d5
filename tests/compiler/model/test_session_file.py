"""Session files: what is written is read back, and what is hostile is refused in words."""

import contextlib
import io
import json
import zipfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compiler.model.graph_looks import GraphLooks
from compiler.model.session_file import (
    Journal,
    SessionData,
    SessionFileError,
    read_session,
    write_session,
)
from tests.compiler.model.graphs import edits_for, graphs
from tests.helpers import sample_capture


def _data() -> SessionData:
    capture = sample_capture.capture()
    verdicts = ((capture.id, sample_capture.verdict()),)
    return SessionData((capture,), verdicts=verdicts, looks=GraphLooks(coloring="op"))


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "a.loupe"
    write_session(path, _data())
    assert read_session(path) == _data()
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.loupe"]


@given(st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_journal_survives_the_file(tmp_path: Path, data: st.DataObject) -> None:
    graph = data.draw(graphs())
    edits = tuple(data.draw(st.lists(edits_for(graph), max_size=4)))
    journal = Journal("capture-1", edits, data.draw(st.integers(0, len(edits))))
    session = msgspec.structs.replace(_data(), journals=(journal,))
    write_session(tmp_path / "b.loupe", session)
    assert read_session(tmp_path / "b.loupe") == session


@given(cut=st.integers(0, 4000))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_truncated_file_is_refused_in_words(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "whole.loupe"
    write_session(path, _data())
    whole = path.read_bytes()
    path.write_bytes(whole[: min(cut, len(whole) - 1)])
    with pytest.raises(SessionFileError):
        read_session(path)


@given(position=st.floats(0, 1), value=st.integers(0, 255))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_flipped_byte_never_escapes_as_another_error(tmp_path: Path, position: float, value: int) -> None:
    path = tmp_path / "flipped.loupe"
    write_session(path, _data())
    content = bytearray(path.read_bytes())
    content[int(position * (len(content) - 1))] = value
    path.write_bytes(bytes(content))
    with contextlib.suppress(SessionFileError):
        read_session(path)


def _rewritten(path: Path, **members: bytes | None) -> Path:
    """The sample file with members replaced (or, with None, left out)."""
    write_session(path, _data())
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    for name, value in members.items():
        key = "captures/0/stages/0.json" if name == "stage" else f"{name}.json"
        if value is None:
            del content[key]
        else:
            content[key] = value
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in content.items():
            archive.writestr(name, value)
    return path


def test_a_file_without_looks_is_an_older_one(tmp_path: Path) -> None:
    data = read_session(_rewritten(tmp_path / "a.loupe", looks=None))
    assert data == msgspec.structs.replace(_data(), looks=None)


@pytest.mark.parametrize("looks", [b"", b"[]", b'{"coloring": "\xff"}', b"\x00" * 9])
def test_damaged_looks_are_told_and_cost_nothing_else(tmp_path: Path, looks: bytes) -> None:
    data = read_session(_rewritten(tmp_path / "a.loupe", looks=looks))
    assert data.left_out
    assert data.captures == _data().captures
    assert data.verdicts == _data().verdicts


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"manifest": b"{}"}, "another shape"),
        ({"manifest": b'{"format":"other","version":1,"captures":0,"stages":[]}'}, "not a session file"),
        (
            {"manifest": b'{"format":"torch-loupe session","version":99,"captures":0,"stages":[]}'},
            "newer Torch Loupe",
        ),
        (
            {"manifest": b'{"format":"torch-loupe session","version":1,"captures":3,"stages":[1]}'},
            "contradicts itself",
        ),
        ({"manifest": None}, "damaged"),
        ({"stage": b'{"id": 5}'}, "another shape"),
        ({"stage": None}, "damaged"),
        ({"journal": b'[{"capture":"capture-1","edits":[],"undone":7}]'}, "contradicts itself"),
        ({"journal": b"[" * 20_000}, "damaged|another shape"),
    ],
)
def test_wrong_content_is_refused_in_words(
    tmp_path: Path, members: dict[str, bytes | None], words: str
) -> None:
    with pytest.raises(SessionFileError, match=words):
        read_session(_rewritten(tmp_path / "c.loupe", **members))


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = _rewritten(tmp_path / "bomb.loupe", stage=b"0" * (300 << 20))
    with pytest.raises(SessionFileError, match="far more than it should"):
        read_session(path)


def test_a_member_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lying.loupe"
    write_session(path, _data())
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(io.BytesIO(bytes(content))) as archive:
        info = archive.getinfo("manifest.json")
    place = content.index(b"manifest.json", info.header_offset + 31)
    content[place - 46 + 24 : place - 46 + 28] = (4).to_bytes(4, "little")
    path.write_bytes(bytes(content))
    with pytest.raises(SessionFileError):
        read_session(path)


def test_names_that_climb_out_of_the_folder_do_nothing(tmp_path: Path) -> None:
    path = tmp_path / "inner" / "d.loupe"
    path.parent.mkdir()
    write_session(path, _data())
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("../../escaped.txt", "boo")
    assert read_session(path) == _data()
    assert not (tmp_path / "escaped.txt").exists()


def test_a_link_to_nowhere_is_a_contradiction(tmp_path: Path) -> None:
    capture = sample_capture.capture()
    path = tmp_path / "e.loupe"
    broken = msgspec.structs.replace(capture, stages=capture.stages[:-1])
    write_session(path, SessionData((broken,)))
    with pytest.raises(SessionFileError, match="contradicts itself"):
        read_session(path)


def test_it_is_plain_json_inside(tmp_path: Path) -> None:
    path = tmp_path / "f.loupe"
    write_session(path, _data())
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            json.loads(archive.read(name))
