"""What holds for hours: files of strangers by the thousand, kills at random moments, memory over a day, many models, a slow
link. ``make endurance``; each part prints one row of figures and fails on a fault. Each has a planted fault in
`test_endurance`, which runs it at a small scale.
"""
