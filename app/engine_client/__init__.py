"""The worker as the window sees it: started, asked, heard, started again.

What is asked stands in `app.session.engine_requests`.
"""
