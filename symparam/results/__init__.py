"""What the functions of the API return: results that write themselves in every format and show themselves in notebooks."""
