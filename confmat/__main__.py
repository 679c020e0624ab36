"""Entry point of ``python -m confmat``, which is the command ``confmat``."""

from confmat.cli import main

if __name__ == "__main__":
    main()
