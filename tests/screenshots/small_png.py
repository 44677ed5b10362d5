"""Pictures of windows as small PNG files of 256 colours: those used most, and those that nothing is near to."""

from pathlib import Path

import numpy
import numpy.typing
from PySide6.QtGui import QImage, qRgb

_COLORS = 256
_COMMON = 96
Colors = numpy.typing.NDArray[numpy.int32]


def write_small(image: QImage, path: Path) -> None:
    """Write a picture with a palette."""
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    width, height = plain.width(), plain.height()
    rows = numpy.frombuffer(plain.constBits(), dtype=numpy.uint8).reshape(height, plain.bytesPerLine())
    pixels = rows[:, : width * 3].reshape(-1, 3).astype(numpy.int32)
    codes, inverse, counts = numpy.unique(
        pixels @ numpy.array([65536, 256, 1]), return_inverse=True, return_counts=True
    )
    colors = numpy.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=1)
    palette = _palette(colors, counts)
    distances = ((colors[:, None, :] - palette[None, :, :]) ** 2).sum(axis=2)
    indices = distances.argmin(axis=1)[inverse].astype(numpy.uint8).reshape(height, width)
    padded = numpy.zeros((height, (width + 3) // 4 * 4), dtype=numpy.uint8)
    padded[:, :width] = indices
    made = QImage(padded.data, width, height, padded.shape[1], QImage.Format.Format_Indexed8)
    made.setColorTable([qRgb(*map(int, color)) for color in palette])
    made.save(str(path), "PNG", 0)


def _palette(colors: Colors, counts: Colors) -> Colors:
    """The most common colours, then one by one the colour whose pixels are worst off with what there is."""
    order = numpy.argsort(counts)[::-1]
    chosen = list(order[:_COMMON])
    nearest = ((colors[:, None, :] - colors[chosen][None, :, :]) ** 2).sum(axis=2).min(axis=1)
    weight = numpy.sqrt(counts)
    while len(chosen) < min(_COLORS, len(colors)):
        worst = int((nearest * weight).argmax())
        chosen.append(worst)
        nearest = numpy.minimum(nearest, ((colors - colors[worst]) ** 2).sum(axis=1))
    return colors[chosen]
