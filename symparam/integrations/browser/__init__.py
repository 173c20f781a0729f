"""symparam in a browser tab: Python there is Pyodide, and what is pasted stays in the tab."""
