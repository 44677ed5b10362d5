"""A diagram drawn: one painted item in a view that zooms and pans, with what is marked on it. It knows no session."""
