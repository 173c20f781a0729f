"""A page on which a reader changes the sizes of a model and sees what follows: numbers, shares and the drawing, exactly."""
