"""Pages with marked places, which are filled with what a command of symparam answers, and found out where they no longer say it."""
