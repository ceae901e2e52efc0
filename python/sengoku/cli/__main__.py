"""Entry point of `python -m sengoku.cli`."""

from sengoku.cli.main import main

if __name__ == "__main__":
    main()
