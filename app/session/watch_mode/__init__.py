"""The program captured again whenever one of its files is saved.

Who reports a save is `files.file_watch`.
"""
