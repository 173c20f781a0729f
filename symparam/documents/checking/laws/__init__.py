"""Laws of dimensions: quantities that follow from others of the page."""
