"""``python -m torch_loupe.there``: what another machine's window starts on this one."""

import sys

from compiler.remote.there import main

if __name__ == "__main__":
    sys.exit(main())
