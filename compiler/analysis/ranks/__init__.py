"""Processes of one distributed program beside each other: what each compiled, where they went apart, and the difference as text.
Logs of torch, runs and session files are compared alike.
"""
