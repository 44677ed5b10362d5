"""What a dying worker still says on its error stream, so that the client can tell where it died."""

import faulthandler
import os
import signal
import sys
from typing import NoReturn

MARK = "LOUPE-STACK"


def install() -> None:
    """Segfaults and SIGUSR1 print every thread's stack; so does ``os._exit`` when user code calls it."""
    faulthandler.enable(all_threads=False)
    if hasattr(faulthandler, "register"):
        faulthandler.register(signal.SIGUSR1, all_threads=True)
    leave = os._exit

    def exit_with_stack(status: int) -> NoReturn:
        sys.stdout.flush()
        sys.stderr.write(f"{MARK} begin\n")
        sys.stderr.flush()
        faulthandler.dump_traceback(all_threads=False)
        sys.stderr.write(f"{MARK} end\n")
        sys.stderr.flush()
        leave(status)

    os._exit = exit_with_stack
