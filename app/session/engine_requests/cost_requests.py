"""What the program costs."""

from app.session.engine_requests.search import TrialSearch
from compiler.model.experiments.costs import CostFound, CostTrial, CostTrialDone, FindCost
from compiler.model.experiments.trials import DimensionTrial


class CostSearch(TrialSearch):
    """What was last asked for, and that is `what`."""

    reported_by, answered_by = CostTrialDone, CostFound
    trials: list[CostTrial]
    found: CostFound | None
    what = ""

    def search(self, what: str, sizes: DimensionTrial | None) -> None:
        """Begin: one of `COSTS`; with recompiles the program is called with the sizes too."""
        self.what = what
        self._begin(FindCost(self._jobs.open_capture, what, self._edits(), sizes))
