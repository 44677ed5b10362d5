"""Where our modules are found, in a checkout; from a wheel see tests/packaging."""

import os
import site
from pathlib import Path

import pytest

from compiler import installation

ROOT = Path(__file__).resolve().parents[2]


def test_in_a_checkout_our_folder_comes_before_what_was_inherited() -> None:
    assert installation.python_path(None) == str(ROOT)
    assert installation.python_path("/theirs") == f"{ROOT}{os.pathsep}/theirs"
    assert (installation.RESOURCES / "icons" / "loupe.svg").is_file()
    assert "compiler" in installation.OUR_PACKAGES


def test_installed_packages_are_not_put_before_pythons_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "getsitepackages", lambda: [str(ROOT)])
    assert installation.python_path(None) == ""
    assert installation.python_path("/theirs") == "/theirs"
