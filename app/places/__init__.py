"""Where on the screen something may stand: rectangles alone, for canvas and widgets alike. Nothing is shown here."""
