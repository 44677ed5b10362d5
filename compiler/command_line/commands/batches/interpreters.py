"""Which Python has which torch."""

import json
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from compiler.command_line.worker_client import CommandFailedError

_ASK = (
    "import json, importlib.metadata as m, importlib.util as u; "
    "print(json.dumps([m.version('torch'), [n for n in ('msgspec', 're2', 'networkx', 'numpy') if u.find_spec(n) is None]]))"
)
_SECONDS = 60


def own_torch() -> str:
    """The version of the Python that runs this. Raises CommandFailedError."""
    try:
        return version("torch").partition("+")[0]
    except PackageNotFoundError as error:
        raise CommandFailedError("This Python has no torch.", "Name one with --python.") from error


def find_interpreters(wanted: set[str], given: dict[str, str], folder: Path) -> dict[str, tuple[str, str]]:
    """Version asked for → (the Python, empty for this one; the whole version there). Raises CommandFailedError."""
    return {name: _find(name, given, folder) for name in sorted(wanted)}


def _find(wanted: str, given: dict[str, str], folder: Path) -> tuple[str, str]:
    named = given.get(wanted)
    if named is None:
        own = own_torch()
        if _fits(own, wanted):
            return "", version("torch")
        what = f"No Python with torch {wanted} is named; this one has {own}."
        raise CommandFailedError(
            what, f"Give --python {wanted}=/path/to/python, or [python] in the manifest."
        )
    path = named if "/" not in named else str(folder / Path(named).expanduser())
    try:
        asked = subprocess.run(
            [path, "-c", _ASK], capture_output=True, text=True, timeout=_SECONDS, check=True, cwd="/"
        )
        found, missing = json.loads(asked.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        detail = getattr(error, "stderr", "") or str(error)
        what = f"{path} is no Python with torch: {str(detail).strip().splitlines()[-1]}."
        raise CommandFailedError(what, f"Correct --python {wanted}=….") from error
    if not _fits(found, wanted):
        raise CommandFailedError(f"{path} has torch {found}, not {wanted}.", "Name another.")
    if missing:
        what = f"{path} lacks {', '.join(missing)}, which Torch Loupe needs."
        raise CommandFailedError(what, f"{path} -m pip install torch-loupe")
    return ("" if Path(path) == Path(sys.executable) else path), found


def _fits(found: str, wanted: str) -> bool:
    plain = found.partition("+")[0]
    return wanted in (found, plain) or plain.startswith(f"{wanted}.")
