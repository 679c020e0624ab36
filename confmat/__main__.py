"""``python -m confmat`` is ``confmat``."""

from confmat.cli import main

if __name__ == "__main__":
    main()
