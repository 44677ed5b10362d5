"""Reading a ``config.json``, which may be a stranger's: what in it names code to load is left out."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from compiler.engine.errors import EngineError
from compiler.model.ir.diagnostics import UNREADABLE
from compiler.model.session_file.reading_limits import TooLargeError, read_plain

_NAMES_CODE = ("auto_map", "trust_remote_code", "custom_pipelines", "_name_or_path", "name_or_path")
_CHOOSES_CODE = ("_implementation", "_implementation_internal")
_OF_TORCH = ("eager", "sdpa", "flex_attention", "grouped_mm", "batched_mm")
"""Implementations of attention and of experts that need no code from elsewhere."""


class _Head(msgspec.Struct):
    """What a configuration has at least."""

    model_type: str


def read_config(path: Path) -> dict[str, Any]:
    """The fields, without what names code. Raises EngineError."""
    try:
        text = read_plain(path)
        msgspec.json.decode(text, type=_Head)
        fields: dict[str, Any] = msgspec.json.decode(text)
    except OSError as error:
        raise EngineError(
            f"{path} cannot be read: {error.strerror}.", "Check the path.", path=str(path)
        ) from error
    except (*UNREADABLE, TooLargeError) as error:
        raise EngineError(
            f"{path} is no configuration of transformers: {error}.",
            "Take the config.json of a model of Hugging Face, or write a target as file.py:Name.",
            path=str(path),
        ) from error
    return without_code(fields)


def without_code(fields: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration without what names code to load: files of its repository, kernels of the Hub."""
    kept: dict[str, Any] = {}
    for key, value in fields.items():
        if key in _NAMES_CODE or (key.endswith(_CHOOSES_CODE) and value not in _OF_TORCH):
            continue
        kept[key] = _cleaned(value)
    return kept


def _cleaned(value: Any) -> Any:
    if isinstance(value, dict):
        return without_code(value)
    return [_cleaned(item) for item in value] if isinstance(value, list) else value
