"""Going from one workspace to the next in the window as it comes up: in a process of its own, as Qt's tab bars depend on all that
a process drew before.
"""

import os
import sys
from pathlib import Path

import pytest

from tests.end_to_end.conftest import EXAMPLES
from tests.helpers.finished_process import ran

_PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QTabBar
from tests.screenshots.stage_hand import StageHand

hand = StageHand(Path(sys.argv[1]))
try:
    hand.window.resize(QSize(1280, 800))
    hand.capture_as_it_comes("mlp.py:MLP", Path(sys.argv[2]))
    area = hand.window.show_panes()
    for name in ("explore", "edit", "performance", "run"):
        hand.window.show_workspace(name)
        hand.settle()
        bars = [bar for bar in area.findChildren(QTabBar) if bar.parent() is area and bar.isVisible()]
        fronts = [dock for dock in area.docks.values() if not dock.visibleRegion().isEmpty()]
        groups = sorted(dock.windowTitle() for dock in fronts if area.tabifiedDockWidgets(dock))
        shown = sorted(bar.tabText(bar.currentIndex()) for bar in bars)
        assert shown == groups, (name, shown, groups)
finally:
    hand.close()
"""


@pytest.mark.thorough
def test_every_group_has_its_tab_bar(tmp_path: Path) -> None:
    """*Run* came up without one, as the first after *Performance*: Qt had made it and did not show it."""
    done = ran(
        [sys.executable, "-c", _PROGRAM, str(tmp_path), str(EXAMPLES)],
        Path(__file__).resolve().parents[2],
        {**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        timeout=110,
    )
    assert done.returncode == 0, done.stderr[-2000:]
