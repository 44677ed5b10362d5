"""The environment in which a program is started so that what torch compiles in it is recorded. Nothing of the recorder is
loaded here: it is loaded in the program.
"""

import os
from collections.abc import Sequence
from pathlib import Path

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


def was_reached(place: Path) -> bool:
    """Whether a Python of the program came to wait for torch: those started with -I, -E or -S do not, nor those whose
    environment somebody wrote anew.
    """
    return place.with_name(f"{place.name}.reached").exists()
