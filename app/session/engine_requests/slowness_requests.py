"""The search for what makes the step slow."""

from app.session.engine_requests.search import TrialSearch
from compiler.model.experiments.slowness import FindSlowness, SlownessFound, SpeedTrial, SpeedTrialDone


class SlownessSearch(TrialSearch):
    """What was last asked for."""

    reported_by, answered_by = SpeedTrialDone, SlownessFound
    trials: list[SpeedTrial]
    found: SlownessFound | None

    def search(self, limit: int, anyway: bool) -> None:
        """Begin. `limit`: nanoseconds that a step may take, 0: as long as eager's."""
        self._begin(FindSlowness(self._jobs.open_capture, self._edits(), limit, anyway=anyway))
