"""The records of a log, and what they say of a process: lines, interned strings, phases, texts."""
