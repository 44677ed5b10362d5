"""Why code that was compiled before did not fit, from the texts in which torch says so."""

from collections.abc import Iterator

import msgspec

from compiler.model.ir.diagnostics import UNREADABLE

_LONGEST = 1000
_MOST = 16
"""Reasons of one compile: torch gives one for each earlier one."""


def recompile_reasons(text: str) -> Iterator[str]:
    """One reason for each earlier code that was tried, the user's stack left out."""
    found: object = text
    if text.lstrip().startswith(("[", '"')):
        try:
            found = msgspec.json.decode(text)
        except UNREADABLE:
            found = text
    rows = [item for item in found if isinstance(item, str)] if isinstance(found, list) else []
    for item in (rows or [found if isinstance(found, str) else text])[:_MOST]:
        yield item.partition("\nUser stack trace")[0].strip()[:_LONGEST]
