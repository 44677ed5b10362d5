"""The session that panes talk to: wiring of all that stands beside this package.

It adds no behaviour of its own that another package could have.
"""
