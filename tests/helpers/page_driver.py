"""What driving a page is in every browser: waiting until its script is through, and clicking what a selector finds."""

import abc
import json
import time
from typing import Any

PATIENCE = 60.0
"""Seconds that a browser may take for anything."""


class PageDriver(abc.ABC):
    """One page in a browser of its own."""

    @abc.abstractmethod
    def ask(self, expression: str) -> Any:
        """What JavaScript says of the page, awaited."""

    @abc.abstractmethod
    def mouse(self, kind: str, x: float, y: float, **more: float) -> None:
        """One event of the mouse, by Chromium's names."""

    @property
    @abc.abstractmethod
    def complaints(self) -> list[str]:
        """What the browser says went wrong."""

    def wait_for(self, expression: str, wanted: object) -> None:
        """Until the page says so."""
        end = time.monotonic() + PATIENCE
        while self.ask(expression) != wanted:
            assert time.monotonic() < end, self.complaints
            time.sleep(0.02)

    def wait_until_ready(self) -> None:
        """Until its script is through."""
        self.wait_for("document.documentElement?.dataset.ready", "yes")

    def click(self, selector: str) -> None:
        """Press and let go of the mouse in the middle of what the selector finds first."""
        box = self.ask(
            f"(() => {{ const one = document.querySelector({json.dumps(selector)}); one.scrollIntoView({{block: 'nearest'}});"
            "const at = one.getBoundingClientRect(); return [at.x + Math.min(at.width / 2, 60), at.y + at.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, *box)
