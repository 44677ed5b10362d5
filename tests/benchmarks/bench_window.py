"""Process start to painted window ÷ ``python -c "import torch"``.

Both from compiled files, as on every start but the first, also where the environment forbids Python to write them.
"""

import os
import subprocess
import sys
import tempfile
import time

from tests.benchmarks.measuring import line, ratio

_PAINTED = """
import contextlib, os
from app import __main__ as entry
plain = entry.loading_libraries.loading

@contextlib.contextmanager
def loading():
    with plain():
        yield
        from app.engine_client.engine_client import EngineClient
        EngineClient.start = lambda self: os._exit(0)  # the engine is started right after the first paint

entry.loading_libraries.loading = loading
entry.main([])
"""
"""As the command `loupe` does it."""


def _seconds(code: str, compiled: str) -> float:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    environment["PYTHONPYCACHEPREFIX"] = compiled
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    return time.perf_counter() - started


def main(repeats: int = 7) -> None:
    """Print the figures."""
    print("Window painted against import torch (fresh processes, interleaved)")
    window: list[float] = []
    torch: list[float] = []
    with tempfile.TemporaryDirectory() as compiled:
        _seconds("import torch", compiled)
        _seconds(_PAINTED, compiled)
        for _ in range(repeats):
            window.append(_seconds(_PAINTED, compiled))
            torch.append(_seconds("import torch", compiled))
    line("window painted", window)
    line("import torch", torch)
    ratio("window painted ÷ import torch", window, torch, "≤ 0.3")


if __name__ == "__main__":
    main()
