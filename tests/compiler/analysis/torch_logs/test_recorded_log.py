"""What is in a log that torch wrote comes out of it, and nothing of it is lost."""

import gzip
import hashlib
import json
import re
from pathlib import Path

import msgspec

from compiler.analysis.running.run_summary import NO_OPERATION
from compiler.analysis.session_file.session_file import SessionData, read_session, write_session
from compiler.analysis.torch_logs.log_frames import LEFT_ALONE
from compiler.analysis.torch_logs.log_summary import summary_of_log
from compiler.analysis.torch_logs.opening import captures
from compiler.analysis.torch_logs.printed.printed_bytecode import read_bytecode
from compiler.model.capture.capture import Capture
from compiler.model.ir.stage import BytecodeStage, StageKind, TextStage
from tests.compiler.analysis.torch_logs.recorded_log import capture_of, recorded, text


def without(marker: bytes) -> Capture:
    lines = text().split(b"\n")
    start = next(index for index, line in enumerate(lines) if marker in line)
    end = next(index for index in range(start + 1, len(lines)) if not lines[index].startswith(b"\t"))
    return capture_of(b"\n".join((*lines[:start], *lines[end:])))


def test_stages_are_those_of_a_live_capture() -> None:
    ids = {stage.id for stage in recorded().stages}
    for compile_id in ("0/0", "0/1", "1/0"):
        assert {f"{compile_id}:{what}" for what in ("dynamo", "pre_grad", "joint")} <= ids
        for part in ("forward", "backward"):
            parts = ("aot", "post_grad", "kernels", "wrapper")
            assert {f"{compile_id}:{part}:{what}" for what in parts} <= ids
    assert {
        "2/0:dynamo:cond_true_0",
        "2/0:inference:aot:true_graph_0",
        "2/0:inference:post_grad:false_graph_0",
    } <= ids


def test_every_statement_of_a_printed_graph_is_a_node() -> None:
    for row in recorded().log.artifacts:  # type: ignore[union-attr]
        stage = recorded().stage(row.stage)
        if stage.graph is None:
            continue
        assert not any(note.startswith("as printed") for node in stage.graph.nodes for note in node.notes)
    graph = recorded().stage("0/0:dynamo").graph
    assert [(node.id, node.target) for node in graph.nodes if node.op == "call_function"] == [
        ("linear", "torch.nn.functional.linear"),
        ("h", "torch.relu"),
    ]
    assert graph.node("h").stack[-1].line == 7


def test_every_text_of_the_log_is_in_the_session(tmp_path: Path) -> None:
    lines = text().decode().split("\n")
    written = [json.loads(line[line.index("{") :]) for line in lines if re.match(r"V\d{4} ", line)]
    texts = [row for row in written if "has_payload" in row and "chromium_event" not in row]
    log = recorded().log
    assert len(log.artifacts) == len(texts)
    assert all(row.stage and row.whole for row in log.artifacts)
    assert sum(count for _, count in log.kinds) == len(written)
    assert not log.broken
    path = tmp_path / "log.loupe"
    assert write_session(path, SessionData((recorded(),))) == ()
    assert read_session(path).captures[0] == recorded()


def test_functions_that_aot_autograd_generates_are_one_stage_of_their_compile() -> None:
    facts = recorded().log
    held = {item.stage for item in facts.artifacts if item.name == "compiled_fn_wrapper"}
    stages = recorded().of_kind(StageKind.RUNTIME_WRAPPERS)
    assert held
    assert held <= {stage.id for stage in stages}
    for stage in stages:
        assert isinstance(stage.content, TextStage)
        names = re.findall(r"^# (\w+)$", stage.content.text, re.MULTILINE)
        assert names.count("runtime_wrapper_orchestration") == 1
        compile(stage.content.text, "<wrappers>", "exec")


def test_texts_without_a_pane_are_stages_as_they_were_written() -> None:
    digests = {
        hashlib.md5(stage.content.text.encode()).hexdigest()
        for stage in recorded().of_kind(StageKind.LOG_TEXT)
        if isinstance(stage.content, TextStage)
    }
    names = {b'"torch._functorch.config"', b'"fx_graph_runnable"'}
    for line in text().split(b"\n"):
        if any(name in line for name in names):
            found = re.search(rb'"has_payload": "(\w+)"', line)
            assert found[1].decode() in digests


def test_kernels_are_those_the_wrapper_calls() -> None:
    stage = recorded().stage("0/0:forward:kernels")
    names = [(kernel.name, kernel.language) for kernel in stage.kernels]
    assert names == [("extern_kernels.addmm", "extern"), ("cpp_fused_relu_threshold_backward_0", "cpp")]
    assert stage.kernels[1].source.startswith("#include")


def test_what_torch_recorded_of_origins_is_a_certain_link_and_lines_are_a_guess() -> None:
    tables = {(table.source, table.target, table.proof): table.pairs for table in recorded().links}
    guessed = {
        (table.source, table.target, table.kind): table.pairs
        for table in recorded().links
        if table.proof == "guess"
    }
    certain = tables["0/0:forward:post_grad", "0/0:forward:kernels", "torch"]
    assert ("relu", "cpp_fused_relu_threshold_backward_0") in certain
    assert ("addmm", "extern_kernels.addmm") in certain
    assert ("linear", "addmm") in tables["0/0:pre_grad", "0/0:forward:post_grad", "torch"]
    assert ("linear", "addmm") in guessed["0/0:pre_grad", "0/0:joint", "decomposed"]
    path = recorded().of_kind(StageKind.SOURCE)[0].id
    assert ("L7", "h") in tables[path, "0/0:dynamo", "torch"]
    assert ("L7", "cpp_fused_relu_threshold_backward_0") in tables[path, "0/0:forward:kernels", "torch"]
    # of the backward torch noted no mapping: names are a guess, lines are recorded
    assert ("mm", "extern_kernels.mm") in tables["0/0:backward:post_grad", "0/0:backward:kernels", "guess"]
    assert ("0/0:backward:post_grad", "0/0:backward:kernels", "torch") not in tables


def test_without_what_torch_recorded_kernels_are_linked_by_name_as_a_guess() -> None:
    plain = without(b"inductor_provenance_tracking_node_mappings")
    first = {(table.source, table.target): table.proof for table in plain.links}
    assert first["0/0:forward:post_grad", "0/0:forward:kernels"] == "guess"


def test_breaks_recompiles_guards_and_times() -> None:
    capture = recorded()
    first = capture.breaks[0]
    assert (first.frame, first.registry_id, first.kind) == (
        "0/0",
        "GB0059",
        "Failed to trace builtin operator",
    )
    assert (first.reported.line, first.reported.text) == (8, 'print("hi")')
    assert len(first.hints) == 3
    assert [row.compile_id for row in capture.recompiles] == ["0/1"]
    assert capture.recompiles[0].entries[0].compile_id == "0/0"
    assert "expected 4, actual 6" in capture.recompiles[0].entries[0].note
    frames = {frame.id: frame for frame in capture.frames}
    assert frames["1/0"].parent == "0/0"
    assert len(frames["0/0"].restarts) == 1
    tree = next(tree for tree in capture.guards if tree.compile_id == "2/0")
    assert {symbol.name: symbol.hint for symbol in tree.symbols} == {"s77": "5", "s16": "2"}
    assert any(leaf.kind == "TENSOR_MATCH" for node in tree.nodes for leaf in node.leaves)
    roots = [phase.name for phase in capture.phases if phase.parent == -1]
    assert roots.count("dynamo") == 4
    inner = next(phase for phase in capture.phases if phase.name == "entire_frame_compile")
    assert capture.phases[inner.parent].name == "dynamo"


def test_bytecode_is_read_where_torch_logged_it() -> None:
    frame = next(frame for frame in recorded().frames if frame.id == "1/0")
    original, rewritten = recorded().stage(frame.original), recorded().stage(frame.rewritten)
    assert isinstance(original.content, BytecodeStage)
    assert isinstance(rewritten.content, BytecodeStage)
    assert original.id == "bytecode:torch_dynamo_resume_in_forward_at_8@8"
    assert original.content.code.resume_of == "forward"
    rows = original.content.code.instructions
    assert len(rows) == 33
    assert (rows[1].opname, rows[1].argument, rows[1].line, rows[1].offset) == ("LOAD_CONST", "True", 8, 2)
    assert [row.offset for row in rows if row.jump_target] == [122]
    assert rows[-1].opname == "RETURN_VALUE"
    assert rows[-1].line == 9
    assert any("__compiled_fn" in row.argument for row in rewritten.content.code.instructions)


def test_bytecode_of_newer_pythons_has_labels_and_no_offsets() -> None:
    rows = read_bytecode(
        "   8           RESUME                   0\n\n   9           LOAD_FAST                0 (x)\n"
        "               POP_JUMP_IF_FALSE        3 (to L1)\n  10   L1:     RETURN_CONST             0 (None)\n"
    )
    assert [(row.opname, row.line, row.jump_target) for row in rows] == [
        ("RESUME", 8, False),
        ("LOAD_FAST", 9, False),
        ("POP_JUMP_IF_FALSE", 9, False),
        ("RETURN_CONST", 10, True),
    ]
    assert read_bytecode("no bytecode\nat all\n") is None


def test_compiles_stand_in_the_order_in_which_they_began() -> None:
    order = list(dict.fromkeys(stage.compile_id for stage in recorded().stages if stage.compile_id))
    assert order == ["0/0", "1/0", "0/1", "2/0"]
    kinds = [stage.kind for stage in recorded().stages if stage.compile_id in ("", "1/0")]
    assert (
        kinds.index(StageKind.BYTECODE)
        < kinds.index(StageKind.REWRITTEN_BYTECODE)
        < kinds.index(StageKind.DYNAMO_GRAPH)
    )


def test_statuses_and_caches() -> None:
    summary = summary_of_log(recorded())
    assert dict(summary.statuses) == {"break": 2, "ok": 2}
    assert dict(summary.caches)["fx_graph_cache_miss"] == 6
    missed = [row for row in recorded().log.lookups if row.outcome == "miss"]  # type: ignore[union-attr]
    assert any("gm" in row.differs for row in missed)
    bypassed = [row for row in recorded().log.lookups if row.outcome == "bypass"]  # type: ignore[union-attr]
    assert any("cond" in row.reason for row in bypassed)


def test_a_packed_log_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "trace.log.gz").write_bytes(gzip.compress(text()))
    [(_, capture)] = captures(tmp_path)
    facts = recorded().log
    assert capture.log is not None
    assert facts is not None
    assert msgspec.structs.replace(capture.log, path="") == msgspec.structs.replace(facts, path="")
    assert capture.stages == recorded().stages


def test_ids_that_come_again_after_a_reset_are_compiles_of_their_own() -> None:
    twice = capture_of(text() + b"\n" + text())
    assert [frame.id for frame in twice.frames] == [
        "0/0",
        "1/0",
        "0/1",
        "2/0",
        "0/0#2",
        "1/0#2",
        "0/1#2",
        "2/0#2",
    ]
    first, second = twice.stage("0/0:dynamo"), twice.stage("0/0#2:dynamo")
    assert first.content == second.content
    assert len(twice.frames[4].restarts) == 1
    assert [row.compile_id for row in twice.recompiles] == ["0/1", "0/1#2"]


def test_records_of_unknown_kinds_are_listed() -> None:
    head = b"V1123 10:20:17.245000 14472 torch/_dynamo/utils.py:2350] "
    rows = (
        b'{"brand_new": {"what": "seven"}, "frame_id": 0, "frame_compile_id": 0}',
        b'{"missing_fake_kernel": {"op": "mine.op.default"}, "frame_id": 0, "frame_compile_id": 0}',
        b'{"newer": {}, "frame_id": 0, "frame_compile_id": 0, "has_payload": "0"}\n\tsome text',
    )
    capture = capture_of(b"\n".join(head + row for row in rows))
    texts = [stage.content.text for stage in capture.stages if isinstance(stage.content, TextStage)]
    assert any('brand_new: {"what":"seven"}' in found for found in texts)
    assert "some text" in texts
    assert dict(capture.log.kinds)["brand_new"] == 1
    assert any("mine.op.default has no fake kernel" in problem.what for problem in capture.problems)


def test_a_compile_that_the_recompile_limit_ended_is_one_of_its_function() -> None:
    head = b"V1123 10:20:17.245000 14472 torch/_dynamo/utils.py:2350] "
    rows = (
        b'{"compilation_metrics": {"co_name": "forward", "co_filename": "/a.py", "co_firstlineno": 6}, "frame_id": 0, "frame_compile_id": 7}',
        b'{"compilation_metrics": {"co_name": null, "fail_type": "Unsupported", "fail_reason": "Dynamo recompile limit exceeded"}, '
        b'"frame_id": 0, "frame_compile_id": 8}',
    )
    frames = capture_of(b"\n".join(head + row for row in rows)).frames
    assert [(frame.id, frame.name, frame.path, frame.line) for frame in frames] == [
        ("0/7", "forward", "/a.py", 6),
        ("0/8", "forward", "/a.py", 6),
    ]
    assert frames[1].error == "Unsupported: Dynamo recompile limit exceeded"


def test_why_there_is_no_graph_is_reported_as_far_as_a_log_does() -> None:
    """`loupe run` of a compiled optimizer said of four compiles that nothing is in them, `loupe open` of its log nothing at all."""
    head = b"V1123 10:20:17.245000 14472 torch/_dynamo/utils.py:2350] "
    row = b'{"compilation_metrics": {"co_name": "%s", "co_filename": "/a.py", "co_firstlineno": 6, "graph_op_count": %s, "guard_count": %s}, "frame_id": %d, "frame_compile_id": 0}'
    rows = (row % (b"empty", b"0", b"9", 0), row % (b"left", b"null", b"null", 1))
    found = summary_of_log(capture_of(b"\n".join(head + row for row in rows))).run.compiles
    assert [row.why for row in found] == [(NO_OPERATION,), (LEFT_ALONE,)]
