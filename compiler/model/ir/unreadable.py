"""What decoding of bytes raises that are not what they should be: msgspec's own errors are not all of them."""

import msgspec

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""Text in JSON that is no UTF-8 raises a UnicodeDecodeError, deep nesting a RecursionError."""
