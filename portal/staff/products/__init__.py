"""Products as the sales desk looks after them: what runs out, what is missing."""
