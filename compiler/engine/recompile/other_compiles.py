"""What Dynamo compiles of a program after its capture: of an edited step that hands a resume function another number, say."""

from compiler.engine.capture.capture import LiveCapture
from compiler.engine.torch_internals.dynamo_guards import cache_entries


def forget_other_compiles(live: LiveCapture) -> None:
    """Drops it. It may serve what was captured too (made for any number, once two were seen), which then never runs again, and no edit
    of it could be judged.
    """
    own = {(record.code, record.id) for record in live.recorder.frames}
    for code in {code for code, _ in own}:
        entries = cache_entries.entries_of(code)
        backends = [entry.backend for entry in entries if (code, str(entry.compile_id)) in own]
        for entry in entries:
            if (code, str(entry.compile_id)) not in own and any(entry.backend is ours for ours in backends):
                cache_entries.drop(entry)
