"""Text that is too long for its place, cut so that the reader sees that it is."""


def shortened(text: str, most: int = 220) -> str:
    """The beginning of a long text."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
