"""Which files of functions that Dynamo left alone are stages."""

from pathlib import Path

import networkx

from compiler.engine.provenance.code_stages import CodeStages
from compiler.engine.records.recorder import Recorder, SkipRecord
from compiler.engine.stages.user_source import make


def test_libraries_in_which_all_was_left_alone_are_no_stages() -> None:
    """A backward traced again (compiled autograd) brought 60 files of SymPy into a run of a program of 90 lines."""

    def mine() -> None: ...

    recorder = Recorder()
    library = networkx.Graph.__init__.__code__
    recorder.skips = [SkipRecord(code, "no operation in it") for code in (mine.__code__, library)]
    found = make(recorder, CodeStages(recorder, {}))
    assert [stage.title for stage in found] == [Path(__file__).name]
