"""What a structured log says, put in order: one process, its compiles, and the texts of each."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from compiler.analysis.torch_logs.records.break_reports import REASONS, read_break
from compiler.analysis.torch_logs.records.cache_answers import CacheReader
from compiler.analysis.torch_logs.records.interned_strings import InternedStrings, integer_of, text_of
from compiler.analysis.torch_logs.records.log_lines import Json, LogReader, Record
from compiler.analysis.torch_logs.records.phase_stack import PhaseStack
from compiler.analysis.torch_logs.records.recompile_reports import recompile_reasons
from compiler.model.capture.compile_ids import compile_id as numbered
from compiler.model.capture.frames import GraphBreak
from compiler.model.capture.log_facts import CacheLookup, LogMetrics
from compiler.model.ir.graph import SourceLine

DYNAMO, PRE_GRAD, JOINT = "dynamo_output_graph", "after_pre_grad_graph", "aot_joint_graph"
AOT = {
    "aot_forward_graph": "forward",
    "aot_backward_graph": "backward",
    "aot_inference_graph": "inference",
}
POST_GRAD, CODE = "inductor_post_grad_graph", "inductor_output_code"
MAPPINGS = "inductor_provenance_tracking_node_mappings"
STACKS = "inductor_provenance_tracking_kernel_stack_traces"
RUNTIME_WRAPPERS = "aot_autograd_runtime_wrappers"
RUNTIME_WRAPPER_PARTS = frozenset(
    [
        "backward_epilogue",
        "backward_prologue",
        "backward_subclass_unwrap",
        "backward_subclass_wrapper",
        "compiled_fn_wrapper",
        "compiled_function_backward",
        "compiled_function_forward",
        "debug_assert_wrapper",
        "dedup_wrapper",
        "effect_tokens_wrapper",
        "functionalized_rng_wrapper",
        "mutation_epilogue",
        "output_alias_wrapper",
        "runtime_wrapper_orchestration",
        "subclass_wrapper",
        "synthetic_base_wrapper",
    ]
)
"""How torch 2.12 to 2.14 call each function, of which later ones write all of a compile together."""
STAGES = frozenset((DYNAMO, PRE_GRAD, JOINT, POST_GRAD, CODE, RUNTIME_WRAPPERS, *RUNTIME_WRAPPER_PARTS, *AOT))
"""Texts that are stages of a live capture."""
ENVELOPE = frozenset(
    [
        "rank",
        "compiled_autograd_id",
        "frame_id",
        "frame_compile_id",
        "attempt",
        "has_payload",
        "stack",
        "severity",
        "timestamp",
        "pathname",
        "thread",
        "subgraph_name",
    ]
)
"""Keys of a record that are not its kind."""
MOST_BREAKS = 10_000
"""Of one process."""
STAGE_TEXTS, OTHER_TEXTS = (32 << 20, 6_000), (16 << 20, 4_000)
"""(bytes, texts) that are kept of one process: of graphs and generated code, and of all others. Further ones are listed without
what is in them.
"""
_MOST_SMALL = 40_000
"""Small records (symbols, guards, tensors) of one process that are kept."""
_METRICS = [
    "co_name",
    "co_filename",
    "co_firstlineno",
    "cache_size",
    "accumulated_cache_size",
    "guard_count",
    "shape_env_guard_count",
    "graph_op_count",
    "graph_node_count",
    "graph_input_count",
    "start_time",
    "entire_frame_compile_time_s",
    "backend_compile_time_s",
    "inductor_compile_time_s",
    "code_gen_time_s",
    "fail_type",
    "fail_reason",
    "fail_user_frame_filename",
    "fail_user_frame_lineno",
    "restart_reasons",
    "dynamo_time_before_restart_s",
    "has_guarded_code",
    "is_forward",
]


@dataclass(slots=True)
class Entry:
    """One text."""

    kind: str
    name: str
    attempt: int
    line: int
    bytes: int
    text: str | None
    """None where it was left out."""
    digest: str
    whole: bool
    facts: Json
    """What the record says beside its text."""
    dropped: bool = False
    """It names another rank than the log's."""


@dataclass(slots=True)
class CompileLog:
    """What was said of one compile id, all attempts."""

    id: str
    torch_id: str = ""
    number: int = 1
    """1 plus how often torch had begun to count its compiles again."""
    stack: tuple[SourceLine, ...] = ()
    entries: list[Entry] = field(default_factory=list)
    small: list[tuple[str, int, Json]] = field(default_factory=list)
    """(kind, attempt, what it says) of records without a text."""
    metrics: list[Json] = field(default_factory=list)
    backward_metrics: list[Json] = field(default_factory=list)

    breaks: list[GraphBreak] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    """Why code that was there before did not fit."""
    late_reasons: list[str] = field(default_factory=list)
    """The same, reported after the compile had ended: of the next one with its id."""

    def hand_over(self, other: "CompileLog") -> None:
        """Give the next compile of this id what came before its begin was reported."""
        if self.late_reasons:
            other.reasons, self.late_reasons = self.late_reasons, []


class ProcessLog:
    """Feed it every record; then it holds the process."""

    def __init__(self, reader: LogReader) -> None:
        self.reader = reader
        self.strings = InternedStrings()
        self.phases = PhaseStack()
        self.compiles: dict[str, CompileLog] = {}
        self._current: dict[str, CompileLog] = {}
        self._generation = 1
        """By torch's id: the last of it."""
        self.kinds: Counter[str] = Counter()
        self.rank: int | None = None
        self.other_rank = 0
        self.process = 0
        self.first = self.last = 0.0
        self.left_out = 0
        self.attempts: dict[tuple[str, int], Counter[str]] = {}
        self.metrics: list[LogMetrics] = []
        self.lookups: list[CacheLookup] = []
        self._caches = CacheReader()
        self._breaks = 0
        self._texts: dict[str, str] = {}
        self._kept: dict[bool, tuple[int, int]] = {True: (0, 0), False: (0, 0)}
        self._small = 0

    def read(self, tick: Callable[[], None] = lambda: None) -> "ProcessLog":
        """All records; `tick` is called now and then, and may raise to stop."""
        for number, record in enumerate(self.reader.records()):
            self._take(record)
            if number % _AT_ONCE == 0:
                tick()
        return self

    def _take(self, record: Record) -> None:
        envelope = record.envelope
        self.first = self.first or record.stamp
        self.last = max(self.last, record.stamp)
        self.process = self.process or record.process
        if "str" in envelope and self.strings.take(envelope["str"]):
            self.kinds["str"] += 1
            return
        kinds = [key for key in envelope if key not in ENVELOPE]
        dropped = self._of_other_rank(envelope)
        number = integer_of(envelope, "attempt") or 0
        counts = (
            self.attempts.setdefault((compile_id(envelope), number), Counter()) if not dropped else Counter()
        )
        for kind in kinds or [""]:
            counts[kind[:200]] += 1
            self.kinds[kind[:200]] += 1
            self._take_kind(record, kind, number, dropped)

    def _of_other_rank(self, envelope: Json) -> bool:
        rank = integer_of(envelope, "rank")
        if self.rank is None:
            self.rank = rank
            return False
        self.other_rank += rank != self.rank
        return rank != self.rank

    def _take_kind(self, record: Record, kind: str, attempt: int, dropped: bool) -> None:
        if kind == "chromium_event":
            if record.payload is None or not self.phases.take(record.payload):
                self.reader.broken.payloads += record.whole  # counted already where it is cut
            return
        compile_log = self._compile(compile_id(record.envelope), kind == "dynamo_start")
        said = record.envelope.get(kind)
        facts = said if isinstance(said, dict) else {"value": said}
        if kind == "dynamo_start":
            compile_log.stack = self.strings.stack(facts.get("stack"))
        elif kind in (
            "compilation_metrics",
            "bwd_compilation_metrics",
            "aot_autograd_backward_compilation_metrics",
        ):
            rows = compile_log.metrics if kind == "compilation_metrics" else compile_log.backward_metrics
            rows.append({key: facts.get(key) for key in _METRICS})
            self.metrics.append(LogMetrics(compile_log.torch_id, attempt, kind, tuple(_numbers(facts))))
        if kind == "artifact":
            self._evidence(compile_log, text_of(facts, "name"), record.payload or "")
        if record.payload is not None or kind in _TEXTS:
            compile_log.entries.append(self._entry(record, kind, facts, attempt, dropped))
        elif kind != "dynamo_start" and not kind.endswith("compilation_metrics"):
            self._small += 1
            if self._small <= _MOST_SMALL:
                compile_log.small.append((kind, attempt, self._lean(facts)))

    def _evidence(self, log: CompileLog, name: str, payload: str) -> None:
        """What is read of a text at once, whether the text is kept or not."""
        if name == REASONS:
            self._breaks += 1
            if self._breaks <= MOST_BREAKS:
                log.breaks.append(read_break(payload, log.id))
        elif name == "recompile_reasons":
            (log.late_reasons if log.metrics else log.reasons).extend(recompile_reasons(payload))
        elif (lookup := self._caches.take(log.torch_id, name, payload)) is not None:
            self.lookups.append(lookup)

    @property
    def breaks_left_out(self) -> int:
        """Reports of breaks beyond the bounds."""
        return max(self._breaks - MOST_BREAKS, 0)

    def _lean(self, facts: Json) -> Json:
        """With stacks as lines, of torch's own only the innermost."""
        lean: Json = {key: item for key, item in facts.items() if not key.endswith("stack")}
        for key in ("user_stack", "stack"):
            if key in facts:
                lean[key] = self.strings.stack(facts[key])[-12 if key == "user_stack" else -4 :]
        return lean

    def _entry(self, record: Record, kind: str, facts: Json, attempt: int, dropped: bool) -> Entry:
        payload = record.payload or ""
        name = text_of(facts, "name") or kind
        if kind == "link":
            payload = text_of(facts, "url")
        text = self._keep(record.digest, payload, name in STAGES)
        return Entry(
            kind, name, attempt, record.line, len(payload), text, record.digest, record.whole, facts, dropped
        )

    def _keep(self, digest: str, payload: str, of_stage: bool) -> str | None:
        held, count = self._kept[of_stage]
        kept = self._texts.get(digest)
        size = 0 if kept is not None else len(payload)
        most, most_texts = STAGE_TEXTS if of_stage else OTHER_TEXTS
        if held + size > most or count >= most_texts:
            self.left_out += 1
            return None
        self._kept[of_stage] = held + size, count + 1
        return self._texts.setdefault(digest, payload)

    def _compile(self, name: str, begins: bool) -> CompileLog:
        """The compile of an id. After ``torch._dynamo.reset()`` torch counts from 0/0 again: that is another compile."""
        known = self._current.get(name)
        if known is not None and not (begins and known.stack):
            return known
        self._generation = max(self._generation, known.number + 1 if known is not None else 1)
        made = CompileLog(numbered(name, self._generation), name, self._generation)
        if known is not None:
            known.hand_over(made)
        self._current[name] = self.compiles[made.id] = made
        return made


def _numbers(facts: Json) -> Iterator[tuple[str, float]]:
    for key in _METRICS:
        value = facts.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool) and value - value == 0:
            yield key, float(value)


_AT_ONCE = 500
_TEXTS = ("artifact", "graph_dump", "dump_file", "link")
"""Kinds that are texts, if empty ones."""


def compile_id(envelope: Json) -> str:
    """``0/0``, ``!1/0/0`` with compiled autograd; empty where a record is of none."""
    parts = [envelope.get(key) for key in ("frame_id", "frame_compile_id")]
    frame = "/".join("-" if part is None else str(part) for part in parts)
    autograd = envelope.get("compiled_autograd_id")
    if autograd is None:
        return "" if parts == [None, None] else frame
    return f"!{autograd}" if parts == [None, None] else f"!{autograd}/{frame}"
