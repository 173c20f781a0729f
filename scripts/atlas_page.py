"""Write the page of the documentation that says how far each traced class was verified: ``python scripts/atlas_page.py``."""

from __future__ import annotations

from pathlib import Path

from symparam.models.atlas.atlas import TracedClass, atlas

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "traced-classes.md"


def page() -> str:
    """The page: the number of classes, and a row for each."""
    known = atlas()
    exact = [each for each in known.entries if not each.refused]
    free = [each for each in exact if not each.held]
    versions = ", ".join(f"{name} {version}" for name, version in known.versions.items())
    return "\n".join(
        (
            "# Traced classes",
            "",
            f"{len(known.entries)} classes, traced with {versions}: {len(exact)} exact at six unseen configs each, "
            f"{len(exact) - len(free)} of these only while the named keys keep their defaults, since no rule was found for other values; "
            f"{len(known.entries) - len(exact)} refused.",
            "",
            "| `model_type` | Class | |",
            "|---|---|---|",
            *map(row, known.entries),
            "",
        )
    )


def row(entry: TracedClass) -> str:
    """The line of the table for an entry."""
    others = "".join(f", `{path}` of `{kind}`" for path, kind in entry.types.items())
    return f"| `{entry.model_type}`{others} | `{entry.class_name}` | {_worth(entry)} |"


def _worth(entry: TracedClass) -> str:
    if entry.refused:
        return f"refused: {entry.refused.replace('{', '&#123;').replace('|', '/')}"
    return f"exact at the default of {', '.join(f'`{path}`' for path in entry.held)}" if entry.held else "exact"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
