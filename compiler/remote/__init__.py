"""The worker on another machine: both ends of the way there, which is whatever the person uses already (ssh, docker exec, srun).

What passes is the worker's own protocol, unchanged; nothing here knows torch or Qt, and no port is opened.
"""
