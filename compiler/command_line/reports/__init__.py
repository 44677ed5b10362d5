"""What commands print: captures, breaks, guards, times and differences as text and tables.

Nothing here asks a worker.
"""
