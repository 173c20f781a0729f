"""An architecture as a drawing: laid out once, and written as SVG, PNG or TikZ."""
