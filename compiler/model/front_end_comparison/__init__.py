"""One program under every front end, as data.

Front ends themselves are listed in `capture.front_ends`.
"""
