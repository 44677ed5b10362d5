"""A command that must not outlive who started it: ``python -m compiler.processes.tied FOLDER MODULE ARGUMENTS``.

Standard input is a pipe whose other end only the starter holds. The kernel closes it however that one ends; this process
leaves then, and the guardian of the worker that it started ends that. The starter's folder is removed with it.
"""

import os
import runpy
import sys
import threading
import time
from pathlib import Path

from compiler.processes.leaving import leave_now
from compiler.processes.private_folder import remove_if_abandoned

_REMOVALS, _PAUSE_S = 20, 0.1


def _leave_with(descriptor: int, folder: Path) -> None:
    while os.read(descriptor, 4096):
        pass
    for _ in range(_REMOVALS):  # a dying process closes our pipe before it lets go of its folder's lock
        remove_if_abandoned(folder)
        if not folder.exists():
            break
        time.sleep(_PAUSE_S)
    leave_now(1)


def main() -> None:
    """Run the module as ``python -m`` would."""
    folder, module = Path(sys.argv[1]), sys.argv[2]
    pipe = os.dup(0)  # not inherited
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    threading.Thread(target=_leave_with, args=(pipe, folder), daemon=True).start()
    del sys.argv[1:3]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
