"""Session files: what is written is read back, and what is hostile is refused in words."""

import contextlib
import io
import json
import math
import re
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compiler.analysis.queries.graph_view_state import GraphLooks
from compiler.analysis.session_file import session_reading
from compiler.analysis.session_file.session_file import (
    Journal,
    SessionData,
    SessionFileError,
    read_session,
    write_session,
)
from compiler.analysis.session_file.session_reading import read_with_digest
from compiler.analysis.session_file.trusted_files import is_trusted
from compiler.model.ir.stage import Stage, StageKind, TextStage
from compiler.model.session_file.checks import consistent
from compiler.model.timing.verdicts import Comparison, Difference
from tests.compiler.model.graphs import edits_for, graphs
from tests.helpers import sample_capture
from tests.helpers.thoroughness import examples


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
@settings(
    max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_journal_survives_the_file(tmp_path: Path, data: st.DataObject) -> None:
    graph = data.draw(graphs())
    edits = tuple(data.draw(st.lists(edits_for(graph), max_size=4)))
    journal = Journal("capture-1", edits, data.draw(st.integers(0, len(edits))))
    session = msgspec.structs.replace(_data(), journals=(journal,))
    write_session(tmp_path / "b.loupe", session)
    assert read_session(tmp_path / "b.loupe") == session


@given(cut=st.floats(0, 1))
@settings(
    max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_of_a_truncated_file_everything_before_the_cut_is_opened(tmp_path: Path, cut: float) -> None:
    path = tmp_path / "whole.loupe"
    write_session(path, _data())
    whole = path.read_bytes()
    path.write_bytes(whole[: int(cut * (len(whole) - 1))])
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        members = archive.infolist()
        ends = {
            row.filename: row.header_offset + 30 + len(row.filename) + row.compress_size for row in members
        }
    stages = sum(end <= path.stat().st_size for name, end in ends.items() if "/stages/" in name)
    try:
        data = read_session(path)
    except SessionFileError as error:
        assert path.stat().st_size < ends["captures/0/capture.json"]
        assert "Save or copy it again" in str(error)  # noqa: PT017
        return
    assert "not whole" in data.left_out[0]
    # the last bytes of a deflated member may be its end mark alone, without which it is read whole
    assert len(data.captures[0].stages) in (stages, stages + 1)
    assert data.verdicts == _data().verdicts
    assert not consistent(data.captures[0])[1]


@pytest.mark.thorough
@given(position=st.floats(0, 1), value=st.integers(0, 255))
@settings(
    max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
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
def test_damaged_looks_are_reported_and_cost_nothing_else(tmp_path: Path, looks: bytes) -> None:
    data = read_session(_rewritten(tmp_path / "a.loupe", looks=looks))
    assert data.left_out
    assert data.captures == _data().captures
    assert data.verdicts == _data().verdicts


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"manifest": b'{"format":"other","version":1,"captures":0,"stages":[]}'}, "not a session file"),
        (
            {"manifest": b'{"format":"torch-loupe session","version":99,"captures":0,"stages":[]}'},
            "newer Torch Loupe",
        ),
    ],
)
def test_what_is_no_session_file_is_refused_in_words(
    tmp_path: Path, members: dict[str, bytes | None], words: str
) -> None:
    with pytest.raises(SessionFileError, match=words):
        read_session(_rewritten(tmp_path / "c.loupe", **members))


_BOMB = b"0" * (300 << 20)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("members", "words", "lost"),
    [
        ({"manifest": b"{}"}, "list of contents", 0),
        (
            {"manifest": b'{"format":"torch-loupe session","version":1,"captures":3,"stages":[1]}'},
            "list of contents: it contradicts itself",
            0,
        ),
        ({"manifest": None}, "list of contents: it is not there", 0),
        ({"stage": b'{"id": 5}'}, "the stage source:.*str", 1),
        ({"stage": None}, "the stage source:.*not there", 1),
        ({"stage": _BOMB}, "the stage source:.*far more than it should", 1),
        ({"journal": b'[{"capture":"capture-1","edits":[],"undone":7}]'}, "undone", 0),
        ({"journal": b"[" * 20_000}, "journal", 0),
        ({"journal": None}, "journal", 0),
        ({"results": b'{"verdicts":[["capture-1",{"comparisons":5}]]}'}, "a verdict", 0),
    ],
)
def test_a_part_that_is_wrong_is_left_out_and_named(
    tmp_path: Path, members: dict[str, bytes | None], words: str, lost: int
) -> None:
    data = read_session(_rewritten(tmp_path / "c.loupe", **members))
    assert any(re.search(words, fault) for fault in data.left_out)
    assert len(data.left_out) == 1
    assert len(data.captures[0].stages) == len(_data().captures[0].stages) - lost
    assert not consistent(data.captures[0])[1]


@given(st.data())
@settings(
    max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_whatever_is_lost_or_changed_the_rest_opens_and_holds_together(
    tmp_path: Path, data: st.DataObject
) -> None:
    """A member is taken out, emptied, cut, or one of its values is another one of the file's."""
    path = tmp_path / "damaged.loupe"
    write_session(path, SessionData((sample_capture.with_passes(),), _data().journals, _data().verdicts))
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    hurt = data.draw(st.lists(st.sampled_from(sorted(content)), min_size=1, max_size=3, unique=True))
    for name in hurt:
        match data.draw(st.sampled_from(["gone", "cut", "other value", "without a part"])):
            case "gone":
                del content[name]
            case "cut":
                content[name] = content[name][: data.draw(st.integers(0, len(content[name])))]
            case "other value":
                content[name] = _with_another_value(data, content[name])
            case "without a part":
                content[name] = _without_a_part(data, content[name])
    with zipfile.ZipFile(path, "w") as archive:
        for name, value in content.items():
            archive.writestr(name, value)
    try:
        found = read_session(path)
    except SessionFileError as error:
        assert {"captures/0/capture.json", "manifest.json"} & set(hurt), error  # noqa: PT017
        return
    for capture in found.captures:
        assert not consistent(capture)[1]
    write_session(path, found)
    assert read_session(path) == msgspec.structs.replace(found, left_out=())


def _with_another_value(data: st.DataObject, content: bytes) -> bytes:
    words = sorted(set(re.findall(rb'"[^"\\]{1,40}"', content)))
    if len(words) < 2:
        return content
    old, new = data.draw(st.sampled_from(words)), data.draw(st.sampled_from(words))
    locations = [match.start() for match in re.finditer(re.escape(old), content)]
    location = data.draw(st.sampled_from(locations))
    return content[:location] + new + content[location + len(old) :]


def _without_a_part(data: st.DataObject, content: bytes) -> bytes:
    """One element of some list of the JSON is taken out."""
    value = json.loads(content)
    lists: list[list[object]] = []

    def find(item: object) -> None:
        if isinstance(item, list) and item:
            lists.append(item)
        for inner in item.values() if isinstance(item, dict) else item if isinstance(item, list) else ():
            find(inner)

    find(value)
    if lists:
        chosen = lists[data.draw(st.integers(0, len(lists) - 1))]
        del chosen[data.draw(st.integers(0, len(chosen) - 1))]
    return json.dumps(value).encode()


def test_results_that_are_infinitely_wrong_are_read_back(tmp_path: Path) -> None:
    rows = (Difference("output 0", math.inf, math.nan), Difference("output 1", 0.5, math.inf))
    verdict = msgspec.structs.replace(
        sample_capture.verdict(), comparisons=(Comparison("edited", "float64", rows, agrees=False),)
    )
    path = tmp_path / "wrong.loupe"
    assert write_session(path, SessionData(_data().captures, verdicts=(("capture-1", verdict),))) == ()
    ((_, found),) = read_session(path).verdicts
    assert repr(found.comparisons) == repr(verdict.comparisons)


def test_a_stage_that_packs_very_well_is_read_back(tmp_path: Path) -> None:
    text = "x" * (8 << 20)
    stage = Stage("long", StageKind.FRONT_END_TEXT, "Long", TextStage(text, "plain"))
    capture = msgspec.structs.replace(_data().captures[0], stages=(stage,), links=(), frames=(), breaks=())
    capture = consistent(capture)[0]
    assert write_session(tmp_path / "long.loupe", SessionData((capture,))) == ()
    assert read_session(tmp_path / "long.loupe").captures == (capture,)


def test_what_could_not_be_read_again_is_reported_where_it_is_written(tmp_path: Path) -> None:
    capture = _data().captures[0]
    broken = msgspec.structs.replace(capture, stages=capture.stages[:-1])
    faults = write_session(tmp_path / "a.loupe", SessionData((broken,)))
    assert any("which is not there" in fault for fault in faults)


def test_a_member_that_lies_about_its_size_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "lying.loupe"
    write_session(path, _data())
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(io.BytesIO(bytes(content))) as archive:
        info = archive.getinfo("manifest.json")
    place = content.index(b"manifest.json", info.header_offset + 31)
    content[place - 46 + 24 : place - 46 + 28] = (4).to_bytes(4, "little")
    path.write_bytes(bytes(content))
    data = read_session(path)
    assert any(fault.startswith("its list of contents") for fault in data.left_out)
    assert data.captures == _data().captures


def test_names_that_climb_out_of_the_folder_do_nothing(tmp_path: Path) -> None:
    path = tmp_path / "inner" / "d.loupe"
    path.parent.mkdir()
    write_session(path, _data())
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("../../escaped.txt", "boo")
    assert read_session(path) == _data()
    assert not (tmp_path / "escaped.txt").exists()


def test_a_link_to_nowhere_is_left_out_and_named(tmp_path: Path) -> None:
    capture = sample_capture.capture()
    path = tmp_path / "e.loupe"
    write_session(path, SessionData((msgspec.structs.replace(capture, stages=capture.stages[:-1]),)))
    data = read_session(path)
    lost = capture.stages[-1].id
    assert f"links lead to the stage {lost}, which is not there" in data.left_out
    assert len(data.captures[0].links) == sum(lost not in (row.source, row.target) for row in capture.links)


def test_it_is_plain_json_inside(tmp_path: Path) -> None:
    path = tmp_path / "f.loupe"
    write_session(path, _data())
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            json.loads(archive.read(name))


def test_what_is_trusted_is_what_was_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who may write the file shows one that is trusted to whoever compares, and another to whoever reads."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path, own, theirs = tmp_path / "a.loupe", sample_capture.capture(), sample_capture.capture()
    write_session(path, SessionData((own,)), own=True)
    trusted = path.read_bytes()
    evil = msgspec.structs.replace(theirs.spec.target, name="evil.py:Net")
    theirs = msgspec.structs.replace(theirs, spec=msgspec.structs.replace(theirs.spec, target=evil))
    write_session(tmp_path / "b.loupe", SessionData((theirs,)))
    other = (tmp_path / "b.loupe").read_bytes()
    real = session_reading._read

    def read(*given: Any) -> SessionData:
        path.write_bytes(other)  # in place: the file that is open changes
        try:
            return real(*given)
        finally:
            path.write_bytes(trusted)

    monkeypatch.setattr(session_reading, "_read", read)
    data, digest = read_with_digest(path)
    assert data.captures[0].spec.target.name != "evil.py:Net" or not is_trusted(digest)
