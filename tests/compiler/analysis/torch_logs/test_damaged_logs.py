"""Cut, mixed and forged logs: nothing is raised, every whole text stays, and what is broken is counted."""

import builtins
import io
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compiler.analysis.session_file.session_file import SessionData, write_session
from compiler.analysis.torch_logs import capture_of_log
from compiler.analysis.torch_logs.log_summary import summary_of_log
from compiler.analysis.torch_logs.records import log_lines, process_log
from compiler.analysis.torch_logs.records.log_lines import LogReader
from compiler.model.capture.capture import Capture
from compiler.model.ir.stage import TextStage
from tests.compiler.analysis.torch_logs.recorded_log import capture_of, recorded, text

HEAD = b"V1123 10:20:17.245000 14472 torch/_dynamo/utils.py:2350] "
SLOW = settings(
    max_examples=int(os.environ.get("LOG_EXAMPLES", "25")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
LINES = text().split(b"\n")


def names(capture: Capture) -> list[tuple[str, str, int, int]]:
    rows = sorted(capture.log.artifacts, key=lambda row: row.line)
    return [(row.compile_id, row.name, row.attempt, row.bytes) for row in rows if row.whole]


def broken(capture: Capture) -> int:
    return sum(count for _, count in capture.log.broken)


@SLOW
@given(st.integers(0, len(text())))
def test_a_log_that_ends_anywhere_gives_all_before(end: int) -> None:
    cut = capture_of(text()[:end])
    found = names(cut)
    assert found == names(recorded())[: len(found)]
    whole = text()[:end].count(b'"has_payload"') - text()[:end].count(b'"chromium_event"')
    assert len(found) >= whole - 1
    summary_of_log(cut)


@pytest.mark.thorough
@SLOW
@given(
    st.lists(st.tuples(st.integers(0, len(LINES) - 1), st.binary(max_size=60)), min_size=1, max_size=6),
    st.booleans(),
)
def test_lines_of_garbage_cost_only_the_text_that_they_stand_in(
    garbage: list[tuple[int, bytes]], replace: bool
) -> None:
    lines = list(LINES)
    for at, junk in garbage:
        junk = junk.replace(b"\n", b"").lstrip(b"\t")
        junk = junk if junk.strip() else b"x"  # an empty line is no fault
        lines[at : at + replace] = [junk]
    capture = capture_of(b"\n".join(lines))
    lost = len(names(recorded())) - len(set(names(recorded())) & set(names(capture)))
    assert lost <= 2 * len(garbage)
    assert broken(capture) >= bool(replace is False)
    summary_of_log(capture)


@pytest.mark.thorough
@SLOW
@given(st.data())
def test_envelopes_of_any_json_are_taken(data: st.DataObject) -> None:
    anything = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
        max_leaves=8,
    )
    kinds = sorted(
        {
            *process_log.STAGES,
            "artifact",
            "dynamo_start",
            "compilation_metrics",
            "chromium_event",
            "create_symbol",
        }
    )
    names_ = st.sampled_from(
        ["recompile_reasons", "dynamo_cpp_guards_str", "fx_graph_cache_miss", "graph_execution", "x"]
    )
    rows = []
    for _ in range(data.draw(st.integers(1, 6))):
        row = {
            data.draw(st.sampled_from(kinds)): data.draw(
                anything | st.fixed_dictionaries({"name": names_ | anything})
            ),
            "frame_id": data.draw(st.integers(0, 2) | anything),
            "frame_compile_id": data.draw(st.integers(0, 2) | anything),
            "attempt": data.draw(st.integers(0, 2) | anything),
            "rank": data.draw(st.none() | st.integers(0, 2) | anything),
            "str": data.draw(st.none() | anything),
            "stack": data.draw(anything),
        }
        if data.draw(st.booleans()):
            row["has_payload"] = data.draw(anything)
        payload = data.draw(st.text(max_size=200) | st.sampled_from(_snippets()))
        rows.append(
            HEAD
            + json.dumps(row).encode()
            + b"\n\t"
            + payload.replace("\n", "\n\t").encode("utf-8", "replace")
        )
    capture = capture_of(b"\n".join(rows))
    summary_of_log(capture)
    with tempfile.TemporaryDirectory() as place:
        assert write_session(Path(place) / "x.loupe", SessionData((capture,))) == ()


def _snippets() -> list[str]:
    return [stage.content.text[:2000] for stage in recorded().stages if isinstance(stage.content, TextStage)][
        :40
    ]


@SLOW
@given(st.data())
def test_graphs_with_changed_letters_stay_stages_that_can_be_saved(data: st.DataObject) -> None:
    lines = list(LINES)
    begin = next(index for index, line in enumerate(lines) if b'"aot_joint_graph"' in line)
    for _ in range(data.draw(st.integers(1, 8))):
        at = begin + data.draw(st.integers(1, 30))
        line = lines[at]
        place = data.draw(st.integers(1, max(len(line), 1)))
        lines[at] = (
            line[:place]
            + data.draw(st.sampled_from([b"(", b")", b'"', b"=", b"\x00", b" ", b"'", b"lambda"]))
            + line[place:]
        )
    capture = capture_of(b"\n".join(lines))
    assert any(stage.id == "0/0:joint" for stage in capture.stages)
    assert any(not row.whole for row in capture.log.artifacts)  # type: ignore[union-attr]
    assert broken(capture) >= 1


def test_a_text_that_is_no_graph_is_shown_and_named(tmp_path: Path) -> None:
    payload = b"this is no graph at all"
    row = (
        HEAD
        + json.dumps(
            {"dynamo_output_graph": {}, "frame_id": 0, "frame_compile_id": 0, "has_payload": "0"}
        ).encode()
    )
    capture = capture_of(row + b"\n\t" + payload)
    stage = capture.stage("0/0:dynamo")
    assert isinstance(stage.content, TextStage)
    assert stage.content.text == payload.decode()
    assert any("no graph" in problem.what for problem in capture.problems)
    assert write_session(tmp_path / "x.loupe", SessionData((capture,))) == ()


def test_a_line_that_cannot_be_read_is_a_node_with_its_text() -> None:
    graph = b"\n".join(
        (
            b"\tclass GraphModule(torch.nn.Module):",
            b'\t    def forward(self, L_x_: "f32[4][1]cpu"):',
            b"\t        l_x_ = L_x_",
            b'\t        a: "f32[4][1]cpu" = torch.relu(l_x_)',
            b'\t        b: "f32[4][1]cpu" = torch.what(a, <object at 0x1>, l_x_)',
            b"\t        return (b,)",
        )
    )
    row = (
        HEAD
        + json.dumps(
            {"dynamo_output_graph": {}, "frame_id": 0, "frame_compile_id": 0, "has_payload": "0"}
        ).encode()
    )
    capture = capture_of(row + b"\n" + graph)
    found = capture.stage("0/0:dynamo").graph
    assert [node.id for node in found.nodes] == ["l_x_", "a", "b", "output"]
    assert found.node("b").inputs() == ("a", "l_x_")
    assert "<object at 0x1>" in found.node("b").notes[0]
    assert any("1 line of Dynamo graph" in problem.what for problem in capture.problems)


@pytest.mark.parametrize("depth", [100, 3000, 200_000])
def test_deep_nesting_is_refused(depth: int) -> None:
    deep = HEAD + b'{"artifact": ' + b"[" * depth + b"]" * depth + b"}\n"
    call = b"(" * depth + b"x" + b")" * depth
    row = (
        HEAD
        + json.dumps(
            {"dynamo_output_graph": {}, "frame_id": 0, "frame_compile_id": 0, "has_payload": "0"}
        ).encode()
    )
    graph = (
        b"\tclass G(torch.nn.Module):\n\t    def forward(self, x):\n\t        a = torch.relu("
        + call
        + b")\n\t        return a"
    )
    capture = capture_of(deep + row + b"\n" + graph)
    stage = capture.stage("0/0:dynamo")
    assert stage.graph.nodes[-1].op == "output"


def test_lines_and_texts_longer_than_any_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_lines, "LONGEST_LINE", 10_000)
    monkeypatch.setattr(log_lines, "LONGEST_PAYLOAD", 20_000)
    row = HEAD + json.dumps({"artifact": {"name": "big", "encoding": "string"}, "has_payload": "0"}).encode()
    log = HEAD + b"{" + b"x" * 50_000 + b"\n" + row + b"\n" + b"\t" + b"\n\t".join([b"y" * 900] * 100)
    reader = LogReader(io.BytesIO(log))
    records = list(reader.records())
    assert [len(record.payload or "") <= 20_000 for record in records] == [True]
    assert reader.broken.too_long >= 2


def test_texts_beyond_the_bounds_are_listed_without_what_is_in_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_log, "STAGE_TEXTS", (4000, 100))
    monkeypatch.setattr(process_log, "OTHER_TEXTS", (10_000, 100))
    capture = capture_of(text())
    assert len(capture.log.artifacts) == len(recorded().log.artifacts)  # type: ignore[union-attr]
    assert capture.log.left_out == sum(not row.stage for row in capture.log.artifacts) > 0
    assert any("listed without" in problem.what for problem in capture.problems)


def test_graphs_with_too_many_nodes_are_shown_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capture_of_log, "MOST_NODES", 30)
    capture = capture_of(text())
    graphs = [stage for stage in capture.stages if stage.graph is not None]
    assert 0 < sum(len(stage.graph.nodes) for stage in graphs if stage.graph is not None) <= 90
    assert isinstance(capture.stage("0/1:joint").content, TextStage)
    assert any("Shown as text" in problem.what for problem in capture.problems)


def test_nothing_is_run_and_no_file_is_opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    trap = tmp_path / "trap.py"
    trap.write_text("raise SystemExit('run')")
    code = f"class G(torch.nn.Module):\n    def forward(self, x):\n        a = __import__('os').system('touch {tmp_path}/ran')\n        return a"
    rows = [
        ({"str": [str(trap), 0]}, None),
        (
            {
                "dynamo_start": {"stack": [{"line": 1, "name": "f", "filename": 0}]},
                "frame_id": 0,
                "frame_compile_id": 0,
            },
            None,
        ),
        ({"dynamo_output_graph": {}, "frame_id": 0, "frame_compile_id": 0, "has_payload": "0"}, code),
        (
            {
                "inductor_output_code": {"filename": str(trap), "file_path": str(trap)},
                "frame_id": 0,
                "frame_compile_id": 0,
                "has_payload": "0",
            },
            code,
        ),
        ({"dump_file": {"name": "../../../etc/passwd"}, "has_payload": "0"}, "x"),
        ({"link": {"name": "x", "url": "file:///etc/passwd"}}, None),
    ]
    log = b"\n".join(
        HEAD
        + json.dumps(row).encode()
        + (b"" if payload is None else b"\n\t" + payload.replace("\n", "\n\t").encode())
        for row, payload in rows
    )

    def refused(*_: object, **__: object) -> NoReturn:
        raise AssertionError("a file was opened or a program started")

    recorded()
    for owner, name in (
        (builtins, "open"),
        (io, "open"),
        (os, "open"),
        (subprocess, "Popen"),
        (os, "system"),
        (Path, "open"),
    ):
        monkeypatch.setattr(owner, name, refused)
    capture = capture_of(log)
    monkeypatch.undo()
    assert not (tmp_path / "ran").exists()
    assert {stage.id for stage in capture.stages} >= {f"source:{trap}", "0/0:dynamo", "0/0:inference:wrapper"}
    assert write_session(tmp_path / "x.loupe", SessionData((capture,))) == ()
