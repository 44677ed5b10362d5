from app.session.facade.checklist import Checklist
from compiler.model.protocol.progress import Phase, Step


def after(*steps: Step) -> Checklist:
    made = Checklist()
    for now, step in enumerate(steps):
        made.take(step, float(now))
    return made


def test_phases_are_listed_when_they_begin() -> None:
    assert after(Step(Phase.DYNAMO)).text == "Dynamo …"
    made = after(Step(Phase.DYNAMO, 1), Step(Phase.AOT_AUTOGRAD, 1), Step(Phase.INDUCTOR, 1))
    assert made.text == "graph 1: Dynamo ✓ · AOTAutograd ✓ · Inductor …"


def test_the_next_graph_begins_a_new_list() -> None:
    made = after(Step(Phase.DYNAMO, 1), Step(Phase.KERNELS, 1), Step(Phase.RUNNING), Step(Phase.DYNAMO))
    assert made.text == "Dynamo …"
    made.take(Step(Phase.DYNAMO, 2), 5.0)
    assert made.text == "graph 2: Dynamo …"


def test_what_passes_is_not_kept() -> None:
    made = after(
        Step(Phase.LOADING), Step(Phase.DYNAMO, 1), Step(Phase.KERNELS, 1, 1, 2), Step(Phase.RUNNING)
    )
    assert made.text == "graph 1: Dynamo ✓ · kernels ✓ · running …"


def test_time_left_is_reported_of_what_is_counted_only() -> None:
    made = after(Step(Phase.INDUCTOR, 1))
    assert made.part is None
    assert made.seconds_left(9.0) is None
    made = after(Step(Phase.KERNELS, 1, 0, 8), Step(Phase.KERNELS, 1, 1, 8))
    assert made.part == 1 / 8
    assert made.seconds_left(1.0) is None
    made.take(Step(Phase.KERNELS, 1, 2, 8), 2.0)
    assert made.seconds_left(2.0) == 6.0
