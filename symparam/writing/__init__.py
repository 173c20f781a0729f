"""Writing: derivations as documents, and documents in text, Markdown, LaTeX, MathML and JSON."""
