"""Shared by all tests of the window: an open session, and the check that a test leaves nothing behind."""

import multiprocessing
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QStandardPaths
from PySide6.QtWidgets import QApplication

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))
QStandardPaths.setTestModeEnabled(True)
