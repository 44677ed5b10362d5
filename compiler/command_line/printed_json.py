"""Output for programs."""

import msgspec


def print_json(value: object) -> None:
    """One line of JSON on standard output."""
    print(msgspec.json.encode(value).decode())
