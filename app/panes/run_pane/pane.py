"""A run at a glance: what it is doing, where its time went, and every compile with its cause."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QWidget,
)

from app.panes.run_pane.compile_table import CompileTable
from app.panes.run_pane.edit_bar import EditBar
from app.panes.run_pane.missed_processes import missed_text
from app.panes.run_pane.run_timeline import RunLane, RunTimeline, color_of
from app.panes.run_pane.share_bar import ShareBar
from app.panes.run_pane.stop_bar import StopBar
from app.session.facade.chosen_line import select_line
from app.session.facade.session import Session
from app.session.running.run_follower import RunRow
from app.theme import current, fonts
from app.translation.texts import tr
from app.widgets.empty_state import EmptyState
from app.widgets.labels.link_label import LinkLabel, RichText
from app.widgets.labels.wrapped_label import WrappedLabel
from app.widgets.layouts.boxes import Room, as_widget, column_of, row_of, scroll_of, set_column, set_pages
from app.widgets.legend_strip import LegendEntry, LegendStrip
from compiler.analysis.running.compile_bars import CompileBar
from compiler.analysis.running.format_run import (
    memory_text,
    share_sentence,
    shares,
    state_sentence,
    steps_text,
)
from compiler.analysis.running.run_summary import CompileRow, RunSummary, summary_of_run
from compiler.analysis.running.steps import step_times
from compiler.model.ir.graph import SourceLine

_MOST_LANES_HIGH = 200
"""Pixels of timeline from which on it scrolls."""
_FLAT = 2.2
"""From this ratio of width to height on, a pane is flat."""


class RunPane(QWidget):
    """Follows the session's run; a click on a compile shows it in every pane."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("run_pane")
        self._session = session
        self._summaries: dict[int, tuple[object, RunSummary]] = {}
        self._storm_lines: tuple[SourceLine, ...] = ()
        self.headline = WrappedLabel("", self)
        self.headline.setFont(fonts.interface(1.1, bold=True))
        self.steps = WrappedLabel("", self)
        self.shares = ShareBar(self)
        self.stops = StopBar(self)
        self.stops.wanted.connect(self._stop_at)
        self.stops.go_on.connect(lambda: session.run.go_on(session.run.shown))
        self.edits = EditBar(self)
        self.edits.take_back.connect(session.take_back_in_program)
        self.ranks = LinkLabel(self)
        self.ranks.link_clicked.connect(
            lambda which: session.ranks.show() if which else self._show_difference()
        )
        self.missed = WrappedLabel("", self)
        self.missed.setObjectName("missed_processes")
        self.missed.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.storms = LinkLabel(self)
        self.storms.link_clicked.connect(self._show_storm)
        self.timeline = RunTimeline(self)
        self.timeline.compile_clicked.connect(self._show_bar)
        self.timeline.lane_clicked.connect(session.run.show)
        self._scroll = scroll_of(self.timeline, tr("Timeline of the run"), self)
        self.legend = LegendStrip(self)
        self.table = CompileTable(self)
        self.table.picked.connect(self._show_row)
        page = QWidget(self)
        controls = as_widget(row_of((self.edits, 1), (self.stops, 1), margins=0), page)
        drawing = column_of(self._scroll, self.legend, Room(0))
        self._body = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._body.setSpacing(6)
        self._body.addLayout(drawing)
        self._body.addWidget(self.table, 1)
        set_column(
            page,
            self.headline,
            self.steps,
            self.shares,
            controls,
            self.missed,
            self.ranks,
            self.storms,
            (self._body, 1),
            margins=(8, 6, 8, 0),
            spacing=6,
        )
        self.empty = EmptyState("", "", self)
        self._page = page
        self._stack = set_pages(self, self.empty, page)
        session.run.changed.connect(self.fill)
        session.run_requests.changed.connect(self.fill)
        session.ranks.changed.connect(self.fill)
        session.capture_changed.connect(self.fill)
        session.stage_changed.connect(self._mark_shown)
        current.signals().changed.connect(self.fill)
        self.fill()

    def sizeHint(self) -> QSize:
        return QSize(760, 320)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The timeline above the table in a tall dock, beside it in a flat one."""
        super().resizeEvent(event)
        flat = self.width() > _FLAT * self.height()
        self._body.setDirection(
            QBoxLayout.Direction.LeftToRight if flat else QBoxLayout.Direction.TopToBottom
        )
        self._body.setStretch(0, 1 if flat else 0)

    def fill(self) -> None:
        """Show the run as far as it is known."""
        rows, shown = self._session.run.rows, self._session.run.shown
        row = rows[shown] if shown < len(rows) else None
        self._stack.setCurrentWidget(self._page if row is not None else self.empty)
        if row is None:
            self.empty.show_text(*_nothing(self._session))
            return
        summaries = [self._summary(index, each) for index, each in enumerate(rows)]
        self.timeline.show_lanes(tuple(map(_lane, rows, summaries)), shown)
        self._scroll.setFixedHeight(min(self.timeline.minimumHeight(), _MOST_LANES_HIGH))
        bars = [bar for summary in summaries if summary is not None for bar in summary.bars]
        self.legend.set_entries(_legend(bars, any(row.story.edits for row in rows)))
        summary = summaries[shown]
        self.headline.setText(
            state_sentence(row.title, row.doing, row.following, row.stopped is not None, row.story)
        )
        self.steps.setVisible(summary is not None and bool(summary.steps.count))
        self.shares.setVisible(summary is not None)
        self.stops.setVisible(row.following)
        self.stops.show_state(row.title, self._session.run.breaks, row.stopped)
        effects = summary.effects if summary is not None else ()
        self.edits.show_state(effects, self._session.run_requests.editable, self._session.run_requests.busy)
        self._show_missed()
        self._show_storms(summary)
        self._show_ranks(rows)
        self.table.show_rows(summary.compiles if summary is not None else ())
        if summary is not None:
            reported = filter(None, (steps_text(summary), memory_text(row.story)))
            self.steps.setText(" · ".join(reported))
            self.shares.show_shares(shares(summary), share_sentence(summary))
        self._mark_shown()

    def _summary(self, index: int, row: RunRow) -> RunSummary | None:
        """Made again only where something was reported."""
        if row.capture is None:
            return None
        state = row.capture, row.story
        known = self._summaries.get(index)
        key = id(row.capture), row.story.seconds, row.story.ended, len(row.story.edits)
        if known is None or known[0] != key:
            known = self._summaries[index] = key, summary_of_run(*state)
        return known[1]

    def _show_missed(self) -> None:
        """A note that nobody can miss: what these compile is nowhere."""
        text = missed_text(self._session.run.missed)
        self.missed.setVisible(bool(text))
        self.missed.setText(text)
        self.missed.setStyleSheet(f"color: {current.colors().warning}")

    def _show_ranks(self, rows: tuple[RunRow, ...]) -> None:
        """Compared by the session, off the window's thread, when a rank has compiled something."""
        several = sum(row.capture is not None and bool(row.story.rank) for row in rows) > 1
        compared = self._session.ranks.compared if several else None
        self.ranks.setVisible(compared is not None)
        if compared is None:
            return
        style = "warning" if compared.differences else ""
        text = RichText().text(compared.sentence(), style)
        if compared.differences:
            text.text(" ").link(
                tr("Show {compile_id}").format(compile_id=compared.differences[0].compile_id), 0
            )
        text.text(" ").link(tr("All ranks"), 1)
        if text.plain != self.ranks.plain():
            self.ranks.set_content(text)

    def _show_difference(self) -> None:
        compared = self._session.ranks.compared
        if compared is not None and compared.differences:
            self._show_bar(self._session.run.shown, compared.differences[0].compile_id)

    def _show_storms(self, summary: RunSummary | None) -> None:
        storms = summary.storms if summary is not None else ()
        self.storms.setVisible(bool(storms))
        text = RichText()
        lines: list[SourceLine] = []
        for number, storm in enumerate(storms):
            if number:
                text.line()
            text.text(tr("Recompile storm. "), "bold warning").text(f"{storm.text}. ")
            if storm.remedy:
                text.text(f"{storm.remedy} ")
            if storm.line is not None:
                text.link(
                    tr("Show {name}:{line}").format(
                        name=storm.line.path.rpartition("/")[2], line=storm.line.line
                    ),
                    len(lines),
                )
                lines.append(storm.line)
        self._storm_lines = tuple(lines)
        if text.plain != self.storms.plain():
            self.storms.set_content(text)

    def _stop_at(self, where: tuple[str, ...]) -> None:
        self._session.run.break_at(where)
        self.fill()

    # -- going there -------------------------------------------------------------------------------------------

    def _show_storm(self, number: int) -> None:
        if number < len(self._storm_lines):
            self._select_line(self._storm_lines[number])

    def _show_bar(self, lane: int, compile_id: str) -> None:
        self._session.run.show(lane)
        row = next((row for row in self.table.rows if row.id == compile_id), None)
        if row is not None:
            self._show_row(row)

    def _show_row(self, row: object) -> None:
        """Its graph comes to the front, and the line where its function begins is selected."""
        capture = self._session.capture
        if not isinstance(row, CompileRow) or capture is None:
            return
        self.timeline.mark(row.id)
        stage = next((each for each in capture.stages if each.compile_id == row.id and each.graph), None)
        if stage is not None:
            self._session.show_stage(stage.id)
        self._select_line(SourceLine(row.path, row.line, row.name, ""))

    def _select_line(self, line: SourceLine) -> None:
        select_line(self._session, line, self)

    def _mark_shown(self) -> None:
        """The compile whose stage is in front."""
        stage = self._session.stage
        self.timeline.mark(stage.compile_id if stage is not None else "")


def _lane(row: RunRow, summary: RunSummary | None) -> RunLane:
    bars = summary.bars if summary is not None else ()
    seconds = summary.seconds if summary is not None else row.story.seconds
    times = step_times(row.story, ((bar.begin, bar.begin + bar.seconds) for bar in bars))
    return RunLane(row.title, seconds, bars, times, row.following, row.story.edits)


def _legend(bars: list[CompileBar], edited: bool) -> tuple[LegendEntry, ...]:
    """Only what is to be seen."""
    kinds: dict[str, str] = {}
    for bar in bars:
        words = tr("runs eagerly") if bar.failed else tr("compiled again") if bar.again else ""
        kinds.setdefault(words or (tr("backward") if bar.backward else tr("compiled")), color_of(bar))
    entries = tuple(LegendEntry(words, color) for words, color in kinds.items())
    step = LegendEntry(tr("time of a step"), current.colors().accent, "stripe")
    return (
        (*entries, step, LegendEntry(tr("edited"), current.colors().edited, "stripe"))
        if edited
        else (*entries, step)
    )


def _nothing(session: Session) -> tuple[str, str]:
    if session.run.following or session.run.waiting:
        return (
            tr("The program runs; nothing was compiled yet"),
            "\n\n".join(
                filter(
                    None,
                    (
                        tr("Every compile is shown here as soon as torch.compile begins one."),
                        missed_text(session.run.missed),
                    ),
                )
            ),
        )
    if session.run.came_late:
        return (
            tr("The program was over before this window could listen"),
            tr(
                "What it compiled is in the file that loupe run -o FILE.loupe wrote: open it with File → Open session. "
                "The terminal names the file; where nothing was compiled, it says why."
            ),
        )
    if session.run.ended_without:
        return (
            tr("The program ended; nothing was compiled"),
            tr(
                "torch.compile was not called in it, or what it returned was not called, or it is turned off "
                "(TORCH_COMPILE_DISABLE); the terminal says which.\n\nCall what torch.compile returns, as in "
                "model = torch.compile(model), and run it again; or look at a model of it by itself with Open model."
            ),
        )
    return (
        tr("No program that ran by itself"),
        tr("Start yours as always, with the loupe beside it:\n\nloupe run train.py --steps 5"),
    )
