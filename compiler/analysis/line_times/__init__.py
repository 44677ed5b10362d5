"""What each line of the program costs in a step that was timed, and what kernels are called by what and where they compute.

Pure functions of a capture and a timing report; nothing is measured here.
"""
