"""Everything but the window: plain data, analysis, engine, worker and command line.

Qt is never imported here.
"""
