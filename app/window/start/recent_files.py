"""The programs and session files opened last."""

import os
from pathlib import Path

import msgspec
from PySide6.QtCore import QSettings

from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.capture.config_inputs import CONFIG, is_config
from compiler.model.capture.front_ends import SAVED
from compiler.model.ir.diagnostics import UNREADABLE

_KEY = "recent"
_SPECS = "recent_specs"
_MOST = 8
WITHOUT_VALUES = " without values"
"""Ends the name of a program that was captured so."""


def recent() -> tuple[str, ...]:
    """Paths of session files, and ``file.py:Name`` of programs, newest first; files that are gone are left out."""
    saved = QSettings().value(_KEY, [])
    names = [saved] if isinstance(saved, str) else list(saved) if isinstance(saved, list) else []
    return tuple(name for name in names if isinstance(name, str) and _is_there(name))


def remember(name: str, spec: CaptureSpec | None = None) -> None:
    """Put a name in front; of a program with how it was captured, which is the same again, on the files as they are then."""
    names = [name, *(other for other in recent() if other != name)][:_MOST]
    specs = {other: text for other, text in _specs().items() if other in names and other != name}
    if spec is not None:
        specs[name] = msgspec.json.encode(msgspec.structs.replace(spec, changes=())).decode()
    QSettings().setValue(_KEY, names)
    QSettings().setValue(_SPECS, msgspec.json.encode(specs).decode())


def spec_of_recent(name: str) -> CaptureSpec:
    """A program again as it was captured; where that was not noted, with its own example inputs."""
    try:
        return msgspec.json.decode(_specs()[name], type=CaptureSpec)
    except (KeyError, *UNREADABLE):
        return CaptureSpec(TargetSpec(*target_of_recent(name)), without_values=name.endswith(WITHOUT_VALUES))


def target_of_recent(name: str) -> tuple[str, str]:
    """A program's name as the engine wants it, and the folder it starts from."""
    name = name.removesuffix(WITHOUT_VALUES)
    file, _, thing = name.rpartition(":")
    path = Path(file)
    return (f"{path.name}:{thing}", str(path.parent)) if file.endswith(".py") else (name, str(Path.cwd()))


def _specs() -> dict[str, str]:
    """As JSON, by name."""
    try:
        return msgspec.json.decode(str(QSettings().value(_SPECS, "{}")), type=dict[str, str])
    except UNREADABLE:
        return {}


def remember_program(capture: Capture) -> None:
    """Put a program that was captured in front: by its file's whole path, since a later start may be in another folder. One
    that a session file brought is remembered as that file.
    """
    if capture.log is not None:
        remember(os.path.abspath(capture.log.path))
        return
    target = capture.spec.target
    file, colon, thing = target.name.rpartition(":")
    path = file if file.endswith(".py") else target.name if target.name.endswith((SAVED, CONFIG)) else ""
    without = WITHOUT_VALUES if capture.spec.without_values and not is_config(target.name) else ""
    if not path:
        remember(f"{target.name}{without}", capture.spec)
        return
    whole = os.path.abspath(Path(target.folder) / path)
    remember(f"{whole}{colon}{thing}{without}" if path == file else whole, capture.spec)


def is_file_to_open(name: str) -> bool:
    """Whether a name is that of a file that is opened by itself: a session, what torch.export saved, a configuration, a log."""
    return name.endswith((".loupe", SAVED, CONFIG, ".log", ".log.gz"))


def _is_there(name: str) -> bool:
    if is_file_to_open(name):
        return Path(name).is_file()
    file = name.rpartition(":")[0]
    return not file.endswith(".py") or Path(file).is_file()
