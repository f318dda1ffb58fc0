"""The telemetry of a mission: a read model over the rows that runners stamped. Nothing of it is told by a model."""
