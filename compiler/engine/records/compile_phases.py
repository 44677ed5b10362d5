"""Phases and builds of one compile, written down while it goes on."""

import contextlib
import dataclasses
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from compiler.model.capture.compile_phases import CompilePhase


@dataclasses.dataclass
class _Phase:
    name: str
    detail: str
    begin: float
    parent: int
    end: float | None = None


@dataclasses.dataclass
class _Build:
    path: str
    begin: float
    seconds: float


class PhaseLog:
    """Filled by hooks, of which those of builds run on other threads."""

    def __init__(self) -> None:
        self._phases: list[_Phase] = []
        self._builds: list[_Build] = []
        self._open: list[int] = []
        self._thread = threading.get_ident()
        self._began = time.perf_counter()

    def restart(self) -> None:
        """Another compile begins now."""
        self.__init__()  # type: ignore[misc]

    def waited(self, seconds: float) -> None:
        """So long nothing went on, because a person had stopped the program: the clock stands still meanwhile."""
        self._began += seconds

    @contextlib.contextmanager
    def on_this_thread(self) -> Iterator[None]:
        """While this is entered, the compile goes on in the thread that calls: the one before waits for it."""
        before, self._thread = self._thread, threading.get_ident()
        try:
            yield
        finally:
            self._thread = before

    def begin(self, name: str, detail: str) -> None:
        """Torch begins a phase. What happens on other threads is inside of what goes on here, and left out."""
        if threading.get_ident() != self._thread:
            return
        self._phases.append(
            _Phase(name, detail, time.perf_counter() - self._began, self._open[-1] if self._open else -1)
        )
        self._open.append(len(self._phases) - 1)

    def end(self, name: str) -> None:
        """Torch ends its latest phase of that name; those begun after it end with it."""
        if threading.get_ident() != self._thread or name not in (
            self._phases[index].name for index in self._open
        ):
            return
        while self._open:
            phase = self._phases[self._open.pop()]
            phase.end = time.perf_counter() - self._began
            if phase.name == name:
                return

    def built(self, path: str, seconds: float) -> None:
        """A source file was compiled or linked; it ended now."""
        self._builds.append(_Build(path, time.perf_counter() - self._began - seconds, seconds))

    def phases(self, kernels: Mapping[str, tuple[str, str]]) -> tuple[CompilePhase, ...]:
        """All as plain data; `kernels` gives (name, graph) for the source of a kernel."""
        whole = time.perf_counter() - self._began
        found = [
            CompilePhase(
                "phase",
                phase.name,
                phase.begin,
                (phase.end if phase.end is not None else whole) - phase.begin,
                phase.parent,
                phase.detail,
            )
            for phase in self._phases
        ]
        for build in self._builds:
            name, detail = _what_was_built(Path(build.path), kernels)
            found.append(CompilePhase("build", name, build.begin, build.seconds, detail=detail))
        return tuple(found)


def _what_was_built(target: Path, kernels: Mapping[str, tuple[str, str]]) -> tuple[str, str]:
    """(name, graph) of the kernel whose source stands beside what was built from it."""
    stem = target.name.partition(".")[0]
    with contextlib.suppress(OSError):
        for path in target.parent.glob(f"{stem}.*cpp"):
            text = path.read_text(encoding="utf-8", errors="replace")
            for source, known in kernels.items():
                if source in text:
                    return known
    return (
        "precompiled header" if target.suffix in (".i", ".gch") else "a check of the compiler",
        target.name,
    )
