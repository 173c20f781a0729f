"""Claims that the rows and columns of tables make."""
