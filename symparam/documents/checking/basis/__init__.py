"""What every judge knows: the values of letters, the front matter, and the remarks of a page."""
