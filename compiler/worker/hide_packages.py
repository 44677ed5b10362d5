"""Our package names taken out of the user's way.

A user's project may have top-level packages called ``app``, ``compiler`` or ``resources``. Once the engine is loaded
it imports nothing of ours any more, so our modules leave ``sys.modules`` and our folder leaves ``sys.path``; the loaded
modules live on in the references they hold to one another.
"""

import sys
from pathlib import Path

OURS = ("app", "compiler", "resources")


def hide_our_packages() -> None:
    """Forget our modules by name. Call when everything of ours is imported and every decoder is built."""
    for name in [key for key in sys.modules if key.partition(".")[0] in OURS]:
        del sys.modules[name]
    root = str(Path(__file__).resolve().parents[2])
    if "site-packages" not in root:
        sys.path[:] = [entry for entry in sys.path if entry and str(Path(entry).resolve()) != root]
