"""The commands as such: their options, what each asks of the API, and a command read from one string of words."""
