"""How a sentence with fields is put: as it stands, or in another language by whoever shows it."""

from typing import Protocol


class Translate(Protocol):
    """Fills the fields of a fixed sentence."""

    def __call__(self, sentence: str, /, **fields: object) -> str:
        """`sentence` is one of ours, with fields as `str.format` has them."""


def in_english(sentence: str, /, **fields: object) -> str:
    """As it stands."""
    return sentence.format(**fields)
