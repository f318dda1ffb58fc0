"""The post-mortem of a mission: computed from what is stored, and quantitative only. It proposes nothing."""
