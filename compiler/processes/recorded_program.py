"""The environment in which a program is started so that what torch compiles in it is recorded. Nothing of the recorder is
loaded here: it is loaded in the program.
"""

import contextlib
import os
import time
from collections.abc import Sequence
from pathlib import Path

from compiler.processes.process_tree import command_line, descendants
from compiler.processes.started import is_compile_worker

_SHIM = Path(__file__).resolve().parents[1] / "recorder" / "shim"
PLACE = "LOUPE_RUN"
"""Names the socket of whoever listens."""
OUTPUT = "LOUPE"
"""Names the file to write, where a program is started by itself: ``LOUPE=run.loupe python train.py``."""
KEEP_CACHES = "LOUPE_KEEP_CACHES"
"""Set where torch's graph caches stay on: what comes from one has no stages between its graph and its code."""

BREAKS_AT = "LOUPE_BREAK"
"""Where the program stops until it is told to go on, a line for each place."""
EDITABLE = "LOUPE_EDITABLE"
"""Set where torch's objects of the latest graphs are held, so that these can be edited while the program runs."""
WATCH_VALUES = "LOUPE_WATCH_VALUES"
"""Names how often what compiled graphs return is looked at: 10 for each tenth call."""

_BETWEEN_LOOKS = 0.5
"""Seconds; torch alone takes longer to load."""


def recorded_environment(
    place: Path,
    keep_caches: bool,
    breaks: Sequence[str] = (),
    editable: bool = False,
    watch_values: int | None = None,
) -> dict[str, str]:
    """The environment of this process, with what lets each Python of the program wait for torch and then tell `place`."""
    path = os.pathsep.join(filter(None, [str(_SHIM), os.environ.get("PYTHONPATH")]))
    found = {**os.environ, "PYTHONPATH": path, PLACE: str(place)}
    found |= {BREAKS_AT: "\n".join(breaks)} if breaks else {}
    found |= {EDITABLE: "1"} if editable else {}
    found |= {WATCH_VALUES: str(watch_values)} if watch_values is not None else {}
    return found | ({KEEP_CACHES: "1"} if keep_caches else {})


class Reach:
    """Which processes of a program came to wait for torch. Those started with -I, -E or -S do not, nor those whose environment
    somebody wrote again: where torch is loaded in one of these, it may compile what nobody sees.
    """

    def __init__(self, place: Path) -> None:
        self._traces = place.with_name(f"{place.name}.reached")
        self._used = place.with_name(f"{place.name}.used")
        self.missed: dict[int, str] = {}
        """Command lines of processes that load torch and did not, by number."""
        self._known: set[tuple[int, int]] = set()
        self._suspects: set[tuple[int, int]] = set()
        self._next_look = 0.0

    @property
    def any(self) -> bool:
        """Whether one Python did."""
        return self._traces.exists()

    @property
    def used(self) -> bool:
        """Whether torch.compile was called in one."""
        return self._used.exists()

    def look(self, program: int) -> None:
        """At the processes that there are now, as often as takes a hundredth of the time."""
        began = time.monotonic()
        if began < self._next_look:
            return
        self._known |= descendants(program)
        reached = self._reached()
        without = {key for key in self._known if key[0] not in reached and _loads_torch(key[0])}
        for number, _ in without & self._suspects:  # between fork and exec a process is its parent
            if not is_compile_worker(command := _shown(number)):  # it compiles nothing by itself
                self.missed.setdefault(number, command)
        self._suspects = without
        self._next_look = began + max(_BETWEEN_LOOKS, 100 * (time.monotonic() - began))

    def _reached(self) -> set[int]:
        try:
            return {int(word) for word in self._traces.read_text().split() if word.isdecimal()}
        except OSError:
            return set()


def _loads_torch(process: int) -> bool:
    with contextlib.suppress(OSError):
        return "libtorch" in Path("/proc", str(process), "maps").read_text(errors="replace")
    return False


def _shown(process: int) -> str:
    with contextlib.suppress(OSError):
        words = command_line(process)
        return " ".join([os.path.basename(words[0]), *words[1:]]).strip()
    return ""
