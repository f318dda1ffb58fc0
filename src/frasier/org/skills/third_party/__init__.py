"""Skills of third parties: read without running anything, vetted by four gates, checked at each load (D-022)."""
