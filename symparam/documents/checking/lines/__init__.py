"""The walk through the lines of a page, and what is judged on them."""
