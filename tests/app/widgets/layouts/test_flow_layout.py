"""Nothing is cut off in a bar, however narrow the pane."""

import pytest
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.widgets.layouts.flow_layout import FlowLayout


@pytest.mark.parametrize("width", [90, 200, 333, 2000])
def test_every_button_has_its_words(qtbot, width: int) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    bar = FlowLayout()
    buttons = [
        QPushButton(text, window) for text in ("Lower the kernel", "Lower all", "PTX", "SASS", "Triton IR")
    ]
    hidden = QPushButton("Cancel everything that runs", window)
    for button in (*buttons, hidden):
        bar.addWidget(button)
    hidden.hide()
    column.addLayout(bar)
    column.addStretch(1)
    window.resize(width, 400)
    window.show()
    places = [button.geometry() for button in buttons]
    for number, (button, place) in enumerate(zip(buttons, places, strict=True)):
        assert place.width() >= button.sizeHint().width()
        assert window.rect().contains(place) or width < button.sizeHint().width() + 30
        assert not any(place.intersects(other) for other in places[number + 1 :])
    rows = {place.top() for place in places}
    assert (len(rows) == 1) == (width == 2000)
