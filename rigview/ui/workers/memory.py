"""Memory that is free, given back to the system."""

import ctypes


def give_back() -> None:
    """Have the C library give back what was freed: glibc keeps what threads took, and files take much."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError, TypeError):
        # Other libraries have no such function, and need none.
        return
