"""The only folder that touches private torch API: one hook per file.

Every hook file says what it gives (``GIVES``) and what it needs of this torch (``NEEDS``, as ``module:attribute``), and
has ``listen(recorder)``, a context manager that puts its functions in and takes them out again.
"""

import logging

_LOGGER = logging.getLogger("torch.utils.cpp_extension")
_NO_GPU = "No CUDA runtime is found"


def _is_news(record: logging.LogRecord) -> bool:
    """A CUDA build of torch on a machine without a GPU says so at each start; `loupe doctor` lists the devices."""
    return not str(record.msg).startswith(_NO_GPU)


_LOGGER.addFilter(_is_news)
