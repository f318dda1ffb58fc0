"""Tasks: made, loaded, edited, judged, with what every change of one leaves behind."""
