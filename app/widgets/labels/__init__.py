"""Labels of our own: of one line that is elided, of several in which long names break, of text with links. What is edited is not here."""
