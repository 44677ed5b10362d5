"""What may be typed to find nodes, as a tooltip."""

from compiler.analysis.queries.query_language import KEYS

QUERY_HELP = "Terms side by side all have to hold; -term turns one round, a|b is either.\n" + "\n".join(
    f"{key}:  {about}" for key, about in KEYS.items()
)
