"""Operations of the organisation: missions, people, decisions, costs, events."""
