"""The command line: a process with options, standard streams, files and an exit code around each command."""
