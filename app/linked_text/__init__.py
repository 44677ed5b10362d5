"""Stages as texts whose lines are linked to everything else: what panes that show one have in common."""
