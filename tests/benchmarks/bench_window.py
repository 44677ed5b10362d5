"""Process start to painted window ÷ ``python -c "import torch"``."""

import os
import subprocess
import sys
import time

from tests.benchmarks.measuring import line, ratio

_PAINTED = """
import sys
from PySide6.QtCore import QTimer
from app.main import start_window
window, application = start_window([])
def painted():
    print("painted", flush=True)
    import os
    os._exit(0)
window.first_painted.connect(painted)
sys.exit(application.exec())
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
