"""Every question to a worker and its last answer, one object for each subject.

What is done with the answers is the panes' business.
"""
