"""Round numbers along an axis."""


def ticks(span: float, most: int) -> list[float]:
    """At most so many round numbers from 0 to a length."""
    if span <= 0 or most < 1:
        return [0.0]
    step = 1.0
    while span / step > most:
        for factor in (2.0, 2.5, 2.0):
            step *= factor
            if span / step <= most:
                break
    return [index * step for index in range(int(span / step) + 1)]
