"""The one application object."""

from PySide6.QtWidgets import QApplication


def application() -> QApplication:
    """The application, made if there is none yet, under its own name."""
    app = QApplication.instance()
    made = app if isinstance(app, QApplication) else QApplication(["loupe"])
    made.setApplicationName("Torch Loupe")
    made.setOrganizationName("torch-loupe")
    return made
