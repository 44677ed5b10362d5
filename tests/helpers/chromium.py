"""A real Chromium without a display, driven over pipes by its own protocol (DevTools)."""

import contextlib
import json
import os
import select
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.helpers.page_driver import PATIENCE, PageDriver

FOUND = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--window-size=1280,800",
    "--remote-debugging-pipe",
)


class Browser(PageDriver):
    """One page in a browser of its own. What it asked the network for is in `requests`."""

    def __init__(self, process: "subprocess.Popen[bytes]", to: int, back: int) -> None:
        self._process, self._to, self._back = process, to, back
        self._count = 0
        self._rest = b""
        self._session = ""
        self.events: list[dict[str, Any]] = []
        found = self._call("Target.getTargets")["targetInfos"]
        target = next(row["targetId"] for row in found if row["type"] == "page")
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self._call(f"{domain}.enable")
        self._call(
            "Emulation.setDeviceMetricsOverride", width=1280, height=800, deviceScaleFactor=1, mobile=False
        )

    def open(self, path: Path) -> None:
        """Show a page, and wait until its script is through."""
        self.events.clear()
        self._call("Page.navigate", url=path.as_uri())
        self.wait_until_ready()

    def ask(self, expression: str) -> Any:
        """What JavaScript says of the page, awaited."""
        answer = self._call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def mouse(self, kind: str, x: float, y: float, **more: float) -> None:
        """One event of the mouse."""
        self._call(
            "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1, buttons=1, **more
        )

    def key(self, name: str) -> None:
        """Press a key and let it go."""
        for kind in ("keyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", type=kind, key=name, text=name if len(name) == 1 else "")

    def look(self, dark: bool) -> None:
        """What the system prefers."""
        feature = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[feature])

    def picture(self, path: Path) -> None:
        """Write what is seen."""
        import base64

        path.write_bytes(base64.b64decode(self._call("Page.captureScreenshot")["data"]))

    @property
    def requests(self) -> list[str]:
        """Every address that was asked for."""
        self.ask("0")
        return [
            row["params"]["request"]["url"]
            for row in self.events
            if row.get("method") == "Network.requestWillBeSent"
        ]

    @property
    def complaints(self) -> list[str]:
        """What the browser says went wrong: exceptions, refusals, dialogs."""
        wrong = ("Runtime.exceptionThrown", "Log.entryAdded", "Page.javascriptDialogOpening")
        return [json.dumps(row["params"]) for row in self.events if row.get("method") in wrong]

    def _call(self, method: str, **parameters: object) -> dict[str, Any]:
        self._count += 1
        message: dict[str, object] = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            row = self._next()
            if row.get("id") == self._count:
                assert "error" not in row, row["error"]
                return row["result"]
            self.events.append(row)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._back], [], [], PATIENCE)
            assert ready, "the browser does not answer"
            part = os.read(self._back, 1 << 20)
            assert part, f"the browser ended with {self._process.poll()}"
            self._rest += part
        text, _, self._rest = self._rest.partition(b"\0")
        return json.loads(text)


@contextlib.contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """A browser with an empty profile in that folder; it and what it started are gone afterwards."""
    assert FOUND is not None
    there, to = os.pipe()
    back, here = os.pipe()
    # the protocol's pipes are the descriptors 3 and 4, whatever they are called here
    command = f'exec 8<&{there} 9>&{here}; exec 3<&8 4>&9 8<&- 9>&-; exec "$@"'
    process = subprocess.Popen(
        ["bash", "-c", command, "bash", FOUND, *_FLAGS, f"--user-data-dir={folder}", "about:blank"],
        pass_fds=(there, here),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(there)
    os.close(here)
    try:
        yield Browser(process, to, back)
    finally:
        with contextlib.suppress(OSError):
            os.write(to, json.dumps({"id": 0, "method": "Browser.close"}).encode() + b"\0")
        os.close(to)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        os.close(back)
