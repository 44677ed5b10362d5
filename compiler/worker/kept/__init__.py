"""The process that stays, to do several pieces of work on what it captured."""
