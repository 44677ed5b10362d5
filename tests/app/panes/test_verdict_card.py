"""The bar of a ratio: faster to the left, one in the middle, always inside."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.panes.history_pane.verdict_card import RatioBar
from compiler.model.timing.paired_ratio import PairedRatio

RATIOS = st.floats(1e-4, 1e4)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.tuples(RATIOS, RATIOS, RATIOS).map(sorted))
def test_places_keep_their_order(qtbot, ends: list[float]) -> None:
    low, ratio, high = ends
    bar = RatioBar()
    qtbot.addWidget(bar)
    bar.show_ratio(PairedRatio(ratio, low, high, 20))
    places = [bar.place_of(value) for value in (low, ratio, high)]
    assert places == sorted(places)
    assert all(0 <= place <= 1 for place in places)
    assert bar.place_of(1.0) == 0.5
    assert (bar.place_of(ratio) < 0.5) == (ratio < 1)
