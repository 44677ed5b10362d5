"""A job: one program for one target, torch and mode; and what makes two jobs the same."""

import hashlib
import re

import msgspec

from compiler.model.batch.manifest import DEFAULT_MODE, Manifest, Program

_SCHEME = "1"
"""Changes where a capture's content does in a way that makes results of before worthless."""
_NO_NAME = re.compile(r"[^A-Za-z0-9._-]+")
HERE = ("cpu", "cuda")
"""Targets that are devices of the machine that runs the job; every other one is a GPU that need not be there."""


class JobKey(msgspec.Struct, frozen=True, order=True):
    """What a row is of: two batches are compared by it."""

    program: str
    target: str
    torch: str
    """As it was asked for: ``2.13``."""
    mode: str

    def __str__(self) -> str:
        mode = "" if self.mode == DEFAULT_MODE else f", {self.mode}"
        return f"{self.program} [{self.target}, torch {self.torch}{mode}]"


class Job(msgspec.Struct, frozen=True):
    """One capture to make; everything that a process elsewhere needs for it."""

    id: str
    """A name for its files: readable, and a digest of all that could change what comes out."""
    key: JobKey
    program: Program
    folder: str
    """Where the program is looked for."""
    python: str = ""
    """The Python that has this torch; empty: the one that runs the job."""
    iterations: int = 0
    """Steps to time; 0: none."""
    timeout: float = 0.0
    """Seconds, start to end; 0: no limit."""
    memory: int = 0
    """Bytes that its processes may use together; 0: no limit."""


class Wanted(msgspec.Struct, frozen=True):
    """What the command line asks for in place of what the manifest says; empty: as it says."""

    targets: tuple[str, ...] = ()
    torch: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()


def keys_of(manifest: Manifest, wanted: Wanted, own_torch: str) -> tuple[tuple[Program, JobKey], ...]:
    """Every program × target × torch × mode, each once, in the order of the manifest."""
    found: dict[JobKey, Program] = {}
    for program in manifest.program:
        for target in wanted.targets or program.targets or manifest.targets:
            for torch in wanted.torch or program.torch or manifest.torch or (own_torch,):
                for mode in wanted.modes or program.modes or manifest.modes:
                    found.setdefault(JobKey(program.title, target, torch, mode), program)
    return tuple((program, key) for key, program in found.items())


def job_id(program: Program, key: JobKey, sources: tuple[str, ...], torch: str, iterations: int) -> str:
    """``name-cpu-2.13-default-0123456789ab``. `sources`: digests of the program's files; `torch`: the version that is there."""
    options = msgspec.structs.replace(program, name="", modes=(), targets=(), torch=())
    parts = (_SCHEME, key, msgspec.to_builtins(options, order="sorted"), sources, torch, iterations)
    digest = hashlib.sha256(msgspec.json.encode(parts, order="sorted")).hexdigest()[:12]
    words = (key.program[-60:], key.target.rpartition("/")[2], key.torch, key.mode)
    return "-".join([_NO_NAME.sub("_", word).strip("_.") or "_" for word in words] + [digest])


def capture_arguments(job: Job) -> tuple[str, ...]:
    """What follows ``loupe capture`` for it, but for where to write."""
    program, target = job.program, job.key.target
    words = [program.target, "--folder", job.folder, "--seed", str(program.seed)]
    words += ["--device", target] if target in HERE else ["--target", target]
    if job.key.mode != DEFAULT_MODE:
        words += ["--mode", job.key.mode]
    if program.rank:
        words += ["--rank", str(program.rank)]
    for name in ("inputs", "keyword_inputs", "backend", "task", "mesh"):
        if value := getattr(program, name):
            words.append(f"--{name.replace('_', '-')}={value}")
    choices = (
        (program.train, "--train", "--eval"),
        (program.gradients, "", "--no-grad"),
        (program.dynamic, "--dynamic", "--static"),
        (program.fullgraph, "--fullgraph", ""),
        (program.fake, "--fake", ""),
    )
    words += [
        yes if value else no for value, yes, no in choices if value is not None and (yes if value else no)
    ]
    words += [f"--option={name}={value!r}" for name, value in program.options.items()]
    words += [f"--mine={name}" for name in program.mine]
    if program.target.endswith(".json"):
        words += ["--batch", str(program.batch), "--length", str(program.length)]
    return tuple(words)
