"""What every slice may use: ids, errors, limits, fault points, text and logging. No I/O lives here."""
