"""`python -m frasier` is the same program as `frasier`."""

from frasier.app import main

if __name__ == "__main__":
    main()
