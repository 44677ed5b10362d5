"""What a structured log of torch said beside stages: its artifacts, caches asked, how each compile ended, and what of the log
could not be read.
"""

import msgspec


class LogArtifact(msgspec.Struct, frozen=True, array_like=True):
    """One text that torch wrote to the log."""

    compile_id: str
    """Empty where torch was compiling nothing it has an id for."""
    attempt: int
    kind: str
    """Torch's record: ``dynamo_output_graph``, ``artifact``."""
    name: str
    """Of an artifact its own name; else as `kind`."""
    line: int
    """Where it begins in the log, from 1."""
    bytes: int
    stage: str = ""
    """The stage that holds it; empty where it was left out."""
    whole: bool = True
    other_rank: bool = False
    """Its record names another rank than the log's, or none after one was named."""


class CacheLookup(msgspec.Struct, frozen=True):
    """One time that torch asked a cache of compiled code."""

    compile_id: str
    cache: str
    """``fx_graph_cache``, ``aotautograd_cache``, ``dynamo_cache``."""
    outcome: str
    """``hit``, ``miss``, ``bypass``, or another word of torch's."""
    key: str = ""
    reason: str = ""
    """Why it was passed by."""
    differs: tuple[str, ...] = ()
    """Of a miss: parts of the key that no key asked for before has, by the nearest one; empty where there was none."""
    nearest: str = ""
    """The compile id whose key was nearest."""


class LogStatus(msgspec.Struct, frozen=True, array_like=True):
    """How one compile ended."""

    compile_id: str
    status: str
    """``ok``, ``empty`` (no operation in its graph), ``break`` (began again), ``error``, or ``missing`` (the log does not say)."""
    restarts: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()


class LogMetrics(msgspec.Struct, frozen=True, array_like=True):
    """What torch measured of one compile, or of one backward."""

    compile_id: str
    attempt: int
    kind: str
    """``compilation_metrics``, ``bwd_compilation_metrics``."""
    numbers: tuple[tuple[str, float], ...]


class LogAttempt(msgspec.Struct, frozen=True, array_like=True):
    """One attempt of one compile, in the order in which they began."""

    compile_id: str
    attempt: int
    kinds: tuple[tuple[str, int], ...]
    """(torch's name of the record, how many)."""


class LogFacts(msgspec.Struct, frozen=True):
    """One log, which is that of one process."""

    path: str
    rank: str = ""
    process: int = 0
    lines: int = 0
    bytes: int = 0
    """Unpacked."""
    kinds: tuple[tuple[str, int], ...] = ()
    """(torch's name of the record, how many)."""
    other_rank: int = 0
    """Records that name another rank than the first that was named, or none after it."""
    broken: tuple[tuple[str, int], ...] = ()
    """(what is wrong, how many lines)."""
    artifacts: tuple[LogArtifact, ...] = ()
    left_out: int = 0
    """Artifacts that were listed without their text, since all of them are too long together."""
    statuses: tuple[LogStatus, ...] = ()
    metrics: tuple[LogMetrics, ...] = ()
    attempts: tuple[LogAttempt, ...] = ()
    events: int = 0
    """For Chrome's trace viewer: what the phases are read from."""
    lookups: tuple[CacheLookup, ...] = ()
