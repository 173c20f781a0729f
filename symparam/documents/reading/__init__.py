"""Reading what people write. Text is taken apart here and never evaluated by Python or by SymPy's parsers."""
