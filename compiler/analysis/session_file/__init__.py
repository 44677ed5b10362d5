"""Session files (``.loupe``) read and written.

Nothing of a file is run here.
"""
