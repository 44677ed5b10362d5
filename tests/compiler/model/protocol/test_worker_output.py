"""What the worker prints, as the window and the commands show it."""

from compiler.model.protocol.worker_output import WorkerOutput


def test_letters_cut_in_two_are_put_together() -> None:
    output = WorkerOutput()
    data = "grüße".encode()
    assert "".join(output.feed(data[i : i + 1]) for i in range(len(data))) == "grüße"


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert WorkerOutput().feed(b"a\xff\n") == "a\ufffd\n"


def test_stacks_meant_for_us_are_hidden_however_they_are_cut() -> None:
    text = "before\nLOUPE-STACK begin\nStack (most recent call first):\n  File x\nLOUPE-STACK end\nafter\nLOUPE is a word\nno end"
    for size in (1, 3, 7, 100):
        output = WorkerOutput()
        shown = "".join(output.feed(text[i : i + size].encode()) for i in range(0, len(text), size))
        assert shown == "before\nafter\nLOUPE is a word\nno end"
        assert "File x" in output.tail


def test_a_program_that_prints_our_mark_hides_only_what_looks_like_a_stack() -> None:
    text = 'LOUPE-STACK begin\n  File "a.py", line 3 in f\nloss 0.5\n  accuracy 0.9\n'
    for size in (1, 3, 100):
        output = WorkerOutput()
        shown = "".join(output.feed(text[i : i + size].encode()) for i in range(0, len(text), size))
        assert shown == "loss 0.5\n  accuracy 0.9\n"


def test_a_line_without_an_end_is_passed_on_in_pieces() -> None:
    """Each piece once, not all that came so far with each."""
    output, piece = WorkerOutput(), "ü" * (1 << 15)
    assert [output.feed(piece.encode()) for _ in range(8)] == [piece] * 8


def test_what_might_have_been_a_mark_is_reported_at_the_end() -> None:
    output = WorkerOutput()
    assert output.feed(b"done\nLOUPE") == "done\n"
    assert (output.rest(), output.rest()) == ("LOUPE", "")
