"""Whether what lies on disk is this user's alone: what is trusted, run or removed without a question must be."""

import os
import stat

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def only_ours(found: os.stat_result) -> bool:
    """Whether it is this user's, and nobody else may write into it. Give what `lstat` says, or `fstat`."""
    return is_mine(found) and not found.st_mode & _OTHERS_WRITE


def closed_to_others(found: os.stat_result) -> bool:
    """Whether others may not even look at it."""
    return is_mine(found) and not found.st_mode & (stat.S_IRWXG | stat.S_IRWXO)


def keeps_names(found: os.stat_result) -> bool:
    """Whether nobody else can put something of his in the place of what we make in this folder."""
    others = found.st_mode & _OTHERS_WRITE and not found.st_mode & stat.S_ISVTX
    return found.st_uid in (0, os.getuid()) and not others


def is_mine(found: os.stat_result) -> bool:
    """Whether this user made it."""
    return found.st_uid == os.getuid()
