"""Heat: the colours of amounts, the same for boxes of the graph and for lines of the program."""

from app.theme.colors import Colors
from app.theme.palette import blend

_STEPS = 5


def heat_ramp(colors: Colors) -> tuple[str, ...]:
    """From hardly there to the colour of a warning, all of which text can still be read on."""
    strengths = [0.08 + 0.62 * step / (_STEPS - 1) for step in range(_STEPS)]
    return tuple(blend(colors.node, colors.warning, strength) for strength in strengths)
