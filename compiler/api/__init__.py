"""The public Python API, as `import torch_loupe` gives it: captures of live objects and of files, edits, links, graphs.

What a capture holds is `compiler.model`; the window is `app`. Nothing here loads torch before something is captured.
"""

from compiler.api.capturing import capture
from compiler.api.errors import LoupeError
from compiler.api.links import Links
from compiler.api.recording import Recorded, record
from compiler.api.session import Capture, Edited, Verdict, open
from compiler.api.stage import Stage
from compiler.api.window import show

__all__ = [
    "Capture",
    "Edited",
    "Links",
    "LoupeError",
    "Recorded",
    "Stage",
    "Verdict",
    "capture",
    "open",
    "record",
    "show",
]
