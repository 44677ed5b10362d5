"""Icons on a screen with twice the pixels."""

import os
import sys
from pathlib import Path

import pytest

from tests.helpers.finished_process import ran

_DRAWN = """
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon, QRegion, QBitmap
from PySide6.QtWidgets import QApplication
app = QApplication([])
from app.theme.icons import icon
for mode in (QIcon.Mode.Normal, QIcon.Mode.Disabled):
    pixmap = icon("undo").pixmap(QSize(20, 20), app.primaryScreen().devicePixelRatio(), mode)
    image = pixmap.toImage()
    rows = [y for y in range(image.height()) if any(image.pixelColor(x, y).alpha() for x in range(image.width()))]
    columns = [x for x in range(image.width()) if any(image.pixelColor(x, y).alpha() for y in range(image.height()))]
    print(pixmap.devicePixelRatio(), pixmap.width(), rows[0], rows[-1], columns[0], columns[-1])
"""


@pytest.mark.parametrize("scale", ["1", "2"])
def test_a_disabled_icon_is_as_large_as_one_that_is_not(scale: str) -> None:
    done = ran(
        [sys.executable, "-c", _DRAWN],
        Path(__file__).parents[3],
        {**os.environ, "QT_SCALE_FACTOR": scale, "QT_QPA_PLATFORM": "offscreen"},
        check=True,
    )
    normal, disabled = done.stdout.splitlines()
    assert normal == disabled
    assert normal.split()[0] == f"{scale}.0"
