"""What a window and its worker hold must stay as it was once warm: timing for hours, captures, saves. Each module is a part;
what they share is the window (`open_window`) and how processes are looked at (`process_counts`).
"""
