"""What passes between processes.

What the messages carry stands in the other packages.
"""
