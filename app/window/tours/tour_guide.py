"""Leads through a tour: captures its program, shows a card a step, and goes on when what the step waits for was done."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRect, QTimer, Signal
from PySide6.QtWidgets import QTabBar, QWidget

from app.session.facade.session import Session
from app.translation.language import has_letters
from app.window.tours.coach_card import CoachCard, CoachFrame
from app.window.tours.goals import TourGoals
from app.window.tours.language import chosen_language, remember_language
from app.window.tours.tour_texts import with_names_shown, words
from app.window.tours.tour_window import TourWindow
from compiler.analysis.tours.tour import LANGUAGES, Tour, TourStep
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.ir.gpu_target import find_target

_LOOK_MS = 150
"""How often it is looked whether a step is done and where its pane is: both change in ways that nobody tells."""


class TourGuide(QObject):
    """At most one tour at a time. The window stays whole: everything can be used while a card lies upon it."""

    changed = Signal()
    """A tour began, went on or ended."""

    def __init__(self, session: Session, window: TourWindow, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._window = window
        self._goals = TourGoals(session, window)
        self.tour: Tour | None = None
        self.number = -1
        """Of the step, from 0; -1 while the program is captured."""
        self.done = False
        """Whether what the step waits for is, or was, so."""
        self._before: object = None
        """The capture that was open when the program was asked for."""
        self._pointed: QRect | None = None
        self.language = chosen_language()
        self.frame = CoachFrame(window.widget)
        self.card = CoachCard(window.widget)
        self.card.back.connect(lambda: self.go_to(self.number - 1))
        self.card.next.connect(self.go_on)
        self.card.show_me.connect(self.show_me)
        self.card.closed.connect(self.stop)
        self.card.language_wanted.connect(self._other_language)
        self._look = QTimer(self, interval=_LOOK_MS)
        self._look.timeout.connect(self.look)
        window.widget.installEventFilter(self)

    @property
    def step(self) -> TourStep | None:
        """The step shown."""
        return self.tour.steps[self.number] if self.tour is not None and self.number >= 0 else None

    def start(self, tour: Tour, open_program: Callable[[CaptureSpec], None]) -> None:
        """Capture the tour's program and begin. Whoever calls has asked what there is to ask."""
        self.stop()
        self.language = chosen_language()
        self.tour = tour
        self._before = self._session.capture
        device = find_target(tour.gpu) if tour.gpu else None
        target = TargetSpec(tour.target, tour.folder)
        open_program(CaptureSpec(target, run=RunOptions(training=tour.training), device=device))
        self._show_waiting()
        self._look.start()
        self.changed.emit()

    def stop(self) -> None:
        """End the tour; what is open stays."""
        self._look.stop()
        self.tour, self.number, self.done = None, -1, False
        self.card.hide()
        self.frame.hide()
        self.changed.emit()

    def go_on(self) -> None:
        """To the next step; after the last one the tour ends."""
        if self.tour is not None and self.number + 1 >= len(self.tour.steps):
            self.stop()
        else:
            self.go_to(self.number + 1)

    def go_to(self, number: int) -> None:
        """Show a step."""
        if self.tour is None or not 0 <= number < len(self.tour.steps):
            return
        self.number, self.done = number, False
        self.card.moved_by_hand = False
        self._goals.set_scene(self.tour.steps[number])
        self._fill()
        self.look()
        self.changed.emit()

    def show_me(self) -> None:
        """Do what the step waits for."""
        if self.step is not None:
            self._goals.bring_about(self.step)
            self.look()

    def look(self) -> None:
        """See what changed since."""
        if self.tour is None:
            return
        if self.number < 0:
            self._await_program()
            return
        if not self._is_open():
            self.stop()
            return
        step = self.step
        assert step is not None
        if not self.done and (step.goal is None or self._goals.is_reached(step.goal)):
            self.done = True
            self._fill()
        self._point()

    # -- drawing -----------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.tour is not None:
            self._point(again=True)
        return super().eventFilter(watched, event)

    def _fill(self) -> None:
        tour, step, say = self.tour, self.step, words(self.language)
        if tour is None or step is None:
            return
        card, last = self.card, self.number + 1 == len(tour.steps)
        waits = step.goal is not None
        card.where.setText(f"{tour.title.text(self.language)} · {self.number + 1}/{len(tour.steps)}")
        then = step.then.text(self.language) if self.done and waits else ""
        text = with_names_shown(step.text.text(self.language))
        card.show_texts(step.title.text(self.language), text, with_names_shown(then))
        card.show_state("" if not waits else say.done if self.done else say.waiting, self.done)
        card.back_button.setText(say.back)
        card.back_button.setEnabled(self.number > 0)
        card.show_button.setText(say.show_me)
        card.show_button.setVisible(waits and not self.done)
        card.next_button.setText(say.end if last else say.next)
        card.next_button.setEnabled(self.done)
        card.next_button.setDefault(self.done)
        self._show_language()
        self._point(again=True)

    def _show_waiting(self) -> None:
        tour, say = self.tour, words(self.language)
        assert tour is not None
        self.card.where.setText(tour.title.text(self.language))
        self.card.show_texts("", say.capturing.format(program=tour.target), "")
        self.card.show_state("", False)
        for button in (self.card.back_button, self.card.show_button, self.card.next_button):
            button.hide()
        self._show_language()
        self._pointed = None
        self.frame.hide()
        self._bring_up()

    def _show_language(self) -> None:
        tour = self.tour
        codes = tour.languages if tour is not None else ()
        others = [code for code in codes if code != self.language and has_letters(code)]
        self.card.language.setVisible(bool(others))
        self.card.language.setText(LANGUAGES[others[0]] if others else "")

    def _point(self, again: bool = False) -> None:
        step = self.step
        if step is None:
            if again and self.tour is not None:
                self._bring_up()
            return
        target = self._rect_of(step)
        if target == self._pointed and not again:
            return
        self._pointed = target
        self.frame.setVisible(target is not None)
        if target is not None:
            self.frame.setGeometry(target)
            self.frame.raise_()
        self._bring_up()

    def _bring_up(self) -> None:
        self.card.show()
        self.card.place_next_to(self._pointed)
        self.card.raise_()

    def _rect_of(self, step: TourStep) -> QRect | None:
        """In the window's pixels: what the step is about, or what brings it to the front; None where neither is in sight."""
        name = step.point or step.pane
        if not name:
            return None
        area = self._window.show_panes()
        found: QWidget | None = area.dock_of(name) or area.panes.get(name)
        if found is None:
            found = self._window.widget.findChild(QWidget, _OBJECTS.get(name, name))
        if found is not None and found.isVisible() and not found.visibleRegion().isEmpty():
            return self._placed(found, found.rect())
        dock = area.dock_of(name)
        if dock is None:
            return None
        for bar in area.findChildren(QTabBar):
            for index in range(bar.count()):
                if bar.isVisible() and bar.tabText(index) == dock.windowTitle():
                    return self._placed(bar, bar.tabRect(index))
        button = self._window.widget.findChild(QWidget, _OBJECTS["panes"])
        return self._placed(button, button.rect()) if button is not None else None

    def _placed(self, inside: QWidget, part: QRect) -> QRect:
        return QRect(inside.mapTo(self._window.widget, part.topLeft()), part.size())

    # -- the program -------------------------------------------------------------------------------------------

    def _is_open(self) -> bool:
        capture, tour = self._session.capture, self.tour
        return (
            capture is not None
            and tour is not None
            and capture.spec.target == TargetSpec(tour.target, tour.folder)
        )

    def _await_program(self) -> None:
        session, say = self._session, words(self.language)
        if session.capture is not self._before and self._is_open() and session.capturing is None:
            if session.early.shown is None:
                for button in (self.card.back_button, self.card.next_button):
                    button.show()
                self.go_to(0)
        elif session.capturing is None and not session.busy:
            self.card.show_state(with_names_shown(say.failed).replace("*", ""), False)
            self._bring_up()

    def _other_language(self) -> None:
        tour = self.tour
        others = [code for code in tour.languages if code != self.language] if tour is not None else []
        if others:
            self.language = others[0]
            remember_language(self.language)
            if self.number < 0:
                self._show_waiting()
            else:
                self._fill()


_OBJECTS = {"result": "result_bar", "workspaces": "workspace_switch", "panes": "panes_button"}
