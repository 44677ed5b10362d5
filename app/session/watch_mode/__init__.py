"""The program captured again whenever one of its files is saved.

Who tells of a save is `files.file_watch`.
"""
