"""Where Inductor keeps precompiled headers. Its own place is a folder below ``$TMPDIR`` that any local user can have made
first, and what lies there is compiled into every kernel. For good: only in processes of ours.

GIVES: precompiled headers in a folder of the user's.
NEEDS: ``torch._inductor.codecache._HEADER_DIR``.
"""

import os

from torch._inductor import codecache


def install(folder: str) -> None:
    """Keep them there from now on; an empty name leaves torch's own place."""
    if folder:
        codecache._HEADER_DIR = folder
        codecache._HEADER_LOCK_DIR = os.path.join(folder, "locks")
