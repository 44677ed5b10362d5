"""Text of programs in tables that spreadsheets open: these execute what begins like a formula."""

_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def csv_cell(value: object) -> object:
    """The cell; text that a spreadsheet would take for a formula stands behind an apostrophe, as one types it there."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULAS) else value
