"""Regular expressions whose time grows with the text only, whoever wrote them: RE2's, which never goes back."""

from collections.abc import Callable

try:
    import re2
except ImportError:  # no wheel for this platform: all but expressions works
    re2 = None

_MOST_CHARACTERS = 1000
_MOST_STEPS = 1000
"""Of the compiled program: at worst, each of them is looked at for each character."""


class ExpressionError(ValueError):
    """No expression that can be searched for. The message says why."""


def searcher(expression: str) -> Callable[[str], bool]:
    """Whether a text holds what the expression says, in any case. Raises ExpressionError."""
    if re2 is None:
        raise ExpressionError("this needs google-re2 (pip install google-re2)")
    if len(expression) > _MOST_CHARACTERS:
        raise ExpressionError(f"it is longer than {_MOST_CHARACTERS} characters")
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.never_capture = True
    try:
        compiled = re2.compile(_bytes(expression), options)
    except re2.error as error:
        raise ExpressionError(_format_error(error)) from error
    if compiled.programsize > _MOST_STEPS:
        raise ExpressionError("it repeats too much to be quick")
    return lambda text: compiled.search(_bytes(text)) is not None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")  # half of a pair can be typed; RE2 says that it is no UTF-8


def _format_error(error: Exception) -> str:
    said = error.args[0] if error.args else ""
    words = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    if "invalid perl operator" in words or "invalid escape" in words:
        return f"{words} (the syntax is RE2's: no looking ahead or behind, no \\1, and \\z for \\Z)"
    return words
