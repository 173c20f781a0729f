"""``python -m symparam``."""

from symparam.cli.app import run

if __name__ == "__main__":
    run()
