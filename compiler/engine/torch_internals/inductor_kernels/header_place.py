"""Where Inductor keeps precompiled headers. Its own place is a folder below ``$TMPDIR`` that any local user can have made
first, and what lies there is compiled into every kernel. For good: only in processes of ours.

GIVES: precompiled headers in a folder of the user's.
NEEDS: ``torch._inductor.codecache._HEADER_DIR``.
"""

import os

from torch._inductor import codecache

from compiler.processes.own_cache import HEADERS


def install() -> None:
    """Keep them where the worker was told to from now on; where nothing was said, in torch's own place."""
    folder = os.environ.get(HEADERS)
    if folder:
        codecache._HEADER_DIR = folder
        codecache._HEADER_LOCK_DIR = os.path.join(folder, "locks")
