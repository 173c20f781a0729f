"""Documents that people wrote: read, checked claim by claim, and what is wrong explained."""
