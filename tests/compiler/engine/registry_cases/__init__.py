"""Programs that break, one for each entry of torch's registry that a CPU can provoke.

Each function is a program. The comment names the entries that the line it stands on must be told with.
``_INPUTS`` holds what a function is called with where that is not one tensor, ``_SETTINGS`` torch settings it needs.
"""
