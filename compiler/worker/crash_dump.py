"""What a dying worker still says on its error stream, so that the client can tell where it died."""

import faulthandler
import os
import signal
import sys
from typing import NoReturn

from compiler.model.protocol.crash_report import STACK_BEGIN, STACK_END
from compiler.processes.leaving import is_fork, leave_now


def install() -> None:
    """Segfaults and SIGUSR1 print every thread's stack; so does ``os._exit`` when user code calls it."""
    faulthandler.enable(all_threads=False)
    if hasattr(faulthandler, "register"):
        faulthandler.register(signal.SIGUSR1, all_threads=True)

    def exit_with_stack(status: int) -> NoReturn:
        try:
            if not is_fork():
                _print_stack()
        finally:
            leave_now(status)

    os._exit = exit_with_stack


def _print_stack() -> None:
    sys.stdout.flush()
    sys.stderr.write(f"{STACK_BEGIN}\n")
    sys.stderr.flush()
    faulthandler.dump_traceback(all_threads=False)
    sys.stderr.write(f"{STACK_END}\n")
    sys.stderr.flush()
