"""``python -m torch_loupe``: the command ``loupe``."""

import sys

from app.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
