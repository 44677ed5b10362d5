"""A real Firefox without a display, driven over a socket by its own protocol (Marionette)."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.helpers.page_driver import PATIENCE, PageDriver

FOUND = shutil.which("firefox") or shutil.which("firefox-esr")
_PREFERENCES = {
    "marionette.port": 0,  # any that is free; it is written into the profile
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "browser.tabs.remote.autostart": True,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.server": "",
}
_KEYS = {"Escape": "\ue00c", "ArrowDown": "\ue015"}
_WATCH = """
if (!globalThis.askedFor) {
    globalThis.askedFor = [];
    const ofPage = (channel) => channel.loadInfo?.loadingPrincipal?.spec?.startsWith("file:");
    const watch = (one) => {
        const channel = one.QueryInterface(Ci.nsIHttpChannel);
        if (ofPage(channel)) globalThis.askedFor.push(channel.URI.spec);
    };
    Services.obs.addObserver(watch, "http-on-modify-request");
}
globalThis.askedFor.length = 0;
Services.console.reset();
"""
_ERRORS = """
return Services.console.getMessageArray()
    .filter((one) => one instanceof Ci.nsIScriptError && !(one.flags & Ci.nsIScriptError.warningFlag))
    .filter((one) => one.sourceName.startsWith("file:"))
    .map((one) => one.errorMessage);
"""


class Browser(PageDriver):
    """One page in a browser of its own; the same calls as Chromium's."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._rest = b""
        self._count = 0
        self._read()
        self._call("WebDriver:NewSession")
        self._call("WebDriver:SetWindowRect", width=1280, height=886)

    def open(self, path: Path) -> None:
        """Show a page, and wait until its script is through."""
        self._inside(_WATCH)
        self._call("WebDriver:Navigate", url=path.as_uri())
        self.wait_until_ready()

    def ask(self, expression: str) -> Any:
        """What JavaScript says of the page, awaited."""
        script = f"return {expression.rstrip().removesuffix(';')}"
        return self._call("WebDriver:ExecuteScript", script=script, args=[])["value"]

    def mouse(self, kind: str, x: float, y: float, **more: float) -> None:
        """One event of the mouse."""
        if kind == "mouseWheel":
            turn = {"type": "scroll", "x": round(x), "y": round(y), "duration": 0, **more}
            self._act("wheel", "wheel", turn)
            return
        acts: list[dict[str, object]] = [{"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}]
        if kind != "mouseMoved":
            acts.append({"type": "pointerDown" if kind == "mousePressed" else "pointerUp", "button": 0})
        self._act("pointer", "mouse", *acts)

    def key(self, name: str) -> None:
        """Press a key and let it go."""
        value = _KEYS.get(name, name)
        self._act("key", "keys", {"type": "keyDown", "value": value}, {"type": "keyUp", "value": value})

    def look(self, dark: bool) -> None:
        """What the system prefers."""
        name = "layout.css.prefers-color-scheme.content-override"
        self._inside(f"Services.prefs.setIntPref('{name}', {0 if dark else 1});")
        self.wait_for("matchMedia('(prefers-color-scheme: dark)').matches", dark)

    @property
    def requests(self) -> list[str]:
        """Every address that the page asked for; the browser asks for its own besides."""
        seen = "[location.href, ...performance.getEntriesByType('resource').map((one) => one.name)]"
        asked = [*self.ask(seen), *self._inside("return globalThis.askedFor;")]
        return list(dict.fromkeys(asked))

    @property
    def complaints(self) -> list[str]:
        """What the browser says went wrong in pages: exceptions and refusals."""
        return list(self._inside(_ERRORS))

    def _inside(self, script: str) -> Any:
        """Run by the browser itself, not by the page."""
        self._call("Marionette:SetContext", value="chrome")
        try:
            return self._call("WebDriver:ExecuteScript", script=script, args=[], sandbox="system")["value"]
        finally:
            self._call("Marionette:SetContext", value="content")

    def _act(self, kind: str, name: str, *acts: dict[str, object]) -> None:
        self._call("WebDriver:PerformActions", actions=[{"type": kind, "id": name, "actions": list(acts)}])

    def _call(self, command: str, **parameters: object) -> dict[str, Any]:
        self._count += 1
        text = json.dumps([0, self._count, command, parameters]).encode()
        self._connection.sendall(b"%d:%s" % (len(text), text))
        _, number, error, result = self._read()
        assert number == self._count
        assert error is None, error
        return result or {}

    def _read(self) -> Any:
        while b":" not in self._rest:
            self._more()
        length, _, self._rest = self._rest.partition(b":")
        while len(self._rest) < int(length):
            self._more()
        text, self._rest = self._rest[: int(length)], self._rest[int(length) :]
        return json.loads(text)

    def _more(self) -> None:
        part = self._connection.recv(1 << 20)
        assert part, "the browser ended"
        self._rest += part


@contextlib.contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """A browser with an empty profile in that folder; it and what it started are gone afterwards."""
    assert FOUND is not None
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in _PREFERENCES.items())
    (folder / "user.js").write_text("\n".join(lines))
    home = folder / "home"
    home.mkdir()
    flags = [
        "--headless",
        "--marionette",
        "--remote-allow-system-access",
        "--no-remote",
        "--profile",
        str(folder),
    ]
    process = subprocess.Popen(
        [FOUND, *flags],
        env=os.environ | {"HOME": str(home), "MOZ_HEADLESS_WIDTH": "1280", "MOZ_HEADLESS_HEIGHT": "900"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        with socket.create_connection(("127.0.0.1", _port(folder, process)), timeout=PATIENCE) as connection:
            yield Browser(connection)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _port(folder: Path, process: "subprocess.Popen[bytes]") -> int:
    reported, end = folder / "MarionetteActivePort", time.monotonic() + PATIENCE
    while not (reported.is_file() and reported.read_text().strip()):
        assert process.poll() is None, "Firefox ended"
        assert time.monotonic() < end, "Firefox does not come up"
        time.sleep(0.05)
    return int(reported.read_text())
