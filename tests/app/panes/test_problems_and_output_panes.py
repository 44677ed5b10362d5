"""What went wrong, and what was printed."""

from PySide6.QtGui import QGuiApplication

from app.panes.output_pane import MOST_LINES, OutputPane
from app.panes.problems_pane import ProblemsPane
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import place
from tests.helpers.table_reader import every_row, menu_texts, seen_rows

BROKEN = Problem("NameError: y", "Mend it.", "/home/me/mlp.py", 14, detail="Traceback\n  line 14")
SLOW = Problem("relu is slow.", severity=Severity.WARNING, place=place("0/0:joint", "relu_1"))


def test_problems_are_listed_with_remedy_and_detail(shown, put):
    pane = ProblemsPane(shown)
    put(pane)
    assert pane.empty.isVisible()
    shown.report(BROKEN)
    shown.report(SLOW)
    assert pane.count.text() == "1 error, 1 warning"
    texts = [row.text(0) for row in every_row(pane.rows)]
    assert texts == ["relu is slow.", "NameError: y", "→ Mend it.", "Details", "Traceback\n  line 14"]
    assert seen_rows(pane.rows)[1].text(1) == "mlp.py:14"
    assert seen_rows(pane.rows)[0].text(1) == "relu_1 in Joint graph"


def test_a_click_goes_to_the_node_or_the_line(shown, put, click_row):
    pane = ProblemsPane(shown)
    put(pane)
    shown.report(BROKEN)
    shown.report(SLOW)
    click_row(seen_rows(pane.rows)[0])
    assert shown.selection.pinned == place("0/0:joint", "relu_1")
    assert shown.stage.id == "0/0:joint"
    click_row(seen_rows(pane.rows)[1])
    assert shown.selection.pinned == place("source:/home/me/mlp.py", "L14")


def test_a_problem_of_a_file_offers_its_line_and_stays_folded_when_others_come(shown, put):
    pane = ProblemsPane(shown)
    put(pane)
    shown.report(BROKEN)
    (broken,) = seen_rows(pane.rows)
    remedy, details = broken.children()
    for row, offered in ((broken, True), (remedy, True), (details, False)):
        assert menu_texts(pane.rows, row) == ["Open mlp.py:14 in the editor"] * offered
    pane.rows.tree.collapse(broken.index)
    pane.rows.make_current(broken.given().key)
    shown.report(SLOW)
    slow, broken = seen_rows(pane.rows)
    assert menu_texts(pane.rows, slow) == []
    assert (slow.is_open(), broken.is_open()) == (True, False)
    assert pane.rows.current() is broken.given()


def test_clear_and_copy(shown, put):
    pane = ProblemsPane(shown)
    put(pane)
    shown.report(BROKEN)
    pane.copy.click()
    assert "Mend it." in QGuiApplication.clipboard().text()
    assert "Traceback" in QGuiApplication.clipboard().text()
    pane.clear.click()
    assert shown.problems == ()
    assert pane.empty.isVisible()


def test_output_is_appended_capped_and_cleared(session, put):
    pane = OutputPane(session)
    put(pane)
    session.output_arrived.emit("half a ")
    session.output_arrived.emit("line\n")
    assert pane.text.toPlainText() == "half a line\n"
    session.output_arrived.emit("x\n" * (MOST_LINES + 10))
    assert pane.text.blockCount() <= MOST_LINES
    assert pane.note.isVisible()
    pane.copy.click()
    assert QGuiApplication.clipboard().text().count("x") > MOST_LINES - 5
    pane.clear.click()
    assert pane.text.toPlainText() == ""


def test_output_stays_where_one_scrolled_to(session, put):
    pane = OutputPane(session)
    put(pane, 400, 200)
    session.output_arrived.emit("line\n" * 100)
    bar = pane.text.verticalScrollBar()
    assert bar.value() == bar.maximum()
    bar.setValue(10)
    session.output_arrived.emit("more\n" * 10)
    assert bar.value() == 10
