"""What tlparse reports, out of our captures of the same logs."""

from collections import Counter
from pathlib import Path

from compiler.analysis.torch_logs.many_ranks import compare_ranks
from compiler.analysis.torch_logs.rank_facts import attempt_id, rank_facts
from compiler.model.capture.capture import Capture
from compiler.model.capture.log_facts import LogArtifact, LogStatus

KNOWN = frozenset(
    [
        "dynamo_start",
        "str",
        "dynamo_output_graph",
        "optimize_ddp_split_graph",
        "optimize_ddp_split_child",
        "compiled_autograd_graph",
        "dynamo_guards",
        "aot_forward_graph",
        "aot_backward_graph",
        "aot_inference_graph",
        "aot_joint_graph",
        "inductor_pre_grad_graph",
        "inductor_post_grad_graph",
        "dynamo_cpp_guards_str",
        "inductor_output_code",
        "compilation_metrics",
        "bwd_compilation_metrics",
        "aot_autograd_backward_compilation_metrics",
        "graph_dump",
        "link",
        "symbolic_shape_specialization",
        "propagate_real_tensors_provenance",
        "guard_added",
        "create_unbacked_symbol",
        "expression_created",
        "missing_fake_kernel",
        "mismatched_fake_kernel",
        "artifact",
        "describe_storage",
        "describe_tensor",
        "describe_source",
        "dump_file",
        "chromium_event",
        "guard_added_fast",
        "exported_program",
    ]
)
"""Kinds of records that tlparse 0.4.3 knows."""
_FILES = KNOWN - {
    "dynamo_start",
    "str",
    "symbolic_shape_specialization",
    "propagate_real_tensors_provenance",
    "guard_added",
    "create_unbacked_symbol",
    "expression_created",
    "missing_fake_kernel",
    "mismatched_fake_kernel",
    "describe_storage",
    "describe_tensor",
    "describe_source",
    "chromium_event",
    "guard_added_fast",
    "exported_program",
}
"""Kinds of which tlparse makes a file."""
METRICS = {
    "Cache Size": "cache_size",
    "Accumulated Cache Size": "accumulated_cache_size",
    "Guard Count": "guard_count",
    "Shape Env Guards": "shape_env_guard_count",
    "Graph Ops": "graph_op_count",
    "Graph Nodes": "graph_node_count",
    "Graph Inputs": "graph_input_count",
    "Entire Frame": "entire_frame_compile_time_s",
    "Backend": "backend_compile_time_s",
    "Inductor": "inductor_compile_time_s",
    "Code Gen Time": "code_gen_time_s",
    "Dynamo Time Before Restart": "dynamo_time_before_restart_s",
}
Numbers = dict[str, object]


def numbers_of(capture: Capture) -> Numbers:
    """One log."""
    facts = capture.log
    kinds, broken = dict(facts.kinds), dict(facts.broken)
    records = sum(count for _, count in facts.kinds) - kinds.get("str", 0) - facts.other_rank
    rows = [row for row in facts.artifacts if not row.other_rank]
    files: dict[str, Counter[str]] = {
        attempt_id(row.compile_id, row.attempt): Counter() for row in facts.attempts
    }
    for row in rows:
        if row.kind in _FILES:
            files[attempt_id(row.compile_id, row.attempt)][_file(row)] += 1
    for metrics in facts.metrics:
        files[attempt_id(metrics.compile_id, metrics.attempt)][metrics.kind] += 1
    began = {
        row.compile_id for row in facts.attempts if "dynamo_start" in dict(row.kinds)
    }  # others stand on no page
    return {
        "records": records,
        "other rank": facts.other_rank,
        "no line of torch's": broken.get("lines that are not torch's", 0),
        "no JSON": broken.get("lines that are no JSON", 0),
        "cut texts": broken.get("texts that are cut or changed", 0),
        "unknown fields": sum(
            count for row in facts.attempts for kind, count in row.kinds if kind not in KNOWN and kind
        ),
        "compile ids": sorted(files),
        "files": {name: dict(sorted(found.items())) for name, found in sorted(files.items())},
        "statuses": _statuses([row for row in facts.statuses if row.compile_id in began]),
        "failures and restarts": sum(len(row.restarts) + len(row.failures) for row in facts.statuses),
        "events": facts.events,
        "metrics": _metrics(capture),
        "answers of caches": rank_facts(capture).cache_order,
        "specialisations": _of_kind(capture, "symbolic_shape_specialization"),
        "guards added fast": _of_kind(capture, "guard_added_fast"),
    }


def _statuses(rows: list[LogStatus]) -> dict[str, str]:
    """The worst of an id that was used again after a reset, as tlparse has it."""
    order = ("ok", "break", "empty", "error")
    found: dict[str, str] = {}
    for row in rows:
        known = found.get(row.compile_id, row.status)
        found[row.compile_id] = max(
            known, row.status, key=lambda word: order.index(word) if word in order else -1
        )
    return found


def _of_kind(capture: Capture, kind: str) -> int:
    """Of compiles whose measures stand on a page; those of an attempt that was begun again are on none."""
    measured = {row.compile_id for row in capture.log.metrics if row.kind == "compilation_metrics"}
    return sum(
        count
        for row in capture.log.attempts
        if row.attempt == 0 and row.compile_id in measured
        for name, count in row.kinds
        if name == kind
    )


def _file(row: LogArtifact) -> str:
    return row.name if row.kind in ("artifact", "graph_dump", "dump_file", "link") else row.kind


def _metrics(capture: Capture) -> dict[str, list[dict[str, float]]]:
    found: dict[str, list[dict[str, float]]] = {}
    for row in capture.log.metrics:
        numbers = dict(row.numbers)
        reported = {label: numbers[name] for label, name in METRICS.items() if name in numbers}
        found.setdefault(f"{row.kind} {attempt_id(row.compile_id, row.attempt)}", []).append(reported)
    return found


def ranks_of(captures: list[Capture]) -> Numbers:
    """Many ranks."""
    facts = [rank_facts(capture) for capture in captures]
    report = compare_ranks(facts)
    assert report is not None

    def groups(what: str) -> list[str]:
        return sorted(", ".join(group.ranks) for group in report.groups if group.what == what)

    attempts = {frozenset(row.attempts) for row in facts}
    return {
        "ranks": list(report.ranks),
        "compile ids differ": len(attempts) > 1,
        "caches": groups("caches"),
        "collectives": groups("collectives"),
        "tensors": groups("tensors"),
        "order": None
        if report.order_differs is None
        else [report.order_differs, list(report.schedule_mismatch), list(report.cache_mismatch)],
        "schedules": {
            f"{row.rank} {graph.graph}": list(graph.collectives)
            for row in facts
            for graph in row.graphs
            if graph.collectives
        },
        "runtimes": {
            f"{row.rank} {graph.graph}": graph.nanoseconds
            for row in facts
            for graph in row.graphs
            if graph.nanoseconds is not None
        },
        "deltas": sorted(row.milliseconds for row in report.deltas),
        "numbers of graphs differ": report.graph_counts_differ,
        "parity": sorted(
            f"{row.rank} {graph.graph} {graph.offset} {graph.missing_waits}"
            for row in facts
            for graph in row.graphs
            if graph.offset or graph.missing_waits
        ),
    }


def name_of(path: Path) -> str:
    return path.name.removeprefix("dedicated_log_torch_trace_").removesuffix(".log")
