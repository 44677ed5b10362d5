"""The partition of the joint graph that is looked at: every decision with its reason, choices by hand, the memory budget."""

from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QLabel,
    QPushButton,
    QSlider,
    QWidget,
)

from app.panes.partition_pane.curve_view import CurveView
from app.panes.partition_pane.decision_table import DecisionTable
from app.panes.partition_pane.wording import flops_text
from app.session.edit_builders.partition import choose_budget, choose_saved, chosen_budget, joint_of
from app.session.facade.session import Session
from app.session.facade.tried_edit import make_or_report
from app.theme import current
from app.translation.texts import tr, tr_noop
from app.widgets.buttons.allowed import allow
from app.widgets.empty_state import EmptyState
from app.widgets.labels.elided_label import ElidedLabel
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import Room, as_widget, column_of, set_column, set_pages, split_of
from app.widgets.layouts.flow_layout import FlowLayout
from compiler.model.edits.editable_stages import chooses_partition
from compiler.model.edits.edits import Edit, stages_of
from compiler.model.edits.partition_edits import ChooseMemoryBudget
from compiler.model.edits.stage_order import edits_before
from compiler.model.ir.ids import place
from compiler.model.ir.memory_budget_curve import CurvePoint
from compiler.model.ir.stage import JointStage, Partition, Stage
from compiler.model.ir.tensor_types import describe_bytes

_STEPS = 20
_NOT_CHOSEN = tr_noop(
    "AOTAutograd alone is cut as both partitioners choose; capture with torch.compile to choose by hand."
)
_MEASURED = (0.0, 0.25, 0.5, 0.75, 1.0)


class PartitionPane(QWidget):
    """Follows the stage in front. A choice is an edit like any other; recompiling carries it out."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("partition_pane")
        self._session = session
        self.summary = ElidedLabel("", self)
        self.table = DecisionTable(self)
        self.curve = CurveView(self)
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setAccessibleName(tr("Memory budget"))
        self.slider.setRange(0, _STEPS)
        self.slider.setToolTip(tr("How much of the memory that torch would keep at most may be kept"))
        self.forecast = WrappedLabel("", self)
        self.use = QPushButton(tr("Use this budget"), self)
        self.default = QPushButton(tr("Torch's own"), self)
        self.default.setToolTip(tr("Take the chosen budget back"))
        self.explore = QPushButton(tr("Show the curve"), self)
        self.explore.setToolTip(
            tr("Ask torch's partitioner what it would keep at each budget; compiles nothing")
        )
        self.measure = QPushButton(tr("Measure"), self)
        self.measure.setToolTip(
            tr("Compile five budgets and time a step with each; Esc cancels, what ran before goes on")
        )
        self.empty = EmptyState(
            tr("No partition"),
            tr("A graph that is trained has a joint graph, which torch cuts into a forward and a backward."),
            self,
        )
        self._stack = set_pages(self, self.empty, self._page())
        self.table.picked.connect(self._select)
        self.table.chosen.connect(self._choose)
        self.slider.valueChanged.connect(self._forecast)
        self.curve.budget_picked.connect(lambda budget: self.slider.setValue(round(budget * _STEPS)))
        self.use.clicked.connect(lambda: self._budget(self.slider.value() / _STEPS))
        self.default.clicked.connect(lambda: self._budget(None))
        self.explore.clicked.connect(self._explore)
        self.measure.clicked.connect(self._measure)
        for signal in (session.capture_changed, session.stage_changed, session.edits_changed):
            signal.connect(self.fill)
        session.partitions.changed.connect(self.fill)
        session.selection.changed.connect(self._follow)
        current.signals().changed.connect(self.fill)
        self.fill()

    def _page(self) -> QWidget:
        buttons = FlowLayout()
        for button in (self.use, self.default, self.explore, self.measure):
            buttons.addWidget(button)
        right = QWidget(self)
        set_column(
            right,
            QLabel(tr("Memory budget"), right),
            self.slider,
            self.forecast,
            buttons,
            (self.curve, 10),
            Room(),
            margins=(6, 0, 0, 4),
        )
        split = split_of(self.table, right, sizes=(560, 440), collapsible=True)
        return as_widget(column_of(self.summary, (split, 1), margins=(4, 4, 4, 0)), self)

    def sizeHint(self) -> QSize:
        return QSize(760, 300)

    # -- showing -----------------------------------------------------------------------------------------------

    def fill(self) -> None:
        """Show the decisions for the joint graph of the stage in front."""
        joint = self._joint()
        content = joint.content if joint is not None else None
        partition = content.partition if isinstance(content, JointStage) else None
        if joint is None or joint.graph is None or partition is None:
            self._stack.setCurrentIndex(0)
            return
        self._stack.setCurrentIndex(1)
        choices = {node.id: node.chosen for node in joint.graph.nodes if node.chosen}
        self.table.show_decisions(partition.decisions, choices)
        budget = chosen_budget(joint.graph)
        said = f"{joint.title} {joint.compile_id}: {_summary(partition, budget)}"
        self.summary.setText(said if chooses_partition(joint) else f"{said} · {tr(_NOT_CHOSEN)}")
        self.slider.blockSignals(True)
        self.slider.setValue(round((1.0 if budget is None else budget) * _STEPS))
        self.slider.blockSignals(False)
        asking = self._session.partitions.asking
        self.explore.setText(tr("Asking…") if asking == "explore" else tr("Show the curve"))
        self.measure.setText(tr("Measuring…") if asking == "measure" else tr("Measure"))
        chooses = chooses_partition(joint)
        for button in (self.explore, self.measure):
            allow(button, self._session.why_not_run or ("" if chooses else tr(_NOT_CHOSEN)), not asking)
        self.table.choosable = chooses
        self.use.setToolTip("" if chooses else tr(_NOT_CHOSEN))
        self.default.setEnabled(budget is not None)
        self._forecast()

    def _forecast(self) -> None:
        """Say what the partitioner would do at the budget that the slider stands at, where that is known."""
        joint = self._joint()
        if joint is None or joint.graph is None:
            return
        budget = self.slider.value() / _STEPS
        edits = self._edits(joint)
        points = self._session.partitions.points(joint.id, edits) or _own_curve(joint)
        found = next((point for point in points if point.budget == budget), None)
        self.curve.show_curve(points, self._session.partitions.measured(joint.id, edits), budget)
        self.curve.setVisible(bool(points))
        self.forecast.setText(_forecast_text(budget, found))
        chosen = chosen_budget(joint.graph)
        self.use.setEnabled(chooses_partition(joint) and budget != (1.0 if chosen is None else chosen))

    def _follow(self) -> None:
        joint = self._joint()
        if joint is not None:
            self.table.select(self._session.selection.pinned_in(joint.id))

    def _joint(self) -> Stage | None:
        capture = self._session.capture
        found = joint_of(capture, self._session.stage) if capture is not None else None
        return self._session.stage_with_edits(found.id) if found is not None else None

    def _edits(self, joint: Stage) -> tuple[Edit, ...]:
        """What the curve depends on: the edits of the joint graph but its budget, and those before it."""
        edits = self._session.edits
        before = edits_before(edits, joint.id)
        return tuple(
            edit
            for edit in edits
            if edit in before or (joint.id in stages_of(edit) and not isinstance(edit, ChooseMemoryBudget))
        )

    # -- asking ------------------------------------------------------------------------------------------------

    def _select(self, nodes: list[str]) -> None:
        joint = self._joint()
        if joint is not None:
            self._session.selection.select(place(joint.id, *nodes), sender=self)

    def _choose(self, saved: bool | None) -> None:
        joint = self._joint()
        if joint is not None and joint.graph is not None:
            make = partial(choose_saved, joint.id, joint.graph, tuple(self.table.selected_nodes()), saved)
            make_or_report(self._session, make, tr("Select other results."))

    def _budget(self, budget: float | None) -> None:
        joint = self._joint()
        if joint is not None:
            self._session.make_edit(choose_budget(joint.id, budget))

    def _explore(self) -> None:
        joint = self._joint()
        if joint is not None:
            self._session.partitions.explore(joint.id, self._edits(joint))

    def _measure(self) -> None:
        joint = self._joint()
        if joint is not None:
            self._session.partitions.measure(joint.id, self._edits(joint), _MEASURED)


def _own_curve(joint: Stage) -> tuple[CurvePoint, ...]:
    """The curve that the capture itself brought."""
    partition = joint.content.partition if isinstance(joint.content, JointStage) else None
    return partition.curve if partition is not None else ()


def _summary(partition: Partition, budget: float | None) -> str:
    kept = [row for row in partition.decisions if row.fate == "saved"]
    again = sum(row.fate == "recomputed" for row in partition.decisions)
    text = tr("{size} kept beside inputs, {count} saved, {again} recomputed").format(
        size=describe_bytes(partition.saved_bytes), count=len(kept), again=again
    )
    return (
        text if budget is None else tr("{text}, memory budget {budget:.0%}").format(text=text, budget=budget)
    )


def _forecast_text(budget: float, point: CurvePoint | None) -> str:
    if point is None:
        return f"{budget:.0%}"
    return tr(
        "{budget:.0%}: would keep {size} and repeat %n operation(s) ({flops}, estimated)",
        None,
        point.recomputed,
    ).format(budget=budget, size=describe_bytes(point.bytes), flops=flops_text(point.flops))
