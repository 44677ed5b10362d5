"""What may be typed to find nodes, as a tooltip."""

from app.translation.texts import tr
from compiler.analysis.queries.query_language import KEYS


def query_help() -> str:
    """How terms are joined, then each key with what it means."""
    about = tr("Terms side by side all have to hold; -term turns one round, a|b is either.")
    return "\n".join((about, *(f"{key}:  {words}" for key, words in KEYS.items())))
