"""What was found in documents, written for a terminal, for programs and for the services that show it beside the change."""
