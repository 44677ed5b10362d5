"""Process start to painted window ÷ ``python -c "import torch"``."""

import os
import subprocess
import sys
import time

from tests.benchmarks.measuring import line, ratio

_PAINTED = """
import os
from app.engine_client.engine_client import EngineClient
EngineClient.start = lambda self: os._exit(0)  # the engine is started right after the first paint
from app.main import run_window
run_window(None, None)
"""


def _seconds(code: str) -> float:
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen")},
    )
    return time.perf_counter() - started


def main(repeats: int = 7) -> None:
    """Print the figures."""
    print("Window painted against import torch (fresh processes, interleaved)")
    window: list[float] = []
    torch: list[float] = []
    _seconds("import torch")
    _seconds(_PAINTED)
    for _ in range(repeats):
        window.append(_seconds(_PAINTED))
        torch.append(_seconds("import torch"))
    line("window painted", window)
    line("import torch", torch)
    ratio("window painted ÷ import torch", window, torch, "≤ 0.3")


if __name__ == "__main__":
    main()
