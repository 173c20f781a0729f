"""``python -m symparam``."""

from symparam.cli import run

if __name__ == "__main__":
    run()
