"""Output for programs."""

from typing import TextIO

import msgspec


def print_json(value: object, stream: TextIO | None = None) -> None:
    """One line of JSON, on standard output unless a stream is given."""
    print(msgspec.json.encode(value).decode(), file=stream)
