"""The few words of a tour's card that no tour brings itself, and names of the window as the window shows them."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache

from app.actions.action_set import menu_title
from app.translation.compiler_texts import translate_fixed_text
from app.translation.texts import tr
from compiler.analysis.tours.tour import FIRST_LANGUAGE
from compiler.installation import RESOURCES


@dataclass(frozen=True)
class CardTexts:
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
def words(language: str) -> CardTexts:
    """From ``resources/tours/card_words/card.toml``."""
    texts = tomllib.loads((RESOURCES / "tours" / "card_words" / "card.toml").read_text(encoding="utf-8"))
    return CardTexts(**{**texts[FIRST_LANGUAGE], **texts.get(language, {})})


def with_names_shown(text: str) -> str:
    """What stands in asterisks names something of the window, in English: a pane, a button, ``Menu → Entry``. It is reported in the
    language of the window, whichever the tour is read in; a name that the window does not have stays.
    """
    return _NAME.sub(lambda found: f"*{_ARROW.join(map(_shown, found.group(1).split(_ARROW)))}*", text)


_NAME = re.compile(r"\*([^*]+)\*")
_ARROW = " → "


def _shown(name: str) -> str:
    """Menu entries that ask for more are named without their ``…``."""
    asking = f"{name}…"
    candidates = (menu_title(name), tr(name), translate_fixed_text(name), tr(asking).removesuffix("…"))
    return next((shown for shown in candidates if shown != name), name)
