"""Our package names taken out of the user's way.

A user's project may have top-level packages called ``app``, ``compiler`` or ``resources``. Once the engine is loaded
it imports nothing of ours any more, so in a checkout our modules leave ``sys.modules`` and our folder leaves ``sys.path``;
the loaded modules live on in the references they hold to one another. Installed, ours are all below ``torch_loupe``,
which is in nobody's way and stays.
"""

import sys
from pathlib import Path

from compiler.installation import IMPORT_ROOT, INSTALLED, OUR_PACKAGES


def hide_our_packages() -> None:
    """Forget our modules by name. Call when everything of ours is imported and every decoder is built."""
    if INSTALLED:
        return
    for name in [key for key in sys.modules.copy() if key.partition(".")[0] in OUR_PACKAGES]:
        del sys.modules[name]
    sys.path[:] = [entry for entry in sys.path if entry and Path(entry).resolve() != IMPORT_ROOT]
