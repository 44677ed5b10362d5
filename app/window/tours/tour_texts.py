"""The few words of a tour's card that no tour brings itself."""

import tomllib
from dataclasses import dataclass
from functools import cache

from compiler.analysis.tours.tour import FIRST_LANGUAGE
from compiler.installation import RESOURCES


@dataclass(frozen=True)
class CardWords:
    """In one language."""

    back: str
    next: str
    end: str
    show_me: str
    waiting: str
    done: str
    capturing: str
    failed: str
    choose: str
    start: str
    open_file: str


@cache
def words(language: str) -> CardWords:
    """From ``resources/tours/card_words/card.toml``."""
    texts = tomllib.loads((RESOURCES / "tours" / "card_words" / "card.toml").read_text(encoding="utf-8"))
    return CardWords(**{**texts[FIRST_LANGUAGE], **texts.get(language, {})})
