"""The lowering of kernels without its sandbox, to compare with."""

import runpy
from pathlib import Path

from compiler.processes import sandbox


def _stay(_folder: Path, _seconds: int) -> sandbox.Sandbox:
    return sandbox.Sandbox()


if __name__ == "__main__":
    sandbox.enter = _stay
    runpy.run_module("compiler.worker.lowering", run_name="__main__")
