"""The page of the timings pane that shows what is sent to other ranks, and what runs meanwhile."""
