import re

from app.engine_client.restart_policy import RestartPolicy
from compiler.model.protocol.crash_report import Death, death_problem, how_it_ended, users_frame

FAULT = """Fatal Python error: Segmentation fault

Thread 0x00007f (most recent call first):
  File "/home/me/other.py", line 9 in wait

Current thread 0x00007f (most recent call first):
  File "/venv/lib/python3.11/site-packages/torch/_ops.py", line 77 in __call__
  File "/home/me/model.py", line 5 in forward
  File "/home/me/model.py", line 12 in step

Extension modules: numpy
"""

TRACEBACK = """Traceback (most recent call last):
  File "/home/me/main.py", line 3, in <module>
  File "/home/me/model.py", line 8, in forward
  File "/venv/lib/python3.11/site-packages/torch/_ops.py", line 77, in __call__
RuntimeError: no
"""


def test_the_users_line_is_found_in_a_fault() -> None:
    assert users_frame(FAULT) == ("/home/me/model.py", 5)


def test_the_users_line_is_found_in_a_traceback() -> None:
    assert users_frame(TRACEBACK) == ("/home/me/model.py", 8)


def test_a_traceback_in_colours_is_read_as_one_without() -> None:
    """As Python 3.13 prints it where FORCE_COLOR is set."""
    coloured = re.sub(
        r'File (".+"), line (\d+), in (\S+)',
        "File \x1b[35m\\1\x1b[0m, line \x1b[35m\\2\x1b[0m, in \x1b[35m\\3\x1b[0m",
        TRACEBACK,
    ).replace("RuntimeError: no", "\x1b[1;35mRuntimeError\x1b[0m: \x1b[35mno\x1b[0m")
    assert coloured.count("\x1b") == 22
    assert users_frame(coloured) == users_frame(TRACEBACK)
    death = Death(how_it_ended(False, 1), "Running model.py", coloured)
    assert death_problem(death).detail == TRACEBACK.rstrip("\n")


def test_no_line_where_there_is_none() -> None:
    assert users_frame('  File "/venv/lib/python3.11/site-packages/torch/_ops.py", line 77 in x\n') is None


def test_a_death_in_words() -> None:
    problem = death_problem(Death(how_it_ended(True, 11), "Running model.py", FAULT))
    assert problem.what == "The engine was ended by SIGSEGV while it was doing this: Running model.py."
    assert (problem.path, problem.line) == ("/home/me/model.py", 5)


def test_restarts_are_limited_in_a_row() -> None:
    policy = RestartPolicy()
    delays = [policy.delay_after(1.0, requested=False) for _ in range(6)]
    assert delays[-1] is None
    assert None not in delays[:5]
    assert policy.delay_after(61.0, requested=False) is not None
    assert policy.delay_after(1.0, requested=True) == 0


def test_a_worker_that_answered_can_work_here() -> None:
    """A connection to another machine may drop ten times in a minute; a worker that never came up is not started for ever."""
    policy = RestartPolicy()
    assert [policy.delay_after(3.0, False, answered=True) for _ in range(10)] == [50] * 10
    assert None in [policy.delay_after(3.0, False) for _ in range(10)]
