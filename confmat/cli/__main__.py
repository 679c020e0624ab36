"""``python -m confmat.cli`` is ``confmat``."""

from confmat.cli.app import main

if __name__ == "__main__":
    main()
