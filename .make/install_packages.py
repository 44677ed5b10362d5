"""``python .make/install_packages.py ARGUMENTS``: ``pip install ARGUMENTS``, by uv where it can be had, in a third of the time.

uv reads none of pip's settings, so it is handed those that say where packages come from, and takes the newest version of all
indexes, as pip does. Where a setting has no counterpart there, or uv does not manage, pip does it.
"""

import ast
import os
import subprocess
import sys
import tempfile

_OPTIONS = {
    "index-url": "--index-url",
    "extra-index-url": "--extra-index-url",
    "find-links": "--find-links",
    "constraint": "--constraint",
    "trusted-host": "--allow-insecure-host",
}
_WITHOUT_MEANING = {
    "timeout",
    "default-timeout",
    "disable-pip-version-check",
    "cert",
    "no-cache-dir",
    "root-user-action",
}
_PIP = (sys.executable, "-m", "pip")


def main(arguments: list[str]) -> int:
    """The exit status of what installed."""
    pip = [*_PIP, "install", "-q", "--disable-pip-version-check", "--no-compile"]
    settings = _settings()
    options = _handed_on(settings)
    if options is not None and subprocess.run([*pip, "uv"], capture_output=True, check=False).returncode == 0:
        command = [sys.executable, "-m", "uv", "pip", "install", "-q", "--python", sys.executable]
        command += ["--index-strategy", "unsafe-best-match", *options, *arguments]
        environment = os.environ | ({"SSL_CERT_FILE": settings["cert"]} if "cert" in settings else {})
        # Unpacked beside where it goes, and linked from there: written once
        with tempfile.TemporaryDirectory(dir=sys.prefix) as cache:
            command += ["--cache-dir", cache, "--link-mode", "hardlink"]
            if subprocess.run(command, capture_output=True, env=environment, check=False).returncode == 0:
                return 0
    return subprocess.run([*pip, *arguments], check=False).returncode


def _settings() -> dict[str, str]:
    listed = subprocess.run([*_PIP, "config", "list"], capture_output=True, text=True, check=True).stdout
    rows = (line.partition("=") for line in listed.splitlines())
    return {key.rpartition(".")[2]: str(ast.literal_eval(value)) for key, _, value in rows}


def _handed_on(settings: dict[str, str]) -> list[str] | None:
    """Pip's settings as options of uv; None where one of them is none that we know."""
    options = []
    for name, value in settings.items():
        if name in _OPTIONS:
            options += [text for part in value.split() for text in (_OPTIONS[name], part)]
        elif name not in _WITHOUT_MEANING:
            return None
    return options


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
