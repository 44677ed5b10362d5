"""Kernels of two captures: what is the same text but for where files were."""

import re
import time

import pytest

from compiler.model.diff.kernel_diff import without_cache_folder

_AT_EVERY_LETTER = re.compile(r"""[^\s"'<]*/(?=[a-z0-9]{2}/[a-z0-9]{20,}\.)""")
_NAME = "c" + "0123456789abcdef" * 3


@pytest.mark.parametrize("folder", ["/tmp/torchinductor_me/", "/home/you/cache/", ""])
def test_folders_of_caches_are_left_out(folder: str) -> None:
    text = '#include "{0}ab/{1}.h"\n#include <{0}cd/{1}.h>\nx/y z, {0}ef/{1}.py'
    assert without_cache_folder(text.format(folder, _NAME)) == text.format("", _NAME)


@pytest.mark.thorough
def test_a_long_text_is_looked_through_fast() -> None:
    """All kernels of a model are, of both captures, and the window waits for it. At every letter a path might begin."""
    text = f'auto tmp0 = static_cast<float>(in_ptr0[x0]); // no path\n#include "/tmp/ab/{_NAME}.h"\n' * 40_000
    spent = []
    for take_out in (without_cache_folder, lambda text: _AT_EVERY_LETTER.sub("", text)):
        begin = time.process_time()
        found = take_out(text)
        spent.append((time.process_time() - begin, found))
    assert spent[0][1] == spent[1][1]
    assert spent[0][0] < spent[1][0] / 2
