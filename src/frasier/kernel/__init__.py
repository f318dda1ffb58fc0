"""The foundation of every slice: ids, errors, limits, fault points, text and logging. Free of I/O."""
